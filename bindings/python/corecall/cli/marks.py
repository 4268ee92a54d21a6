"""Marks of hits and associations, and what they mean."""

from __future__ import annotations

SUPERSEDED = "superseded"

# mark and meaning: of the hit itself, then of a memory that stands below it.
MEANINGS = {
    SUPERSEDED: ("!", "there is a newer version of the hit"),
    "new_version": ("→", "replaces the hit above it"),
    "old_version": ("←", "was replaced by the hit above it"),
    "contradicts": ("≠", "one says the opposite of the other"),
    "see_also": ("~", "linked with the hit by whoever wrote them"),
    "derived_from": ("⇐", "the hit was made from it"),
    "derivative": ("⇒", "was made from the hit"),
    "co_recall": ("&", "often recalled together with the hit"),
    "neighbor": ("≈", "close to the hit in meaning"),
}

RELATION_WIDTH = max(len(name) for name in MEANINGS)


def mark(relation: str) -> str:
    """The mark of a relation; a dot for one that this version doesn't know."""
    return MEANINGS.get(relation, ("·", ""))[0]


def meaning(relation: str) -> str:
    """What a relation says, in words; its name for one that this version doesn't know."""
    return MEANINGS.get(relation, ("", relation))[1]
