"""Lays the SDK archive of one target out of built libraries (wheels/README.md says what is in it).

The same libraries, sources and options give the same bytes, on every machine with the same zlib.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import linkage
import notices
from crates import ROOT
from sbom import library_version, sbom
from tool import NAME, SCHEMA_VERSION, TARGETS, canonical_tar, checksums, file_records, library_path

TEMPLATES = Path(__file__).parent / "templates"
#: What a target's library needs of the system below it; glibc's version is read from the library instead.
PLATFORMS = {
    "linux-gnu": ("glibc", ""),
    "linux-musl": ("musl", "1.2"),
    "apple-darwin": ("macOS", "11.0"),
    "windows-msvc": ("Windows", "10"),
}


@dataclass(frozen=True)
class Build:
    """What was built, and from what."""

    libraries: Path
    target: str
    commit: str
    modified: bool
    time: int
    native_libraries: tuple[str, ...]

    @property
    def version(self) -> str:
        """The version of the workspace, which is the SDK's."""
        return library_version(self.target)

    @property
    def root(self) -> str:
        """The archive's name and its top folder."""
        return f"{NAME}-{self.version}-{self.target}"


def assemble(build: Build) -> dict[str, bytes]:
    """Every file of the archive by its path, the manifest and the checksums last."""
    files = {name: (ROOT / name).read_bytes() for name in ("CHANGELOG.md", "LICENSE")}
    files["README.md"] = _template(build, "README.md")
    files["THIRD_PARTY_NOTICES.txt"] = notices.FILE.read_bytes()
    files["include/corecall.h"] = (ROOT / "abi" / "include" / "corecall.h").read_bytes()
    platform, floor, libraries = _libraries(build)
    files |= libraries
    files["lib/pkgconfig/corecall.pc"] = _template(build, "corecall.pc")
    files["lib/pkgconfig/corecall-static.pc"] = _template(build, "corecall-static.pc")
    for name in ("corecall-config.cmake", "corecall-config-version.cmake"):
        files[f"lib/cmake/corecall/{name}"] = _template(build, name)
    capabilities = _capabilities(build)
    files["share/corecall/capabilities.json"] = _json(capabilities)
    files["share/corecall/symbols.txt"] = (ROOT / "abi" / "symbols.txt").read_bytes()
    files["share/corecall/sbom.cyclonedx.json"] = sbom(build.target, build.version, build.commit, build.time)
    files |= _tree(ROOT / "abi" / "schemas", "share/corecall/schemas")
    files |= _tree(ROOT / "tests" / "contract" / "cases", "share/corecall/contract/cases")
    libc = {"name": platform, "floor": floor}
    files["manifest.json"] = _json(manifest(build, capabilities, libc, file_records(files)))
    files["SHA256SUMS"] = checksums(files)
    return files


def manifest(
    build: Build, capabilities: dict[str, Any], libc: dict[str, str], records: list[dict[str, Any]]
) -> dict[str, Any]:
    """The manifest of files with these records."""
    return {
        "schema_version": SCHEMA_VERSION,
        "name": NAME,
        "sdk_version": build.version,
        "commit": build.commit,
        "modified": build.modified,
        "target": build.target,
        "toolchain": {
            **_rustc(),
            "panic": "unwind",
            "crt": "static" if build.target.endswith("-windows-msvc") else "dynamic",
        },
        "abi_version": capabilities["abi_version"],
        "association_contract": capabilities["association_contract"],
        "contracts": capabilities["contracts"],
        "libc": libc,
        "native_libraries": list(build.native_libraries),
        "redistribution": {
            "license": "Apache-2.0",
            "notices": "THIRD_PARTY_NOTICES.txt",
            "sbom": "share/corecall/sbom.cyclonedx.json",
        },
        "files": records,
    }


def pack(root: str, files: dict[str, bytes], time: int) -> bytes:
    """The archive's bytes: the canonical tar in one gzip member without name and time."""
    tar = canonical_tar(root, files, time)
    compressor = zlib.compressobj(level=9, wbits=-15)
    body = compressor.compress(tar) + compressor.flush()
    return (
        b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff" + body + struct.pack("<II", zlib.crc32(tar), len(tar) & 0xFFFFFFFF)
    )


