//! What is refused or only proposed leaves the file as it was.

mod support;

use corecall_library::{Direction, Forget, Recall, Relations, Remember, Show};
use corecall_types::{Code, Task};
use support::{TEST_HASH, TestLibrary, recall, refused, remember};

/// A library with a replaced memory, its replacement, a diary line and two memories of one title.
struct Furnished {
    test: TestLibrary,
    old: String,
    new: String,
    diary: String,
}

fn furnished() -> Furnished {
    let test = TestLibrary::new(TEST_HASH);
    let old = test.write("Deploys go out on Friday");
    let new = test.created(&Remember { supersedes: Some(old.clone()), ..remember("Deploys go out on Monday") });
    let diary = test.created(&Remember { importance: "trivial".into(), ..remember("Rain all day") });
    for content in ["first of two", "second of two"] {
        test.created(&Remember { title: Some("Twin".into()), force: true, ..remember(content) });
    }
    Furnished { test, old, new, diary }
}

#[test]
fn a_refused_remember_writes_nothing() {
    let Furnished { test, old, new, diary } = furnished();
    let list = |id: &str| vec![id.to_owned()];
    let plain = remember("Something new about penguins");
    let cases = [
        (Remember { content: String::new(), ..plain.clone() }, Code::ArgumentRange, "content"),
        (Remember { content: "x".repeat((1 << 20) + 1), ..plain.clone() }, Code::LimitText, "content"),
        (Remember { kind: "rumour".into(), ..plain.clone() }, Code::ArgumentValue, "kind"),
        (Remember { importance: "huge".into(), ..plain.clone() }, Code::ArgumentValue, "importance"),
        (Remember { tags: vec!["a".into(), String::new()], ..plain.clone() }, Code::ArgumentRange, "tags[1]"),
        (Remember { vector: Some(vec![1.0]), ..plain.clone() }, Code::ArgumentConflict, "vector"),
        (Remember { supersedes: Some("nobody knows".into()), ..plain.clone() }, Code::TargetUnknown, "supersedes"),
        (Remember { supersedes: Some("Twin".into()), ..plain.clone() }, Code::TargetAmbiguous, "supersedes"),
        (Remember { supersedes: Some(old.clone()), ..plain.clone() }, Code::RelationReplaced, "supersedes"),
        (Remember { supersedes: Some(diary.clone()), ..plain.clone() }, Code::RelationTrivial, "supersedes"),
        (Remember { see_also: list(&diary), ..plain.clone() }, Code::RelationTrivial, "see_also[0]"),
        (Remember { contradicts: list("nobody knows"), ..plain.clone() }, Code::TargetUnknown, "contradicts[0]"),
        (Remember { derived_from: list(""), ..plain.clone() }, Code::TargetUnknown, "derived_from[0]"),
        (Remember { parent: Some("nobody knows".into()), ..plain.clone() }, Code::TargetUnknown, "parent"),
        (
            Remember { importance: "trivial".into(), see_also: list(&new), ..plain.clone() },
            Code::RelationTrivial,
            "importance",
        ),
        (
            Remember { supersedes: Some(new.clone()), expected_head: Some(old.clone()), ..plain.clone() },
            Code::RelationExpectedHead,
            "expected_head",
        ),
        (Remember { expected_head: Some(new.clone()), ..plain.clone() }, Code::ArgumentConflict, "expected_head"),
    ];
    let before = test.dump();
    for (request, code, path) in cases {
        assert_eq!(refused(test.library.remember(&Task::new(), &request)), (code, path.to_owned()));
        assert_eq!(test.dump(), before, "{path} {}", code.name());
    }
}

#[test]
fn a_replaced_target_is_named_with_its_head() {
    let Furnished { test, old, new, .. } = furnished();
    let newest = test.created(&Remember { supersedes: Some(new.clone()), ..remember("Deploys go out daily") });
    let request = Remember { supersedes: Some(old.clone()), ..remember("Deploys go out hourly") };
    let error = test.library.remember(&Task::new(), &request).unwrap_err();
    assert!(error.message.contains(&new) && error.message.contains(&newest), "{}", error.message);
}

