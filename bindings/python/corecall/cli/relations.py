"""`corecall relations`: the edges of a memory."""

from __future__ import annotations

from typing import get_args

import click

from corecall.cli.command import LibraryCommand, open_library
from corecall.cli.output import print_json, short_id
from corecall.records import Direction, RelationType


@click.command("relations", cls=LibraryCommand)
@click.argument("target")
@click.option("--type", "relation_type", type=click.Choice(get_args(RelationType)), help="Only edges of this type.")
@click.option("--direction", type=click.Choice(get_args(Direction)), default="both", show_default=True)
@click.option("--limit", type=int, default=100, show_default=True, help="The most edges.")
@click.option("--cursor", help="`next_cursor` of the page before.")
@click.pass_context
def command(
    context: click.Context,
    *,
    target: str,
    relation_type: RelationType | None,
    direction: Direction,
    limit: int,
    cursor: str | None,
    library: str | None,
    as_json: bool,
) -> None:
    """List the edges of the memory TARGET: an id, an exact title, or the first 8 or more characters of an id."""
    with open_library(context, library) as opened:
        page = opened.relations(target, type=relation_type, direction=direction, limit=limit, cursor=cursor)
    if as_json:
        print_json(page)
        return
    for relation in page:
        state = "" if relation.active else "  (not active)"
        source, other = short_id(relation.source_id), short_id(relation.target_id)
        click.echo(f"{source}  {relation.type:<12}  {other}  {relation.created_at}{state}")
    if page.next_cursor is not None:
        click.echo(f"there are more: --cursor {page.next_cursor}")
    elif not page:
        click.echo("no relations")
