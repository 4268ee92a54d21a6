"""Data of the formats that `corecall eval` reads, made up for the tests."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def write_lines(path: Path, lines: Iterable[Any]) -> Path:
    """A JSON Lines file."""
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return path


def locomo(path: Path) -> Path:
    """Two conversations of two sessions, with the slips that the real file has."""
    first = {
        "session_2": [
            {"speaker": "Ada", "dia_id": "D2:1", "text": "The kiln cracked during the glaze firing."},
            {"speaker": "Bo", "dia_id": "D2:2", "text": "Look at this bowl!", "blip_caption": "a turquoise bowl"},
        ],
        "session_2_date_time": "9:30 am on 4 March, 2025",
        "session_1": [
            {"speaker": "Ada", "dia_id": "D1:1", "text": "I bought a second-hand kiln from the school."},
            {"speaker": "Bo", "dia_id": "D1:2", "text": "Nice weather today."},
        ],
        "session_1_date_time": "8:00 pm on 1 March, 2025",
        "speaker_a": "Ada",
    }
    second = {
        "session_1": [{"speaker": "Cy", "dia_id": "D1:1", "text": "My ferry to Kråkö leaves at dawn."}],
        "session_1_date_time": "7:00 am on 2 May, 2025",
    }
    samples = [
        {
            "sample_id": "pots",
            "conversation": first,
            "qa": [
                {
                    "question": "Where did Ada buy the kiln?",
                    "answer": "the school",
                    "evidence": ["D1:1"],
                    "category": 4,
                },
                {"question": "What happened to the kiln?", "answer": 1, "evidence": ["D:2:1; D1:01"], "category": 1},
                {"question": "Which colour has the bowl?", "answer": "turquoise", "evidence": ["D2:2"], "category": 2},
                {"question": "Who sold the wheel?", "evidence": ["D2:2"], "category": 5, "adversarial_answer": "Bo"},
                {"question": "Is it lost?", "answer": "yes", "evidence": ["D9:9", "D"], "category": 4},
            ],
        },
        {
            "sample_id": "ferry",
            "conversation": second,
            "qa": [{"question": "When does the ferry leave?", "answer": "dawn", "evidence": ["D1:1"], "category": 4}],
        },
    ]
    path.write_text(json.dumps(samples), encoding="utf-8")
    return path


def coding_memory(folder: Path) -> Path:
    """Five records of two projects, one of them replaced, and four questions."""
    records = [
        _record("r2", "p1", 2, "Current store", "Larkspur keeps its data in Postgres.", supersedes=["r1"]),
        _record("r1", "p1", 1, "First store", "Larkspur keeps its data in SQLite."),
        _record("r3", "p1", 3, "Doubt", "A note says Larkspur keeps its data in MySQL.", contradicts=["r2"]),
        _record("r4", "p2", 4, "Store", "Foxglove keeps its data in Redis.", resolves=["r3"]),
        _record("r5", "p1", 5, "Reason", "SQLite locked Larkspur's writers out."),
    ]
    asked = [
        ("q1", "p1", "Where does Larkspur keep its data?", None),
        ("q2", "p1", "Where did Larkspur keep its data before?", "2025-01-01T12:00:00Z"),
        ("q3", "p2", "What does Foxglove cost?", None),
        ("q4", "p2", "zebra xylophone", None),
    ]
    labels = [
        _label("q1", "Postgres", {"r2": 3, "r5": 2}, {"r1": "superseded", "r3": "contradicted"}),
        _label("q2", "SQLite", {"r1": 3}, {"r2": "future"}),
        _label("q3", "unknown", {}, {"r4": "cross_project"}),
        _label("q4", "unknown", {}, {}),
    ]
    folder.mkdir()
    write_lines(folder / "normalized-records.ndjson", records)
    queries = [
        {"questionId": id, "projectId": project, "text": text, **({"asOf": as_of} if as_of else {})}
        for id, project, text, as_of in asked
    ]
    write_lines(folder / "queries.ndjson", queries)
    write_lines(folder / "question-labels.ndjson", labels)
    return folder


def _record(id: str, project: str, day: int, title: str, content: str, **relations: list[str]) -> dict[str, Any]:
    at = f"2025-01-{day:02}T00:00:00Z"
    record: dict[str, Any] = {"sourceId": id, "projectId": project, "occurredAt": at, "availableAt": at}
    record |= {"kind": "state", "title": title, "content": content}
    return {**record, "relations": relations} if relations else record


def _label(id: str, answer: str, grades: dict[str, int], harmful: dict[str, str]) -> dict[str, Any]:
    return {
        "questionId": id,
        "category": "abstention" if not grades else "state",
        "shouldAbstain": not grades,
        "answer": {"kind": "string", "canonical": answer, "acceptedText": [answer]},
        "judgments": [{"sourceId": key, "grade": grade} for key, grade in grades.items()],
        "harmful": [{"sourceId": key, "reason": reason} for key, reason in harmful.items()],
    }


MEMORIES: list[dict[str, Any]] = [
    {"id": "old", "content": "Deploys run on Fridays.", "title": "Deploy day", "kind": "decision", "at": "in March"},
    {"id": "new", "content": "Releases go out on Tuesdays, after the smoke tests.", "supersedes": "old"},
    {"id": "undo", "content": "Rolling back takes one command: make undo.", "see_also": ["new"], "tags": ["ops"]},
    {"id": "tea", "content": "The kitchen has green tea.", "project": "office", "importance": "normal"},
]
QUESTIONS: list[dict[str, Any]] = [
    {
        "query": "When do deploys run?",
        "expect": ["new"],
        "harmful": {"old": "superseded"},
        "answer": "on Tuesdays",
        "id": "when",
        "category": "time",
    },
    {"query": "How are releases on Tuesdays undone?", "expect": {"undo": 2, "new": 1}, "answer": ["make undo"]},
    {"query": "What is there to drink?", "abstain": True, "project": "plant"},
]


def own(folder: Path) -> tuple[Path, Path]:
    """Questions of one's own, and the memories they are asked of."""
    return write_lines(folder / "questions.jsonl", QUESTIONS), write_lines(folder / "memories.jsonl", MEMORIES)
