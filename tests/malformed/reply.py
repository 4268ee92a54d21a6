"""What every reply must be, whatever was asked: the one form of the envelope, strict JSON, no loose text."""

from __future__ import annotations

import json
import re
from typing import Any

ERROR_KEYS = ["code", "name", "message", "path", "retryable"]

NAME = re.compile(r"[a-z]+\.[a-z_]+")


def parse(reply: bytes) -> dict[str, Any]:
    """Reads a reply as strictly as the engine reads requests."""
    assert not reply.endswith(b"\n")
    value = json.loads(reply.decode("utf-8"), object_pairs_hook=_distinct, parse_constant=_refuse)
    assert isinstance(value, dict)
    return value


def check_form(status: int, reply: bytes) -> dict[str, Any]:
    """Asserts that a reply is well-formed and says the same as its status; returns it.

    The message is any text: it may hold an identifier, and a request may call a memory anything.
    """
    value = parse(reply)
    outcome = "result" if status == 0 else "error"
    assert list(value) == ["schema_version", "request_id", outcome]
    assert type(value["schema_version"]) is int
    assert value["schema_version"] == 1
    assert isinstance(value["request_id"], str)
    if status != 0:
        check_error(status, value["error"])
    return value


def check_error(status: int, error: dict[str, Any]) -> None:
    """Asserts the form of `error`."""
    assert list(error) == ERROR_KEYS
    assert type(error["code"]) is int
    assert error["code"] == status
    assert NAME.fullmatch(error["name"])
    assert isinstance(error["path"], str)
    assert type(error["retryable"]) is bool
    assert isinstance(error["message"], str)
    assert error["message"]


def check_sentence(message: str) -> None:
    """Asserts that a message reads as a sentence: words, one line, nothing left open at its end."""
    assert len(message.split()) >= 3, message
    assert message == message.strip()
    assert message.isprintable(), message
    assert len(message) <= 500, message
    assert message[-1].isalnum() or message[-1] in ".…)]}\"'" or message.endswith(":memory:"), message


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    assert len(result) == len(pairs), "a reply holds a key twice"
    return result


def _refuse(constant: str) -> Any:
    raise AssertionError(f"a reply holds {constant}")
