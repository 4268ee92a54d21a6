"""LoCoMo (Maharana et al., 2024): long dialogues; each turn is a memory, each question names the turns it needs."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from corecall.evaluation.dataset import Corpus, DataError, Dataset, Memory, Question

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from pathlib import Path

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
"""The numbers of the data. Adversarial questions have evidence, and an answer that it doesn't support."""

_SESSION = re.compile(r"session_(\d+)")
# `D8:6`, and the data's slips `D:11:26` and `D30:05`.
_TURN = re.compile(r"D:?(\d+):(\d+)")


def load_locomo(path: Path, *, conversations: Collection[int], categories: Collection[int]) -> Dataset:
    """Reads `locomo10.json`.

    Args:
        path: The file.
        conversations: Which to read, counted from 1 in the order of the file.
        categories: Which questions to keep.

    Raises:
        DataError: It is another file, or has no such conversation.
    """
    try:
        samples = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        message = f"{path} can't be read as LoCoMo's JSON: {error}"
        raise DataError(message) from error
    if not is_locomo(samples):
        message = f'{path} is no LoCoMo file: a list of {{"conversation": …, "qa": …}} is wanted'
        raise DataError(message)
    missing = [number for number in conversations if not 1 <= number <= len(samples)]
    if missing:
        message = f"{path.name} has the conversations 1–{len(samples)}, not {missing[0]}"
        raise DataError(message)
    counts = _Counts()
    wanted = sorted(set(conversations))
    corpora = tuple(_corpus(number, samples[number - 1], frozenset(categories), counts) for number in wanted)
    names = ", ".join(CATEGORIES.get(category, str(category)) for category in sorted(set(categories)))
    notes = (f"conversations {', '.join(map(str, wanted))} of {len(samples)}; categories: {names}", *counts.notes())
    return Dataset("LoCoMo", corpora, notes)


def is_locomo(value: object) -> bool:
    """Whether a JSON value looks like the data."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(sample, dict) and "conversation" in sample and "qa" in sample for sample in value)
    )


def evidence(raw: Iterable[str], known: Collection[str]) -> tuple[list[str], int, int]:
    """The turns that evidence names, each once, and how many names were repaired and dropped.

    A name may hold several (`D8:6; D9:17`); what names no turn is dropped.
    """
    turns: list[str] = []
    repaired = dropped = 0
    for name in raw:
        parts = [part for part in re.split(r"[;,\s]+", name) if part]
        for part in parts:
            match = _TURN.fullmatch(part)
            turn = f"D{int(match[1])}:{int(match[2])}" if match else ""
            if turn not in known:
                dropped += 1
                continue
            repaired += turn != name
            if turn not in turns:
                turns.append(turn)
    return turns, repaired, dropped


class _Counts:
    """What was done to the evidence."""

    def __init__(self) -> None:
        self.repaired = self.dropped = self.without = 0

    def notes(self) -> Iterable[str]:
        if self.repaired:
            yield f"{self.repaired} malformed evidence names repaired"
        if self.dropped:
            yield f"{self.dropped} evidence names dropped that name no turn"
        if self.without:
            yield f"{self.without} questions left out, since no turn is named as their evidence"


def _corpus(number: int, sample: Mapping[str, Any], categories: Collection[int], counts: _Counts) -> Corpus:
    memories = tuple(_turns(sample["conversation"]))
    known = frozenset(memory.key for memory in memories)
    questions = []
    for place, item in enumerate(sample["qa"]):
        if item["category"] not in categories:
            continue
        turns, repaired, dropped = evidence(item.get("evidence", ()), known)
        counts.repaired += repaired
        counts.dropped += dropped
        if not turns:
            counts.without += 1
            continue
        questions.append(
            Question(
                key=f"{sample.get('sample_id', number)}/{place}",
                text=item["question"],
                expect=dict.fromkeys(turns, 1.0),
                category=CATEGORIES.get(item["category"], str(item["category"])),
                answers=(str(item["answer"]),) if "answer" in item else (),
            )
        )
    return Corpus(str(sample.get("sample_id", number)), memories, tuple(questions)).checked()


def _turns(conversation: Mapping[str, Any]) -> Iterable[Memory]:
    sessions = sorted(int(match[1]) for name in conversation if (match := _SESSION.fullmatch(name)))
    for session in sessions:
        at = conversation.get(f"session_{session}_date_time", "")
        for turn in conversation[f"session_{session}"]:
            text = f"{turn['speaker']}: {turn['text']}"
            if turn.get("blip_caption"):
                text += f" [shares a photo: {turn['blip_caption']}]"
            yield Memory(turn["dia_id"], text, at=at)
