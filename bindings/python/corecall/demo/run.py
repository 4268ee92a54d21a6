"""Filling a library with the log, and asking it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corecall.demo.log import Memory, Question
    from corecall.library import Library
    from corecall.records import Recall


@dataclass(frozen=True, slots=True)
class Answer:
    """A question and what was recalled for it."""

    question: Question
    recall: Recall


def fill(library: Library, memories: Iterable[Memory]) -> dict[str, str]:
    """Stores the log, and returns the id that each of its keys got.

    All of it is stored now, so the day a line was written is one of its tags.
    """
    ids: dict[str, str] = {}
    for memory in memories:
        remembered = library.remember(
            memory.content,
            title=memory.title,
            kind=memory.kind,
            tags=(*memory.tags, memory.date),
            project=memory.project,
            importance=memory.importance,
            parent=ids[memory.parent] if memory.parent else None,
            supersedes=ids[memory.supersedes] if memory.supersedes else None,
            see_also=[ids[key] for key in memory.see_also],
            contradicts=[ids[key] for key in memory.contradicts],
            derived_from=[ids[key] for key in memory.derived_from],
            # The log knows what it repeats.
            force=True,
        )
        ids[memory.key] = remembered.id
    return ids


def ask(library: Library, questions: Iterable[Question]) -> Iterator[Answer]:
    """Asks one question after the other; what is recalled together is evidence for the later ones."""
    for question in questions:
        yield Answer(question, library.recall(question.question, **question.options))
        # The evidence is stored off the recall's path; here the next question shall see it.
        library.statistics_flush()
