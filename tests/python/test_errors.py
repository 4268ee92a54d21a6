"""Errors keep what the library said, and survive pickling."""

from __future__ import annotations

import inspect
import pickle
import re
from typing import TYPE_CHECKING

import pytest

import corecall
from corecall import errors

if TYPE_CHECKING:
    from pathlib import Path


def test_every_exception_is_a_corecall_error_of_its_own_code() -> None:
    kinds = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, Exception)]
    assert all(issubclass(kind, errors.CorecallError) for kind in kinds)
    assert [kind.code for kind in errors.CorecallError.__subclasses__()] == list(range(1, 18))
    assert all(getattr(corecall, kind.__name__) is kind for kind in kinds)


def test_the_tree_in_the_docstring_is_the_tree() -> None:
    drawn = dict(re.findall(r"[├└]── (\w+) +(\d+) ", errors.__doc__ or ""))
    assert drawn == {kind.__name__: str(kind.code) for kind in errors.CorecallError.__subclasses__()}
    assert corecall.DuplicateCandidates.__base__ is corecall.Conflict


def test_an_error_tells_code_name_message_and_path(core: corecall.Core) -> None:
    payload = {"model": "none", "snapshots": [], "query": {"text": "x", "limit": 0}}
    with pytest.raises(corecall.InvalidArgument) as caught:
        core.call("query", payload)
    error = caught.value
    assert (error.code, error.name, error.path) == (1, "argument.range", "payload.query.limit")
    assert error.retryable is False
    assert error.message
    assert str(error) == f"{error.message} (argument.range at payload.query.limit)"


def test_an_unknown_operation_is_unsupported(core: corecall.Core) -> None:
    with pytest.raises(corecall.Unsupported) as caught:
        core.call("no_such_operation")
    assert caught.value.name == "operation.unknown"


def test_an_operation_of_a_library_needs_one(core: corecall.Core) -> None:
    with pytest.raises(corecall.Unsupported) as caught:
        core.call("recall", {"text": "x"})
    assert caught.value.name == "operation.needs_library"


def test_a_contract_of_another_version_is_refused(core: corecall.Core) -> None:
    with pytest.raises(corecall.Version) as caught:
        core.call("capabilities", require={"related_business": 2})
    assert caught.value.name == "contract.unsupported"


def test_a_lone_surrogate_is_refused_by_the_library(library: corecall.Library) -> None:
    with pytest.raises(corecall.InvalidArgument) as caught:
        library.remember("half a pair: \ud800")
    assert caught.value.name == "json.encoding"
    assert library.status().counts.live == 0


def test_a_file_that_is_no_library_is_corrupt(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Sir or Madam, " * 500)
    with pytest.raises(corecall.Corrupt):
        corecall.open(file)
    assert file.read_text().startswith("Dear Sir")


def test_a_folder_that_is_not_there_is_io(tmp_path: Path) -> None:
    with pytest.raises(corecall.Io) as caught:
        corecall.open(tmp_path / "absent" / "library.db")
    assert caught.value.name == "store.io"


@pytest.mark.parametrize(
    "error",
    [
        corecall.NotFound("not there", name="memory.unknown", path="payload.id"),
        corecall.Busy("locked", name="store.locked", retryable=True),
        corecall.DuplicateCandidates((corecall.Title("a", "A"),), (corecall.Title("b", "B"),)),
    ],
)
def test_errors_survive_pickling(error: corecall.CorecallError) -> None:
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    assert type(again) is type(error)
    assert vars(again) == vars(error)
    assert str(again) == str(error)


def test_a_status_of_a_newer_library_is_an_engine_failure() -> None:
    error = errors.from_status(99, {"code": 99, "name": "new.thing", "message": "a new thing"})
    assert type(error) is corecall.EngineFailure
    assert error.name == "new.thing"
