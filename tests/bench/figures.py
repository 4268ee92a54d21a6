"""Figures: timings as percentiles, the machine they were taken on, and the table both stand in."""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import corecall

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


@dataclass(frozen=True, slots=True)
class Timing:
    """Durations of one thing done many times, in seconds, sorted."""

    seconds: tuple[float, ...]

    @property
    def p50(self) -> float:
        """The median."""
        return self.seconds[len(self.seconds) // 2]

    @property
    def p95(self) -> float:
        """The duration that 95 in 100 stay under."""
        return self.seconds[min(len(self.seconds) - 1, len(self.seconds) * 95 // 100)]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table. `ratio` and `goal` are texts, empty where there is none."""

    what: str
    p50: str
    p95: str = ""
    goal: str = ""
    ratio: str = ""


def timed(work: Callable[[int], Any], times: int, *, warm: int = 3) -> Timing:
    """Calls `work(0)`, `work(1)`, …, after `warm` calls that don't count."""
    for number in range(warm):
        work(number)
    seconds = []
    for number in range(times):
        start = time.perf_counter()
        work(number)
        seconds.append(time.perf_counter() - start)
    return Timing(tuple(sorted(seconds)))


def shown(seconds: float) -> str:
    """A duration with three digits and the unit that fits."""
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def met(seconds: float, goal: float) -> str:
    """The goal, and whether the figure meets it."""
    return f"≤ {shown(goal)}: {'met' if seconds <= goal else 'MISSED'}"


def machine() -> str:
    """Processor, cores, system."""
    name = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = [line for line in cpuinfo.read_text(encoding="utf-8").splitlines() if line.startswith("model name")]
        name = lines[0].partition(":")[2].strip() if lines else name
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    return f"{name}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}, load {load:.1f}"


def versions(*peers: str) -> str:
    """corecall, its build, Python, and the distributions named."""
    build = corecall.capabilities()["build"]
    names = [f"corecall {build['version']} ({build['simd']})", f"Python {platform.python_version()}"]
    return ", ".join([*names, *(f"{peer} {metadata.version(peer)}" for peer in peers)])


def arguments() -> argparse.Namespace:
    """`--markdown`."""
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__)
    parser.add_argument("--markdown", action="store_true", help="print the table for tests/bench/README.md")
    return parser.parse_args()


def report(title: str, rows: Iterable[Row], *, peers: Iterable[str] = (), markdown: bool = False) -> None:
    """Prints a table under its title, machine and versions."""
    cells = [("what", "p50", "p95", "goal", "ratio"), *((r.what, r.p50, r.p95, r.goal, r.ratio) for r in rows)]
    lines = ["", f"### {title}" if markdown else title, machine(), versions(*peers), ""]
    if markdown:
        lines[2:4] = ["", f"{machine()}; {versions(*peers)}"]
        table = ["| " + " | ".join(line) + " |" for line in cells]
        table.insert(1, "|---|---|---|---|---|")
        lines += table
    else:
        widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
        lines += [
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in cells
        ]
    print("\n".join(lines), flush=True)  # noqa: T201 - a benchmark's output is its product
