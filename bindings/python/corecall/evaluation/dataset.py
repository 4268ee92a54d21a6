"""What is measured: memories, and questions that say which of them they expect."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from corecall.records import Importance, Kind


class DataError(ValueError):
    """A file of memories or questions can't be read as one; the message says where and what to do."""


@dataclass(frozen=True, slots=True)
class Memory:
    """A memory to store. Others are named by their keys; the library gives ids when they are stored.

    `at` says when it was written, in any words: an answer is shown it, the ranking isn't.
    """

    key: str
    content: str
    title: str | None = None
    kind: Kind = "knowledge"
    tags: tuple[str, ...] = ()
    project: str = ""
    importance: Importance = "important"
    at: str = ""
    parent: str | None = None
    supersedes: str | None = None
    see_also: tuple[str, ...] = ()
    contradicts: tuple[str, ...] = ()
    derived_from: tuple[str, ...] = ()

    @property
    def targets(self) -> tuple[str, ...]:
        """The memories its relations name."""
        single = [key for key in (self.parent, self.supersedes) if key is not None]
        return (*single, *self.see_also, *self.contradicts, *self.derived_from)


@dataclass(frozen=True, slots=True)
class Question:
    """A question.

    Attributes:
        key: Its name in the data.
        text: What is asked.
        expect: Memory → grade, above 0; the memories of the highest grade are the answer, the others support it.
        category: A group of the report.
        project: The scope it is asked in, if any.
        harmful: Memory → why it misleads, for example `superseded`.
        abstain: Nothing stored answers it.
        answers: Texts that are right, for end-to-end answers.
        past: It asks for an earlier state, so that what is current is wrong.
    """

    key: str
    text: str
    expect: Mapping[str, float]
    category: str = ""
    project: str | None = None
    harmful: Mapping[str, str] = field(default_factory=dict)
    abstain: bool = False
    answers: tuple[str, ...] = ()
    past: bool = False

    @property
    def best(self) -> frozenset[str]:
        """The memories of the highest grade."""
        top = max(self.expect.values(), default=0.0)
        return frozenset(key for key, grade in self.expect.items() if grade == top)


@dataclass(frozen=True, slots=True)
class Corpus:
    """Memories that are searched together, a memory only naming those before it, and the questions to them."""

    name: str
    memories: tuple[Memory, ...]
    questions: tuple[Question, ...]

    def checked(self) -> Corpus:
        """Itself.

        Raises:
            DataError: A key stands twice, or something names a memory that isn't there, or not yet.
        """
        known: set[str] = set()
        for memory in self.memories:
            if memory.key in known:
                message = f"{self.name}: the memory {memory.key!r} stands twice"
                raise DataError(message)
            for target in memory.targets:
                if target not in known:
                    message = f"{self.name}: {memory.key!r} names {target!r}, which is no memory that stands before it"
                    raise DataError(message)
            known.add(memory.key)
        for question in self.questions:
            if not question.expect and not question.abstain:
                message = f'{self.name}: the question {question.key!r} expects nothing; say so by "abstain": true'
                raise DataError(message)
            for key in (*question.expect, *question.harmful):
                if key not in known:
                    message = f"{self.name}: the question {question.key!r} names the memory {key!r}, which isn't there"
                    raise DataError(message)
        return self


@dataclass(frozen=True, slots=True)
class Dataset:
    """Corpora under one name; `notes` say what of the data was repaired, dropped or left aside."""

    name: str
    corpora: tuple[Corpus, ...]
    notes: tuple[str, ...] = ()

    @property
    def has_relations(self) -> bool:
        """Whether any memory names another."""
        return any(memory.targets for corpus in self.corpora for memory in corpus.memories)


def read_json_lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of a JSON Lines file, each with its place (`file:line`); empty lines are passed over.

    Raises:
        DataError: The file can't be read, or a line is no JSON object.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        message = f"{path} can't be read: {error}"
        raise DataError(message) from error
    # Not splitlines: a JSON text may hold U+2028 as it is.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        place = f"{path.name}:{number}"
        try:
            value = json.loads(line)
        except ValueError as error:
            message = f"{place} is no JSON: {error}"
            raise DataError(message) from error
        if not isinstance(value, dict):
            message = f"{place} is no JSON object"
            raise DataError(message)
        yield place, value
