"""The command line: what each command prints, as text and as JSON, and how it ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import corecall
from corecall.cli import app


class Terminal:
    """Runs commands on one library."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._runner = CliRunner()

    def run(self, *arguments: str, stdin: str | None = None) -> Result:
        return self._runner.invoke(app, [*arguments, "--library", str(self.path)], input=stdin)

    def text(self, *arguments: str, stdin: str | None = None) -> str:
        result = self.run(*arguments, stdin=stdin)
        assert (result.exit_code, result.stderr) == (0, ""), result.output
        return result.stdout

    def json(self, *arguments: str) -> Any:
        text = self.text(*arguments, "--json")
        assert text.count("\n") == 1
        return json.loads(text)

    def remember(self, content: str, *arguments: str) -> str:
        id: str = self.json("remember", content, *arguments)["id"]
        return id


@pytest.fixture
def terminal(path: Path) -> Terminal:
    return Terminal(path)


def test_remember_tells_state_and_id(terminal: Terminal) -> None:
    state, id = terminal.text("remember", "The lock opens at noon.").split()
    assert state == "created"
    assert terminal.text("remember", "The lock opens at noon.").split() == ["exists", id]
    assert terminal.json("show", id)["entry"]["content"] == "The lock opens at noon."


def test_remember_takes_every_option(terminal: Terminal) -> None:
    targets = [terminal.remember(f"Target {letter * 9}.", "--force") for letter in "abcde"]
    options = ["--title", "All", "--kind", "decision", "--tag", "one", "--tag", "two", "--project", "p"]
    options += ["--importance", "normal", "--parent", targets[0], "--supersedes", targets[1]]
    options += ["--see-also", targets[2], "--contradicts", targets[3], "--derived-from", targets[4]]
    options += ["--expected-head", targets[1]]
    entry = terminal.json("show", terminal.remember("With everything.", *options))["entry"]
    assert (entry["title"], entry["kind"], entry["tags"]) == ("All", "decision", ["one", "two"])
    assert (entry["project"], entry["importance"]) == ("p", "normal")
    assert [entry["parent_id"], entry["supersedes"]] == targets[:2]
    assert [*entry["see_also"], *entry["contradicts"], *entry["derived_from"]] == targets[2:]


def test_remember_reads_stdin(terminal: Terminal) -> None:
    id = terminal.text("remember", "-", stdin="first line\nsecond line\n").split()[1]
    assert terminal.json("show", id)["entry"]["content"] == "first line\nsecond line"


NEAR = [f"The crane on quay four is rented from Lindqvist {word} the end of May 2026." for word in ("until", "to")]


def test_duplicates_end_with_1_and_are_listed(terminal: Terminal) -> None:
    id = terminal.remember(NEAR[0])
    result = terminal.run("remember", NEAR[1])
    assert (result.exit_code, result.stdout) == (1, "")
    assert id in result.stderr
    assert "--force" in result.stderr
    result = terminal.run("remember", NEAR[1], "--json")
    assert (result.exit_code, result.stdout) == (1, "")
    error = json.loads(result.stderr)["error"]
    assert (error["code"], error["name"], error["merge"][0]["id"]) == (9, "remember.candidates", id)
    assert terminal.text("remember", NEAR[1], "--force").startswith("created")


@pytest.fixture
def replaced(terminal: Terminal) -> dict[str, str]:
    ids = {"old": terminal.remember("Boarding closes ten minutes before departure.", "--title", "Ten minutes")}
    ids["new"] = terminal.remember("Fifteen, say the gate agents.", "--title", "Fifteen", "--supersedes", ids["old"])
    ids["link"] = terminal.remember("Queues at the northern ramp.", "--title", "Ramp", "--see-also", ids["old"])
    return ids


def test_recall_shows_hits_marks_and_associations(terminal: Terminal, replaced: dict[str, str]) -> None:
    lines = terminal.text("recall", "boarding", "closes", "--limit", "1").splitlines()
    hit, *associations = lines[:3]
    assert hit.endswith("knowledge     Ten minutes [superseded]")
    assert replaced["old"][:18] in hit
    assert associations[0].split() == ["→", replaced["new"][:18], "new_version", "Fifteen"]
    assert associations[1].split() == ["~", replaced["link"][:18], "see_also", "Ramp"]
    # Columns stand under each other.
    assert hit.index("Ten minutes") == associations[0].index("Fifteen") == associations[1].index("Ramp")
    assert lines[3] == "1 hit, 2 associations"
    assert [line.split()[:2] for line in lines[4:]] == [["!", "superseded"], ["→", "new_version"], ["~", "see_also"]]
    assert "replaces the hit above it" in lines[5]


