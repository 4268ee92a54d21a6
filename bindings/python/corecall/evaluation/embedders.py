"""A host's own model for an evaluation: found by its name, and asked once for each text."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corecall.evaluation.dataset import DataError

if TYPE_CHECKING:
    from collections.abc import Iterable

    import corecall

_BATCH = 64


class CachedEmbedder:
    """Keeps each text's vector: every setting asks for the same ones, and a model is faster in batches.

    Attributes:
        name: The model's, or None.
    """

    def __init__(self, embedder: corecall.Embedder) -> None:
        self.name: str | None = getattr(embedder, "name", None)
        self._embedder = embedder
        self._rows: dict[str, Any] = {}

    def __call__(self, texts: list[str]) -> list[Any]:
        """The rows of the texts."""
        self.prepare(texts)
        return [self._rows[text] for text in texts]

    def prepare(self, texts: Iterable[str]) -> None:
        """Asks the model for what isn't known yet, 64 texts at a time."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._rows]
        for start in range(0, len(missing), _BATCH):
            batch = missing[start : start + _BATCH]
            rows = self._embedder(batch)
            if len(rows) != len(batch):
                message = f"the embedder was given {len(batch)} texts and returned {len(rows)} rows"
                raise DataError(message)
            self._rows.update(zip(batch, rows, strict=True))


def named_embedder(name: str) -> CachedEmbedder:
    """The callable `module:name`; modules of the current folder are found too.

    Raises:
        DataError: There is none.
    """
    module, colon, attribute = name.partition(":")
    if not colon or not module or not attribute:
        message = f"{name!r} names no callable; write module:name"
        raise DataError(message)
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        message = f"{name!r} can't be had: {error}"
        raise DataError(message) from error
    if not callable(found):
        message = f"{name!r} can't be called"
        raise DataError(message)
    return CachedEmbedder(found)
