"""The library's parts as a CycloneDX 1.5 document, the same bytes for the same sources.

python3 wheels/sdk/sbom.py TARGET COMMIT TIME        prints it
"""

from __future__ import annotations

import json
import re
import sys
import uuid
from datetime import datetime, timezone
from typing import Any

from crates import LIBRARY, ROOT, linked, sqlite_version


def library_version(target: str) -> str:
    """The version of the workspace, which is the library's, the SDK's and the wheel's."""
    [package] = [package for package in linked(target) if package["name"] == LIBRARY]
    return str(package["version"])


def sbom(target: str, version: str, commit: str, time: int) -> bytes:
    """The document for a target's library.

    Args:
        target: Rust's name of the platform.
        version: Of the SDK.
        commit: What it is built from.
        time: Unix seconds that count as the time of the build.
    """
    packages = linked(target)
    hashes = _checksums()
    reference = {package["id"]: _purl(package) for package in packages}
    sqlite = f"pkg:generic/sqlite@{sqlite_version(target)}"
    dependencies = [
        {
            "ref": reference[package["id"]],
            "dependsOn": sorted(
                [reference[dep] for dep in package["links_to"]] + [sqlite] * (package["name"] == "libsqlite3-sys")
            ),
        }
        for package in packages
    ]
    root = f"pkg:generic/corecall@{version}?target={target}"
    library = [reference[package["id"]] for package in packages if package["name"] == LIBRARY]
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": uuid.uuid5(uuid.NAMESPACE_URL, f"{root}#{commit}").urn,
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(time, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "library",
                "bom-ref": root,
                "name": "corecall",
                "version": version,
                "licenses": [{"expression": "Apache-2.0"}],
                "purl": root,
                "properties": [{"name": "corecall:commit", "value": commit}],
            },
        },
        "components": [
            *(_component(package, hashes) for package in packages),
            {
                "type": "library",
                "bom-ref": sqlite,
                "name": "sqlite",
                "version": sqlite_version(target),
                "licenses": [{"license": {"name": "Public domain"}}],
                "purl": sqlite,
            },
        ],
        "dependencies": [
            {"ref": root, "dependsOn": library},
            *dependencies,
            {"ref": sqlite, "dependsOn": []},
        ],
    }
    return (json.dumps(document, indent=2) + "\n").encode()


def _purl(package: dict[str, Any]) -> str:
    kind = "generic" if package["source"] is None else "cargo"
    return f"pkg:{kind}/{package['name']}@{package['version'].replace('+', '%2B')}"


def _component(package: dict[str, Any], hashes: dict[tuple[str, str], str]) -> dict[str, Any]:
    component = {
        "type": "library",
        "bom-ref": _purl(package),
        "name": package["name"],
        "version": package["version"],
        "licenses": [{"expression": package["license"].replace("/", " OR ")}],
        "purl": _purl(package),
    }
    digest = hashes.get((package["name"], package["version"]))
    if digest is not None:
        component["hashes"] = [{"alg": "SHA-256", "content": digest}]
    return component


def _checksums() -> dict[tuple[str, str], str]:
    """The registry's hashes of the packages, from the lock file."""
    lock = (ROOT / "Cargo.lock").read_text("utf-8")
    pattern = r'name = "(.+)"\nversion = "(.+)"\nsource = ".+"\nchecksum = "([0-9a-f]{64})"'
    return {(name, version): digest for name, version, digest in re.findall(pattern, lock)}


if __name__ == "__main__":
    target_, commit_, time_ = sys.argv[1:]
    sys.stdout.buffer.write(sbom(target_, library_version(target_), commit_, int(time_)))
