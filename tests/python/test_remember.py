"""`Library.remember`: what is stored, what is refused, and what is required of the native library."""

from __future__ import annotations

import json
from typing import Any

import pytest

import corecall
from corecall import _abi


def test_a_memory_comes_back_as_it_was_written(library: corecall.Library) -> None:
    remembered = library.remember(
        "缆绳在涨潮前检查。\nCheck the mooring lines before high tide. 🛥\u2028\x00 end",
        title="Mooring lines 缆绳",
        kind="task",
        tags=["safety", "tide"],
        project="harbour",
        importance="normal",
        computer="bridge",
        user="oskar",
        device="tablet",
        emotion=2,
    )
    assert (remembered.state, remembered.written) == ("created", True)
    assert (remembered.merge, remembered.parent) == ((), ())
    entry = library.show(remembered.id).entry
    assert entry.id == remembered.id
    assert entry.content == "缆绳在涨潮前检查。\nCheck the mooring lines before high tide. 🛥\u2028\x00 end"
    assert entry.title == "Mooring lines 缆绳"
    assert (entry.kind, entry.importance, entry.project) == ("task", "normal", "harbour")
    assert entry.tags == ("safety", "tide")
    assert (entry.computer, entry.user, entry.device, entry.emotion) == ("bridge", "oskar", "tablet", 2)
    assert entry.created_at.endswith("Z")
    assert entry.parent_id is None
    assert entry.other == {}


def test_the_title_is_the_first_line_where_there_is_none(library: corecall.Library) -> None:
    id = library.remember("The pilot boards at the fairway buoy.\nHe leaves at the lock.").id
    assert library.show(id).entry.title == "The pilot boards at the fairway buoy."


def test_an_exact_repeat_returns_the_old_id(library: corecall.Library) -> None:
    first = library.remember("The crane is rented until May.")
    again = library.remember("The crane is rented until May.")
    assert (again.id, again.state, again.written) == (first.id, "exists", False)
    assert library.status().counts.live == 1


NEAR = [f"The crane on quay four is rented from Lindqvist {word} the end of May 2026." for word in ("until", "to")]


def test_nearly_the_same_raises_and_writes_nothing(library: corecall.Library) -> None:
    first = library.remember(NEAR[0])
    with pytest.raises(corecall.DuplicateCandidates) as caught:
        library.remember(NEAR[1])
    error = caught.value
    assert [title.id for title in error.merge] == [first.id]
    assert error.merge[0].title == library.show(first.id).entry.title
    assert (error.code, error.name) == (9, "remember.candidates")
    assert first.id in str(error)
    assert NEAR[0][:20] not in str(error)
    assert library.status().counts.live == 1


def test_propose_returns_the_candidates(library: corecall.Library) -> None:
    first = library.remember(NEAR[0])
    proposed = library.remember(NEAR[1], propose=True)
    assert (proposed.state, proposed.written, proposed.id) == ("candidates", False, "")
    assert [title.id for title in proposed.merge] == [first.id]
    assert library.status().counts.live == 1


@pytest.mark.parametrize("way", ["force", "parent", "supersedes", "see_also", "contradicts", "derived_from", "trivial"])
def test_a_decision_writes_in_spite_of_candidates(library: corecall.Library, way: str) -> None:
    first = library.remember(NEAR[0]).id
    ways: dict[str, dict[str, Any]] = {
        "force": {"force": True},
        "parent": {"parent": first},
        "supersedes": {"supersedes": first},
        "trivial": {"importance": "trivial"},
    }
    options = ways.get(way, {way: [first]})
    assert library.remember(NEAR[1], **options).state == "created"
    assert library.status().counts.live == 2


def test_relations_are_kept_with_the_memory(library: corecall.Library) -> None:
    targets = {
        name: library.remember(f"{name} {letter * 12}").id
        for name, letter in zip(("one", "two", "three", "four", "five"), "vwxyz", strict=True)
    }
    id = library.remember(
        "All relations at once.",
        parent=targets["one"],
        supersedes=targets["two"],
        see_also=[targets["three"]],
        contradicts=(targets["four"],),
        derived_from={targets["five"]},
    ).id
    shown = library.show(id)
    entry = shown.entry
    assert entry.parent_id == targets["one"]
    assert entry.supersedes == targets["two"]
    assert entry.see_also == (targets["three"],)
    assert entry.contradicts == (targets["four"],)
    assert entry.derived_from == (targets["five"],)
    assert [title.id for title in shown.ancestors] == [targets["one"]]
    assert library.show(targets["two"]).superseded_by == id
    assert library.show(targets["three"]).entry.see_also == (id,)


