"""Fixtures: a core without storage, and a library in a file of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import corecall

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def core() -> Iterator[corecall.Core]:
    with corecall.Core() as opened:
        yield opened


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "library.db"


@pytest.fixture
def library(path: Path) -> Iterator[corecall.Library]:
    with corecall.open(path) as opened:
        yield opened
