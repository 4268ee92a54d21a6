"""World: the handles, memories and resident sets that rows run against, in a temporary folder."""

from __future__ import annotations

import base64
import json
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.malformed.row import CANARY, Row, encode
from tests.malformed.rows import bases

from corecall import _abi

if TYPE_CHECKING:
    from collections.abc import Sequence

# One process has one SQLite on a file, so a second process looks: every table, every row, in order.
# The tables' own order of columns and rows is part of the dump; pages, free space and the WAL are not.
DUMP = """
import sqlite3, sys
base = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
print(base.execute("pragma user_version").fetchone(), base.execute("pragma application_id").fetchone())
for name, sql in base.execute("select name, sql from sqlite_master order by type, name").fetchall():
    print(name, sql)
for (name,) in base.execute("select name from sqlite_master where type = 'table' order by name").fetchall():
    rows = base.execute(f'select * from "{name}"').fetchall()
    print(name, len(rows), *sorted(map(repr, rows)), sep="\\n")
"""


# A copy of a library that says it was written by a later version.
AGE = """
import sqlite3, sys
base = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
base.execute("vacuum into ?", [sys.argv[2]])
copy = sqlite3.connect(sys.argv[2])
copy.execute("pragma user_version = 9999")
copy.commit()
"""


class World:
    """A fixture: two libraries (words only, host vectors), a reader, a core without storage, used-up handles.

    `names` resolves what rows write as `@name`: identifiers of memories, resident keys, artifacts, paths.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: dict[str, str] = {}
        self.handles: dict[str, int] = {"zero": 0, "never": 2**64 - 1}
        self._open("core", {})
        self._fill_library()
        self._fill_host_library()
        self._publish_sets()
        self._prepare_artifacts()
        self._lay_out_files()
        self.handles["closed"] = self._open("closing", {})
        assert _abi.close_raw(self.handles.pop("closing")) == 0

    def close(self) -> None:
        """Closes every handle that is open."""
        for name, handle in self.handles.items():
            if name not in ("zero", "never", "closed"):
                assert _abi.close_raw(handle) == 0, name

    def run(self, row: Row) -> tuple[int, bytes]:
        """Makes a row's call; a handle that is opened against expectation is closed again."""
        if row.handle != "open":
            return self.send(row.handle, row.request, row.attachments)
        status, handle, reply = _abi.open_raw(self._bytes(row.request))
        if handle:
            _abi.close_raw(handle)
        return status, reply

    def send(self, handle: str, request: Any, attachments: Sequence[bytes] = ()) -> tuple[int, bytes]:
        """Makes a call; its status and reply. `request` is the bytes, or an envelope with `@` names."""
        status, reply, views = _abi.call_raw(self.handles[handle], 0, self._bytes(request), attachments)
        assert status == 0 or not views, "a refusal has no attachments"
        return status, reply

    def _bytes(self, request: Any) -> bytes:
        return request if isinstance(request, bytes) else encode(self.resolve(request))

    def call(self, handle: str, operation: str, payload: Any, attachments: Sequence[bytes] = ()) -> Any:
        """A call that must succeed; its result."""
        envelope = {"schema_version": 1, "request_id": "fixture", "operation": operation, "payload": payload}
        status, reply, views = _abi.call_raw(self.handles[handle], 0, encode(self.resolve(envelope)), attachments)
        assert status == 0, (operation, reply)
        result = json.loads(reply)["result"]
        return (result, views) if views else result

    def change_seq(self) -> int:
        """The library's write counter."""
        return int(self.call("library", "status", {})["change_seq"])

    def resolve(self, value: Any) -> Any:
        """`value` with every `@name` (also after `#`) replaced."""
        if isinstance(value, dict):
            return {key: self.resolve(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.resolve(inner) for inner in value]
        if isinstance(value, str) and "@" in value:
            before, _, name = value.partition("@")
            return before + self.names[name]
        return value

    def dump(self) -> dict[str, str]:
        """The logical content of both libraries, and the names of all files beside them."""
        result = {"files": "\n".join(sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*")))}
        for name in ("library", "library_host"):
            result[name] = elsewhere(DUMP, self.names[name])
        return result

    def _open(self, name: str, config: dict[str, Any]) -> int:
        status, handle, reply = _abi.open_raw(encode(config))
        assert status == 0, reply
        self.handles[name] = handle
        return handle

    def _remember(self, name: str, handle: str = "library", attachments: Sequence[bytes] = (), **fields: Any) -> None:
        payload = {"content": f"The {CANARY} note called {name}.", "title": f"{CANARY} {name}", "force": True, **fields}
        result = self.call(handle, "remember", payload, attachments)
        assert result["written"], result
        self.names[name] = result["id"]

    def _fill_library(self) -> None:
        path = self.names["library"] = str(self.folder / "library.corecall")
        self._open("library", {"path": path})
        self._remember("live", tags=[f"{CANARY}-tag"])
        self._remember("other")
        self._remember("normal", importance="normal")
        self._remember("trivial", importance="trivial")
        self._remember("replaced")
        self._remember("head", supersedes="@replaced", see_also=["@other"])
        self._remember("forgotten")
        self.call("library", "forget", {"id": "@forgotten"})
        self._remember("twin_one", title=f"{CANARY} twin")
        self._remember("twin_two", title=f"{CANARY} twin")
        # Identifiers made within a minute share the first eight digits of their time.
        self.names["live_seven"] = self.names["live"][:7]
        self.names["shared_prefix"] = self.names["live"][:8]
        self.call("library", "statistics_flush", {})
        self._open("read_only", {"path": path, "read_only": True})

    def _fill_host_library(self) -> None:
        path = self.names["library_host"] = str(self.folder / "host.corecall")
        self._open("library_host", {"path": path, "model": bases.HOST_MODEL})
        vector = bases.reference(0, "f32", 4)
        self._remember("host_live", "library_host", [bases.floats(1, 0, 0, 0)], vector=vector)

    def _publish_sets(self) -> None:
        hashed = {"model": bases.HASH_MODEL, "snapshots": bases.SNAPSHOTS}
        for name in ("resident", "resident_base", "resident_released", "gone", "consumed"):
            self.names[name] = self.call("core", "resident_publish", hashed)["resident_key"]
        self.call("core", "resident_release", {"resident_key": "@gone"})
        self.call("core", "resident_publish", {"model": bases.HASH_MODEL, "base_key": "@consumed", "snapshots": []})
        host = {**bases.PUBLISH_HOST.payload}
        result = self.call("core", "resident_publish", host, bases.PUBLISH_HOST.attachments)
        self.names["resident_host"] = result["resident_key"]

    def _prepare_artifacts(self) -> None:
        for name, model in (("artifact", bases.HASH_MODEL), ("artifact_other", "test-hash:32")):
            payload = {"model": model, "entries": bases.PREPARE.payload["entries"]}
            _, views = self.call("core", "prepare", payload)
            data = bytes(views[0])
            self.names[name] = base64.b64encode(data).decode()
            self.names[f"{name}_cut"] = base64.b64encode(data[:-1]).decode()

    def _lay_out_files(self) -> None:
        """What a refused open is pointed at."""
        for name in ("absent", "absent_folder/library", "folder", "text", "foreign", "header_only", "newer"):
            self.names[name.partition("/")[0]] = str(self.folder / name)
        Path(self.names["folder"]).mkdir()
        Path(self.names["text"]).write_text(f"A {CANARY} is no library.\n" * 1000, encoding="utf-8")
        with sqlite3.connect(self.names["foreign"]) as foreign:
            foreign.execute("create table birds (name text)")
            foreign.execute("insert into birds values (?)", [CANARY])
        foreign.close()
        whole = Path(self.names["foreign"]).read_bytes()
        Path(self.names["header_only"]).write_bytes(whole[:100])
        elsewhere(AGE, self.names["library"], self.names["newer"])


def elsewhere(program: str, *arguments: str) -> str:
    """What a Python program prints in a process of its own."""
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
