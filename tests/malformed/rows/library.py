"""The library's operations: arguments, and what the write rules refuse."""

from __future__ import annotations

from tests.malformed.row import (
    AMBIGUOUS,
    CANARY,
    CHANGED,
    CONFLICT,
    DUPLICATE,
    EXPECTED_HEAD,
    LIMIT_TEXT,
    MEMORY_UNKNOWN,
    NO_RELATION,
    RANGE,
    REPLACED,
    SELF,
    TARGET_UNKNOWN,
    TRIVIAL,
    TYPE,
    VALUE,
    Base,
    Row,
)
from tests.malformed.rows.bases import (
    FLUSH,
    FORGET,
    LINK,
    RECALL,
    RELATIONS,
    REMEMBER,
    REMEMBER_LINKED,
    RESTORE,
    SHOW,
    STATUS,
    UNLINK,
    UNSUPERSEDE,
    UPDATE,
    UPDATE_HOST,
)
from tests.malformed.rows.related import LONG_ID, MEGABYTE

# An identifier of the right shape that no memory has.
NO_ID = "01890000-0000-7000-8000-000000000000"

REMEMBER_ARGUMENTS = [
    REMEMBER.drop("content"),
    *REMEMBER.unknown("extra", "Content", "id", "created_at", "metadata", "superseded_by", "parent_id", "merge_ids"),
    *REMEMBER.each(
        TYPE,
        {
            "content": 5,
            "title": [CANARY],
            "kind": 5,
            "tags": CANARY,
            "tags[0]": 5,
            "project": 5,
            "computer": [CANARY],
            "user": False,
            "device": {},
            "importance": 1,
            "parent": 5,
            "supersedes": ["@live"],
            "see_also": "@live",
            "contradicts": {},
            "derived_from": 5,
            "expected_head": 5,
            "force": "true",
            "emotion": CANARY,
        },
    ),
    REMEMBER.put("content", None, TYPE),
    REMEMBER.put("force", 1, TYPE),
    REMEMBER.put("emotion", 1.0, TYPE),
    REMEMBER.put("see_also", ["@live", None], TYPE, "payload.see_also[1]"),
    REMEMBER.put("contradicts", [5], TYPE, "payload.contradicts[0]"),
    REMEMBER.put("content", "", RANGE),
    REMEMBER.put("content", MEGABYTE, LIMIT_TEXT),
    REMEMBER.put("content", "é" * (512 * 1024 + 1), LIMIT_TEXT, what="content of half a million é, 1 MiB + 2 bytes"),
    REMEMBER.put("title", MEGABYTE, LIMIT_TEXT),
    REMEMBER.put("kind", CANARY, VALUE),
    REMEMBER.put("kind", "", VALUE),
    REMEMBER.put("kind", "Knowledge", VALUE),
    REMEMBER.put("importance", CANARY, VALUE),
    REMEMBER.put("importance", "", VALUE),
    REMEMBER.put("importance", "high", VALUE),
    REMEMBER.put("emotion", -2, RANGE),
    REMEMBER.put("emotion", 2**63, RANGE),
    REMEMBER.put("supersedes", "", TARGET_UNKNOWN),
    REMEMBER.put("see_also", [""], TARGET_UNKNOWN, "payload.see_also[0]"),
    REMEMBER.put("parent", "", TARGET_UNKNOWN),
]

