"""`corecall status`: a library in numbers."""

from __future__ import annotations

import click

from corecall.cli.command import LibraryCommand, open_library
from corecall.cli.output import print_json
from corecall.cli.printable import printable


@click.command("status", cls=LibraryCommand)
@click.pass_context
def command(context: click.Context, *, library: str | None, as_json: bool) -> None:
    """Tell counts, model and state of the library."""
    with open_library(context, library) as opened:
        status = opened.status()
    if as_json:
        print_json(status)
        return
    counts, statistics = status.counts, status.statistics
    told = [
        ("library", status.path),
        ("memories", f"{counts.live} live, {counts.trivial} of them diary lines, {counts.forgotten} forgotten"),
        ("model", "none (words only)" if status.model == "none" else status.model),
        ("schema", f"version {status.schema_version}"),
        ("writes", str(status.change_seq)),
        ("statistics", f"{statistics.pending} pending, {statistics.rejected} rejected, {statistics.failed} failed"),
        ("conflicts", str(len(status.conflicts))),
    ]
    for name, value in told:
        click.echo(f"{name:<10}  {printable(value)}")
    for conflict in status.conflicts:
        click.echo(f"  {conflict.target_id} is replaced by {', '.join(conflict.claimant_ids)}")
