"""coding-memory-v1 (knowl): short records of projects, graded judgements, misleading records, and nothing to find."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corecall.evaluation.dataset import Corpus, DataError, Dataset, Memory, Question, read_json_lines

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from corecall.records import Kind

RECORDS, QUERIES, LABELS = "normalized-records.ndjson", "queries.ndjson", "question-labels.ndjson"
"""The files of its folder."""

_KINDS: dict[str, Kind] = {"decision": "decision", "architecture": "decision", "state": "context", "command": "skill"}


def load_coding_memory(folder: Path) -> Dataset:
    """Reads the folder. All projects are one corpus, and each question is asked in the scope of its project.

    Raises:
        DataError: A file is missing or isn't of this data.
    """
    try:
        records = [record for _, record in read_json_lines(folder / RECORDS)]
        labels = {label["questionId"]: label for _, label in read_json_lines(folder / LABELS)}
        # Oldest first: a record only names earlier ones.
        records.sort(key=lambda record: record["availableAt"])
        memories = tuple(_memory(record) for record in records)
        questions = tuple(
            _question(query, labels[query["questionId"]]) for _, query in read_json_lines(folder / QUERIES)
        )
    except KeyError as error:
        message = f"{folder} is not coding-memory-v1: {error} is missing"
        raise DataError(message) from error
    left = sum("resolves" in record.get("relations", {}) for record in records)
    past = sum(question.past for question in questions)
    notes = [
        "supersedes and contradicts become relations"
        + (f"; {left} lists of resolved records have no counterpart and are left out" if left else ""),
        f"{past} questions ask for the state of an earlier day; they are asked of today's library like the others",
    ]
    return Dataset("coding-memory-v1", (Corpus("projects", memories, questions).checked(),), tuple(notes))


def _memory(record: Mapping[str, Any]) -> Memory:
    relations = record.get("relations", {})
    superseded = relations.get("supersedes", [])
    if len(superseded) > 1:
        message = f"{record['sourceId']} supersedes {len(superseded)} records; a memory replaces one"
        raise DataError(message)
    return Memory(
        key=record["sourceId"],
        content=record["content"],
        title=record["title"],
        kind=_KINDS.get(record["kind"], "knowledge"),
        project=record["projectId"],
        at=record["occurredAt"],
        supersedes=superseded[0] if superseded else None,
        contradicts=tuple(relations.get("contradicts", ())),
    )


def _question(query: Mapping[str, Any], label: Mapping[str, Any]) -> Question:
    return Question(
        key=query["questionId"],
        text=query["text"],
        expect={judged["sourceId"]: float(judged["grade"]) for judged in label["judgments"] if judged["grade"] > 0},
        category=label["category"],
        project=query["projectId"],
        harmful={harm["sourceId"]: harm["reason"] for harm in label["harmful"]},
        abstain=label["shouldAbstain"],
        answers=tuple(label["answer"]["acceptedText"]),
        past="asOf" in query,
    )
