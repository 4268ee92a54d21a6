"""Results of the native library read into records. Fields of the wire that a record doesn't have are passed over."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from corecall import records

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    Wire = Mapping[str, Any]

_ENTRY_FIELDS = frozenset(item.name for item in fields(records.Entry)) - {"other"}
_ENTRY_LISTS = ("tags", "see_also", "contradicts", "derived_from")


def entry(wire: Wire) -> records.Entry:
    """A memory; fields that this version doesn't know are kept in `other`."""
    known = dict(wire)
    for name in _ENTRY_LISTS:
        if name in known:
            known[name] = tuple(known[name])
    if not known.keys() <= _ENTRY_FIELDS:
        known["other"] = {name: known.pop(name) for name in wire if name not in _ENTRY_FIELDS}
    return records.Entry(**known)


def titles(wire: Iterable[Wire]) -> tuple[records.Title, ...]:
    """Memories by id and title."""
    return tuple(records.Title(item["id"], item["title"]) for item in wire)


def remembered(wire: Wire) -> records.Remembered:
    """The result of `remember`."""
    return records.Remembered(
        id=wire["id"] or "",
        state=wire["state"],
        written=wire["written"],
        merge=titles(wire["merge"]),
        parent=titles(wire["parent"]),
    )


def recall(wire: Wire) -> records.Recall:
    """The result of `recall`."""
    ledger = wire.get("ledger")
    return records.Recall(
        hits=tuple(_hit(item) for item in wire["hits"]),
        related=tuple(
            records.Association(item["id"], item["title"], item["source_id"], item["relation"])
            for item in wire["related"]
        ),
        summary=records.Summary(wire["summary"]["hits"], wire["summary"]["associations"]),
        ledger=None if ledger is None else _ledger(ledger),
        primary_digest=wire.get("primary_digest"),
    )


def shown(wire: Wire) -> records.Shown:
    """The result of `show`."""
    return records.Shown(
        entry=entry(wire["entry"]),
        deleted=wire["deleted"],
        superseded_by=wire["superseded_by"],
        ancestors=titles(wire["ancestors"]),
    )


def relations(wire: Wire) -> records.Relations:
    """The result of `relations`."""
    return records.Relations(
        relations=tuple(
            records.Relation(item["source_id"], item["target_id"], item["type"], item["created_at"], item["active"])
            for item in wire["relations"]
        ),
        next_cursor=wire["next_cursor"],
    )


def forgotten(wire: Wire) -> records.Forgotten:
    """The result of `forget`."""
    return records.Forgotten(
        id=wire["id"], state=wire["state"], derived=titles(wire["derived"]), revived=titles(wire["revived"])
    )


def restored(wire: Wire) -> records.Restored:
    """The result of `restore`."""
    return records.Restored(
        id=wire["id"],
        state=wire["state"],
        written=wire["written"],
        superseded_by=wire["superseded_by"],
        retired=titles(wire["retired"]),
    )


def linked(wire: Wire) -> records.Linked:
    """The result of `link` and of `unlink`."""
    return records.Linked(
        state=wire["state"],
        written=wire["written"],
        source_id=wire["source_id"],
        target_id=wire["target_id"],
        type=wire["type"],
    )


def unsuperseded(wire: Wire) -> records.Unsuperseded:
    """The result of `unsupersede`."""
    return records.Unsuperseded(
        id=wire["id"], state=wire["state"], target_id=wire["target_id"], revived=titles(wire["revived"])
    )


def updated(wire: Wire) -> records.Updated:
    """The result of `update`."""
    return records.Updated(id=wire["id"], state=wire["state"], written=wire["written"], updated_at=wire["updated_at"])


def status(wire: Wire) -> records.Status:
    """The result of `status`."""
    counts, statistics = wire["counts"], wire["statistics"]
    return records.Status(
        counts=records.Counts(counts["live"], counts["trivial"], counts["forgotten"]),
        model=wire["model"],
        path=wire["path"],
        schema_version=wire["schema_version"],
        change_seq=wire["change_seq"],
        read_only=wire["read_only"],
        conflicts=tuple(
            records.CompetingReplacements(item["target_id"], tuple(item["claimant_ids"])) for item in wire["conflicts"]
        ),
        statistics=records.StatisticsCounters(
            pending=statistics["pending"],
            enqueued=statistics["enqueued"],
            persisted=statistics["persisted"],
            rejected=statistics["rejected"],
            failed=statistics["failed"],
        ),
    )


def _hit(wire: Wire) -> records.Hit:
    whole = wire.get("entry")
    return records.Hit(
        id=wire["id"],
        title=wire["title"],
        score=float(wire["score"]),
        entry=None if whole is None else entry(whole),
        ancestors=titles(wire["ancestors"]),
        superseded_by=wire["superseded_by"],
    )


def _ledger(wire: Wire) -> records.Ledger:
    return records.Ledger(
        considered=wire["considered"],
        returned=wire["returned"],
        dropped=tuple(
            records.Drop(item["id"], item["source_id"], item["relation"], item["reason"]) for item in wire["dropped"]
        ),
    )