def test_a_target_is_named_by_title_or_prefix(library: corecall.Library) -> None:
    first = library.remember("A long content about tides.", title="Tides").id
    second = library.remember("Another about currents.", title="Currents", see_also=["Tides"]).id
    assert library.show(second).entry.see_also == (first,)
    third = library.remember("A third about winds.", see_also=[first[:-2]]).id
    assert library.show(third).entry.see_also == (first,)


def test_a_target_that_is_not_there_is_named_by_its_path(library: corecall.Library) -> None:
    with pytest.raises(corecall.NotFound) as caught:
        library.remember("a link to nowhere", see_also=["no such title"])
    assert (caught.value.name, caught.value.path) == ("target.unknown", "payload.see_also[0]")
    assert library.status().counts.live == 0


def test_a_replaced_memory_is_not_replaced_twice(library: corecall.Library) -> None:
    first = library.remember("The gate opens at six.").id
    second = library.remember("The gate opens at seven.", supersedes=first).id
    with pytest.raises(corecall.Conflict) as caught:
        library.remember("The gate opens at eight.", supersedes=first)
    assert caught.value.name == "relation.replaced"
    assert second in caught.value.message


def test_expected_head_is_a_compare_and_swap(library: corecall.Library) -> None:
    first = library.remember("Draft of the berth plan.").id
    other = library.remember("Something else entirely, on ropes.").id
    with pytest.raises(corecall.Conflict) as caught:
        library.remember("Second draft of the plan.", supersedes=first, expected_head=other)
    assert caught.value.name == "relation.expected_head"
    assert library.remember("Second draft of the plan.", supersedes=first, expected_head=first).written


def test_a_lone_text_is_no_list_of_texts(library: corecall.Library) -> None:
    for name in ("tags", "see_also", "contradicts", "derived_from"):
        options: Any = {name: "text"}
        with pytest.raises(corecall.InvalidArgument) as caught:
            library.remember("x", **options)
        assert (caught.value.name, caught.value.path) == ("argument.type", name)


def test_an_unknown_kind_is_refused_by_the_library(library: corecall.Library) -> None:
    with pytest.raises(corecall.InvalidArgument) as caught:
        library.remember("x", kind="rumour")  # type: ignore[arg-type]
    assert (caught.value.name, caught.value.path) == ("argument.value", "payload.kind")


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Every request that crosses the border."""
    seen: list[dict[str, Any]] = []
    call = _abi.call_raw

    def watched(handle: int, ticket: int, request: bytes, attachments: Any) -> Any:
        seen.append(json.loads(request))
        return call(handle, ticket, request, attachments)

    monkeypatch.setattr(_abi, "call_raw", watched)
    return seen


def test_every_relation_write_requires_the_contract(library: corecall.Library, requests: list[dict[str, Any]]) -> None:
    target = library.remember("The target of it all.").id
    assert "require" not in requests[-1]
    ways: list[dict[str, Any]] = [
        {"supersedes": target},
        {"see_also": [target]},
        {"contradicts": [target]},
        {"derived_from": [target]},
    ]
    for options in ways:
        library.remember(f"Written with {next(iter(options))}.", **options)
        assert requests[-1]["require"] == {"related_business": 1}


def test_no_relation_is_written_where_the_operation_is_missing(
    library: corecall.Library, requests: list[dict[str, Any]]
) -> None:
    target = library.remember("The target of it all.").id
    before = len(requests)
    operations = [name for name in library.core.capabilities["operations"] if name != "related_business"]
    library.core.capabilities["operations"] = operations
    old = corecall.Library(library.core)
    with pytest.raises(corecall.Unsupported) as caught:
        old.remember("It would be lost.", supersedes=target)
    assert (caught.value.name, caught.value.path) == ("operation.unknown", "require.related_business")
    assert len(requests) == before
    assert old.remember("Without a relation it is fine.").written
