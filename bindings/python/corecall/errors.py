"""The exceptions, one for each status of the native library.

    CorecallError
    ├── InvalidArgument            1   an argument, config or payload is wrong
    ├── Version                    2   a schema, contract or file version isn't supported
    ├── Unsupported                3   this build or handle doesn't have the operation
    ├── ModelUnavailable           4   the named model can't be used here
    ├── ArtifactIncompatible       5   the data belongs to another model or format
    ├── EngineFailure              6   any other failure
    ├── Panic                      7   a defect in the engine; close the handle
    ├── NotFound                   8   something that was named isn't there
    ├── Conflict                   9   what is stored, or running, forbids it
    │   └── DuplicateCandidates        `remember` found memories that say nearly the same
    ├── Busy                      10   locked by another process for too long
    ├── Cancelled                 11   cancelled before anything changed
    ├── Closed                    12   the handle is closed, or the process was forked
    ├── Limit                     13   an advertised limit was passed
    ├── Io                        14   the operating system refused to read or write
    ├── Corrupt                   15   stored bytes are damaged
    ├── NoMemory                  16   an allocation whose size the request sets failed
    └── Denied                    17   wrong key, or not permitted

Messages hold identifiers and counts, never the text of a memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corecall.records import Title


class CorecallError(Exception):
    """A refusal or failure.

    Attributes:
        code: The status number, one a class.
        name: What exactly went wrong, as a stable name, for example `relation.cycle`.
        message: A sentence for a person that says what to do.
        path: The offending argument, for example `payload.supersedes`; empty where there is none.
        retryable: Whether the same call may succeed later without a change.
    """

    code: int = 0

    def __init__(self, message: str, *, name: str, path: str = "", retryable: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.name = name
        self.path = path
        self.retryable = retryable

    def __str__(self) -> str:
        where = f"{self.name} at {self.path}" if self.path else self.name
        return f"{self.message} ({where})"

    def __reduce__(self) -> tuple[Any, ...]:
        # Keyword-only arguments don't survive the default; errors must cross process pools.
        return _rebuild, (type(self), self.message, self.__dict__)


class InvalidArgument(CorecallError):
    """An argument, config, envelope or payload is wrong; `path` names it."""

    code = 1


class Version(CorecallError):
    """A schema, contract or file version is not supported by this library."""

    code = 2


class Unsupported(CorecallError):
    """The operation is unknown to this library, or needs a handle opened with a path."""

    code = 3


class ModelUnavailable(CorecallError):
    """The named model isn't known, or can't make vectors here."""

    code = 4


class ArtifactIncompatible(CorecallError):
    """The data, or the library on disk, belongs to another model or format."""

    code = 5


class EngineFailure(CorecallError):
    """Any failure that has no status of its own."""

    code = 6


class Panic(CorecallError):
    """A defect in the engine was caught; only `close` works on this handle from now on."""

    code = 7


class NotFound(CorecallError):
    """Something that was named isn't there."""

    code = 8


class Conflict(CorecallError):
    """What is stored, or running, forbids it."""

    code = 9


class Busy(CorecallError):
    """Locked by another writer for longer than the time-out."""

    code = 10


class Cancelled(CorecallError):
    """The call was cancelled before it changed anything."""

    code = 11


class Closed(CorecallError):
    """The handle is closed; or a library was open when this process was forked."""

    code = 12


class Limit(CorecallError):
    """An advertised limit was passed; `capabilities()["limits"]` lists them."""

    code = 13


class Io(CorecallError):
    """The operating system refused to read or write the file."""

    code = 14


class Corrupt(CorecallError):
    """The file's content is damaged, or it is no library."""

    code = 15


class NoMemory(CorecallError):
    """An allocation whose size the request sets failed."""

    code = 16


class Denied(CorecallError):
    """Wrong key, or not permitted, as a write to a library opened read-only."""

    code = 17


class DuplicateCandidates(Conflict):
    """`remember` found live memories that say nearly the same, and has written nothing.

    Remember again with `parent=`, with a relation (`supersedes=`, `see_also=`, …), or with `force=True`.
    With `propose=True` the candidates are returned in place of this error.

    Attributes:
        merge: Memories that are nearly identical.
        parent: Memories that the new one may belong under.
    """

    def __init__(self, merge: tuple[Title, ...], parent: tuple[Title, ...]) -> None:
        merges, parents = (", ".join(title.id for title in titles) or "none" for titles in (merge, parent))
        super().__init__(
            f"nothing was written: there are candidates to merge with ({merges}) and to be a child of ({parents}); "
            "name a parent or a relation, or force it",
            name="remember.candidates",
        )
        self.merge = merge
        self.parent = parent


_BY_STATUS: Final[dict[int, type[CorecallError]]] = {kind.code: kind for kind in CorecallError.__subclasses__()}


def from_status(status: int, error: Mapping[str, Any]) -> CorecallError:
    """The exception for a status number and the `error` of its reply."""
    kind = _BY_STATUS.get(status, EngineFailure)
    return kind(
        str(error.get("message", "")),
        name=str(error.get("name", "")),
        path=str(error.get("path", "")),
        retryable=bool(error.get("retryable", False)),
    )


def _rebuild(kind: type[CorecallError], message: str, state: dict[str, Any]) -> CorecallError:
    error = kind.__new__(kind, message)
    error.__dict__.update(state)
    return error
