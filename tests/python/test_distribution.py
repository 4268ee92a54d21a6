"""What is installed: one wheel for every Python of a platform, with its data, its command and few dependencies."""

from __future__ import annotations

import re
from importlib import metadata

import pytest


@pytest.fixture(scope="module")
def installed() -> metadata.Distribution:
    return metadata.distribution("corecall")


def test_the_wheel_is_bound_to_a_platform_and_to_no_python(installed: metadata.Distribution) -> None:
    wheel = installed.read_text("WHEEL") or ""
    assert re.findall(r"^Tag: (\S+?-\S+?)-", wheel, re.MULTILINE) == ["py3-none"]
    assert "Tag: py3-none-any" not in wheel
    assert "Root-Is-Purelib: false" in wheel


def test_the_dependencies_are_few(installed: metadata.Distribution) -> None:
    required = [entry for entry in installed.requires or [] if "extra ==" not in entry]
    assert sorted(re.split(r"[><=~! ;]", entry)[0] for entry in required) == ["cffi", "click", "rich"]
    assert installed.metadata["Requires-Python"] == ">=3.10"
    assert installed.metadata["License-Expression"] == "Apache-2.0"


def test_what_belongs_to_it_is_in_it(installed: metadata.Distribution) -> None:
    files = [str(file) for file in installed.files or []]
    for name in ("corecall/py.typed", "corecall/demo/project_log.jsonl", "corecall/demo/questions.json"):
        assert name in files
    for name in ("LICENSE", "THIRD_PARTY_NOTICES.txt"):
        assert any("licenses/" in file and file.endswith(f"/{name}") for file in files)
    natives = [name for name in files if re.search(r"\.(so|dylib|dll|pyd)$", name)]
    assert len(natives) == 1
    assert natives[0].startswith("corecall/_native/")


def test_the_command_is_installed(installed: metadata.Distribution) -> None:
    commands = {point.name: point.value for point in installed.entry_points if point.group == "console_scripts"}
    assert commands == {"corecall": "corecall.cli:main", "corecall-sdk": "corecall.sdk:main"}
