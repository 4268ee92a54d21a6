"""Archives to be tampered with: small ones that pass, and ways to write ones that shouldn't."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from typing import TYPE_CHECKING, Any

from assemble import pack
from corecall import sdk

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

TIME = 1_700_000_000
KEPT_CASES = ("001-", "020-")


def small(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The same archive with two cases and a few bytes for each library: quick to pack and to check."""
    kept = {
        path: data
        for path, data in files.items()
        if not path.startswith(sdk.CASES) or path[len(sdk.CASES) :].startswith(KEPT_CASES)
    }
    libraries = {path: b"a library" for path in kept if path.endswith((".so", ".a"))}
    return sealed(kept | libraries)


def sealed(files: Mapping[str, bytes], /, **changes: Any) -> dict[str, bytes]:
    """The files with a manifest, changed as wanted, and checksums that fit them: tampering by someone who can."""
    manifest = json.loads(files["manifest.json"]) | {"files": sdk.file_records(files)} | changes
    result = {**files, "manifest.json": json.dumps(manifest).encode()}
    result["SHA256SUMS"] = sdk.checksums(result)
    return result


def root_of(files: Mapping[str, bytes]) -> str:
    manifest = json.loads(files["manifest.json"])
    return f"corecall-sdk-{manifest['sdk_version']}-{manifest['target']}"


def write(path: Path, files: Mapping[str, bytes]) -> Path:
    path.write_bytes(pack(root_of(files), dict(files), TIME))
    return path


def write_tar(path: Path, files: Mapping[str, bytes], change: Callable[[list[tarfile.TarInfo]], None]) -> Path:
    """An archive of the files whose members were changed, with whatever else they then name."""
    root = root_of(files)
    members = []
    for name in sorted(files):
        member = tarfile.TarInfo(f"{root}/{name}")
        member.size, member.mtime = len(files[name]), TIME
        members.append(member)
    change(members)
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for member in members:
            data = files.get(member.name.removeprefix(f"{root}/"), b"x" * member.size)
            archive.addfile(member, io.BytesIO(data) if member.isreg() else None)
    path.write_bytes(gzip.compress(packed.getvalue(), 1, mtime=0))
    return path
