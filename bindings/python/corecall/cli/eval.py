"""`corecall eval`: measures recall on questions whose answers are known."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from corecall.cli.command import Command
from corecall.cli.output import print_json
from corecall.cli.printable import printable_lines
from corecall.evaluation import (
    CATEGORIES,
    RELATIONS,
    SHOWN_AT,
    DataError,
    Provider,
    ProviderError,
    as_markdown,
    as_text,
    ask_all,
    compare_answers,
    load_coding_memory,
    load_json_lines,
    load_locomo,
    model_of,
    named_embedder,
    report,
    sample,
    settings_for,
)
from corecall.records import Label

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corecall.evaluation import Answers, Asked, Dataset, Setting

# An evaluation has no history of recalls, so this label would depend on the order of the questions.
_LABELS = [label for label in get_args(Label) if label != "co_recall"]


class Numbers(click.ParamType[frozenset[int]]):
    """Numbers as `1-5` or `1,3,7`."""

    name = "numbers"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> frozenset[int]:
        """The numbers."""
        if isinstance(value, frozenset):
            return value
        numbers: set[int] = set()
        for part in str(value).split(","):
            match = re.fullmatch(r"\s*(\d{1,4})(?:\s*-\s*(\d{1,4}))?\s*", part)
            if match is None or (match[2] and int(match[2]) < int(match[1])):
                self.fail(f"{value!r} is not of the form 1-5 or 1,3,7", param, ctx)
            numbers.update(range(int(match[1]), int(match[2] or match[1]) + 1))
        return frozenset(numbers)


@click.command("eval", cls=Command)
@click.argument("data", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--corpus",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="DATA are questions of your own, one JSON object a line, to the memories of this file.",
)
@click.option("--conversations", type=Numbers(), default="1-5", show_default=True, help="Of LoCoMo, from 1 on.")
@click.option("--categories", type=Numbers(), default="1-4", show_default=True, help="Of LoCoMo's questions.")
@click.option("--model", help="The library's model; left out, that of a new library.")
@click.option("--embedder", metavar="MODULE:NAME", help="A callable of yours that makes the vectors (model host:…).")
@click.option(
    "--relation",
    "relations",
    type=click.Choice(_LABELS),
    multiple=True,
    help=f"Associations of this relation; may be repeated.  [default: {', '.join(RELATIONS)}]",
)
@click.option("--report", "page", type=click.Path(dir_okay=False, path_type=Path), help="Write a Markdown page too.")
@click.option("--answers", is_flag=True, help="Have a model answer, with associations off and on. Needs --provider.")
@click.option("--provider", metavar="openai:URL", help="Chat completions, asked only when named here.")
@click.option("--provider-model", metavar="NAME", help="The provider's model.")
@click.option("--key-env", metavar="VARIABLE", help="The environment variable that holds the provider's key.")
@click.option("--most", type=click.IntRange(1), default=100, show_default=True, help="The most questions to answer.")
@click.option(
    "--hits",
    type=click.Choice([str(hits) for hits in SHOWN_AT]),
    default="5",
    show_default=True,
    help="Hits shown for an answer.",
)
def command(
    *,
    data: Path,
    corpus: Path | None,
    conversations: frozenset[int],
    categories: frozenset[int],
    model: str | None,
    embedder: str | None,
    relations: Sequence[Label],
    page: Path | None,
    answers: bool,
    provider: str | None,
    provider_model: str | None,
    key_env: str | None,
    most: int,
    hits: str,
    as_json: bool,
) -> None:
    """Measure recall on DATA: how good the ranking is, and what associations add to it.

    DATA is LoCoMo's locomo10.json, the folder of coding-memory-v1, or with --corpus questions of your own. Libraries
    are made in memory and asked as any program asks; nothing is kept, and nothing leaves this machine but what
    --provider is sent.
    """
    relations = tuple(relations) or RELATIONS
    asked_of = _provider(provider, provider_model, key_env) if answers else None
    if not answers and (provider or provider_model or key_env):
        message = "a provider is only asked with --answers"
        raise click.UsageError(message)
    if page is not None and not page.absolute().parent.is_dir():
        message = f"{page} lies in no folder that is there"
        raise click.BadParameter(message, param_hint="--report")
    try:
        dataset = _dataset(data, corpus, conversations, categories)
        own = None if embedder is None else named_embedder(embedder)
        name = model_of(model, own)
        asked = {
            setting: list(ask_all(dataset, setting, model=model, embedder=own, relations=relations))
            for setting in settings_for(dataset)
        }
        answered = None if asked_of is None else _answers(asked, asked_of, most=most, hits=int(hits))
        made = report(dataset, name, asked, relations=relations, answers=answered)
    except DataError as error:
        raise click.UsageError(str(error)) from error
    except ProviderError as error:
        raise click.ClickException(str(error)) from error
    if as_json:
        print_json(made)
    else:
        click.echo(printable_lines(as_text(made)))
    if page is not None:
        page.write_text(printable_lines(as_markdown(made)), encoding="utf-8")


def _dataset(data: Path, corpus: Path | None, conversations: frozenset[int], categories: frozenset[int]) -> Dataset:
    if corpus is not None:
        return load_json_lines(data, corpus)
    if data.is_dir():
        return load_coding_memory(data)
    if data.suffix != ".json":
        message = f"{data} has questions of your own? Then say --corpus with the file of the memories"
        raise DataError(message)
    unknown = categories - CATEGORIES.keys()
    if unknown:
        message = f"LoCoMo has the categories 1–5, not {min(unknown)}"
        raise DataError(message)
    return load_locomo(data, conversations=conversations, categories=categories)


def _provider(name: str | None, model: str | None, key_env: str | None) -> Provider:
    if name is None or model is None:
        message = "--answers asks a language model: name it by --provider and --provider-model"
        raise click.UsageError(message)
    key = None
    if key_env is not None:
        key = os.environ.get(key_env)
        if not key:
            message = f"the environment variable {key_env} is empty or not set"
            raise click.UsageError(message)
    try:
        return Provider(name, model, key)
    except DataError as error:
        raise click.UsageError(str(error)) from error


def _answers(asked: Mapping[Setting, Sequence[Asked]], provider: Provider, *, most: int, hits: int) -> Answers:
    """Of the setting with relations that marks what was replaced, where there is one."""
    setting = next((setting for setting in asked if setting.relations), next(iter(asked)))
    rows = sample(asked[setting], most)
    if not rows:
        message = "no question has a right answer to compare with"
        raise DataError(message)
    click.echo(f"Asking {provider.model} through {provider.name} about {len(rows)} questions.", err=True)
    return compare_answers(rows, setting, provider, hits=hits, progress=_progress)


def _progress(done: int, questions: int) -> None:
    if sys.stderr.isatty():
        click.echo(f"\r{done} of {questions}", nl=done + 1 == questions, err=True)
