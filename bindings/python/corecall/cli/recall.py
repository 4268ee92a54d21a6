"""`corecall recall`: finds memories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

import click

from corecall.cli.command import LibraryCommand, open_library
from corecall.cli.output import console, print_json
from corecall.records import Kind, Label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corecall.records import RelatedSettings


@click.command("recall", cls=LibraryCommand)
@click.argument("text", nargs=-1, required=True)
@click.option("--limit", type=int, default=10, show_default=True, help="The most hits.")
@click.option("--kind", type=click.Choice(get_args(Kind)))
@click.option("--project", help="Only memories of this project.")
@click.option("--computer", help="Only memories of this computer.")
@click.option("--tag", "tags", multiple=True, help="Only memories with this tag; may be repeated.")
@click.option("--since", metavar="TIME", help="Only memories made at or after this time (RFC 3339).")
@click.option("--until", metavar="TIME", help="Only memories made before this time (RFC 3339).")
@click.option("--titles", is_flag=True, help="Leave the entries out of the JSON.")
@click.option("--min-score", type=float, default=0.0, help="Only hits of at least this score, from 0 to 1.")
@click.option("--no-related", is_flag=True, help="Neither associations nor [superseded].")
@click.option("--superseded", type=click.Choice(["mark", "hide"]), default="mark", show_default=True)
@click.option(
    "--relation",
    "relations",
    type=click.Choice(get_args(Label)),
    multiple=True,
    help="Only associations of this relation; may be repeated.",
)
@click.option("--max-related", type=int, help="The most associations.")
@click.option("--explain", is_flag=True, help="Add what was considered as an association, and why it was left out.")
@click.pass_context
def command(
    context: click.Context,
    *,
    text: Sequence[str],
    limit: int,
    kind: Kind | None,
    project: str | None,
    computer: str | None,
    tags: Sequence[str],
    since: str | None,
    until: str | None,
    titles: bool,
    min_score: float,
    no_related: bool,
    superseded: Literal["mark", "hide"],
    relations: Sequence[Label],
    max_related: int | None,
    explain: bool,
    library: str | None,
    as_json: bool,
) -> None:
    """Find memories for TEXT, with what belongs to them."""
    settings: RelatedSettings = {}
    if relations:
        settings["relations"] = list(dict.fromkeys(relations))
    if max_related is not None:
        settings["max"] = max_related
    with open_library(context, library) as opened:
        recall = opened.recall(
            " ".join(text),
            limit=limit,
            kind=kind,
            project=project,
            computer=computer,
            tags=tags or None,
            since=since,
            until=until,
            titles=titles,
            min_score=min_score,
            no_related=no_related,
            superseded=superseded,
            related_settings=settings or None,
            explain=explain,
        )
    if as_json:
        print_json(recall)
        return
    from corecall.cli.hits import print_ledger, print_meanings, print_recall  # noqa: PLC0415 - rich is slow to import

    target = console()
    print_recall(target, recall)
    if recall.ledger is not None:
        print_ledger(target, recall.ledger)
    print_meanings(target, [recall])
