"""The project log and the questions, as they lie beside this module."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from importlib import resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corecall.records import Importance, Kind


@dataclass(frozen=True, slots=True)
class Memory:
    """A line of the log. Other lines are named by their keys; the library gives ids when they are stored."""

    key: str
    date: str
    title: str
    content: str
    kind: Kind
    tags: tuple[str, ...]
    project: str
    importance: Importance
    parent: str | None = None
    supersedes: str | None = None
    see_also: tuple[str, ...] = ()
    contradicts: tuple[str, ...] = ()
    derived_from: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A question, what its answer shows, and the options of its recall."""

    question: str
    why: str
    options: Mapping[str, Any] = field(default_factory=dict)


def memories() -> list[Memory]:
    """The log, oldest line first: a line only names lines before it."""
    lines = _read("project_log.jsonl").splitlines()
    return [Memory(**_with_tuples(json.loads(line))) for line in lines]


def questions() -> list[Question]:
    """The questions, in the order they are asked."""
    return [Question(**item) for item in json.loads(_read("questions.json"))]


def _read(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _with_tuples(wire: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in wire.items()}
