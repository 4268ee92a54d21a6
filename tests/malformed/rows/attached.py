"""Attachments: the reference in the JSON, the bytes beside it, and the vectors they hold."""

from __future__ import annotations

from math import inf, nan
from typing import TYPE_CHECKING, Any

from tests.malformed.row import (
    ATTACHMENT_DTYPE,
    ATTACHMENT_INDEX,
    ATTACHMENT_REUSED,
    ATTACHMENT_SHAPE,
    ATTACHMENT_UNUSED,
    CANARY,
    CONFLICT,
    DUPLICATE,
    LIMIT_ATTACHMENTS,
    NONFINITE,
    RANGE,
    TYPE,
    UNKNOWN,
    VALUE,
    VECTOR_DIMENSION,
    VECTOR_ZERO,
    Base,
    Refusal,
    Row,
)
from tests.malformed.rows.bases import (
    CANDIDATES,
    CANDIDATES_HOST,
    PUBLISH_HOST,
    QUERY_HASH,
    QUERY_HOST,
    RECALL_HOST,
    RELATED,
    RELATED_HOST,
    REMEMBER_HOST,
    floats,
    reference,
    snapshot,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

DATA = "payload.vectors.data"
TWO = RELATED_HOST.attachments[0]


def shape(what: str, dimensions: object, data: bytes = TWO) -> Row:
    """The `[2, 4]` matrix with another shape."""
    return RELATED_HOST.put("vectors.data.shape", dimensions, ATTACHMENT_SHAPE, DATA, what=what, attachments=[data])


def holds(base: Base, path: str, what: str, refusal: Refusal, *numbers: float) -> Row:
    """The vector or matrix at `path` holds other numbers."""
    rows = [2] if path == "vectors.data" else []
    named = reference(0, "f32", *rows, len(numbers) // (2 if rows else 1))
    return base.put(path, named, refusal, what=f"{what} in {path}", attachments=[floats(*numbers)])


def unused(base: Base, what: str, attachments: Sequence[bytes]) -> Row:
    """The valid request, with a last attachment that it doesn't name."""
    last = f"attachments[{len(attachments) - 1}]"
    return base.row(what, base.envelope, ATTACHMENT_UNUSED, last, attachments=attachments)


def artifact(what: str, refusal: Refusal, named: dict[str, Any]) -> Row:
    """A snapshot's index data, attached as four bytes, is described wrongly."""
    path = "snapshots[0].features.artifact"
    return RELATED.put(path, named, refusal, what=f"an artifact of {what}", attachments=[b"abcd"])


def elsewhere(path: str, refusal: Refusal, at: str | None = None) -> Row:
    """An attachment stands where something else is wanted."""
    return RELATED.put(path, reference(0, "u8", 4), refusal, at, what=f"an attachment as {path}", attachments=[b"abcd"])


REFERENCES = [
    RELATED_HOST.put("vectors.data", [1.0, 0.0], TYPE),
    RELATED_HOST.put("vectors.data", CANARY, TYPE),
    RELATED_HOST.put("vectors.data", None, TYPE),
    *[RELATED_HOST.drop(f"vectors.data.{key}") for key in ("$attachment", "dtype", "shape")],
    *RELATED_HOST.unknown("vectors.data.extra", "vectors.data.strides"),
    RELATED_HOST.put("vectors.data.$attachment", "0", TYPE),
    RELATED_HOST.put("vectors.data.$attachment", 0.0, TYPE),
    RELATED_HOST.put("vectors.data.$attachment", None, TYPE),
    RELATED_HOST.put("vectors.data.$attachment", False, TYPE),
    RELATED_HOST.put("vectors.data.$attachment", 1, ATTACHMENT_INDEX, DATA),
    RELATED_HOST.put("vectors.data.$attachment", 2**32, ATTACHMENT_INDEX, DATA),
    RELATED_HOST.put("vectors.data.$attachment", 2**63 - 1, ATTACHMENT_INDEX, DATA),
    RELATED_HOST.put("vectors.data.$attachment", 2**64 - 1, RANGE),
    RELATED_HOST.put("vectors.data.$attachment", -1, RANGE),
    RELATED_HOST.put(
        "vectors.data.$attachment", 0, ATTACHMENT_INDEX, DATA, what="no attachment at all", attachments=[]
    ),
    RELATED_HOST.put("vectors.data.dtype", 5, TYPE),
    RELATED_HOST.put("vectors.data.dtype", "f64", ATTACHMENT_DTYPE, DATA),
    RELATED_HOST.put("vectors.data.dtype", "u8", ATTACHMENT_DTYPE, DATA),
    RELATED_HOST.put("vectors.data.dtype", "F32", ATTACHMENT_DTYPE, DATA),
    RELATED_HOST.put("vectors.data.dtype", "", ATTACHMENT_DTYPE, DATA),
    RELATED_HOST.put("vectors.data.shape", "2x4", TYPE),
    RELATED_HOST.put("vectors.data.shape", 8, TYPE),
    RELATED_HOST.put("vectors.data.shape[0]", "2", TYPE),
    RELATED_HOST.put("vectors.data.shape[1]", 4.0, TYPE),
    RELATED_HOST.put("vectors.data.shape[1]", None, TYPE),
    RELATED_HOST.put("vectors.data.shape[0]", -2, RANGE),
    elsewhere("query.text", TYPE),
    elsewhere("ids", TYPE),
    elsewhere("ids[1]", TYPE),
    elsewhere("snapshots[0].entry.content", TYPE),
    elsewhere("query", UNKNOWN, "payload.query.$attachment"),
]

SHAPES = [
    shape("rank 0", []),
    shape("rank 1", [8]),
    shape("rank 3", [2, 2, 2]),
    shape("more rows than ids", [4, 2]),
    shape("fewer rows than ids", [1, 8]),
    shape("one number more than bytes", [2, 5]),
    shape("one number less than bytes", [2, 3]),
    shape("a dimension of 0", [2, 0], b""),
    shape("a dimension of 4,097", [2, 4097], bytes(2 * 4097 * 4)),
    shape("a product of 2^63", [2, 2**62]),
    shape("a product of 2^63 numbers", [2**61, 4]),
    shape("a product that wraps round to no bytes", [2**62, 4], b""),
    shape("a product that wraps round to the length", [2**62 + 2, 4]),
    shape("three bytes too few", [2, 4], TWO[:-3]),
    shape("one byte too many", [2, 4], TWO + b"\0"),
    shape("no bytes", [2, 4], b""),
    QUERY_HOST.put("query_vector.shape", [1, 4], ATTACHMENT_SHAPE, "payload.query_vector"),
    QUERY_HOST.put("query_vector.shape", [], ATTACHMENT_SHAPE, "payload.query_vector"),
    QUERY_HOST.put("query_vector.shape", [5], ATTACHMENT_SHAPE, "payload.query_vector"),
    CANDIDATES_HOST.put("entry_vector.shape", [4, 1], ATTACHMENT_SHAPE, "payload.entry_vector"),
    REMEMBER_HOST.put("vector.shape", [1, 4], ATTACHMENT_SHAPE, "payload.vector"),
    RECALL_HOST.put("vector.shape", [2, 2], ATTACHMENT_SHAPE, "payload.vector"),
]

USE = [
    unused(QUERY_HASH, "the only attachment is named nowhere", [b"abcd"]),
    unused(QUERY_HOST, "a second attachment is named nowhere", [*QUERY_HOST.attachments, b"abcd"]),
    unused(QUERY_HOST, "an empty attachment is named nowhere", [*QUERY_HOST.attachments, b""]),
    QUERY_HOST.put(
        "query_vector.$attachment",
        1,
        ATTACHMENT_UNUSED,
        "attachments[0]",
        attachments=[b"abcd", *QUERY_HOST.attachments],
    ),
    RELATED.puts(
        "one artifact attachment for two snapshots",
        {
            "snapshots[0].features": {"artifact": reference(0, "u8", 4)},
            "snapshots[1].features": {"artifact": reference(0, "u8", 4)},
        },
        ATTACHMENT_REUSED,
        "payload.snapshots[1].features.artifact",
        attachments=[b"abcd"],
    ),
    artifact("floats", ATTACHMENT_DTYPE, reference(0, "f32", 1)),
    artifact("rank 2", ATTACHMENT_SHAPE, reference(0, "u8", 2, 2)),
    artifact("fewer bytes than the shape says", ATTACHMENT_SHAPE, reference(0, "u8", 5)),
    QUERY_HASH.row(
        "65,537 attachments", QUERY_HASH.envelope, LIMIT_ATTACHMENTS, "attachments", attachments=[b""] * 65_537
    ),
]

VALUES = [
    holds(RELATED_HOST, "vectors.data", "NaN", NONFINITE, 1, 0, 0, 0, 0, nan, 0, 0),
    holds(RELATED_HOST, "vectors.data", "infinity", NONFINITE, 1, 0, 0, 0, 0, 0, 0, inf),
    holds(RELATED_HOST, "vectors.data", "-infinity", NONFINITE, -inf, 0, 0, 0, 0, 1, 0, 0),
    holds(RELATED_HOST, "vectors.data", "a zero vector", VECTOR_ZERO, 1, 0, 0, 0, 0, 0, 0, 0),
    holds(RELATED_HOST, "vectors.data", "negative zeros", VECTOR_ZERO, -0.0, -0.0, -0.0, -0.0, 0, 1, 0, 0),
    holds(PUBLISH_HOST, "vectors.data", "NaN", NONFINITE, nan, 0, 0, 0, 0, 1, 0, 0),
    holds(PUBLISH_HOST, "vectors.data", "a zero vector", VECTOR_ZERO, 1, 0, 0, 0, 0, 0, 0, 0),
    holds(QUERY_HOST, "query_vector", "NaN", NONFINITE, nan, 0, 0, 0),
    holds(QUERY_HOST, "query_vector", "zeros", VECTOR_ZERO, 0, 0, 0, 0),
    holds(QUERY_HOST, "query_vector", "another dimension than the set's", VECTOR_DIMENSION, 1, 0, 0),
    holds(CANDIDATES_HOST, "entry_vector", "infinity", NONFINITE, inf, 0, 0, 0),
    holds(CANDIDATES_HOST, "entry_vector", "zeros", VECTOR_ZERO, 0, 0, 0, 0),
    holds(CANDIDATES_HOST, "entry_vector", "another dimension than the set's", VECTOR_DIMENSION, 1, 0, 0, 0, 0),
    holds(REMEMBER_HOST, "vector", "NaN", NONFINITE, 0, 0, 0, nan),
    holds(REMEMBER_HOST, "vector", "zeros", VECTOR_ZERO, 0, 0, 0, 0),
    holds(REMEMBER_HOST, "vector", "another dimension than the library's", VECTOR_DIMENSION, 1, 0, 0),
    holds(RECALL_HOST, "vector", "NaN", NONFINITE, 0, nan, 0, 0),
    holds(RECALL_HOST, "vector", "zeros", VECTOR_ZERO, 0, 0, 0, 0),
    holds(RECALL_HOST, "vector", "another dimension than the library's", VECTOR_DIMENSION, 1, 0, 0),
]

VECTORS = [
    RELATED_HOST.drop("vectors.ids"),
    RELATED_HOST.drop("vectors.data", attachments=[]),
    *RELATED_HOST.unknown("vectors.extra"),
    RELATED_HOST.put("vectors", [], TYPE, attachments=[]),
    RELATED_HOST.put("vectors.ids", "m1", TYPE),
    RELATED_HOST.put("vectors.ids[1]", 5, TYPE),
    RELATED_HOST.put("vectors.ids[1]", "", RANGE),
    RELATED_HOST.put("vectors.ids[1]", "m9", VALUE),
    RELATED_HOST.put("vectors.ids[1]", "m1", DUPLICATE),
    RELATED_HOST.put("vectors.ids", ["m1"], ATTACHMENT_SHAPE, DATA),
    RELATED_HOST.put("model", "test-hash:4", CONFLICT, "payload.vectors", what="vectors with a model of the core"),
    RELATED_HOST.put("model", "none", CONFLICT, "payload.vectors", what="vectors with model none"),
    QUERY_HASH.put("query_vector", reference(0, "f32", 64), CONFLICT, attachments=[floats(1, *[0] * 63)]),
    CANDIDATES.put("entry_vector", reference(0, "f32", 64), CONFLICT, attachments=[floats(1, *[0] * 63)]),
    PUBLISH_HOST.put("model", "test-hash:4", CONFLICT, "payload.vectors", what="vectors with a model of the core"),
    PUBLISH_HOST.put("vectors.ids[1]", "m9", VALUE),
    PUBLISH_HOST.put("vectors.ids[1]", "m1", DUPLICATE),
    PUBLISH_HOST.puts(
        "another dimension than the base's",
        {
            "base_key": "@resident_host",
            "snapshots": [snapshot("m4"), snapshot("m5")],
            "vectors": {"ids": ["m4", "m5"], "data": reference(0, "f32", 2, 2)},
        },
        VECTOR_DIMENSION,
        "payload.vectors.data",
        attachments=[floats(1, 0, 0, 1)],
    ),
    REMEMBER_HOST.drop("vector", attachments=[]),
    *[
        base.row("for a words-only library", base.envelope, CONFLICT, "payload.vector", handle="library")
        for base in (REMEMBER_HOST, RECALL_HOST)
    ],
    REMEMBER_HOST.put("vector", [0.5, 0.5], TYPE, attachments=[]),
    RECALL_HOST.put("vector.dtype", "f16", ATTACHMENT_DTYPE, "payload.vector"),
    REMEMBER_HOST.put("vector.dtype", "u8", ATTACHMENT_DTYPE, "payload.vector"),
]

ROWS = [*REFERENCES, *SHAPES, *USE, *VALUES, *VECTORS]
