"""What a call costs through cffi with a 384-float attachment, above the same call made from C."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from tests.bench import data
from tests.bench.figures import Row, Timing, arguments, met, report, shown, timed

import corecall
from corecall import _abi, _native

DIMENSIONS = 384
CALLS = 20_000
GOAL = 20e-6
MODEL = "host:bench"
SOURCE = Path(__file__).with_name("call_loop.c")
SNAPSHOT = {"id": "m1", "entry": {"id": "m1", "content": "one memory"}}
PUBLISH = {"model": MODEL, "snapshots": [SNAPSHOT]}
QUERY = {"model": MODEL, "query": {"text": "", "limit": 1}}
REFERENCE = {"$attachment": 0, "dtype": "f32", "shape": [DIMENSIONS]}


def envelope(operation: str, payload: Any) -> bytes:
    """A request as it crosses the border."""
    return data.encoded({"schema_version": 1, "request_id": "1", "operation": operation, "payload": payload})


def native_library() -> Path:
    """The shared library that the installed package has loaded."""
    folder = Path(_native.__file__ or "").parent
    found = [path for pattern in ("*.so", "*.dylib", "*.dll", "*.pyd") for path in folder.glob(pattern)]
    if len(found) != 1:
        message = f"expected one shared library beside {folder}, found {len(found)}"
        raise FileNotFoundError(message)
    return found[0]


def c_loop(requests: list[bytes], attachment: bytes) -> Timing | None:
    """The last request in a loop in C, after the others once; None where there is no C compiler."""
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
    if compiler is None or sys.platform == "win32":
        return None
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "call_loop")
        include = Path(__file__).parents[2] / "abi" / "include"
        command = [compiler, "-O2", "-std=c99", f"-I{include}", str(SOURCE), "-o", str(program), "-ldl"]
        subprocess.run(command, check=True)
        files = []
        for number, content in enumerate([attachment, *requests]):
            files.append(Path(folder, str(number)))
            files[-1].write_bytes(content)
        arguments_ = [str(program), str(native_library()), str(CALLS), *map(str, files)]
        output = subprocess.run(arguments_, check=True, capture_output=True, text=True).stdout
    return Timing(tuple(sorted(float(line) * 1e-9 for line in output.split())))


def main(*, markdown: bool = False) -> None:
    """Runs the benchmark and prints its table."""
    vector = np.random.default_rng(7).standard_normal(DIMENSIONS).astype(np.float32)
    attachment = vector.tobytes()
    core = corecall.Core()
    stored = {"vectors": {"ids": ["m1"], "data": {**REFERENCE, "shape": [1, DIMENSIONS]}}}
    key = core.call("resident_publish", {**PUBLISH, **stored}, [vector.reshape(1, -1)]).result["resident_key"]
    payload = {**QUERY, "resident_key": key, "query_vector": REFERENCE}
    bare = {**QUERY, "resident_key": key}

    handle = core._handle
    request, bare_request = envelope("query", payload), envelope("query", bare)
    if _abi.call_raw(handle, 0, request, [attachment])[0] != 0:
        message = "the measured call fails"
        raise RuntimeError(message)

    warm = 500
    capabilities = timed(lambda _: core.call("capabilities"), CALLS, warm=warm)
    raw_bare = timed(lambda _: _abi.call_raw(handle, 0, bare_request, ()), CALLS, warm=warm)
    raw = timed(lambda _: _abi.call_raw(handle, 0, request, [attachment]), CALLS, warm=warm)
    public_bare = timed(lambda _: core.call("query", bare), CALLS, warm=warm)
    public = timed(lambda _: core.call("query", payload, [vector]), CALLS, warm=warm)
    publish = envelope("resident_publish", {**PUBLISH, **stored})
    c_calls = c_loop([publish, envelope("query", {**payload, "resident_key": "r1"})], attachment)
    core.close()

    rows = [
        Row(
            "Core.call, work included: query of 1 memory + vector",
            shown(public.p50),
            shown(public.p95),
            met(public.p50, GOAL),
        ),
        Row("the same without the vector", shown(public_bare.p50), shown(public_bare.p95)),
        Row("cffi alone, ready-made JSON, + vector", shown(raw.p50), shown(raw.p95)),
        Row("cffi alone, without the vector", shown(raw_bare.p50), shown(raw_bare.p95)),
        Row("Core.call of capabilities", shown(capabilities.p50), shown(capabilities.p95)),
    ]
    if c_calls is not None:
        rows += [
            Row("the work: the same call in a C loop", shown(c_calls.p50), shown(c_calls.p95)),
            overhead("overhead of cffi above the work", raw, c_calls),
            overhead("overhead of Core.call above the work", public, c_calls),
        ]
    report(f"call overhead, attachment of {DIMENSIONS} float32", rows, peers=["numpy", "cffi"], markdown=markdown)


def overhead(what: str, whole: Timing, work: Timing) -> Row:
    """The difference of two medians, against the goal."""
    difference = whole.p50 - work.p50
    return Row(what, shown(max(difference, 0.0)), shown(max(whole.p95 - work.p95, 0.0)), met(difference, GOAL))


if __name__ == "__main__":
    main(markdown=arguments().markdown)
