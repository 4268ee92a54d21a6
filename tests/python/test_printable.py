"""Nothing that a terminal obeys is printed; everything that is text stays."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, strategies

from corecall.cli.printable import printable, printable_lines


@given(strategies.text())
def test_no_control_character_is_left(text: str) -> None:
    result = printable(text)
    assert len(result) == len(text)
    assert not {unicodedata.category(character) for character in result} & {"Cc", "Zl", "Zp", "Cs"}


@given(strategies.text())
def test_lines_stay_lines(text: str) -> None:
    result = printable_lines(text)
    assert result.count("\n") == text.count("\n")
    assert printable(result.replace("\n", "")) == result.replace("\n", "")


@pytest.mark.parametrize("text", ["Grüße", "缆绳", "👩‍👩‍👧", "e\u0301", "עברית", "a\u00a0b", "\u200f"])
def test_text_of_any_script_stays(text: str) -> None:
    assert printable(text) == text


@pytest.mark.parametrize("character", ["\x00", "\x1b", "\x7f", "\x9b", "\u2028", "\u2029", "\u202e", "\u2066"])
def test_what_a_terminal_obeys_is_a_space(character: str) -> None:
    assert printable(f"a{character}b") == "a b"
