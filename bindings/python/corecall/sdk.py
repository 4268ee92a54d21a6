"""`corecall-sdk`: checks SDK archives, pins them in a lock, and tries the library inside (see wheels/README.md).

Standard library only, and nothing else of this package: the file also runs alone, `python sdk.py verify ARCHIVE`.
Whatever is wrong is raised as `Refused`, whose code is stable.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import io
import json
import platform
import re
import struct
import sys
import tarfile
import tempfile
import zlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

NAME = "corecall-sdk"
LOCK_NAME = "sdk.lock.json"
#: Where `make sdk` leaves archives and their lock in a checkout.
BUILT = Path("dist")
BUILT_LOCK = Path("wheels", LOCK_NAME)
#: Of the manifest and of the lock.
SCHEMA_VERSION = 1
ABI_MAJOR = 1
ASSOCIATION_CONTRACT = 1
TARGETS = (
    "aarch64-apple-darwin",
    "aarch64-pc-windows-msvc",
    "aarch64-unknown-linux-gnu",
    "aarch64-unknown-linux-musl",
    "x86_64-pc-windows-msvc",
    "x86_64-unknown-linux-gnu",
    "x86_64-unknown-linux-musl",
)
CASES = "share/corecall/contract/cases/"
#: What every archive holds beside its library, schemas and cases.
REQUIRED = (
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "THIRD_PARTY_NOTICES.txt",
    "include/corecall.h",
    "lib/cmake/corecall/corecall-config-version.cmake",
    "lib/cmake/corecall/corecall-config.cmake",
    "lib/pkgconfig/corecall.pc",
    "share/corecall/capabilities.json",
    "share/corecall/sbom.cyclonedx.json",
    "share/corecall/symbols.txt",
)
_UNLISTED = ("SHA256SUMS", "manifest.json")
_PACKED_LIMIT = 1 << 29
_TAR_LIMIT = 1 << 30
#: Windows opens a device for these names, whatever follows the dot.
_DEVICES = {"CON", "PRN", "AUX", "NUL", *(f"{port}{n}" for port in ("COM", "LPT") for n in range(10))}
_MANIFEST_TYPES: dict[str, type] = {
    "schema_version": int,
    "name": str,
    "sdk_version": str,
    "commit": str,
    "modified": bool,
    "target": str,
    "toolchain": dict,
    "abi_version": str,
    "association_contract": int,
    "contracts": dict,
    "libc": dict,
    "native_libraries": list,
    "redistribution": dict,
    "files": list,
}


class Refused(Exception):
    """An archive, a folder or a lock that must not be used.

    Attributes:
        code: What is wrong, e.g. `file.changed`; wheels/README.md lists them.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


@dataclass(frozen=True)
class Sdk:
    """The checked files of an archive or of an unpacked one, by path below its root."""

    files: Mapping[str, bytes]
    manifest: Mapping[str, Any]

    @property
    def target(self) -> str:
        """The Rust target it was built for."""
        return str(self.manifest["target"])

    @property
    def library(self) -> str:
        """Path of the shared library."""
        return library_path(self.target)


def library_path(target: str) -> str:
    """Where an archive for the target has its shared library."""
    if "-windows-" in target:
        return "lib/corecall.dll"
    return "lib/libcorecall.dylib" if "-apple-" in target else "lib/libcorecall.so"


def verify(path: Path, lock: Path, *, target: str | None = None) -> Sdk:
    """Checks an archive in itself and against a lock.

    Args:
        path: The archive.
        lock: The lock that must pin it.
        target: The target it must be for; by default any.

    Raises:
        Refused: At the first thing that is wrong.
    """
    packed = _packed(path)
    sdk = _read(packed)
    _expect_target(sdk, target)
    pins = _lock_entries(lock)
    pin = pins.get(sdk.target)
    if pin is None:
        raise Refused("lock.target", f"{lock} pins no archive for {sdk.target}")
    for key, found in _pin(sdk, packed).items():
        if key not in {"archive", "archive_sha256"} and pin.get(key) != found:
            raise Refused(f"lock.{key}", f"{key} is {found}, but {lock} pins {pin.get(key)}")
    if pin.get("archive_sha256") != _sha256(packed):
        raise Refused(
            "lock.archive_sha256",
            f"the archive's bytes are not those of {lock}, though its manifest is; take it from the release again",
        )
    return sdk


