//! Edits of text and fields: relations stay, vectors follow the text, locks hold.

mod support;

use corecall_library::{Forget, Remember, Update, Updated};
use corecall_types::{Code, Result, Task};
use rusqlite::Connection;
use support::{TEST_HASH, TestLibrary, ids, payload, refused, remember};

fn update(id: &str) -> Update {
    Update { id: id.to_owned(), device: "laptop".into(), ..Update::default() }
}

fn try_update(test: &TestLibrary, request: &Update) -> Result<Updated> {
    test.library.update(&Task::new(), request)
}

fn updated(test: &TestLibrary, request: &Update) -> Updated {
    let reply = try_update(test, request).unwrap();
    assert_eq!((reply.state, reply.written), ("updated", true));
    reply
}

fn index_data(test: &TestLibrary, id: &str) -> Vec<u8> {
    let connection = Connection::open(test.path()).unwrap();
    connection.query_row("SELECT index_data FROM memories WHERE id = ?1", [id], |row| row.get(0)).unwrap()
}

#[allow(clippy::unnecessary_wraps, reason = "a short way to write a field")]
fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[test]
fn a_new_text_is_found_and_the_old_one_is_not() {
    let test = TestLibrary::new(TEST_HASH);
    let old = test.write("an older note");
    let id = test.created(&Remember { supersedes: Some(old.clone()), ..remember("deploys run on Friday") });
    let before = (payload(&test.path(), &id), index_data(&test, &id));
    let reply = updated(&test, &Update { content: text("releases wait for the moon"), ..update(&id) });
    let after = payload(&test.path(), &id);
    assert_eq!(after["content"], "releases wait for the moon");
    // The title was the content's first line, so it follows.
    assert_eq!(after["title"], "releases wait for the moon");
    assert_eq!((&after["supersedes"], &after["edges"]), (&before.0["supersedes"], &before.0["edges"]));
    assert_eq!(after["created_at"], before.0["created_at"]);
    assert_eq!(
        (&after["content_at"], &after["updated_at"]),
        (&reply.updated_at.clone().into(), &reply.updated_at.into())
    );
    assert!(after["updated_at"].as_str() > before.0["updated_at"].as_str());
    assert_eq!(after["modified_by"], "laptop");
    assert_ne!(index_data(&test, &id), before.1);
    assert_eq!(ids(&test.recall("moon")), [id.as_str()]);
    assert!(!ids(&test.recall("Friday")).contains(&id.as_str()));
}

#[test]
fn fields_change_without_embedding_and_a_given_title_stays() {
    let test = TestLibrary::new(TEST_HASH);
    let id = test.created(&Remember { title: text("Ports"), tags: vec!["net".into()], ..remember("8080 is taken") });
    let parent = test.write("the runbook");
    let vector = index_data(&test, &id);
    let request = Update {
        kind: text("decision"),
        tags: Some(vec!["ops".into(), "ops".into()]),
        project: text("apollo"),
        computer: text("desk"),
        user: text("ann"),
        importance: text("normal"),
        parent: text("the runbook"),
        emotion: Some(3),
        ..update("Ports")
    };
    updated(&test, &request);
    let after = payload(&test.path(), &id);
    for (name, value) in [("kind", "decision"), ("project", "apollo"), ("computer", "desk"), ("user", "ann")] {
        assert_eq!(after[name], value);
    }
    assert_eq!((&after["importance"], &after["parent_id"]), (&"normal".into(), &parent.into()));
    assert_eq!((&after["tags"], &after["emotion"]), (&serde_json::json!(["ops"]), &3.into()));
    assert_eq!(index_data(&test, &id), vector);

    updated(&test, &Update { content: text("9090 is taken"), parent: text(""), ..update(&id) });
    let after = payload(&test.path(), &id);
    assert_eq!((&after["title"], &after["parent_id"]), (&"Ports".into(), &serde_json::Value::Null));
    assert_ne!(index_data(&test, &id), vector);
}

#[test]
fn an_edit_that_changes_nothing_writes_nothing() {
    let test = TestLibrary::new(TEST_HASH);
    let id = test.created(&Remember { tags: vec!["net".into()], ..remember("8080 is taken") });
    let before = test.dump();
    for request in [
        update(&id),
        Update { content: text("8080 is taken"), tags: Some(vec!["net".into()]), parent: text(""), ..update(&id) },
    ] {
        let reply = try_update(&test, &request).unwrap();
        assert_eq!((reply.state, reply.written), ("unchanged", false));
        assert_eq!(reply.updated_at, payload(&test.path(), &id)["updated_at"].as_str().unwrap());
        assert_eq!(test.dump(), before);
    }
}

#[test]
fn a_writer_with_an_old_picture_is_refused() {
    let test = TestLibrary::new("none");
    let id = test.write("one");
    let seen = payload(&test.path(), &id)["updated_at"].as_str().unwrap().to_owned();
    let guarded = Update { content: text("two"), if_updated_at: Some(seen.clone()), ..update(&id) };
    let reply = updated(&test, &guarded);
    let before = test.dump();
    let late = Update { content: text("three"), ..guarded };
    assert_eq!(refused(try_update(&test, &late)), (Code::MemoryChanged, "if_updated_at".into()));
    assert_eq!(test.dump(), before);
    // The same moment, written in another zone.
    let elsewhere = reply.updated_at.replace('Z', "+00:00");
    updated(&test, &Update { if_updated_at: Some(elsewhere), ..late });
}

