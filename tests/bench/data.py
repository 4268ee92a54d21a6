"""Seeded data: memories, vectors and co-recall pairs, the same on every run. All words are made up here."""

from __future__ import annotations

import datetime as dt
import json
import random
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

# fmt: off
SUBJECTS = (
    "importer", "parser", "scheduler", "gateway", "renderer", "indexer", "cache", "ledger", "planner", "mailer",
    "crawler", "archiver", "sampler", "compiler", "installer", "tracker", "balancer", "resolver", "encoder", "watcher",
)
DEEDS = (
    "reads", "writes", "skips", "retries", "batches", "rounds", "signs", "splits", "merges", "delays",
    "repeats", "drops", "keeps", "sorts", "packs", "locks", "checks", "trims", "counts", "compares",
)
OBJECTS = (
    "invoices", "receipts", "tickets", "headers", "footnotes", "sessions", "cookies", "timestamps", "ledgers",
    "drafts", "thumbnails", "attachments", "passwords", "sensors", "measurements", "contracts", "shipments",
    "calendars", "recipes", "playlists", "maps", "letters", "photographs", "stanzas",
)
MANNERS = (
    "before midnight", "after every deploy", "when the queue is full", "unless a flag is set", "twice a day",
    "only on weekdays", "with a timeout of 30 seconds", "without asking", "in order of arrival",
    "once the lock is free", "for the northern office", "since the March release", "until the audit ends",
    "behind the proxy", "from the replica",
)
REASONS = (
    "because the disk filled up", "since customers complained", "as the auditor wanted",
    "because Wednesday's run failed", "so that restarts are cheap", "because two writers collided",
    "as agreed with the Lisbon team", "after the outage in April", "because retries cost money",
    "so that reports add up",
)
# fmt: on
PROJECTS = ("harbour", "lantern", "orchard", "quarry", "meadow")
KINDS = ("knowledge", "decision", "task", "context", "preference", "skill")
START = dt.datetime(2024, 1, 1, tzinfo=dt.timezone.utc)


def seeded(seed: int) -> random.Random:
    """Chance that repeats itself."""
    return random.Random(seed)  # noqa: S311 - nothing here is secret


def sentence(chance: random.Random) -> str:
    """One short remark on a made-up project, about 15 words."""
    number = chance.randrange(10_000)
    return (
        f"The {chance.choice(SUBJECTS)} {chance.choice(DEEDS)} {chance.choice(OBJECTS)} {chance.choice(MANNERS)} "
        f"{chance.choice(REASONS)}, see note {number}."
    )


def texts(count: int, seed: int) -> list[str]:
    """`count` texts of one to three sentences."""
    chance = seeded(seed)
    return [" ".join(sentence(chance) for _ in range(chance.choice((1, 1, 2, 3)))) for _ in range(count)]


def questions(count: int, seed: int) -> list[str]:
    """`count` questions in the words of the texts, but none of them a text."""
    chance = seeded(seed)
    return [
        f"why does the {chance.choice(SUBJECTS)} {chance.choice(DEEDS)} {chance.choice(OBJECTS)}" for _ in range(count)
    ]


def memory_id(number: int) -> str:
    """The identifier of the memory `number`."""
    return f"m{number:07}"


def snapshots(count: int, seed: int) -> list[dict[str, Any]]:
    """`count` snapshots: one in five replaces an older one, one in four is linked, one in twenty is a diary line."""
    chance = seeded(seed)
    contents = texts(count, seed + 1)
    result: list[dict[str, Any]] = []
    for number, content in enumerate(contents):
        entry: dict[str, Any] = {
            "id": memory_id(number),
            "kind": chance.choice(KINDS),
            "tags": [chance.choice(OBJECTS)],
            "title": content[:60],
            "content": content,
            "project": chance.choice(PROJECTS),
            "created_at": (START + dt.timedelta(minutes=7 * number)).isoformat(),
            "importance": "trivial" if chance.random() < 0.05 else "important",
        }
        if number and entry["importance"] == "important":
            if chance.random() < 0.2:
                entry["supersedes"] = memory_id(chance.randrange(max(0, number - 500), number))
            if chance.random() < 0.25:
                entry["see_also"] = [memory_id(chance.randrange(number)) for _ in range(chance.randint(1, 3))]
        result.append({"id": entry["id"], "recall_count": chance.randrange(40), "entry": entry})
    return result


def pairs(hits: list[str], count: int, each: int, seed: int) -> list[dict[str, Any]]:
    """`each` co-recall pairs of every hit with others of `count` memories, none of them twice."""
    chance = seeded(seed)
    result: dict[tuple[str, str], int] = {}
    for hit in hits:
        for _ in range(each):
            other = memory_id(chance.randrange(count))
            if other != hit:
                result[min(hit, other), max(hit, other)] = chance.randint(1, 30)
    return [{"a": a, "b": b, "n": n} for (a, b), n in result.items()]


def vectors(count: int, dimensions: int, seed: int) -> NDArray[np.float32]:
    """Unit vectors `[count, dimensions]` in groups of about fifty around common centres, as texts of a topic lie."""
    generator = np.random.default_rng(seed)
    centres = generator.standard_normal((max(1, count // 50), dimensions), dtype=np.float32)
    result = centres[generator.integers(0, len(centres), count)]
    result += 0.7 * generator.standard_normal((count, dimensions), dtype=np.float32)
    result /= np.linalg.norm(result, axis=1, keepdims=True)
    return result


def encoded(value: Any) -> bytes:
    """Compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
