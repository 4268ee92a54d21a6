"""`related_business`: every argument missing, of a wrong type, out of range, unknown, given twice."""

from __future__ import annotations

from tests.malformed.row import (
    ARTIFACT,
    CANARY,
    CONFLICT,
    DUPLICATE,
    LIMIT_TEXT,
    MISMATCH,
    MODEL,
    RANGE,
    RESIDENT_UNKNOWN,
    SNAPSHOT_UNKNOWN,
    TYPE,
    VALUE,
)
from tests.malformed.rows.bases import RELATED, RELATED_HOST, RELATED_RESIDENT, entry, snapshot

ABOVE_2_53 = 2**53 + 1
LONG_ID = "i" * 257
MEGABYTE = "q" * (1024 * 1024 + 1)

PAYLOAD = [
    *[RELATED.drop(key) for key in ("model", "snapshots", "query", "ids", "pairs")],
    *RELATED.unknown("extra", "Ids", "query_vector", "related_setting"),
    *RELATED.each(TYPE, {"model": 5, "snapshots": {}, "query": [], "ids": "m1", "pairs": {}, "related_settings": []}),
    *RELATED.each(TYPE, {"model": None, "snapshots": None, "query": None, "ids": None, "pairs": None}),
    *[
        RELATED.put("model", model, MODEL)
        for model in (
            "",
            "no-such-model",
            "NONE",
            "none ",
            "test-hash",
            "test-hash:",
            "test-hash:0",
            "test-hash:4097",
            "test-hash:-1",
            "test-hash:64.0",
            "test-hash:99999999999999999999",
            "host:",
            "host:" + "n" * 129,
            "Host:name",
        )
    ],
]

SNAPSHOTS = [
    RELATED.put("snapshots[0]", "m1", TYPE),
    RELATED.put("snapshots[1]", None, TYPE),
    RELATED.put("snapshots[2]", [], TYPE),
    RELATED.drop("snapshots[0].id"),
    RELATED.put("snapshots[0].id", 1, TYPE),
    RELATED.put("snapshots[0].id", None, TYPE),
    RELATED.put("snapshots[0].id", "", RANGE),
    RELATED.put("snapshots[0].id", LONG_ID, RANGE),
    RELATED.put("snapshots[0].id", "é" * 129, RANGE, what="snapshots[0].id of 129 characters and 258 bytes"),
    RELATED.put("snapshots[3]", snapshot("m1"), DUPLICATE, "payload.snapshots[3].id"),
    RELATED.put("snapshots[3]", {"id": "m2"}, DUPLICATE, "payload.snapshots[3].id"),
    *RELATED.unknown("snapshots[0].extra", "snapshots[2].content", "snapshots[1].supersedes"),
    *RELATED.each(
        TYPE,
        {
            "snapshots[0].deleted": "false",
            "snapshots[1].deleted": 0,
            "snapshots[0].updated_at": 1700000000,
            "snapshots[0].kind": 5,
            "snapshots[0].tags": [CANARY],
            "snapshots[0].title": {"text": CANARY},
            "snapshots[0].project": False,
            "snapshots[0].computer": [],
            "snapshots[0].parent_id": 5,
            "snapshots[0].created_at": 1700000000,
            "snapshots[0].content_head": [CANARY],
            "snapshots[0].importance": 1,
            "snapshots[0].recall_count": "3",
            "snapshots[1].recall_count": 3.0,
            "snapshots[2].recall_count": 3.5,
            "snapshots[0].entry": CANARY,
            "snapshots[1].entry": [],
            "snapshots[0].features": [],
        },
    ),
    RELATED.put("snapshots[0].recall_count", True, TYPE),
    RELATED.put("snapshots[0].recall_count", -1, RANGE),
    RELATED.put("snapshots[0].recall_count", ABOVE_2_53, RANGE),
    RELATED.put("snapshots[0].recall_count", 2**64 - 1, RANGE),
]

