"""What every command shares: which library, text or JSON, and how errors are told."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import IO, Any

import click

import corecall
from corecall.cli.printable import printable

LIBRARY_HELP = "The file of memories.  [env: CORECALL_LIBRARY; default: ~/.local/share/corecall/library.db]"

_BAD_INPUT = (corecall.InvalidArgument, corecall.Unsupported, corecall.Limit)


class Command(click.Command):
    """A command with `--json`, whose errors go to stderr."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params.append(click.Option(["--json", "as_json"], is_flag=True, help="Print one line of JSON."))

    def invoke(self, ctx: click.Context) -> Any:
        """Runs it; what the library refuses ends it with exit code 1 or 2."""
        try:
            return super().invoke(ctx)
        except corecall.CorecallError as error:
            kind = RefusedInput if isinstance(error, _BAD_INPUT) else Refused
            raise kind(error, as_json=ctx.params["as_json"]) from error


class LibraryCommand(Command):
    """A command on a library, with `--library` too."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        library = click.Option(["--library"], type=click.Path(dir_okay=False), metavar="PATH", help=LIBRARY_HELP)
        self.params.append(library)


class Refused(click.ClickException):
    """An error of the library, as the terminal shows it."""

    exit_code = 1

    def __init__(self, error: corecall.CorecallError, *, as_json: bool) -> None:
        super().__init__(str(error))
        self.error = error
        self.as_json = as_json

    def show(self, file: IO[Any] | None = None) -> None:
        """Prints it to stderr."""
        target = sys.stderr if file is None else file
        lines = [self._as_json()] if self.as_json else self._as_text()
        for line in lines:
            click.echo(line, file=target)

    def _as_json(self) -> str:
        error = self.error
        told: dict[str, Any] = {
            "code": error.code,
            "name": error.name,
            "message": error.message,
            "path": error.path,
            "retryable": error.retryable,
        }
        if isinstance(error, corecall.DuplicateCandidates):
            told["merge"] = [{"id": title.id, "title": title.title} for title in error.merge]
            told["parent"] = [{"id": title.id, "title": title.title} for title in error.parent]
        return json.dumps({"error": told}, ensure_ascii=False)

    def _as_text(self) -> list[str]:
        error = self.error
        if not isinstance(error, corecall.DuplicateCandidates):
            return [f"corecall: {printable(str(error))}"]
        return [
            "corecall: nothing was written, since there are memories that say nearly the same:",
            *(f"  {title.id}  {printable(title.title)}" for title in error.merge),
            *(f"  {title.id}  {printable(title.title)}  (a parent?)" for title in error.parent),
            "Say --supersedes, --see-also or --parent with one of them, or --force.",
        ]


class RefusedInput(Refused):
    """An error that another input avoids."""

    exit_code = 2


def open_library(context: click.Context, library: str | None, *, create: bool = False) -> corecall.Library:
    """The library that the options, the environment or the default name.

    Args:
        context: Of the command; its parent's `--library` stands behind the command's own.
        library: The command's own `--library`.
        create: Make the file, and its folder, where there is none.
    """
    path = library or context.obj or str(default_library())
    if path != ":memory:" and not Path(path).exists():
        if not create:
            message = f"there is no library at {path}; `corecall remember` makes one"
            raise click.ClickException(message)
        Path(path).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return corecall.open(path)


def default_library() -> Path:
    """`corecall/library.db` in the user's folder for data, as the XDG base directory specification has it."""
    data = Path(os.environ.get("XDG_DATA_HOME", ""))
    base = data if data.is_absolute() else Path.home() / ".local" / "share"
    return base / "corecall" / "library.db"
