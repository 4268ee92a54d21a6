"""A report as a person reads it: tables of text, or a Markdown page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corecall.evaluation.metrics import ANSWER_NDCG, NDCG

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corecall.evaluation.answers import Answers
    from corecall.evaluation.metrics import Estimate
    from corecall.evaluation.report import Measured, Report

_RANKING = ("hit@1", "hit@5", "hit@10", "recall@5", "recall@10", "recall@20", NDCG, ANSWER_NDCG, "MRR")
_MISLEADING = ("harmful@1", "harmful@5", "harmful@10", "stale@1", "stale@5", "stale@10")
_NOW = "harmful@5"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a header; `note` says how to read them."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def as_text(report: Report) -> str:
    """The report for a terminal."""
    blocks = [_head(report)]
    for table in _tables(report):
        widths = [max(map(len, column)) for column in zip(table.header, *table.rows, strict=True)]
        lines = [_aligned(row, widths) for row in (table.header, *table.rows)]
        blocks.append("\n".join([table.title, *([table.note] if table.note else []), *lines]))
    return "\n\n".join(blocks)


def as_markdown(report: Report) -> str:
    """The report as a Markdown page."""
    blocks = [f"# Evaluation: {report.dataset}", _head(report, bullet="* ")]
    for table in _tables(report):
        lines = [_piped(table.header), "|---|" + "---:|" * (len(table.header) - 1), *map(_piped, table.rows)]
        blocks += [f"## {table.title}", *([table.note] if table.note else []), "\n".join(lines)]
    return "\n\n".join(blocks) + "\n"


def _head(report: Report, bullet: str = "") -> str:
    corpora = f"{report.corpora} corpora, " if report.corpora > 1 else ""
    model = "none (words only)" if report.model == "none" else report.model
    lines = [
        f"{report.dataset}: {corpora}{report.memories} memories, {report.questions} questions",
        f"corecall {report.version}, model {model}",
        *report.notes,
        report.caution,
        *(_same_hits(measured) for measured in report.settings),
    ]
    return "\n".join(bullet + line for line in lines)


def _same_hits(measured: Measured) -> str:
    return f"hits the same with associations off and on ({measured.name}): {_percent(measured.same_hits)} of questions"


def _tables(report: Report) -> Iterable[Table]:
    for place, measured in enumerate(report.settings):
        alike = any(measured.groups == other.groups for other in report.settings[:place])
        if measured.groups[0].questions and not alike:
            yield _ranking(measured, report)
    if any(measured.misleading for measured in report.settings):
        yield _misleading(report)
    yield from (_shown(measured, report.relations) for measured in report.settings if _has_associations(measured))
    if not any(map(_has_associations, report.settings)):
        yield _no_associations(report)
    yield from (_thresholds(measured) for measured in report.settings[:1])
    if report.answers is not None:
        yield _answers(report.answers)


def _has_associations(measured: Measured) -> bool:
    return any(shown.associations for shown in measured.shown)


def _ranking(measured: Measured, report: Report) -> Table:
    """The whole group with intervals; the parts without, for the width. Settings that rank alike have one table."""
    first, *parts = measured.groups
    names = [name for name in _RANKING if name in first.metrics]
    if first.metrics[ANSWER_NDCG] == first.metrics[NDCG]:
        names.remove(ANSWER_NDCG)
    alike = " = ".join(other.name for other in report.settings if other.groups == measured.groups)
    whole = (first.name, str(first.questions), *(_percent(first.metrics[name].mean) for name in names))
    interval = ("  95 % interval", "", *(_interval(first.metrics[name]) for name in names))
    rest = [(part.name, str(part.questions), *(_percent(part.metrics[name].mean) for name in names)) for part in parts]
    return Table(f"Ranking, {alike}", ("questions", "n", *names), (whole, interval, *rest))


def _misleading(report: Report) -> Table:
    """A row for each measure, since there are many, and a column for each setting."""
    settings = report.settings
    rows: list[tuple[str, Sequence[Estimate | None]]] = [
        (name, [measured.misleading.get(name) for measured in settings]) for name in _MISLEADING
    ]
    if any(measured.misleading_now != measured.misleading for measured in settings):
        rows.append((f"{_NOW}, current state", [measured.misleading_now.get(_NOW) for measured in settings]))
    reasons = sorted({reason for measured in settings for reason in measured.harmful_at_5})
    rows += [(f"{_NOW}, {reason}", [measured.harmful_at_5.get(reason) for measured in settings]) for reason in reasons]
    cells = tuple(
        (name, str(values[0].n), *(_with_interval(value) if value is not None else "" for value in values))
        for name, values in rows
        if values[0] is not None
    )
    note = (
        "Share of the questions that name a misleading memory (of the kind, where one is named) with one among the "
        "first k hits. Lower is better."
    )
    return Table("Misleading memories", ("measure", "n", *(measured.name for measured in settings)), cells, note)


def _shown(measured: Measured, relations: Sequence[str]) -> Table:
    misled = any(shown.harmful.n for shown in measured.shown)
    rows = tuple(
        (
            f"{shown.hits} + {shown.associations:.1f}",
            _percent(shown.alone.mean),
            _percent(shown.with_associations.mean),
            _percent(shown.with_more_hits.mean),
            _signed(shown.gain),
            f"{shown.per_item:.3f}",
            f"{shown.per_item_more_hits:.3f}",
            *([_percent(shown.harmful.mean), _percent(shown.harmful_more_hits.mean)] if misled else []),
        )
        for shown in measured.shown
    )
    header = (
        "hits + associations",
        "hits alone",
        "with associations",
        "as many more hits",
        "gain",
        "per item",
        "per item, more hits",
        *(["harmful", "harmful, more hits"] if misled else []),
    )
    note = (
        "Share of the expected memories that is shown, and how many are found per memory shown. The gain is that of "
        f"associations over as many more hits, with its 95 % interval. Labels: {', '.join(relations)}."
    )
    if misled:
        note += (
            " Harmful: share of the questions with misleading memories that are shown one; a replaced memory that is "
            "labelled old_version counts too."
        )
    return Table(f"Evidence found per memory shown, {measured.name}", header, rows, note)


def _no_associations(report: Report) -> Table:
    rows = tuple((f"{shown.hits}", _percent(shown.alone.mean)) for shown in report.settings[0].shown)
    note = (
        f"No question got an association ({', '.join(report.relations)}): the data has no relations, or neighbours "
        "need a model."
    )
    return Table("Evidence found per memory shown", ("hits", "hits alone"), rows, note)


def _thresholds(measured: Measured) -> Table:
    rows = tuple(
        (
            f"{row.min_score:.2f}",
            _percent(row.silent.mean) if row.silent.n else "",
            _percent(row.silent_foreign.mean) if row.silent_foreign.n else "",
            _percent(row.hit_at_5.mean) if row.hit_at_5.n else "",
        )
        for row in measured.thresholds
    )
    first = measured.thresholds[0]
    header = (
        "min_score",
        f"nothing stored answers it (n {first.silent.n})",
        f"another corpus's (n {first.silent_foreign.n})",
        "hit@5 of the others",
    )
    return Table("Abstention", header, rows, "Share of the questions that get nothing, and what hit@5 it costs.")


def _answers(answers: Answers) -> Table:
    rows = tuple(
        (
            arm.name,
            str(arm.questions),
            _with_interval(arm.f1),
            _with_interval(arm.contains),
            _with_interval(arm.abstained) if arm.abstained.n else "",
            f"{arm.shown:.1f}",
            "" if arm.gain is None else _signed(arm.gain),
        )
        for arm in answers.arms
    )
    header = (
        "shown to the model",
        "n",
        "F1",
        "right text in it",
        "rightly abstained",
        "memories",
        "F1 over hits alone",
    )
    note = (
        f"Answers by {answers.provider_model} through {answers.provider}, {answers.calls} calls, from {answers.hits} "
        f"hits; {answers.with_associations} questions had associations. F1 over words as in SQuAD."
    )
    return Table(f"End-to-end answers, {answers.setting}", header, rows, note)


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _interval(value: Estimate) -> str:
    return f"{_percent(value.low)}–{_percent(value.high)}"


def _with_interval(value: Estimate) -> str:
    return f"{_percent(value.mean)} ({_interval(value)})"


def _signed(value: Estimate) -> str:
    return f"{100 * value.mean:+.1f} ({100 * value.low:+.1f} to {100 * value.high:+.1f})"


def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = (
        cell.ljust(width) if not place else cell.rjust(width)
        for place, (cell, width) in enumerate(zip(row, widths, strict=True))
    )
    return "  ".join([first, *rest]).rstrip()


def _piped(row: Sequence[str]) -> str:
    return "| " + " | ".join(cell.strip().replace("|", "\\|") for cell in row) + " |"
