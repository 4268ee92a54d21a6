"""Plays the contract cases and the callers' programme (../README.md) through ctypes.

usage: python -m tests.callers.python.runner SDK_FOLDER
"""

from __future__ import annotations

import struct
import sys
import threading
from pathlib import Path

from tests.callers.python.corecall_sdk import Core, Reply

SDK = Path(sys.argv[1])
LIBRARY = str(SDK / "lib" / "libcorecall.so")
CASES = SDK / "share" / "corecall" / "contract" / "cases"


def say(line: str) -> None:
    sys.stdout.write(line + "\n")


def masked(reply: Reply) -> bytes:
    head, start, rest = reply.json.partition(b',"message":"')
    _, end, tail = rest.partition(b'","path":')
    return head + start + b"*" + end + tail if reply.status != 0 and start and end else reply.json


def attachments(folder: Path, step: int) -> list[bytes]:
    found: list[bytes] = []
    while True:
        stem = f"{step}.attachment-{len(found)}"
        if (file := folder / f"{stem}.f32").exists():
            found.append(b"".join(struct.pack("<f", float(word)) for word in file.read_text().split()))
        elif (file := folder / f"{stem}.u8").exists():
            found.append(bytes(int(word) for word in file.read_text().split()))
        else:
            return found


def play(folder: Path) -> bool:
    config = folder / "config.json"
    core = Core(LIBRARY, config.read_bytes() if config.exists() else b"{}")
    good, step = True, 1
    while (request := folder / f"{step}.request.json").exists():
        reply = core.call(request.read_bytes(), attachments(folder, step))
        got = b"%d\n%s\n" % (reply.status, masked(reply))
        if got != (folder / f"{step}.expect").read_bytes():
            say(f"FAILED {folder.name} step {step}: {got!r}")
            good = False
        step += 1
    return core.close() == 0 and good and step > 1


def request(operation: str, payload: str) -> bytes:
    return f'{{"schema_version":1,"request_id":"caller","operation":"{operation}","payload":{payload}}}'.encode()


def show(name: str, reply: Reply) -> None:
    say(f"{name}: {reply.status} {masked(reply).decode()}")


def threads(core: Core) -> None:
    ask = request("prepare", '{"model":"test-hash:64","entries":[{"id":"a","content":"two threads at once"}]}')
    alone = core.call(ask)
    same = [0, 0]

    def work(worker: int) -> None:
        for _ in range(100):
            same[worker] += core.call(ask) == alone

    workers = [threading.Thread(target=work, args=(worker,)) for worker in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    say(f"threads: {sum(same)} replies as alone")


def cancel(core: Core) -> None:
    entries = ",".join(f'{{"id":"m{number}","content":"a long call"}}' for number in range(5000))
    ask = request("prepare", f'{{"model":"test-hash:256","entries":[{entries}]}}')
    last: list[Reply] = []

    def work() -> None:
        for _ in range(100):
            last[:] = [core.call(ask, ticket=7)]
            if last[0].status != 0:
                return

    worker = threading.Thread(target=work)
    worker.start()
    while worker.is_alive():
        core.cancel(7)
    worker.join()
    show("cancel", last[0])


def publish(core: Core, model: str, features: list[str], vectors: str, attached: list[bytes]) -> Reply:
    snapshots = ",".join(
        f'{{"id":"m{number}","entry":{{"id":"m{number}","title":"t{number}"}}{feature}}}'
        for number, feature in enumerate(features)
    )
    return core.call(request("resident_publish", f'{{"model":"{model}","snapshots":[{snapshots}]{vectors}}}'), attached)


def related(core: Core, model: str, key: str) -> Reply:
    return core.call(
        request(
            "related_business",
            f'{{"model":"{model}","resident_key":"{key}","query":{{"text":"","limit":1}},"ids":["m5"],"pairs":[],'
            f'"related_settings":{{"relations":["neighbor"]}}}}',
        )
    )


def mebibyte(core: Core) -> None:
    # 64 rows of 4,096 numbers are 1 MiB; each two rows are equal, so m4 is the neighbour of m5.
    rows = b"".join(struct.pack("<4096f", *(float(at == row // 2) for at in range(4096))) for row in range(64))
    ids = ",".join(f'"m{row}"' for row in range(64))
    vectors = f',"vectors":{{"ids":[{ids}],"data":{{"$attachment":0,"dtype":"f32","shape":[64,4096]}}}}'
    show("1 MiB in", publish(core, "host:caller", [""] * 64, vectors, [rows]))
    show("related", related(core, "host:caller", "r1"))

    entries = ",".join(f'{{"id":"m{row}","content":"{1000 + row // 2}"}}' for row in range(64))
    out = core.call(request("prepare", f'{{"model":"test-hash:4096","entries":[{entries}]}}')).attachments
    size = "1 MiB or more" if sum(map(len, out)) >= 1 << 20 else "less than 1 MiB"
    say(f"attachments out: {len(out)}, {size}")
    features = [
        f',"features":{{"artifact":{{"$attachment":{at},"dtype":"u8","shape":[{len(item)}]}}}}'
        for at, item in enumerate(out)
    ]
    show("and in again", publish(core, "test-hash:4096", features, "", out))
    show("related", related(core, "test-hash:4096", "r2"))


def main() -> None:
    results = [play(folder) for folder in sorted(CASES.iterdir()) if folder.is_dir()]
    say(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    core = Core(LIBRARY, b"")  # NULL and length 0
    threads(core)
    cancel(core)
    mebibyte(core)
    show("no request", core.call(b""))
    show("empty attachment", core.call(request("capabilities", "{}"), [b""]))
    say(f"close: {core.close()}")
    show("call after close", core.call(request("capabilities", "{}")))
    say(f"close again: {core.close()}")


main()