ENTRIES = [
    RELATED.put("snapshots[0].entry.id", "m2", CONFLICT),
    RELATED.put("snapshots[2].entry", entry("M3"), CONFLICT, "payload.snapshots[2].entry.id"),
    *RELATED.each(
        TYPE,
        {
            "snapshots[0].entry.id": 1,
            "snapshots[0].entry.kind": 5,
            "snapshots[0].entry.tags": f"{CANARY},b",
            "snapshots[0].entry.tags[0]": 5,
            "snapshots[0].entry.title": [CANARY],
            "snapshots[0].entry.content": {"text": CANARY},
            "snapshots[0].entry.user": 5,
            "snapshots[0].entry.computer": 5,
            "snapshots[0].entry.project": 5,
            "snapshots[0].entry.created_at": 5,
            "snapshots[0].entry.updated_at": False,
            "snapshots[0].entry.emotion": CANARY,
            "snapshots[0].entry.importance": 1,
            "snapshots[0].entry.device": 1,
            "snapshots[0].entry.modified_by": 1,
            "snapshots[0].entry.supersedes": ["m2"],
            "snapshots[0].entry.superseded_by": 5,
            "snapshots[0].entry.see_also": "m2",
            "snapshots[0].entry.contradicts": {"id": "m2"},
            "snapshots[0].entry.derived_from": 5,
        },
    ),
    RELATED.put("snapshots[0].entry.emotion", 0.5, TYPE),
    RELATED.put("snapshots[0].entry.parent_id", 5, TYPE),
    RELATED.put("snapshots[0].entry.see_also", ["m2", 5], TYPE, "payload.snapshots[0].entry.see_also[1]"),
    RELATED.put("snapshots[0].entry.contradicts", [None], TYPE, "payload.snapshots[0].entry.contradicts[0]"),
]

FEATURES = [
    *RELATED.unknown("snapshots[0].features.extra"),
    RELATED.put("snapshots[0].features.artifact", 5, TYPE),
    RELATED.put("snapshots[0].features.artifact", "not base64!", ARTIFACT),
    RELATED.put("snapshots[0].features.artifact", "QUJD=", ARTIFACT),
    RELATED.put("snapshots[0].features.artifact", "QUJDRA", ARTIFACT, what="base64 without its padding"),
    RELATED.put("snapshots[0].features.artifact", "QUJD", ARTIFACT, what="base64 of bytes that are no artifact"),
    RELATED.put("snapshots[0].features.artifact", "", ARTIFACT),
    RELATED.put("snapshots[0].features.artifact", "@artifact_other", MISMATCH, what="an artifact of another model"),
    RELATED.put("snapshots[0].features.artifact", "@artifact_cut", ARTIFACT, what="an artifact without its last byte"),
    RELATED_HOST.put("snapshots[1].features", {"artifact": "@artifact"}, CONFLICT, what="features with a host model"),
]

QUERY = [
    RELATED.drop("query.text"),
    RELATED.drop("query.limit"),
    *RELATED.unknown("query.extra", "query.Limit", "query.tags", "query.min_score"),
    *RELATED.each(
        TYPE,
        {
            "query": CANARY,
            "query.text": 5,
            "query.limit": "5",
            "query.kind": 5,
            "query.project": [CANARY],
            "query.computer": False,
        },
    ),
    RELATED.put("query.text", None, TYPE),
    RELATED.put("query.text", [CANARY], TYPE),
    RELATED.put("query.limit", 5.0, TYPE),
    RELATED.put("query.limit", 5.5, TYPE),
    RELATED.put("query.limit", True, TYPE),
    RELATED.put("query.limit", None, TYPE),
    RELATED.put("query.limit", 0, RANGE),
    RELATED.put("query.limit", -1, RANGE),
    RELATED.put("query.limit", 1001, RANGE),
    RELATED.put("query.limit", 2**64 - 1, RANGE),
    RELATED.put("query.text", MEGABYTE, LIMIT_TEXT),
]

IDS = [
    RELATED.put("ids", ["m1", 2], TYPE, "payload.ids[1]"),
    RELATED.put("ids", [None], TYPE, "payload.ids[0]"),
    RELATED.put("ids", {"0": "m1"}, TYPE),
    RELATED.put("ids", [""], RANGE, "payload.ids[0]"),
    RELATED.put("ids", ["m1", LONG_ID], RANGE, "payload.ids[1]"),
    RELATED.put("ids", ["m1", "m2", "m1"], DUPLICATE, "payload.ids[2]"),
    RELATED.put("ids", ["m1", "m9"], SNAPSHOT_UNKNOWN, "payload.ids[1]"),
    RELATED.put("ids", ["M1"], SNAPSHOT_UNKNOWN, "payload.ids[0]"),
    RELATED_RESIDENT.put("ids", ["m9"], SNAPSHOT_UNKNOWN, "payload.ids[0]"),
    RELATED_RESIDENT.put("ids", ["m1", "m1"], DUPLICATE, "payload.ids[1]"),
]

