"""The generated binding has the header's functions, all of them and no other, with the same arguments."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import corecall
from corecall import _abi
from corecall._native import ffi, lib

HEADER = Path(__file__).parents[2] / "abi" / "include" / "corecall.h"
PROTOTYPE = re.compile(r"^(?P<returns>[a-z][\w ]*?[ *]+)(?P<name>corecall_\w+)\((?P<arguments>[^)]*)\);", re.MULTILINE)


def prototypes() -> dict[str, tuple[str, list[str]]]:
    text = re.sub(r"/\*.*?\*/", "", HEADER.read_text(encoding="utf-8"), flags=re.DOTALL)
    found = {}
    for match in PROTOTYPE.finditer(text):
        arguments = [] if match["arguments"] == "void" else match["arguments"].split(",")
        # The last word of an argument is its name.
        types = [re.sub(r"\w+$", "", " ".join(argument.split())) for argument in arguments]
        found[match["name"]] = (match["returns"], types)
    return found


def canonical(written: str) -> str:
    """A type as cffi writes it; C's `const` is not part of it."""
    return str(ffi.typeof(written.replace("const", "").strip()).cname)


def test_the_functions_are_the_headers() -> None:
    assert len(prototypes()) == 14
    assert set(dir(lib)) == set(prototypes())


@pytest.mark.parametrize("name", sorted(prototypes()))
def test_a_function_has_the_headers_types(name: str) -> None:
    returns, arguments = prototypes()[name]
    generated = ffi.typeof(getattr(lib, name))
    assert [argument.cname for argument in generated.args] == [canonical(argument) for argument in arguments]
    assert generated.result.cname == ("void" if returns.strip() == "void" else canonical(returns))


def test_the_types_are_the_headers() -> None:
    typedefs, structs, unions = ffi.list_types()
    assert typedefs == ["corecall_handle", "corecall_log_fn", "corecall_reply", "corecall_slice"]
    assert structs == ["corecall_reply", "corecall_slice"]
    assert unions == []
    assert ffi.sizeof("corecall_handle") == 8


def test_the_version_is_the_headers() -> None:
    major, minor = (
        int(number)
        for number in re.findall(r"#define CORECALL_ABI_M(?:AJOR|INOR) (\d+)", HEADER.read_text(encoding="utf-8"))
    )
    assert corecall.abi_version() == (major, minor)


def test_there_is_an_exception_for_each_status_of_the_header() -> None:
    text = HEADER.read_text(encoding="utf-8")
    statuses = re.findall(r"^#define CORECALL_([A-Z_]+) (\d+) +/\*", text, re.MULTILINE)
    assert len(statuses) == 17
    for name, number in statuses:
        kind = getattr(corecall, name.title().replace("_", ""))
        assert issubclass(kind, corecall.CorecallError)
        assert kind.code == int(number)
        assert _abi.status_name(int(number)) == name
