"""`corecall remember`: stores a memory."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, get_args

import click

from corecall.cli.command import LibraryCommand, open_library
from corecall.cli.output import print_json
from corecall.records import Importance, Kind

if TYPE_CHECKING:
    from collections.abc import Sequence


@click.command("remember", cls=LibraryCommand)
@click.argument("content")
@click.option("--title", help="Without it, the first line of the content.")
@click.option("--kind", type=click.Choice(get_args(Kind)), default="knowledge", show_default=True)
@click.option("--tag", "tags", multiple=True, help="A word to find it by; may be repeated.")
@click.option("--project", default="", help="A scope to recall within.")
@click.option("--importance", type=click.Choice(get_args(Importance)), default="important", show_default=True)
@click.option("--parent", metavar="TARGET", help="The memory it belongs under.")
@click.option("--supersedes", metavar="TARGET", help="The memory it replaces.")
@click.option("--see-also", metavar="TARGET", multiple=True, help="A memory to link with; may be repeated.")
@click.option("--contradicts", metavar="TARGET", multiple=True, help="A memory it says the opposite of.")
@click.option("--derived-from", metavar="TARGET", multiple=True, help="A memory it was made from.")
@click.option("--expected-head", metavar="TARGET", help="With --supersedes: refuse unless this is the newest version.")
@click.option("--force", is_flag=True, help="Store it although others say nearly the same.")
@click.pass_context
def command(
    context: click.Context,
    *,
    content: str,
    title: str | None,
    kind: Kind,
    tags: Sequence[str],
    project: str,
    importance: Importance,
    parent: str | None,
    supersedes: str | None,
    see_also: Sequence[str],
    contradicts: Sequence[str],
    derived_from: Sequence[str],
    expected_head: str | None,
    force: bool,
    library: str | None,
    as_json: bool,
) -> None:
    """Store CONTENT, or with `-` what comes from stdin.

    A TARGET is an id, an exact title, or the first 8 or more characters of an id.
    """
    if content == "-":
        content = sys.stdin.read().removesuffix("\n")
    with open_library(context, library, create=True) as opened:
        remembered = opened.remember(
            content,
            title=title,
            kind=kind,
            tags=tags,
            project=project,
            importance=importance,
            parent=parent,
            supersedes=supersedes,
            see_also=see_also,
            contradicts=contradicts,
            derived_from=derived_from,
            expected_head=expected_head,
            force=force,
        )
    if as_json:
        print_json(remembered)
    else:
        click.echo(f"{remembered.state}  {remembered.id}")
