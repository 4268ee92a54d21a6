"""What a library answers with: frozen records, named and ordered as in the replies of the native library."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Kind = Literal["context", "decision", "preference", "task", "emotion", "time", "skill", "knowledge"]
Importance = Literal["important", "normal", "trivial"]
RelationType = Literal["supersedes", "see_also", "contradicts", "derived_from"]
LinkType = Literal["see_also", "contradicts", "derived_from"]
Direction = Literal["outgoing", "incoming", "both"]
Label = Literal[
    "new_version",
    "old_version",
    "contradicts",
    "see_also",
    "derived_from",
    "derivative",
    "co_recall",
    "neighbor",
]


class RelatedSettings(TypedDict, total=False):
    """How many associations stand beside the hits, and which.

    Keys left out have the defaults of association contract 1: 8 in all, 3 a hit, all five labels but
    `contradicts`, `derived_from` and `derivative`, which must be asked for.
    """

    enabled: bool
    max: int
    per_source: int
    pair_min: int
    min_cos: float
    knn_seeds: int
    knn_per: int
    relations: list[Label]
    explain: bool


@dataclass(frozen=True, slots=True)
class Title:
    """A memory by id and title, of at most 160 characters."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A memory. Times are RFC 3339 in UTC; `emotion` is -1 where it isn't labelled."""

    id: str
    kind: str = ""
    tags: tuple[str, ...] = ()
    title: str = ""
    content: str = ""
    user: str = ""
    computer: str = ""
    project: str = ""
    created_at: str = ""
    updated_at: str = ""
    emotion: int = -1
    parent_id: str | None = None
    importance: str = ""
    device: str = ""
    modified_by: str = ""
    supersedes: str = ""
    superseded_by: str = ""
    see_also: tuple[str, ...] = ()
    contradicts: tuple[str, ...] = ()
    derived_from: tuple[str, ...] = ()
    other: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Fields that this version doesn't know; kept."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """What `remember` did.

    `state` is `created`; `exists` for an exact repeat of a live memory, whose id it then is; or, only with
    `propose=True`, `candidates`: nothing was written, `id` is empty, and `merge` and `parent` list what is alike.
    """

    id: str
    state: Literal["created", "exists", "candidates"]
    written: bool
    merge: tuple[Title, ...] = ()
    parent: tuple[Title, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A ranked memory; `score` is from 0 to 1.

    `entry` is None where only titles were asked for. `ancestors` go from the root to the parent.
    `superseded_by` is the id of the newest live version where this one was replaced.
    """

    id: str
    title: str
    score: float
    entry: Entry | None
    ancestors: tuple[Title, ...]
    superseded_by: str | None


@dataclass(frozen=True, slots=True)
class Association:
    """A memory that stands beside the hits, and why: `relation` says how it belongs to the hit `source_id`."""

    id: str
    title: str
    source_id: str
    relation: Label


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts of a recall."""

    hits: int
    associations: int


@dataclass(frozen=True, slots=True)
class Drop:
    """A memory that was considered as an association and left out."""

    id: str
    source_id: str
    relation: Label
    reason: str


@dataclass(frozen=True, slots=True)
class Ledger:
    """What became of every memory considered as an association; at most 64 drops are listed."""

    considered: int
    returned: int
    dropped: tuple[Drop, ...]


@dataclass(frozen=True, slots=True)
class Recall:
    """Ranked hits, and beside them the associations, which never change the hits.

    `ledger` and `primary_digest` are there only with `explain=True`; the digest covers ids and scores of the hits.
    """

    hits: tuple[Hit, ...]
    related: tuple[Association, ...]
    summary: Summary
    ledger: Ledger | None = None
    primary_digest: str | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """One memory, whole."""

    entry: Entry
    deleted: bool
    superseded_by: str | None
    ancestors: tuple[Title, ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """An edge. It is `active` while both ends are live."""

    source_id: str
    target_id: str
    type: RelationType
    created_at: str
    active: bool


@dataclass(frozen=True, slots=True)
class Relations:
    """A page of edges; pass `next_cursor` on for the next one."""

    relations: tuple[Relation, ...]
    next_cursor: str | None

    def __iter__(self) -> Iterator[Relation]:
        return iter(self.relations)

    def __len__(self) -> int:
        return len(self.relations)


@dataclass(frozen=True, slots=True)
class Forgotten:
    """A tombstone was made, or would be; `derived` go with it, and `revived` are current again by it."""

    id: str
    state: Literal["forgotten", "dry_run"]
    derived: tuple[Title, ...]
    revived: tuple[Title, ...]


@dataclass(frozen=True, slots=True)
class Restored:
    """A tombstone is a memory again; `retired` are memories that it replaces again.

    `exists`: it wasn't forgotten, and nothing was written.
    """

    id: str
    state: Literal["restored", "exists"]
    written: bool
    superseded_by: str | None
    retired: tuple[Title, ...]


@dataclass(frozen=True, slots=True)
class Linked:
    """A link was made or withdrawn; `exists`: it was there already, and nothing was written."""

    state: Literal["linked", "exists", "unlinked"]
    written: bool
    source_id: str
    target_id: str
    type: LinkType


@dataclass(frozen=True, slots=True)
class Unsuperseded:
    """A replacement of `target_id` was withdrawn; `revived` are memories that are current again by it."""

    id: str
    state: Literal["withdrawn"]
    target_id: str
    revived: tuple[Title, ...]


@dataclass(frozen=True, slots=True)
class Updated:
    """A memory was edited, or nothing was to be written; `updated_at` guards the next edit."""

    id: str
    state: Literal["updated", "unchanged"]
    written: bool
    updated_at: str


@dataclass(frozen=True, slots=True)
class Counts:
    """How many memories there are: `live` ones (`trivial` of them diary lines), and tombstones."""

    live: int
    trivial: int
    forgotten: int


@dataclass(frozen=True, slots=True)
class CompetingReplacements:
    """A memory that several live memories claim to replace; the winner stands first."""

    target_id: str
    claimant_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StatisticsCounters:
    """The queue of the co-recall evidence since the library was opened."""

    pending: int
    enqueued: int
    persisted: int
    rejected: int
    failed: int


@dataclass(frozen=True, slots=True)
class Status:
    """A library in numbers. `change_seq` grows by one with every write."""

    counts: Counts
    model: str
    path: str
    schema_version: int
    change_seq: int
    read_only: bool
    conflicts: tuple[CompetingReplacements, ...]
    statistics: StatisticsCounters
