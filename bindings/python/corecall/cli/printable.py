"""Texts of memories are untrusted: what a terminal would obey is taken out before it is printed."""

from __future__ import annotations

import unicodedata

# Controls, line and paragraph separators, lone surrogates.
_OBEYED = frozenset({"Cc", "Zl", "Zp", "Cs"})

# Embeddings, overrides and isolates of the bidirectional algorithm: they make a line read as another.
_REORDERING = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))))


def printable(text: str) -> str:
    """The text on one line, with a space for each control character."""
    if text.isprintable():
        return text
    return "".join(" " if _is_obeyed(character) else character for character in text)


def printable_lines(text: str) -> str:
    """The text with its lines kept; tabs become spaces as other controls do."""
    return "\n".join(printable(line) for line in text.split("\n"))


def _is_obeyed(character: str) -> bool:
    return unicodedata.category(character) in _OBEYED or character in _REORDERING
