"""Every contract case through the Python package: the reply's bytes are the expected ones."""

from __future__ import annotations

import pytest
from tests.contract.contract_cases import Case, masked, read_cases

from corecall import _abi

CASES = read_cases()


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_reply_is_the_expected_one(case: Case) -> None:
    status, handle, opened = _abi.open_raw(case.config)
    assert status == 0, opened
    try:
        for step in case.steps:
            status, reply, _ = _abi.call_raw(handle, 0, step.request, step.attachments)
            assert (status, masked(status, reply)) == (step.status, step.reply), f"step {step.number}"
    finally:
        _abi.close_raw(handle)


def test_there_are_cases() -> None:
    assert len(CASES) >= 60
