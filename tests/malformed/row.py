"""Row: one malformed call and the exact refusal it must get; Base: the valid call a row departs from.

A row says only what is wrong. `Base.put("query.limit", 0, RANGE)` is the valid request with one value
replaced, refused at `payload.query.limit`; `drop` takes a key out; `each` makes one row per entry.
Strings that start with `@` are names the fixture resolves when the row runs (see `world.py`).
"""

from __future__ import annotations

import copy
import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# A word that stands in every text of every request and must stand in no refusal.
CANARY = "quokkasong"

# Echoed by every reply whose request could be parsed.
REQUEST_ID = "row-7"


@dataclass(frozen=True, slots=True)
class Refusal:
    """What a row expects: the status (also `error.code`) and `error.name`."""

    status: int
    name: str


MISSING = Refusal(1, "argument.missing")
UNKNOWN = Refusal(1, "argument.unknown")
TYPE = Refusal(1, "argument.type")
RANGE = Refusal(1, "argument.range")
VALUE = Refusal(1, "argument.value")
DUPLICATE = Refusal(1, "argument.duplicate")
CONFLICT = Refusal(1, "argument.conflict")
ENCODING = Refusal(1, "json.encoding")
SYNTAX = Refusal(1, "json.syntax")
DEPTH = Refusal(1, "json.depth")
DUPLICATE_KEY = Refusal(1, "json.duplicate_key")
NUMBER = Refusal(1, "json.number")
ATTACHMENT_INDEX = Refusal(1, "attachment.index")
ATTACHMENT_UNUSED = Refusal(1, "attachment.unused")
ATTACHMENT_REUSED = Refusal(1, "attachment.reused")
ATTACHMENT_SHAPE = Refusal(1, "attachment.shape")
ATTACHMENT_DTYPE = Refusal(1, "attachment.dtype")
NONFINITE = Refusal(1, "attachment.nonfinite")
VECTOR_DIMENSION = Refusal(1, "vector.dimension")
VECTOR_ZERO = Refusal(1, "vector.zero")
HANDLE_INVALID = Refusal(1, "handle.invalid")
SELF = Refusal(1, "relation.self")
TRIVIAL = Refusal(1, "relation.trivial")
AMBIGUOUS = Refusal(1, "target.ambiguous")
SCHEMA = Refusal(2, "schema.unsupported")
CONTRACT = Refusal(2, "contract.unsupported")
NEWER = Refusal(2, "store.newer")
OPERATION = Refusal(3, "operation.unknown")
NEEDS_LIBRARY = Refusal(3, "operation.needs_library")
MODEL = Refusal(4, "model.unknown")
MISMATCH = Refusal(5, "model.mismatch")
ARTIFACT = Refusal(5, "artifact.invalid")
MEMORY_UNKNOWN = Refusal(8, "memory.unknown")
CHANGED = Refusal(9, "memory.changed")
NO_RELATION = Refusal(8, "relation.unknown")
TARGET_UNKNOWN = Refusal(8, "target.unknown")
SNAPSHOT_UNKNOWN = Refusal(8, "snapshot.unknown")
RESIDENT_UNKNOWN = Refusal(8, "resident.unknown")
REPLACED = Refusal(9, "relation.replaced")
EXPECTED_HEAD = Refusal(9, "relation.expected_head")
HANDLE_CLOSED = Refusal(12, "handle.closed")
LIMIT_REQUEST = Refusal(13, "limit.request")
LIMIT_ATTACHMENTS = Refusal(13, "limit.attachments")
LIMIT_TEXT = Refusal(13, "limit.text")
IO = Refusal(14, "store.io")
CORRUPT = Refusal(15, "store.corrupt")
READ_ONLY = Refusal(17, "store.read_only")


@dataclass(frozen=True, slots=True)
class Row:
    """One malformed call.

    `request` is either the exact bytes or an envelope that still holds `@` names. `handle` names one
    of the fixture's handles; `open` stands for `corecall_open` with `request` as its config.
    """

    what: str
    refusal: Refusal
    path: str
    request: bytes | dict[str, Any] = field(repr=False)
    attachments: Sequence[bytes] = field(default=(), repr=False)
    handle: str = "core"
    echoed: str = REQUEST_ID


