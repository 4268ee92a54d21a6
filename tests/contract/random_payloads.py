"""Random payloads of `related_business`, small and nasty.

Chains, rings and knots of replacements, half-arrived mirrors, dead and unreadable middles, absent targets, ties of
every kind, times written in several ways, titles around the cut, vectors that are equal, opposite or one unit in the
last place apart. Everything is drawn from one `random.Random`, so hypothesis can stand behind it and shrink.
"""

from __future__ import annotations

import itertools
import math
import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.contract.twin import RELATIONS, dot, float32, normalised

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from tests.contract.twin import Json

IDS = ("a", "b", "c", "d", "e", "f", "g", "h", "B", "10", "9", "é", "记", "😀", "～")
ABSENT = ("x", "y")
FILLED = (0, 0.07, 0.14, 0.27, 0.4, 0.53, 0.67, 0.8, 1)
SCOPES = ("p", "p", "q", "")
TIMES = (
    "2026-01-02T00:00:00Z",
    "2026-01-02T02:00:00+02:00",
    "2026-01-01t23:00:00.000-01:00",
    "2026-01-02T00:00:00.000000001Z",
    "2026-01-02T00:00:00.5Z",
    "2026-01-02T00:00:00.500000000z",
    "2026-01-03T00:00:00Z",
    "1970-01-01T00:00:00-00:00",
    "0000-01-01T00:00:00Z",
    "2016-12-31T23:59:59Z",
    "2016-12-31T23:59:60Z",
    "2026-01-04T00:00:00",
    "2026-02-30T00:00:00Z",
    "2026-01-02 00:00:00Z",
    "last week",
    "",
)
FAMILY = "👨\u200d👩\u200d👧"
CLUSTERS = ("x", "y ", "记", "e\u0301", "👍🏽", FAMILY, "🇩🇪", "\r\n", "\u1112\u1161\u11ab", "\u0007", '"', "\\")
COUNTS = (0, 1, 2, 3, 4, 8, 9, 16, 100, 2**53 - 1, 2**53)
SETTINGS: tuple[tuple[str, tuple[Any, ...]], ...] = (
    ("enabled", (True, True, True, False)),
    ("max", (0, 1, 2, 3, 5, 8, 64, 64)),
    ("per_source", (0, 1, 2, 3, 5, 64, 64)),
    ("pair_min", (1, 2, 3, 2**32)),
    ("knn_seeds", (0, 1, 2, 3, 64)),
    ("knn_per", (0, 1, 2, 5, 64)),
)
MIN_COS = (-1, -0.5, 0, 0.25, 0.5, 0.6, 0.8, 0.999999, 1)


@dataclass
class Case:
    """A payload with `snapshots`; its vectors lie apart, by id."""

    payload: Json
    vectors: dict[str, list[float]] = field(default_factory=dict)

    def attached(self) -> tuple[Json, list[bytes]]:
        """The payload with its vectors as an attachment, in the order they have here."""
        if not self.vectors:
            return self.payload, []
        reference, data = attach(self.vectors)
        return {**self.payload, "vectors": reference}, [data]


def attach(vectors: dict[str, list[float]]) -> tuple[Json, bytes]:
    """The argument `vectors` and the bytes of its attachment 0."""
    width = len(next(iter(vectors.values())))
    floats = list(itertools.chain.from_iterable(vectors.values()))
    shape = [len(vectors), width]
    reference = {"ids": list(vectors), "data": {"$attachment": 0, "dtype": "f32", "shape": shape}}
    return reference, struct.pack(f"<{len(floats)}f", *floats)


