"""`corecall link`: makes a link."""

from __future__ import annotations

from typing import get_args

import click

from corecall.cli.command import LibraryCommand, open_library
from corecall.cli.output import print_json
from corecall.records import LinkType


@click.command("link", cls=LibraryCommand)
@click.argument("id", metavar="ID")
@click.argument("target")
@click.option("--type", "link_type", type=click.Choice(get_args(LinkType)), default="see_also", show_default=True)
@click.pass_context
def command(
    context: click.Context, *, id: str, target: str, link_type: LinkType, library: str | None, as_json: bool
) -> None:
    """Link the memory ID with TARGET: each an id, a title, or 8 or more characters an id begins with.

    `see_also` shows from both sides; `contradicts` and `derived_from` are said by ID of TARGET.
    """
    with open_library(context, library) as opened:
        linked = opened.link(id, target, type=link_type)
    if as_json:
        print_json(linked)
        return
    click.echo(f"{linked.state}  {linked.source_id}  {linked.type}  {linked.target_id}")
