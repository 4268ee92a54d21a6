"""The library of an archive is loaded and held to the manifest and to the contract cases."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.packaging import archives

from corecall import sdk
from crates import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping

CASES = ROOT / "tests" / "contract" / "cases"
IMPOSTOR = Path(__file__).with_name("impostor.c")


def refusal(path: Path, target: str | None = None) -> sdk.Refused:
    with pytest.raises(sdk.Refused) as caught:
        sdk.contract(path, target=target)
    return caught.value


def test_every_case_is_played_from_the_archive(archive: Path) -> None:
    _, cases, calls = sdk.contract(archive)
    assert cases == sum(folder.is_dir() for folder in CASES.iterdir())
    assert calls == len(list(CASES.glob("*/*.request.json")))


def test_every_case_is_played_from_an_unpacked_one(unpacked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert sdk.main(["contract", str(unpacked)]) == 0
    assert "every reply as expected" in capsys.readouterr().out


def test_a_reply_that_differs_in_one_byte_is_refused(files: Mapping[str, bytes], tmp_path: Path) -> None:
    name = f"{sdk.CASES}020-new-version/1.expect"
    changed = archives.sealed({**files, name: files[name].replace(b"new_version", b"new-version")})
    refused = refusal(archives.write(tmp_path / "a.tar.gz", changed))
    assert refused.code == "contract.case"
    assert "020-new-version" in str(refused)


def test_a_changed_file_of_an_unpacked_archive_is_refused_before_the_library_is_loaded(
    unpacked: Path, tmp_path: Path
) -> None:
    copy = shutil.copytree(unpacked, tmp_path / "copy")
    (copy / "lib" / "libcorecall.so").write_bytes(b"no library")
    assert refusal(copy).code == "file.changed"


def test_a_link_in_an_unpacked_archive_is_refused(unpacked: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(unpacked, tmp_path / "copy")
    library = copy / "lib" / "libcorecall.so"
    library.rename(copy / "lib" / "real.so")
    library.symlink_to("real.so")
    assert refusal(copy).code == "archive.link"


def test_a_library_for_another_machine_is_not_loaded(archive: Path) -> None:
    refused = refusal(archive, target="aarch64-apple-darwin")
    assert refused.code == "target.mismatch"


def test_what_is_no_library_is_refused(small: Mapping[str, bytes], tmp_path: Path) -> None:
    assert refusal(archives.write(tmp_path / "a.tar.gz", small)).code == "library.load"


@pytest.mark.parametrize(
    ("code", "options"),
    [
        ("library.symbol", ["-DWITHOUT_CANCEL"]),
        ("abi.unsupported", ["-DABI=0x20000"]),
        ("capabilities.invalid", ["-DSTATUS=6"]),
        ("contract.operation", ["-DOPERATION=query"]),
        ("capabilities.mismatch", []),
    ],
)
def test_an_impostor_is_refused(code: str, options: list[str], files: Mapping[str, bytes], tmp_path: Path) -> None:
    library = tmp_path / "impostor.so"
    command: list[str | Path] = [
        "gcc",
        "-shared",
        "-fPIC",
        *options,
        "-I",
        ROOT / "abi" / "include",
        IMPOSTOR,
        "-o",
        library,
    ]
    subprocess.run(command, check=True)
    changed = archives.sealed(archives.small(files) | {"lib/libcorecall.so": library.read_bytes()})
    assert refusal(archives.write(tmp_path / "a.tar.gz", changed)).code == code


def test_this_machine_is_named_as_rust_names_it() -> None:
    told = subprocess.run(["rustc", "-vV"], check=True, capture_output=True, text=True).stdout
    assert f"host: {sdk.host_target()}\n" in told


def test_the_capabilities_in_the_archive_are_those_of_the_library(files: Mapping[str, bytes], unpacked: Path) -> None:
    library = sdk._Library(unpacked / "lib" / "libcorecall.so", ())
    told = json.loads(library.capabilities())["result"]
    told["build"]["simd"] = "run-time"
    assert told == json.loads(files["share/corecall/capabilities.json"])
