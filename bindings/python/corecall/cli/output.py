"""What commands print: JSON on one line, or text as wide as the terminal and uncut in a pipe."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

import click

import corecall

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

# Ids of one minute agree in their first 8 characters; 18 hold the millisecond and a count within it.
SHORT_ID = 18

# No line is this long, so a pipe gets every line whole.
_UNCUT = 100_000


def print_json(record: object) -> None:
    """Prints a record as one line of JSON, with the names of the wire."""
    click.echo(json.dumps(as_plain(record), ensure_ascii=False))


def console(widest: int = _UNCUT) -> Console:
    """Where text goes: stdout, coloured where it is a terminal and NO_COLOR isn't set.

    Args:
        widest: The most columns, and how many there are where stdout is no terminal.
    """
    from rich.console import Console  # noqa: PLC0415 - JSON doesn't need it, and it is slow to import

    made = Console(markup=False, highlight=False, emoji=False)
    made.width = min(made.width, widest) if made.is_terminal else widest
    return made


def print_line(target: Console, line: Text) -> None:
    """Prints one line, cut with `…` at the terminal's edge."""
    target.print(line, no_wrap=True, overflow="ellipsis", crop=False)


def short_id(id: str) -> str:
    """Enough of an id to name its memory."""
    return id[:SHORT_ID]


def as_plain(value: Any) -> Any:
    """A record, and those in it, as JSON has them."""
    if isinstance(value, corecall.Entry):
        known = {item.name: as_plain(getattr(value, item.name)) for item in fields(value) if item.name != "other"}
        return {**known, **value.other}
    if is_dataclass(value):
        return {item.name: as_plain(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, dict):
        return {name: as_plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_plain(item) for item in value]
    return value
