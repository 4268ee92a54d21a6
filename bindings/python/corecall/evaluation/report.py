"""What was measured, as records: the JSON of `corecall eval`, and what its tables are made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import corecall
from corecall.evaluation.metrics import Estimate, estimate, misleading_metrics, ranking_metrics
from corecall.evaluation.run import SHOWN_AT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from corecall.evaluation.answers import Answers
    from corecall.evaluation.dataset import Dataset, Question
    from corecall.evaluation.run import Asked, Setting

CAUTION = (
    "hit@5, and every other measure of the ranking, says nothing about associations: they stand beside the hits and "
    "never change them. What they add is the evidence they show, compared with as many more hits."
)
"""Stands in every report."""

_THRESHOLDS = tuple(step / 20 for step in range(13))
_HARMFUL_AT = 5


@dataclass(frozen=True, slots=True)
class Group:
    """Measures over the questions of one group, by name."""

    name: str
    questions: int
    metrics: Mapping[str, Estimate]


@dataclass(frozen=True, slots=True)
class Shown:
    """Evidence found when `hits` are asked for, alone, with associations, and with as many more hits in their place.

    Attributes:
        hits: How many were asked for.
        associations: How many stood beside them, on average.
        alone: Share of the question's evidence among the hits.
        with_associations: The same among hits and associations.
        with_more_hits: The same among as many hits as hits and associations were.
        gain: `with_associations` less `with_more_hits`, question by question.
        per_item: Evidence found per memory shown, with associations.
        per_item_more_hits: The same with more hits.
        harmful: Share of the questions with misleading memories that are shown one, with associations.
        harmful_more_hits: The same with more hits.
    """

    hits: int
    associations: float
    alone: Estimate
    with_associations: Estimate
    with_more_hits: Estimate
    gain: Estimate
    per_item: float
    per_item_more_hits: float
    harmful: Estimate
    harmful_more_hits: Estimate


@dataclass(frozen=True, slots=True)
class Threshold:
    """What a `min_score` does: the share of questions that get nothing, and what it costs.

    Attributes:
        min_score: The threshold.
        silent: Share of the questions that nothing answers which get nothing.
        silent_foreign: The same for questions that belong to another corpus.
        hit_at_5: hit@5 of the questions that something answers.
    """

    min_score: float
    silent: Estimate
    silent_foreign: Estimate
    hit_at_5: Estimate


@dataclass(frozen=True, slots=True)
class Measured:
    """One setting.

    Attributes:
        name: Its name.
        groups: The ranking: over all questions that something answers, then over parts of them.
        misleading: harmful@k and stale@k over all questions that name such memories, answered or not.
        misleading_now: harmful@k and stale@k over those of them that don't ask for an earlier state.
        harmful_at_5: The same by reason: questions with a memory of that reason among their first five hits.
        shown: Associations against more hits.
        thresholds: What a `min_score` does.
        same_hits: Share of the questions whose hits were the same with associations off and on.
    """

    name: str
    groups: tuple[Group, ...]
    misleading: Mapping[str, Estimate]
    misleading_now: Mapping[str, Estimate]
    harmful_at_5: Mapping[str, Estimate]
    shown: tuple[Shown, ...]
    thresholds: tuple[Threshold, ...]
    same_hits: float


@dataclass(frozen=True, slots=True)
class Report:
    """An evaluation. Shares are from 0 to 1."""

    dataset: str
    notes: tuple[str, ...]
    version: str
    model: str
    corpora: int
    memories: int
    questions: int
    relations: tuple[str, ...]
    settings: tuple[Measured, ...]
    caution: str = CAUTION
    answers: Answers | None = field(default=None)


def report(
    dataset: Dataset,
    model: str,
    asked: Mapping[Setting, Sequence[Asked]],
    *,
    relations: Sequence[str],
    answers: Answers | None = None,
) -> Report:
    """Sums up what came for the questions.

    Args:
        dataset: That was asked.
        model: The library's model.
        asked: Setting → what came.
        relations: The labels that associations could have.
        answers: The comparison of end-to-end answers, if it was made.
    """
    return Report(
        dataset=dataset.name,
        notes=dataset.notes,
        version=corecall.__version__,
        model=model,
        corpora=len(dataset.corpora),
        memories=sum(len(corpus.memories) for corpus in dataset.corpora),
        questions=sum(len(corpus.questions) for corpus in dataset.corpora),
        relations=tuple(relations),
        settings=tuple(_measured(setting.name, rows) for setting, rows in asked.items()),
        answers=answers,
    )


def _measured(name: str, rows: Sequence[Asked]) -> Measured:
    own = [row for row in rows if not row.foreign]
    answerable = [row for row in own if row.question.expect]
    return Measured(
        name=name,
        groups=tuple(_groups(own)),
        misleading=_means(own, misleading_metrics),
        misleading_now=_means([row for row in own if not row.question.past], misleading_metrics),
        harmful_at_5=_means(own, _reasons),
        shown=tuple(_shown(answerable, own, hits) for hits in SHOWN_AT),
        thresholds=tuple(_threshold(rows, value) for value in _THRESHOLDS),
        same_hits=sum(row.same_hits for row in own) / max(len(own), 1),
    )


def _groups(rows: Sequence[Asked]) -> Iterable[Group]:
    answerable = [row for row in rows if row.question.expect]
    yield _group("all", answerable)
    past = [row for row in answerable if row.question.past]
    if past:
        yield _group("current state", [row for row in answerable if not row.question.past])
        yield _group("earlier state", past)
    categories = sorted({row.question.category for row in answerable})
    if len(categories) > 1:
        for category in categories:
            yield _group(category or "(none)", [row for row in answerable if row.question.category == category])


def _group(name: str, rows: Sequence[Asked]) -> Group:
    return Group(name, len(rows), _means(rows, ranking_metrics))


def _means(
    rows: Iterable[Asked], metrics: Callable[[Question, Sequence[str]], Mapping[str, float]]
) -> dict[str, Estimate]:
    """Each measure's mean over the questions that have it."""
    values: dict[str, list[float]] = {}
    for row in rows:
        for metric, value in metrics(row.question, row.ranking).items():
            values.setdefault(metric, []).append(value)
    return {metric: estimate(found) for metric, found in values.items()}


