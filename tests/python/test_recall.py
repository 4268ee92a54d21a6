"""`Library.recall`, `show`, `relations`, `forget`, `status`: the typed methods, each option once."""

from __future__ import annotations

import dataclasses
import pickle
from datetime import datetime, timedelta, timezone
from typing import Any, get_args

import pytest

import corecall
from corecall import replies
from corecall.records import Importance, Kind


@pytest.fixture
def chain(library: corecall.Library) -> dict[str, str]:
    """Three versions of a rule, a link, a contradiction, a derivation, a diary line."""
    ids = {}
    ids["v1"] = library.remember(
        "Boarding closes ten minutes before departure.", title="Boarding rule", tags=["gate", "rule"]
    ).id
    ids["v2"] = library.remember("Fifteen minutes, say the gate agents.", title="Second rule", supersedes=ids["v1"]).id
    ids["v3"] = library.remember("Twenty for lorries and coaches.", title="Third rule", supersedes=ids["v2"]).id
    ids["link"] = library.remember("Queue lengths at the northern ramp.", title="Ramp", see_also=[ids["v1"]]).id
    ids["against"] = library.remember("Nobody is ever late in winter.", title="Winter", contradicts=[ids["v1"]]).id
    ids["made"] = library.remember("A poster for the terminal.", title="Poster", derived_from=[ids["v1"]]).id
    ids["diary"] = library.remember("Boarding was cold today.", importance="trivial").id
    return ids


def test_a_replaced_hit_names_its_newest_version(library: corecall.Library, chain: dict[str, str]) -> None:
    recall = library.recall("boarding closes before departure", limit=1)
    (hit,) = recall.hits
    assert (hit.id, hit.title, hit.superseded_by) == (chain["v1"], "Boarding rule", chain["v3"])
    assert 0 < hit.score <= 1
    assert hit.entry is not None
    assert hit.entry.content == "Boarding closes ten minutes before departure."
    assert hit.ancestors == ()
    assert recall.related[0] == corecall.Association(chain["v3"], "Third rule", chain["v1"], "new_version")
    assert [(item.id, item.relation) for item in recall.related] == [
        (chain["v3"], "new_version"),
        (chain["link"], "see_also"),
    ]
    assert recall.summary == corecall.Summary(hits=1, associations=2)
    assert recall.ledger is None
    assert recall.primary_digest is None


def test_associations_never_change_the_hits(library: corecall.Library, chain: dict[str, str]) -> None:
    with_them = library.recall("boarding rule ramp winter poster", explain=True)
    without = library.recall("boarding rule ramp winter poster", explain=True, related_settings={"enabled": False})
    assert len(with_them.hits) > 3
    assert with_them.hits == without.hits
    assert with_them.primary_digest == without.primary_digest is not None
    assert without.related == ()


def test_additive_relations_are_asked_for(library: corecall.Library, chain: dict[str, str]) -> None:
    recall = library.recall(
        "boarding closes before departure",
        limit=1,
        related_settings={"relations": ["contradicts", "derivative"], "max": 5},
    )
    assert [(item.id, item.relation) for item in recall.related] == [
        (chain["against"], "contradicts"),
        (chain["made"], "derivative"),
    ]


def test_explain_tells_what_was_left_out(library: corecall.Library, chain: dict[str, str]) -> None:
    recall = library.recall("boarding closes before departure", limit=1, related_settings={"max": 1}, explain=True)
    ledger = recall.ledger
    assert ledger is not None
    assert ledger.returned == len(recall.related) == 1
    assert ledger.considered > 1
    assert corecall.Drop(chain["link"], chain["v1"], "see_also", "budget") in ledger.dropped
    assert recall.primary_digest is not None
    assert len(recall.primary_digest) == 64


def test_no_related_leaves_hints_out_too(library: corecall.Library, chain: dict[str, str]) -> None:
    recall = library.recall("boarding closes before departure", no_related=True)
    assert recall.related == ()
    assert recall.hits[0].id == chain["v1"]
    assert all(hit.superseded_by is None for hit in recall.hits)


def test_hide_leaves_replaced_hits_out(library: corecall.Library, chain: dict[str, str]) -> None:
    hits = library.recall("boarding closes before departure fifteen minutes twenty", superseded="hide").hits
    assert chain["v3"] in {hit.id for hit in hits}
    assert not {chain["v1"], chain["v2"]} & {hit.id for hit in hits}


