"""Measures equal hand-counted ones and a naive twin."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corecall.evaluation import Question, estimate, misleading_metrics, ranking_metrics

KEYS = [f"m{number}" for number in range(30)]


def question(expect: dict[str, float], harmful: dict[str, str] | None = None) -> Question:
    return Question("q", "?", expect, harmful=harmful or {})


def test_a_ranking_counted_by_hand() -> None:
    metrics = ranking_metrics(question({"b": 3.0, "d": 3.0, "e": 1.0}), ["a", "b", "c", "x", "y", "e", "d"])
    assert metrics["hit@1"] == 0.0
    assert metrics["hit@5"] == 1.0
    assert metrics["recall@5"] == 0.5
    assert metrics["recall@10"] == 1.0
    assert metrics["MRR"] == 0.5
    found = 3 / math.log2(3) + 1 / math.log2(7) + 3 / math.log2(8)
    best = 3 / math.log2(2) + 3 / math.log2(3) + 1 / math.log2(4)
    assert metrics["nDCG@10"] == pytest.approx(found / best)
    answer = (1 / math.log2(3) + 1 / math.log2(8)) / (1 + 1 / math.log2(3))
    assert metrics["answer nDCG@10"] == pytest.approx(answer)


def test_nothing_found_is_nothing() -> None:
    assert set(ranking_metrics(question({"b": 1.0}), []).values()) == {0.0}


def test_what_misleads_is_counted_where_it_is_named() -> None:
    named = question({"b": 1.0}, {"old": "superseded", "odd": "contradicted"})
    metrics = misleading_metrics(named, ["odd", "b", "x", "old"])
    assert metrics == {
        "harmful@1": 1.0,
        "harmful@5": 1.0,
        "harmful@10": 1.0,
        "stale@1": 0.0,
        "stale@5": 1.0,
        "stale@10": 1.0,
    }
    assert misleading_metrics(question({"b": 1.0}), ["b"]) == {}
    assert "stale@5" not in misleading_metrics(question({"b": 1.0}, {"x": "future"}), ["b"])


grades = st.dictionaries(st.sampled_from(KEYS), st.sampled_from([1.0, 2.0, 3.0]), min_size=1, max_size=15)


@given(grades, st.permutations(KEYS))
def test_measures_equal_a_naive_twin(expect: dict[str, float], ranking: list[str]) -> None:
    metrics = ranking_metrics(question(expect), ranking)
    best = [key for key in expect if expect[key] == max(expect.values())]
    for k in (1, 5, 10):
        assert metrics[f"hit@{k}"] == (1.0 if any(key in best for key in ranking[:k]) else 0.0)
    for k in (5, 10, 20):
        assert metrics[f"recall@{k}"] == len([key for key in ranking[:k] if key in best]) / len(best)
    assert metrics["MRR"] == max(1 / (ranking.index(key) + 1) for key in best)
    dcg = sum(expect.get(key, 0) / math.log2(place) for place, key in enumerate(ranking[:10], start=2))
    ideal = sum(grade / math.log2(place) for place, grade in enumerate(sorted(expect.values())[::-1][:10], start=2))
    assert metrics["nDCG@10"] == pytest.approx(dcg / ideal)
    assert 0.0 <= metrics["nDCG@10"] <= 1.0 + 1e-12


def test_an_interval_holds_the_mean_and_is_the_same_each_time() -> None:
    values = [0.0, 1.0, 1.0, 0.0, 1.0] * 40
    made = estimate(values)
    assert made == estimate(values)
    assert made.mean == pytest.approx(0.6)
    # The normal approximation gives 0.6 ± 0.068.
    assert made.low == pytest.approx(0.532, abs=0.02)
    assert made.high == pytest.approx(0.668, abs=0.02)


@pytest.mark.parametrize(("values", "mean"), [([], 0.0), ([0.25], 0.25), ([1.0, 1.0], 1.0)])
def test_without_spread_there_is_no_width(values: list[float], mean: float) -> None:
    made = estimate(values)
    assert (made.mean, made.low, made.high, made.n) == (mean, mean, mean, len(values))
