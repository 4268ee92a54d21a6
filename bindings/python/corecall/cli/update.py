"""`corecall update`: edits a memory in place."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, get_args

import click

from corecall.cli.command import LibraryCommand, open_library
from corecall.cli.output import print_json
from corecall.records import Importance, Kind

if TYPE_CHECKING:
    from collections.abc import Sequence


@click.command("update", cls=LibraryCommand)
@click.argument("target")
@click.option("--content", help="The new text; `-` for what comes from stdin.")
@click.option("--title", help="The new title.")
@click.option("--kind", type=click.Choice(get_args(Kind)))
@click.option("--tag", "tags", multiple=True, help="All its tags; may be repeated. One empty tag: none.")
@click.option("--project", help="A scope to recall within.")
@click.option("--importance", type=click.Choice(get_args(Importance)))
@click.option("--parent", metavar="TARGET", help="The memory it belongs under; empty for none.")
@click.option("--if-updated-at", metavar="TIME", help="Refuse unless the memory was last changed then.")
@click.pass_context
def command(
    context: click.Context,
    *,
    target: str,
    content: str | None,
    title: str | None,
    kind: Kind | None,
    tags: Sequence[str],
    project: str | None,
    importance: Importance | None,
    parent: str | None,
    if_updated_at: str | None,
    library: str | None,
    as_json: bool,
) -> None:
    """Edit the memory TARGET: an id, an exact title, or the first 8 or more characters of an id.

    What isn't given stays. To tell what changed, `corecall remember --supersedes` the new state instead.
    """
    if content == "-":
        content = sys.stdin.read().removesuffix("\n")
    with open_library(context, library) as opened:
        updated = opened.update(
            target,
            content=content,
            title=title,
            kind=kind,
            tags=[tag for tag in tags if tag] if tags else None,
            project=project,
            importance=importance,
            parent=parent,
            if_updated_at=if_updated_at,
        )
    if as_json:
        print_json(updated)
        return
    click.echo(f"{updated.state}  {updated.id}")