def test_recall_as_json_has_the_names_of_the_wire(terminal: Terminal, replaced: dict[str, str]) -> None:
    found = terminal.json("recall", "boarding closes", "--limit", "1", "--explain")
    assert list(found) == ["hits", "related", "summary", "ledger", "primary_digest"]
    (hit,) = found["hits"]
    assert list(hit) == ["id", "title", "score", "entry", "ancestors", "superseded_by"]
    assert (hit["id"], hit["superseded_by"]) == (replaced["old"], replaced["new"])
    assert "other" not in hit["entry"]
    assert found["related"][0] == {
        "id": replaced["new"],
        "title": "Fifteen",
        "source_id": replaced["old"],
        "relation": "new_version",
    }
    assert found["summary"] == {"hits": 1, "associations": 2}


def test_recall_takes_every_option(terminal: Terminal, replaced: dict[str, str]) -> None:
    scope = ["--kind", "task", "--project", "p", "--tag", "t", "--since", "2020-01-01T00:00:00Z"]
    id = terminal.remember("Boarding passes are printed.", "--kind", "task", "--project", "p", "--tag", "t")
    assert [hit["id"] for hit in terminal.json("recall", "boarding", *scope)["hits"]] == [id]
    assert terminal.json("recall", "boarding", "--until", "2020-01-01T00:00:00Z")["hits"] == []
    assert terminal.json("recall", "boarding", "--computer", "none")["hits"] == []
    assert terminal.json("recall", "boarding", "--min-score", "1")["hits"] == []
    assert terminal.json("recall", "boarding", "--titles")["hits"][0]["entry"] is None
    assert terminal.json("recall", "boarding closes", "--no-related")["related"] == []
    hidden = terminal.json("recall", "boarding closes", "--superseded", "hide")["hits"]
    assert replaced["old"] not in {hit["id"] for hit in hidden}
    only = terminal.json("recall", "boarding closes", "--limit", "1", "--relation", "see_also")["related"]
    assert [item["relation"] for item in only] == ["see_also"]
    assert len(terminal.json("recall", "boarding closes", "--limit", "1", "--max-related", "1")["related"]) == 1


def test_recall_explains_in_text(terminal: Terminal, replaced: dict[str, str]) -> None:
    text = terminal.text("recall", "boarding closes", "--limit", "1", "--max-related", "1", "--explain")
    assert "considered, 1 returned, left out:" in text
    (dropped,) = [line for line in text.splitlines() if line.endswith("budget")]
    assert dropped.split() == [replaced["link"][:18], "see_also", "budget"]


def test_recall_without_hits_says_so(terminal: Terminal, replaced: dict[str, str]) -> None:
    assert terminal.text("recall", "zeppelin") == "nothing fits\n"


def test_control_characters_of_titles_and_contents_do_not_reach_the_terminal(terminal: Terminal) -> None:
    title = "red \x1b[31malert\x07 \u202egnp.exe\u2028next"
    id = terminal.remember("line one\x1b[2J\r\nline\ttwo \x9b31m", "--title", title)
    shown = terminal.text("recall", "alert") + terminal.text("show", id) + terminal.text("relations", id)
    other = terminal.remember("It was found by its title.", "--supersedes", id)
    shown += terminal.text("recall", "alert") + terminal.text("forget", other)
    assert "red  [31malert  " in shown
    assert not [c for c in shown if c != "\n" and not c.isprintable()]
    assert "line one [2J \nline two  31m\n" in shown
    # JSON keeps them, escaped.
    assert terminal.json("show", id)["entry"]["title"] == title


def test_brackets_in_titles_are_no_markup(terminal: Terminal) -> None:
    terminal.remember("Some words on markup.", "--title", "[bold]not bold[/bold] :boat:")
    assert terminal.text("recall", "markup").splitlines()[0].endswith("[bold]not bold[/bold] :boat:")


def test_a_pipe_gets_whole_titles(terminal: Terminal) -> None:
    title = "long " * 31
    terminal.remember("A memory with a long title.", "--title", title.strip())
    assert title.strip() in terminal.text("recall", "memory")


def test_show_lists_what_there_is(terminal: Terminal, replaced: dict[str, str]) -> None:
    lines = terminal.text("show", "Ten minutes").splitlines()
    assert lines[0] == "Ten minutes [superseded]"
    fields = dict(line.strip().split("  ", 1) for line in lines[1 : lines.index("")])
    assert fields["id"].strip() == replaced["old"]
    assert fields["kind"].strip() == "knowledge"
    assert next(value for name, value in fields.items() if name.startswith("see also")).strip() == replaced["link"]
    assert lines[-1] == "Boarding closes ten minutes before departure."


