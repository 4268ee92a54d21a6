"""The library and the naive twin give the same bytes on 10,000 random payloads, however the payload arrives.

Every payload is asked three ways: as it is, with its snapshots, pairs and vectors shuffled, and through a resident
set that was published in several steps with outdated and foreign snapshots in between.
"""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.contract.contract_cases import masked
from tests.contract.random_payloads import Case, Drawer, attach
from tests.contract.twin import Refused, related_business

from corecall import _abi

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.contract.twin import Json

SEEDED, SEEDS_A_TEST = 9_500, 500
DRAWN = 500
REFUSED = 500


def seeded(seed: int | str) -> Random:
    return Random(seed)  # noqa: S311 (the same cases every time; nothing is kept secret)


@pytest.fixture(scope="module", name="handle")
def open_handle() -> Iterator[int]:
    status, handle, reply = _abi.open_raw(b"{}")
    assert status == 0, reply
    yield handle
    assert _abi.close_raw(handle) == 0


def call(handle: int, operation: str, payload: Json, attachments: Sequence[bytes] = ()) -> tuple[int, bytes]:
    request = {"schema_version": 1, "request_id": "1", "operation": operation, "payload": payload}
    status, reply, _ = _abi.call_raw(handle, 0, json.dumps(request, ensure_ascii=False).encode(), attachments)
    return status, masked(status, reply)


def result(handle: int, operation: str, payload: Json, attachments: Sequence[bytes] = ()) -> Any:
    status, reply = call(handle, operation, payload, attachments)
    assert status == 0, reply
    return json.loads(reply)["result"]


def expected(case: Case) -> tuple[int, bytes]:
    """The twin's status and reply."""
    reply: Json = {"schema_version": 1, "request_id": "1"}
    status = 0
    try:
        reply["result"] = related_business(case.attached()[0], case.vectors)
    except Refused as refused:
        status = refused.status
        error = {"code": status, "name": refused.name, "message": "*", "path": refused.path, "retryable": False}
        reply["error"] = error
    return status, json.dumps(reply, ensure_ascii=False, separators=(",", ":")).encode()


def shuffled(case: Case, random: Random) -> Case:
    """The same case with everything in another order that has no meaning by its order."""
    payload = dict(case.payload)
    payload["snapshots"] = random.sample(payload["snapshots"], len(payload["snapshots"]))
    payload["pairs"] = [
        {"a": pair["b"], "b": pair["a"], "n": pair["n"]} if random.random() < 0.5 else pair
        for pair in random.sample(payload["pairs"], len(payload["pairs"]))
    ]
    vectors = dict(random.sample(list(case.vectors.items()), len(case.vectors)))
    return Case(payload, vectors)


def publish(
    handle: int, model: str, base: str | None, snapshots: Sequence[Json], vectors: dict[str, list[float]], **more: Any
) -> Any:
    payload: Json = {"model": model, "snapshots": snapshots, **more}
    if base is not None:
        payload["base_key"] = base
    attachments = []
    if vectors:
        payload["vectors"], data = attach(vectors)
        attachments.append(data)
    return result(handle, "resident_publish", payload, attachments)


def publish_in_steps(handle: int, case: Case, random: Random) -> str:
    """The key of a resident set with the case's snapshots and vectors, arrived at by detours."""
    model, wanted = case.payload["model"], random.sample(case.payload["snapshots"], len(case.payload["snapshots"]))
    drawer = Drawer(random)
    drawer.ids = [snapshot["id"] for snapshot in wanted] or ["a"]
    outdated = [drawer.snapshot(snapshot["id"]) for snapshot in wanted if random.random() < 0.3]
    foreign = [drawer.snapshot(name) for name in ("x", "foreign") if random.random() < 0.5]
    first = outdated + foreign
    old_vectors = {
        snapshot["id"]: random.choice(list(case.vectors.values()))
        for snapshot in first
        if case.vectors and random.random() < 0.5
    }
    key = publish(handle, model, None, first, old_vectors)["resident_key"]
    left, indexed = [snapshot["id"] for snapshot in foreign], len(first)
    cuts = sorted(random.choices(range(len(wanted) + 1), k=random.randint(0, 3)))
    for begin, end in zip([0, *cuts], [*cuts, len(wanted)], strict=True):
        removed = left if random.random() < 0.5 or end == len(wanted) else []
        left = [name for name in left if name not in removed]
        part = wanted[begin:end]
        vectors = {snapshot["id"]: case.vectors[snapshot["id"]] for snapshot in part if snapshot["id"] in case.vectors}
        published = publish(handle, model, key, part, vectors, removed=removed)
        key, indexed = published["resident_key"], published["indexed"]
    assert indexed == len(wanted)
    assert isinstance(key, str)
    return key


def check(handle: int, case: Case, random: Random) -> None:
    """The library says what the twin says, in all three ways."""
    told = expected(case)
    assert told[0] == 0
    assert call(handle, "related_business", *case.attached()) == told, "as it is"
    assert call(handle, "related_business", *shuffled(case, random).attached()) == told, "shuffled"
    key = publish_in_steps(handle, case, random)
    asked = {name: value for name, value in case.payload.items() if name != "snapshots"}
    assert call(handle, "related_business", {**asked, "resident_key": key}) == told, "as a resident set"
    assert result(handle, "resident_release", {"resident_key": key}) == {"released": True}