def test_titles_leave_the_entries_out(library: corecall.Library, chain: dict[str, str]) -> None:
    hits = library.recall("boarding", titles=True).hits
    assert hits
    assert all(hit.entry is None for hit in hits)


def test_tags_filter_and_give_no_associations(library: corecall.Library, chain: dict[str, str]) -> None:
    recall = library.recall("rule boarding", tags=["gate", "rule"])
    assert [hit.id for hit in recall.hits] == [chain["v1"]]
    assert recall.related == ()
    assert recall.hits[0].superseded_by == chain["v3"]
    assert library.recall("rule boarding", tags=["gate", "absent"]).hits == ()


def test_kind_project_and_computer_are_scope(library: corecall.Library) -> None:
    here = library.remember("Paint the buoy red.", project="buoys", kind="task", computer="bridge").id
    there = library.remember("Paint the hull blue.", project="hulls", kind="decision", computer="yard").id
    assert {hit.id for hit in library.recall("paint").hits} == {here, there}
    scopes: list[dict[str, Any]] = [{"project": "buoys"}, {"kind": "task"}, {"computer": "bridge"}]
    for scope in scopes:
        assert [hit.id for hit in library.recall("paint", **scope).hits] == [here]


def test_times_filter_as_text_and_as_datetime(library: corecall.Library) -> None:
    id = library.remember("The lighthouse was painted.").id
    created = datetime.fromisoformat(library.show(id).entry.created_at.replace("Z", "+00:00"))
    second = timedelta(seconds=1)
    assert library.recall("lighthouse", since=created).hits
    assert library.recall("lighthouse", since=created - second, until=created + second).hits
    assert not library.recall("lighthouse", since=created + second).hits
    assert not library.recall("lighthouse", until=created).hits
    assert library.recall("lighthouse", since="2020-01-01T00:00:00+02:00").hits
    east = timezone(timedelta(hours=8))
    assert not library.recall("lighthouse", since=(created + second).astimezone(east)).hits


def test_a_time_without_a_zone_is_refused(library: corecall.Library) -> None:
    with pytest.raises(corecall.InvalidArgument) as caught:
        library.recall("x", since=datetime(2026, 1, 1))  # noqa: DTZ001 - the point
    assert (caught.value.name, caught.value.path) == ("argument.value", "since")


def test_limit_and_min_score_bound_the_hits(library: corecall.Library, chain: dict[str, str]) -> None:
    hits = library.recall("boarding rule second third").hits
    assert len(hits) > 2
    assert len(library.recall("boarding rule second third", limit=2).hits) == 2
    floor = hits[1].score
    kept = library.recall("boarding rule second third", min_score=floor).hits
    assert kept
    assert all(hit.score >= floor for hit in kept)


def test_diary_lines_answer_only_when_nothing_else_does(library: corecall.Library, chain: dict[str, str]) -> None:
    assert chain["diary"] not in {hit.id for hit in library.recall("boarding cold").hits}
    assert [hit.id for hit in library.recall("cold").hits] == [chain["diary"]]


def test_what_is_recalled_together_is_associated(library: corecall.Library) -> None:
    first = library.remember("The winch needs grease in autumn.").id
    second = library.remember("The anchor chain was measured.").id
    for text in ("winch anchor", "grease chain", "autumn measured"):
        assert {hit.id for hit in library.recall(text).hits} == {first, second}
        library.statistics_flush()
    recall = library.recall("winch", limit=1)
    assert [(item.id, item.source_id, item.relation) for item in recall.related] == [(second, first, "co_recall")]


def test_ancestors_go_from_root_to_parent(library: corecall.Library) -> None:
    root = library.remember("Everything on the harbour.").id
    middle = library.remember("The northern quay.", parent=root).id
    leaf = library.remember("Bollard seventeen is loose.", parent=middle).id
    (hit,) = library.recall("bollard seventeen").hits
    assert hit.id == leaf
    assert [title.id for title in hit.ancestors] == [root, middle]
    assert [title.id for title in library.show(leaf).ancestors] == [root, middle]


