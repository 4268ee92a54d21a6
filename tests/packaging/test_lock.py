"""A lock pins exactly what was checked, and what it doesn't pin is refused."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.packaging import archives

from corecall import sdk

if TYPE_CHECKING:
    from collections.abc import Mapping

SINGLE_FILE = Path(__file__).parents[2] / "bindings" / "python" / "corecall" / "sdk.py"
OTHER = "aarch64-unknown-linux-gnu"


@pytest.fixture
def path(small: Mapping[str, bytes], tmp_path: Path) -> Path:
    return archives.write(tmp_path / f"{archives.root_of(small)}.tar.gz", small)


def for_other_target(small: Mapping[str, bytes], **changes: object) -> dict[str, bytes]:
    name = "share/corecall/capabilities.json"
    told = json.loads(small[name])
    told["build"]["target"] = OTHER
    told["build"] |= {"version": changes.get("sdk_version", told["build"]["version"])}
    return archives.sealed({**small, name: json.dumps(told).encode()}, target=OTHER, **changes)


def test_it_pins_version_archive_and_manifest_of_each_target(
    small: Mapping[str, bytes], path: Path, tmp_path: Path
) -> None:
    other = archives.write(tmp_path / "other.tar.gz", for_other_target(small))
    lock = tmp_path / "sdk.lock.json"
    sdk.pin_all([path, other], lock)
    content = json.loads(lock.read_text("utf-8"))
    assert content["schema_version"] == 1
    assert list(content["targets"]) == sorted([OTHER, sdk.host_target()])
    pin = content["targets"][sdk.host_target()]
    assert list(pin) == ["sdk_version", "commit", "archive", "archive_sha256", "manifest_sha256"]
    assert pin["archive"] == path.name
    for archive in (path, other):
        sdk.verify(archive, lock)


def test_the_same_archives_give_the_same_lock(small: Mapping[str, bytes], path: Path, tmp_path: Path) -> None:
    other = archives.write(tmp_path / "other.tar.gz", for_other_target(small))
    locks = [tmp_path / "one.json", tmp_path / "two.json"]
    sdk.pin_all([path, other], locks[0])
    sdk.pin_all([other, path], locks[1])
    assert locks[0].read_bytes() == locks[1].read_bytes()


def test_what_is_tampered_with_is_not_pinned(small: Mapping[str, bytes], tmp_path: Path) -> None:
    path = archives.write(tmp_path / "a.tar.gz", {**small, "LICENSE": b"none"})
    with pytest.raises(sdk.Refused, match=r"file\.changed"):
        sdk.pin_all([path], tmp_path / "lock.json")
    assert not (tmp_path / "lock.json").exists()


def test_two_archives_for_one_target_are_not_pinned(path: Path, tmp_path: Path) -> None:
    with pytest.raises(sdk.Refused, match=r"lock\.duplicate"):
        sdk.pin_all([path, path], tmp_path / "lock.json")


def test_archives_of_two_versions_are_not_pinned(small: Mapping[str, bytes], path: Path, tmp_path: Path) -> None:
    other = archives.write(tmp_path / "other.tar.gz", for_other_target(small, sdk_version="9.0.0"))
    with pytest.raises(sdk.Refused, match=r"lock\.mixed"):
        sdk.pin_all([path, other], tmp_path / "lock.json")


@pytest.mark.parametrize("key", ["sdk_version", "commit", "manifest_sha256", "archive_sha256"])
def test_every_pin_is_held(key: str, path: Path, lock: Path, tmp_path: Path) -> None:
    content = json.loads(lock.read_text("utf-8"))
    content["targets"][sdk.host_target()][key] = "0"
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(content), "utf-8")
    with pytest.raises(sdk.Refused) as caught:
        sdk.verify(path, changed)
    assert caught.value.code == f"lock.{key}"


def test_the_same_files_packed_otherwise_are_not_the_pinned_archive(path: Path, lock: Path) -> None:
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes()), 1, mtime=0))
    with pytest.raises(sdk.Refused) as caught:
        sdk.verify(path, lock)
    assert caught.value.code == "lock.archive_sha256"


def test_another_archive_that_is_whole_in_itself_is_refused(
    small: Mapping[str, bytes], lock: Path, tmp_path: Path
) -> None:
    path = archives.write(tmp_path / "a.tar.gz", archives.sealed({**small, "lib/libcorecall.so": b"another library"}))
    with pytest.raises(sdk.Refused) as caught:
        sdk.verify(path, lock)
    assert caught.value.code == "lock.manifest_sha256"


@pytest.mark.parametrize(
    ("code", "content"),
    [
        ("lock.invalid", "{"),
        ("lock.invalid", "[]"),
        ("lock.invalid", '{"schema_version":2,"name":"corecall-sdk","targets":{}}'),
        ("lock.invalid", '{"schema_version":1,"name":"corecall-sdk","targets":[]}'),
        ("lock.target", '{"schema_version":1,"name":"corecall-sdk","targets":{}}'),
    ],
)
def test_a_lock_that_pins_nothing_verifies_nothing(code: str, content: str, path: Path, tmp_path: Path) -> None:
    lock = tmp_path / "lock.json"
    lock.write_text(content, "utf-8")
    with pytest.raises(sdk.Refused) as caught:
        sdk.verify(path, lock)
    assert caught.value.code == code


@pytest.mark.parametrize("installed", [True, False], ids=["installed", "single file"])
def test_the_command_says_what_it_found(installed: bool, path: Path, tmp_path: Path) -> None:
    command = [str(Path(sys.executable).with_name("corecall-sdk"))]
    if not installed:
        # Without site packages: the standard library is enough.
        command = [sys.executable, "-I", "-S", str(shutil.copy(SINGLE_FILE, tmp_path / "alone.py"))]

    def run(*arguments: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*command, *map(str, arguments)], capture_output=True, text=True, check=False)

    missing = run("verify", path)
    assert missing.returncode == 1
    assert "lock.missing" in missing.stderr
    assert run("lock", path, "--output", path.parent / "sdk.lock.json").returncode == 0
    good = run("verify", path)
    assert good.returncode == 0, good.stderr
    assert f"for {sdk.host_target()}" in good.stdout
    path.write_bytes(path.read_bytes()[:-20])
    bad = run("verify", path)
    assert bad.returncode == 1
    assert "archive.truncated" in bad.stderr
    assert "Traceback" not in bad.stderr


def test_without_a_name_what_make_sdk_built_is_verified(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert sdk.main(["verify"]) == 1
    assert "make sdk" in capsys.readouterr().err
    (tmp_path / "dist").mkdir()
    built = path.rename(tmp_path / "dist" / path.name)
    (tmp_path / "wheels").mkdir()
    assert sdk.main(["lock", str(built), "--output", "wheels/sdk.lock.json"]) == 0
    assert sdk.main(["verify"]) == 0
    assert path.name in capsys.readouterr().out
