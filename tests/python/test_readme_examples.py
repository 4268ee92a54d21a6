"""Every Python block of the READMEs runs, in order, in an empty folder."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)

FOLDERS = ("", "abi", "bindings", "core", "tests", "wheels")
READMES = sorted(
    file
    for folder in FOLDERS
    for file in ((ROOT / folder).rglob("README.md") if folder else ROOT.glob("*.md"))
    if not {"target", ".venv", "node_modules"} & set(file.relative_to(ROOT).parts)
)
WITH_PYTHON = [file for file in READMES if BLOCK.search(file.read_text(encoding="utf-8"))]


def blocks(file: Path) -> list[str]:
    """The blocks, each moved down to its line so that a failure points into the README."""
    text = file.read_text(encoding="utf-8")
    return ["\n" * text.count("\n", 0, match.start(1)) + match[1] for match in BLOCK.finditer(text)]


def test_the_guide_has_examples() -> None:
    assert ROOT / "bindings" / "python" / "README.md" in WITH_PYTHON


@pytest.mark.parametrize("file", WITH_PYTHON, ids=lambda file: str(file.relative_to(ROOT)))
def test_the_python_blocks_run(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "readme"}
    for source in blocks(file):
        exec(compile(source, file, "exec"), names)  # noqa: S102 - our own README
    assert "corecall" in names
    # What the examples left open is closed here, and would otherwise hold files in the folder.
    for value in names.values():
        if hasattr(value, "close"):
            value.close()