def pin_all(paths: Iterable[Path], lock: Path) -> list[Sdk]:
    """Checks archives in themselves and writes the lock that pins exactly these.

    Raises:
        Refused: An archive is refused, two are for one target, or versions or commits differ.
    """
    pins: dict[str, dict[str, str]] = {}
    sdks: list[Sdk] = []
    for path in paths:
        packed = _packed(path)
        sdk = _read(packed)
        if sdk.target in pins:
            raise Refused("lock.duplicate", f"two archives are for {sdk.target}")
        for key in ("sdk_version", "commit"):
            if sdks and sdk.manifest[key] != sdks[0].manifest[key]:
                raise Refused("lock.mixed", f"{path} is of {key} {sdk.manifest[key]}, not {sdks[0].manifest[key]}")
        pins[sdk.target] = _pin(sdk, packed)
        sdks.append(sdk)
    content = {"schema_version": SCHEMA_VERSION, "name": NAME, "targets": dict(sorted(pins.items()))}
    lock.write_text(json.dumps(content, indent=2) + "\n", "utf-8")
    return sdks


def contract(path: Path, *, target: str | None = None) -> tuple[Sdk, int, int]:
    """Loads the library of an archive, packed or unpacked, and holds it to what its manifest says.

    Every file is checked before the library is loaded; then its capabilities, then each contract case, byte for byte.

    Returns:
        The SDK, the number of cases, and the number of calls.

    Raises:
        Refused: At the first thing that is wrong.
    """
    if not path.is_dir():
        sdk = _read(_packed(path))
        # Windows doesn't delete a library that is loaded.
        with tempfile.TemporaryDirectory(prefix=f"{NAME}-", ignore_cleanup_errors=True) as folder:
            library = Path(folder, PurePosixPath(sdk.library).name)
            library.write_bytes(sdk.files[sdk.library])
            return sdk, *_try_library(sdk, library, target)
    sdk = _check(_read_folder(path))
    return sdk, *_try_library(sdk, path / sdk.library, target)


def canonical_tar(root: str, files: Mapping[str, bytes], time: int) -> bytes:
    """The one tar that an archive may be: ustar, sorted paths, files only, mode 644, uid and gid 0, one time."""
    blocks: list[bytes] = []
    for path in sorted(files):
        data = files[path]
        blocks += [_tar_header(f"{root}/{path}", len(data), time), data, bytes(-len(data) % 512)]
    return b"".join([*blocks, bytes(1024)])


def checksums(files: Mapping[str, bytes]) -> bytes:
    """The content of `SHA256SUMS`: every other file, in the form `sha256sum --check` reads."""
    lines = [f"{_sha256(files[path])}  {path}\n" for path in sorted(files) if path != "SHA256SUMS"]
    return "".join(lines).encode()


def file_records(files: Mapping[str, bytes]) -> list[dict[str, Any]]:
    """The manifest's `files`: all but the manifest and the checksums, which hold hashes of the others."""
    return [
        {"path": path, "size": len(files[path]), "sha256": _sha256(files[path])}
        for path in sorted(files)
        if path not in _UNLISTED
    ]


# Archive to files


def _packed(path: Path) -> bytes:
    try:
        if path.stat().st_size > _PACKED_LIMIT:
            raise Refused("archive.limit", f"{path} has more than {_PACKED_LIMIT} bytes")
        return path.read_bytes()
    except OSError as error:
        raise Refused("archive.unreadable", f"{path}: {error.strerror}") from error


def _read(packed: bytes) -> Sdk:
    tar = _gunzip(packed)
    root, files, time = _members(tar)
    if canonical_tar(root, files, time) != tar:
        raise Refused("archive.form", "not packed as every SDK archive is: ustar, sorted, one time, uid 0, mode 644")
    sdk = _check(files)
    expected = f"{NAME}-{sdk.manifest['sdk_version']}-{sdk.target}"
    if root != expected:
        raise Refused("archive.root", f"the top folder is {root}, but by the manifest it is {expected}")
    return sdk


