"""Calls the installed package: every contract case, then a library on disk.

Run with `python -I`, so that it is the installed one. Prints one line. An import alone would prove little: it also
works with a library for another machine.
"""

from __future__ import annotations

import platform
import sys
import tempfile
from pathlib import Path

import corecall
from corecall import _abi

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from tests.contract import contract_cases  # noqa: E402


def play_cases() -> int:
    """The number of cases played.

    Raises:
        SystemExit: A reply is another one than expected.
    """
    cases = contract_cases.read_cases()
    for case in cases:
        status, handle, _ = _abi.open_raw(case.config)
        if status != 0:
            sys.exit(f"{case.name}: doesn't open")
        for step in case.steps:
            status, reply, _ = _abi.call_raw(handle, 0, step.request, step.attachments)
            if (status, contract_cases.masked(status, reply)) != (step.status, step.reply):
                sys.exit(f"{case.name}: step {step.number} gets another reply than expected")
        _abi.close_raw(handle)
    return len(cases)


def keep_a_memory() -> None:
    """Writes a replaced memory to a file and finds it again.

    Raises:
        SystemExit: It isn't found, or not marked as replaced.
    """
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        path = Path(folder, "library.db")
        with corecall.open(path) as library:
            old = library.remember("Deploys run every Friday evening.")
            new = library.remember("Deploys run on Tuesdays.", supersedes=old.id)
        with corecall.open(path) as library:
            [hit] = library.recall("every Friday evening", limit=1).hits
        if (hit.id, hit.superseded_by) != (old.id, new.id):
            sys.exit("a memory that was written is not found as it should be")


if __name__ == "__main__":
    if ROOT in Path(corecall.__file__).resolve().parents and "site-packages" not in corecall.__file__:
        sys.exit(f"{corecall.__file__} is the source, not the installed package")
    played = play_cases()
    keep_a_memory()
    threads = "" if getattr(sys, "_is_gil_enabled", lambda: True)() else ", free-threaded"
    sys.stdout.write(f"{platform.python_implementation()} {platform.python_version()}{threads}: {played} cases\n")
