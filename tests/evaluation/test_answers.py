"""A provider is asked only when it is named, and by its page's rules; a server on this machine stands in for one."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from tests.evaluation import samples

from corecall.cli import app
from corecall.evaluation import (
    DataError,
    Provider,
    ProviderError,
    Setting,
    ask_all,
    compare_answers,
    load_json_lines,
    sample,
)
from corecall.evaluation.answers import abstains, contains, f1

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


class Server:
    """Chat completions by a function of the prompt; keeps what it was asked.

    Attributes:
        statuses: What to answer first, before it answers well.
    """

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.paths: list[str] = []
        self.statuses: list[int] = []
        self.reply: Callable[[str], Any] = lambda prompt: "on Tuesdays" if "Tuesdays" in prompt else "unknown"
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server.asked.append(body)
                server.keys.append(self.headers.get("Authorization"))
                server.paths.append(self.path)
                status = server.statuses.pop(0) if server.statuses else 200
                text = server.reply(body["messages"][-1]["content"])
                data = json.dumps({"choices": [{"message": {"content": text}}]}).encode()
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                """Says nothing."""

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))
        self._thread.start()

    @property
    def name(self) -> str:
        return f"openai:http://127.0.0.1:{self._http.server_address[1]}/v1"

    def stop(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    running = Server()
    yield running
    running.stop()


def test_associations_change_an_answer_and_the_report_counts_it(server: Server, tmp_path: Path) -> None:
    dataset = load_json_lines(*samples.own(tmp_path))
    marked = Setting("relations, marked", relations=True)
    rows = sample(ask_all(dataset, marked, model="none"), 10)
    answers = compare_answers(rows, marked, Provider(server.name, "small"), hits=1)
    alone, beside, more = answers.arms
    # `When do deploys run?`: the only hit was replaced, and its replacement stands beside it.
    assert "Tuesdays" not in server.asked[0]["messages"][1]["content"].partition("Question:")[0]
    assert "1. [in March] Deploy day: Deploys run on Fridays." in server.asked[0]["messages"][1]["content"]
    assert beside.f1.mean > alone.f1.mean
    assert alone.gain is None
    assert beside.gain is not None
    assert beside.gain.mean == pytest.approx(beside.f1.mean - alone.f1.mean)
    assert (alone.questions, alone.abstained.n, alone.abstained.mean) == (2, 1, 1.0)
    assert more.shown <= beside.shown
    assert answers.calls == len(server.asked)
    assert answers.with_associations == 2


def test_what_is_shown_twice_is_asked_once(server: Server, tmp_path: Path) -> None:
    dataset = load_json_lines(*samples.own(tmp_path))
    plain = Setting("without relations")
    rows = sample(ask_all(dataset, plain, model="none"), 10)
    told: list[tuple[int, int]] = []
    provider = Provider(server.name, "small")
    answers = compare_answers(rows, plain, provider, hits=5, progress=lambda done, all_: told.append((done, all_)))
    assert answers.calls == len(server.asked) == 3
    assert told == [(0, 3), (1, 3), (2, 3)]
    assert {arm.f1 for arm in answers.arms} == {answers.arms[0].f1}


def test_a_sample_is_drawn_the_same_way_each_time(tmp_path: Path) -> None:
    dataset = load_json_lines(*samples.own(tmp_path))
    rows = list(ask_all(dataset, Setting("without relations")))
    assert sample(rows, 3) == rows
    assert len(sample(rows, 2)) == 2
    assert sample(rows, 2) == sample(rows, 2)


def test_the_request_is_a_chat_completion(server: Server) -> None:
    assert Provider(server.name + "/", "small", "secret").complete("Be brief.", "Tuesdays?") == "on Tuesdays"
    (body,) = server.asked
    assert (body["model"], body["temperature"]) == ("small", 0)
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert server.paths == ["/v1/chat/completions"]
    assert server.keys == ["Bearer secret"]


def test_without_a_key_none_is_sent(server: Server) -> None:
    Provider(server.name, "small").complete("", "")
    assert server.keys == [None]


def test_a_busy_provider_is_asked_again_and_a_refusal_is_not(server: Server) -> None:
    waited: list[float] = []
    provider = Provider(server.name, "small", pause=waited.append)
    server.statuses = [429, 503]
    assert provider.complete("", "Tuesdays") == "on Tuesdays"
    assert waited == [2.0, 4.0]
    server.statuses = [401]
    with pytest.raises(ProviderError, match="401"):
        provider.complete("", "")
    server.statuses = [500] * 4
    with pytest.raises(ProviderError, match="500"):
        provider.complete("", "")
    assert len(server.asked) == 3 + 1 + 4


def test_a_redirect_is_not_followed_with_the_key(server: Server) -> None:
    server.statuses = [302]
    with pytest.raises(ProviderError, match="302"):
        Provider(server.name, "small", "secret").complete("", "")
    assert server.paths == ["/v1/chat/completions"]


def test_a_provider_that_is_not_there_is_told() -> None:
    waited: list[float] = []
    with pytest.raises(ProviderError, match="can't be reached"):
        Provider("openai:http://127.0.0.1:9", "small", pause=waited.append).complete("", "")
    assert len(waited) == 3


@pytest.mark.parametrize("reply", [None, 7, ["x"]])
def test_a_reply_without_text_is_told(server: Server, reply: Any) -> None:
    server.reply = lambda _: reply
    with pytest.raises(ProviderError, match="no text"):
        Provider(server.name, "small").complete("", "")


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("https://example.com/v1", None),
        ("openai:", None),
        ("openai:ftp://example.com", None),
        ("openai:file:///etc/passwd", None),
        ("openai:https://user:pw@example.com/v1", None),
        ("openai:https://example.com/v1?key=secret", None),
        ("openai:http://example.com/v1", "secret"),
    ],
)
def test_a_wrong_name_or_a_key_in_the_clear_is_refused(name: str, key: str | None) -> None:
    with pytest.raises(DataError) as refused:
        Provider(name, "small", key)
    assert "secret" not in str(refused.value)


def test_answers_are_compared_by_words() -> None:
    assert f1("On Tuesdays.", ["tuesdays", "Monday"]) == pytest.approx(2 / 3)
    assert f1("The school", ["a school!"]) == 1.0
    assert f1("", ["x"]) == f1("y", []) == 0.0
    assert contains("It was on 4 March, 2025.", ["4 March 2025"])
    assert not contains("the schoolhouse", ["school"])
    assert not contains("anything", ["", "the"])
    assert abstains("Unknown.")
    assert not abstains("The unknown soldier")


def command(tmp_path: Path, *options: str) -> list[str]:
    questions, corpus = samples.own(tmp_path)
    return ["eval", str(questions), "--corpus", str(corpus), *options]


def test_the_command_asks_the_provider_it_is_given(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_KEY", "secret")
    options = ["--answers", "--provider", server.name, "--provider-model", "small", "--key-env", "SOME_KEY"]
    result = CliRunner().invoke(app, command(tmp_path, *options, "--hits", "1", "--json"))
    assert result.exit_code == 0, result.output
    made = json.loads(result.stdout)
    assert made["answers"]["calls"] == len(server.asked)
    assert made["answers"]["setting"] == "relations, marked"
    assert set(server.keys) == {"Bearer secret"}
    assert "secret" not in result.output
    text = CliRunner().invoke(app, command(tmp_path, *options, "--hits", "1")).stdout
    assert "End-to-end answers, relations, marked" in text


def test_the_command_asks_nobody_unnamed(server: Server, tmp_path: Path) -> None:
    for options in (
        ["--answers"],
        ["--answers", "--provider", server.name],
        ["--provider", server.name],
        ["--answers", "--provider", server.name, "--provider-model", "m", "--key-env", "NO_SUCH_VARIABLE"],
        ["--answers", "--provider", "openai:nowhere", "--provider-model", "m"],
    ):
        assert CliRunner().invoke(app, command(tmp_path, *options)).exit_code == 2
    assert CliRunner().invoke(app, command(tmp_path)).exit_code == 0
    assert server.asked == []


def test_the_command_tells_what_the_provider_refused(server: Server, tmp_path: Path) -> None:
    server.statuses = [403]
    options = ["--answers", "--provider", server.name, "--provider-model", "small"]
    result = CliRunner().invoke(app, command(tmp_path, *options))
    assert result.exit_code == 1
    assert "answered 403" in result.stderr