#[test]
fn a_host_gives_a_vector_exactly_with_a_new_text() {
    let test = TestLibrary::new("host:own");
    let request = Remember { vector: Some(vec![1.0, 0.0]), ..remember("one") };
    let id = test.created(&request);
    let vector = index_data(&test, &id);
    let before = test.dump();
    for (request, code) in [
        (Update { content: text("two"), ..update(&id) }, Code::ArgumentMissing),
        (Update { title: text("Two"), ..update(&id) }, Code::ArgumentMissing),
        (Update { kind: text("task"), vector: Some(vec![0.0, 1.0]), ..update(&id) }, Code::ArgumentConflict),
        (Update { content: text("two"), vector: Some(vec![0.0, 0.0]), ..update(&id) }, Code::VectorZero),
        (Update { content: text("two"), vector: Some(vec![1.0]), ..update(&id) }, Code::VectorDimension),
    ] {
        assert_eq!(refused(try_update(&test, &request)), (code, "vector".into()));
        assert_eq!(test.dump(), before);
    }
    updated(&test, &Update { kind: text("task"), ..update(&id) });
    assert_eq!(index_data(&test, &id), vector);
    updated(&test, &Update { content: text("two"), vector: Some(vec![0.0, 2.0]), ..update(&id) });
    assert_ne!(index_data(&test, &id), vector);
}

#[test]
fn refusals_leave_the_file_as_it_was() {
    let test = TestLibrary::new(TEST_HASH);
    let id = test.write("pump");
    let child = test.created(&Remember { parent: Some(id.clone()), ..remember("the pump's seal") });
    let replaced = test.write("old seal");
    let replacing = test.created(&Remember { supersedes: Some(replaced.clone()), ..remember("new seal") });
    let gone = test.write("gone");
    test.library.forget(&Task::new(), &Forget { id: gone.clone(), ..Forget::default() }).unwrap();
    for content in ["first", "second"] {
        test.created(&Remember { title: text("Twin"), force: true, ..remember(content) });
    }
    let before = test.dump();
    let long = || Some("x".repeat((1 << 20) + 1));
    for (request, code, path) in [
        (update("nobody knows"), Code::MemoryUnknown, "id"),
        (update(&gone), Code::MemoryUnknown, "id"),
        (update("Twin"), Code::TargetAmbiguous, "id"),
        (Update { content: text(""), ..update(&id) }, Code::ArgumentRange, "content"),
        (Update { content: long(), ..update(&id) }, Code::LimitText, "content"),
        (Update { title: long(), ..update(&id) }, Code::LimitText, "title"),
        (Update { project: long(), ..update(&id) }, Code::LimitText, "project"),
        (Update { tags: Some(vec!["a".into(), String::new()]), ..update(&id) }, Code::ArgumentRange, "tags[1]"),
        (Update { kind: text("rumour"), ..update(&id) }, Code::ArgumentValue, "kind"),
        (Update { importance: text("huge"), ..update(&id) }, Code::ArgumentValue, "importance"),
        (Update { importance: text("trivial"), ..update(&replaced) }, Code::RelationTrivial, "importance"),
        (Update { importance: text("trivial"), ..update(&replacing) }, Code::RelationTrivial, "importance"),
        (Update { parent: text("nobody knows"), ..update(&id) }, Code::TargetUnknown, "parent"),
        (Update { parent: text(&gone), ..update(&id) }, Code::TargetUnknown, "parent"),
        (Update { parent: text("Twin"), ..update(&id) }, Code::TargetAmbiguous, "parent"),
        (Update { parent: text(&id), ..update(&id) }, Code::RelationSelf, "parent"),
        (Update { parent: text(&child), ..update(&id) }, Code::RelationCycle, "parent"),
        (Update { if_updated_at: text("yesterday"), ..update(&id) }, Code::MemoryChanged, "if_updated_at"),
        (Update { content: text("x"), vector: Some(vec![1.0]), ..update(&id) }, Code::ArgumentConflict, "vector"),
    ] {
        assert_eq!(refused(try_update(&test, &request)), (code, path.to_owned()));
        assert_eq!(test.dump(), before, "{path} {}", code.name());
    }
    let cancelled = Task::new();
    cancelled.cancel();
    let request = Update { content: text("valve"), ..update(&id) };
    assert_eq!(refused(test.library.update(&cancelled, &request)).0, Code::CallCancelled);
    assert_eq!(test.dump(), before);
    // Without relations it may become a diary line.
    updated(&test, &Update { importance: text("trivial"), ..update(&id) });
}

#[test]
fn an_abort_at_any_write_leaves_nothing_of_it() {
    let test = TestLibrary::new(TEST_HASH);
    let id = test.write("one");
    let request = Update { content: text("two"), ..update(&id) };
    support::abort_at_every_write(&test, 3, || try_update(&test, &request).map(|_| ()));
    assert_eq!(payload(&test.path(), &id)["content"], "two");
}