def test_relations_list_edges(terminal: Terminal, replaced: dict[str, str]) -> None:
    lines = terminal.text("relations", replaced["old"]).splitlines()
    assert len(lines) == 2
    assert [line.split()[:3] for line in lines if "supersedes" in line] == [
        [replaced["new"][:18], "supersedes", replaced["old"][:18]]
    ]
    assert terminal.text("relations", replaced["new"], "--direction", "incoming") == "no relations\n"
    only = terminal.json("relations", replaced["old"], "--type", "see_also")
    assert [item["type"] for item in only["relations"]] == ["see_also"]
    assert "--cursor" in terminal.text("relations", replaced["old"], "--limit", "1")


def test_forget_tells_what_is_current_again(terminal: Terminal, replaced: dict[str, str]) -> None:
    lines = terminal.text("forget", replaced["new"]).splitlines()
    assert lines == [f"forgotten  {replaced['new']}", f"  current again: {replaced['old']}  Ten minutes"]


def test_links_are_made_and_withdrawn(terminal: Terminal, replaced: dict[str, str]) -> None:
    old, new = replaced["old"], replaced["new"]
    line = f"{new}  contradicts  {old}\n"
    assert terminal.text("link", new, old, "--type", "contradicts") == f"linked  {line}"
    assert terminal.text("link", new, old, "--type", "contradicts") == f"exists  {line}"
    assert terminal.text("unlink", new, old, "--type", "contradicts") == f"unlinked  {line}"
    assert terminal.run("unlink", new, old, "--type", "contradicts").exit_code == 1
    lines = terminal.text("unsupersede", new).splitlines()
    assert lines == [f"withdrawn  {new}  supersedes  {old}", f"  current again: {old}  Ten minutes"]
    assert terminal.json("link", new, old)["state"] == "linked"


def test_update_edits_what_is_given(terminal: Terminal, replaced: dict[str, str]) -> None:
    new = replaced["new"]
    assert terminal.text("update", new, "--content", "-", "--tag", "a", stdin="Five minutes.\n") == f"updated  {new}\n"
    entry = terminal.json("show", new)["entry"]
    assert (entry["content"], entry["tags"], entry["supersedes"]) == ("Five minutes.", ["a"], replaced["old"])
    assert terminal.text("update", new, "--tag", "") == f"updated  {new}\n"
    assert terminal.json("show", new)["entry"]["tags"] == []
    assert terminal.json("update", new)["state"] == "unchanged"
    assert "memory.changed" in terminal.run("update", new, "--if-updated-at", entry["updated_at"]).stderr


def test_a_forgotten_memory_is_restored(terminal: Terminal, replaced: dict[str, str]) -> None:
    old, new = replaced["old"], replaced["new"]
    made = terminal.json("remember", "Made of it.", "--derived-from", new)["id"]
    told = terminal.text("forget", new, "--cascade", "derived", "--dry-run").splitlines()
    assert told[:2] == [f"dry_run  {new}", f"  with it: {made}  Made of it."]
    done = terminal.text("forget", new, "--cascade", "derived").splitlines()
    assert done == [f"forgotten  {new}", *told[1:]]
    lines = terminal.text("restore", new).splitlines()
    assert lines == [f"restored  {new}", f"  replaced again: {old}  Ten minutes"]
    assert terminal.json("restore", new)["state"] == "exists"


