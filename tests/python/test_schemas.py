"""What the typed layer sends and reads is what `abi/schemas` says, operation by operation, field by field."""

from __future__ import annotations

import dataclasses
import inspect
import json
from pathlib import Path
from typing import Any, get_args

import jsonschema
import pytest

import corecall
from corecall import _abi, records

SCHEMAS = Path(__file__).parents[2] / "abi" / "schemas"
NAMES = sorted(file.stem for file in SCHEMAS.glob("*.json"))
STATELESS = ("capabilities", "related_business", "prepare", "query", "remember_candidates")
RESIDENT = ("resident_publish", "resident_release")


def schema(operation: str) -> Any:
    return json.loads((SCHEMAS / f"{operation}.json").read_text(encoding="utf-8"))


def part(operation: str, which: str) -> Any:
    """The schema of an operation's payload or result."""
    return schema(operation)["properties"][which]


def validate(operation: str, which: str, value: Any) -> None:
    whole = {**schema(operation), "type": "object", "required": [which]}
    jsonschema.Draft202012Validator(whole).validate({which: value})


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any, Any]]:
    """Every call that crosses the border: operation, payload, result (None when refused)."""
    seen: list[tuple[str, Any, Any]] = []
    call = _abi.call_raw

    def watched(handle: int, ticket: int, request: bytes, attachments: Any) -> Any:
        envelope = json.loads(request)
        status, reply, views = call(handle, ticket, request, attachments)
        seen.append((envelope["operation"], envelope["payload"], json.loads(reply).get("result")))
        return status, reply, views

    monkeypatch.setattr(_abi, "call_raw", watched)
    return seen


def use_every_method(library: corecall.Library) -> None:
    first = library.remember("The ramp is salted in winter.", tags=["ramp"], project="p", kind="task").id
    second = library.remember("The ramp is salted at night.", supersedes=first, title="Salt", emotion=3).id
    third = library.remember("Salt eats the ramp.", see_also=[second], contradicts=[first], derived_from=[first]).id
    library.remember("The ramp is salted at night.", propose=True, project="another")
    library.remember("Below it.", parent=third, importance="trivial", computer="c", user="u", device="d")
    library.recall("ramp salted", explain=True, related_settings={"relations": ["contradicts", "see_also"], "max": 2})
    library.recall("ramp", kind="task", tags=["ramp"], since="2020-01-01T00:00:00Z", titles=True)
    library.recall("salt", no_related=True, superseded="hide", min_score=0.1, project="p", computer="")
    library.show(second)
    library.relations(first, type="supersedes", direction="incoming", limit=1)
    library.relations(first, cursor=library.relations(first, limit=1).next_cursor)
    library.link(second, third, type="derived_from", device="d")
    library.unlink(second, third)
    library.unsupersede(second)
    library.update(second, content="The ramp is salted at dusk.", tags=["ramp"], parent="", kind="task", emotion=1)
    library.update(second, title="Salt", project="p", computer="c", user="u", importance="normal", device="d")
    library.update(second, if_updated_at=library.show(second).entry.updated_at)
    library.forget(third, cascade="derived", dry_run=True)
    library.forget(third)
    library.restore(third)
    library.statistics_flush()
    library.status()


def use_every_operation(core: corecall.Core) -> None:
    core.call("capabilities")
    prepared = core.call("prepare", {"model": "test-hash:8", "entries": [{"id": "a", "content": "salt on the ramp"}]})
    features = prepared.result["prepared"][0]["features"]
    snapshot: dict[str, Any] = {"id": "a", "entry": {"id": "a", "title": "Salt"}, "features": features}
    of = {"model": "test-hash:8", "snapshots": [snapshot]}
    core.call("query", {**of, "query": {"text": "salt", "limit": 3}}, prepared.attachments)
    core.call("remember_candidates", {**of, "entry": {"content": "Salt"}}, prepared.attachments)
    related = {"query": {"text": "salt", "limit": 3}, "ids": ["a"], "pairs": [], "related_settings": {"explain": True}}
    core.call("related_business", {**of, **related}, prepared.attachments)
    key = core.call("resident_publish", of, prepared.attachments).result["resident_key"]
    core.call("resident_release", {"resident_key": key})


