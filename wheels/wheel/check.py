"""Looks into a wheel, without installing it: python check.py WHEEL (needs cffi; wheels/README.md says what is checked).

Prints one line, or what is wrong and exits with 1.
"""

from __future__ import annotations

import base64
import contextlib
import csv
import hashlib
import io
import json
import re
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import NoReturn

import cffi

ROOT = Path(__file__).resolve().parents[2]
#: Wheels are to stay small enough to be a dependency nobody notices.
SIZE_LIMIT = 11 << 20
TAG = r"py3-none-((?:manylinux|musllinux)_(\d+)_(\d+)_\w+|macosx_11_0_arm64|win_amd64|win_arm64)"
PACKAGE = ROOT / "bindings" / "python"

# The scripts of the SDK are no package.
sys.path.insert(0, str(ROOT / "wheels" / "sdk"))
import linkage  # noqa: E402
import notices  # noqa: E402


def check(wheel: Path) -> str:
    """What the wheel is, in a sentence.

    Raises:
        SystemExit: Something is wrong with it.
    """
    if wheel.stat().st_size > SIZE_LIMIT:
        refuse(f"it has {wheel.stat().st_size} bytes, more than {SIZE_LIMIT}")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        if len(set(names)) != len(names):
            refuse("a file is in it twice")
        files = {name: archive.read(name) for name in names}
    info = "-".join(wheel.name.split("-")[:2]) + ".dist-info"
    tag = check_tag(wheel, files[f"{info}/WHEEL"].decode())
    check_record(files, f"{info}/RECORD")
    check_content(files, info)
    if files["corecall/_native/ffi.py"].decode() != declarations():
        refuse("ffi.py is not what cffi writes for the header")
    floor = check_library(files, tag)
    return f"{tag}, {wheel.stat().st_size / 1e6:.1f} MB, {len(files)} files{f', glibc {floor}' if floor else ''}"


def check_tag(wheel: Path, metadata: str) -> str:
    """One wheel serves every Python of the platform that its tag names."""
    tag = wheel.stem.split("-", 2)[2]
    platforms = tag.removeprefix("py3-none-").split(".")
    if not tag.startswith("py3-none-") or not all(re.fullmatch(TAG, f"py3-none-{one}") for one in platforms):
        refuse(f"its tag is {tag}")
    told = re.findall(r"^Tag: (.+)$", metadata, re.MULTILINE)
    if sorted(told) != sorted(f"py3-none-{one}" for one in platforms):
        refuse(f"its name says {tag}, its metadata {told}")
    if "Root-Is-Purelib: false" not in metadata:
        refuse("it calls itself pure Python")
    return tag


def check_record(files: dict[str, bytes], record: str) -> None:
    """The list of files is complete, and every hash is right."""
    rows = list(csv.reader(io.StringIO(files[record].decode())))
    if sorted(row[0] for row in rows) != sorted(files):
        refuse("RECORD does not list exactly its files")
    for name, digest, size in rows:
        hashed = base64.urlsafe_b64encode(hashlib.sha256(files[name]).digest()).rstrip(b"=").decode()
        if name != record and (digest, size) != (f"sha256={hashed}", str(len(files[name]))):
            refuse(f"{name} is not the file of RECORD")


def check_content(files: dict[str, bytes], info: str) -> None:
    """The package as it lies in the sources, with one native library, and nothing else."""
    sources = {
        path.relative_to(PACKAGE).as_posix(): path
        for path in (PACKAGE / "corecall").rglob("*")
        if path.is_file() and not {"__pycache__", "_native"} & set(path.parts)
    }
    for name, path in sources.items():
        if files.get(name) != path.read_bytes():
            refuse(f"{name} is missing or is not that of the sources")
    library = native_library(files)
    generated = {"corecall/_native/__init__.py", "corecall/_native/ffi.py", library}
    if odd := [n for n in files if n not in sources and n not in generated and not n.startswith(f"{info}/")]:
        refuse(f"it holds {', '.join(odd)}")
    for path in (ROOT / "LICENSE", notices.FILE):
        name = f"{info}/licenses/{path.relative_to(ROOT).as_posix()}"
        if files.get(name) != path.read_bytes():
            refuse(f"{name} is missing or out of date")
    boms = [name for name in files if re.fullmatch(re.escape(info) + r"/sboms/.+\.cyclonedx\.json", name)]
    parts = {part["name"] for name in boms for part in json.loads(files[name])["components"]}
    if any(b"file://" in files[name] for name in boms):
        refuse("its bill of materials names paths of the machine")
    if not {"rusqlite", "corecall-policy"} <= parts:
        refuse("it has no bill of materials that names its crates")


def declarations() -> str:
    """What cffi writes for the header of these sources."""
    header = (ROOT / "abi" / "include" / "corecall.h").read_text("utf-8")
    maker = cffi.FFI()
    maker.set_source("ffi", None)
    maker.cdef(header.split("/* cffi: begin */")[1].split("/* cffi: end */")[0])
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(None):
        module = Path(folder, "ffi.py")
        maker.emit_python_code(str(module))
        return module.read_text("utf-8")


def check_library(files: dict[str, bytes], tag: str) -> str:
    """Its names and its hardening, and that the tag promises no older glibc than it needs."""
    if "linux" not in tag:
        return ""
    name = native_library(files)
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder, Path(name).name)
        library.write_bytes(files[name])
        floor = linkage.examine_elf(library, (ROOT / "abi" / "symbols.txt").read_text("ascii").split())
    promised = re.search(r"manylinux_(\d+)_(\d+)", tag)
    if promised and floor and tuple(map(int, floor.split("."))) > tuple(map(int, promised.groups())):
        refuse(f"its library needs glibc {floor}, its tag says {tag}")
    return floor


def native_library(files: dict[str, bytes]) -> str:
    """The one native library's path."""
    found = [name for name in files if re.search(r"\.(so|dylib|dll|pyd)$", name)]
    if len(found) != 1 or not found[0].startswith("corecall/_native/"):
        refuse(f"its native libraries are {found}")
    return found[0]


def refuse(fault: str) -> NoReturn:
    """Ends the check."""
    sys.exit(f"{sys.argv[1]}: {fault}")


if __name__ == "__main__":
    sys.stdout.write(f"{sys.argv[1]}: {check(Path(sys.argv[1]))}\n")
