"""The valid calls that rows depart from; each is checked to succeed unchanged."""

from __future__ import annotations

import struct
from typing import Any

from tests.malformed.row import CANARY, Base

HASH_MODEL = "test-hash:64"
HOST_MODEL = "host:malformed"


def floats(*values: float) -> bytes:
    """Little-endian float32."""
    return struct.pack(f"<{len(values)}f", *values)


def reference(index: int, dtype: str, *shape: int) -> dict[str, Any]:
    """What names an attachment in JSON."""
    return {"$attachment": index, "dtype": dtype, "shape": list(shape)}


def entry(memory_id: str) -> dict[str, Any]:
    """A decrypted memory whose every text holds the canary."""
    return {
        "id": memory_id,
        "kind": "decision",
        "tags": [f"{CANARY}-tag"],
        "title": f"{CANARY} title of {memory_id}",
        "content": f"The {CANARY} sings at dawn, says {memory_id}.",
        "project": f"{CANARY}-project",
        "created_at": "2026-03-01T09:30:00Z",
        "importance": "important",
    }


def snapshot(memory_id: str) -> dict[str, Any]:
    """A stored memory as a host shows it."""
    return {
        "id": memory_id,
        "deleted": False,
        "tags": f"{CANARY}-tag",
        "title": f"{CANARY} title",
        "recall_count": 3,
        "entry": entry(memory_id),
    }


QUERY = {"text": f"what does the {CANARY} sing", "limit": 5}
SNAPSHOTS = [snapshot("m1"), snapshot("m2"), snapshot("m3")]

CAPABILITIES = Base("capabilities", {})

RELATED = Base(
    "related_business",
    {
        "model": HASH_MODEL,
        "snapshots": SNAPSHOTS,
        "query": QUERY,
        "ids": ["m1", "m2"],
        "pairs": [{"a": "m1", "b": "m3", "n": 4}],
        "related_settings": {"max": 8, "relations": ["see_also", "co_recall"]},
    },
)

RELATED_HOST = Base(
    "related_business",
    {
        "model": HOST_MODEL,
        "snapshots": SNAPSHOTS,
        "query": QUERY,
        "ids": ["m1"],
        "pairs": [],
        "vectors": {"ids": ["m1", "m3"], "data": reference(0, "f32", 2, 4)},
    },
    attachments=[floats(1, 0, 0, 0, 0.6, 0.8, 0, 0)],
)

RELATED_RESIDENT = Base(
    "related_business",
    {"model": HASH_MODEL, "resident_key": "@resident", "query": QUERY, "ids": ["m1"], "pairs": []},
)

PREPARE = Base(
    "prepare",
    {
        "model": HASH_MODEL,
        "entries": [
            {"id": "m1", "title": f"{CANARY} title", "content": f"A {CANARY} at dawn.", "tags": [f"{CANARY}-tag"]},
            {"id": "m2", "content": f"Another {CANARY}."},
        ],
    },
)

QUERY_HASH = Base("query", {"model": HASH_MODEL, "snapshots": SNAPSHOTS, "query": QUERY})

QUERY_HOST = Base(
    "query",
    {"model": HOST_MODEL, "resident_key": "@resident_host", "query": QUERY, "query_vector": reference(0, "f32", 4)},
    attachments=[floats(1, 0, 0, 0)],
)

CANDIDATES = Base(
    "remember_candidates",
    {"model": HASH_MODEL, "snapshots": SNAPSHOTS, "entry": {"title": f"{CANARY} title", "content": f"A {CANARY}."}},
)

CANDIDATES_HOST = Base(
    "remember_candidates",
    {
        "model": HOST_MODEL,
        "resident_key": "@resident_host",
        "entry": {"content": f"A {CANARY}."},
        "entry_vector": reference(0, "f32", 4),
    },
    attachments=[floats(1, 0, 0, 0)],
)

PUBLISH = Base("resident_publish", {"model": HASH_MODEL, "snapshots": SNAPSHOTS})

