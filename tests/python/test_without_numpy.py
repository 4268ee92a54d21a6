"""NumPy is never needed and never imported unasked, in a process that doesn't have it."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = """
import sys
from array import array
sys.modules["numpy"] = None
import corecall

class Letters:
    name = "letters"
    def __call__(self, texts):
        return [[text.count(letter) + 0.01 for letter in "abcde"] for text in texts]

with corecall.open(sys.argv[1], embedder=Letters()) as library:
    library.remember("a bad cab")
    library.remember("needed")
    print(library.recall("bac", limit=1).hits[0].title)
with corecall.Core() as core:
    reply = core.call("prepare", {"model": "test-hash:4", "entries": [{"id": "x", "content": "some text"}]})
    print(type(reply.attachments[0]).__name__, len(reply.attachments))
"""


def test_everything_works_where_numpy_is_not_installed(path: Path) -> None:
    run = subprocess.run([sys.executable, "-c", PROGRAM, str(path)], capture_output=True, text=True, check=False)
    assert run.stderr == ""
    assert run.stdout.split("\n") == ["a bad cab", "memoryview 1", ""]


def test_importing_the_package_imports_neither_numpy_nor_the_command_line() -> None:
    program = "import corecall, sys; print(*sorted({'numpy', 'click', 'rich', 'corecall.cli'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "\n"