TARGETS = [
    *[REMEMBER_LINKED.put(key, NO_ID, TARGET_UNKNOWN) for key in ("supersedes", "parent")],
    *[
        REMEMBER_LINKED.put(key, [NO_ID], TARGET_UNKNOWN, f"payload.{key}[0]")
        for key in ("see_also", "contradicts", "derived_from")
    ],
    REMEMBER_LINKED.put("see_also", ["@normal", NO_ID], TARGET_UNKNOWN, "payload.see_also[1]"),
    REMEMBER_LINKED.put("supersedes", f"no {CANARY} has this title", TARGET_UNKNOWN),
    REMEMBER_LINKED.put("supersedes", "#", TARGET_UNKNOWN),
    REMEMBER_LINKED.put("supersedes", "##@live", TARGET_UNKNOWN),
    REMEMBER_LINKED.put("supersedes", "@live_seven", TARGET_UNKNOWN, what="a prefix of seven characters"),
    REMEMBER_LINKED.put("supersedes", "@forgotten", TARGET_UNKNOWN, what="supersedes a forgotten memory"),
    REMEMBER_LINKED.put(
        "see_also", ["@forgotten"], TARGET_UNKNOWN, "payload.see_also[0]", what="see_also a forgotten memory"
    ),
    REMEMBER_LINKED.put("parent", "@forgotten", TARGET_UNKNOWN, what="a forgotten parent"),
    REMEMBER_LINKED.put("supersedes", f"{CANARY} forgotten", TARGET_UNKNOWN, what="the title of a forgotten memory"),
    REMEMBER_LINKED.put("supersedes", f"{CANARY} twin", AMBIGUOUS, what="a title that two memories have"),
    REMEMBER_LINKED.put("supersedes", f"#{CANARY} twin", AMBIGUOUS, what="a title that two memories have, after #"),
    REMEMBER_LINKED.put(
        "see_also", [f"{CANARY} twin"], AMBIGUOUS, "payload.see_also[0]", what="see_also a title that two have"
    ),
    REMEMBER_LINKED.put("parent", f"{CANARY} twin", AMBIGUOUS, what="a parent by a title that two memories have"),
    REMEMBER_LINKED.put("supersedes", "@shared_prefix", AMBIGUOUS, what="a prefix that several memories share"),
    REMEMBER_LINKED.put("supersedes", "@trivial", TRIVIAL, what="supersedes a trivial memory"),
    *[
        REMEMBER_LINKED.put(key, ["@trivial"], TRIVIAL, f"payload.{key}[0]", what=f"{key} a trivial memory")
        for key in ("see_also", "contradicts", "derived_from")
    ],
    *[
        REMEMBER.puts(
            f"a trivial memory with {key}",
            {"importance": "trivial", key: value},
            TRIVIAL,
            "payload.importance",
        )
        for key, value in {
            "supersedes": "@live",
            "see_also": ["@live"],
            "contradicts": ["@live"],
            "derived_from": ["@live"],
        }.items()
    ],
]

REPLACEMENTS = [
    REMEMBER.put("supersedes", "@replaced", REPLACED, what="supersedes what has a live replacement"),
    REMEMBER.put("supersedes", "#@replaced", REPLACED, what="supersedes what has a live replacement, after #"),
    REMEMBER.puts(
        "supersedes what has a live replacement in another project",
        {"supersedes": "@replaced", "project": f"{CANARY}-elsewhere"},
        REPLACED,
        "payload.supersedes",
    ),
    REMEMBER_LINKED.put("expected_head", NO_ID, EXPECTED_HEAD),
    REMEMBER_LINKED.put("expected_head", "@head", EXPECTED_HEAD),
    REMEMBER_LINKED.put("expected_head", "", EXPECTED_HEAD),
    REMEMBER.put("expected_head", "@live", CONFLICT, what="expected_head without supersedes"),
]

RECALLS = [
    RECALL.drop("text"),
    *RECALL.unknown("extra", "Text", "query", "mode", "budget", "metadata", "related_settings.extra"),
    *RECALL.each(
        TYPE,
        {
            "text": 5,
            "limit": "5",
            "kind": 5,
            "project": [CANARY],
            "computer": False,
            "tags": CANARY,
            "tags[0]": 5,
            "since": 1700000000,
            "until": {},
            "titles": "yes",
            "min_score": "0.5",
            "no_related": 1,
            "superseded": True,
            "related_settings": CANARY,
            "explain": "true",
        },
    ),
    RECALL.put("text", None, TYPE),
    RECALL.put("limit", 5.0, TYPE),
    RECALL.put("limit", 0, RANGE),
    RECALL.put("limit", 1001, RANGE),
    RECALL.put("limit", -5, RANGE),
    RECALL.put("min_score", -0.01, RANGE),
    RECALL.put("min_score", 1.01, RANGE),
    RECALL.put("text", MEGABYTE, LIMIT_TEXT),
    *[
        RECALL.put(key, value, VALUE)
        for key in ("since", "until")
        for value in ("", "yesterday", "2026-03-01", "2026-03-01T09:30:00", "2026-02-30T09:30:00Z")
    ],
    RECALL.put("superseded", "drop", VALUE),
    RECALL.put("superseded", "", VALUE),
    RECALL.put("related_settings.max", 65, RANGE),
    RECALL.put("related_settings.relations", ["friends"], VALUE, "payload.related_settings.relations[0]"),
    RECALL.put("related_settings.relations", ["see_also"] * 2, DUPLICATE, "payload.related_settings.relations[1]"),
]