class Drawer:
    """Draws one payload after the other from a source of randomness."""

    def __init__(self, random: Random, pool: Sequence[str] = IDS) -> None:
        self.random = random
        self.pool = pool
        self.ids: list[str] = []
        self.palette: list[list[float]] = []

    def case(self) -> Case:
        random = self.random
        self.ids = random.sample(self.pool, round(len(self.pool) * random.choice(FILLED)))
        snapshots = [self.snapshot(name) for name in self.ids]
        self.tie_a_knot(snapshots)
        payload: Json = {
            "model": random.choice(("none", "host:hand", "host:hand", "test-hash:8")),
            "snapshots": snapshots,
            "query": self.query(),
            "ids": random.sample(self.ids, min(random.choice((0, 1, 1, 2, 2, 3, 4, 6)), len(self.ids))),
            "pairs": self.pairs(),
        }
        case = Case(payload)
        if payload["model"].startswith("host:"):
            self.palette = self.vectors()
            case.vectors = {name: random.choice(self.palette) for name in self.ids if self.often(0.7)}
        if self.often(0.85):
            payload["related_settings"] = self.settings()
        return case

    def often(self, chance: float) -> bool:
        return self.random.random() < chance

    def snapshot(self, name: str) -> Json:
        snapshot: Json = {"id": name}
        if self.often(0.15):
            snapshot["deleted"] = True
        if self.often(0.6):
            snapshot["recall_count"] = self.random.choice(COUNTS)
        if self.often(0.2):
            snapshot |= {"title": "clear", "project": "p", "importance": "trivial", "created_at": TIMES[6]}
        if self.often(0.93):
            snapshot["entry"] = self.entry(name)
        elif self.often(0.5):
            snapshot["entry"] = None
        return snapshot

    def entry(self, name: str) -> Json:
        random = self.random
        entry: Json = {"id": name, "title": self.title(name)}
        if self.often(0.9):
            entry["created_at"] = random.choice(TIMES)
        if self.often(0.5):
            entry["supersedes"] = self.target(name)
        if self.often(0.3):
            entry["superseded_by"] = self.target(name)
        for links in ("see_also", "contradicts", "derived_from"):
            if self.often(0.3):
                entry[links] = [self.target(name) for _ in range(random.randint(0, 3))]
        for scope in ("project", "kind", "computer"):
            if self.often(0.4):
                entry[scope] = random.choice(SCOPES)
        if self.often(0.5):
            entry["importance"] = random.choice(("trivial", "normal", "normal", "important"))
        if self.often(0.1):
            entry["mood"] = {"unknown": [1, None, "kept"]}
        return entry

    def target(self, name: str) -> str:
        """Mostly another snapshot; now and then the entry itself, an absent id, or nothing."""
        if self.often(0.85):
            return self.random.choice(self.ids)
        return self.random.choice((name, "", *ABSENT))

    def title(self, name: str) -> str:
        if self.often(0.8):
            return f"note {name}"
        clusters = [self.random.choice(CLUSTERS) for _ in range(self.random.randint(0, 12))]
        filling = "z" * self.random.randint(140, 162)
        return filling + "".join(clusters) if self.often(0.8) else "a" + "\u0301" * 170 + filling

    def tie_a_knot(self, snapshots: list[Json]) -> None:
        """Lays a chain, a ring, a ring with a tail or a fan through some of the entries."""
        entries = [snapshot["entry"] for snapshot in snapshots if snapshot.get("entry")]
        chosen = self.random.sample(entries, self.random.randint(0, len(entries)))
        if len(chosen) < 2:
            return
        shape = self.random.choice(("nothing", "chain", "ring", "tail", "fan"))
        for above, below in itertools.pairwise(chosen):
            if shape in ("chain", "ring", "tail"):
                above["supersedes"] = below["id"]
            if shape == "fan":
                above["supersedes"] = chosen[-1]["id"]
        if shape == "ring":
            chosen[-1]["supersedes"] = chosen[0]["id"]
        if shape == "tail":
            chosen[-1]["supersedes"] = chosen[len(chosen) // 2]["id"]

    def query(self) -> Json:
        query: Json = {"text": "note", "limit": self.random.randint(1, 20)}
        for scope in ("project", "kind", "computer"):
            if self.often(0.12):
                query[scope] = self.random.choice((*SCOPES, None))
        return query

    def pairs(self) -> list[Json]:
        names = [*self.ids, *ABSENT]
        possible = list(itertools.combinations(names, 2))
        chosen = self.random.sample(possible, self.random.randint(0, len(names) - 1))
        sides = [(b, a) if self.often(0.5) else (a, b) for a, b in chosen]
        return [{"a": a, "b": b, "n": self.random.choice(COUNTS[1:])} for a, b in sides]

    def vectors(self) -> list[list[float]]:
        """A few vectors of one length, many of them related to each other."""
        random = self.random
        width = random.choice((1, 2, 3, 7, 8, 9, 16, 17, 33))
        vectors = [[float32(random.uniform(-1, 1)) for _ in range(width)] for _ in range(random.randint(1, 3))]
        vectors.append([1.0] + [0.0] * (width - 1))
        for _ in range(random.randint(0, 5)):
            vectors.append(self.relative(random.choice(vectors)))
        return [vector if any(vector) else [1.0] * width for vector in vectors]

    def relative(self, vector: list[float]) -> list[float]:
        """A multiple, the opposite, a permutation, or a copy with one element moved a little."""
        random = self.random
        how = random.choice(("scale", "turn", "permute", "nudge", "ulp"))
        if how == "scale":
            factor = random.choice((2.0, 0.5, 3.0, 1e-20, 1e20))
            return [float32(max(-3e38, min(3e38, value * factor))) for value in vector]
        if how == "turn":
            return [-value for value in vector]
        if how == "permute":
            return random.sample(vector, len(vector))
        at = random.randrange(len(vector))
        moved = float32(vector[at] + random.uniform(-0.1, 0.1)) if how == "nudge" else neighbour(vector[at])
        return [*vector[:at], moved, *vector[at + 1 :]]

    def settings(self) -> Json:
        random = self.random
        settings: Json = {name: random.choice(values) for name, values in SETTINGS if self.often(0.4)}
        if self.often(0.5):
            settings["min_cos"] = self.min_cos()
        if self.often(0.5):
            settings["relations"] = random.sample(RELATIONS, random.randint(0, len(RELATIONS)))
        if self.often(0.7):
            settings["explain"] = self.often(0.9)
        return settings

    def min_cos(self) -> float:
        """A round number, or the very cosine of two vectors of the palette."""
        if not self.palette or self.often(0.5):
            return self.random.choice(MIN_COS)
        one, other = (normalised(self.random.choice(self.palette)) for _ in range(2))
        return max(-1.0, min(1.0, dot(one, other)))


def neighbour(value: float) -> float:
    """The next float32 away from zero."""
    (bits,) = struct.unpack("<I", struct.pack("<f", value))
    (moved,) = struct.unpack("<f", struct.pack("<I", bits + 1))
    return float(moved) if math.isfinite(moved) else value
