"""End-to-end answers: one model answers the same questions from hits alone, with associations, and from more hits."""

from __future__ import annotations

import random
import re
import string
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corecall.evaluation.metrics import Estimate, estimate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from corecall.evaluation.dataset import Memory, Question
    from corecall.evaluation.provider import Provider
    from corecall.evaluation.run import Asked, Setting

ARMS = ("hits alone", "with associations", "as many more hits")

_SYSTEM = (
    "Answer the question from the memories alone, in a few words, without a sentence around them. "
    "If they don't hold the answer, reply: unknown"
)
_UNKNOWN = "unknown"
_SEED = 20240229
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


@dataclass(frozen=True, slots=True)
class Arm:
    """Answers from one choice of memories.

    Attributes:
        name: What the model was shown.
        questions: How many something answers.
        shown: Memories shown, on average.
        f1: Overlap of words with the right answer (Rajpurkar et al. 2016), over those questions.
        contains: Share of them whose answer holds a right text.
        abstained: Share of the questions that nothing answers on which the model said so.
        gain: F1 less that of hits alone, question by question; None for hits alone.
    """

    name: str
    questions: int
    shown: float
    f1: Estimate
    contains: Estimate
    abstained: Estimate
    gain: Estimate | None


@dataclass(frozen=True, slots=True)
class Answers:
    """The comparison, and through whom it was made."""

    provider: str
    provider_model: str
    setting: str
    hits: int
    calls: int
    with_associations: int
    arms: tuple[Arm, ...]


def sample(rows: Iterable[Asked], most: int) -> list[Asked]:
    """At most so many of the questions that have a right answer, drawn with a fixed seed, in their order."""
    able = [row for row in rows if not row.foreign and (row.question.answers or row.question.abstain)]
    if len(able) <= most:
        return able
    drawn = random.Random(_SEED).sample(range(len(able)), most)  # noqa: S311 - sampling, no secret
    return [able[place] for place in sorted(drawn)]


def compare_answers(
    rows: Sequence[Asked],
    setting: Setting,
    provider: Provider,
    *,
    hits: int,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> Answers:
    """Has the model answer each question three times, or once where no association makes a difference.

    Args:
        rows: What came for the questions.
        setting: How they were asked.
        provider: Who answers.
        hits: How many hits the model is shown; one of `SHOWN_AT`.
        progress: Told questions done and in all.
    """
    given: list[list[str]] = []
    calls = 0
    for done, row in enumerate(rows):
        progress(done, len(rows))
        known: dict[tuple[str, ...], str] = {}
        for keys in _contexts(row, hits):
            if keys not in known:
                known[keys] = provider.complete(_SYSTEM, prompt(row, keys))
                calls += 1
        given.append([known[keys] for keys in _contexts(row, hits)])
    return Answers(
        provider=provider.name,
        provider_model=provider.model,
        setting=setting.name,
        hits=hits,
        calls=calls,
        with_associations=sum(bool(row.associations[hits]) for row in rows),
        arms=tuple(_arm(number, rows, given, hits) for number in range(len(ARMS))),
    )


def prompt(row: Asked, keys: Sequence[str]) -> str:
    """What the model is shown: memories with their time, and the question."""
    memories = {memory.key: memory for memory in row.corpus.memories}
    lines = [f"{number}. {_told(memories[key])}" for number, key in enumerate(keys, start=1)]
    return "\n".join(["Memories:", *(lines or ["(none)"]), "", f"Question: {row.question.text}"])


def f1(answer: str, right: Sequence[str]) -> float:
    """The best overlap of words with one of the right texts, as in SQuAD: case, punctuation and articles aside."""
    return max((_overlap(_words(answer), _words(text)) for text in right), default=0.0)


def contains(answer: str, right: Sequence[str]) -> bool:
    """Whether the words of a right text stand in the answer, in a row."""
    said = f" {' '.join(_words(answer))} "
    return any(words and f" {' '.join(words)} " in said for words in map(_words, right))


def abstains(answer: str) -> bool:
    """Whether the answer is that there is none."""
    return _words(answer) == [_UNKNOWN]


def _contexts(row: Asked, hits: int) -> tuple[tuple[str, ...], ...]:
    beside = row.associations[hits]
    return row.ranking[:hits], row.ranking[:hits] + beside, row.ranking[: hits + len(beside)]


def _told(memory: Memory) -> str:
    at = f"[{memory.at}] " if memory.at else ""
    title = f"{memory.title}: " if memory.title else ""
    return f"{at}{title}{memory.content}"


def _arm(number: int, rows: Sequence[Asked], given: Sequence[Sequence[str]], hits: int) -> Arm:
    answerable = [(row, said) for row, said in zip(rows, given, strict=True) if not row.question.abstain]
    others = [said for row, said in zip(rows, given, strict=True) if row.question.abstain]
    scores = [_f1(row.question, said[number]) for row, said in answerable]
    alone = [_f1(row.question, said[0]) for row, said in answerable]
    return Arm(
        name=ARMS[number],
        questions=len(answerable),
        shown=sum(len(_contexts(row, hits)[number]) for row in rows) / max(len(rows), 1),
        f1=estimate(scores),
        contains=estimate([float(contains(said[number], row.question.answers)) for row, said in answerable]),
        abstained=estimate([float(abstains(said[number])) for said in others]),
        gain=estimate([one - other for one, other in zip(scores, alone, strict=True)]) if number else None,
    )


def _f1(question: Question, answer: str) -> float:
    return f1(answer, question.answers)


def _words(text: str) -> list[str]:
    return _ARTICLES.sub(" ", text.casefold().translate(_PUNCTUATION)).split()


def _overlap(said: Sequence[str], right: Sequence[str]) -> float:
    if not said or not right:
        return float(said == right)
    same = sum((Counter(said) & Counter(right)).values())
    return 2 * same / (len(said) + len(right))