def parts(path: str) -> list[str | int]:
    """`snapshots[0].id` as `["snapshots", 0, "id"]`."""
    return [int(index) if index else key for key, index in re.findall(r"([^.\[\]]+)|\[(\d+)\]", path)]


def with_value(value: Any, path: str, new: Any) -> Any:
    """A deep copy of `value` in which `path` is `new`; missing objects on the way are made."""
    result = copy.deepcopy(value)
    *way, last = parts(path)
    at = result
    for step in way:
        at = at.setdefault(step, {}) if isinstance(at, dict) else at[step]
    if isinstance(at, list) and isinstance(last, int) and last == len(at):
        at.append(new)
    else:
        at[last] = new
    return result


def without(value: Any, path: str) -> Any:
    """A deep copy of `value` without `path`."""
    result = copy.deepcopy(value)
    *way, last = parts(path)
    at = result
    for step in way:
        at = at[step]
    del at[last]
    return result


def encode(value: Any) -> bytes:
    """Compact JSON in UTF-8."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def shown(value: Any) -> str:
    """A value as it stands in a row's name."""
    text = json.dumps(value, ensure_ascii=True, default=repr)
    return text if len(text) <= 48 else f"{text[:32]}... ({len(text)} characters)"


@dataclass(frozen=True, slots=True)
class Base:
    """A valid call of one operation; every method makes rows that differ from it in one thing."""

    operation: str
    payload: Any
    handle: str = "core"
    attachments: Sequence[bytes] = ()

    @property
    def envelope(self) -> dict[str, Any]:
        """The whole valid request."""
        return {"schema_version": 1, "request_id": REQUEST_ID, "operation": self.operation, "payload": self.payload}

    def row(
        self,
        what: str,
        envelope: dict[str, Any],
        refusal: Refusal,
        path: str,
        *,
        attachments: Sequence[bytes] | None = None,
        handle: str | None = None,
        echoed: str = REQUEST_ID,
    ) -> Row:
        """A row with an envelope of its own."""
        passed = self.attachments if attachments is None else attachments
        return Row(f"{self.operation}: {what}", refusal, path, envelope, passed, handle or self.handle, echoed)

    def put(
        self,
        path: str,
        value: Any,
        refusal: Refusal,
        at: str | None = None,
        *,
        what: str = "",
        attachments: Sequence[bytes] | None = None,
        handle: str | None = None,
    ) -> Row:
        """`payload.<path>` is `value`; refused at `at`, or right there."""
        envelope = with_value(self.envelope, f"payload.{path}", value)
        where = f"payload.{path}" if at is None else at
        return self.row(
            what or f"{path} = {shown(value)}", envelope, refusal, where, attachments=attachments, handle=handle
        )

    def puts(
        self,
        what: str,
        values: Mapping[str, Any],
        refusal: Refusal,
        at: str,
        *,
        attachments: Sequence[bytes] | None = None,
        handle: str | None = None,
    ) -> Row:
        """Several values of the payload are replaced, since the fault lies in their combination."""
        envelope = self.envelope
        for path, value in values.items():
            envelope = with_value(envelope, f"payload.{path}", value)
        return self.row(what, envelope, refusal, at, attachments=attachments, handle=handle)

    def each(self, refusal: Refusal, values: Mapping[str, Any]) -> list[Row]:
        """One row an entry: `payload.<path>` is the value, refused right there."""
        return [self.put(path, value, refusal) for path, value in values.items()]

    def drop(
        self, path: str, refusal: Refusal = MISSING, at: str | None = None, attachments: Sequence[bytes] | None = None
    ) -> Row:
        """`payload.<path>` is left out; refused where it would be."""
        where = f"payload.{path}" if at is None else at
        envelope = without(self.envelope, f"payload.{path}")
        return self.row(f"without {path}", envelope, refusal, where, attachments=attachments)

    def unknown(self, *paths: str) -> list[Row]:
        """One row a path: an argument nobody knows stands there."""
        return [self.put(path, CANARY, UNKNOWN) for path in paths]
