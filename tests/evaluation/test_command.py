"""`corecall eval`: its text, JSON and Markdown, and how it ends."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result
from tests.evaluation import samples

from corecall.cli import app

if TYPE_CHECKING:
    from pathlib import Path


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["eval", *map(str, arguments)])


def test_text_and_page_have_the_same_tables(tmp_path: Path) -> None:
    questions, corpus = samples.own(tmp_path)
    page = tmp_path / "page.md"
    result = run(questions, "--corpus", corpus, "--report", page)
    assert (result.exit_code, result.stderr) == (0, "")
    titles = [line[3:] for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("## ")]
    assert len(titles) >= 5
    assert set(titles) <= set(result.stdout.splitlines())


def test_json_is_one_line_with_every_figure(tmp_path: Path) -> None:
    result = run(samples.coding_memory(tmp_path / "c"), "--model", "none", "--json")
    assert result.exit_code == 0, result.output
    assert result.stdout.count("\n") == 1
    made = json.loads(result.stdout)
    assert (made["dataset"], made["memories"], made["questions"], made["model"]) == ("coding-memory-v1", 5, 4, "none")
    assert "hit@5" in made["caution"]
    assert [setting["name"] for setting in made["settings"]] == [
        "without relations",
        "relations, marked",
        "relations, hidden",
    ]
    hit = made["settings"][0]["groups"][0]["metrics"]["hit@5"]
    assert set(hit) == {"mean", "low", "high", "n"}
    assert made["answers"] is None


def test_locomo_is_read_with_its_options(tmp_path: Path) -> None:
    path = samples.locomo(tmp_path / "locomo10.json")
    made = json.loads(run(path, "--conversations", "1,2", "--categories", "4-5", "--json").stdout)
    assert (made["corpora"], made["memories"], made["questions"]) == (2, 5, 3)
    assert run(path).exit_code == 2
    assert "conversations 1–2, not 3" in run(path).stderr


def test_a_model_and_relations_can_be_chosen(tmp_path: Path) -> None:
    questions, corpus = samples.own(tmp_path)
    options = ["--model", "test-hash:32", "--relation", "neighbor", "--relation", "derivative", "--json"]
    made = json.loads(run(questions, "--corpus", corpus, *options).stdout)
    assert (made["model"], made["relations"]) == ("test-hash:32", ["neighbor", "derivative"])


def test_an_embedder_is_found_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    questions, corpus = samples.own(tmp_path)
    (tmp_path / "letters_model.py").write_text(
        "def letters(texts):\n    return [[t.count(c) + 0.01 for c in 'aeiou'] for t in texts]\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    options = ["--embedder", "letters_model:letters", "--model", "host:letters", "--json"]
    result = run(questions, "--corpus", corpus, *options)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["model"] == "host:letters"
    assert run(questions, "--corpus", corpus, "--embedder", "letters_model:letters").exit_code == 2
    for name in ("letters_model", "letters_model:none", "no_such_module:x", "json:__name__"):
        assert run(questions, "--corpus", corpus, "--embedder", name, "--model", "host:x").exit_code == 2


@pytest.mark.parametrize(
    "options",
    [
        ["--conversations", "5-1"],
        ["--conversations", "one"],
        ["--categories", "9"],
        ["--relation", "co_recall"],
        ["--hits", "4"],
        ["--most", "0"],
    ],
)
def test_wrong_options_end_with_2(tmp_path: Path, options: list[str]) -> None:
    assert run(samples.locomo(tmp_path / "l.json"), "--conversations", "1", *options).exit_code == 2


def test_questions_without_their_memories_are_asked_for(tmp_path: Path) -> None:
    questions, _ = samples.own(tmp_path)
    result = run(questions)
    assert result.exit_code == 2
    assert "--corpus" in result.stderr


def test_text_that_a_terminal_would_obey_is_taken_out(tmp_path: Path) -> None:
    lines = [{**samples.QUESTIONS[0], "category": "red\x1b[31m"}, samples.QUESTIONS[1]]
    questions = samples.write_lines(tmp_path / "q.jsonl", lines)
    _, corpus = samples.own(tmp_path)
    result = run(questions, "--corpus", corpus)
    assert result.exit_code == 0
    assert "\x1b" not in result.stdout
    assert "red [31m" in result.stdout


def test_questions_that_nothing_answers_can_be_all_there_is(tmp_path: Path) -> None:
    _, corpus = samples.own(tmp_path)
    questions = samples.write_lines(tmp_path / "q.jsonl", [{"query": "zebra xylophone", "abstain": True}])
    page = tmp_path / "page.md"
    result = run(questions, "--corpus", corpus, "--model", "none", "--report", page)
    assert result.exit_code == 0, result.output
    assert "Ranking" not in result.stdout
    assert "| 0.00 | 100.0 |" in page.read_text(encoding="utf-8")


def test_a_page_in_no_folder_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    questions, corpus = samples.own(tmp_path)
    result = run(questions, "--corpus", corpus, "--report", tmp_path / "none" / "page.md")
    assert (result.exit_code, result.stdout) == (2, "")


def test_what_misleads_is_a_row_with_a_column_for_each_setting(tmp_path: Path) -> None:
    lines = run(samples.coding_memory(tmp_path / "c"), "--model", "none").stdout.splitlines()
    rows = {line[:26].strip(): line[26:].split() for line in lines[lines.index("Misleading memories") :]}
    assert rows["harmful@5, superseded"][:2] == ["1", "100.0"]
    assert rows["harmful@5, superseded"][-2:] == ["0.0", "(0.0–0.0)"]
    assert rows["harmful@5, current state"][0] == "2"