PAIRS = [
    RELATED.put("pairs[0]", ["m1", "m3", 4], TYPE),
    RELATED.put("pairs[0]", None, TYPE),
    *[RELATED.drop(f"pairs[0].{key}") for key in ("a", "b", "n")],
    *RELATED.unknown("pairs[0].extra"),
    *RELATED.each(TYPE, {"pairs[0].a": 1, "pairs[0].b": None, "pairs[0].n": "4"}),
    RELATED.put("pairs[0].n", 4.0, TYPE),
    RELATED.put("pairs[0].n", True, TYPE),
    RELATED.put("pairs[0].n", -1, RANGE),
    RELATED.put("pairs[0].n", ABOVE_2_53, RANGE),
    RELATED.put("pairs[0].a", "", RANGE),
    RELATED.put("pairs[0].b", LONG_ID, RANGE),
    RELATED.put("pairs[0].b", "m1", VALUE),
    RELATED.put("pairs[1]", {"a": "m1", "b": "m3", "n": 4}, DUPLICATE),
    RELATED.put("pairs[1]", {"a": "m3", "b": "m1", "n": 1}, DUPLICATE, what="the pair again in the other order"),
    RELATED.put(
        "pairs",
        [{"a": "x", "b": "y", "n": 1}, {"a": "y", "b": "x", "n": 1}],
        DUPLICATE,
        "payload.pairs[1]",
        what="a pair twice that touches no hit",
    ),
]

SETTINGS = [
    *RELATED.unknown("related_settings.extra", "related_settings.Max", "related_settings.per_seed"),
    *RELATED.each(
        TYPE,
        {
            "related_settings": CANARY,
            "related_settings.enabled": "true",
            "related_settings.max": "8",
            "related_settings.per_source": 3.0,
            "related_settings.pair_min": True,
            "related_settings.min_cos": "0.6",
            "related_settings.knn_seeds": [3],
            "related_settings.knn_per": {},
            "related_settings.relations": "see_also",
            "related_settings.relations[1]": 5,
            "related_settings.explain": 1,
        },
    ),
    RELATED.put("related_settings.enabled", 0, TYPE),
    RELATED.put("related_settings.max", 8.5, TYPE),
    *RELATED.each(
        RANGE,
        {
            "related_settings.max": 65,
            "related_settings.per_source": 65,
            "related_settings.pair_min": 0,
            "related_settings.min_cos": 1.0001,
            "related_settings.knn_seeds": 65,
            "related_settings.knn_per": 65,
        },
    ),
    *RELATED.each(
        RANGE,
        {
            "related_settings.max": -1,
            "related_settings.per_source": -1,
            "related_settings.pair_min": 2**32 + 1,
            "related_settings.min_cos": -1.0001,
            "related_settings.knn_seeds": -1,
            "related_settings.knn_per": -1,
        },
    ),
    RELATED.put("related_settings.min_cos", 2, RANGE),
    RELATED.put("related_settings.relations[0]", "neighbour", VALUE),
    RELATED.put("related_settings.relations[1]", "", VALUE),
    RELATED.put("related_settings.relations[1]", "See_Also", VALUE),
    RELATED.put("related_settings.relations[2]", "see_also", DUPLICATE),
]

RESIDENT = [
    RELATED.put("resident_key", "@resident", CONFLICT, what="snapshots and resident_key"),
    RELATED_RESIDENT.drop("resident_key", at="payload.snapshots"),
    RELATED_RESIDENT.put("resident_key", 5, TYPE),
    RELATED_RESIDENT.put("resident_key", None, TYPE),
    RELATED_RESIDENT.put("resident_key", ["r1"], TYPE),
    RELATED_RESIDENT.put("resident_key", "r999", RESIDENT_UNKNOWN),
    RELATED_RESIDENT.put("resident_key", "R1", RESIDENT_UNKNOWN),
    RELATED_RESIDENT.put("resident_key", "@gone", RESIDENT_UNKNOWN, what="a released key"),
    RELATED_RESIDENT.put("resident_key", "@consumed", RESIDENT_UNKNOWN, what="a key that a publish consumed"),
    RELATED_RESIDENT.put(
        "resident_key", "@resident", RESIDENT_UNKNOWN, what="a key of another handle", handle="library"
    ),
    RELATED_RESIDENT.put("model", "test-hash:32", MISMATCH),
    RELATED_RESIDENT.put("model", "none", MISMATCH),
    RELATED_RESIDENT.put(
        "vectors", {"ids": [], "data": {"$attachment": 0, "dtype": "f32", "shape": [0, 4]}}, CONFLICT, attachments=[b""]
    ),
]

ROWS = [*PAYLOAD, *SNAPSHOTS, *ENTRIES, *FEATURES, *QUERY, *IDS, *PAIRS, *SETTINGS, *RESIDENT]
