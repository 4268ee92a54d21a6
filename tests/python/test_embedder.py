"""A host's own model: what the callable is given, what it may return, and how its library is named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import corecall

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

# Directions of a tiny meaning: sea, road, food.
SENSES = {"boat": 0, "ship": 0, "vessel": 0, "car": 1, "lorry": 1, "soup": 2, "bread": 2}


class Senses:
    """Counts words by their sense."""

    name = "senses"

    def __init__(self) -> None:
        self.seen: list[str] = []

    def __call__(self, texts: list[str]) -> NDArray[np.float32]:
        self.seen += texts
        rows = np.full((len(texts), 3), 0.01, dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().replace(".", "").split():
                if word in SENSES:
                    row[SENSES[word]] += 1
        return rows


def test_meaning_is_found_without_a_common_word(path: Path) -> None:
    with corecall.open(path, embedder=Senses()) as library:
        boat = library.remember("A boat leaks.").id
        library.remember("The soup is cold.")
        assert library.status().model == "host:senses"
        assert library.recall("vessel", limit=1).hits[0].id == boat


def test_neighbours_are_associated(path: Path) -> None:
    with corecall.open(path, embedder=Senses()) as library:
        first = library.remember("A boat leaks.").id
        second = library.remember("Our ship has radar.", force=True).id
        library.remember("The soup is cold.")
        related = library.recall("boat leaks", limit=1).related
        assert [(item.id, item.source_id, item.relation) for item in related] == [(second, first, "neighbor")]


def test_title_and_content_are_embedded_and_the_query_as_it_is(path: Path) -> None:
    senses = Senses()
    with corecall.open(path, embedder=senses) as library:
        library.remember("A boat leaks.", title="Damage")
        library.remember("The soup is cold.")
        library.recall("which vessel?")
        library.show("Damage")
        library.status()
    assert senses.seen == ["Damage\nA boat leaks.", "The soup is cold.", "which vessel?"]


@pytest.mark.parametrize(
    "convert",
    [
        lambda rows: rows,
        lambda rows: rows.astype(np.float64),
        lambda rows: np.asfortranarray(np.repeat(rows, 2, axis=0))[:1],
        lambda rows: rows.tolist(),
        lambda rows: [tuple(row) for row in rows.tolist()],
        list,
        memoryview,
        lambda rows: rows.astype(">f4"),
    ],
    ids=["float32", "float64", "strided", "lists", "tuples", "list-of-arrays", "memoryview", "big-endian"],
)
def test_rows_of_any_form_mean_the_same(path: Path, convert: Any) -> None:
    senses = Senses()
    with corecall.open(path, model="host:any", embedder=lambda texts: convert(senses(texts))) as library:
        boat = library.remember("A boat leaks.").id
        library.remember("The soup is cold.")
        assert library.recall("vessel", limit=1).hits[0].id == boat


@pytest.mark.parametrize(
    ("answer", "name", "said"),
    [
        (None, "argument.type", "NoneType"),
        ("abc", "argument.type", "str"),
        (3.5, "argument.type", "float"),
        ([], "argument.range", "0 rows"),
        ([[1.0], [2.0]], "argument.range", "2 rows"),
        (np.ones((2, 3), dtype=np.float32), "argument.range", "2 rows"),
        (np.ones(3, dtype=np.float32), "argument.range", "3 rows"),
        ([[]], "argument.range", "empty"),
        ([1.0], "argument.type", "float32 numbers"),
        ([["a"]], "argument.type", "float32 numbers"),
    ],
)
def test_what_is_not_a_row_of_numbers_is_refused(path: Path, answer: Any, name: str, said: str) -> None:
    with corecall.open(path, model="host:wrong", embedder=lambda _: answer) as library:
        with pytest.raises(corecall.InvalidArgument) as caught:
            library.remember("text")
        assert (caught.value.name, caught.value.path) == (name, "embedder")
        assert said in caught.value.message
        assert library.status().counts.live == 0


@pytest.mark.parametrize(
    ("row", "name"),
    [
        ([float("nan"), 1.0], "attachment.nonfinite"),
        ([float("inf"), 1.0], "attachment.nonfinite"),
        ([1e300, 1.0], "attachment.nonfinite"),
        ([0.0, 0.0], "vector.zero"),
    ],
)
def test_what_no_vector_can_be_is_refused_by_the_library(path: Path, row: list[float], name: str) -> None:
    with corecall.open(path, model="host:wrong", embedder=lambda _: [row]) as library:
        with pytest.raises(corecall.InvalidArgument) as caught:
            library.remember("text")
        assert (caught.value.name, caught.value.path) == (name, "payload.vector")


def test_another_dimension_is_refused(path: Path) -> None:
    with corecall.open(path, model="host:x", embedder=lambda _: [[1.0, 2.0]]) as library:
        library.remember("two dimensions")
    with corecall.open(path, model="host:x", embedder=lambda _: [[1.0, 2.0, 3.0]]) as library:
        with pytest.raises(corecall.InvalidArgument) as caught:
            library.remember("now three")
        assert (caught.value.name, caught.value.path) == ("vector.dimension", "payload.vector")


def test_an_error_of_the_embedder_reaches_the_caller_and_writes_nothing(path: Path) -> None:
    def fail(texts: list[str]) -> Any:
        raise ConnectionError(texts[0])

    with corecall.open(path, model="host:x", embedder=fail) as library:
        with pytest.raises(ConnectionError, match="text"):
            library.remember("text")
        assert library.status().counts.live == 0


def test_a_library_is_bound_to_its_model(path: Path) -> None:
    with corecall.open(path, embedder=Senses()):
        pass
    with pytest.raises(corecall.ArtifactIncompatible) as caught:
        corecall.open(path, model="host:other", embedder=Senses())
    assert caught.value.name == "model.mismatch"
    with corecall.open(path) as library:
        assert library.status().model == "host:senses"


def test_without_the_embedder_a_library_of_a_host_takes_no_text(path: Path) -> None:
    with corecall.open(path, embedder=Senses()) as library:
        id = library.remember("A boat leaks.").id
    with corecall.open(path) as library:
        with pytest.raises(corecall.InvalidArgument) as caught:
            library.remember("no vector")
        assert (caught.value.name, caught.value.path) == ("argument.missing", "payload.vector")
        assert library.show(id).entry.content == "A boat leaks."


@pytest.mark.parametrize("model", ["host:given", None])
def test_the_model_is_the_one_given_or_the_embedders_name(path: Path, model: str | None) -> None:
    with corecall.open(path, model=model, embedder=Senses()) as library:
        assert library.status().model == (model or "host:senses")


def test_a_name_may_have_the_prefix_already(path: Path) -> None:
    senses = Senses()
    senses.name = "host:prefixed"
    with corecall.open(path, embedder=senses) as library:
        assert library.status().model == "host:prefixed"


def test_an_embedder_without_a_name_is_refused(path: Path) -> None:
    with pytest.raises(corecall.InvalidArgument) as caught:
        corecall.open(path, embedder=lambda texts: [[1.0] for _ in texts])
    assert (caught.value.name, caught.value.path) == ("argument.missing", "model")
    assert not path.exists()


@pytest.mark.parametrize("model", ["none", "test-hash:64", "senses"])
def test_an_embedder_with_a_model_that_is_not_a_hosts_is_refused(path: Path, model: str) -> None:
    with pytest.raises(corecall.InvalidArgument) as caught:
        corecall.open(path, model=model, embedder=Senses())
    assert (caught.value.name, caught.value.path) == ("argument.conflict", "model")
    assert not path.exists()


def test_a_model_of_the_library_needs_no_embedder(path: Path) -> None:
    with corecall.open(path, model="test-hash:64") as library:
        id = library.remember("Lanterns along the pier.").id
        assert library.recall("lanterns pier").hits[0].id == id
        assert library.status().model == "test-hash:64"


def test_an_unknown_model_is_unavailable(path: Path) -> None:
    with pytest.raises(corecall.ModelUnavailable) as caught:
        corecall.open(path, model="no-such-model")
    assert caught.value.name == "model.unknown"
    assert not path.exists()
