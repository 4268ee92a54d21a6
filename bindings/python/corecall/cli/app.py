"""The command group. Each command is a module of its own, imported when it is asked for."""

from __future__ import annotations

import importlib
import io
import sys
from typing import NoReturn, cast

import click

import corecall
from corecall.cli.command import LIBRARY_HELP

# In the order of `corecall --help`: what one does first stands first.
_COMMANDS = (
    "remember",
    "recall",
    "show",
    "relations",
    "forget",
    "restore",
    "link",
    "unlink",
    "unsupersede",
    "update",
    "status",
    "demo",
    "eval",
)


class Group(click.Group):
    """Finds a command in the module of its name."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Their names."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command `cmd_name`, or None."""
        if cmd_name not in _COMMANDS:
            return None
        module = importlib.import_module(f"corecall.cli.{cmd_name}")
        return cast("click.Command", module.command)


@click.group(cls=Group, name="corecall", context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--library", type=click.Path(dir_okay=False), envvar="CORECALL_LIBRARY", metavar="PATH", help=LIBRARY_HELP
)
@click.version_option(corecall.__version__, prog_name="corecall")
@click.pass_context
def app(context: click.Context, library: str | None) -> None:
    """Remember short texts; recall them with what belongs to them."""
    context.obj = library


def main() -> NoReturn:
    """Runs the command line and exits: 0 done, 1 failed, 2 bad input."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal of another encoding shows `?` for what it doesn't have.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    app(prog_name="corecall")
    raise AssertionError