def test_show_finds_by_id_title_and_prefix(library: corecall.Library, chain: dict[str, str]) -> None:
    for name in (chain["v1"], "Boarding rule", chain["v1"][:-2], f"#{chain['v1']}"):
        assert library.show(name).entry.id == chain["v1"]
    shown = library.show(chain["v1"])
    assert (shown.deleted, shown.superseded_by) == (False, chain["v3"])


def test_show_of_an_unknown_memory_is_not_found(library: corecall.Library) -> None:
    with pytest.raises(corecall.NotFound) as caught:
        library.show("0199f3a2-7b1c-7abc-8d07-5f6a3c1e9b42")
    assert caught.value.path == "payload.id"


def test_relations_list_the_edges_by_type_and_direction(library: corecall.Library, chain: dict[str, str]) -> None:
    page = library.relations(chain["v1"])
    assert len(page) == 4
    assert {(item.source_id, item.type, item.target_id, item.active) for item in page} == {
        (chain["v2"], "supersedes", chain["v1"], True),
        (chain["link"], "see_also", chain["v1"], True),
        (chain["against"], "contradicts", chain["v1"], True),
        (chain["made"], "derived_from", chain["v1"], True),
    }
    assert page.next_cursor is None
    assert [item.source_id for item in library.relations(chain["v1"], type="contradicts")] == [chain["against"]]
    assert [item.type for item in library.relations(chain["v1"], direction="outgoing")] == ["see_also"]
    assert len(library.relations(chain["v2"], direction="incoming")) == 1


def test_relations_come_in_pages(library: corecall.Library, chain: dict[str, str]) -> None:
    found = []
    cursor = None
    while True:
        page = library.relations(chain["v1"], limit=1, cursor=cursor)
        found += list(page)
        cursor = page.next_cursor
        if cursor is None:
            break
    assert found == list(library.relations(chain["v1"]))


def test_forget_revives_what_was_replaced(library: corecall.Library, chain: dict[str, str]) -> None:
    forgotten = library.forget(chain["v3"])
    assert (forgotten.id, forgotten.state) == (chain["v3"], "forgotten")
    assert forgotten.revived == (corecall.Title(chain["v2"], "Second rule"),)
    assert library.show(chain["v3"]).deleted is True
    assert chain["v3"] not in {hit.id for hit in library.recall("twenty lorries coaches").hits}
    assert library.show(chain["v1"]).superseded_by == chain["v2"]
    with pytest.raises(corecall.NotFound):
        library.forget(chain["v3"])


def test_status_counts(library: corecall.Library, chain: dict[str, str]) -> None:
    library.forget(chain["made"])
    library.recall("boarding")
    library.statistics_flush()
    status = library.status()
    assert status.counts == corecall.Counts(live=6, trivial=1, forgotten=1)
    assert (status.model, status.read_only, status.conflicts) == ("none", False, ())
    assert status.change_seq == 8
    assert status.schema_version >= 1
    statistics = status.statistics
    assert (statistics.pending, statistics.rejected, statistics.failed) == (0, 0, 0)
    assert statistics.enqueued == statistics.persisted == 1


def test_records_are_frozen_equal_and_picklable(library: corecall.Library, chain: dict[str, str]) -> None:
    recall = library.recall("boarding", explain=True)
    assert recall == library.recall("boarding", explain=True)
    assert pickle.loads(pickle.dumps(recall)) == recall  # noqa: S301 - our own bytes
    assert hash(recall.hits[0]) == hash(library.recall("boarding").hits[0])
    with pytest.raises(dataclasses.FrozenInstanceError):
        recall.hits[0].score = 1.0  # type: ignore[misc]


def test_a_field_of_a_newer_version_is_kept_in_other() -> None:
    entry = replies.entry({"id": "a", "title": "A", "tags": ["x"], "metadata": {"page": 3}})
    assert entry == corecall.Entry(id="a", title="A", tags=("x",), other={"metadata": {"page": 3}})


def test_the_literals_are_the_ones_of_the_library(library: corecall.Library) -> None:
    for kind in get_args(Kind):
        assert library.remember(f"A memory of the kind {kind}.", kind=kind, force=True).written
    for importance in get_args(Importance):
        assert library.remember(f"A memory that is {importance}.", importance=importance, force=True).written
