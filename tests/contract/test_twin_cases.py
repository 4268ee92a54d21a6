"""The twin and the hand-written cases agree: what the cases say of `related_business`, the twin says, too."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from typing import Any

import pytest
from tests.contract.contract_cases import Case, Step, read_cases
from tests.contract.twin import Refused, check_snapshots, related_business

NOT_THE_TWINS = ("json.", "attachment.", "schema.", "contract.", "operation.")
"""Errors of the envelope and the bytes."""

NOT_THE_TWINS_EITHER = ("argument.missing", "argument.type", "argument.unknown", "argument.range")
"""Errors of the JSON shape: the twin takes payloads of the right shape."""

OPERATIONS = ("related_business", "resident_publish", "resident_release")


@dataclass(frozen=True)
class Set:
    """A resident set is its snapshots and vectors by id; nothing else is remembered."""

    model: str
    snapshots: dict[str, Any]
    vectors: dict[str, tuple[float, ...]]


class Handle:
    """Resident sets as the contract describes them, in front of the twin."""

    def __init__(self) -> None:
        self.sets: dict[str, Set] = {}
        self.made = 0

    def answer(self, operation: str, payload: dict[str, Any], attachments: tuple[bytes, ...]) -> dict[str, Any]:
        vectors = vectors_of(payload, attachments)
        if operation == "resident_publish":
            return self.publish(payload, vectors)
        if operation == "resident_release":
            return self.release(payload)
        if "resident_key" not in payload:
            return related_business(payload, vectors)
        for argument, path in (("snapshots", "payload.resident_key"), ("vectors", "payload.vectors")):
            if argument in payload:
                raise Refused(1, "argument.conflict", path)
        resident = self.find(payload, "resident_key")
        return related_business({**payload, "snapshots": list(resident.snapshots.values())}, resident.vectors)

    def find(self, payload: dict[str, Any], argument: str) -> Set:
        if payload[argument] not in self.sets:
            raise Refused(8, "resident.unknown", f"payload.{argument}")
        found = self.sets[payload[argument]]
        if found.model != payload["model"]:
            raise Refused(5, "model.mismatch", "payload.model")
        return found

    def publish(self, payload: dict[str, Any], vectors: dict[str, tuple[float, ...]]) -> dict[str, Any]:
        base = self.find(payload, "base_key") if "base_key" in payload else Set(payload["model"], {}, {})
        given = {snapshot["id"]: snapshot for snapshot in payload["snapshots"]}
        removed = payload.get("removed", [])
        check_snapshots(payload["snapshots"])
        for index, name in enumerate(removed):
            if name in given:
                raise Refused(1, "argument.conflict", f"payload.removed[{index}]")
            if name not in base.snapshots:
                raise Refused(1, "argument.value", f"payload.removed[{index}]")
        kept = {name for name in base.snapshots if name not in given and name not in removed}
        snapshots = {name: base.snapshots[name] for name in kept} | given
        self.sets.pop(payload.get("base_key", ""), None)
        self.made += 1
        self.sets[f"r{self.made}"] = Set(
            payload["model"], snapshots, {name: base.vectors[name] for name in kept & base.vectors.keys()} | vectors
        )
        return {"resident_key": f"r{self.made}", "indexed": len(snapshots)}

    def release(self, payload: dict[str, Any]) -> dict[str, Any]:
        if self.sets.pop(payload["resident_key"], None) is None:
            raise Refused(8, "resident.unknown", "payload.resident_key")
        return {"released": True}


def vectors_of(payload: dict[str, Any], attachments: tuple[bytes, ...]) -> dict[str, tuple[float, ...]]:
    if "vectors" not in payload:
        return {}
    data = attachments[payload["vectors"]["data"]["$attachment"]]
    ids = payload["vectors"]["ids"]
    floats = struct.unpack(f"<{len(data) // 4}f", data)
    width = len(floats) // len(ids)
    return {name: floats[row * width : (row + 1) * width] for row, name in enumerate(ids)}


def expected_error(step: Step) -> str:
    return str(json.loads(step.reply).get("error", {}).get("name", ""))


def is_the_twins(step: Step) -> bool:
    if expected_error(step).startswith((*NOT_THE_TWINS, *NOT_THE_TWINS_EITHER)):
        return False
    return json.loads(step.request)["operation"] in OPERATIONS


CASES = [case for case in read_cases() if any(map(is_the_twins, case.steps))]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_twin_gives_the_expected_reply(case: Case) -> None:
    handle = Handle()
    for step in filter(is_the_twins, case.steps):
        request = json.loads(step.request)
        reply = {"schema_version": 1, "request_id": request["request_id"]}
        status = 0
        try:
            reply["result"] = handle.answer(request["operation"], request["payload"], step.attachments)
        except Refused as refused:
            status = refused.status
            error = {"code": status, "name": refused.name, "message": "*", "path": refused.path, "retryable": False}
            reply["error"] = error
        written = json.dumps(reply, ensure_ascii=False, separators=(",", ":")).encode()
        assert (status, written) == (step.status, step.reply), f"step {step.number}"


def test_most_cases_are_checked_by_the_twin() -> None:
    assert len(CASES) > 200
