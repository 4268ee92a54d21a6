"""A recall as text: ranked hits, under each what belongs to it, and what the marks mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from corecall.cli.marks import MEANINGS, RELATION_WIDTH, SUPERSEDED, mark, meaning
from corecall.cli.output import SHORT_ID, print_line, short_id
from corecall.cli.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console

    import corecall

_SUPERSEDED = f" [{SUPERSEDED}]"
# Score, id, kind or relation, with two spaces after each.
_INDENT = 5 + 2 + SHORT_ID + 2 + RELATION_WIDTH + 2


def print_recall(target: Console, recall: corecall.Recall) -> None:
    """Prints the hits with their associations, and the counts."""
    for hit in recall.hits:
        print_line(target, _hit(hit, target.width - _INDENT))
        for association in recall.related:
            if association.source_id == hit.id:
                print_line(target, _association(association))
    target.print(Text(_counts(recall), style="dim"))


def print_meanings(target: Console, recalls: Iterable[corecall.Recall], explained: Iterable[str] = ()) -> set[str]:
    """Prints what the marks of these recalls mean, a line each, and returns them.

    Args:
        target: Where to.
        recalls: Those whose marks are wanted.
        explained: Marks that the reader knows already.
    """
    wanted: set[str] = set()
    for recall in recalls:
        wanted.update(association.relation for association in recall.related)
        if any(hit.superseded_by is not None for hit in recall.hits):
            wanted.add(SUPERSEDED)
    for name in [*MEANINGS, *sorted(wanted - set(MEANINGS))]:
        if name in wanted and name not in explained:
            print_line(target, Text(f"    {mark(name)}  {name:<{RELATION_WIDTH}}  {meaning(name)}", style="dim"))
    return wanted


def _hit(hit: corecall.Hit, room: int) -> Text:
    kind = hit.entry.kind if hit.entry else ""
    title = Text(printable(hit.title), style="bold")
    if hit.superseded_by is not None:
        # A cut title still ends with the mark.
        title.truncate(max(room - len(_SUPERSEDED), 1), overflow="ellipsis")
        title.append(_SUPERSEDED, style="yellow")
    return Text.assemble(
        (f"{hit.score:5.2f}", "cyan"),
        "  ",
        (f"{short_id(hit.id):<{SHORT_ID}}", "dim"),
        f"  {printable(kind):<{RELATION_WIDTH}}  ",
        title,
    )


def _association(association: corecall.Association) -> Text:
    return Text.assemble(
        (f"    {mark(association.relation)}", "green"),
        "  ",
        (f"{short_id(association.id):<{SHORT_ID}}", "dim"),
        (f"  {association.relation:<{RELATION_WIDTH}}  ", "green"),
        printable(association.title),
    )


def _counts(recall: corecall.Recall) -> str:
    hits, associations = recall.summary.hits, recall.summary.associations
    if hits == 0:
        return "nothing fits"
    told = f"{hits} hit{'s' if hits != 1 else ''}"
    if associations:
        told += f", {associations} association{'s' if associations != 1 else ''}"
    return told


def print_ledger(target: Console, ledger: corecall.Ledger) -> None:
    """Prints what was considered as an association and left out, and why."""
    target.print(Text(f"{ledger.considered} considered, {ledger.returned} returned, left out:", style="dim"))
    for drop in ledger.dropped:
        reason = f"{drop.relation:<{RELATION_WIDTH}}  {drop.reason}"
        print_line(target, Text(f"       {short_id(drop.id):<{SHORT_ID}}  {reason}", style="dim"))
