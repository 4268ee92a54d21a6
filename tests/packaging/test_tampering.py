"""Every kind of tampering is refused, each by its own code, before anything of the archive is used."""

from __future__ import annotations

import gzip
import json
import tarfile
from typing import TYPE_CHECKING, Any

import pytest
from tests.packaging import archives

from assemble import pack
from corecall import sdk

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

Files = dict[str, bytes]


def refusal(path: Path, lock: Path, **options: Any) -> sdk.Refused:
    with pytest.raises(sdk.Refused) as caught:
        sdk.verify(path, lock, **options)
    return caught.value


def test_what_is_as_pinned_passes(small: Mapping[str, bytes], lock: Path, tmp_path: Path) -> None:
    checked = sdk.verify(archives.write(tmp_path / "a.tar.gz", small), lock, target=sdk.host_target())
    assert checked.files == small


def test_a_flipped_bit_in_any_file_is_refused(small: Mapping[str, bytes], lock: Path, tmp_path: Path) -> None:
    for name, data in small.items():
        flipped = bytearray(data)
        flipped[len(data) // 2] ^= 4
        code = refusal(archives.write(tmp_path / "a.tar.gz", {**small, name: bytes(flipped)}), lock).code
        wanted = {"SHA256SUMS": ("sums.",), "manifest.json": ("manifest.", "file.", "sums.", "archive.root")}
        assert code.startswith(wanted.get(name, ("file.changed",))), (name, code)


def test_a_flipped_bit_anywhere_in_the_packed_bytes_is_refused(
    small: Mapping[str, bytes], lock: Path, tmp_path: Path
) -> None:
    path = archives.write(tmp_path / "a.tar.gz", small)
    packed = path.read_bytes()
    for at in range(0, len(packed), len(packed) // 100):
        flipped = bytearray(packed)
        flipped[at] ^= 1
        path.write_bytes(flipped)
        refusal(path, lock)


def flipped_library(files: Files) -> Files:
    return files | {"lib/libcorecall.so": b"b library"}


def without(name: str) -> Callable[[Files], Files]:
    return lambda files: {path: data for path, data in files.items() if path != name}


def changed_manifest(**changes: Any) -> Callable[[Files], Files]:
    return lambda files: archives.sealed(files, **changes)


def raw_manifest(change: Callable[[bytes], bytes]) -> Callable[[Files], Files]:
    return lambda files: files | {"manifest.json": change(files["manifest.json"])}


def changed_capabilities(**changes: Any) -> Callable[[Files], Files]:
    def change(files: Files) -> Files:
        name = "share/corecall/capabilities.json"
        return archives.sealed(files | {name: json.dumps(json.loads(files[name]) | changes).encode()})

    return change


def unsorted_records(files: Files) -> Files:
    manifest = json.loads(files["manifest.json"])
    manifest["files"].reverse()
    return files | {"manifest.json": json.dumps(manifest).encode()}


def contracts_with(number: int) -> Callable[[Files], Files]:
    def change(files: Files) -> Files:
        contracts = json.loads(files["manifest.json"])["contracts"] | {"related_business": number}
        return archives.sealed(changed_capabilities(contracts=contracts)(files), contracts=contracts)

    return change


CONTENT: dict[str, tuple[str, Callable[[Files], Files]]] = {
    "a changed library": ("file.changed", flipped_library),
    "a missing file": ("file.missing", without("lib/libcorecall.a")),
    "no checksums": ("file.missing", without("SHA256SUMS")),
    "an extra file": ("file.extra", lambda files: files | {"lib/extra.so": b"x"}),
    "checksums of something else": ("sums.changed", lambda files: files | {"SHA256SUMS": files["SHA256SUMS"] + b"\n"}),
    "no manifest": ("manifest.missing", without("manifest.json")),
    "a manifest that is no JSON": ("manifest.invalid", raw_manifest(lambda data: data[:-2])),
    "a key of the manifest twice": ("manifest.invalid", raw_manifest(lambda data: b'{"name":"x",' + data[1:])),
    "a manifest of a later kind": ("manifest.version", changed_manifest(schema_version=2)),
    "a manifest without a commit": ("manifest.invalid", changed_manifest(commit=None)),
    "another product": ("manifest.invalid", changed_manifest(name="other-sdk")),
    "a record that is none": ("manifest.invalid", changed_manifest(files=[{"path": "LICENSE"}])),
    "records out of order": ("manifest.invalid", unsorted_records),
    "an unknown target": ("target.unknown", changed_manifest(target="mips-unknown-none")),
    "another target than the capabilities'": (
        "capabilities.mismatch",
        changed_manifest(target="aarch64-unknown-linux-gnu"),
    ),
    "a target that has another library": ("layout.missing", changed_manifest(target="x86_64-pc-windows-msvc")),
    "another ABI": ("abi.unsupported", changed_manifest(abi_version="2.0")),
    "another association contract": ("contract.unsupported", changed_manifest(association_contract=2)),
    "another contract of related_business": ("contract.unsupported", contracts_with(2)),
    "no related_business": ("contract.operation", changed_capabilities(operations=["query"])),
    "capabilities that differ": ("capabilities.mismatch", changed_capabilities(abi_version="1.7")),
    "capabilities that are no JSON": (
        "capabilities.invalid",
        lambda files: archives.sealed(files | {"share/corecall/capabilities.json": b"{"}),
    ),
}


@pytest.mark.parametrize("kind", CONTENT)
def test_other_content_is_refused(kind: str, small: Mapping[str, bytes], lock: Path, tmp_path: Path) -> None:
    code, change = CONTENT[kind]
    changed = change(dict(small))
    path = tmp_path / "a.tar.gz"
    if "manifest.json" in changed and code != "manifest.invalid":
        archives.write(path, changed)
    else:
        path.write_bytes(pack(archives.root_of(small), changed, archives.TIME))
    assert refusal(path, lock).code == code


@pytest.mark.parametrize("name", sdk.REQUIRED)
def test_every_piece_of_the_layout_is_required(
    name: str, small: Mapping[str, bytes], lock: Path, tmp_path: Path
) -> None:
    kept = archives.sealed(without(name)(dict(small)))
    refused = refusal(archives.write(tmp_path / "a.tar.gz", kept), lock)
    assert refused.code == "layout.missing"
    assert name in str(refused)


def test_an_archive_without_cases_is_refused(small: Mapping[str, bytes], lock: Path, tmp_path: Path) -> None:
    kept = archives.sealed({path: data for path, data in small.items() if not path.startswith(sdk.CASES)})
    assert refusal(archives.write(tmp_path / "a.tar.gz", kept), lock).code == "layout.missing"


def test_another_target_than_asked_for_is_refused(small: Mapping[str, bytes], lock: Path, tmp_path: Path) -> None:
    path = archives.write(tmp_path / "a.tar.gz", small)
    assert refusal(path, lock, target="aarch64-apple-darwin").code == "target.mismatch"


def test_another_top_folder_is_refused(small: Mapping[str, bytes], lock: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.tar.gz"
    path.write_bytes(pack("corecall-sdk-9.9.9-other", dict(small), archives.TIME))
    assert refusal(path, lock).code == "archive.root"


def added(name: str, type_: bytes = tarfile.REGTYPE, target: str = "") -> Callable[[list[tarfile.TarInfo]], None]:
    """One more member; `~` stands for the top folder."""

    def change(members: list[tarfile.TarInfo]) -> None:
        root = members[0].name.split("/")[0]
        member = tarfile.TarInfo(name.replace("~", root))
        member.type, member.linkname, member.mtime = type_, target, archives.TIME
        members.append(member)

    return change


def every(**fields: Any) -> Callable[[list[tarfile.TarInfo]], None]:
    def change(members: list[tarfile.TarInfo]) -> None:
        for member in members:
            for field, value in fields.items():
                setattr(member, field, value)

    return change


def first(**fields: Any) -> Callable[[list[tarfile.TarInfo]], None]:
    return lambda members: every(**fields)(members[:1])


MEMBERS: dict[str, tuple[str, Callable[[list[tarfile.TarInfo]], None]]] = {
    "a symbolic link": ("archive.link", added("~/lib/libcorecall.so.1", tarfile.SYMTYPE, "libcorecall.so")),
    "a hard link": ("archive.link", added("~/lib/libcorecall.so.1", tarfile.LNKTYPE, "~/lib/libcorecall.so")),
    "a pipe": ("archive.special", added("~/lib/pipe", tarfile.FIFOTYPE)),
    "a device": ("archive.special", added("~/lib/null", tarfile.CHRTYPE)),
    "a folder": ("archive.special", added("~/lib", tarfile.DIRTYPE)),
    "a way out": ("archive.traversal", added("~/../../etc/cron.d/x")),
    "a way out for Windows": ("archive.traversal", added("~/lib\\..\\..\\x")),
    "an absolute path": ("archive.absolute", added("/etc/passwd")),
    "an absolute path for Windows": ("archive.absolute", added("C:/Windows/x.dll")),
    "a network path": ("archive.absolute", added("\\\\host\\share\\x")),
    "a device name": ("archive.reserved", added("~/lib/NUL")),
    "a device name with an ending": ("archive.reserved", added("~/include/aux.h")),
    "a dot at the end": ("archive.reserved", added("~/lib/libcorecall.so.")),
    "a space at the end": ("archive.reserved", added("~/lib/libcorecall.so ")),
    "a stream of a file": ("archive.reserved", added("~/lib/libcorecall.so:x")),
    "a backslash": ("archive.reserved", added("~/lib\\x")),
    "a line feed": ("archive.reserved", added("~/lib/a\nb")),
    "a letter that looks like another": ("archive.name", added("~/lib/libcоrecall.so")),
    "an empty step": ("archive.name", added("~/lib//x")),
    "a dot step": ("archive.name", added("~/./x")),
    "a file twice": ("archive.duplicate", added("~/LICENSE")),
    "a file twice by letter case": ("archive.duplicate", added("~/license")),
    "a file that is a folder": ("archive.duplicate", added("~/LICENSE/x")),
    "a second top folder": ("archive.root", added("other/x")),
    "a file beside the top folder": ("archive.root", added("x")),
    "an owner": ("archive.form", every(uid=1000)),
    "an owner's name": ("archive.form", every(uname="root")),
    "a program among the files": ("archive.form", first(mode=0o755)),
    "a file of another time": ("archive.form", first(mtime=archives.TIME + 1)),
    "another order": ("archive.form", lambda members: members.reverse()),
}


@pytest.mark.parametrize("kind", MEMBERS)
def test_other_members_are_refused(kind: str, small: Mapping[str, bytes], lock: Path, tmp_path: Path) -> None:
    code, change = MEMBERS[kind]
    assert refusal(archives.write_tar(tmp_path / "a.tar.gz", small, change), lock).code == code


PACKED: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "no gzip file": ("archive.unreadable", lambda packed: b"PK" + packed),
    "an early end": ("archive.truncated", lambda packed: packed[:-9]),
    "something after the end": ("archive.trailing", lambda packed: packed + b"x"),
    "a second gzip file after the end": ("archive.trailing", lambda packed: packed + packed),
    "no tar file": ("archive.unreadable", lambda _: gzip.compress(b"x" * 5000)),
    "half a tar file": ("archive.unreadable", lambda packed: gzip.compress(gzip.decompress(packed)[:1000])),
    "a tar file without its end": ("archive.form", lambda packed: gzip.compress(gzip.decompress(packed)[:-1024])),
    "something after the tar file's end": (
        "archive.form",
        lambda packed: gzip.compress(gzip.decompress(packed) + b"x"),
    ),
    "nothing": ("archive.truncated", lambda _: b""),
}


@pytest.mark.parametrize("kind", PACKED)
def test_other_packing_is_refused(kind: str, small: Mapping[str, bytes], lock: Path, tmp_path: Path) -> None:
    code, change = PACKED[kind]
    path = archives.write(tmp_path / "a.tar.gz", small)
    path.write_bytes(change(path.read_bytes()))
    assert refusal(path, lock).code == code


def test_an_archive_that_unpacks_to_too_much_is_refused(
    small: Mapping[str, bytes], lock: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = archives.write(tmp_path / "a.tar.gz", small)
    monkeypatch.setattr(sdk, "_TAR_LIMIT", 1000)
    assert refusal(path, lock).code == "archive.limit"


def test_an_archive_that_is_not_there_is_refused(lock: Path, tmp_path: Path) -> None:
    assert refusal(tmp_path / "none.tar.gz", lock).code == "archive.unreadable"
