"""`corecall unsupersede`: withdraws a replacement."""

from __future__ import annotations

import click

from corecall.cli.command import LibraryCommand, open_library
from corecall.cli.output import print_json
from corecall.cli.printable import printable


@click.command("unsupersede", cls=LibraryCommand)
@click.argument("target")
@click.pass_context
def command(context: click.Context, *, target: str, library: str | None, as_json: bool) -> None:
    """Withdraw the replacement that TARGET wrote: an id, an exact title, or the first 8 or more characters of an id.

    Both memories stay; neither replaces the other.
    """
    with open_library(context, library) as opened:
        withdrawn = opened.unsupersede(target)
    if as_json:
        print_json(withdrawn)
        return
    click.echo(f"{withdrawn.state}  {withdrawn.id}  supersedes  {withdrawn.target_id}")
    for title in withdrawn.revived:
        click.echo(f"  current again: {title.id}  {printable(title.title)}")
