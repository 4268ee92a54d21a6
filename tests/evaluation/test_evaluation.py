"""What is asked is what a library answers, and the report says what it means."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.evaluation import samples

import corecall
from corecall.evaluation import (
    RELATIONS,
    SHOWN_AT,
    CachedEmbedder,
    DataError,
    Dataset,
    Report,
    Setting,
    as_markdown,
    as_text,
    ask_all,
    load_coding_memory,
    load_json_lines,
    load_locomo,
    model_of,
    report,
    settings_for,
)

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def own(tmp_path: Path) -> Dataset:
    return load_json_lines(*samples.own(tmp_path))


def measured(dataset: Dataset) -> Report:
    asked = {setting: list(ask_all(dataset, setting, model="none")) for setting in settings_for(dataset)}
    return report(dataset, model_of("none", None), asked, relations=RELATIONS)


def test_the_ranking_is_that_of_a_library(own: Dataset) -> None:
    (corpus,) = own.corpora
    with corecall.open(":memory:", model="none") as library:
        keys = {library.remember(m.content, title=m.title, tags=m.tags, force=True).id: m.key for m in corpus.memories}
        recall = library.recall(corpus.questions[0].text, limit=100)
        expected = [(keys[hit.id], hit.score) for hit in recall.hits]
    first, *_ = ask_all(own, Setting("without relations"), model="none")
    assert expected
    assert list(zip(first.ranking, first.scores, strict=True)) == expected
    assert set(first.associations) == set(SHOWN_AT)


def test_associations_show_what_the_words_did_not_find_and_change_no_hit(own: Dataset) -> None:
    plain, marked, hidden = settings_for(own)
    first = {setting.name: next(iter(ask_all(own, setting, model="none"))) for setting in (plain, marked, hidden)}
    assert first[plain.name].associations == dict.fromkeys(SHOWN_AT, ())
    assert first[marked.name].ranking == first[plain.name].ranking
    assert first[marked.name].ranking[0] == "old"
    assert first[marked.name].associations[1] == ("new",)
    assert "old" not in first[hidden.name].ranking
    assert all(asked.same_hits for asked in first.values())


def test_evidence_with_associations_stands_against_as_many_more_hits(own: Dataset) -> None:
    marked = measured(own).settings[1]
    one = marked.shown[0]
    # Alone: neither question has its evidence in the first hit whole. `when` gets `new` beside `old`.
    assert one.hits == 1
    assert one.with_associations.mean > one.alone.mean
    assert one.gain.mean == pytest.approx(one.with_associations.mean - one.with_more_hits.mean)
    assert one.harmful.n == 1
    assert marked.same_hits == 1.0


def test_hiding_what_was_replaced_takes_the_stale_hits_away(tmp_path: Path) -> None:
    made = measured(load_coding_memory(samples.coding_memory(tmp_path / "c")))
    plain, marked, hidden = made.settings
    assert plain.misleading["stale@5"].mean == marked.misleading["stale@5"].mean == 1.0
    assert hidden.misleading["stale@5"].mean == 0.0
    assert plain.misleading["harmful@5"].n == 3
    assert plain.misleading_now["harmful@5"].n == 2
    assert plain.harmful_at_5["future"].n == 1
    assert [group.name for group in plain.groups] == ["all", "current state", "earlier state"]


def test_thresholds_count_what_gets_nothing(tmp_path: Path) -> None:
    made = measured(load_coding_memory(samples.coding_memory(tmp_path / "c")))
    first, *_, last = made.settings[0].thresholds
    assert (first.min_score, first.silent.n, first.hit_at_5.n) == (0.0, 2, 2)
    # "zebra xylophone" shares no word with anything.
    assert first.silent.mean >= 0.5
    assert last.silent.mean >= first.silent.mean
    assert last.hit_at_5.mean <= first.hit_at_5.mean


def test_questions_of_another_corpus_are_asked_too(tmp_path: Path) -> None:
    dataset = load_locomo(samples.locomo(tmp_path / "l.json"), conversations=[1, 2], categories=[1, 2, 4])
    rows = list(ask_all(dataset, Setting("without relations")))
    assert [(row.corpus.name, row.question.key) for row in rows if row.foreign] == [
        ("pots", "ferry/0"),
        ("ferry", "pots/0"),
        ("ferry", "pots/1"),
        ("ferry", "pots/2"),
    ]
    assert measured(dataset).settings[0].thresholds[0].silent_foreign.n == 4


@pytest.mark.parametrize("write", [as_text, as_markdown])
def test_every_report_says_what_hit_at_5_measures(own: Dataset, tmp_path: Path, write: object) -> None:
    for dataset in (own, load_coding_memory(samples.coding_memory(tmp_path / "c"))):
        assert callable(write)
        page = write(measured(dataset))
        assert "hit@5, and every other measure of the ranking, says nothing about associations" in page
        assert "hits the same with associations off and on (relations, marked): 100.0 of questions" in page
        assert "Evidence found per memory shown, relations, marked" in page
        assert "model none (words only)" in page


def test_markdown_tables_have_as_many_cells_in_every_row(own: Dataset) -> None:
    blocks = [block.splitlines() for block in as_markdown(measured(own)).split("\n\n") if block.startswith("|")]
    assert len(blocks) >= 4
    for lines in blocks:
        assert len({line.count("|") for line in lines}) == 1
        assert set(lines[1]) == {"|", "-", ":"}


class Letters:
    """A model that counts letters, and how often it is called."""

    name = "letters"

    def __init__(self) -> None:
        self.batches: list[list[str]] = []

    def __call__(self, texts: list[str]) -> list[list[float]]:
        self.batches.append(texts)
        return [[text.lower().count(letter) + 0.01 for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts]


def test_a_model_of_ones_own_is_asked_once_for_each_text_in_batches(own: Dataset) -> None:
    letters = Letters()
    embedder = CachedEmbedder(letters)
    assert model_of(None, embedder) == "host:letters"
    for setting in settings_for(own):
        rows = list(ask_all(own, setting, embedder=embedder))
        assert all(row.same_hits for row in rows)
        assert any(row.associations[1] for row in rows)
    assert [len(batch) for batch in letters.batches] == [len(samples.MEMORIES) + len(samples.QUESTIONS)]


def test_an_embedder_that_loses_rows_is_told() -> None:
    with pytest.raises(DataError, match="given 2 texts and returned 1 rows"):
        CachedEmbedder(lambda texts: [[1.0]] * (len(texts) - 1)).prepare(["a", "b"])


def test_a_library_with_a_model_is_measured_with_it(own: Dataset) -> None:
    words = [row.ranking for row in ask_all(own, Setting("without relations"), model="none")]
    hashed = [row.ranking for row in ask_all(own, Setting("without relations"), model="test-hash:64")]
    assert model_of("test-hash:64", None) == "test-hash:64"
    assert words != hashed
    with pytest.raises(corecall.ModelUnavailable):
        model_of("nobody", None)