def _reasons(question: Question, ranking: Sequence[str]) -> dict[str, float]:
    first = ranking[:_HARMFUL_AT]
    reasons = sorted(set(question.harmful.values()))
    return {reason: float(any(question.harmful.get(key) == reason for key in first)) for reason in reasons}


def _shown(answerable: Sequence[Asked], rows: Sequence[Asked], hits: int) -> Shown:
    alone = [_evidence(row, row.ranking[:hits]) for row in answerable]
    with_associations = [_evidence(row, _beside(row, hits)) for row in answerable]
    with_more_hits = [_evidence(row, _more(row, hits)) for row in answerable]
    misled = [row for row in rows if row.question.harmful]
    return Shown(
        hits=hits,
        associations=sum(len(row.associations[hits]) for row in answerable) / max(len(answerable), 1),
        alone=estimate(alone),
        with_associations=estimate(with_associations),
        with_more_hits=estimate(with_more_hits),
        gain=estimate([one - other for one, other in zip(with_associations, with_more_hits, strict=True)]),
        per_item=_per_item((row, _beside(row, hits)) for row in answerable),
        per_item_more_hits=_per_item((row, _more(row, hits)) for row in answerable),
        harmful=estimate([_misleads(row, _beside(row, hits)) for row in misled]),
        harmful_more_hits=estimate([_misleads(row, _more(row, hits)) for row in misled]),
    )


def _beside(row: Asked, hits: int) -> tuple[str, ...]:
    return row.ranking[:hits] + row.associations[hits]


def _more(row: Asked, hits: int) -> tuple[str, ...]:
    return row.ranking[: hits + len(row.associations[hits])]


def _evidence(row: Asked, shown: Sequence[str]) -> float:
    """Which share of what the question expects, of any grade, is shown."""
    return len(row.question.expect.keys() & set(shown)) / len(row.question.expect)


def _misleads(row: Asked, shown: Sequence[str]) -> float:
    return float(not row.question.harmful.keys().isdisjoint(shown))


def _per_item(rows: Iterable[tuple[Asked, Sequence[str]]]) -> float:
    found = items = 0
    for row, shown in rows:
        found += len(row.question.expect.keys() & set(shown))
        items += len(shown)
    return found / max(items, 1)


def _threshold(rows: Sequence[Asked], value: float) -> Threshold:
    silent, foreign, hit = [], [], []
    for row in rows:
        # A score doesn't depend on min_score: those below it are what it takes away.
        kept = [key for key, score in zip(row.ranking, row.scores, strict=True) if score >= value]
        if row.foreign:
            foreign.append(float(not kept))
        elif row.question.abstain:
            silent.append(float(not kept))
        else:
            hit.append(ranking_metrics(row.question, kept)["hit@5"])
    return Threshold(value, estimate(silent), estimate(foreign), estimate(hit))