def test_status_is_a_table(terminal: Terminal, replaced: dict[str, str]) -> None:
    lines = dict(line.split(maxsplit=1) for line in terminal.text("status").splitlines())
    assert lines["library"] == str(terminal.path)
    assert lines["memories"] == "3 live, 0 of them diary lines, 0 forgotten"
    assert lines["model"] == "none (words only)"
    assert terminal.json("status")["counts"] == {"live": 3, "trivial": 0, "forgotten": 0}


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("recall",), 2, "Missing argument"),
        (("recall", "x", "--limit", "0"), 2, "payload.limit"),
        (("recall", "x", "--limit", "many"), 2, "--limit"),
        (("recall", "x", "--since", "yesterday"), 2, "payload.since"),
        (("remember", ""), 2, "payload.content"),
        (("remember", "x", "--kind", "rumour"), 2, "--kind"),
        (("show", "no such memory"), 1, "memory.unknown"),
        (("remember", "x", "--supersedes", "no such memory"), 1, "target.unknown"),
        (("recite", "x"), 2, "recite"),
    ],
)
def test_bad_input_ends_with_2_and_failure_with_1(
    terminal: Terminal, arguments: tuple[str, ...], code: int, said: str
) -> None:
    terminal.remember("There is a library.")
    result = terminal.run(*arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert said in result.stderr


def test_an_error_as_json_goes_to_stderr(terminal: Terminal) -> None:
    terminal.remember("There is a library.")
    result = terminal.run("show", "no such memory", "--json")
    assert (result.exit_code, result.stdout) == (1, "")
    error = json.loads(result.stderr)["error"]
    assert list(error) == ["code", "name", "message", "path", "retryable"]
    assert (error["code"], error["path"]) == (8, "payload.id")


@pytest.mark.parametrize("command", ["recall", "show", "relations", "forget"])
def test_only_remember_makes_a_library(terminal: Terminal, command: str) -> None:
    result = terminal.run(command, "x")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "corecall remember" in result.stderr
    assert not terminal.path.exists()


def test_the_library_is_the_option_the_variable_or_the_users_own(tmp_path: Path) -> None:
    runner = CliRunner()
    environment = {"XDG_DATA_HOME": str(tmp_path / "data"), "HOME": str(tmp_path)}

    def path(*before: str, after: tuple[str, ...] = (), **variables: str) -> Path:
        result = runner.invoke(app, [*before, "remember", "x", "--force", *after], env={**environment, **variables})
        assert result.exit_code == 0, result.output
        result = runner.invoke(app, [*before, "status", "--json", *after], env={**environment, **variables})
        return Path(json.loads(result.stdout)["path"])

    def file(name: str) -> str:
        return str(tmp_path / name)

    assert path() == tmp_path / "data" / "corecall" / "library.db"
    assert path(XDG_DATA_HOME="relative") == tmp_path / ".local" / "share" / "corecall" / "library.db"
    assert path(CORECALL_LIBRARY=file("variable")) == tmp_path / "variable"
    assert path("--library", file("before"), CORECALL_LIBRARY=file("variable")) == tmp_path / "before"
    assert path("--library", file("before"), after=("--library", file("after"))) == tmp_path / "after"


COMMANDS = (
    *("remember", "recall", "show", "relations"),
    *("forget", "restore", "link", "unlink", "unsupersede", "update", "status", "demo"),
)


def test_help_lists_the_commands() -> None:
    result = CliRunner().invoke(app, ["--help"])
    assert result.exit_code == 0
    for command in COMMANDS:
        assert f"  {command} " in result.stdout
        assert CliRunner().invoke(app, [command, "--help"]).exit_code == 0


def program(*arguments: str, **variables: str) -> subprocess.CompletedProcess[bytes]:
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    return subprocess.run(
        [sys.executable, "-m", "corecall", *arguments],
        capture_output=True,
        check=False,
        env={**environment, "PYTHONIOENCODING": "utf-8", **variables},
    )


def test_as_a_program(path: Path) -> None:
    told = program("remember", "Der Kai ist naß. 码头很滑。", "--library", str(path))
    assert (told.returncode, told.stderr) == (0, b"")
    told = program("recall", "码头", "--library", str(path))
    assert told.returncode == 0
    assert "Der Kai ist naß. 码头很滑。" in told.stdout.decode()
    told = program("show", "absent", "--library", str(path))
    assert (told.returncode, told.stdout) == (1, b"")
    assert b"memory.unknown" in told.stderr
    assert program("recall").returncode == 2
    assert program("--version").stdout.decode().split() == ["corecall,", "version", corecall.__version__]


def test_a_terminal_of_another_encoding_gets_question_marks(path: Path) -> None:
    program("remember", "码头很滑。", "--library", str(path))
    told = program("recall", "码头", "--library", str(path), PYTHONIOENCODING="ascii")
    assert told.returncode == 0
    assert told.stdout.splitlines()[0].endswith(b"?????")


def test_colour_only_where_it_is_wanted(path: Path) -> None:
    program("remember", "A memory.", "--library", str(path))
    recall = ("recall", "memory", "--library", str(path))
    assert b"\x1b[" not in program(*recall).stdout
    assert b"\x1b[" in program(*recall, FORCE_COLOR="1", TERM="xterm-256color").stdout
    coloured = program(*recall, FORCE_COLOR="1", TERM="xterm-256color", NO_COLOR="1").stdout
    assert b"\x1b[3" not in coloured
    assert b"\x1b[9" not in coloured


def test_a_narrow_terminal_keeps_the_mark_of_a_cut_title(terminal: Terminal) -> None:
    old = terminal.remember("Words to find it.", "--title", "A long title " * 8)
    terminal.remember("Another.", "--supersedes", old)
    told = program(
        "recall",
        "words",
        "find",
        "--library",
        str(terminal.path),
        FORCE_COLOR="1",
        NO_COLOR="1",
        COLUMNS="80",
        TERM="dumb",
    )
    plain = told.stdout.decode().splitlines()[0]
    for code in ("\x1b[1m", "\x1b[2m", "\x1b[0m"):
        plain = plain.replace(code, "")
    assert plain.endswith("… [superseded]")
    assert len(plain) <= 80
