"""One's own questions: two JSON Lines files, one of memories and one of questions.

A memory: `{"id": "m1", "content": "…"}`, and as wanted `title`, `kind`, `tags`, `project`, `importance`, `at`,
`parent`, `supersedes`, `see_also`, `contradicts`, `derived_from`, which name memories of lines above.

A question: `{"query": "…", "expect": ["m1"]}`, or `"expect": {"m1": 3, "m2": 1}` with grades, or `"abstain": true`
where nothing stored answers it; and as wanted `id`, `category`, `project`, `harmful` (a list, or memory → reason),
`answer` (a text or several), `past` (true where an earlier state is asked for).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corecall.evaluation.dataset import Corpus, DataError, Dataset, Memory, Question, read_json_lines

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_TEXTS = ("title", "kind", "project", "importance", "at", "parent", "supersedes")
_LISTS = ("tags", "see_also", "contradicts", "derived_from")
_MEMORY = frozenset({"id", "content", *_TEXTS, *_LISTS})
_QUESTION = frozenset({"query", "expect", "id", "category", "project", "harmful", "abstain", "answer", "past"})


def load_json_lines(questions: Path, corpus: Path) -> Dataset:
    """Reads a file of questions and the file of memories they are asked of.

    Raises:
        DataError: A line is not of the format, or names what isn't there.
    """
    memories = tuple(_memory(place, line) for place, line in read_json_lines(corpus))
    asked = tuple(_question(place, line) for place, line in read_json_lines(questions))
    if not memories or not asked:
        message = f"{corpus if not memories else questions} has no line"
        raise DataError(message)
    return Dataset(questions.name, (Corpus(corpus.name, memories, asked).checked(),))


def _memory(place: str, line: Mapping[str, Any]) -> Memory:
    _known(place, line, _MEMORY)
    texts = {name: _text(place, line, name) for name in _TEXTS if line.get(name) is not None}
    lists = {name: tuple(_names(place, line, name)) for name in _LISTS if name in line}
    fields: dict[str, Any] = {**texts, **lists}
    return Memory(_text(place, line, "id"), _text(place, line, "content"), **fields)


def _question(place: str, line: Mapping[str, Any]) -> Question:
    _known(place, line, _QUESTION)
    return Question(
        key=_text(place, line, "id") if "id" in line else place,
        text=_text(place, line, "query"),
        expect=_grades(place, line),
        category=_text(place, line, "category") if "category" in line else "",
        project=_text(place, line, "project") if line.get("project") is not None else None,
        harmful=_harmful(place, line),
        abstain=_flag(place, line, "abstain"),
        answers=_answers(place, line),
        past=_flag(place, line, "past"),
    )


def _known(place: str, line: Mapping[str, Any], names: frozenset[str]) -> None:
    unknown = sorted(line.keys() - names)
    if unknown:
        raise _wrong(place, f"knows no {unknown[0]!r}; there are {', '.join(sorted(names))}")


def _text(place: str, line: Mapping[str, Any], name: str) -> str:
    value = line.get(name)
    if not isinstance(value, str) or not value:
        raise _wrong(place, f"{name} must be a text")
    return value


def _flag(place: str, line: Mapping[str, Any], name: str) -> bool:
    value = line.get(name, False)
    if not isinstance(value, bool):
        raise _wrong(place, f"{name} must be true or false")
    return value


def _names(place: str, line: Mapping[str, Any], name: str) -> list[str]:
    value = line[name]
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise _wrong(place, f"{name} must be a list of texts")
    return value


def _grades(place: str, line: Mapping[str, Any]) -> dict[str, float]:
    value = line.get("expect", [])
    if not isinstance(value, dict):
        return dict.fromkeys(_names(place, {"expect": value}, "expect"), 1.0)
    for grade in value.values():
        if isinstance(grade, bool) or not isinstance(grade, (int, float)) or not 0 < grade <= 100:
            raise _wrong(place, "a grade of expect must be a number above 0, up to 100")
    return {key: float(grade) for key, grade in value.items()}


def _harmful(place: str, line: Mapping[str, Any]) -> dict[str, str]:
    value = line.get("harmful", [])
    if not isinstance(value, dict):
        return dict.fromkeys(_names(place, {"harmful": value}, "harmful"), "harmful")
    return {key: _text(place, value, key) for key in value}


def _answers(place: str, line: Mapping[str, Any]) -> tuple[str, ...]:
    value = line.get("answer", [])
    return tuple(_names(place, {"answer": [value] if isinstance(value, str) else value}, "answer"))


def _wrong(place: str, what: str) -> DataError:
    return DataError(f"{place}: {what}")
