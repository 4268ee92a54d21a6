//! Tombstones come, take along what was made from them alone, and go.

mod support;

use corecall_library::{Cascade, Forget, Forgotten, Recall, Remember, Restore, Restored};
use corecall_types::{Code, Result, Task};
use support::{TEST_HASH, TestLibrary, ids, payload, recall, refused, remember};

fn forget(id: &str) -> Forget {
    Forget { id: id.to_owned(), ..Forget::default() }
}

fn derived(id: &str) -> Forget {
    Forget { cascade: Some(Cascade::Derived), ..forget(id) }
}

fn forgotten(test: &TestLibrary, request: &Forget) -> Forgotten {
    test.library.forget(&Task::new(), request).unwrap()
}

fn restore(test: &TestLibrary, id: &str) -> Result<Restored> {
    test.library.restore(&Task::new(), &Restore { id: id.to_owned() })
}

fn names(named: &[corecall_library::Named]) -> Vec<&str> {
    named.iter().map(|one| one.title.as_str()).collect()
}

/// A source, what was made from it, what was made from that, and what has another source too.
fn made(test: &TestLibrary) -> [String; 5] {
    let source = test.write("raw log");
    let other = test.write("another log");
    let from = |sources: &[&String], content: &str| {
        let sources = sources.iter().map(|&id| id.clone()).collect();
        test.created(&Remember { derived_from: sources, ..remember(content) })
    };
    let summary = from(&[&source], "summary");
    let digest = from(&[&summary], "digest");
    let both = from(&[&source, &other], "comparison");
    [source, other, summary, digest, both]
}

#[test]
fn a_cascade_takes_along_what_has_no_other_source() {
    let test = TestLibrary::new(TEST_HASH);
    let [source, _, summary, digest, both] = made(&test);
    let before = test.dump();
    let told = forgotten(&test, &Forget { dry_run: true, ..derived("raw log") });
    assert_eq!((told.state, names(&told.derived)), ("dry_run", vec!["summary", "digest"]));
    assert_eq!(test.dump(), before);

    let done = forgotten(&test, &derived("raw log"));
    assert_eq!((done.state, &done.derived, &done.revived), ("forgotten", &told.derived, &told.revived));
    for id in [&source, &summary, &digest] {
        assert!(payload(&test.path(), id)["deleted_at"].is_string());
    }
    assert!(payload(&test.path(), &both)["deleted_at"].is_null());
    assert_eq!(ids(&test.recall("comparison digest summary raw")), [both.as_str()]);
}

#[test]
fn without_a_cascade_nothing_goes_along() {
    let test = TestLibrary::new("none");
    let [_, _, summary, ..] = made(&test);
    assert_eq!(forgotten(&test, &forget("raw log")).derived, []);
    assert!(payload(&test.path(), &summary)["deleted_at"].is_null());
}

#[test]
fn what_goes_along_gives_back_what_it_replaced() {
    let test = TestLibrary::new("none");
    let source = test.write("raw log");
    let old = test.write("old summary");
    let replacing = Remember { supersedes: Some(old), derived_from: vec![source.clone()], ..remember("new summary") };
    test.created(&replacing);
    let done = forgotten(&test, &derived(&source));
    assert_eq!((names(&done.derived), names(&done.revived)), (vec!["new summary"], vec!["old summary"]));
}

