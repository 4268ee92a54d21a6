"""Vectors of a host's own model: any callable that turns texts into float32 rows."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Any

from corecall.errors import InvalidArgument

Embedder = Callable[[list[str]], Any]
"""Takes texts, gives one row of floats for each: a float32 array of shape (texts, dimensions), or nested lists.

An attribute `name`, where it has one, names its model.
"""

_HOST = "host:"


def host_model(embedder: Embedder, model: str | None) -> str:
    """The model of a library that is opened with an embedder.

    Args:
        embedder: Its attribute `name`, with or without `host:`, is used where `model` is None.
        model: `host:<name>`.

    Raises:
        InvalidArgument: Neither says a name, or `model` is one that makes its own vectors.
    """
    if model is not None and not model.startswith(_HOST):
        raise InvalidArgument(
            f"an embedder belongs to a model named {_HOST}<name>; leave out embedder= or model=",
            name="argument.conflict",
            path="model",
        )
    name = model if model is not None else getattr(embedder, "name", None)
    if not isinstance(name, str) or not name.removeprefix(_HOST):
        raise InvalidArgument(
            f"the embedder has no name: pass model='{_HOST}<name>', or give it an attribute `name`; a library is "
            "bound to the model that made its vectors",
            name="argument.missing",
            path="model",
        )
    return _HOST + name.removeprefix(_HOST)


def memory_text(title: str | None, content: str) -> str:
    """What stands for a memory: its title and content on lines of their own."""
    return f"{title}\n{content}" if title else content


def embed(embedder: Embedder, text: str) -> tuple[dict[str, Any], Any]:
    """The vector of one text, as its JSON and the attachment; a float32 array isn't copied.

    Raises:
        InvalidArgument: The embedder returned something else than one row of numbers.
    """
    rows = embedder([text])
    vector = _row_of_buffer(rows)
    if vector is None:
        vector = _row_of_lists(rows)
    if not vector.nbytes:
        raise _wrong("it returned an empty row", "argument.range")
    return {"$attachment": 0, "dtype": "f32", "shape": [vector.nbytes // 4]}, vector


def _row_of_buffer(rows: Any) -> memoryview | None:
    """The only row of a two-dimensional float32 buffer; None where there is no such buffer."""
    try:
        view = memoryview(rows)
    except (TypeError, ValueError, BufferError):
        return None
    if view.format not in ("f", "<f", "=f") or not view.c_contiguous or view.ndim != 2:
        return None
    if len(view) != 1:
        raise _wrong(f"it returned {len(view)} rows", "argument.range")
    return view


def _row_of_lists(rows: Any) -> memoryview:
    if hasattr(rows, "tolist"):
        rows = rows.tolist()
    if not isinstance(rows, Sequence) or isinstance(rows, (str, bytes)):
        raise _wrong(f"it returned {type(rows).__name__}", "argument.type")
    if len(rows) != 1:
        raise _wrong(f"it returned {len(rows)} rows", "argument.range")
    row = rows[0].tolist() if hasattr(rows[0], "tolist") else rows[0]
    try:
        return memoryview(array("f", row))
    except (TypeError, OverflowError):
        raise _wrong("its row does not hold float32 numbers", "argument.type") from None


def _wrong(what: str, name: str) -> InvalidArgument:
    return InvalidArgument(
        f"the embedder was given 1 text: {what}; it must return float32 numbers of the shape (texts, dimensions)",
        name=name,
        path="embedder",
    )
