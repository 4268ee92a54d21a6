//! Relations made and withdrawn after the fact.

mod support;

use corecall_library::{
    Direction, Forget, Link, Linked, Recall, RelationKind, RelationRow, Relations, Remember, Unsupersede, Unsuperseded,
};
use corecall_types::{Code, Result, Task};
use rusqlite::Connection;
use serde_json::Value;
use support::{TEST_HASH, TestLibrary, payload, recall, refused, remember};

fn link(id: &str, target: &str, kind: RelationKind) -> Link {
    Link { id: id.to_owned(), target: target.to_owned(), kind, device: "laptop".into() }
}

fn linked(test: &TestLibrary, id: &str, target: &str, kind: RelationKind) -> Linked {
    test.library.link(&Task::new(), &link(id, target, kind)).unwrap()
}

fn unlinked(test: &TestLibrary, id: &str, target: &str, kind: RelationKind) -> Linked {
    test.library.unlink(&Task::new(), &link(id, target, kind)).unwrap()
}

fn unsupersede(test: &TestLibrary, id: &str) -> Result<Unsuperseded> {
    test.library.unsupersede(&Task::new(), &Unsupersede { id: id.to_owned(), device: "laptop".into() })
}

fn rows(test: &TestLibrary, id: &str) -> Vec<RelationRow> {
    let request = Relations { id: id.to_owned(), kind: None, direction: Direction::Both, limit: 100, cursor: None };
    test.library.relations(&Task::new(), &request).unwrap().relations
}

/// Everything of a memory but relation fields, `updated_at` and `modified_by`.
fn content_of(test: &TestLibrary, id: &str) -> Value {
    let mut payload = payload(&test.path(), id);
    let relation = [
        "supersedes",
        "superseded_by",
        "see_also",
        "contradicts",
        "derived_from",
        "edges",
        "updated_at",
        "modified_by",
    ];
    payload.as_object_mut().unwrap().retain(|name, _| !relation.contains(&name.as_str()));
    payload
}

#[test]
fn a_symmetric_link_is_mirrored_and_both_contents_stay() {
    let test = TestLibrary::new(TEST_HASH);
    let [a, b] = ["the pump is loud", "the valve is stiff"].map(|content| test.write(content));
    let before = [content_of(&test, &a), content_of(&test, &b)];
    let reply = linked(&test, &a, "the valve is stiff", RelationKind::SeeAlso);
    assert_eq!((reply.state, reply.written), ("linked", true));
    assert_eq!((&reply.source_id, &reply.target_id), (&a, &b));

    let [at_a, at_b] = [&a, &b].map(|id| payload(&test.path(), id));
    assert_eq!((&at_a["see_also"][0], &at_b["see_also"][0]), (&b.clone().into(), &a.clone().into()));
    assert_eq!((&at_a["modified_by"], &at_b["modified_by"]), (&"laptop".into(), &"laptop".into()));
    for payload in [&at_a, &at_b] {
        assert!(payload["updated_at"].as_str() > payload["created_at"].as_str());
        assert_eq!(payload["content_at"], payload["created_at"]);
    }
    assert_eq!([content_of(&test, &a), content_of(&test, &b)], before);
    assert_eq!((at_a["edges"].as_array().unwrap().len(), &at_b["edges"]), (1, &Value::Null));
    assert_eq!(at_a["edges"][0]["device"], "laptop");
    assert_eq!(rows(&test, &b), rows(&test, &a));
    let recalled = test.recall_by(&Recall { limit: 1, ..recall("the pump is loud") });
    assert_eq!(recalled.related[0].id, b);
}

#[test]
fn linking_again_from_either_end_writes_nothing() {
    let test = TestLibrary::new("none");
    let [a, b] = ["one", "two"].map(|content| test.write(content));
    for kind in [RelationKind::SeeAlso, RelationKind::Contradicts, RelationKind::DerivedFrom] {
        assert_eq!(linked(&test, &a, &b, kind).state, "linked");
        let before = test.dump();
        let again = linked(&test, &a, &b, kind);
        assert_eq!((again.state, again.written), ("exists", false));
        assert_eq!(test.dump(), before);
    }
    let before = test.dump();
    assert_eq!(linked(&test, &b, &a, RelationKind::SeeAlso).state, "exists");
    assert_eq!(test.dump(), before);
}

#[test]
fn directed_links_are_stored_forward_only() {
    let test = TestLibrary::new("none");
    let [a, b] = ["one", "two"].map(|content| test.write(content));
    let before = payload(&test.path(), &b);
    linked(&test, &a, &b, RelationKind::Contradicts);
    linked(&test, &a, &b, RelationKind::DerivedFrom);
    assert_eq!(payload(&test.path(), &b), before);
    let at_a = payload(&test.path(), &a);
    assert_eq!((&at_a["contradicts"][0], &at_a["derived_from"][0]), (&b.clone().into(), &b.into()));
}

