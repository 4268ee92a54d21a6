"""Core: a handle of the native library, through which every operation is called."""

from __future__ import annotations

import itertools
import json
import weakref
from functools import cached_property
from typing import TYPE_CHECKING, Any

from corecall import _abi, errors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType

    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import Self

_SCHEMA_VERSION = 1

# The names of the functions that only return a status.
_TICKET_STATUSES = {
    errors.InvalidArgument.code: ("argument.range", "ticket {} names no call; pass the number the call was given"),
    errors.NotFound.code: ("ticket.unknown", "no running call has the ticket {}"),
    errors.Closed.code: ("handle.closed", "the handle is closed, or the process was forked"),
}


class Reply:
    """The answer to a call.

    Attributes:
        result: The operation's result, as the JSON Schemas in `abi/schemas/` describe it.
    """

    __slots__ = ("__dict__", "_views", "result")

    def __init__(self, result: Any, views: Sequence[memoryview] = ()) -> None:
        self.result: Any = result
        self._views = tuple(views)

    def __repr__(self) -> str:
        return f"Reply(result={self.result!r}, attachments={len(self._views)})"

    @cached_property
    def attachments(self) -> tuple[memoryview[Any] | NDArray[np.generic], ...]:
        """The bytes that came beside the result, read-only and not copied, in the order of their numbers.

        NumPy arrays of the dtype and shape named in the result where NumPy is installed, else memoryviews of the
        same format and shape. They keep the bytes alive, also after the core is closed.
        """
        if not self._views:
            return ()
        described: dict[int, Mapping[str, Any]] = {}
        _describe(self.result, described)
        shaped = [_shaped(view, described.get(index)) for index, view in enumerate(self._views)]
        try:
            import numpy as np  # noqa: PLC0415 - only for those who have it, and only when it is needed
        except ImportError:
            return tuple(shaped)
        return tuple(np.asarray(view) for view in shaped)