def _gunzip(packed: bytes) -> bytes:
    stream = zlib.decompressobj(wbits=31)
    try:
        tar = stream.decompress(packed, _TAR_LIMIT + 1)
    except zlib.error as error:
        raise Refused("archive.unreadable", f"not a whole gzip file ({error})") from error
    if len(tar) > _TAR_LIMIT:
        raise Refused("archive.limit", f"unpacks to more than {_TAR_LIMIT} bytes")
    if not stream.eof:
        raise Refused("archive.truncated", "the gzip file ends early")
    if stream.unused_data:
        raise Refused("archive.trailing", "something follows the gzip file's end")
    return tar


def _members(tar: bytes) -> tuple[str, dict[str, bytes], int]:
    files: dict[str, bytes] = {}
    roots: set[str] = set()
    folded: set[str] = set()
    folders: set[str] = set()
    time = 0
    try:
        with tarfile.open(fileobj=io.BytesIO(tar), mode="r:", errors="surrogateescape") as archive:
            for member in archive:
                root, path = _checked_name(member)
                content = archive.extractfile(member)
                if content is None:
                    raise Refused("archive.special", f"{member.name!r} is no plain file")
                if path.casefold() in folded:
                    raise Refused("archive.duplicate", f"{path} is there twice (upper and lower case are one)")
                roots.add(root)
                folded.add(path.casefold())
                folders.update(str(folder).casefold() for folder in PurePosixPath(path).parents)
                files[path] = content.read()
                time = int(member.mtime)
    except (tarfile.TarError, EOFError, ValueError) as error:
        raise Refused("archive.unreadable", f"not a whole tar file ({error})") from error
    if both := folded & folders:
        raise Refused("archive.duplicate", f"{min(both)} is a file and a folder")
    if len(roots) != 1:
        raise Refused("archive.root", f"there must be one top folder, not {len(roots)}")
    return roots.pop(), files, time


def _checked_name(member: tarfile.TarInfo) -> tuple[str, str]:
    """Top folder and path below it of a plain file with a harmless name."""
    name = member.name
    if member.issym() or member.islnk():
        raise Refused("archive.link", f"{name!r} is a link")
    if not member.isreg():
        raise Refused("archive.special", f"{name!r} is no plain file")
    if name.startswith(("/", "\\")) or re.match(r"[A-Za-z]:", name):
        raise Refused("archive.absolute", f"{name!r} is an absolute path")
    root, slash, path = name.partition("/")
    _check_name(name)
    if not slash:
        raise Refused("archive.root", f"{name!r} is not below the top folder")
    return root, path


def _check_name(name: str) -> None:
    parts = re.split(r"[/\\]", name)
    if ".." in parts:
        raise Refused("archive.traversal", f"{name!r} leads out of the archive's folder")
    for part in parts:
        if part in {"", "."}:
            raise Refused("archive.name", f"{name!r} has an empty step")
        if part.split(".")[0].upper().rstrip() in _DEVICES or part.endswith((".", " ")):
            raise Refused("archive.reserved", f"{name!r} is a reserved name on Windows")
    if re.search(r'[\x00-\x1f\x7f<>:"|?*\\]', name):
        raise Refused("archive.reserved", f"{name!r} holds a character that is reserved on Windows")
    if not name.isascii():
        raise Refused("archive.name", f"{name!r} is not plain ASCII")


def _tar_header(name: str, size: int, time: int) -> bytes:
    prefix, short = "", name
    if len(name) > 100:
        cut = name.find("/", len(name) - 101)
        prefix, short = name[:cut], name[cut + 1 :]
        if cut < 0 or len(prefix) > 155:
            raise Refused("archive.name", f"{name!r} is too long for a ustar archive")
    fields = struct.pack(
        "100s8s8s8s12s12s8s1s100s8s32s32s8s8s155s12x",
        short.encode("utf-8", "surrogateescape"),
        b"0000644",
        b"0000000",
        b"0000000",
        b"%011o" % size,
        b"%011o" % max(time, 0),
        b" " * 8,
        b"0",
        b"",
        b"ustar\x0000",
        b"",
        b"",
        b"0000000",
        b"0000000",
        prefix.encode("utf-8", "surrogateescape"),
    )
    return fields[:148] + b"%06o\0 " % sum(fields) + fields[156:]