#[test]
fn an_unlinked_pair_keeps_its_stamp_and_can_be_linked_again_by_the_other() {
    let test = TestLibrary::new("none");
    let [a, b] = ["one", "two"].map(|content| test.write(content));
    linked(&test, &a, &b, RelationKind::SeeAlso);
    // Withdrawn from the end that didn't write it.
    assert_eq!(unlinked(&test, &b, &a, RelationKind::SeeAlso).state, "unlinked");
    assert_eq!(rows(&test, &a), []);
    let [at_a, at_b] = [&a, &b].map(|id| payload(&test.path(), id));
    assert_eq!((&at_a["see_also"], &at_b["see_also"]), (&Value::Null, &Value::Null));
    let removed = at_a["edges"][0]["removed_at"].as_str().unwrap();
    assert!(removed > at_a["edges"][0]["added_at"].as_str().unwrap());

    test.sources.set_unix_millis(0);
    linked(&test, &b, &a, RelationKind::SeeAlso);
    let at_b = payload(&test.path(), &b);
    assert!(at_b["edges"][0]["added_at"].as_str().unwrap() > removed);
    assert_eq!(rows(&test, &a).len(), 1);
}

#[test]
fn links_of_the_forgotten_can_be_withdrawn() {
    let test = TestLibrary::new("none");
    let [a, b, c] = ["one", "two", "three"].map(|content| test.write(content));
    linked(&test, &a, &b, RelationKind::SeeAlso);
    linked(&test, &a, &c, RelationKind::DerivedFrom);
    test.library.forget(&Task::new(), &Forget { id: a.clone(), ..Forget::default() }).unwrap();
    unlinked(&test, &a, &b, RelationKind::SeeAlso);
    unlinked(&test, &a, &c, RelationKind::DerivedFrom);
    assert_eq!(rows(&test, &b), []);
    let at_a = payload(&test.path(), &a);
    assert!(at_a["deleted_at"].is_string() && at_a["derived_from"].is_null());
    assert!(!rows(&test, &a).iter().any(|row| row.active));
    assert_eq!(test.library.status(&Task::new()).unwrap().counts.forgotten, 1);
}

#[test]
fn links_of_memories_without_stamps_get_one_when_they_go() {
    let test = TestLibrary::new("none");
    let b = test.write("two");
    let a = test.created(&Remember { see_also: vec![b.clone()], ..remember("one") });
    let mut bare = payload(&test.path(), &a);
    bare.as_object_mut().unwrap().remove("edges");
    let bytes = serde_json::to_vec(&bare).unwrap();
    let sql = "UPDATE memories SET payload = ?1 WHERE id = ?2";
    Connection::open(test.path()).unwrap().execute(sql, (bytes, &a)).unwrap();
    unlinked(&test, &b, &a, RelationKind::SeeAlso);
    let at_b = payload(&test.path(), &b);
    assert_eq!(at_b["edges"][0]["added_at"], at_b["created_at"]);
    assert!(at_b["edges"][0]["removed_at"].is_string());
}

#[test]
fn a_withdrawn_replacement_leaves_both_memories_current() {
    let test = TestLibrary::new(TEST_HASH);
    let old = test.write("deploys run on Friday");
    let new = test.created(&Remember { supersedes: Some(old.clone()), ..remember("deploys run on Monday") });
    let before = [content_of(&test, &old), content_of(&test, &new)];
    let reply = unsupersede(&test, "deploys run on Monday").unwrap();
    assert_eq!((reply.state, &reply.id, &reply.target_id), ("withdrawn", &new, &old));
    assert_eq!(reply.revived.iter().map(|one| &one.id).collect::<Vec<_>>(), [&old]);
    let [at_old, at_new] = [&old, &new].map(|id| payload(&test.path(), id));
    assert_eq!((&at_old["superseded_by"], &at_new["supersedes"]), (&Value::Null, &Value::Null));
    assert_eq!(at_new["edges"][0]["type"], "supersedes");
    assert!(at_new["edges"][0]["removed_at"].is_string());
    assert_eq!([content_of(&test, &old), content_of(&test, &new)], before);
    let recalled = test.recall("deploys run");
    assert_eq!(recalled.hits.iter().filter(|hit| hit.superseded_by.is_none()).count(), 2);
    // The old one can be replaced anew.
    test.created(&Remember { supersedes: Some(old), ..remember("deploys run daily") });
}

