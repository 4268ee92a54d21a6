"""corecall through ctypes, from an unpacked SDK: for hosts without the wheel. Nothing but the standard library."""

from __future__ import annotations

from ctypes import CDLL, POINTER, Structure, byref, c_char_p, c_int32, c_size_t, c_uint64, c_void_p, string_at
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence


class Slice(Structure):
    """`corecall_slice`: bytes somebody else owns."""

    _fields_ = (("data", c_void_p), ("len", c_size_t))


class Reply(NamedTuple):
    """What a call answers: its status, its JSON, its attachments."""

    status: int
    json: bytes
    attachments: list[bytes]


class Core:
    """An open core. Every method may be called from any thread; ctypes lets others run meanwhile."""

    def __init__(self, library: str, config: bytes) -> None:
        self.native = CDLL(library)
        self.native.corecall_open.argtypes = [c_char_p, c_size_t, POINTER(c_uint64), POINTER(c_void_p)]
        self.native.corecall_call.argtypes = [
            c_uint64,
            c_uint64,
            c_char_p,
            c_size_t,
            POINTER(Slice),
            c_size_t,
            POINTER(c_void_p),
        ]
        self.native.corecall_cancel.argtypes = [c_uint64, c_uint64]
        self.native.corecall_close.argtypes = [c_uint64]
        self.native.corecall_reply_json.argtypes = [c_void_p, POINTER(Slice)]
        self.native.corecall_reply_attachment.argtypes = [c_void_p, c_size_t, POINTER(Slice)]
        self.native.corecall_reply_free.argtypes = [c_void_p]
        self.native.corecall_reply_free.restype = None
        for name in ("open", "call", "cancel", "close", "reply_json", "reply_attachment"):
            getattr(self.native, f"corecall_{name}").restype = c_int32

        handle, reply = c_uint64(), c_void_p()
        status = self.native.corecall_open(config or None, len(config), byref(handle), byref(reply))
        opened = self._taken(status, reply)
        if opened.status != 0:
            raise RuntimeError(opened.json.decode())
        self.handle = handle.value

    def call(self, request: bytes, attachments: Sequence[bytes] = (), ticket: int = 0) -> Reply:
        """Runs one operation; the bytes are read where they lie."""
        slices = (Slice * len(attachments))()
        pointers = [c_char_p(item or None) for item in attachments]
        for slot, item, pointer in zip(slices, attachments, pointers, strict=True):
            slot.data, slot.len = c_void_p.from_buffer(pointer).value, len(item)
        reply = c_void_p()
        status = self.native.corecall_call(
            self.handle, ticket, request or None, len(request), slices, len(attachments), byref(reply)
        )
        return self._taken(status, reply)

    def cancel(self, ticket: int) -> int:
        """Asks a running call to stop; the status."""
        return int(self.native.corecall_cancel(self.handle, ticket))

    def close(self) -> int:
        """Ends running calls and the core; the status."""
        return int(self.native.corecall_close(self.handle))

    def _taken(self, status: int, reply: c_void_p) -> Reply:
        """Copies what a reply holds, and frees it."""
        view = Slice()
        attachments: list[bytes] = []
        self.native.corecall_reply_json(reply, byref(view))
        json = string_at(view.data, view.len)
        while self.native.corecall_reply_attachment(reply, len(attachments), byref(view)) == 0:
            attachments.append(string_at(view.data, view.len))
        self.native.corecall_reply_free(reply)
        return Reply(status, json, attachments)
