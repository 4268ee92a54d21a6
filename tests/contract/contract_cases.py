"""The folder of contract cases, read the way README.md lays it out."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

CASES = Path(__file__).parent / "cases"


@dataclass(frozen=True)
class Step:
    """One call and the reply that the contract gives it."""

    number: int
    request: bytes
    attachments: tuple[bytes, ...]
    status: int
    reply: bytes


@dataclass(frozen=True)
class Case:
    """Steps played on one handle, opened with `config`."""

    name: str
    config: bytes
    steps: tuple[Step, ...]


def read_cases(folder: Path = CASES) -> list[Case]:
    """Every case of the folder, by name."""
    return [read_case(path) for path in sorted(folder.iterdir()) if path.is_dir()]


def read_case(folder: Path) -> Case:
    config = folder / "config.json"
    steps = tuple(read_steps(folder))
    if not steps:
        raise ValueError(f"{folder}: no 1.request.json")
    return Case(folder.name, config.read_bytes() if config.exists() else b"{}", steps)


def read_steps(folder: Path) -> Iterator[Step]:
    number = 1
    while (request := folder / f"{number}.request.json").exists():
        status, reply, nothing = (folder / f"{number}.expect").read_bytes().split(b"\n")
        if nothing:
            raise ValueError(f"{folder}: {number}.expect has more than two lines")
        attachments = tuple(read_attachments(folder, number))
        yield Step(number, request.read_bytes(), attachments, int(status), reply)
        number += 1


def read_attachments(folder: Path, step: int) -> Iterator[bytes]:
    index = 0
    while True:
        floats, plain = (folder / f"{step}.attachment-{index}.{kind}" for kind in ("f32", "u8"))
        if floats.exists():
            numbers = [float(word) for word in floats.read_text("ascii").split()]
            yield struct.pack(f"<{len(numbers)}f", *numbers)
        elif plain.exists():
            yield bytes(int(word) for word in plain.read_text("ascii").split())
        else:
            return
        index += 1


def masked(status: int, reply: bytes) -> bytes:
    """The reply with the text of an error's message, which is no part of the contract, replaced by `*`."""
    start, end = b',"message":"', b'","path":'
    if status == 0 or start not in reply:
        return reply
    before, _, rest = reply.partition(start)
    _, _, after = rest.partition(end)
    return before + start + b"*" + end + after