def _read_folder(folder: Path) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            raise Refused("archive.link", f"{name} is a link")
        if path.is_file():
            files[name] = path.read_bytes()
        elif not path.is_dir():
            raise Refused("archive.special", f"{name} is no plain file")
    return files


# Files to a checked SDK


def _check(files: Mapping[str, bytes]) -> Sdk:
    sdk = Sdk(files, _manifest(files))
    _check_files(sdk)
    _check_claims(sdk)
    return sdk


def _manifest(files: Mapping[str, bytes]) -> Mapping[str, Any]:
    if "manifest.json" not in files:
        raise Refused("manifest.missing", "there is no manifest.json")
    manifest = _json_object("manifest.invalid", "manifest.json", files["manifest.json"])
    if manifest.get("schema_version") != SCHEMA_VERSION:
        raise Refused("manifest.version", f"this tool reads manifests of schema_version {SCHEMA_VERSION}")
    for key, kind in _MANIFEST_TYPES.items():
        if type(manifest.get(key)) is not kind:
            raise Refused("manifest.invalid", f"manifest.json: {key} is missing or has the wrong type")
    if manifest["name"] != NAME:
        raise Refused("manifest.invalid", f"manifest.json: name is not {NAME}")
    records = manifest["files"]
    if not all(
        isinstance(record, dict)
        and sorted(record) == ["path", "sha256", "size"]
        and isinstance(record["path"], str)
        and type(record["size"]) is int
        and re.fullmatch("[0-9a-f]{64}", str(record["sha256"]))
        for record in records
    ):
        raise Refused("manifest.invalid", "manifest.json: a record of files is not {path, size, sha256}")
    paths = [record["path"] for record in records]
    if paths != sorted(set(paths)):
        raise Refused("manifest.invalid", "manifest.json: files are not sorted, or one is listed twice")
    return manifest


def _check_files(sdk: Sdk) -> None:
    listed = {record["path"]: record for record in sdk.manifest["files"]}
    present = set(sdk.files) - set(_UNLISTED)
    for path in sorted(listed.keys() - present):
        raise Refused("file.missing", f"{path} stands in the manifest and is not there")
    for path in sorted(present - listed.keys()):
        raise Refused("file.extra", f"{path} does not stand in the manifest")
    for path, record in listed.items():
        if (len(sdk.files[path]), _sha256(sdk.files[path])) != (record["size"], record["sha256"]):
            raise Refused("file.changed", f"{path} is not the file of the manifest")
    if "SHA256SUMS" not in sdk.files:
        raise Refused("file.missing", "there is no SHA256SUMS")
    if sdk.files["SHA256SUMS"] != checksums(sdk.files):
        raise Refused("sums.changed", "SHA256SUMS does not list exactly the files that are there")


def _check_claims(sdk: Sdk) -> None:
    """Target, layout, ABI and contract, in the manifest and in the capabilities beside it."""
    manifest = sdk.manifest
    if sdk.target not in TARGETS:
        raise Refused("target.unknown", f"{sdk.target} is none of {', '.join(TARGETS)}")
    for path in (*REQUIRED, sdk.library):
        if path not in sdk.files:
            raise Refused("layout.missing", f"an archive for {sdk.target} has {path}")
    if not any(path.startswith(CASES) for path in sdk.files):
        raise Refused("layout.missing", f"there are no contract cases below {CASES}")
    if manifest["abi_version"].split(".")[0] != str(ABI_MAJOR):
        raise Refused("abi.unsupported", f"the ABI is {manifest['abi_version']}, not {ABI_MAJOR}.x")
    if manifest["association_contract"] != ASSOCIATION_CONTRACT:
        raise Refused(
            "contract.unsupported",
            f"association_contract is {manifest['association_contract']}, not {ASSOCIATION_CONTRACT}",
        )
    path = "share/corecall/capabilities.json"
    told = _json_object("capabilities.invalid", path, sdk.files[path])
    _check_capabilities(sdk, told, path)


