"""related_business on a resident set of 100,000 snapshots with 20 hits, beside numpy's exact search."""

from __future__ import annotations

import itertools
import time
from typing import TYPE_CHECKING, Any

import numpy as np
from tests.bench import data
from tests.bench.figures import Row, Timing, arguments, met, report, shown, timed

import corecall

if TYPE_CHECKING:
    from numpy.typing import NDArray

COUNT = 100_000
DIMENSIONS = 384
HITS = 20
SEEDS = 3
PER_SEED = 2
MIN_COS = 0.6
PAIRS_PER_HIT = 16
CALLS = 60
CHECKED = 5
# Of counts from 1 to 30 it leaves some ten pairs, so that co-recall leaves room in the budget for neighbours.
FEW_PAIRS = 30
MODEL = "host:bench"
RELATIONS = ["new_version", "old_version", "see_also", "co_recall"]
SEED = 20260301


class Bench:
    """The published set and its vectors."""

    def __init__(self) -> None:
        self.core = corecall.Core()
        self.vectors = data.vectors(COUNT, DIMENSIONS, SEED)
        snapshots = data.snapshots(COUNT, SEED)
        ids = [snapshot["id"] for snapshot in snapshots]
        trivial = {s["id"] for s in snapshots if s["entry"]["importance"] == "trivial"}
        self.hidden = trivial | {s["entry"]["supersedes"] for s in snapshots if "supersedes" in s["entry"]}
        reference = {"$attachment": 0, "dtype": "f32", "shape": [COUNT, DIMENSIONS]}
        payload = {"model": MODEL, "snapshots": snapshots, "vectors": {"ids": ids, "data": reference}}
        start = time.perf_counter()
        self.key = self.core.call("resident_publish", payload, [self.vectors]).result["resident_key"]
        self.publish_seconds = time.perf_counter() - start
        self.hits = [data.seeded(SEED + number).sample(ids, HITS) for number in range(CALLS)]

    def payload(self, number: int, relations: list[str], pair_min: int = 2) -> dict[str, Any]:
        """The request of call `number`: other hits each time, so that nothing can be kept from the last."""
        hits = self.hits[number]
        settings = {"relations": relations, "max": 64, "per_source": 64, "pair_min": pair_min, "min_cos": MIN_COS}
        return {
            "model": MODEL,
            "resident_key": self.key,
            "query": {"text": "why does the indexer retry", "limit": HITS},
            "ids": hits,
            "pairs": data.pairs(hits, COUNT, PAIRS_PER_HIT, number),
            "related_settings": {**settings, "knn_seeds": SEEDS, "knn_per": PER_SEED},
        }

    def time(self, relations: list[str], pair_min: int = 2) -> Timing:
        """Calls through the public Python API, JSON in both directions included."""
        payloads = [self.payload(number, relations, pair_min) for number in range(CALLS)]
        replies: list[list[dict[str, str]]] = []

        def call(number: int) -> None:
            replies.append(self.core.call("related_business", payloads[number]).result["related"])

        timing = timed(call, CALLS)
        # With a budget used up, the last relation would never be looked for.
        asked = sum(any(item["relation"] == relations[-1] for item in related) for related in replies)
        if asked < 0.9 * len(replies):
            message = f"only {asked} of {len(replies)} calls gave {relations[-1]}: the figure would flatter"
            raise AssertionError(message)
        return timing

    def numpy_search(self, number: int) -> list[NDArray[np.intp]]:
        """The exact nearest of the three seeds: one matrix product, one partial sort a seed."""
        rows = [int(hit[1:]) for hit in self.hits[number][:SEEDS]]
        scores = self.vectors @ self.vectors[rows].T
        scores[rows, range(SEEDS)] = -2
        found = []
        for column in range(SEEDS):
            best = np.argpartition(-scores[:, column], PER_SEED)[:PER_SEED]
            found.append(best[np.argsort(-scores[best, column])])
        return found

    def check(self) -> int:
        """Asserts for some calls that the engine's neighbours are the exact ones; the number compared."""
        exact = self.vectors.astype(np.float64)
        compared = 0
        for number in range(CHECKED):
            related = self.core.call("related_business", self.payload(number, ["neighbor"])).result["related"]
            got = [(item["source_id"], item["id"]) for item in related]
            expected = self.expected(exact, self.hits[number])
            if got != expected:
                message = f"call {number}: neighbours {got}, exact search says {expected}"
                raise AssertionError(message)
            compared += len(got)
        return compared

    def expected(self, exact: NDArray[np.float64], hits: list[str]) -> list[tuple[str, str]]:
        """The neighbours of the seeds by contract 1, in double precision."""
        taken = set(hits) | self.hidden
        result = []
        for seed in hits[:SEEDS]:
            scores = exact @ exact[int(seed[1:])]
            best = (data.memory_id(int(row)) for row in np.argsort(-scores) if scores[row] >= MIN_COS)
            found = list(itertools.islice((name for name in best if name not in taken), PER_SEED))
            taken.update(found)
            result += [(seed, name) for name in found]
        return result


def main(*, markdown: bool = False) -> None:
    """Runs the benchmark and prints its table."""
    bench = Bench()
    compared = bench.check()
    without = bench.time(RELATIONS)
    neighbours = bench.time(["neighbor"])
    everything = bench.time([*RELATIONS, "neighbor"], FEW_PAIRS)
    numpy_timing = timed(bench.numpy_search, CALLS)
    ratio = f"{numpy_timing.p50 / neighbours.p50:.2f} × numpy's speed"
    report(
        f"related_business, {COUNT:,} resident snapshots, {HITS} hits ({compared} neighbours checked against exact)",
        [
            Row("without neighbours", shown(without.p50), shown(without.p95), met(without.p50, 0.005)),
            Row("neighbours of 3 seeds alone", shown(neighbours.p50), shown(neighbours.p95), "", ratio),
            Row(
                "all five relations, neighbours included",
                shown(everything.p50),
                shown(everything.p95),
                met(everything.p50, 0.060),
            ),
            Row("peer: numpy, the same 3 seeds", shown(numpy_timing.p50), shown(numpy_timing.p95)),
            Row("resident_publish of the set, once", shown(bench.publish_seconds)),
        ],
        peers=["numpy"],
        markdown=markdown,
    )
    bench.core.close()


if __name__ == "__main__":
    main(markdown=arguments().markdown)
