"""The demonstration: its log is what it says, and its answers show what each question is there to show."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

import corecall
from corecall.cli import app
from corecall.demo import Answer, ask, fill, memories, questions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def answers() -> Iterator[tuple[corecall.Library, dict[str, str], list[Answer]]]:
    with corecall.open(":memory:") as library:
        ids = fill(library, memories())
        yield library, ids, list(ask(library, questions()))


def test_the_log_is_whole() -> None:
    log = memories()
    assert len(log) >= 150
    keys: set[str] = set()
    for memory in log:
        named = {*memory.see_also, *memory.contradicts, *memory.derived_from, memory.parent, memory.supersedes} - {None}
        assert named <= keys, memory.key
        keys.add(memory.key)
    assert len(keys) == len(log)
    dates = [memory.date for memory in log]
    assert dates == sorted(dates)
    assert dates[-1][:7] > dates[0][:7]
    assert len({memory.supersedes for memory in log} - {None}) > 10
    assert any(memory.importance == "trivial" for memory in log)
    assert any(re.search(r"[\u4e00-\u9fff]", memory.content) for memory in log)
    assert sum(bool(memory.contradicts) for memory in log) > 1


def test_every_line_is_stored_with_its_date_as_a_tag(
    answers: tuple[corecall.Library, dict[str, str], list[Answer]],
) -> None:
    library, ids, _ = answers
    log = memories()
    assert library.status().counts.live == len(log)
    for memory in log[:: len(log) // 10]:
        entry = library.show(ids[memory.key]).entry
        assert (entry.title, entry.content) == (memory.title, memory.content)
        assert entry.tags == (*memory.tags, memory.date)
        assert entry.supersedes == (ids[memory.supersedes] if memory.supersedes else "")


def test_ten_questions_find_something(answers: tuple[corecall.Library, dict[str, str], list[Answer]]) -> None:
    _, _, asked = answers
    assert len(asked) == 10
    assert all(answer.recall.hits for answer in asked)


def test_together_they_show_every_kind_of_answer(
    answers: tuple[corecall.Library, dict[str, str], list[Answer]],
) -> None:
    _, _, asked = answers
    shown = {association.relation for answer in asked for association in answer.recall.related}
    # Neighbours need a model, and the demonstration's library has none.
    assert shown >= {"new_version", "old_version", "see_also", "co_recall", "contradicts"}
    assert any(hit.superseded_by for answer in asked for hit in answer.recall.hits)


def test_what_is_printed_fits_a_terminal_of_100_columns() -> None:
    result = CliRunner().invoke(app, ["demo"])
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    from rich.cells import cell_len  # noqa: PLC0415 - only this test measures

    assert max(cell_len(line) for line in lines) <= 100
    for number, question in enumerate(questions(), start=1):
        assert f"{number}. {question.question}" in lines
    assert any(line.endswith(" [superseded]") for line in lines)
    assert sum("replaces the hit above it" in line for line in lines) == 1
    assert not [line for line in lines if line != line.rstrip()]
    assert any(line.startswith("Words only") for line in lines)
    assert re.fullmatch(r"\d+ live memories, .* 0 conflicts\.", lines[-2])


def test_as_json(answers: tuple[corecall.Library, dict[str, str], list[Answer]]) -> None:
    result = CliRunner().invoke(app, ["demo", "--json"])
    assert (result.exit_code, result.stdout.count("\n")) == (0, 1)
    told = json.loads(result.stdout)
    titles = [[hit["title"] for hit in answer["recall"]["hits"]] for answer in told["answers"]]
    _, _, asked = answers
    assert titles == [[hit.title for hit in answer.recall.hits] for answer in asked]
    assert told["status"]["counts"]["live"] == len(memories())


def test_the_library_can_be_kept(tmp_path: Path) -> None:
    path = tmp_path / "kept.db"
    run = subprocess.run(
        [sys.executable, "-m", "corecall", "demo", "--keep", str(path)],
        capture_output=True,
        encoding="utf-8",
        check=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    assert str(path) in run.stdout.splitlines()[-1]
    with corecall.open(path) as library:
        assert library.status().counts.live == len(memories())
    result = CliRunner().invoke(app, ["demo", "--keep", str(path)])
    assert result.exit_code == 2
    assert "new library" in result.stderr