def _check_capabilities(sdk: Sdk, told: Mapping[str, Any], source: str) -> None:
    manifest = sdk.manifest
    if "related_business" not in _list(told.get("operations")):
        raise Refused("contract.operation", f"{source}: operations has no related_business")
    build = told.get("build")
    build = build if isinstance(build, dict) else {}
    pairs = {
        "abi_version": (told.get("abi_version"), manifest["abi_version"]),
        "association_contract": (told.get("association_contract"), manifest["association_contract"]),
        "contracts": (told.get("contracts"), manifest["contracts"]),
        "build.version": (build.get("version"), manifest["sdk_version"]),
        "build.commit": (build.get("commit"), manifest["commit"]),
        "build.target": (build.get("target"), manifest["target"]),
    }
    for key, (found, wanted) in pairs.items():
        if found != wanted:
            raise Refused("capabilities.mismatch", f"{source}: {key} is {found}, the manifest says {wanted}")
    if manifest["contracts"].get("related_business") != manifest["association_contract"]:
        raise Refused("contract.unsupported", "contracts.related_business is not the association_contract")


def _expect_target(sdk: Sdk, target: str | None) -> None:
    if target is not None and sdk.target != target:
        raise Refused("target.mismatch", f"the archive is for {sdk.target}, not for {target}")


# The lock


def _pin(sdk: Sdk, packed: bytes) -> dict[str, str]:
    manifest = sdk.manifest
    return {
        "sdk_version": manifest["sdk_version"],
        "commit": manifest["commit"],
        "archive": f"{NAME}-{manifest['sdk_version']}-{sdk.target}.tar.gz",
        "archive_sha256": _sha256(packed),
        "manifest_sha256": _sha256(sdk.files["manifest.json"]),
    }


def _lock_entries(lock: Path) -> dict[str, dict[str, Any]]:
    try:
        content = lock.read_bytes()
    except OSError as error:
        raise Refused("lock.missing", f"{lock}: {error.strerror}; name the release's lock with --lock") from error
    parsed = _json_object("lock.invalid", str(lock), content)
    targets = parsed.get("targets")
    if parsed.get("schema_version") != SCHEMA_VERSION or parsed.get("name") != NAME or not isinstance(targets, dict):
        raise Refused("lock.invalid", f"{lock} is no lock of {NAME} archives, schema_version {SCHEMA_VERSION}")
    if not all(isinstance(pin, dict) for pin in targets.values()):
        raise Refused("lock.invalid", f"{lock}: a target's pin is no object")
    return targets


# The library inside


class _Slice(ctypes.Structure):
    _fields_ = (("data", ctypes.c_void_p), ("len", ctypes.c_size_t))


