"""Filling libraries in memory, and asking them: the same `remember` and `recall` as any program's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import corecall

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corecall.evaluation.dataset import Corpus, Dataset, Question
    from corecall.evaluation.embedders import CachedEmbedder
    from corecall.records import Label

DEPTH = 100
"""How deep a ranking is looked at."""

SHOWN_AT = (1, 3, 5, 10)
"""Hits asked for when associations are compared with more hits."""

RELATIONS: tuple[Label, ...] = ("new_version", "old_version", "see_also", "neighbor")
"""The labels on by default that need no history of recalls; co_recall does, and unrelated questions have none."""


@dataclass(frozen=True, slots=True)
class Setting:
    """How a dataset is stored and asked: with the data's relations written or not, replaced hits marked or hidden."""

    name: str
    relations: bool = False
    superseded: Literal["mark", "hide"] = "mark"


@dataclass(frozen=True, slots=True)
class Asked:
    """What came for a question.

    Attributes:
        corpus: Where it was asked.
        question: The question.
        ranking: Memories, best first, at most `DEPTH`; of a foreign question the first one only.
        scores: Theirs, 0 to 1.
        associations: Number of hits asked for → the memories beside them; empty for a foreign question.
        foreign: It belongs to another corpus, so that nothing here answers it.
        same_hits: Whether the hits were the ranking's own each time, associations or not.
    """

    corpus: Corpus
    question: Question
    ranking: tuple[str, ...]
    scores: tuple[float, ...]
    associations: Mapping[int, tuple[str, ...]]
    foreign: bool = False
    same_hits: bool = True


def settings_for(dataset: Dataset) -> tuple[Setting, ...]:
    """The settings worth comparing: one, or three where the data has relations."""
    plain = Setting("without relations")
    if not dataset.has_relations:
        return (plain,)
    return (
        plain,
        Setting("relations, marked", relations=True),
        Setting("relations, hidden", relations=True, superseded="hide"),
    )


def ask_all(
    dataset: Dataset,
    setting: Setting,
    *,
    model: str | None = None,
    embedder: CachedEmbedder | None = None,
    relations: Sequence[Label] = RELATIONS,
) -> Iterator[Asked]:
    """Fills a library in memory for each corpus and asks all its questions, and then the next corpus's.

    Args:
        dataset: What to store and ask.
        setting: How.
        model: The library's model; None for the one a new library has.
        embedder: A host's model.
        relations: The labels that associations may have.
    """
    for place, corpus in enumerate(dataset.corpora):
        with opened(corpus, model, embedder) as library:
            asker = _Asker(library, corpus, setting, relations)
            for question in corpus.questions:
                yield asker.ask(question)
            other = dataset.corpora[(place + 1) % len(dataset.corpora)]
            for question in other.questions if other is not corpus else ():
                yield asker.ask_foreign(question)


def opened(corpus: Corpus, model: str | None, embedder: CachedEmbedder | None) -> corecall.Library:
    """A new library in memory; with an embedder, the corpus's texts are embedded in batches first."""
    library = corecall.open(":memory:", model=model, embedder=embedder)
    if embedder is not None:
        # What a library takes for the text of a memory; another one would only be asked for singly.
        told = (f"{memory.title}\n{memory.content}" if memory.title else memory.content for memory in corpus.memories)
        embedder.prepare([*told, *(question.text for question in corpus.questions)])
    return library


def model_of(model: str | None, embedder: CachedEmbedder | None) -> str:
    """The name of the model that a library opened with these has."""
    with corecall.open(":memory:", model=model, embedder=embedder) as library:
        return library.status().model


def fill(library: corecall.Library, corpus: Corpus, *, relations: bool) -> dict[str, str]:
    """Stores the corpus in its order, and returns the key of each id."""
    ids: dict[str, str] = {}
    for memory in corpus.memories:
        linked: dict[str, Any] = {}
        if relations:
            linked = {
                "parent": ids[memory.parent] if memory.parent else None,
                "supersedes": ids[memory.supersedes] if memory.supersedes else None,
                "see_also": [ids[key] for key in memory.see_also],
                "contradicts": [ids[key] for key in memory.contradicts],
                "derived_from": [ids[key] for key in memory.derived_from],
            }
        remembered = library.remember(
            memory.content,
            title=memory.title,
            kind=memory.kind,
            tags=memory.tags,
            project=memory.project,
            importance=memory.importance,
            # The questions name repeats one by one.
            force=True,
            **linked,
        )
        ids[memory.key] = remembered.id
    return {id: key for key, id in ids.items()}


class _Asker:
    """A filled library, and how it is asked."""

    def __init__(self, library: corecall.Library, corpus: Corpus, setting: Setting, relations: Sequence[Label]) -> None:
        self._library = library
        self._corpus = corpus
        self._setting = setting
        self._relations = list(relations)
        self._keys = fill(library, corpus, relations=setting.relations)

    def ask(self, question: Question) -> Asked:
        ranking, scores, _ = self._recall(question, limit=DEPTH, no_related=True)
        associations, same_hits = {}, True
        for shown in SHOWN_AT:
            hits, _, beside = self._recall(question, limit=shown, related_settings={"relations": self._relations})
            associations[shown] = beside
            same_hits &= hits == ranking[:shown]
        return Asked(self._corpus, question, ranking, scores, associations, same_hits=same_hits)

    def ask_foreign(self, question: Question) -> Asked:
        ranking, scores, _ = self._recall(question, limit=1, no_related=True)
        return Asked(self._corpus, question, ranking, scores, {}, foreign=True)

    def _recall(self, question: Question, **options: Any) -> tuple[tuple[str, ...], tuple[float, ...], tuple[str, ...]]:
        """Hits, their scores, and the associations."""
        recall = self._library.recall(
            question.text, project=question.project, titles=True, superseded=self._setting.superseded, **options
        )
        return (
            tuple(self._keys[hit.id] for hit in recall.hits),
            tuple(hit.score for hit in recall.hits),
            tuple(self._keys[association.id] for association in recall.related),
        )
