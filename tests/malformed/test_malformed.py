"""Every malformed call of the table is refused with its status, name and path, says nothing and writes nothing."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from tests.malformed.reply import check_form, check_sentence
from tests.malformed.row import CANARY, Base, Row
from tests.malformed.rows import bases
from tests.malformed.table import ROWS
from tests.malformed.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """The fixture that all refused calls share, since none may change it."""
    made = World(tmp_path_factory.mktemp("malformed"))
    yield made
    made.close()


def refused(world: World, row: Row) -> None:
    """Runs a row and asserts the whole refusal."""
    status, reply = world.run(row)
    value = check_form(status, reply)
    assert "error" in value, f"accepted: {row.what}"
    error = value["error"]
    expected = (row.refusal.status, row.refusal.name, row.path)
    assert (status, error["name"], error["path"]) == expected, error["message"]
    assert value["request_id"] == row.echoed
    check_sentence(error["message"])
    assert CANARY not in reply.decode(), "a refusal repeats text of the request"


def test_the_table_is_large_and_its_rows_are_distinct() -> None:
    assert len(ROWS) >= 240
    assert [what for what, times in Counter(row.what for row in ROWS).items() if times > 1] == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.what)
def test_a_malformed_call_is_refused(world: World, row: Row) -> None:
    before = world.change_seq()
    refused(world, row)
    assert world.change_seq() == before
    assert world.call("core", "capabilities", {})["association_contract"] == 1


def test_all_malformed_calls_together_leave_no_trace(tmp_path: Path) -> None:
    world = World(tmp_path)
    try:
        before = world.dump()
        for row in ROWS:
            world.run(row)
        for handle in ("library", "library_host"):
            world.call(handle, "statistics_flush", {})
        assert world.dump() == before
    finally:
        world.close()


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A fixture for calls that may change it."""
    made = World(tmp_path_factory.mktemp("scratch"))
    yield made
    made.close()


@pytest.mark.parametrize("base", bases.ALL, ids=lambda base: base.operation)
def test_what_the_rows_depart_from_is_valid(scratch: World, base: Base) -> None:
    status, reply = scratch.send(base.handle, base.envelope, base.attachments)
    assert status == 0, reply
    assert "result" in check_form(status, reply)