class _Library:
    """The few C functions that a check needs."""

    def __init__(self, path: Path, symbols: Sequence[str]) -> None:
        try:
            self._c = ctypes.CDLL(str(path.resolve()))
        except OSError as error:
            raise Refused("library.load", f"the library can't be loaded: {error}") from error
        for symbol in symbols:
            if not hasattr(self._c, symbol):
                raise Refused("library.symbol", f"the library lacks {symbol}")
        out, size, pointer = ctypes.POINTER(ctypes.c_void_p), ctypes.c_size_t, ctypes.c_void_p
        handle = ctypes.c_uint64
        self._c.corecall_abi_version.restype = ctypes.c_uint32
        self._c.corecall_capabilities.argtypes = (out,)
        self._c.corecall_open.argtypes = (pointer, size, ctypes.POINTER(handle), out)
        self._c.corecall_close.argtypes = (handle,)
        self._c.corecall_call.argtypes = (handle, handle, pointer, size, ctypes.POINTER(_Slice), size, out)
        self._c.corecall_reply_json.argtypes = (pointer, ctypes.POINTER(_Slice))
        self._c.corecall_reply_free.argtypes = (pointer,)
        self._c.corecall_reply_free.restype = None

    def abi_major(self) -> int:
        return int(self._c.corecall_abi_version()) >> 16

    def capabilities(self) -> bytes:
        reply = ctypes.c_void_p()
        status = self._c.corecall_capabilities(ctypes.byref(reply))
        json_bytes = self._take(reply)
        if status != 0:
            raise Refused("capabilities.invalid", f"corecall_capabilities gives status {status}")
        return json_bytes

    def open(self, config: bytes) -> int:
        handle, reply = ctypes.c_uint64(), ctypes.c_void_p()
        status = self._c.corecall_open(config, len(config), ctypes.byref(handle), ctypes.byref(reply))
        self._take(reply)
        if status != 0:
            raise Refused("contract.case", f"corecall_open gives status {status}")
        return handle.value

    def close(self, handle: int) -> int:
        return int(self._c.corecall_close(handle))

    def call(self, handle: int, request: bytes, attachments: Sequence[bytes]) -> tuple[int, bytes]:
        buffers = [ctypes.create_string_buffer(data, len(data)) for data in attachments]
        slices = (_Slice * len(buffers))(*(_Slice(ctypes.addressof(buffer), len(buffer)) for buffer in buffers))
        reply = ctypes.c_void_p()
        status = self._c.corecall_call(handle, 0, request, len(request), slices, len(buffers), ctypes.byref(reply))
        return int(status), self._take(reply)

    def _take(self, reply: ctypes.c_void_p) -> bytes:
        view = _Slice()
        if reply.value is None:
            return b""
        self._c.corecall_reply_json(reply, ctypes.byref(view))
        data = ctypes.string_at(view.data, view.len) if view.len else b""
        self._c.corecall_reply_free(reply)
        return data


def _try_library(sdk: Sdk, path: Path, target: str | None) -> tuple[int, int]:
    _expect_target(sdk, host_target() if target is None else target)
    library = _Library(path, sdk.files["share/corecall/symbols.txt"].decode().split())
    if library.abi_major() != ABI_MAJOR:
        raise Refused("abi.unsupported", f"the library's ABI major is {library.abi_major()}, not {ABI_MAJOR}")
    told = _json_object("capabilities.invalid", "corecall_capabilities", library.capabilities()).get("result")
    _check_capabilities(sdk, told if isinstance(told, dict) else {}, "corecall_capabilities")
    cases = sorted({path[len(CASES) :].split("/")[0] for path in sdk.files if path.startswith(CASES)})
    return len(cases), sum(_play(library, sdk.files, case) for case in cases)


def _play(library: _Library, files: Mapping[str, bytes], case: str) -> int:
    """Plays a case as its README says; the number of its calls."""
    folder = f"{CASES}{case}/"
    handle = library.open(files.get(f"{folder}config.json", b"{}"))
    step = 1
    while (request := files.get(f"{folder}{step}.request.json")) is not None:
        status, reply = library.call(handle, request, list(_attachments(files, f"{folder}{step}.attachment-")))
        if status != 0:
            # The message of an error is no part of the contract.
            reply = re.sub(rb'(,"message":").*?(","path":)', rb"\1*\2", reply, count=1, flags=re.DOTALL)
        if b"%d\n%s\n" % (status, reply) != files.get(f"{folder}{step}.expect"):
            raise Refused("contract.case", f"{case}: call {step} gives status {status} and another reply than expected")
        step += 1
    if step == 1:
        raise Refused("contract.case", f"{case}: there is no 1.request.json")
    if library.close(handle) != 0:
        raise Refused("contract.case", f"{case}: the handle doesn't close")
    return step - 1


def _attachments(files: Mapping[str, bytes], stem: str) -> Iterator[bytes]:
    index = 0
    while True:
        floats, plain = files.get(f"{stem}{index}.f32"), files.get(f"{stem}{index}.u8")
        if floats is not None:
            numbers = [float(word) for word in floats.split()]
            yield struct.pack(f"<{len(numbers)}f", *numbers)
        elif plain is not None:
            yield bytes(int(word) for word in plain.split())
        else:
            return
        index += 1


