"""`corecall demo`: fills a library from the log of a project, and asks it ten questions."""

from __future__ import annotations

import tempfile
import textwrap
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

import corecall
from corecall.cli.command import Command
from corecall.cli.output import console, print_json
from corecall.demo import ask, fill, memories, questions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corecall.demo import Answer

# Wide enough for a title beside its id, narrow enough to read.
_WIDTH = 100


@click.command("demo", cls=Command)
@click.option("--keep", type=click.Path(path_type=Path), metavar="PATH", help="Make the library here, and leave it.")
def command(*, keep: Path | None, as_json: bool) -> None:
    """Fill a new library from a project's log, ask ten questions, and say what the answers show."""
    if keep is not None and keep.exists():
        message = f"{keep} is there already; the demo fills a new library"
        raise click.BadParameter(message, param_hint="--keep")
    with tempfile.TemporaryDirectory(prefix="corecall-demo-") as folder:
        path = Path(folder) / "demo.db" if keep is None else keep
        with corecall.open(path) as library:
            _run(library, as_json=as_json)
    if keep is not None and not as_json:
        click.echo(f"\nThe library stays: corecall recall --library {keep} WORDS")


def _run(library: corecall.Library, *, as_json: bool) -> None:
    log = memories()
    started = time.perf_counter()
    fill(library, log)
    seconds = time.perf_counter() - started
    answers = ask(library, questions())
    if as_json:
        print_json({"answers": list(answers), "status": library.status()})
        return
    click.echo(f"The log of a project: {len(log)} memories from {log[0].date} to {log[-1].date}.")
    click.echo(f"Stored one by one, each durably: {seconds:.1f} s, {1000 * seconds / len(log):.1f} ms a memory.")
    if library.status().model == "none":
        click.echo("Words only: this library has no embedding model, so nothing is found by meaning alone.")
    _print_answers(answers)
    _print_status(library.status())


def _print_answers(answers: Iterable[Answer]) -> None:
    from rich.text import Text  # noqa: PLC0415 - rich is slow to import

    from corecall.cli.hits import print_meanings, print_recall  # noqa: PLC0415

    target = console(_WIDTH)
    explained: set[str] = set()
    for number, answer in enumerate(answers, start=1):
        target.print()
        target.print(Text(f"{number}. {answer.question.question}", style="bold underline"))
        for line in textwrap.wrap(answer.question.why, _WIDTH - 6):
            target.print(Text(f"   {line}", style="italic"))
        print_recall(target, answer.recall)
        explained |= print_meanings(target, [answer.recall], explained)


def _print_status(status: corecall.Status) -> None:
    counts, statistics = status.counts, status.statistics
    click.echo(
        f"\n{counts.live} live memories, {counts.trivial} of them diary lines; {status.change_seq} writes; "
        f"{len(status.conflicts)} conflicts.\n"
        f"Evidence of {statistics.persisted} recalls was stored, none of which waited for it."
    )