def test_there_is_a_schema_for_each_operation(core: corecall.Core) -> None:
    assert sorted(core.capabilities["operations"]) == NAMES


def test_every_payload_and_result_conforms(
    library: corecall.Library, core: corecall.Core, calls: list[tuple[str, Any, Any]]
) -> None:
    use_every_method(library)
    use_every_operation(core)
    assert {operation for operation, _, _ in calls} == set(NAMES)
    for operation, payload, result in calls:
        assert result is not None, (operation, payload)
        if operation != "capabilities":
            validate(operation, "payload", payload)
        validate(operation, "result", result)


METHODS = [name for name in NAMES if name not in (*STATELESS, *RESIDENT)]


@pytest.mark.parametrize("operation", METHODS)
def test_a_method_has_the_arguments_of_its_operation(operation: str) -> None:
    arguments = set(inspect.signature(getattr(corecall.Library, operation)).parameters) - {"self"}
    # The vector comes from the embedder; `propose` decides what becomes of a reply.
    payload = set(part(operation, "payload").get("properties", {})) - {"vector"}
    assert arguments - {"propose"} == payload


@pytest.mark.parametrize("operation", METHODS)
def test_a_method_has_the_defaults_of_its_operation(operation: str) -> None:
    properties = part(operation, "payload").get("properties", {})
    for name, parameter in inspect.signature(getattr(corecall.Library, operation)).parameters.items():
        if parameter.default in (inspect.Parameter.empty, None, ()) or "default" not in properties.get(name, {}):
            continue
        assert parameter.default == properties[name]["default"], name


RECORDS: list[tuple[type, str, tuple[str, ...]]] = [
    (records.Remembered, "remember", ()),
    (records.Title, "remember", ("merge",)),
    (records.Recall, "recall", ()),
    (records.Hit, "recall", ("hits",)),
    (records.Entry, "recall", ("hits", "entry")),
    (records.Title, "recall", ("hits", "ancestors")),
    (records.Association, "recall", ("related",)),
    (records.Summary, "recall", ("summary",)),
    (records.Ledger, "recall", ("ledger",)),
    (records.Drop, "recall", ("ledger", "dropped")),
    (records.Shown, "show", ()),
    (records.Relations, "relations", ()),
    (records.Relation, "relations", ("relations",)),
    (records.Forgotten, "forget", ()),
    (records.Linked, "link", ()),
    (records.Linked, "unlink", ()),
    (records.Unsuperseded, "unsupersede", ()),
    (records.Title, "forget", ("derived",)),
    (records.Restored, "restore", ()),
    (records.Updated, "update", ()),
    (records.Status, "status", ()),
    (records.CompetingReplacements, "status", ("conflicts",)),
]


@pytest.mark.parametrize(("record", "operation", "way"), RECORDS, ids=lambda value: getattr(value, "__name__", None))
def test_a_record_has_the_fields_of_the_result(record: Any, operation: str, way: tuple[str, ...]) -> None:
    at = part(operation, "result")
    for step in way:
        at = at["properties"][step]
        at = at.get("items", at)
    fields = [item.name for item in dataclasses.fields(record) if item.name != "other"]
    assert sorted(fields) == sorted(at["properties"])


def test_the_settings_are_the_ones_of_the_operation() -> None:
    settings = part("recall", "payload")["properties"]["related_settings"]["properties"]
    assert set(records.RelatedSettings.__annotations__) == set(settings)


@pytest.mark.parametrize(
    ("literal", "operation", "way"),
    [
        (records.Kind, "remember", ("payload", "kind")),
        (records.Importance, "remember", ("payload", "importance")),
        (records.Direction, "relations", ("payload", "direction")),
    ],
)
def test_a_literal_lists_the_values_of_the_schema(literal: Any, operation: str, way: tuple[str, str]) -> None:
    which, name = way
    assert set(get_args(literal)) == set(part(operation, which)["properties"][name]["enum"])


def test_the_labels_are_those_of_an_association() -> None:
    (item,) = [part("recall", "result")["properties"]["related"]["items"]["properties"]["relation"]]
    assert set(get_args(records.Label)) == set(item["enum"])
