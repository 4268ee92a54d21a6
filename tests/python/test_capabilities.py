"""Versions, capabilities and the log ring, as Python reaches them."""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import corecall
from corecall import _abi

if TYPE_CHECKING:
    from collections.abc import Iterator

GOLDEN = Path(__file__).parents[2] / "abi" / "capabilities.json"


def test_all_three_ways_to_the_capabilities_agree(core: corecall.Core) -> None:
    assert core.capabilities == corecall.capabilities() == core.call("capabilities").result
    assert core.capabilities["association_contract"] == core.capabilities["contracts"]["related_business"] == 1


def test_the_operations_are_the_golden_ones(core: corecall.Core) -> None:
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    for name in ("abi_version", "schema_version", "operations", "contracts", "formats", "limits", "models"):
        assert core.capabilities[name] == golden[name]


def test_package_and_library_have_one_version(core: corecall.Core) -> None:
    assert corecall.__version__ == metadata.version("corecall") == core.capabilities["build"]["version"]
    major, minor = corecall.abi_version()
    assert core.capabilities["abi_version"] == f"{major}.{minor}"


def test_hints_may_be_ignored(core: corecall.Core) -> None:
    assert core.call("capabilities", hints={"no_such_hint": [1, {"deep": True}]}).result == core.capabilities


def test_any_mapping_is_a_payload(core: corecall.Core) -> None:
    class Pairs:
        """The least that is a mapping to `dict`."""

        def keys(self) -> list[str]:
            return ["text", "limit"]

        def __getitem__(self, name: str) -> object:
            return {"text": "x", "limit": 1}[name]

    assert core.call("query", {"model": "none", "snapshots": [], "query": Pairs()}).result == {"hits": []}


@pytest.mark.parametrize("payload", [{"query": object()}, {"query": b"bytes"}, {"query": {1, 2}}])
def test_what_is_not_json_is_a_type_error(core: corecall.Core, payload: dict[str, object]) -> None:
    with pytest.raises(TypeError, match="is not JSON"):
        core.call("query", payload)


@pytest.fixture
def ring() -> Iterator[None]:
    assert _abi.log_ring(4) == _abi.OK
    _abi.log_drain_raw()
    yield
    assert _abi.log_ring(0) == _abi.OK


def test_the_log_ring_is_drained_as_json(ring: None, path: Path) -> None:
    with corecall.open(path) as library:
        library.remember("A secret about the mooring.")
    status, reply = _abi.log_drain_raw()
    lines = json.loads(reply)["result"]
    assert status == _abi.OK
    # Others of this process may log too; these lines stand in their order.
    texts = [line["text"] for line in lines]
    assert texts.index("opened a library") < texts.index("closed a library: OK")
    assert {line["level"] for line in lines} <= {1, 2, 3, 4}
    assert b"mooring" not in reply
    assert json.loads(_abi.log_drain_raw()[1])["result"] == []


def test_a_level_that_is_none_is_refused() -> None:
    assert _abi.log_ring(9) == corecall.InvalidArgument.code
