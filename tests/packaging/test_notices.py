"""The notices are those of the locked crates, and only accepted licences get in."""

from __future__ import annotations

import pytest

import notices
from corecall import sdk
from crates import third_party


def test_the_file_is_what_the_locked_crates_give() -> None:
    assert notices.is_current(), "run `make notices`"


def test_every_linked_crate_of_every_platform_stands_in_it() -> None:
    text = notices.FILE.read_text("utf-8")
    for target in sdk.TARGETS:
        for package in third_party(target):
            assert f"\n{package['name']} {package['version']} (" in text
    assert "SQLite" in text
    assert "The Rust standard library" in text


@pytest.mark.parametrize(
    ("expression", "licences"),
    [
        ("MIT", {"MIT"}),
        ("Apache-2.0 OR MIT", {"MIT"}),
        ("MIT/Apache-2.0", {"MIT"}),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", {"MIT", "Unicode-3.0"}),
        ("GPL-3.0-only OR Apache-2.0", {"Apache-2.0"}),
        ("Unlicense OR MIT", {"MIT"}),
        ("Zlib OR Apache-2.0 OR MIT", {"MIT"}),
        ("Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT", {"MIT"}),
        ("GPL-2.0-only AND MIT OR BSD-3-Clause", {"BSD-3-Clause"}),
    ],
)
def test_of_a_choice_the_first_accepted_licence_is_taken(expression: str, licences: set[str]) -> None:
    assert notices.chosen(expression) == licences


@pytest.mark.parametrize(
    "expression",
    ["GPL-3.0-only", "MIT AND GPL-3.0-only", "MPL-2.0", "", "(MIT", "MIT)", "MIT MIT", "SSPL-1.0 OR LGPL-3.0"],
)
def test_a_licence_that_is_not_accepted_stops_the_build(expression: str) -> None:
    with pytest.raises(SystemExit, match="not accepted"):
        notices.chosen(expression)
