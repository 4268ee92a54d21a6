"""`corecall forget`: makes a tombstone of a memory."""

from __future__ import annotations

import click

from corecall.cli.command import LibraryCommand, open_library
from corecall.cli.output import print_json
from corecall.cli.printable import printable


@click.command("forget", cls=LibraryCommand)
@click.argument("target")
@click.pass_context
def command(context: click.Context, *, target: str, library: str | None, as_json: bool) -> None:
    """Forget the memory TARGET: an id, an exact title, or the first 8 or more characters of an id.

    It leaves recall; its text stays in the file.
    """
    with open_library(context, library) as opened:
        forgotten = opened.forget(target)
    if as_json:
        print_json(forgotten)
        return
    click.echo(f"{forgotten.state}  {forgotten.id}")
    for title in forgotten.revived:
        click.echo(f"  current again: {title.id}  {printable(title.title)}")