def host_target() -> str:
    """The target this Python runs on, as Rust names it."""
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())
    if sys.platform == "win32":
        return f"{machine}-pc-windows-msvc"
    if sys.platform == "darwin":
        return f"{machine}-apple-darwin"
    libc = "gnu" if platform.libc_ver()[0] == "glibc" else "musl"
    return f"{machine}-unknown-{sys.platform}-{libc}"


# Small things


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _json_object(code: str, source: str, data: bytes) -> dict[str, Any]:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) != len(pairs):
            raise ValueError("a key is there twice")
        return dict(pairs)

    try:
        value = json.loads(data.decode("utf-8"), object_pairs_hook=unique)
    except (ValueError, RecursionError) as error:
        raise Refused(code, f"{source} is no valid JSON ({error})") from error
    if not isinstance(value, dict):
        raise Refused(code, f"{source} is no JSON object")
    return value


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; 0 when everything is as it should be, 1 when something was refused."""
    parser = argparse.ArgumentParser(prog=NAME, description="Checks, pins and tries corecall's SDK archives.")
    verbs = parser.add_subparsers(dest="verb", required=True)
    one = verbs.add_parser("verify", help="check archives in themselves and against a lock")
    one.add_argument("archives", nargs="*", type=Path, help=f"by default {BUILT}/{NAME}-*.tar.gz")
    one.add_argument(
        "--lock", type=Path, help=f"the lock that pins them; by default {LOCK_NAME} beside each, or {BUILT_LOCK}"
    )
    one.add_argument("--target", help="the target they must be for")
    two = verbs.add_parser("lock", help="check archives and write the lock that pins exactly these")
    two.add_argument("archives", nargs="+", type=Path)
    two.add_argument("--output", type=Path, required=True, help="the lock to be written")
    three = verbs.add_parser("contract", help="load the library of an archive or of an unpacked one and try it")
    three.add_argument("paths", nargs="+", type=Path, help="archives, or folders they were unpacked to")
    three.add_argument("--target", help="the target of the process; by default found out")
    options = parser.parse_args(arguments)
    subject = ""
    try:
        if options.verb == "lock":
            subject = str(options.output)
            _tell(subject, f"pins {', '.join(sdk.target for sdk in pin_all(options.archives, options.output))}")
            return 0
        paths = options.paths if options.verb == "contract" else options.archives or _built()
        for path in paths:
            subject = str(path)
            if options.verb == "contract":
                sdk, cases, calls = contract(path, target=options.target)
                _tell(subject, f"{_summary(sdk)}; {cases} cases, {calls} calls, every reply as expected")
            else:
                sdk = verify(path, options.lock or _lock_of(path), target=options.target)
                _tell(subject, f"{_summary(sdk)}; {len(sdk.files)} files as pinned")
    except Refused as refused:
        sys.stderr.write(f"{NAME}: {subject}: {refused}\n" if subject else f"{NAME}: {refused}\n")
        return 1
    return 0


def _built() -> list[Path]:
    found = sorted(BUILT.glob(f"{NAME}-*.tar.gz"))
    if not found:
        raise Refused("archive.unreadable", "no archive was named, and dist/ holds none; `make sdk` builds one")
    return found


def _lock_of(archive: Path) -> Path:
    beside = archive.parent / LOCK_NAME
    return beside if beside.exists() else BUILT_LOCK


def _summary(sdk: Sdk) -> str:
    manifest = sdk.manifest
    commit = manifest["commit"][:12] or "an unknown commit"
    changes = " with changes" if manifest["modified"] else ""
    return (
        f"{manifest['sdk_version']} for {sdk.target} from {commit}{changes}, ABI {manifest['abi_version']}, "
        f"association contract {manifest['association_contract']}"
    )


def _tell(subject: str, sentence: str) -> None:
    sys.stdout.write(f"{subject}: {sentence}\n")


if __name__ == "__main__":
    sys.exit(main())
