"""Writes or checks THIRD_PARTY_NOTICES.txt: the licences of all code that any platform's library contains.

python3 wheels/sdk/notices.py            writes it
python3 wheels/sdk/notices.py --check    fails when it isn't what the locked crates give
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crates import ROOT, third_party
from tool import TARGETS

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE = ROOT / "wheels" / "THIRD_PARTY_NOTICES.txt"
#: Accepted licences, the one to be taken first where a crate gives a choice.
ACCEPTED = ("MIT", "BSD-2-Clause", "BSD-3-Clause", "ISC", "Zlib", "Unicode-3.0", "Apache-2.0")
#: How a licence's file is called where a crate has several; a file that names none of these always belongs in.
MARKS = {
    "MIT": "MIT",
    "BSD": "BSD-",
    "ZLIB": "Zlib",
    "UNICODE": "Unicode",
    "APACHE": "Apache",
    "UNLICENSE": "Unlicense",
}
RULE = "-" * 100
HEAD = """\
THIRD-PARTY NOTICES

corecall itself is licensed under Apache-2.0 (see LICENSE). Its library contains the software below, under the
licences given with it. The list is that of all platforms together; not every platform's library holds all of it.
"""
#: The standard library is linked in, too. Its notices are those of the release's COPYRIGHT-library.html.
STANDARD_LIBRARY = """\
The Rust standard library (https://www.rust-lang.org), MIT OR Apache-2.0, taken under MIT.
Copyright (c) The Rust Project Developers (see https://thanks.rust-lang.org), 2014 Alex Crichton,
2019 The Crossbeam Project Developers; Unicode data copyright 1991-2024 Unicode, Inc. (Unicode-3.0).
It contains the crates addr2line, adler2, cfg-if, compiler_builtins, gimli, hashbrown, libc, memchr, miniz_oxide,
object, rustc-demangle and unwind, each usable under MIT; compiler_builtins also holds code of LLVM's compiler-rt
(Apache-2.0 WITH LLVM-exception) and of musl (MIT).

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to
permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of
the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS
OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""
SQLITE = """\
SQLite (https://sqlite.org), compiled in by the crate libsqlite3-sys, is in the public domain.
"""


def notices() -> str:
    """The whole text; crates with the very same licence text stand together."""
    packages = {(p["name"], p["version"]): p for target in TARGETS for p in third_party(target)}
    sharers: dict[str, list[str]] = {}
    for (name, version), package in sorted(packages.items()):
        text = "\n\n".join(_texts(package, chosen(package["license"])))
        sharers.setdefault(text, []).append(f"{name} {version} ({package['license']}), {_home(package)}")
    blocks = [HEAD, STANDARD_LIBRARY, SQLITE, *(f"{chr(10).join(who)}\n\n{text}\n" for text, who in sharers.items())]
    return f"{RULE}\n\n".join(f"{block}\n" for block in blocks)


def chosen(expression: str) -> set[str]:
    """The licences of an SPDX expression that we take: all parts of an AND, the first accepted one of an OR.

    Raises:
        SystemExit: There is a part of which none is accepted.
    """
    tokens = re.findall(r"[()]|[^\s()]+", expression.replace("/", " OR ").replace(" WITH ", "+"))
    taken = _any_of(tokens)
    if taken is None or tokens:
        sys.exit(f"notices: the licence {expression!r} is not accepted here")
    return taken


def _any_of(tokens: list[str]) -> set[str] | None:
    choices = [_all_of(tokens)]
    while tokens and tokens[0] == "OR":
        tokens.pop(0)
        choices.append(_all_of(tokens))
    usable = [choice for choice in choices if choice is not None]
    return min(usable, key=lambda choice: max(map(ACCEPTED.index, choice)), default=None)


def _all_of(tokens: list[str]) -> set[str] | None:
    parts = [_one(tokens)]
    while tokens and tokens[0] == "AND":
        tokens.pop(0)
        parts.append(_one(tokens))
    known = [part for part in parts if part is not None]
    return set().union(*known) if len(known) == len(parts) else None


def _one(tokens: list[str]) -> set[str] | None:
    token = tokens.pop(0) if tokens else ""
    if token == "(":  # noqa: S105 - of an expression
        inner = _any_of(tokens)
        return inner if tokens and tokens.pop(0) == ")" else None
    return {token} if token in ACCEPTED else None


def _texts(package: dict[str, Any], licences: set[str]) -> Iterator[str]:
    folder = Path(package["manifest_path"]).parent
    found = False
    for file in sorted(folder.iterdir()):
        name = file.name.upper()
        if not re.match("LICEN[CS]E|COPYING|COPYRIGHT|NOTICE|UNLICENSE", name):
            continue
        named = [prefix for mark, prefix in MARKS.items() if mark in name]
        if not named or any(licence.startswith(prefix) for prefix in named for licence in licences):
            found = True
            lines = file.read_text("utf-8").replace("\r", "").replace("\f", "").splitlines()
            yield "\n".join(line.rstrip() for line in lines).strip("\n")
    if not found:
        sys.exit(f"notices: {package['name']} {package['version']} carries no text of {' and '.join(sorted(licences))}")


def _home(package: dict[str, Any]) -> str:
    return str(package["repository"] or package["homepage"] or f"https://crates.io/crates/{package['name']}")


def is_current() -> bool:
    """Whether the file is what the locked crates give."""
    return FILE.is_file() and FILE.read_text("utf-8") == notices()


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(None if is_current() else "notices: wheels/THIRD_PARTY_NOTICES.txt is out of date: run `make notices`")
    FILE.write_text(notices(), "utf-8")
