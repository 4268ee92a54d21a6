"""One archive of this build's libraries, and a small one to be tampered with."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.packaging import archives

from assemble import Build, assemble
from corecall import sdk
from crates import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping


@pytest.fixture(scope="session")
def build() -> Build:
    """The libraries of the release profile, which `make test-rust` left; built now where it didn't."""
    subprocess.run(
        ["cargo", "build", "--quiet", "--release", "--locked", "--package", "corecall-abi"],
        cwd=ROOT,
        check=True,
    )
    libraries = ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "release"
    # What the library says of itself: the commit may be another one than git's at the moment of the test.
    library = sdk._Library(libraries / Path(sdk.library_path(sdk.host_target())).name, ())
    commit = json.loads(library.capabilities())["result"]["build"]["commit"]
    return Build(
        libraries=libraries,
        target=sdk.host_target(),
        commit=commit,
        modified=False,
        time=archives.TIME,
        native_libraries=("-lpthread", "-ldl", "-lm"),
    )


@pytest.fixture(scope="session")
def files(build: Build) -> Mapping[str, bytes]:
    return assemble(build)


@pytest.fixture(scope="session")
def archive(files: Mapping[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return archives.write(tmp_path_factory.mktemp("sdk") / f"{archives.root_of(files)}.tar.gz", files)


@pytest.fixture(scope="session")
def unpacked(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive, unpacked by the system's tar to a folder with a space in its name."""
    folder = tmp_path_factory.mktemp("anywhere else")
    subprocess.run(["tar", "-xzf", archive, "-C", folder], check=True)
    [root] = folder.iterdir()
    return root


@pytest.fixture(scope="session")
def small(files: Mapping[str, bytes]) -> Mapping[str, bytes]:
    return archives.small(files)


@pytest.fixture(scope="session")
def lock(small: Mapping[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pins the small archive."""
    folder = tmp_path_factory.mktemp("lock")
    path = folder / "sdk.lock.json"
    sdk.pin_all([archives.write(folder / "small.tar.gz", small)], path)
    return path
