"""A naive twin of `related_business`, written from the contract's text and sharing no code with the library.

Everything is recomputed at every question; nothing is indexed or cached, so that each function can be read beside the
paragraph of association contract 1 it stands for. Only small payloads are practical.

`related_business(payload, vectors)` takes a payload as `json.loads` gives it and the vectors by id, as lists of
float32 values. It returns the result (keys in the reply's order) or raises `Refused`. The JSON shape of the payload
(types, ranges, unknown or missing arguments) isn't checked here: the cases do that.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import regex  # type: ignore[import-untyped]

Json = dict[str, Any]
Vectors = Mapping[str, Sequence[float]]

RELATIONS = (
    "new_version",
    "old_version",
    "contradicts",
    "see_also",
    "derived_from",
    "derivative",
    "co_recall",
    "neighbor",
)
"""Every label, in the order in which the answer is filled."""

DEFAULTS: Mapping[str, Any] = {
    "enabled": True,
    "max": 8,
    "per_source": 3,
    "pair_min": 2,
    "min_cos": 0.6,
    "knn_seeds": 3,
    "knn_per": 2,
    "relations": ["new_version", "old_version", "see_also", "co_recall", "neighbor"],
    "explain": False,
}

TITLE_SCALARS = 160
LISTED_DROPS = 64


class Refused(Exception):
    """The contract's answer is an error: its status, its name and the path of the argument."""

    def __init__(self, status: int, name: str, path: str) -> None:
        super().__init__(f"{name} at {path}")
        self.status = status
        self.name = name
        self.path = path


class Candidate(NamedTuple):
    """An entry that may become an association; `bar` is the reason of its own that keeps it out."""

    id: str
    bar: str | None = None


def related_business(payload: Json, vectors: Vectors | None = None) -> Json:
    """The reply's `result` for a payload with `snapshots`; `vectors` are those of `payload.vectors`, by id."""
    check(payload, vectors)
    settings = {**DEFAULTS, **payload.get("related_settings", {})}
    return Answer(payload, settings, vectors or {}).result()


# What is refused


def check(payload: Json, vectors: Vectors | None) -> None:
    """Raises `Refused` when the payload contradicts itself."""
    check_model(payload["model"])
    known = check_snapshots(payload["snapshots"])
    check_vectors(payload, vectors, known)
    seen: set[str] = set()
    for index, hit in enumerate(payload["ids"]):
        if hit in seen:
            raise Refused(1, "argument.duplicate", f"payload.ids[{index}]")
        if hit not in known:
            raise Refused(8, "snapshot.unknown", f"payload.ids[{index}]")
        seen.add(hit)
    check_pairs(payload["pairs"])
    labels: set[str] = set()
    for index, label in enumerate(payload.get("related_settings", {}).get("relations", [])):
        if label not in RELATIONS:
            raise Refused(1, "argument.value", f"payload.related_settings.relations[{index}]")
        if label in labels:
            raise Refused(1, "argument.duplicate", f"payload.related_settings.relations[{index}]")
        labels.add(label)


def check_model(model: str) -> None:
    if model == "none":
        return
    kind, _, rest = model.partition(":")
    if kind == "host" and 1 <= len(rest) <= 128:
        return
    if kind == "test-hash" and re.fullmatch(r"[1-9][0-9]{0,3}", rest) and int(rest) <= 4096:
        return
    raise Refused(4, "model.unknown", "payload.model")


def check_snapshots(snapshots: Sequence[Json]) -> set[str]:
    known: set[str] = set()
    for index, snapshot in enumerate(snapshots):
        if snapshot["id"] in known:
            raise Refused(1, "argument.duplicate", f"payload.snapshots[{index}].id")
        known.add(snapshot["id"])
        entry = snapshot.get("entry")
        if entry is not None and entry.get("id", "") != snapshot["id"]:
            raise Refused(1, "argument.conflict", f"payload.snapshots[{index}].entry.id")
    return known


