"""Measures of a ranking, and how sure one can be of their means."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corecall.evaluation.dataset import Question

HIT_AT = (1, 5, 10)
RECALL_AT = (5, 10, 20)
HARMFUL_AT = (1, 5, 10)
_NDCG_AT = 10
NDCG, ANSWER_NDCG = f"nDCG@{_NDCG_AT}", f"answer nDCG@{_NDCG_AT}"

_RESAMPLES = 1000
_SEED = 20240229


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over `n` questions, with the 95 % interval of the bootstrap."""

    mean: float
    low: float
    high: float
    n: int


def ranking_metrics(question: Question, ranking: Sequence[str]) -> dict[str, float]:
    """The measures of one ranking, for a question that something answers.

    hit@k: a memory of the highest grade is among the first k. recall@k: which share of those memories is. MRR: one by
    the rank of the first, 0 where the ranking doesn't hold it. nDCG@10 takes all grades, each as it is, over
    log2(rank + 1), divided by the best order's (Järvelin & Kekäläinen 2002); answer nDCG@10 those of the highest only.

    Args:
        question: With its grades.
        ranking: Memories, best first, each once.
    """
    ranks = [rank for rank, key in enumerate(ranking) if key in question.best]
    return {
        **{f"hit@{k}": float(bool(ranks) and ranks[0] < k) for k in HIT_AT},
        **{f"recall@{k}": sum(rank < k for rank in ranks) / len(question.best) for k in RECALL_AT},
        NDCG: _ndcg(question.expect, ranking),
        ANSWER_NDCG: _ndcg(dict.fromkeys(question.best, 1.0), ranking),
        "MRR": 1 / (ranks[0] + 1) if ranks else 0.0,
    }


def misleading_metrics(question: Question, ranking: Sequence[str]) -> dict[str, float]:
    """harmful@k: a misleading memory is among the first k; stale@k: one that was superseded.

    Only those that the question has memories for.
    """
    stale = {key for key, reason in question.harmful.items() if reason == "superseded"}
    return {
        f"{name}@{k}": float(not keys.isdisjoint(ranking[:k]))
        for name, keys in (("harmful", set(question.harmful)), ("stale", stale))
        for k in HARMFUL_AT
        if keys
    }


def _ndcg(grades: Mapping[str, float], ranking: Sequence[str]) -> float:
    best = sorted(grades.values(), reverse=True)[:_NDCG_AT]
    found = [grades.get(key, 0.0) for key in ranking[:_NDCG_AT]]
    return _gain(found) / _gain(best)


def _gain(grades: Sequence[float]) -> float:
    return math.fsum(grade / math.log2(rank + 2) for rank, grade in enumerate(grades))


def estimate(values: Sequence[float]) -> Estimate:
    """The mean, and the 2.5th and 97.5th percentile of the means of 1,000 samples of questions (with a fixed seed).

    For a difference, pass the differences question by question: that is the paired bootstrap.
    """
    n = len(values)
    if not n:
        return Estimate(0.0, 0.0, 0.0, 0)
    mean = math.fsum(values) / n
    if min(values) == max(values):
        return Estimate(mean, mean, mean, n)
    chance = random.Random(_SEED)  # noqa: S311 - sampling, no secret
    means = sorted(math.fsum(chance.choices(values, k=n)) / n for _ in range(_RESAMPLES))
    return Estimate(mean, means[_RESAMPLES // 40], means[_RESAMPLES - 1 - _RESAMPLES // 40], n)