def link_rows(base: Base) -> list[Row]:
    """What `link` and `unlink` refuse alike."""
    return [
        *[base.drop(key) for key in ("id", "target")],
        *base.unknown("extra", "targets", "force"),
        *base.each(TYPE, {"id": 5, "target": ["@normal"], "type": ["see_also"], "device": 5}),
        base.put("id", "", MEMORY_UNKNOWN),
        base.put("id", NO_ID, MEMORY_UNKNOWN),
        base.put("id", f"{CANARY} twin", AMBIGUOUS),
        base.put("target", "", TARGET_UNKNOWN),
        base.put("target", NO_ID, TARGET_UNKNOWN),
        base.put("target", f"{CANARY} twin", AMBIGUOUS),
        base.put("type", "supersedes", VALUE),
        base.put("type", "friends", VALUE),
    ]


LOOKS = [
    SHOW.drop("id"),
    *SHOW.unknown("extra", "title"),
    SHOW.put("id", 5, TYPE),
    SHOW.put("id", ["@live"], TYPE),
    SHOW.put("id", None, TYPE),
    SHOW.put("id", "", MEMORY_UNKNOWN),
    SHOW.put("id", NO_ID, MEMORY_UNKNOWN),
    SHOW.put("id", f"no {CANARY} has this title", MEMORY_UNKNOWN),
    SHOW.put("id", "@live_seven", MEMORY_UNKNOWN, what="a prefix of seven characters"),
    SHOW.put("id", f"{CANARY} forgotten", MEMORY_UNKNOWN, what="the title of a forgotten memory"),
    SHOW.put("id", f"{CANARY} twin", AMBIGUOUS, what="a title that two memories have"),
    SHOW.put("id", "@shared_prefix", AMBIGUOUS, what="a prefix that several memories share"),
    SHOW.put("id", LONG_ID, MEMORY_UNKNOWN, what="a name of 257 bytes"),
    RELATIONS.drop("id"),
    *RELATIONS.unknown("extra", "types"),
    *RELATIONS.each(TYPE, {"id": 5, "type": ["see_also"], "direction": True, "limit": "10", "cursor": 5}),
    RELATIONS.put("limit", 10.0, TYPE),
    RELATIONS.put("limit", 0, RANGE),
    RELATIONS.put("limit", 1001, RANGE),
    RELATIONS.put("id", "", MEMORY_UNKNOWN),
    RELATIONS.put("id", NO_ID, MEMORY_UNKNOWN),
    RELATIONS.put("id", f"{CANARY} twin", AMBIGUOUS),
    RELATIONS.put("type", "friends", VALUE),
    RELATIONS.put("type", "", VALUE),
    RELATIONS.put("type", "Supersedes", VALUE),
    RELATIONS.put("type", "new_version", VALUE),
    RELATIONS.put("direction", "sideways", VALUE),
    RELATIONS.put("direction", "", VALUE),
    RELATIONS.put("direction", "Both", VALUE),
    RELATIONS.put("cursor", CANARY, VALUE),
    RELATIONS.put("cursor", "-1", VALUE),
    RELATIONS.put("cursor", "99999999999999999999999999", VALUE),
    FORGET.drop("id"),
    *FORGET.unknown("extra", "force", "recursive"),
    *FORGET.each(TYPE, {"cascade": ["derived"], "dry_run": "no"}),
    FORGET.put("cascade", "all", VALUE),
    FORGET.put("dry_run", None, TYPE),
    RESTORE.drop("id"),
    *RESTORE.unknown("extra", "cascade"),
    RESTORE.put("id", 5, TYPE),
    RESTORE.put("id", NO_ID, MEMORY_UNKNOWN),
    RESTORE.put("id", f"{CANARY} forgotten", MEMORY_UNKNOWN, what="the title of a forgotten memory"),
    RESTORE.put("id", f"{CANARY} twin", AMBIGUOUS),
    FORGET.put("id", 5, TYPE),
    FORGET.put("id", None, TYPE),
    FORGET.put("id", "", MEMORY_UNKNOWN),
    FORGET.put("id", NO_ID, MEMORY_UNKNOWN),
    FORGET.put("id", "@forgotten", MEMORY_UNKNOWN, what="forgotten before"),
    FORGET.put("id", f"no {CANARY} has this title", MEMORY_UNKNOWN),
    FORGET.put("id", f"{CANARY} twin", AMBIGUOUS),
    *[row for base in (LINK, UNLINK) for row in link_rows(base)],
    LINK.put("id", "@forgotten", MEMORY_UNKNOWN, what="forgotten before"),
    LINK.put("target", "@forgotten", TARGET_UNKNOWN, what="a forgotten target"),
    LINK.put("target", "@live", SELF, what="itself"),
    LINK.put("target", "@trivial", TRIVIAL, what="a diary line"),
    LINK.put("id", "@trivial", TRIVIAL, what="from a diary line"),
    UNLINK.put("target", "@normal", NO_RELATION, what="not linked"),
    UNLINK.put("type", "derived_from", NO_RELATION, "payload.target"),
    UNSUPERSEDE.drop("id"),
    *UNSUPERSEDE.unknown("extra", "target"),
    *UNSUPERSEDE.each(TYPE, {"id": 5, "device": 5}),
    UNSUPERSEDE.put("id", NO_ID, MEMORY_UNKNOWN),
    UNSUPERSEDE.put("id", f"{CANARY} twin", AMBIGUOUS),
    UNSUPERSEDE.put("id", "@live", NO_RELATION, what="replaces nothing"),
    UPDATE.drop("id"),
    *UPDATE.unknown("extra", "supersedes", "see_also", "force", "updated_at"),
    *UPDATE.each(TYPE, {"id": 5, "content": 5, "title": [], "kind": 1, "tags": CANARY, "project": {}, "computer": 5}),
    *UPDATE.each(TYPE, {"user": 5, "importance": 1, "parent": 5, "emotion": "1", "device": None, "if_updated_at": 5}),
    UPDATE.put("emotion", 1.5, TYPE),
    UPDATE.put("emotion", -2, RANGE),
    UPDATE.put("content", "", RANGE),
    UPDATE.put("tags", ["a", ""], RANGE, "payload.tags[1]"),
    UPDATE.put("kind", "rumour", VALUE),
    UPDATE.put("importance", "huge", VALUE),
    UPDATE.put("id", NO_ID, MEMORY_UNKNOWN),
    UPDATE.put("id", "@forgotten", MEMORY_UNKNOWN, what="forgotten before"),
    UPDATE.put("id", f"{CANARY} twin", AMBIGUOUS),
    UPDATE.put("parent", NO_ID, TARGET_UNKNOWN),
    UPDATE.put("parent", "@normal", SELF, what="its own parent"),
    UPDATE.put("if_updated_at", "2020-01-01T00:00:00Z", CHANGED),
    UPDATE.put("if_updated_at", CANARY, CHANGED),
    UPDATE_HOST.drop("vector", attachments=[]),
    *STATUS.unknown("extra"),
    STATUS.row("payload = []", {**STATUS.envelope, "payload": []}, TYPE, "payload"),
    *FLUSH.unknown("extra", "timeout_ms"),
    FLUSH.row("payload = 5", {**FLUSH.envelope, "payload": 5}, TYPE, "payload"),
]

ROWS = [*REMEMBER_ARGUMENTS, *TARGETS, *REPLACEMENTS, *RECALLS, *LOOKS]
