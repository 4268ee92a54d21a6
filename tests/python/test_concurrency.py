"""Threads on one handle, cancelling and watching a call from another thread."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import corecall

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TICKET = 7

# A call that takes a while, and checks now and then whether it was cancelled.
MANY = 20_000
SNAPSHOTS = [
    {"id": f"m{number}", "entry": {"id": f"m{number}", "title": f"memory {number}", "content": "some words " * 8}}
    for number in range(MANY)
]
PUBLISH = {"model": "none", "snapshots": SNAPSHOTS}


# So that a call that can't be stopped fails a test and doesn't hang it.
ATTEMPTS = 300


class Caller:
    """A thread that makes the long call again and again until it is told to stop or the call fails."""

    def __init__(self, core: corecall.Core) -> None:
        self.core = core
        self.error: corecall.CorecallError | None = None
        self.calls = 0
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while self.error is None and self.calls < ATTEMPTS and not self._stopped.is_set():
            try:
                key = self.core.call("resident_publish", PUBLISH, ticket=TICKET).result["resident_key"]
                self.calls += 1
                self.core.call("resident_release", {"resident_key": key})
            except corecall.CorecallError as error:
                self.error = error

    @property
    def running(self) -> bool:
        return self._thread.is_alive()

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join()


@pytest.fixture
def caller(core: corecall.Core) -> Iterator[Caller]:
    made = Caller(core)
    yield made
    made.stop()


def repeated(act: Callable[[], Any], caller: Caller, refusal: type[corecall.CorecallError]) -> Any:
    """Repeats `act` while it is refused since no call is running at that moment."""
    while caller.running:
        try:
            return act()
        except refusal:
            continue
    return None


def test_another_thread_cancels_a_call_by_its_ticket(core: corecall.Core, caller: Caller) -> None:
    while caller.running:
        repeated(lambda: core.cancel(TICKET), caller, corecall.NotFound)
    assert isinstance(caller.error, corecall.Cancelled)
    assert caller.error.name == "call.cancelled"
    # Nothing of the cancelled call stayed, and the core goes on.
    assert core.call("resident_publish", {"model": "none", "snapshots": []}).result["indexed"] == 0


def test_ticket_zero_cancels_every_call(core: corecall.Core, caller: Caller) -> None:
    while caller.running:
        core.cancel()
    assert isinstance(caller.error, corecall.Cancelled)


def test_another_thread_watches_a_call(core: corecall.Core, caller: Caller) -> None:
    seen = repeated(lambda: core.progress(TICKET), caller, corecall.NotFound)
    assert seen is not None
    done, total = seen
    assert 0 <= done <= total or total == 0


def test_a_ticket_in_use_is_a_conflict(core: corecall.Core, caller: Caller) -> None:
    refused = None
    while caller.running and refused is None:
        try:
            core.call("capabilities", ticket=TICKET)
        except corecall.Conflict as conflict:
            refused = conflict
    # The other thread may be the one that met the conflict.
    met = refused or caller.error
    assert met is not None
    assert met.name == "ticket.running"


def test_closing_cancels_what_runs(core: corecall.Core, caller: Caller) -> None:
    repeated(lambda: core.progress(TICKET), caller, corecall.NotFound)
    core.close()
    caller.stop()
    assert isinstance(caller.error, (corecall.Cancelled, corecall.Closed))


def test_no_call_has_an_unused_ticket(core: corecall.Core) -> None:
    for ask in (lambda: core.cancel(12), lambda: core.progress(12)):
        with pytest.raises(corecall.NotFound) as caught:
            ask()
        assert (caught.value.name, caught.value.path) == ("ticket.unknown", "ticket")


def test_ticket_zero_has_no_progress(core: corecall.Core) -> None:
    with pytest.raises(corecall.InvalidArgument):
        core.progress(0)


def test_a_negative_ticket_is_refused(core: corecall.Core) -> None:
    with pytest.raises(OverflowError):
        core.call("capabilities", ticket=-1)


def test_other_threads_go_on_during_a_call(core: corecall.Core) -> None:
    # If the GIL were held, the counter could not move between the call's begin and its end.
    moved = 0
    done = threading.Event()

    def count() -> None:
        nonlocal moved
        while not done.is_set():
            moved += 1

    thread = threading.Thread(target=count)
    thread.start()
    try:
        vectors = np.random.default_rng(0).standard_normal((MANY, 64), dtype=np.float32)
        ids = [snapshot["id"] for snapshot in SNAPSHOTS]
        data = {"$attachment": 0, "dtype": "f32", "shape": [MANY, 64]}
        request = {"model": "host:test", "snapshots": SNAPSHOTS, "vectors": {"ids": ids, "data": data}}
        core.call("resident_publish", request, [vectors])
    finally:
        done.set()
        thread.join()
    assert moved > 1000


def test_threads_read_and_write_one_library(library: corecall.Library) -> None:
    def work(worker: int) -> list[str]:
        ids = []
        for number in range(10):
            remembered = library.remember(
                f"Worker {worker} wrote note {number} about berth {worker * 10 + number}.", force=True
            )
            ids.append(remembered.id)
            hits = library.recall(f"worker {worker} note {number} berth {worker * 10 + number}", limit=80).hits
            assert remembered.id in {hit.id for hit in hits}
        return ids

    with ThreadPoolExecutor(4) as pool:
        ids = [id for made in pool.map(work, range(4)) for id in made]
    assert len(set(ids)) == 40
    status = library.status()
    assert status.counts.live == 40
    assert status.change_seq == 40


def test_closing_from_many_threads_closes_once(core: corecall.Core) -> None:
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda _: core.close(), range(8)))
    assert results == [None] * 8
    assert core.closed