PUBLISH_MORE = Base(
    "resident_publish",
    {"model": HASH_MODEL, "base_key": "@resident_base", "snapshots": [snapshot("m4")], "removed": ["m3"]},
)

PUBLISH_HOST = Base(
    "resident_publish",
    {
        "model": HOST_MODEL,
        "snapshots": SNAPSHOTS,
        "vectors": {"ids": ["m1", "m2"], "data": reference(0, "f32", 2, 4)},
    },
    attachments=[floats(1, 0, 0, 0, 0, 1, 0, 0)],
)

RELEASE = Base("resident_release", {"resident_key": "@resident_released"})

REMEMBER = Base(
    "remember",
    {
        "content": f"A fresh note: the {CANARY} nests in April.",
        "title": f"{CANARY} nests",
        "kind": "knowledge",
        "tags": [f"{CANARY}-tag"],
        "project": f"{CANARY}-project",
        "importance": "important",
        "force": True,
    },
    handle="library",
)

REMEMBER_LINKED = Base(
    "remember",
    {
        "content": f"A fresh note that replaces one: the {CANARY} nests in May.",
        "supersedes": "@live",
        "see_also": ["@normal"],
        "contradicts": ["@head"],
        "derived_from": ["@other"],
        "parent": "@other",
        "expected_head": "@live",
    },
    handle="library",
)

REMEMBER_HOST = Base(
    "remember",
    {"content": f"A host's note on the {CANARY}.", "force": True, "vector": reference(0, "f32", 4)},
    handle="library_host",
    attachments=[floats(0, 0, 1, 0)],
)

RECALL = Base(
    "recall",
    {
        "text": f"where does the {CANARY} nest",
        "limit": 5,
        "tags": [f"{CANARY}-tag"],
        "since": "2020-01-01T00:00:00Z",
        "superseded": "mark",
        "related_settings": {"max": 4},
    },
    handle="library",
)

RECALL_HOST = Base(
    "recall",
    {"text": f"where does the {CANARY} nest", "vector": reference(0, "f32", 4)},
    handle="library_host",
    attachments=[floats(1, 0, 0, 0)],
)

SHOW = Base("show", {"id": "@live"}, handle="library")
RELATIONS = Base(
    "relations", {"id": "@head", "type": "supersedes", "direction": "outgoing", "limit": 10}, handle="library"
)
FORGET = Base("forget", {"id": "@other"}, handle="library")
RESTORE = Base("restore", {"id": "@forgotten"}, handle="library")
LINK = Base("link", {"id": "@live", "target": "@normal", "type": "contradicts", "device": CANARY}, handle="library")
UNLINK = Base("unlink", {"id": "@other", "target": "@head"}, handle="library")
UNSUPERSEDE = Base("unsupersede", {"id": "@head"}, handle="library")
UPDATE = Base(
    "update",
    {"id": "@normal", "content": f"The {CANARY} note, edited.", "tags": [CANARY], "kind": "task", "device": CANARY},
    handle="library",
)
UPDATE_HOST = Base(
    "update",
    {"id": "@host_live", "content": f"Another {CANARY} note.", "vector": reference(0, "f32", 4)},
    handle="library_host",
    attachments=[floats(0, 1, 0, 0)],
)
STATUS = Base("status", {}, handle="library")
FLUSH = Base("statistics_flush", {}, handle="library")

# In an order in which each succeeds on one fixture.
ALL = [
    CAPABILITIES,
    RELATED,
    RELATED_HOST,
    RELATED_RESIDENT,
    PREPARE,
    QUERY_HASH,
    QUERY_HOST,
    CANDIDATES,
    CANDIDATES_HOST,
    PUBLISH,
    PUBLISH_MORE,
    PUBLISH_HOST,
    RELEASE,
    REMEMBER,
    REMEMBER_LINKED,
    REMEMBER_HOST,
    RECALL,
    RECALL_HOST,
    SHOW,
    RELATIONS,
    LINK,
    UNLINK,
    UNSUPERSEDE,
    UPDATE,
    UPDATE_HOST,
    FORGET,
    RESTORE,
    STATUS,
    FLUSH,
]