class Core:
    """An open core. Use it as a context manager, from any number of threads.

    Calls let go of the GIL. Reads run side by side; writes take turns inside. In a process that was forked while a
    library was open every call raises `Closed`, since two processes would write one file through one handle: start
    such processes by `spawn` or `forkserver`.

    Args:
        config: Nothing, or `{}`: a core without storage, for hosts that keep their own database.
            `{"path": …, "model": …, "read_only": …}`: with the embedded library in that file; `corecall.open` is
            the comfortable way to one.

    Raises:
        CorecallError: The config is wrong, or the library can't be opened.
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        status, handle, reply = _abi.open_raw(_encode({} if config is None else config))
        _result(status, reply)
        self._handle = handle
        self._close = weakref.finalize(self, _abi.close_raw, handle)
        self._numbers = itertools.count(1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<corecall.Core {'closed' if self.closed else 'open'}>"

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return not self._close.alive

    @cached_property
    def capabilities(self) -> dict[str, Any]:
        """What the native library can do: operations, contracts, limits, models, build."""
        return capabilities()

    def call(
        self,
        operation: str,
        payload: Mapping[str, Any] | None = None,
        attachments: Sequence[Any] = (),
        *,
        ticket: int = 0,
        require: Mapping[str, int] | None = None,
        hints: Mapping[str, Any] | None = None,
    ) -> Reply:
        """Runs one operation.

        Args:
            operation: Its name; `capabilities["operations"]` lists them.
            payload: Its arguments. `{"$attachment": 0, "dtype": "f32", "shape": [8, 384]}` stands for bytes passed
                beside them.
            attachments: Objects with a buffer (bytes, NumPy arrays, `array.array`), C-contiguous and little-endian.
                They are lent for the call and not copied: don't change them before it returns.
            ticket: A number above 0, not in use on this core, by which `cancel` and `progress` know the call.
            require: Contracts this call relies on, for example `{"related_business": 1}`; where the library has
                another version nothing is done.
            hints: May be ignored.

        Raises:
            CorecallError: The library refused or failed.
            TypeError: The payload isn't JSON, or an attachment has no buffer.
            ValueError: An attachment isn't contiguous or not little-endian.
            OverflowError: The ticket is negative or over 2**64 - 1.
        """
        envelope: dict[str, Any] = {
            "schema_version": _SCHEMA_VERSION,
            "request_id": str(next(self._numbers)),
            "operation": operation,
            "payload": payload,
        }
        if require is not None:
            envelope["require"] = require
        if hints is not None:
            envelope["hints"] = hints
        lent = [_lend(attachment) for attachment in attachments]
        status, reply, views = _abi.call_raw(self._handle, ticket, _encode(envelope), lent)
        return Reply(_result(status, reply), views)

    def cancel(self, ticket: int = 0) -> None:
        """Asks the running call `ticket`, or all running calls, to stop; they then raise `Cancelled`.

        Raises:
            NotFound: No call with this ticket is running.
        """
        _check(_abi.cancel_raw(self._handle, ticket), ticket)

    def progress(self, ticket: int) -> tuple[int, int]:
        """Units done and units in all of the running call `ticket`; both 0 before its first report.

        Raises:
            NotFound: No call with this ticket is running.
            InvalidArgument: The ticket is 0.
        """
        status, done, total = _abi.progress_raw(self._handle, ticket)
        _check(status, ticket)
        return done, total

    def close(self) -> None:
        """Cancels the running calls, waits for them, and closes the library. Closing again does nothing."""
        self._close()


def capabilities() -> dict[str, Any]:
    """What the native library can do: operations, contracts, limits, models, build."""
    status, reply = _abi.capabilities_raw()
    result: dict[str, Any] = _result(status, reply)
    return result


def _encode(value: Any) -> bytes:
    # A lone surrogate is passed on: the library refuses it, with the name it has for that.
    return _ENCODER.encode(value).encode("utf-8", "surrogatepass")


def _plain(value: Any) -> Any:
    """A mapping that isn't a dict, or a number of NumPy's, as JSON has them."""
    if hasattr(value, "keys"):
        return dict(value)
    if hasattr(value, "item") and getattr(value, "ndim", None) == 0:
        return value.item()
    message = f"{type(value).__name__} is not JSON; arrays are passed as attachments"
    raise TypeError(message)


# Made once: `json.dumps` makes one a call when its settings aren't the default ones.
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_plain)


def _result(status: int, reply: bytes) -> Any:
    if status == _abi.OK:
        return json.loads(reply.decode())["result"]
    if reply:
        raise errors.from_status(status, json.loads(reply.decode())["error"])
    # There was not even memory for a reply.
    name = _abi.status_name(status)
    raise errors.from_status(status, {"name": name.lower(), "message": f"the library answered {name} without a reply"})


def _check(status: int, ticket: int) -> None:
    """Raises what a function that has no reply means by its status."""
    if status == _abi.OK:
        return
    name, message = _TICKET_STATUSES.get(status, (_abi.status_name(status).lower(), "the ticket can't be looked up"))
    raise errors.from_status(status, {"name": name, "message": message.format(ticket), "path": "ticket"})


def _lend(attachment: Any) -> Any:
    if isinstance(attachment, bytes):
        return attachment
    view = memoryview(attachment)
    if not view.c_contiguous:
        message = "an attachment must be C-contiguous; numpy.ascontiguousarray makes it so"
        raise ValueError(message)
    if view.format[:1] in (">", "!"):
        message = f"an attachment must be little-endian; this one has the format {view.format!r}"
        raise ValueError(message)
    return view


def _describe(value: Any, described: dict[int, Mapping[str, Any]]) -> None:
    """Finds what the result says of each attachment."""
    if isinstance(value, dict):
        if "$attachment" in value:
            described[value["$attachment"]] = value
            return
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            _describe(item, described)


def _shaped(view: memoryview, described: Mapping[str, Any] | None) -> memoryview[Any]:
    """The same bytes in the dtype and shape the result names; as they are where it names none."""
    if described is None or not view.nbytes:
        return view
    if described["dtype"] == "f32":
        return view.cast("f", described["shape"])
    return view.cast("B", described["shape"])
