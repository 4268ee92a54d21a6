"""Runs every benchmark, one table each."""

from __future__ import annotations

from tests.bench import call_overhead, recall_library, related_resident, vector_search
from tests.bench.figures import arguments


def main() -> None:
    """Runs them from the shortest to the longest."""
    markdown = arguments().markdown
    for benchmark in (call_overhead, recall_library, related_resident, vector_search):
        benchmark.main(markdown=markdown)


if __name__ == "__main__":
    main()
