"""The types users see. `make lint` checks them, a test run only that they hold at run time."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any, Literal

import pytest
from typing_extensions import assert_type

import corecall

if TYPE_CHECKING:
    from pathlib import Path


def test_methods_return_records(library: corecall.Library) -> None:
    remembered = assert_type(library.remember("typed"), corecall.Remembered)
    assert_type(remembered.id, str)
    assert_type(remembered.state, Literal["created", "exists", "candidates"])
    recall = assert_type(library.recall("typed"), corecall.Recall)
    (hit,) = assert_type(recall.hits, tuple[corecall.Hit, ...])
    assert_type(hit.entry, corecall.Entry | None)
    assert_type(hit.superseded_by, str | None)
    assert_type(recall.related, tuple[corecall.Association, ...])
    shown = assert_type(library.show(remembered.id), corecall.Shown)
    assert_type(shown.entry.tags, tuple[str, ...])
    for relation in assert_type(library.relations(remembered.id), corecall.Relations):
        assert_type(relation, corecall.Relation)
    other = library.remember("another one", force=True)
    assert_type(library.link(remembered.id, other.id), corecall.Linked)
    assert_type(library.unlink(remembered.id, other.id), corecall.Linked)
    assert_type(library.update(other.id, title="Other"), corecall.Updated)
    assert_type(library.forget(remembered.id), corecall.Forgotten)
    assert_type(library.restore(remembered.id), corecall.Restored)
    assert_type(library.status(), corecall.Status)
    assert_type(library.core.call("capabilities").result, Any)
    assert (type(remembered), type(hit)) == (corecall.Remembered, corecall.Hit)


WRONG = """
import corecall

library = corecall.open(3)
library.remember("x", kind="rumour")
library.remember("x", None)
library.link("x", "y", type="supersedes")
library.update("x", content=b"y")
library.forget("x", cascade="all")
library.recall("x", superseded="remove")
library.recall("x").hits[0].entry.title
library.recall("x").hits[0].score = 1.0
library.recall("x", related_settings={"maximum": 3})
"""


def test_a_type_checker_finds_wrong_uses(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    file = tmp_path / "wrong.py"
    file.write_text(WRONG)
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--cache-dir", str(tmp_path), str(file)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    errors = [line for line in run.stdout.splitlines() if ": error: " in line]
    lines = {int(line.split(":")[1]) for line in errors}
    assert lines == set(range(4, 14)), run.stdout
    assert all("wrong.py" in line for line in errors)
