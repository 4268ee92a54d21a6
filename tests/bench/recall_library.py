"""A words-only library of 10,000 memories: what remember and recall take, beside SQLite's FTS5 on the same texts."""

from __future__ import annotations

import re
import sqlite3
import tempfile
import time
from pathlib import Path

from tests.bench import data
from tests.bench.figures import Row, Timing, arguments, report, shown, timed

import corecall

COUNT = 10_000
QUESTIONS = 300
LIMIT = 10
# A slow disk shows in the figure, not in a benchmark that doesn't end.
FILL_SECONDS = 60.0
SEED = 4
STOP_WORDS = frozenset(("why", "does", "the"))


def fill(library: corecall.Library, texts: list[str]) -> Timing:
    """Remembers the texts one by one, each durable, for at most `FILL_SECONDS`."""
    seconds = []
    deadline = time.perf_counter() + FILL_SECONDS
    for text in texts:
        start = time.perf_counter()
        library.remember(text, force=True)
        seconds.append(time.perf_counter() - start)
        if start > deadline:
            break
    return Timing(tuple(sorted(seconds)))


def fts5(texts: list[str], questions: list[str]) -> Timing:
    """BM25 of SQLite's own full-text search, in memory, with any of the question's words but its stop words.

    They stand in every text, so ranking by them would cost it most of its time; the engine drops them too.
    """
    base = sqlite3.connect(":memory:")
    base.execute("create virtual table memory using fts5(content, tokenize = 'porter unicode61')")
    base.executemany("insert into memory values (?)", [(text,) for text in texts])
    matches = [
        " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question) if word not in STOP_WORDS)
        for question in questions
    ]
    select = "select rowid, content from memory where memory match ? order by rank limit ?"
    timing = timed(lambda number: base.execute(select, (matches[number], LIMIT)).fetchall(), len(questions))
    base.close()
    return timing


def propose(library: corecall.Library, text: str) -> None:
    """Remembers a text that is nearly one of the library's, which writes nothing."""
    remembered = library.remember(f"Indeed: {text}", propose=True)
    if remembered.state != "candidates":
        message = f"expected candidates, got {remembered.state}"
        raise AssertionError(message)


def main(*, markdown: bool = False) -> None:
    """Runs the benchmark and prints its table."""
    texts = data.texts(COUNT, SEED)
    questions = data.questions(QUESTIONS, SEED + 1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "bench.corecall")
        with corecall.open(path) as library:
            filled = fill(library, texts)
            count = len(filled.seconds)
            recall = timed(lambda number: library.recall(questions[number], limit=LIMIT), QUESTIONS)
            bare = timed(lambda number: library.recall(questions[number], limit=LIMIT, no_related=True), QUESTIONS)
            proposing = timed(lambda number: propose(library, texts[number]), 100)
        start = time.perf_counter()
        with corecall.open(path) as library:
            library.recall(questions[0], limit=LIMIT)
        reopened = time.perf_counter() - start
        size = path.stat().st_size
    peer = fts5(texts[:count], questions)
    rate = count / sum(filled.seconds)
    report(
        f"words-only library of {count:,} memories, {size / 1e6:.1f} MB on disk",
        [
            Row(f"remember, one by one, durable ({rate:,.0f}/s)", shown(filled.p50), shown(filled.p95)),
            Row("remember of a near repeat: candidates, not written", shown(proposing.p50), shown(proposing.p95)),
            Row(f"recall, {LIMIT} hits with associations", shown(recall.p50), shown(recall.p95)),
            Row(
                f"recall, {LIMIT} hits, no_related",
                shown(bare.p50),
                shown(bare.p95),
                ratio=f"{peer.p50 / bare.p50:.2f} × FTS5's speed",
            ),
            Row("open and the first recall", shown(reopened)),
            Row(f"peer: SQLite {sqlite3.sqlite_version} FTS5 bm25", shown(peer.p50), shown(peer.p95)),
        ],
        markdown=markdown,
    )


if __name__ == "__main__":
    main(markdown=arguments().markdown)
