"""Each format is read as its page says; slips of the data are repaired or told, and a wrong line is named."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests.evaluation import samples

from corecall.evaluation import DataError, load_coding_memory, load_json_lines, load_locomo


def test_locomo_turns_are_memories_in_the_order_of_their_sessions(tmp_path: Path) -> None:
    dataset = load_locomo(samples.locomo(tmp_path / "l.json"), conversations=[1], categories=[1, 2, 3, 4])
    (corpus,) = dataset.corpora
    assert [memory.key for memory in corpus.memories] == ["D1:1", "D1:2", "D2:1", "D2:2"]
    assert corpus.memories[3].content == "Bo: Look at this bowl! [shares a photo: a turquoise bowl]"
    assert corpus.memories[3].at == "9:30 am on 4 March, 2025"
    assert [question.category for question in corpus.questions] == ["single-hop", "multi-hop", "temporal"]


def test_locomo_slips_are_repaired_and_what_names_nothing_is_told(tmp_path: Path) -> None:
    dataset = load_locomo(samples.locomo(tmp_path / "l.json"), conversations=[1], categories=[1, 4])
    first, second = dataset.corpora[0].questions
    assert second.expect == {"D2:1": 1.0, "D1:1": 1.0}
    assert second.answers == ("1",)
    assert first.key == "pots/0"
    assert dataset.notes == (
        "conversations 1 of 2; categories: multi-hop, single-hop",
        "2 malformed evidence names repaired",
        "2 evidence names dropped that name no turn",
        "1 questions left out, since no turn is named as their evidence",
    )


def test_locomo_reads_only_the_conversations_named(tmp_path: Path) -> None:
    path = samples.locomo(tmp_path / "l.json")
    assert [corpus.name for corpus in load_locomo(path, conversations=[2], categories=[4]).corpora] == ["ferry"]
    adversarial = load_locomo(path, conversations=[1, 2], categories=[5])
    assert [len(corpus.questions) for corpus in adversarial.corpora] == [1, 0]
    assert adversarial.corpora[0].questions[0].answers == ()
    with pytest.raises(DataError, match="conversations 1–2, not 3"):
        load_locomo(path, conversations=[1, 3], categories=[4])


@pytest.mark.parametrize("content", ["[]", "{}", "[1]", "no json", '[{"qa": []}]'])
def test_another_file_is_not_taken_for_locomo(tmp_path: Path, content: str) -> None:
    path = tmp_path / "l.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match="LoCoMo"):
        load_locomo(path, conversations=[1], categories=[4])


def test_coding_memory_has_grades_harm_and_abstention(tmp_path: Path) -> None:
    dataset = load_coding_memory(samples.coding_memory(tmp_path / "c"))
    (corpus,) = dataset.corpora
    assert [memory.key for memory in corpus.memories] == ["r1", "r2", "r3", "r4", "r5"]
    assert [memory.supersedes for memory in corpus.memories] == [None, "r1", None, None, None]
    assert corpus.memories[2].contradicts == ("r2",)
    now, before, costs, zebra = corpus.questions
    assert now.expect == {"r2": 3.0, "r5": 2.0}
    assert (now.best, now.answers) == (frozenset({"r2"}), ("Postgres",))
    assert now.harmful == {"r1": "superseded", "r3": "contradicted"}
    assert (now.past, before.past, costs.abstain, zebra.abstain) == (False, True, True, True)
    assert costs.project == "p2"
    assert "1 lists of resolved records" in dataset.notes[0]


def test_a_folder_of_something_else_is_not_taken_for_coding_memory(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="can't be read"):
        load_coding_memory(tmp_path)
    folder = samples.coding_memory(tmp_path / "c")
    samples.write_lines(folder / "queries.ndjson", [{"questionId": "q9", "projectId": "p", "text": "?"}])
    with pytest.raises(DataError, match="q9"):
        load_coding_memory(folder)


def test_own_lines_have_every_field_of_the_page(tmp_path: Path) -> None:
    dataset = load_json_lines(*samples.own(tmp_path))
    (corpus,) = dataset.corpora
    old, new, undo, tea = corpus.memories
    assert (old.title, old.kind, old.at, new.supersedes) == ("Deploy day", "decision", "in March", "old")
    assert (undo.see_also, undo.tags, tea.project, tea.importance) == (("new",), ("ops",), "office", "normal")
    when, undone, drink = corpus.questions
    assert (when.key, when.category, when.answers) == ("when", "time", ("on Tuesdays",))
    assert (undone.key, undone.best) == ("questions.jsonl:2", frozenset({"undo"}))
    assert undone.expect == {"undo": 2.0, "new": 1.0}
    assert (drink.abstain, drink.project, drink.expect) == (True, "plant", {})
    assert dataset.has_relations


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ({"query": "?", "expect": ["nobody"]}, "'nobody'"),
        ({"query": "?", "expect": []}, "expects nothing"),
        ({"query": "?"}, "expects nothing"),
        ({"query": "", "expect": ["old"]}, "query must be a text"),
        ({"expect": ["old"]}, "query must be a text"),
        ({"query": "?", "expect": "old"}, "expect must be a list"),
        ({"query": "?", "expect": {"old": 0}}, "grade"),
        ({"query": "?", "expect": {"old": True}}, "grade"),
        ({"query": "?", "expect": ["old"], "abstain": 1}, "abstain must be"),
        ({"query": "?", "expect": ["old"], "harmful": ["gone"]}, "'gone'"),
        ({"query": "?", "expect": ["old"], "answers": "x"}, "knows no 'answers'"),
        ([], "no JSON object"),
    ],
)
def test_a_wrong_question_is_named(tmp_path: Path, question: Any, message: str) -> None:
    _, corpus = samples.own(tmp_path)
    path = samples.write_lines(tmp_path / "q.jsonl", [samples.QUESTIONS[0], question])
    with pytest.raises(DataError, match=message):
        load_json_lines(path, corpus)


@pytest.mark.parametrize(
    ("memory", "message"),
    [
        ({"id": "old", "content": "again"}, "stands twice"),
        ({"id": "x", "content": "x", "see_also": ["later"]}, "'later'"),
        ({"id": "x", "content": "x", "supersedes": "x"}, "no memory that stands before it"),
        ({"id": "x"}, "content must be a text"),
        ({"id": 7, "content": "x"}, "id must be a text"),
        ({"id": "x", "content": "x", "tags": "ops"}, "tags must be a list"),
        ({"id": "x", "content": "x", "colour": "red"}, "knows no 'colour'"),
    ],
)
def test_a_wrong_memory_is_named(tmp_path: Path, memory: Any, message: str) -> None:
    questions, _ = samples.own(tmp_path)
    path = samples.write_lines(tmp_path / "m.jsonl", [*samples.MEMORIES, memory])
    with pytest.raises(DataError, match=message):
        load_json_lines(questions, path)


def test_lines_are_parted_by_line_feeds_alone(tmp_path: Path) -> None:
    questions, _ = samples.own(tmp_path)
    memories = [{**memory, "content": memory["content"] + "\u2028\u0085end"} for memory in samples.MEMORIES]
    corpus = tmp_path / "m.jsonl"
    corpus.write_text("\n\n".join(json.dumps(memory, ensure_ascii=False) for memory in memories), encoding="utf-8")
    (loaded,) = load_json_lines(questions, corpus).corpora
    assert [memory.content for memory in loaded.memories] == [memory["content"] for memory in memories]


@pytest.mark.skipif("CORECALL_LOCOMO" not in os.environ, reason="CORECALL_LOCOMO names no locomo10.json")
def test_the_development_half_of_locomo_is_read_whole() -> None:
    path = Path(os.environ["CORECALL_LOCOMO"])
    dataset = load_locomo(path, conversations=range(1, 6), categories=range(1, 5))
    assert sum(len(corpus.memories) for corpus in dataset.corpora) == 2760
    assert sum(len(corpus.questions) for corpus in dataset.corpora) == 760