#[test]
fn proposals_and_repeats_write_nothing() {
    let Furnished { test, old, new, .. } = furnished();
    let before = test.dump();
    let again = test.library.remember(&Task::new(), &remember("Deploys go out on Monday"));
    // In every field but its relations the same as the newest, so it is that one.
    assert_eq!(again.unwrap().id, Some(new.clone()));
    let near = Remember { project: "ops".into(), ..remember("Deploys go out on Monday") };
    let near = test.library.remember(&Task::new(), &near).unwrap();
    assert_eq!((near.state, near.written, near.id), ("candidates", false, None));
    assert_eq!(near.merge.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), [new.as_str()]);
    assert!(near.parent.iter().all(|one| one.id != old));
    assert_eq!(test.dump(), before);
}

#[test]
fn reads_and_refused_reads_write_nothing() {
    let Furnished { test, old, .. } = furnished();
    let before = test.dump();
    let task = Task::new();
    let unknown = || "nobody knows".to_owned();
    assert_eq!(refused(test.library.show(&task, &Show { id: unknown() })), (Code::MemoryUnknown, "id".into()));
    assert_eq!(refused(test.library.show(&task, &Show { id: "Twin".into() })), (Code::TargetAmbiguous, "id".into()));
    assert_eq!(
        refused(test.library.forget(&task, &Forget { id: unknown(), ..Forget::default() })),
        (Code::MemoryUnknown, "id".into())
    );
    for (request, code, path) in [
        (Recall { limit: 0, ..recall("x") }, Code::ArgumentRange, "limit"),
        (Recall { limit: 1001, ..recall("x") }, Code::ArgumentRange, "limit"),
        (Recall { min_score: 1.5, ..recall("x") }, Code::ArgumentRange, "min_score"),
        (Recall { min_score: f64::NAN, ..recall("x") }, Code::ArgumentRange, "min_score"),
        (Recall { since: Some("yesterday".into()), ..recall("x") }, Code::ArgumentValue, "since"),
        (Recall { until: Some("2026-03-01".into()), ..recall("x") }, Code::ArgumentValue, "until"),
        (Recall { vector: Some(vec![1.0]), ..recall("x") }, Code::ArgumentConflict, "vector"),
    ] {
        assert_eq!(refused(test.library.recall(&task, &request)), (code, path.to_owned()));
    }
    let mut settings = recall("x");
    settings.related_settings.max = 65;
    assert_eq!(
        refused(test.library.recall(&task, &settings)),
        (Code::ArgumentRange, "related_settings.max".to_owned())
    );
    let page = |limit, cursor: Option<&str>| {
        let cursor = cursor.map(str::to_owned);
        let request = Relations { id: old.clone(), kind: None, direction: Direction::Both, limit, cursor };
        test.library.relations(&task, &request)
    };
    assert_eq!(refused(page(0, None)), (Code::ArgumentRange, "limit".into()));
    assert_eq!(refused(page(10, Some("nonsense"))), (Code::ArgumentValue, "cursor".into()));
    test.recall("no such thing exists anywhere");
    test.library.status(&task).unwrap();
    assert_eq!(test.dump(), before);
}

#[test]
fn a_cancelled_write_writes_nothing() {
    let Furnished { test, new, .. } = furnished();
    let before = test.dump();
    let task = Task::new();
    task.cancel();
    let request = Remember { supersedes: Some(new.clone()), ..remember("Deploys go out at night") };
    assert_eq!(refused(test.library.remember(&task, &request)).0, Code::CallCancelled);
    assert_eq!(refused(test.library.forget(&task, &Forget { id: new, ..Forget::default() })).0, Code::CallCancelled);
    assert_eq!(refused(test.library.recall(&task, &recall("deploys"))).0, Code::CallCancelled);
    assert_eq!(test.dump(), before);
}
