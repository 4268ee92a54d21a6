"""Exact nearest vectors: the index of the core against the exact searches of its peers, in one run on the same data.

`python -m tests.bench.vector_search --vectors FILE.npy` takes unit vectors of real texts; the last 100 are the queries.
"""

from __future__ import annotations

import argparse
import importlib
import os
import subprocess
import tempfile
import time
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from tests.bench.data import vectors
from tests.bench.figures import Row, Timing, report, shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Search = Callable[[Floats], Any]

DIMENSIONS = 384
K = 10
QUERIES = 100
ROUNDS = 3
ROOT = Path(__file__).parents[2]


def numpy_search(data: Floats) -> Search:
    """One product, a partial sort."""

    def search(query: Floats) -> Any:
        scores = data @ query
        best = np.argpartition(scores, -K)[-K:]
        return best[np.argsort(-scores[best])]

    return search


def faiss_search(data: Floats) -> Search:
    """IndexFlatIP."""
    faiss: Any = importlib.import_module("faiss")
    faiss.omp_set_num_threads(1)
    index = faiss.IndexFlatIP(data.shape[1])
    index.add(data)
    return lambda query: index.search(query[None], K)[1][0]


def usearch_search(data: Floats) -> Search:
    """The exact search of usearch."""
    usearch: Any = importlib.import_module("usearch.index")

    def search(query: Floats) -> Any:
        found = usearch.search(data, query[None], K, usearch.MetricKind.IP, exact=True, threads=1)
        return np.ravel(found.keys)

    return search


PEERS = {"numpy": numpy_search, "faiss-cpu": faiss_search, "usearch": usearch_search}


def near_duplicates(count: int) -> Floats:
    """Vectors in groups of twenty that differ by a hundredth."""
    chance = np.random.default_rng(3)
    base = vectors(count // 20 + 1, DIMENSIONS, 4)
    noise = chance.standard_normal((count, DIMENSIONS), dtype=np.float32) * np.float32(0.01 / DIMENSIONS**0.5)
    return unit(base[chance.integers(0, len(base), count)] + noise)


def random_directions(count: int) -> Floats:
    """Every direction alike."""
    return unit(np.random.default_rng(5).standard_normal((count, DIMENSIONS), dtype=np.float32))


def unit(data: Floats) -> Floats:
    """The same at unit length."""
    scaled: Floats = data / np.linalg.norm(data, axis=1, keepdims=True)
    return scaled.astype(np.float32, copy=False)


def multiplied(real: Floats, count: int) -> Floats:
    """As many vectors as asked for: the real ones, and beyond them mixtures of two with a little noise."""
    if len(real) >= count:
        return real[:count]
    chance = np.random.default_rng(6)
    parts = [real]
    for start in range(len(real), count, 100_000):
        some = min(100_000, count - start)
        first, second = (real[chance.integers(0, len(real), some)] for _ in range(2))
        share = chance.uniform(0.1, 0.5, (some, 1)).astype(np.float32)
        noise = chance.standard_normal((some, real.shape[1]), dtype=np.float32) * np.float32(0.15 / DIMENSIONS**0.5)
        parts.append(unit((1 - share) * first + share * second + noise))
    mixed: Floats = np.concatenate(parts)
    return mixed[chance.permutation(count)]


def ours(data: Floats, queries: Floats, program: Path) -> tuple[str, list[float], list[list[int]]]:
    """Kernels, the best seconds of each query, and the rows found."""
    with tempfile.TemporaryDirectory() as folder:
        names = [Path(folder) / name for name in ("vectors", "queries")]
        for name, array in zip(names, (data, queries), strict=True):
            array.astype("<f4").tofile(name)
        command = [str(program), *map(str, names), str(data.shape[1]), str(K), str(ROUNDS)]
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    cells = [line.split("\t") for line in lines]
    return (
        cells[0][1],
        [float(micros) / 1e6 for micros, _ in cells[1:]],
        [[int(row) for row in rows.split()] for _, rows in cells[1:]],
    )


def best_of_rounds(search: Search, queries: Floats) -> tuple[list[float], list[list[int]]]:
    """As for the core: the first round only touches the memory, then the best of the others counts."""
    seconds = [float("inf")] * len(queries)
    found: list[list[int]] = [[] for _ in queries]
    for number in range(ROUNDS + 1):
        for at, query in enumerate(queries):
            start = time.perf_counter()
            rows = search(query)
            took = time.perf_counter() - start
            if number:
                seconds[at] = min(seconds[at], took)
            found[at] = [int(row) for row in rows]
    return seconds, found


def check(data: Floats, queries: Floats, found: list[list[int]]) -> None:
    """Fails unless the rows are those of an exact search in double precision, ties by row number."""
    for query, rows in zip(queries, found, strict=True):
        scores = data @ query
        # f32 may order near ties otherwise, so more than k are taken and scored in double precision.
        some = np.argpartition(scores, -5 * K)[-5 * K :]
        exact = data[some].astype(np.float64) @ query.astype(np.float64)
        expected = some[np.lexsort((some, -exact))][:K].tolist()
        if rows != expected:
            message = f"expected {expected}, found {rows}"
            raise AssertionError(message)


def compare(title: str, data: Floats, queries: Floats, program: Path, *, markdown: bool) -> None:
    """One table: the core, then every peer that is installed."""
    kernels, seconds, found = ours(data, queries, program)
    check(data, queries, found)
    own, timings = Timing(tuple(sorted(seconds))), {}
    for name, peer in PEERS.items():
        try:
            timings[name] = Timing(tuple(sorted(best_of_rounds(peer(data), queries)[0])))
        except ModuleNotFoundError:
            continue
    rows = [Row(f"corecall ({kernels})", shown(own.p50), shown(own.p95))]
    for name, timing in timings.items():
        ratio = f"{timing.p50 / own.p50:.2f} × slower"
        rows.append(Row(f"{name} {metadata.version(name)}", shown(timing.p50), shown(timing.p95), "", ratio))
    report(f"{title}, {len(data):,} × {data.shape[1]}, k = {K}, identical ids", rows, peers=timings, markdown=markdown)


def main(*, markdown: bool = False, real: str = "", sizes: tuple[int, ...] = (10_000, 100_000)) -> None:
    """Builds the example program of the core and runs every data set at every size."""
    subprocess.run(
        ["cargo", "build", "-q", "--release", "--locked", "-p", "corecall-scoring", "--example", "nearest"],  # noqa: S607
        cwd=ROOT,
        check=True,
    )
    program = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target") / "release/examples/nearest"
    for size in sizes:
        data: dict[str, tuple[Floats, Floats]] = {}
        if real:
            texts = unit(np.load(real).astype(np.float32))
            data["real texts"] = multiplied(texts[:-QUERIES], size), texts[-QUERIES:]
        made = {
            "groups of fifty": vectors(size + QUERIES, DIMENSIONS, 7),
            "near duplicates": near_duplicates(size + QUERIES),
            "random directions": random_directions(size + QUERIES),
        }
        data |= {name: (all_[:size], all_[size:]) for name, all_ in made.items()}
        for name, (base, queries) in data.items():
            compare(name, base, queries, program, markdown=markdown)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--markdown", action="store_true", help="print the tables for tests/bench/README.md")
    parser.add_argument("--vectors", default="", help="a .npy file of vectors of real texts")
    parser.add_argument("--sizes", default="10000,100000", help="how many vectors, separated by commas")
    arguments = parser.parse_args()
    main(
        markdown=arguments.markdown,
        real=arguments.vectors,
        sizes=tuple(int(size) for size in arguments.sizes.split(",")),
    )