def check_vectors(payload: Json, vectors: Vectors | None, known: set[str]) -> None:
    if "vectors" not in payload:
        return
    if not payload["model"].startswith("host:"):
        raise Refused(1, "argument.conflict", "payload.vectors")
    seen: set[str] = set()
    for index, name in enumerate(payload["vectors"]["ids"]):
        if name in seen:
            raise Refused(1, "argument.duplicate", f"payload.vectors.ids[{index}]")
        if name not in known:
            raise Refused(8, "snapshot.unknown", f"payload.vectors.ids[{index}]")
        seen.add(name)
    if any(not any(vector) for vector in (vectors or {}).values()):
        raise Refused(1, "vector.zero", "payload.vectors.data")


def check_pairs(pairs: Sequence[Json]) -> None:
    seen: set[frozenset[str]] = set()
    for index, pair in enumerate(pairs):
        if pair["a"] == pair["b"]:
            raise Refused(1, "argument.value", f"payload.pairs[{index}].b")
        both = frozenset((pair["a"], pair["b"]))
        if both in seen:
            raise Refused(1, "argument.duplicate", f"payload.pairs[{index}]")
        seen.add(both)


# Scope, edges, heads


class Memories:
    """The snapshots under one scope."""

    def __init__(self, snapshots: Sequence[Json], query: Json) -> None:
        self.snapshots = {snapshot["id"]: snapshot for snapshot in snapshots}
        self.scope = {field: query[field] for field in ("kind", "project", "computer") if query.get(field) is not None}

    def entry(self, name: str) -> Json | None:
        entry: Json | None = self.snapshots.get(name, {}).get("entry")
        return entry

    def text(self, name: str, field: str) -> str:
        """A text field of the entry; absent ones read as empty."""
        return str((self.entry(name) or {}).get(field, ""))

    def listed(self, name: str, field: str) -> list[str]:
        """A relation list of the entry, each id once, without the entry itself."""
        ids = (self.entry(name) or {}).get(field, [])
        return [other for other in dict.fromkeys(ids) if other != name]

    def deleted(self, name: str) -> bool:
        return bool(self.snapshots.get(name, {}).get("deleted", False))

    def gone(self, name: str) -> bool:
        """No live memory to show: no snapshot, no readable entry, or deleted."""
        return self.entry(name) is None or self.deleted(name)

    def in_scope(self, name: str) -> bool:
        return all(self.text(name, field) == wanted for field, wanted in self.scope.items())

    def eligible(self, name: str) -> bool:
        return not self.gone(name) and self.in_scope(name)

    def trivial(self, name: str) -> bool:
        return self.text(name, "importance") == "trivial"

    def age(self, name: str) -> tuple[float | int, str]:
        """Sorts oldest first; reversed: newest first, then the greatest id (code points sort as UTF-8 bytes do)."""
        nanoseconds = instant(self.text(name, "created_at"))
        return (-math.inf if nanoseconds is None else nanoseconds, name)

    def forward(self, name: str) -> str | None:
        """The id that `name` claims to replace."""
        target = self.text(name, "supersedes")
        return target if target not in ("", name) else None

    def void(self, name: str) -> bool:
        """Whether the forward edge of `name` lies on a cycle: following it leads back to `name`."""
        at = self.forward(name)
        for _ in self.snapshots:
            if at is None or at == name:
                break
            at = self.forward(at)
        return at == name

    def claimants(self, target: str) -> list[str]:
        """Everybody whose forward edge ends in `target`, void or not: live first, newest first, greatest id first."""
        names = [name for name in self.snapshots if self.forward(name) == target]
        return sorted(names, key=lambda name: (not self.deleted(name), *self.age(name)), reverse=True)

    def head(self, target: str) -> str | None:
        """The newest live endpoint of what replaced `target`."""
        for claimant in self.claimants(target):
            if self.void(claimant):
                continue
            head = self.head(claimant)
            if head is not None:
                return head
            if self.eligible(claimant):
                return claimant
        return None

    def current(self, name: str) -> str:
        """`name` replaced by its head where it has one."""
        return self.head(name) or name


# Candidates of a hit, relation by relation