#[test]
fn a_restored_memory_is_whole_and_replaces_again() {
    let test = TestLibrary::new(TEST_HASH);
    let old = test.write("deploys run on Friday");
    let linked = test.write("the calendar");
    let request =
        Remember { supersedes: Some(old.clone()), see_also: vec![linked], ..remember("deploys run on Monday") };
    let new = test.created(&request);
    let before = payload(&test.path(), &new);
    assert_eq!(names(&forgotten(&test, &forget(&new)).revived), ["deploys run on Friday"]);
    let deleted_at = payload(&test.path(), &new)["deleted_at"].as_str().unwrap().to_owned();

    // Also under a clock that went back.
    test.sources.set_unix_millis(0);
    let reply = restore(&test, &new).unwrap();
    assert_eq!((reply.state, reply.written, &reply.superseded_by), ("restored", true, &None));
    assert_eq!(names(&reply.retired), ["deploys run on Friday"]);
    let mut after = payload(&test.path(), &new);
    assert!(after["restored_at"].as_str().unwrap() > deleted_at.as_str());
    let fields = after.as_object_mut().unwrap();
    fields.remove("restored_at");
    fields["updated_at"] = before["updated_at"].clone();
    assert_eq!(after, before);
    let recalled = test.recall_by(&Recall { limit: 1, ..recall("deploys run on Friday") });
    assert_eq!((recalled.hits[0].id.as_str(), recalled.hits[0].superseded_by.as_deref()), (&*old, Some(&*new)));
    assert_eq!(recalled.related[0].id, new);

    forgotten(&test, &forget(&new));
    let again = payload(&test.path(), &new);
    assert!(again["restored_at"].is_null() && again["deleted_at"].is_string());
}

#[test]
fn restoring_beside_a_competing_replacement_is_a_conflict_in_status() {
    let test = TestLibrary::new("none");
    let old = test.write("one");
    let first = test.created(&Remember { supersedes: Some(old.clone()), ..remember("two") });
    forgotten(&test, &forget(&first));
    let second = test.created(&Remember { supersedes: Some(old.clone()), ..remember("three") });
    let reply = restore(&test, &first).unwrap();
    assert_eq!((reply.state, reply.retired), ("restored", vec![]));
    let conflicts = test.library.status(&Task::new()).unwrap().conflicts;
    assert_eq!((conflicts.len(), &conflicts[0].target_id), (1, &old));
    assert_eq!(conflicts[0].claimant_ids, [second.clone(), first.clone()]);
    // The newest writer wins, as the contract says.
    assert_eq!(test.recall("one").hits[0].superseded_by.as_deref(), Some(&*second));
}

#[test]
fn a_replaced_tombstone_comes_back_replaced() {
    let test = TestLibrary::new("none");
    let old = test.write("one");
    forgotten(&test, &forget(&old));
    let before = test.dump();
    assert_eq!(refused(restore(&test, "one")), (Code::MemoryUnknown, "id".into()));
    assert_eq!(test.dump(), before);
    restore(&test, &format!("#{old}")).unwrap();
    let new = test.created(&Remember { supersedes: Some(old.clone()), ..remember("two") });
    forgotten(&test, &forget(&old));
    assert_eq!(restore(&test, &old).unwrap().superseded_by, Some(new));
}

#[test]
fn refusals_leave_the_file_as_it_was() {
    let test = TestLibrary::new("none");
    let [source, ..] = made(&test);
    let gone = test.write("gone");
    forgotten(&test, &forget(&gone));
    for content in ["first", "second"] {
        test.created(&Remember { title: Some("Twin".into()), force: true, ..remember(content) });
    }
    let before = test.dump();
    for (id, code) in
        [("nobody knows", Code::MemoryUnknown), ("Twin", Code::TargetAmbiguous), (gone.as_str(), Code::MemoryUnknown)]
    {
        for request in [forget(id), derived(id), Forget { dry_run: true, ..derived(id) }] {
            assert_eq!(refused(test.library.forget(&Task::new(), &request)), (code, "id".to_owned()));
            assert_eq!(test.dump(), before, "{}", code.name());
        }
    }
    for (id, code) in [("nobody knows", Code::MemoryUnknown), ("Twin", Code::TargetAmbiguous)] {
        assert_eq!(refused(restore(&test, id)), (code, "id".to_owned()));
        assert_eq!(test.dump(), before, "{}", code.name());
    }
    let live = restore(&test, &source).unwrap();
    assert_eq!((live.state, live.written), ("exists", false));
    assert_eq!(test.dump(), before);
}

#[test]
fn an_abort_at_any_write_leaves_nothing_of_it() {
    let test = TestLibrary::new("none");
    let [source, ..] = made(&test);
    let task = Task::new();
    support::abort_at_every_write(&test, 4, || test.library.forget(&task, &derived(&source)).map(|_| ()));
    support::abort_at_every_write(&test, 2, || restore(&test, &source).map(|_| ()));
}
