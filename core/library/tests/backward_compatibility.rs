//! Files of every released schema version open, recall and can be written.
//!
//! `cargo test -p corecall-library --test backward_compatibility -- --ignored` writes the file of the current version
//! anew. A file of a released version is never written again.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use corecall_library::{
    Direction, Forget, Library, OpenConfig, Recall, RelationKind, Relations, Remember, Show, Superseded,
};
use corecall_policy::Relation;
use corecall_types::Task;
use rusqlite::Connection;
use support::{START, TestSources, created, ids, open, open_config, payload, recall, remember};

const MODEL: &str = "test-hash:16";

fn released(version: u32) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/schema-{version}.corecall"))
}

/// A copy to write to.
fn copy(version: u32) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library");
    fs::copy(released(version), &path).unwrap();
    (folder, path)
}

fn by_title(library: &Library, title: &str) -> corecall_library::Shown {
    library.show(&Task::new(), &Show { id: title.to_owned() }).unwrap()
}

#[test]
#[ignore = "writes tests/data"]
fn write_the_file_of_this_version() {
    let path = released(1);
    let _ = fs::remove_file(&path);
    let sources = TestSources::new();
    let library = open(&path, Some(MODEL), &sources).unwrap();
    let task = Task::new();
    let titled = |title: &str, content: &str| Remember {
        title: Some(title.to_owned()),
        force: true,
        device: "first".into(),
        ..remember(content)
    };
    let port = created(&library, &titled("port", "The gateway listens on port 8080"));
    let source = created(&library, &titled("runbook", "网关端口写在运行手册里"));
    let moved = created(
        &library,
        &Remember {
            supersedes: Some(port.clone()),
            derived_from: vec![source.clone()],
            ..titled("new port", "The gateway moved to port 9090")
        },
    );
    created(&library, &Remember { see_also: vec![moved], ..titled("firewall", "Firewall rules of the gateway") });
    created(&library, &Remember { contradicts: vec![source], ..titled("doubt", "The runbook is out of date") });
    created(
        &library,
        &Remember { importance: "trivial".into(), tags: vec!["diary".into()], ..titled("lunch", "Soup for lunch") },
    );
    let gone = created(&library, &titled("gone", "The gateway ran on one machine"));
    library.forget(&task, &Forget { id: gone, ..Forget::default() }).unwrap();
    for round in ["a", "b"] {
        library.recall(&task, &Recall { limit: 3, ..recall(&format!("gateway {round}")) }).unwrap();
        sources.advance(Duration::from_secs(60));
    }
    library.statistics_flush(&task).unwrap();
    library.close().unwrap();

    // A field of a later version, and a payload from before the relations.
    let connection = Connection::open(&path).unwrap();
    let mut later = payload(&path, &port);
    later["metadata"] = serde_json::json!({"ticket": "OPS-7", "empty": ""});
    let early = serde_json::json!({"id": "early", "title": "early", "content": "The gateway has no relations here",
        "created_at": "2025-01-01T00:00:00Z", "importance": "important", "kind": "context"});
    let sql = "UPDATE memories SET payload = ?2 WHERE id = ?1";
    connection.execute(sql, (&port, later.to_string().into_bytes())).unwrap();
    let sql = "INSERT INTO memories (id, created_at, updated_at, deleted, change_seq, payload, index_data)
               SELECT 'early', 1735689600000, 1735689600000, 0, max(change_seq), ?1, index_data FROM memories";
    connection.execute(sql, [early.to_string().into_bytes()]).unwrap();
    connection.execute_batch("PRAGMA journal_mode = DELETE; VACUUM; PRAGMA journal_mode = WAL").unwrap();
}

#[test]
fn version_1_reads_as_it_was_written() {
    let (_folder, path) = copy(1);
    let library = open(&path, None, &TestSources::new()).unwrap();
    let task = Task::new();
    let status = library.status(&task).unwrap();
    assert_eq!((status.counts.live, status.counts.trivial, status.counts.forgotten), (7, 1, 1));
    assert_eq!((status.model.as_str(), status.schema_version), (MODEL, 1));

    let old = by_title(&library, "port");
    let new = by_title(&library, "new port");
    assert_eq!(old.superseded_by.as_ref(), Some(&new.entry.id));
    assert_eq!(old.entry.other["metadata"]["ticket"], "OPS-7");
    assert_eq!(new.entry.derived_from, [by_title(&library, "runbook").entry.id]);
    assert_eq!(by_title(&library, "runbook").entry.content, "网关端口写在运行手册里");

    let hide = Recall { superseded: Superseded::Hide, ..recall("gateway port") };
    let hidden = library.recall(&task, &hide).unwrap();
    assert!(ids(&hidden).contains(&new.entry.id.as_str()) && !ids(&hidden).contains(&old.entry.id.as_str()));
    let mut together = recall("gateway listens port 8080");
    together.limit = 1;
    together.related_settings.relations = vec![Relation::CoRecall];
    assert!(!library.recall(&task, &together).unwrap().related.is_empty());

    let request = Relations { id: new.entry.id, kind: None, direction: Direction::Both, limit: 10, cursor: None };
    let relations = library.relations(&task, &request).unwrap().relations;
    let kinds: Vec<_> = relations.iter().map(|row| row.kind).collect();
    assert_eq!(kinds, [RelationKind::Supersedes, RelationKind::SeeAlso, RelationKind::DerivedFrom]);
    assert!(relations.iter().all(|row| row.active && row.created_at.starts_with("2026-03-01T00:00:00.")));
}

#[test]
fn version_1_is_written_without_losing_what_it_holds() {
    let (_folder, path) = copy(1);
    let sources = TestSources::new();
    sources.set_unix_millis(START + 1_000_000);
    let library = open(&path, Some(MODEL), &sources).unwrap();
    let port = by_title(&library, "port").entry.id;
    let request = Remember { see_also: vec![port.clone(), "early".into()], ..remember("Ports at a glance") };
    let new = created(&library, &request);
    let stored = payload(&path, &port);
    assert_eq!(stored["metadata"], serde_json::json!({"ticket": "OPS-7", "empty": ""}));
    assert_eq!(stored["see_also"][0], new.as_str());
    let early = payload(&path, "early");
    assert_eq!((&early["see_also"][0], &early["kind"]), (&new.into(), &"context".into()));
    assert!(early.get("edges").is_none());
}

#[test]
fn version_1_opens_read_only_and_stays_as_it_is() {
    let (_folder, path) = copy(1);
    let config = OpenConfig { path: path.to_str().unwrap().to_owned(), read_only: true, model: None };
    let library = open_config(&config, &TestSources::new()).unwrap();
    assert!(!library.recall(&Task::new(), &recall("gateway")).unwrap().hits.is_empty());
    library.close().unwrap();
    assert!(fs::read(&path).unwrap() == fs::read(released(1)).unwrap());
}