@pytest.mark.parametrize("first", range(0, SEEDED, SEEDS_A_TEST))
def test_the_library_says_what_the_twin_says(handle: int, first: int) -> None:
    for seed in range(first, first + SEEDS_A_TEST):
        random = seeded(seed)
        case = Drawer(random).case()
        try:
            check(handle, case, random)
        except AssertionError as failure:
            raise AssertionError(f"seed {seed}: {failure}\n{json.dumps(case.payload, ensure_ascii=False)}") from failure


@settings(
    max_examples=DRAWN,
    deadline=None,
    derandomize=True,
    database=None,
    phases=(Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
)
@given(random=st.randoms(use_true_random=False))
def test_the_library_says_what_the_twin_says_shrunk(handle: int, random: Random) -> None:
    check(handle, Drawer(random).case(), random)


@pytest.mark.parametrize("seed", range(20))
def test_larger_sets_are_answered_alike(handle: int, seed: int) -> None:
    random = seeded(f"larger {seed}")
    check(handle, Drawer(random, [f"n{number}" for number in range(150)]).case(), random)


SPOTS = ("unknown hit", "hit twice", "snapshot twice", "entry", "pair", "pair twice", "label", "vector")


def spoil(case: Case, random: Random) -> None:
    """Puts one contradiction into the case, where it has room for one."""
    payload, (a, b) = case.payload, random.sample(range(2), 2)
    ids = [snapshot["id"] for snapshot in payload["snapshots"]]
    name = random.choice(ids)
    where = random.choice(
        ("unknown hit", "hit twice", "snapshot twice", "entry", "pair", "pair twice", "label", "vector")
    )
    if where == "unknown hit":
        payload["ids"].insert(random.randint(0, len(payload["ids"])), "nobody")
    elif where == "hit twice":
        payload["ids"] = [*(hit for hit in payload["ids"] if hit != name), name, name]
    elif where == "snapshot twice":
        payload["snapshots"].insert(random.randint(0, len(ids)), {"id": name})
    elif where == "entry":
        random.choice(payload["snapshots"])["entry"] = {"id": "somebody else"}
    elif where == "pair":
        payload["pairs"].insert(random.randint(0, len(payload["pairs"])), {"a": name, "b": name, "n": 2})
    elif where == "pair twice":
        sides = (random.choice(ids), "nobody")
        payload["pairs"] += [{"a": "nobody", "b": sides[0], "n": 1}, {"a": sides[a], "b": sides[b], "n": 2}]
    elif where == "label":
        payload.setdefault("related_settings", {})["relations"] = ["see_also", "neighbor", "see_also"]
    elif case.vectors:
        spoilt = random.choice(list(case.vectors))
        case.vectors[spoilt] = [0.0 for _ in case.vectors[spoilt]]
    else:
        payload["model"] = random.choice(("host:", "test-hash:0", "other"))


def test_contradictions_are_refused_alike(handle: int) -> None:
    names = set()
    for seed in range(REFUSED):
        random = seeded(f"refused {seed}")
        case = Drawer(random).case()
        if not case.payload["snapshots"]:
            continue
        spoil(case, random)
        told = expected(case)
        assert told[0] != 0
        assert call(handle, "related_business", *case.attached()) == told, f"seed {seed}"
        names.add(json.loads(told[1])["error"]["name"])
    assert names == {
        "snapshot.unknown",
        "argument.duplicate",
        "argument.conflict",
        "argument.value",
        "vector.zero",
        "model.unknown",
    }


def test_a_chain_of_a_hundred_thousand_versions_ends_in_its_last(handle: int) -> None:
    length = 100_000
    snapshots = [{"id": "v0", "entry": {"id": "v0", "title": "first"}}]
    for number in range(1, length):
        entry = {"id": f"v{number}", "title": f"version {number}", "supersedes": f"v{number - 1}"}
        snapshots.append({"id": f"v{number}", "entry": entry})
    last = f"v{length - 1}"
    query = {"text": "version", "limit": 10}
    payload = {"model": "none", "snapshots": snapshots, "query": query, "ids": ["v0", last], "pairs": []}
    answered = result(handle, "related_business", payload)
    below = {"id": f"v{length - 2}", "title": f"version {length - 2}", "source_id": last, "relation": "old_version"}
    assert answered == {"related": [below], "superseded": {"v0": last}}


def test_a_ring_of_a_hundred_thousand_versions_replaces_nothing(handle: int) -> None:
    length = 100_000
    snapshots = [
        {"id": f"v{number}", "entry": {"id": f"v{number}", "supersedes": f"v{(number + 1) % length}"}}
        for number in range(length)
    ]
    query = {"text": "version", "limit": 10}
    payload = {"model": "none", "snapshots": snapshots, "query": query, "ids": ["v0"], "pairs": []}
    assert result(handle, "related_business", payload) == {"related": [], "superseded": {}}
