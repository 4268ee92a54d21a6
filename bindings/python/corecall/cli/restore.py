"""`corecall restore`: makes a tombstone a memory again."""

from __future__ import annotations

import click

from corecall.cli.command import LibraryCommand, open_library
from corecall.cli.output import print_json
from corecall.cli.printable import printable


@click.command("restore", cls=LibraryCommand)
@click.argument("id", metavar="ID")
@click.pass_context
def command(context: click.Context, *, id: str, library: str | None, as_json: bool) -> None:
    """Restore the forgotten memory ID, named by its whole id."""
    with open_library(context, library) as opened:
        restored = opened.restore(id)
    if as_json:
        print_json(restored)
        return
    click.echo(f"{restored.state}  {restored.id}")
    if restored.superseded_by is not None:
        click.echo(f"  replaced by: {restored.superseded_by}")
    for title in restored.retired:
        click.echo(f"  replaced again: {title.id}  {printable(title.title)}")
