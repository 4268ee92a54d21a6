"""Opening and closing: context managers, second closes, use after close, garbage, forks."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from typing import TYPE_CHECKING

import pytest

import corecall
from corecall import _abi

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_a_with_block_closes_the_core() -> None:
    with corecall.Core() as core:
        assert core.closed is False
        assert repr(core) == "<corecall.Core open>"
    assert core.closed is True
    assert repr(core) == "<corecall.Core closed>"


def test_a_with_block_closes_the_library_on_an_error_too(path: Path) -> None:
    with pytest.raises(ZeroDivisionError), corecall.open(path) as library:
        _ = 1 / 0
    assert library.core.closed is True
    assert repr(library) == "<corecall.Library closed>"


def test_closing_again_does_nothing(library: corecall.Library) -> None:
    library.close()
    library.close()
    library.core.close()
    assert library.core.closed is True


@pytest.mark.parametrize(
    "use",
    [
        lambda library: library.remember("x"),
        lambda library: library.recall("x"),
        lambda library: library.show("x"),
        lambda library: library.relations("x"),
        lambda library: library.forget("x"),
        lambda library: library.status(),
        lambda library: library.statistics_flush(),
        lambda library: library.core.call("capabilities"),
        lambda library: library.core.cancel(),
        lambda library: library.core.progress(1),
    ],
)
def test_a_closed_library_refuses_every_call(
    library: corecall.Library, use: Callable[[corecall.Library], object]
) -> None:
    library.close()
    with pytest.raises(corecall.Closed) as caught:
        use(library)
    assert caught.value.name == "handle.closed"


def test_what_was_written_is_there_after_a_reopen(path: Path) -> None:
    with corecall.open(path) as library:
        id = library.remember("The harbour gate opens at six.").id
    with corecall.open(path) as library:
        assert library.show(id).entry.content == "The harbour gate opens at six."


def test_a_path_may_be_text(path: Path) -> None:
    with corecall.open(str(path)) as library:
        assert library.status().path == str(path)
    assert path.exists()


def test_a_library_in_memory_is_gone_when_it_is_closed() -> None:
    for _ in range(2):
        with corecall.open(":memory:") as library:
            assert library.recall("ephemeral").hits == ()
            library.remember("ephemeral")


def test_an_unreachable_core_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = []
    close = _abi.close_raw

    def watched(handle: int) -> int:
        closed.append(handle)
        return close(handle)

    monkeypatch.setattr(_abi, "close_raw", watched)
    core = corecall.Core()
    handle = core._handle
    del core
    assert closed == [handle]


def test_a_library_that_nobody_closed_is_closed_at_exit(path: Path) -> None:
    program = "import corecall, sys; kept = corecall.open(sys.argv[1]); kept.remember('still here')"
    run = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True)
    assert run.stderr == ""
    assert not path.with_name("library.db-wal").exists()
    with corecall.open(path) as library:
        assert library.status().counts.live == 1


def test_read_only_reads_and_refuses_writes(path: Path) -> None:
    with corecall.open(path) as library:
        id = library.remember("The berth plan is fixed on Tuesdays.").id
    with corecall.open(path, read_only=True) as library:
        assert library.status().read_only is True
        assert library.recall("berth plan").hits[0].id == id
        for write in (lambda: library.remember("other"), lambda: library.forget(id)):
            with pytest.raises(corecall.Denied) as caught:
                write()
            assert caught.value.name == "store.read_only"
    with corecall.open(path) as library:
        assert library.status().counts.live == 1


def test_read_only_makes_no_file(path: Path) -> None:
    with pytest.raises(corecall.CorecallError):
        corecall.open(path, read_only=True)
    assert not path.exists()


def in_child(act: Callable[[], None]) -> int:
    """Runs `act` in a forked child; its exit code, 0 if it returned."""
    with warnings.catch_warnings():
        # That forking beside threads is dangerous is what is tested here.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code = 1
    try:
        act()
        code = 0
    finally:
        os._exit(code)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform doesn't fork")
def test_a_child_forked_while_a_library_is_open_is_refused_everything(path: Path, tmp_path: Path) -> None:
    with corecall.open(path) as library:
        library.remember("written by the parent")

        def act() -> None:
            for use in (
                lambda: library.recall("parent"),
                lambda: library.remember("written by the child"),
                library.core.cancel,
                lambda: corecall.open(tmp_path / "other.db"),
                corecall.Core,
                corecall.capabilities,
            ):
                with pytest.raises(corecall.Closed):
                    use()
            library.close()

        assert in_child(act) == 0
        # The parent goes on as if nothing had been.
        assert library.remember("written afterwards").written
        assert library.status().counts.live == 2
    assert not (tmp_path / "other.db").exists()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform doesn't fork")
def test_a_child_forked_without_a_library_works() -> None:
    # In a process of its own: other tests of this one may have a library open.
    program = (
        "import os, corecall\n"
        "core = corecall.Core()\n"
        "child = os.fork()\n"
        "if not child:\n"
        "    fine = core.call('capabilities').result['association_contract'] == 1\n"
        "    fine = fine and corecall.open(':memory:').remember('x').written\n"
        "    os._exit(0 if fine else 1)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "0\n"


def test_a_second_process_may_have_the_file_open(library: corecall.Library, path: Path) -> None:
    program = "import corecall, sys; print(corecall.open(sys.argv[1]).remember('from the other process').state)"
    run = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True)
    assert run.stdout == "created\n"
    assert library.recall("other process").hits[0].title == "from the other process"
