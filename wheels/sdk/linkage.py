"""What the built libraries need and show, read with binutils; anything that must not leave the house is an error."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def examine_elf(library: Path, symbols: list[str]) -> str:
    """Refuses a shared library that isn't hardened, named, or shows other names; gives the glibc it needs, or ``.

    Args:
        library: The shared library.
        symbols: The names it must export, no more and no less.
    """
    dynamic = _output("READELF", "readelf", "--wide", "--dynamic", library)
    segments = _output("READELF", "readelf", "--wide", "--segments", library)
    names = _output("NM", "nm", "-D", "--defined-only", "--format=posix", library)
    exported = sorted(line.split()[0] for line in names.splitlines())
    faults = {
        "its SONAME is not libcorecall.so": "Library soname: [libcorecall.so]" not in dynamic,
        "it has text relocations": "TEXTREL" in dynamic,
        "it has a search path": re.search(r"\((RPATH|RUNPATH)\)", dynamic) is not None,
        "it is not bound when it is loaded": re.search(r"\bNOW\b", dynamic) is None,
        "it has no RELRO segment": "GNU_RELRO" not in segments,
        "its stack is executable": re.search(r"GNU_STACK.* RW ", segments) is None,
        f"it exports {' '.join(exported)}": exported != sorted(symbols),
    }
    for fault, is_there in faults.items():
        if is_there:
            sys.exit(f"{library}: {fault}")
    return glibc_floor(library)


def examine_archive(library: Path, symbols: list[str]) -> None:
    """Refuses a static library with other global names than `symbols`."""
    names = _output("NM", "nm", "-g", "--defined-only", "--format=posix", library)
    globals_ = sorted(line.split()[0] for line in names.splitlines() if not line.endswith(":"))
    if globals_ != sorted(symbols):
        sys.exit(f"{library}: its global names are {' '.join(globals_)}")


def glibc_floor(library: Path) -> str:
    """The newest glibc version of which the library uses a symbol; `` where it uses none."""
    versions = _output("READELF", "readelf", "--wide", "--version-info", library)
    found = {tuple(map(int, version.split("."))) for version in re.findall(r"\bGLIBC_([0-9.]+)", versions)}
    return ".".join(map(str, max(found, default=())))


def _output(variable: str, tool: str, *arguments: str | Path) -> str:
    """What a tool prints; the environment names another one for cross builds."""
    command = [os.environ.get(variable, tool), *map(str, arguments)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