class Answer:
    """One call: candidates are judged one after the other, and the answer grows."""

    def __init__(self, payload: Json, settings: Json, vectors: Vectors) -> None:
        self.memories = Memories(payload["snapshots"], payload["query"])
        self.hits: list[str] = payload["ids"]
        self.pairs: list[Json] = payload["pairs"]
        self.settings = settings
        self.vectors = {name: normalised(vector) for name, vector in vectors.items()}
        self.seeds = [hit for hit in self.hits if hit in self.vectors][: settings["knn_seeds"]]
        self.related: list[Json] = []
        self.dropped: list[Json] = []

    def result(self) -> Json:
        heads = {hit: self.memories.head(hit) for hit in self.hits}
        if self.settings["enabled"]:
            self.fill()
        result: Json = {"related": self.related, "superseded": {hit: head for hit, head in heads.items() if head}}
        if self.settings["explain"]:
            result["ledger"] = {
                "considered": len(self.related) + len(self.dropped),
                "returned": len(self.related),
                "dropped": self.dropped[:LISTED_DROPS],
            }
        return result

    def fill(self) -> None:
        for relation in RELATIONS:
            if relation not in self.settings["relations"]:
                continue
            for source in self.hits:
                for candidate in list(self.candidates(relation, source)):
                    self.judge(relation, source, candidate)

    def judge(self, relation: str, source: str, candidate: Candidate) -> None:
        reason = self.reason(relation, source, candidate)
        if reason is None:
            title = cut(self.memories.text(candidate.id, "title"))
            self.related.append({"id": candidate.id, "title": title, "source_id": source, "relation": relation})
        else:
            self.dropped.append({"id": candidate.id, "source_id": source, "relation": relation, "reason": reason})

    def reason(self, relation: str, source: str, candidate: Candidate) -> str | None:
        """Why the candidate isn't shown: the first reason that fits, in the contract's order."""
        name, memories = candidate.id, self.memories
        apart = relation in ("co_recall", "neighbor")
        brought = [association for association in self.related if association["source_id"] == source]
        neighbours = [association for association in brought if association["relation"] == "neighbor"]
        seed_is_done = relation == "neighbor" and len(neighbours) >= self.settings["knn_per"]
        reasons = (
            ("hit", name in self.hits),
            ("duplicate", name in [association["id"] for association in self.related]),
            ("deleted", memories.gone(name)),
            ("out_of_scope", not memories.in_scope(name)),
            ("diary", apart and memories.trivial(name)),
            ("superseded", relation == "neighbor" and memories.head(name) is not None),
            ("cycle", candidate.bar == "cycle"),
            ("below_threshold", candidate.bar == "below_threshold"),
            ("per_source", len(brought) >= self.settings["per_source"] or seed_is_done),
            ("budget", len(self.related) >= self.settings["max"]),
        )
        return next((reason for reason, fits in reasons if fits), None)

    def candidates(self, relation: str, source: str) -> Iterator[Candidate]:
        """Everything that is considered, in order, what can't be shown included."""
        memories = self.memories
        if relation == "new_version":
            yield from self.newer(source)
        elif relation == "old_version":
            yield from self.older(source)
        elif relation == "contradicts":
            yield from map(Candidate, memories.listed(source, relation))
            yield from map(Candidate, self.incoming(source, relation, memories.listed(source, relation)))
        elif relation == "see_also":
            links = memories.listed(source, relation)
            for name in links + self.incoming(source, relation, links):
                yield Candidate(memories.current(name))
        elif relation == "derived_from":
            yield from map(Candidate, memories.listed(source, relation))
        elif relation == "derivative":
            yield from map(Candidate, self.incoming(source, "derived_from", []))
        elif relation == "co_recall":
            yield from self.partners(source)
        elif relation == "neighbor" and source in self.seeds:
            yield from self.neighbours(source)

    def newer(self, source: str) -> Iterator[Candidate]:
        head = self.memories.head(source)
        if head is not None:
            yield Candidate(head)
        for claimant in self.memories.claimants(source):
            if self.memories.void(claimant):
                yield Candidate(claimant, "cycle")

    def older(self, source: str) -> Iterator[Candidate]:
        """Down the chain: what is passed over, then the first eligible entry."""
        at, target = source, self.memories.forward(source)
        while target is not None:
            if self.memories.void(at):
                yield Candidate(target, "cycle")
                return
            yield Candidate(target)
            if self.memories.eligible(target):
                return
            at, target = target, self.memories.forward(target)

    def incoming(self, source: str, field: str, listed: list[str]) -> list[str]:
        """Eligible entries that list `source`, newest first, without those that `source` lists itself."""
        memories = self.memories
        names = [
            name
            for name in memories.snapshots
            if memories.eligible(name) and source in memories.listed(name, field) and name not in listed
        ]
        return sorted(names, key=memories.age, reverse=True)

    def partners(self, source: str) -> Iterator[Candidate]:
        memories = self.memories
        counts = {pair["b"] if pair["a"] == source else pair["a"]: pair["n"] for pair in self.pairs_of(source)}

        def rank(partner: str) -> tuple[Any, ...]:
            count = counts[partner]
            recalled = memories.snapshots.get(partner, {}).get("recall_count", 0)
            return (Fraction(count * count, max(recalled, count, 1)), count, *memories.age(partner))

        for partner in sorted(counts, key=rank, reverse=True):
            hopeless = memories.entry(partner) is None or memories.trivial(partner)
            name = partner if hopeless else memories.current(partner)
            yield Candidate(name, "below_threshold" if counts[partner] < self.settings["pair_min"] else None)

    def pairs_of(self, source: str) -> list[Json]:
        return [pair for pair in self.pairs if source in (pair["a"], pair["b"])]

    def neighbours(self, seed: str) -> Iterator[Candidate]:
        """Every other entry with a vector, nearest first, down to the first that is too far."""
        cosines = {name: dot(self.vectors[seed], vector) for name, vector in self.vectors.items() if name != seed}
        for name in sorted(cosines, key=lambda name: (cosines[name], *self.memories.age(name)), reverse=True):
            if cosines[name] < self.settings["min_cos"]:
                yield Candidate(name, "below_threshold")
                return
            yield Candidate(name)