def _libraries(build: Build) -> tuple[str, str, dict[str, bytes]]:
    """Name and least version of the platform below, and the files of `lib/`."""
    platform, floor = next(value for suffix, value in PLATFORMS.items() if build.target.endswith(suffix))
    shared = build.libraries / Path(library_path(build.target)).name
    static = build.libraries / _static(build.target)
    files = {f"lib/{shared.name}": shared.read_bytes(), f"lib/{static.name}": static.read_bytes()}
    if build.target.endswith("-windows-msvc"):
        files["lib/corecall.dll.lib"] = (build.libraries / "corecall.dll.lib").read_bytes()
    if "-linux-" in build.target:
        symbols = (ROOT / "abi" / "symbols.txt").read_text("ascii").split()
        with tempfile.TemporaryDirectory() as folder:
            stripped, localised = Path(folder, shared.name), Path(folder, static.name)
            strip = os.environ.get("STRIP", "strip")
            subprocess.run([strip, "--strip-unneeded", "-o", stripped, shared], check=True)
            subprocess.run(["sh", ROOT / "abi" / "localise.sh", static, localised], check=True)
            files = {f"lib/{file.name}": file.read_bytes() for file in (stripped, localised)}
            needs_glibc = linkage.examine_elf(stripped, symbols)
            linkage.examine_archive(localised, symbols)
        floor = floor or needs_glibc
    return platform, floor, files


def _static(target: str) -> str:
    return "corecall.lib" if target.endswith("-windows-msvc") else "libcorecall.a"


def _template(build: Build, name: str) -> bytes:
    """A template with its `@NAME@`s filled in."""
    shared = library_path(build.target)
    version = build.version.split(".")
    values = {
        "VERSION": build.version,
        "MAJOR": version[0],
        "MINOR": version[1],
        "TARGET": build.target,
        "ROOT": build.root,
        "STATIC": _static(build.target),
        "NATIVE": " ".join(build.native_libraries),
        "NATIVE_CMAKE": ";".join(build.native_libraries),
        "SHARED_LOCATION": shared,
        "SHARED_NAME_PROPERTY": "IMPORTED_SONAME libcorecall.so",
    }
    if build.target.endswith("-apple-darwin"):
        values["SHARED_NAME_PROPERTY"] = "IMPORTED_SONAME @rpath/libcorecall.dylib"
    if build.target.endswith("-windows-msvc"):
        values["SHARED_NAME_PROPERTY"] = 'IMPORTED_IMPLIB "${_corecall_prefix}/lib/corecall.dll.lib"'
    text = (TEMPLATES / name).read_text("utf-8")
    return re.sub("@([A-Z_]+)@", lambda match: values[match[1]], text).encode()


def _capabilities(build: Build) -> dict[str, Any]:
    """The golden capabilities, as this build gives them; the kernel is chosen by the processor when it runs."""
    told: dict[str, Any] = json.loads((ROOT / "abi" / "capabilities.json").read_text("utf-8"))
    told["build"] |= {"version": build.version, "commit": build.commit, "target": build.target, "simd": "run-time"}
    return told


def _rustc() -> dict[str, str]:
    told = subprocess.run(["rustc", "-vV"], check=True, stdout=subprocess.PIPE, text=True).stdout
    fields = dict(line.split(": ", 1) for line in told.splitlines() if ": " in line)
    return {"rustc": fields["release"], "commit": fields["commit-hash"]}


def _tree(folder: Path, below: str) -> dict[str, bytes]:
    return {f"{below}/{p.relative_to(folder).as_posix()}": p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=2) + "\n").encode()


def main() -> None:
    """Writes the archive and prints its path."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--libraries", type=Path, required=True, help="the folder cargo left them in")
    parser.add_argument("--target", choices=TARGETS, required=True)
    parser.add_argument("--commit", default="")
    parser.add_argument("--modified", action="store_true", help="the sources are not quite those of the commit")
    parser.add_argument("--time", type=int, required=True, help="SOURCE_DATE_EPOCH")
    parser.add_argument("--native-libraries", default="", help="what programs with the static library link, too")
    parser.add_argument("--output", type=Path, required=True, help="the folder for the archive")
    given = parser.parse_args()
    if not notices.is_current():
        sys.exit("sdk: wheels/THIRD_PARTY_NOTICES.txt is out of date: run `make notices`")
    # Shared ones, whose order and number don't matter.
    native = tuple(dict.fromkeys(given.native_libraries.split()))
    build = Build(given.libraries, given.target, given.commit, given.modified, given.time, native)
    given.output.mkdir(parents=True, exist_ok=True)
    archive = given.output / f"{build.root}.tar.gz"
    archive.write_bytes(pack(build.root, assemble(build), build.time))
    sys.stdout.write(f"{archive}\n")


if __name__ == "__main__":
    main()
