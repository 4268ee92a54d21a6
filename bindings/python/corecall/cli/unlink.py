"""`corecall unlink`: withdraws a link."""

from __future__ import annotations

from typing import get_args

import click

from corecall.cli.command import LibraryCommand, open_library
from corecall.cli.output import print_json
from corecall.records import LinkType


@click.command("unlink", cls=LibraryCommand)
@click.argument("id", metavar="ID")
@click.argument("target")
@click.option("--type", "link_type", type=click.Choice(get_args(LinkType)), default="see_also", show_default=True)
@click.pass_context
def command(
    context: click.Context, *, id: str, target: str, link_type: LinkType, library: str | None, as_json: bool
) -> None:
    """Withdraw the link of the memory ID to TARGET: each an id, a title, or 8 or more characters an id begins with.

    `see_also` shows from both sides; `contradicts` and `derived_from` are said by ID of TARGET.
    """
    with open_library(context, library) as opened:
        unlinked = opened.unlink(id, target, type=link_type)
    if as_json:
        print_json(unlinked)
        return
    click.echo(f"{unlinked.state}  {unlinked.source_id}  {unlinked.type}  {unlinked.target_id}")
