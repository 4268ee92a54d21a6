"""Valid requests, mutated at random: whatever comes of it, the engine answers in form and never fails inside."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest
from tests.malformed.reply import check_form
from tests.malformed.rows import bases
from tests.malformed.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.malformed.row import Base

MUTATIONS = 2_000
ENGINE_FAILURE, PANIC = 6, 7

# What a value is replaced by: every JSON type, and the edges of the numbers.
OTHERS: list[Any] = [
    None, True, False, 0, 1, -1, 0.5, -0.0, 1e308, 5e-324, 2**31, 2**53, 2**53 + 1, 2**63, 2**64 - 1, 2**64, 10**30,
    "", " ", "0", "\0", "\u202e", "é" * 200, "m1", "important", "see_also", "none", "host:x", "test-hash:64",
    [], {}, [None], [[]], [{}], {"": 0}, {"id": "m1"}, {"$attachment": 0, "dtype": "f32", "shape": [4]},
]  # fmt: skip


class Node:
    """An object whose keys may stand twice, which a dict can't hold."""

    def __init__(self, members: list[tuple[str, Any]]) -> None:
        self.members = members


def opened(value: Any) -> Any:
    """`value` with every dict as a Node."""
    if isinstance(value, dict):
        return Node([(key, opened(inner)) for key, inner in value.items()])
    if isinstance(value, list):
        return [opened(inner) for inner in value]
    return value


def text(value: Any) -> str:
    """Compact JSON."""
    if isinstance(value, Node):
        inside = ",".join(f"{json.dumps(key)}:{text(inner)}" for key, inner in value.members)
        return f"{{{inside}}}"
    if isinstance(value, list):
        return f"[{','.join(map(text, value))}]"
    return json.dumps(value, ensure_ascii=False)


def containers(value: Any) -> Iterator[Node | list[Any]]:
    """Every object and array that has something in it, outermost first."""
    inside: list[Any] = []
    if isinstance(value, Node):
        inside = [inner for _, inner in value.members]
    elif isinstance(value, list):
        inside = value
    if inside:
        yield value
    for inner in inside:
        yield from containers(inner)


def mutate(value: Any, chance: random.Random) -> str:
    """Changes one thing in place; says what."""
    place = chance.choice(list(containers(value)))
    items: list[Any] = place.members if isinstance(place, Node) else place
    at = chance.randrange(len(items))
    deed = chance.choice(["delete", "retype", "retype", "duplicate", "swap", "rename", "wrap"])
    old = items[at][1] if isinstance(place, Node) else items[at]
    key = items[at][0] if isinstance(place, Node) else ""
    if deed == "delete":
        del items[at]
    elif deed == "duplicate":
        items.append(items[at])
    elif deed == "swap":
        chance.shuffle(items)
    elif deed == "rename" and isinstance(place, Node):
        items[at] = (chance.choice(["", "x", key.upper(), f"{key} ", "id", "model"]), old)
    else:
        new = [old] if deed == "wrap" else opened(chance.choice(OTHERS))
        items[at] = (key, new) if isinstance(place, Node) else new
    return f"{deed} {key}[{at}]"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A fixture that the mutations which stay valid may write to."""
    made = World(tmp_path_factory.mktemp("mutations"))
    yield made
    made.close()


@pytest.mark.parametrize("base", bases.ALL, ids=lambda base: base.operation)
def test_mutated_requests_are_answered_in_form(world: World, base: Base) -> None:
    chance = random.Random(f"{base.operation} {bases.ALL.index(base)}")  # noqa: S311 - it must repeat itself
    for number in range(-(-MUTATIONS // len(bases.ALL))):
        envelope = opened(world.resolve(base.envelope))
        done = [mutate(envelope, chance) for _ in range(chance.choice([1, 1, 1, 2, 3]))]
        request = text(envelope).encode()
        status, reply = world.send(base.handle, request, base.attachments)
        label = f"mutation {number}: {', '.join(done)}"
        assert status not in (ENGINE_FAILURE, PANIC), (label, reply)
        value = check_form(status, reply)
        assert status != 0 or isinstance(value["result"], dict), label
    assert world.call(base.handle, "capabilities", {})["association_contract"] == 1
