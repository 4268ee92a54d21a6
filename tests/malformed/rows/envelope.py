"""Requests that are JSON, but not the envelope; and calls on handles that can't take them."""

from __future__ import annotations

from typing import Any

from tests.malformed.row import (
    CANARY,
    CONTRACT,
    HANDLE_CLOSED,
    HANDLE_INVALID,
    MISSING,
    NEEDS_LIBRARY,
    OPERATION,
    RANGE,
    READ_ONLY,
    REQUEST_ID,
    SCHEMA,
    TYPE,
    UNKNOWN,
    Refusal,
    Row,
    encode,
    shown,
    with_value,
    without,
)
from tests.malformed.rows.bases import (
    CAPABILITIES,
    FLUSH,
    FORGET,
    LINK,
    QUERY_HASH,
    RECALL,
    RELATIONS,
    REMEMBER,
    RESTORE,
    SHOW,
    STATUS,
    UNLINK,
    UNSUPERSEDE,
    UPDATE,
)

VALID = QUERY_HASH.envelope


def put(path: str, value: Any, refusal: Refusal, at: str | None = None, echoed: str = REQUEST_ID) -> Row:
    """The valid envelope with one value replaced."""
    where = path if at is None else at
    return Row(f"envelope: {path} = {shown(value)}", refusal, where, with_value(VALID, path, value), echoed=echoed)


def drop(path: str, echoed: str = REQUEST_ID) -> Row:
    """The valid envelope without one key."""
    return Row(f"envelope: without {path}", MISSING, path, without(VALID, path), echoed=echoed)


def whole(value: Any) -> Row:
    """JSON that is no object."""
    return Row(f"envelope: the request is {shown(value)}", TYPE, "", encode(value), echoed="")


ENVELOPE = [
    whole([]),
    whole([VALID]),
    whole(CANARY),
    whole(5),
    whole(None),
    whole(True),
    Row("envelope: the request is {}", MISSING, "schema_version", b"{}", echoed=""),
    drop("schema_version"),
    drop("request_id", echoed=""),
    drop("operation"),
    drop("payload"),
    put("schema_version", "1", TYPE),
    put("schema_version", 1.0, TYPE),
    put("schema_version", 1.5, TYPE),
    put("schema_version", True, TYPE),
    put("schema_version", None, TYPE),
    put("schema_version", [1], TYPE),
    put("schema_version", 0, SCHEMA),
    put("schema_version", 2, SCHEMA),
    put("schema_version", -1, RANGE),
    put("schema_version", 2**63, RANGE),
    put("schema_version", 2**63 - 1, SCHEMA),
    put("request_id", 7, TYPE, echoed=""),
    put("request_id", None, TYPE, echoed=""),
    put("request_id", ["a"], TYPE, echoed=""),
    put("request_id", {"id": CANARY}, TYPE, echoed=""),
    put("request_id", "r" * 257, RANGE, echoed=""),
    put("operation", 5, TYPE),
    put("operation", None, TYPE),
    put("operation", ["query"], TYPE),
    put("operation", "", RANGE),
    put("operation", "q" * 257, RANGE),
    put("operation", "no_such_operation", OPERATION),
    put("operation", "Query", OPERATION),
    put("operation", "query ", OPERATION),
    put("operation", "query\0", OPERATION),
    put("operation", "corecall_call", OPERATION),
    put("payload", [], TYPE),
    put("payload", None, TYPE),
    put("payload", CANARY, TYPE),
    put("payload", 5, TYPE),
    put("payload", False, TYPE),
    put("require", None, TYPE),
    put("require", [], TYPE),
    put("require", "related_business", TYPE),
    put("require", {"related_business": "1"}, TYPE, "require.related_business"),
    put("require", {"related_business": 1.0}, TYPE, "require.related_business"),
    put("require", {"related_business": None}, TYPE, "require.related_business"),
    put("require", {"related_business": True}, TYPE, "require.related_business"),
    put("require", {"related_business": {"min": 1}}, TYPE, "require.related_business"),
    put("require", {"related_business": 0}, CONTRACT, "require.related_business"),
    put("require", {"related_business": 2}, CONTRACT, "require.related_business"),
    put("require", {"related_business": -1}, RANGE, "require.related_business"),
    put("require", {"no_such_contract": 1}, CONTRACT, "require.no_such_contract"),
    put("require", {"related_business": 1, "no_such_contract": 1}, CONTRACT, "require.no_such_contract"),
    put("hints", None, TYPE),
    put("hints", [], TYPE),
    put("hints", CANARY, TYPE),
    put("extra", 1, UNKNOWN),
    put("Payload", {}, UNKNOWN),
    put("schema_Version", 1, UNKNOWN),
    put("error", {}, UNKNOWN),
    put("result", {}, UNKNOWN),
    *CAPABILITIES.unknown("extra"),
    CAPABILITIES.row("payload = []", with_value(CAPABILITIES.envelope, "payload", []), TYPE, "payload"),
    CAPABILITIES.row("payload = 1", with_value(CAPABILITIES.envelope, "payload", 1), TYPE, "payload"),
]

LIBRARY_OPERATIONS = [
    REMEMBER,
    RECALL,
    SHOW,
    RELATIONS,
    FORGET,
    RESTORE,
    LINK,
    UNLINK,
    UNSUPERSEDE,
    UPDATE,
    STATUS,
    FLUSH,
]

HANDLES = [
    *[
        base.row("on a core without storage", base.envelope, NEEDS_LIBRARY, "operation", handle="core")
        for base in LIBRARY_OPERATIONS
    ],
    REMEMBER.row("on a library opened to read", REMEMBER.envelope, READ_ONLY, "", handle="read_only"),
    FORGET.row("on a library opened to read", FORGET.envelope, READ_ONLY, "", handle="read_only"),
    LINK.row("on a library opened to read", LINK.envelope, READ_ONLY, "", handle="read_only"),
    UNLINK.row("on a library opened to read", UNLINK.envelope, READ_ONLY, "", handle="read_only"),
    UNSUPERSEDE.row("on a library opened to read", UNSUPERSEDE.envelope, READ_ONLY, "", handle="read_only"),
    UPDATE.row("on a library opened to read", UPDATE.envelope, READ_ONLY, "", handle="read_only"),
    RESTORE.row("on a library opened to read", RESTORE.envelope, READ_ONLY, "", handle="read_only"),
    STATUS.row("on a closed handle", STATUS.envelope, HANDLE_CLOSED, "handle", handle="closed"),
    STATUS.row("on handle 0", STATUS.envelope, HANDLE_INVALID, "handle", handle="zero"),
    STATUS.row("on a handle never issued", STATUS.envelope, HANDLE_INVALID, "handle", handle="never"),
]

ROWS = [*ENVELOPE, *HANDLES]
