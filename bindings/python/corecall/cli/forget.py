"""`corecall forget`: makes a tombstone of a memory."""

from __future__ import annotations

from typing import Literal

import click

from corecall.cli.command import LibraryCommand, open_library
from corecall.cli.output import print_json
from corecall.cli.printable import printable


@click.command("forget", cls=LibraryCommand)
@click.argument("target")
@click.option("--cascade", type=click.Choice(["derived"]), help="Also what was made from nothing that is left.")
@click.option("--dry-run", is_flag=True, help="Only tell what would happen.")
@click.pass_context
def command(
    context: click.Context,
    *,
    target: str,
    cascade: Literal["derived"] | None,
    dry_run: bool,
    library: str | None,
    as_json: bool,
) -> None:
    """Forget the memory TARGET: an id, an exact title, or the first 8 or more characters of an id.

    It leaves recall; its text stays in the file, for `corecall restore`.
    """
    with open_library(context, library) as opened:
        forgotten = opened.forget(target, cascade=cascade, dry_run=dry_run)
    if as_json:
        print_json(forgotten)
        return
    click.echo(f"{forgotten.state}  {forgotten.id}")
    for title in forgotten.derived:
        click.echo(f"  with it: {title.id}  {printable(title.title)}")
    for title in forgotten.revived:
        click.echo(f"  current again: {title.id}  {printable(title.title)}")
