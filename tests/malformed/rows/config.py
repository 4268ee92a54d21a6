"""`corecall_open`: configs that are refused, and that leave no file behind."""

from __future__ import annotations

from typing import Any

from tests.malformed.row import (
    CANARY,
    CORRUPT,
    DUPLICATE_KEY,
    ENCODING,
    IO,
    MISMATCH,
    MISSING,
    MODEL,
    NEWER,
    RANGE,
    SYNTAX,
    TYPE,
    UNKNOWN,
    Refusal,
    Row,
    shown,
)


def config(value: dict[str, Any] | bytes, refusal: Refusal, path: str, what: str = "") -> Row:
    """A refused `corecall_open`; `@` names stand for paths in the fixture's folder."""
    name = what or (repr(value) if isinstance(value, bytes) else shown(value))
    return Row(f"open: {name}", refusal, path, value, handle="open", echoed="")


ROWS = [
    config(b"{", SYNTAX, ""),
    config(b'{"path":', SYNTAX, ""),
    config(b"{}{}", SYNTAX, ""),
    config(b'{"path":"\xff"}', ENCODING, ""),
    config(b'{"path":"\\ud800"}', ENCODING, ""),
    config(b'{"path":":memory:","path":":memory:"}', DUPLICATE_KEY, ""),
    config(b"[]", TYPE, "config"),
    config(b"null", TYPE, "config"),
    config(b"5", TYPE, "config"),
    config(b'":memory:"', TYPE, "config"),
    config({"extra": CANARY}, UNKNOWN, "config.extra"),
    config({"path": "@absent", "extra": 1}, UNKNOWN, "config.extra"),
    config({"path": "@absent", "Model": "none"}, UNKNOWN, "config.Model"),
    config({"path": "@absent", "create": True}, UNKNOWN, "config.create"),
    config({"path": 5}, TYPE, "config.path"),
    config({"path": ["@absent"]}, TYPE, "config.path"),
    config({"path": "@absent", "model": 5}, TYPE, "config.model"),
    config({"path": "@absent", "read_only": "true"}, TYPE, "config.read_only"),
    config({"path": "@absent", "read_only": 1}, TYPE, "config.read_only"),
    config({"path": ""}, RANGE, "config.path"),
    config({"path": "a\0b"}, RANGE, "config.path", "a NUL in the path"),
    config({"model": "none"}, MISSING, "config.path", "a model without a path"),
    config({"read_only": True}, MISSING, "config.path", "read_only without a path"),
    config({"path": "@absent", "model": "no-such-model"}, MODEL, "config.model"),
    config({"path": "@absent", "model": ""}, MODEL, "config.model"),
    config({"path": "@absent", "model": "test-hash:0"}, MODEL, "config.model"),
    config({"path": "@absent", "model": "host:"}, MODEL, "config.model"),
    config({"path": "@library", "model": "test-hash:64"}, MISMATCH, "config.model", "another model than the file's"),
    config({"path": "@library_host", "model": "none"}, MISMATCH, "config.model", "no model for a file that has one"),
    config({"path": "@library_host", "model": "host:another"}, MISMATCH, "config.model", "another host model"),
    config({"path": "@absent", "read_only": True}, IO, "config.path", "read_only on a file that isn't there"),
    config({"path": "@absent_folder"}, IO, "config.path", "a file in a folder that isn't there"),
    config({"path": "@folder"}, IO, "config.path", "a folder"),
    config({"path": "@text"}, CORRUPT, "config.path", "a text file"),
    config({"path": "@foreign"}, CORRUPT, "config.path", "a database of another program"),
    config({"path": "@newer"}, NEWER, "config.path", "a library of a later version"),
    config({"path": "@newer", "read_only": True}, NEWER, "config.path", "a library of a later version, to read"),
    config({"path": "@header_only"}, CORRUPT, "config.path", "a database cut after its header"),
]