#[test]
fn the_hint_goes_over_to_a_competing_replacement() {
    let test = TestLibrary::new("none");
    let old = test.write("one");
    let first = test.created(&Remember { supersedes: Some(old.clone()), ..remember("two") });
    test.library.forget(&Task::new(), &Forget { id: first.clone(), ..Forget::default() }).unwrap();
    let second = test.created(&Remember { supersedes: Some(old.clone()), ..remember("three") });
    assert_eq!(payload(&test.path(), &old)["superseded_by"], second.as_str());
    let before = payload(&test.path(), &old);
    // By its exact id: it is forgotten. It replaced nothing any more, so the hint stays as it is.
    assert_eq!(unsupersede(&test, &first).unwrap().revived, []);
    assert_eq!(payload(&test.path(), &old), before);
    assert!(payload(&test.path(), &first)["deleted_at"].is_string());
}

#[test]
fn refusals_leave_the_file_as_it_was() {
    let test = TestLibrary::new(TEST_HASH);
    let [a, b] = ["pump", "valve"].map(|content| test.write(content));
    let gone = test.write("gone");
    test.library.forget(&Task::new(), &Forget { id: gone.clone(), ..Forget::default() }).unwrap();
    let diary = test.created(&Remember { importance: "trivial".into(), ..remember("rain") });
    for content in ["first", "second"] {
        test.created(&Remember { title: Some("Twin".into()), force: true, ..remember(content) });
    }
    let see = RelationKind::SeeAlso;
    let before = test.dump();
    for (request, code, path) in [
        (link("nobody knows", &b, see), Code::MemoryUnknown, "id"),
        (link(&gone, &b, see), Code::MemoryUnknown, "id"),
        (link("Twin", &b, see), Code::TargetAmbiguous, "id"),
        (link(&diary, &b, see), Code::RelationTrivial, "id"),
        (link(&a, "nobody knows", see), Code::TargetUnknown, "target"),
        (link(&a, &gone, see), Code::TargetUnknown, "target"),
        (link(&a, "Twin", see), Code::TargetAmbiguous, "target"),
        (link(&a, &diary, see), Code::RelationTrivial, "target"),
        (link(&a, "pump", see), Code::RelationSelf, "target"),
        (link(&a, &b, RelationKind::Supersedes), Code::ArgumentValue, "type"),
        (Link { device: "x".repeat((1 << 20) + 1), ..link(&a, &b, see) }, Code::LimitText, "device"),
    ] {
        assert_eq!(refused(test.library.link(&Task::new(), &request)), (code, path.to_owned()));
        assert_eq!(test.dump(), before, "link {path} {}", code.name());
    }
    for (request, code, path) in [
        (link("nobody knows", &b, see), Code::MemoryUnknown, "id"),
        (link("Twin", &b, see), Code::TargetAmbiguous, "id"),
        (link(&a, "nobody knows", see), Code::TargetUnknown, "target"),
        (link(&a, "Twin", see), Code::TargetAmbiguous, "target"),
        (link(&a, &b, see), Code::RelationUnknown, "target"),
        (link(&a, &gone, RelationKind::Contradicts), Code::RelationUnknown, "target"),
        (link(&a, &b, RelationKind::Supersedes), Code::ArgumentValue, "type"),
    ] {
        assert_eq!(refused(test.library.unlink(&Task::new(), &request)), (code, path.to_owned()));
        assert_eq!(test.dump(), before, "unlink {path} {}", code.name());
    }
    for (id, code) in [
        ("nobody knows", Code::MemoryUnknown),
        ("Twin", Code::TargetAmbiguous),
        (a.as_str(), Code::RelationUnknown),
        (gone.as_str(), Code::RelationUnknown),
    ] {
        assert_eq!(refused(unsupersede(&test, id)), (code, "id".to_owned()));
        assert_eq!(test.dump(), before, "unsupersede {}", code.name());
    }
    let cancelled = Task::new();
    cancelled.cancel();
    assert_eq!(refused(test.library.link(&cancelled, &link(&a, &b, see))).0, Code::CallCancelled);
    assert_eq!(test.dump(), before);
}

#[test]
fn an_abort_at_any_write_leaves_nothing_of_it() {
    let test = TestLibrary::new("none");
    let [a, b] = ["one", "two"].map(|content| test.write(content));
    let new = test.created(&Remember { supersedes: Some(a.clone()), ..remember("three") });
    let task = Task::new();
    let see = RelationKind::SeeAlso;
    support::abort_at_every_write(&test, 3, || test.library.link(&task, &link(&a, &b, see)).map(|_| ()));
    support::abort_at_every_write(&test, 3, || test.library.unlink(&task, &link(&b, &a, see)).map(|_| ()));
    support::abort_at_every_write(&test, 3, || unsupersede(&test, &new).map(|_| ()));
    assert_eq!(rows(&test, &a), []);
}