# Times, vectors, titles

DATE_TIME = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,9}))?"
    r"(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))"
)


def instant(text: str) -> int | None:
    """Nanoseconds since 0000-01-01T00:00:00Z of an RFC 3339 time; None when it is unreadable."""
    match = DATE_TIME.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour, minute, second = (int(match.group(part)) for part in range(1, 7))
    offset_hour, offset_minute = int(match.group(9) or 0), int(match.group(10) or 0)
    if not 1 <= month <= 12 or not 1 <= day <= days_in_month(year, month):
        return None
    if hour > 23 or minute > 59 or second > 60 or offset_hour > 23 or offset_minute > 59:
        return None
    leap_days = (year + 3) // 4 - (year + 99) // 100 + (year + 399) // 400
    days = 365 * year + leap_days + sum(days_in_month(year, earlier) for earlier in range(1, month)) + day - 1
    offset = (offset_hour * 60 + offset_minute) * (-1 if match.group(8) == "-" else 1)
    seconds = ((days * 24 + hour) * 60 + minute - offset) * 60 + min(second, 59)
    return seconds * 10**9 + int((match.group(7) or "0").ljust(9, "0"))


def leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def days_in_month(year: int, month: int) -> int:
    if month == 2:
        return 29 if leap(year) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def lanes(products: Sequence[float]) -> float:
    """A sum in f64: element j in lane j mod 8, every lane from the first element on, lanes folded 4-2-1."""
    sums = [0.0] * 8
    for index, product in enumerate(products):
        sums[index % 8] += product
    for width in (4, 2, 1):
        for lane in range(width):
            sums[lane] += sums[lane + width]
    return sums[0]


def float32(value: float) -> float:
    """The nearest float32."""
    return float(struct.unpack("<f", struct.pack("<f", value))[0])


def normalised(vector: Sequence[float]) -> list[float]:
    """Each element divided in f64 by the square root of the sum of squares (in lanes), rounded once to float32."""
    length = math.sqrt(lanes([value * value for value in vector]))
    return [float32(value / length) for value in vector]


def dot(left: Sequence[float], right: Sequence[float]) -> float:
    """The cosine of two normalised vectors: products of float32 values, exact in f64, summed in lanes."""
    return lanes([a * b for a, b in zip(left, right, strict=True)])


def cut(title: str) -> str:
    """At most 160 scalars, the `…` of a cut included, cut at the border of a grapheme cluster."""
    if len(title) <= TITLE_SCALARS:
        return title
    room = TITLE_SCALARS - 1
    kept = ""
    for cluster in regex.findall(r"\X", title):
        if len(kept) + len(cluster) > room:
            break
        kept += cluster
    return (kept or title[:room]) + "…"
