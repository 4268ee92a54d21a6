"""`wheels/wheel/check.py` lets a wheel through that is whole, and says what is wrong with another one."""

from __future__ import annotations

import base64
import hashlib
import json
import subprocess
import sys
import zipfile
from typing import TYPE_CHECKING

import pytest

import check
from corecall import sdk
from crates import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

INFO = "corecall-0.1.0.dist-info"
CHECK = ROOT / "wheels" / "wheel" / "check.py"
BOM = f"{INFO}/sboms/corecall.cyclonedx.json"
Files = dict[str, bytes]


def platform_tag(files: Mapping[str, bytes]) -> str:
    floor = json.loads(files["manifest.json"])["libc"]["floor"].replace(".", "_")
    return f"manylinux_{floor}_{sdk.host_target().split('-')[0]}"


@pytest.fixture(scope="session")
def content(files: Mapping[str, bytes]) -> Files:
    """What a wheel of this tree holds, made of the SDK's library."""
    package = ROOT / "bindings" / "python"
    held = {
        path.relative_to(package).as_posix(): path.read_bytes()
        for path in (package / "corecall").rglob("*")
        if path.is_file() and not {"__pycache__", "_native"} & set(path.parts)
    }
    held["corecall/_native/__init__.py"] = b""
    held["corecall/_native/lib_native.so"] = files["lib/libcorecall.so"]
    held["corecall/_native/ffi.py"] = check.declarations().encode()
    for name in ("LICENSE", "wheels/THIRD_PARTY_NOTICES.txt"):
        held[f"{INFO}/licenses/{name}"] = (ROOT / name).read_bytes()
    held[BOM] = files["share/corecall/sbom.cyclonedx.json"]
    held[f"{INFO}/WHEEL"] = f"Root-Is-Purelib: false\nTag: py3-none-{platform_tag(files)}\n".encode()
    return held


def write(folder: Path, content: Files, tag: str, *, record: bool = True) -> Path:
    if record:
        lines = []
        for name, data in content.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            lines.append(f"{name},sha256={digest},{len(data)}\n")
        content = {**content, f"{INFO}/RECORD": "".join([*lines, f"{INFO}/RECORD,,\n"]).encode()}
    path = folder / f"corecall-0.1.0-py3-none-{tag}.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return path


def test_a_whole_wheel_passes(content: Files, files: Mapping[str, bytes], tmp_path: Path) -> None:
    wheel = write(tmp_path, content, platform_tag(files))
    ran = subprocess.run([sys.executable, CHECK, wheel], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert "glibc" in ran.stdout


def without(name: str) -> Callable[[Files], Files]:
    return lambda content: {path: data for path, data in content.items() if path != name}


def extended(name: str) -> Callable[[Files], Files]:
    return lambda content: {**content, name: content.get(name, b"") + b"\n# more\n"}


CHANGES: dict[str, tuple[str, Callable[[Files], Files]]] = {
    "without a module": ("errors.py is missing", without("corecall/errors.py")),
    "with a changed module": ("core.py is missing or is not", extended("corecall/core.py")),
    "with something else": ("it holds tests/x.py", extended("tests/x.py")),
    "without the library": ("native libraries are", without("corecall/_native/lib_native.so")),
    "with two libraries": ("native libraries are", extended("corecall/_native/other.so")),
    "with other declarations": ("ffi.py is not what", extended("corecall/_native/ffi.py")),
    "without a licence": ("licenses/LICENSE is missing", without(f"{INFO}/licenses/LICENSE")),
    "with old notices": ("THIRD_PARTY_NOTICES", extended(f"{INFO}/licenses/wheels/THIRD_PARTY_NOTICES.txt")),
    "without a bill of materials": ("no bill of materials", without(BOM)),
    "with a bill that names paths": (
        "paths of the machine",
        lambda content: {**content, BOM: content[BOM].replace(b"pkg:generic", b"path+file:///home/x#")},
    ),
    "with another tag inside": (
        "its metadata",
        lambda content: {**content, f"{INFO}/WHEEL": b"Root-Is-Purelib: false\nTag: py3-none-any\n"},
    ),
    "that calls itself pure": (
        "pure Python",
        lambda content: {**content, f"{INFO}/WHEEL": content[f"{INFO}/WHEEL"].replace(b"false", b"true")},
    ),
}


def refusal(wheel: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(sys, "argv", ["check.py", str(wheel)])
    with pytest.raises(SystemExit) as caught:
        check.check(wheel)
    return str(caught.value)


@pytest.mark.parametrize("kind", CHANGES)
def test_another_content_is_refused(
    kind: str, content: Files, files: Mapping[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    message, change = CHANGES[kind]
    assert message in refusal(write(tmp_path, change(content), platform_tag(files)), monkeypatch)


@pytest.mark.parametrize("tag", ["any", "linux_x86_64", "cp311-cp311-manylinux_2_34_x86_64", "macosx_10_9_x86_64"])
def test_a_tag_that_is_none_of_ours_is_refused(
    tag: str, content: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "its tag is" in refusal(write(tmp_path, content, tag), monkeypatch)


def test_a_tag_that_promises_an_older_glibc_is_refused(
    content: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tag = f"manylinux_2_5_{sdk.host_target().split('-')[0]}"
    told = {**content, f"{INFO}/WHEEL": f"Root-Is-Purelib: false\nTag: py3-none-{tag}\n".encode()}
    assert "needs glibc" in refusal(write(tmp_path, told, tag), monkeypatch)


def test_a_file_that_is_not_that_of_record_is_refused(
    content: Files, files: Mapping[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = write(tmp_path, content, platform_tag(files))
    with zipfile.ZipFile(whole) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    changed = write(tmp_path, {**held, "corecall/py.typed": b"x"}, platform_tag(files), record=False)
    assert "is not the file of RECORD" in refusal(changed, monkeypatch)
    more = write(tmp_path, {**held, "corecall/more.py": b""}, platform_tag(files), record=False)
    assert "RECORD does not list" in refusal(more, monkeypatch)


def test_a_wheel_that_is_too_big_is_refused(
    content: Files, files: Mapping[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "SIZE_LIMIT", 1000)
    assert "more than 1000" in refusal(write(tmp_path, content, platform_tag(files)), monkeypatch)
