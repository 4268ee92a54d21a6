"""`corecall show`: one memory, whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from corecall.cli.command import LibraryCommand, open_library
from corecall.cli.output import console, print_json
from corecall.cli.printable import printable, printable_lines

if TYPE_CHECKING:
    import corecall


@click.command("show", cls=LibraryCommand)
@click.argument("target")
@click.pass_context
def command(context: click.Context, *, target: str, library: str | None, as_json: bool) -> None:
    """Show the memory TARGET: an id, an exact title, or the first 8 or more characters of an id."""
    with open_library(context, library) as opened:
        shown = opened.show(target)
    if as_json:
        print_json(shown)
        return
    from rich.text import Text  # noqa: PLC0415 - JSON doesn't need it, and it is slow to import

    entry = shown.entry
    mark = " [superseded]" if shown.superseded_by else ""
    out = console()
    out.print(Text.assemble((printable(entry.title), "bold"), (mark, "yellow")))
    for name, value in _fields(shown):
        out.print(Text.assemble((f"  {name:<15}", "dim"), printable(value)))
    out.print()
    out.print(Text(printable_lines(entry.content)))


def _fields(shown: corecall.Shown) -> list[tuple[str, str]]:
    """What there is to say beside title and content, without what is empty."""
    entry = shown.entry
    told = [
        ("id", entry.id),
        ("state", "forgotten" if shown.deleted else ""),
        ("kind", entry.kind),
        ("importance", entry.importance),
        ("project", entry.project),
        ("computer", entry.computer),
        ("tags", ", ".join(entry.tags)),
        ("created", entry.created_at),
        ("updated", "" if entry.updated_at == entry.created_at else entry.updated_at),
        ("under", " › ".join(title.title for title in shown.ancestors)),
        ("supersedes", entry.supersedes),
        ("superseded by", shown.superseded_by or ""),
        ("see also", ", ".join(entry.see_also)),
        ("contradicts", ", ".join(entry.contradicts)),
        ("derived from", ", ".join(entry.derived_from)),
    ]
    return [(name, value) for name, value in told if value]
