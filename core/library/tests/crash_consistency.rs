//! A write is there whole or not at all, and stays once it is acknowledged.

mod support;

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use corecall_library::{Library, OpenConfig, Remember, Show};
use corecall_types::{Code, Task};
use rusqlite::Connection;
use support::{TEST_HASH, TestLibrary, payload, refused, remember};

#[test]
fn an_abort_in_the_middle_of_a_supersede_leaves_nothing_of_it() {
    let test = TestLibrary::new(TEST_HASH);
    let old = test.write("The API listens on port 8080");
    let linked = test.write("Ports are listed in the runbook");
    let replacement = Remember {
        supersedes: Some(old.clone()),
        see_also: vec![linked.clone()],
        ..remember("The API listens on port 9090")
    };

    // Each step of the write in turn: the new row, the first mirror, the second mirror, the counter.
    for (event, condition) in [
        ("INSERT ON memories", "1".to_owned()),
        ("UPDATE ON memories", format!("NEW.id = '{old}'")),
        ("UPDATE ON memories", format!("NEW.id = '{linked}'")),
        ("UPDATE ON library", "1".to_owned()),
    ] {
        let connection = Connection::open(test.path()).unwrap();
        let trigger =
            format!("CREATE TRIGGER crash AFTER {event} WHEN {condition} BEGIN SELECT RAISE(ABORT, 'crash'); END");
        connection.execute_batch(&trigger).unwrap();
        let before = test.dump();
        let outcome = test.library.remember(&Task::new(), &replacement);
        assert_eq!(refused(outcome), (Code::EngineFailure, String::new()), "{event} {condition}");
        assert_eq!(test.dump(), before, "{event} {condition}");
        connection.execute_batch("DROP TRIGGER crash").unwrap();
    }

    let new = test.created(&replacement);
    assert_eq!(payload(&test.path(), &old)["superseded_by"], new.as_str());
    assert_eq!(payload(&test.path(), &linked)["see_also"][0], new.as_str());
    assert_eq!(payload(&test.path(), &new)["supersedes"], old.as_str());
}

/// The environment variable by which the test below starts itself as the writer to be killed.
const WRITER: &str = "CORECALL_TEST_WRITER";

#[test]
fn acknowledged_writes_survive_a_kill() {
    if let Ok(path) = std::env::var(WRITER) {
        write_until_killed(path);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library").to_str().unwrap().to_owned();
    let mut writer = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "acknowledged_writes_survive_a_kill", "--nocapture"])
        .env(WRITER, &path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(writer.stdout.take().unwrap()).lines().map(Result::unwrap);
    let ids = lines.filter_map(|line| line.strip_prefix("wrote ").map(str::to_owned));
    let acknowledged: Vec<String> = ids.take(25).collect();
    writer.kill().unwrap();
    writer.wait().unwrap();
    assert_eq!(acknowledged.len(), 25);

    let library = Library::open(&OpenConfig { path, ..OpenConfig::default() }).unwrap();
    for pair in acknowledged.windows(2) {
        let show = |id: &str| library.show(&Task::new(), &Show { id: id.to_owned() }).unwrap();
        assert_eq!(show(&pair[1]).entry.supersedes, pair[0]);
        // The mirrored hint came with the edge, in the same transaction.
        assert_eq!(show(&pair[0]).entry.superseded_by, pair[1]);
    }
}

/// Replaces one memory again and again; prints each id once it is acknowledged.
fn write_until_killed(path: String) -> ! {
    let library = Library::open(&OpenConfig { path, ..OpenConfig::default() }).unwrap();
    let mut last: Option<String> = None;
    let mut out = std::io::stdout();
    loop {
        let request = Remember { supersedes: last.clone(), ..remember("again") };
        let id = support::created(&library, &Remember { force: true, ..request });
        // Stops by itself when nobody listens any more.
        if writeln!(out, "wrote {id}").and_then(|()| out.flush()).is_err() {
            std::process::exit(0);
        }
        last = Some(id);
    }
}
