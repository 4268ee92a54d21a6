"""The C functions, one Python function each: bytes in, status and bytes out. Nothing here knows an operation.

cffi lets go of the GIL while a C function runs. A reply is freed as soon as its bytes are copied; where it has
attachments, as soon as the last view of them is gone.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from corecall._native import ffi, lib

if TYPE_CHECKING:
    from collections.abc import Sequence

OK = 0


def abi_version() -> tuple[int, int]:
    """Major and minor number of the C interface."""
    packed = int(lib.corecall_abi_version())
    return packed >> 16, packed & 0xFFFF


def version() -> str:
    """The native library's own version."""
    return _text(lib.corecall_version())


def status_name(status: int) -> str:
    """The name of a status number, as the header has it without its prefix."""
    return _text(lib.corecall_status_name(status))


def capabilities_raw() -> tuple[int, bytes]:
    """Status and reply of `corecall_capabilities`."""
    out = ffi.new("corecall_reply **")
    status = int(lib.corecall_capabilities(out))
    return status, _json(out)


def open_raw(config: bytes) -> tuple[int, int, bytes]:
    """Status, handle (0 on failure) and reply of `corecall_open`."""
    handle = ffi.new("corecall_handle *")
    out = ffi.new("corecall_reply **")
    status = int(lib.corecall_open(config, len(config), handle, out))
    return status, int(handle[0]), _json(out)


def close_raw(handle: int) -> int:
    """Cancels the running calls of a handle, waits for them, and closes it."""
    return int(lib.corecall_close(handle))


def call_raw(
    handle: int, ticket: int, request: bytes, attachments: Sequence[Any]
) -> tuple[int, bytes, list[memoryview]]:
    """Status, reply and read-only views of the reply's attachments of `corecall_call`.

    Args:
        handle: From `open_raw`.
        ticket: 0, or a number by which another thread can cancel or watch this call.
        request: The envelope.
        attachments: Objects with C-contiguous bytes; lent for the call, not copied.

    Raises:
        TypeError: An attachment has no buffer.
        BufferError, ValueError: An attachment's bytes are not contiguous.
    """
    count = len(attachments)
    slices = ffi.NULL
    lent = [ffi.from_buffer(attachment) for attachment in attachments]
    if count:
        slices = ffi.new("corecall_slice[]", count)
        for index, view in enumerate(lent):
            slices[index].data = view
            slices[index].len = len(view)
    out = ffi.new("corecall_reply **")
    status = int(lib.corecall_call(handle, ticket, request, len(request), slices, count, out))
    reply = out[0]
    if reply == ffi.NULL:
        return status, b"", []
    view = ffi.new("corecall_slice *")
    if lib.corecall_reply_attachment(reply, 0, view) != OK:
        return status, _json(out), []
    reply = ffi.gc(reply, lib.corecall_reply_free)
    return status, _copy_json(reply), _attachments(reply)


def cancel_raw(handle: int, ticket: int) -> int:
    """Flags a running call, or with ticket 0 every running call of the handle."""
    return int(lib.corecall_cancel(handle, ticket))


def progress_raw(handle: int, ticket: int) -> tuple[int, int, int]:
    """Status, units done and units in all of a running call."""
    done = ffi.new("uint64_t *")
    total = ffi.new("uint64_t *")
    status = int(lib.corecall_progress(handle, ticket, done, total))
    return status, int(done[0]), int(total[0])


def log_ring(level: int) -> int:
    """Keeps log lines up to `level` in the library's bounded ring; 0 stops and empties it.

    Python never hands a callback to the library: one would have to take the GIL inside the engine.
    """
    return int(lib.corecall_log_set(level, ffi.NULL, ffi.NULL))


def log_drain_raw() -> tuple[int, bytes]:
    """Status and reply of `corecall_log_drain`: the ring's lines, oldest first, as a JSON array."""
    out = ffi.new("corecall_reply **")
    status = int(lib.corecall_log_drain(out))
    return status, _json(out)


def _text(pointer: Any) -> str:
    return str(ffi.string(pointer).decode())


def _json(out: Any) -> bytes:
    """The JSON of a reply that has no attachments, which is freed."""
    if out[0] == ffi.NULL:
        return b""
    try:
        return _copy_json(out[0])
    finally:
        lib.corecall_reply_free(out[0])


def _copy_json(reply: Any) -> bytes:
    view = ffi.new("corecall_slice *")
    if lib.corecall_reply_json(reply, view) != OK or view.len == 0:
        return b""
    return bytes(ffi.buffer(view.data, view.len))


def _attachments(reply: Any) -> list[memoryview]:
    views: list[memoryview] = []
    view = ffi.new("corecall_slice *")
    while lib.corecall_reply_attachment(reply, len(views), view) == OK:
        views.append(_borrow(reply, view.data, view.len))
    return views


def _borrow(reply: Any, data: Any, length: int) -> memoryview:
    """A read-only view that keeps the reply alive.

    A buffer keeps its pointer alive, the pointer its destructor, and the destructor the reply.
    """
    if length == 0:
        return memoryview(b"")
    pointer = ffi.gc(ffi.cast("char *", data), partial(_outlive, reply))
    return memoryview(ffi.buffer(pointer, length)).toreadonly()


def _outlive(_reply: Any, _pointer: Any) -> None:
    """Does nothing: being bound to `_reply` until now was the point."""
