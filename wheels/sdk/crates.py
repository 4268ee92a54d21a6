"""The crates whose code ends up in the library, as cargo resolves them for a target."""

from __future__ import annotations

import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = "corecall-abi"


@cache
def linked(target: str) -> tuple[dict[str, Any], ...]:
    """Packages of `cargo metadata`, by name and version, each with `links_to`: the ids of those it links.

    Build scripts, procedural macros and tests run elsewhere and leave nothing in the library, so they are left out.
    """
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", target]
    metadata = json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    waiting = [id for id, package in packages.items() if package["name"] == LIBRARY]
    found: dict[str, dict[str, Any]] = {}
    while waiting:
        id = waiting.pop()
        if id not in found:
            below = [dep["pkg"] for dep in nodes[id]["deps"] if any(kind["kind"] is None for kind in dep["dep_kinds"])]
            below = sorted(dep for dep in below if not _is_macro(packages[dep]))
            found[id] = {**packages[id], "links_to": below}
            waiting += below
    return tuple(sorted(found.values(), key=lambda package: (package["name"], package["version"])))


def third_party(target: str) -> list[dict[str, Any]]:
    """The linked packages that come from a registry."""
    return [package for package in linked(target) if package["source"] is not None]


def sqlite_version(target: str) -> str:
    """The version of the SQLite whose C source `libsqlite3-sys` carries and compiles in."""
    [package] = [package for package in linked(target) if package["name"] == "libsqlite3-sys"]
    header = Path(package["manifest_path"]).parent / "sqlite3" / "sqlite3.h"
    [version] = [
        line.split('"')[1]
        for line in header.read_text("utf-8").splitlines()
        if line.startswith("#define SQLITE_VERSION ")
    ]
    return version


def _is_macro(package: dict[str, Any]) -> bool:
    return any("proc-macro" in target["kind"] for target in package["targets"])
