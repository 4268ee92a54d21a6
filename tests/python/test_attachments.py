"""Attachments: arrays in without a copy, bytes out without a copy, alive as long as a view of them."""

from __future__ import annotations

import gc
import sys
from array import array
from typing import Any

import numpy as np
import pytest

import corecall
from corecall import _abi
from corecall import core as core_module
from corecall._native import ffi, lib

PREPARE = {"model": "test-hash:8", "entries": [{"id": "a", "content": "one"}, {"id": "b", "content": "two words"}]}


def publish(core: corecall.Core, vectors: Any, count: int, dimensions: int) -> corecall.Reply:
    ids = [f"m{number}" for number in range(count)]
    return core.call(
        "resident_publish",
        {
            "model": "host:test",
            "snapshots": [{"id": id, "entry": {"id": id, "title": id}} for id in ids],
            "vectors": {"ids": ids, "data": {"$attachment": 0, "dtype": "f32", "shape": [count, dimensions]}},
        },
        [vectors],
    )


@pytest.mark.parametrize(
    "vectors",
    [
        np.array([[1, 0], [0.9, 0.1]], dtype=np.float32),
        array("f", [1, 0, 0.9, 0.1]),
        array("f", [1, 0, 0.9, 0.1]).tobytes(),
        bytearray(array("f", [1, 0, 0.9, 0.1]).tobytes()),
        memoryview(array("f", [1, 0, 0.9, 0.1])),
    ],
    ids=lambda vectors: type(vectors).__name__,
)
def test_anything_with_a_buffer_is_an_attachment(core: corecall.Core, vectors: Any) -> None:
    key = publish(core, vectors, 2, 2).result["resident_key"]
    payload = {"model": "host:test", "resident_key": key, "query": {"text": "", "limit": 1}, "ids": ["m0"], "pairs": []}
    related = core.call("related_business", payload).result["related"]
    assert [(item["id"], item["relation"]) for item in related] == [("m1", "neighbor")]


def test_an_array_is_lent_and_not_copied(core: corecall.Core, monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = np.ones((2, 4), dtype=np.float32)
    seen = []
    lend = ffi.from_buffer

    class Spy:
        """The functions of cffi, one of which is watched."""

        def __getattr__(self, name: str) -> Any:
            return getattr(ffi, name)

        def from_buffer(self, value: Any) -> Any:
            seen.append(lend(value))
            return seen[-1]

    monkeypatch.setattr(_abi, "ffi", Spy())
    publish(core, vectors, 2, 4)
    assert [int(ffi.cast("uintptr_t", pointer)) for pointer in seen] == [vectors.ctypes.data]


def test_an_array_that_is_not_contiguous_is_refused(core: corecall.Core) -> None:
    with pytest.raises(ValueError, match="ascontiguousarray"):
        publish(core, np.ones((4, 2), dtype=np.float32).T, 2, 4)


def test_an_array_of_the_other_byte_order_is_refused(core: corecall.Core) -> None:
    with pytest.raises(ValueError, match="little-endian"):
        publish(core, np.ones((2, 2), dtype=">f4"), 2, 2)


def test_an_attachment_without_a_buffer_is_refused(core: corecall.Core) -> None:
    with pytest.raises(TypeError):
        publish(core, [[1.0, 0.0]], 1, 2)


def test_another_dtype_than_said_is_refused_by_the_library(core: corecall.Core) -> None:
    with pytest.raises(corecall.InvalidArgument) as caught:
        publish(core, np.ones((2, 2), dtype=np.float64), 2, 2)
    assert (caught.value.name, caught.value.path) == ("attachment.shape", "payload.vectors.data")


def test_an_array_in_the_payload_is_named(core: corecall.Core) -> None:
    with pytest.raises(TypeError, match="attachments"):
        core.call("query", {"query_vector": np.ones(3, dtype=np.float32)})


def test_numbers_of_numpy_are_numbers(core: corecall.Core) -> None:
    payload = {"model": "none", "snapshots": [], "query": {"text": "x", "limit": np.int64(3)}}
    assert core.call("query", payload).result == {"hits": []}


def test_attachments_of_a_reply_are_read_only_arrays_of_the_named_shape(core: corecall.Core) -> None:
    reply = core.call("prepare", PREPARE)
    described = [item["features"]["artifact"] for item in reply.result["prepared"]]
    assert [item["$attachment"] for item in described] == [0, 1]
    for item, attachment in zip(described, reply.attachments, strict=True):
        assert isinstance(attachment, np.ndarray)
        assert attachment.dtype == np.uint8
        assert list(attachment.shape) == item["shape"]
        assert attachment.flags.writeable is False
        assert not attachment.flags.owndata
        assert attachment.ctypes.data % 64 == 0


def test_asking_twice_gives_the_same_arrays(core: corecall.Core) -> None:
    reply = core.call("prepare", PREPARE)
    assert reply.attachments is reply.attachments


def test_a_reply_without_attachments_has_none(core: corecall.Core) -> None:
    assert core.call("capabilities").attachments == ()


def test_attachments_outlive_reply_and_core(monkeypatch: pytest.MonkeyPatch) -> None:
    freed = []
    free = lib.corecall_reply_free

    class Spy:
        """The C functions, one of which is watched."""

        def __getattr__(self, name: str) -> Any:
            return getattr(lib, name)

        def corecall_reply_free(self, reply: Any) -> None:
            freed.append(reply)
            free(reply)

    monkeypatch.setattr(_abi, "lib", Spy())
    core = corecall.Core()
    freed.clear()
    reply = core.call("prepare", PREPARE)
    first, second = reply.attachments
    expected = bytes(first)
    core.close()
    del core, reply, second
    gc.collect()
    assert freed == []
    part = first[1:]
    del first
    gc.collect()
    assert freed == []
    assert bytes(part) == expected[1:]
    del part
    gc.collect()
    assert len(freed) == 1


def test_an_attachment_goes_back_in_as_it_came_out(core: corecall.Core) -> None:
    reply = core.call("prepare", PREPARE)
    snapshots = [
        {"id": item["id"], "entry": {"id": item["id"], "content": "other words"}, "features": item["features"]}
        for item in reply.result["prepared"]
    ]
    payload = {"model": "test-hash:8", "snapshots": snapshots, "query": {"text": "words two", "limit": 1}}
    assert core.call("query", payload, reply.attachments).result["hits"][0]["id"] == "b"


def test_without_numpy_attachments_are_memoryviews(core: corecall.Core, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    reply = core.call("prepare", PREPARE)
    for attachment in reply.attachments:
        assert isinstance(attachment, memoryview)
        assert attachment.readonly
        assert (attachment.format, attachment.ndim) == ("B", 1)
    monkeypatch.undo()
    arrays = core.call("prepare", PREPARE).attachments
    assert [bytes(view) for view in reply.attachments] == [bytes(item) for item in arrays]


def test_a_float_attachment_has_its_shape_with_and_without_numpy() -> None:
    # No operation answers with floats yet; the descriptor is what decides.
    described = {"vectors": [{"$attachment": 0, "dtype": "f32", "shape": [2, 3]}]}
    view = memoryview(array("f", range(6)).tobytes())
    (found,) = core_module.Reply(described, [view]).attachments
    assert isinstance(found, np.ndarray)
    assert found.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert np.shares_memory(found, np.frombuffer(view, dtype=np.float32))
