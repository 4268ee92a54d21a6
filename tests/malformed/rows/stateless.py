"""`prepare`, `query`, `remember_candidates`, `resident_publish`, `resident_release`."""

from __future__ import annotations

from tests.malformed.row import (
    CANARY,
    CONFLICT,
    DUPLICATE,
    LIMIT_TEXT,
    MISMATCH,
    MODEL,
    RANGE,
    RESIDENT_UNKNOWN,
    TYPE,
    VALUE,
)
from tests.malformed.rows.bases import (
    CANDIDATES,
    HOST_MODEL,
    PREPARE,
    PUBLISH,
    PUBLISH_MORE,
    QUERY_HASH,
    QUERY_HOST,
    RELEASE,
    snapshot,
)
from tests.malformed.rows.related import ABOVE_2_53, LONG_ID, MEGABYTE

PREPARES = [
    PREPARE.drop("model"),
    PREPARE.drop("entries"),
    *PREPARE.unknown("extra", "snapshots", "entries[0].extra"),
    *PREPARE.each(
        TYPE,
        {
            "model": 5,
            "entries": {},
            "entries[0]": CANARY,
            "entries[0].id": 1,
            "entries[0].title": [CANARY],
            "entries[0].content": 5,
            "entries[0].tags": CANARY,
            "entries[0].tags[0]": 5,
        },
    ),
    PREPARE.drop("entries[0].id"),
    PREPARE.drop("entries[1].content"),
    PREPARE.put("entries[0].id", "", RANGE),
    PREPARE.put("entries[0].id", LONG_ID, RANGE),
    PREPARE.put("entries[1].id", "m1", DUPLICATE),
    PREPARE.put("entries[0].content", MEGABYTE, LIMIT_TEXT),
    PREPARE.put("model", "no-such-model", MODEL),
    PREPARE.put("model", HOST_MODEL, MODEL),
    PREPARE.put("model", "none", MODEL),
]

QUERIES = [
    *[QUERY_HASH.drop(key) for key in ("model", "snapshots", "query", "query.text", "query.limit")],
    *QUERY_HASH.unknown("extra", "ids", "pairs", "related_settings", "query.extra", "query.tags", "query.since"),
    *QUERY_HASH.each(
        TYPE,
        {
            "model": 5,
            "snapshots": CANARY,
            "query": CANARY,
            "query.text": 5,
            "query.limit": 5.0,
            "query.kind": 5,
            "query.min_score": "0.5",
            "query_vector": [0.5],
        },
    ),
    QUERY_HASH.put("query.limit", 0, RANGE),
    QUERY_HASH.put("query.limit", 1001, RANGE),
    QUERY_HASH.put("query.min_score", -0.01, RANGE),
    QUERY_HASH.put("query.min_score", 1.01, RANGE),
    QUERY_HASH.put("query.min_score", True, TYPE),
    QUERY_HASH.put("model", "no-such-model", MODEL),
    QUERY_HASH.put("snapshots[1].id", "m1", DUPLICATE),
    QUERY_HASH.put("snapshots[1].entry.id", "m1", CONFLICT),
    QUERY_HASH.put("snapshots[0].recall_count", ABOVE_2_53, RANGE),
    QUERY_HASH.put("resident_key", "@resident", CONFLICT),
    QUERY_HOST.put("resident_key", "r999", RESIDENT_UNKNOWN),
    QUERY_HOST.put("model", "host:another", MISMATCH),
]

CANDIDATE = [
    *[CANDIDATES.drop(key) for key in ("model", "snapshots", "entry", "entry.content")],
    *CANDIDATES.unknown("extra", "ids", "query"),
    *CANDIDATES.each(
        TYPE,
        {
            "model": None,
            "snapshots": {},
            "entry": CANARY,
            "entry.title": 5,
            "entry.content": [CANARY],
            "entry.tags": CANARY,
            "entry.project": 5,
            "entry.kind": [],
        },
    ),
    CANDIDATES.put("entry.content", None, TYPE),
    CANDIDATES.put("entry.tags", [CANARY, 5], TYPE, "payload.entry.tags[1]"),
    CANDIDATES.put("entry.content", MEGABYTE, LIMIT_TEXT),
    CANDIDATES.put("model", "no-such-model", MODEL),
    CANDIDATES.put("resident_key", "@resident", CONFLICT),
    CANDIDATES.put("snapshots[2].id", "m1", DUPLICATE),
]

RESIDENT = [
    PUBLISH.drop("model"),
    PUBLISH.drop("snapshots"),
    *PUBLISH.unknown("extra", "ids", "resident_key", "snapshots[0].extra"),
    *PUBLISH.each(
        TYPE, {"model": 5, "snapshots": CANARY, "base_key": 5, "removed": "m1", "vectors": [], "snapshots[0]": "m1"}
    ),
    PUBLISH.put("model", "no-such-model", MODEL),
    PUBLISH.put("snapshots[2].id", "m1", DUPLICATE),
    PUBLISH.put("snapshots[0].id", "", RANGE),
    PUBLISH.put("snapshots[2].entry.id", "m1", CONFLICT),
    PUBLISH.put("removed", ["m9"], VALUE, "payload.removed[0]", what="a removal without a base"),
    PUBLISH_MORE.put("removed[0]", 5, TYPE),
    PUBLISH_MORE.put("removed[0]", "", RANGE),
    PUBLISH_MORE.put("removed", ["m3", "m3"], DUPLICATE, "payload.removed[1]"),
    PUBLISH_MORE.put("removed", ["m9"], VALUE, "payload.removed[0]"),
    PUBLISH_MORE.put("removed", ["m3", "m4"], CONFLICT, "payload.removed[1]", what="an id in snapshots and removed"),
    PUBLISH_MORE.put("base_key", "r999", RESIDENT_UNKNOWN),
    PUBLISH_MORE.put("base_key", "@gone", RESIDENT_UNKNOWN, what="a released base"),
    PUBLISH_MORE.put("base_key", "@consumed", RESIDENT_UNKNOWN, what="a base that a publish consumed"),
    PUBLISH_MORE.put("model", "test-hash:32", MISMATCH),
    PUBLISH_MORE.put("snapshots", [snapshot("m4"), snapshot("m4")], DUPLICATE, "payload.snapshots[1].id"),
    RELEASE.drop("resident_key"),
    *RELEASE.unknown("extra"),
    RELEASE.put("resident_key", 1, TYPE),
    RELEASE.put("resident_key", None, TYPE),
    RELEASE.put("resident_key", "", RESIDENT_UNKNOWN),
    RELEASE.put("resident_key", "r999", RESIDENT_UNKNOWN),
    RELEASE.put("resident_key", "@gone", RESIDENT_UNKNOWN, what="a key released before"),
]

ROWS = [*PREPARES, *QUERIES, *CANDIDATE, *RESIDENT]
