//! Co-recall evidence: counted off the recall's path, once a minute, within bounds.

mod support;

use std::time::Duration;

use corecall_library::{Library, OpenConfig, Options, Recall, Remember, StatisticsCounters};
use corecall_policy::Relation;
use corecall_types::{Code, Task};
use rusqlite::Connection;
use support::{TestLibrary, ids, open, recall, refused, remember};

fn pairs(test: &TestLibrary) -> Vec<(String, String, i64)> {
    let connection = Connection::open(test.path()).unwrap();
    let mut statement = connection.prepare("SELECT a, b, n FROM recall_pairs ORDER BY a, b").unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    rows.map(Result::unwrap).collect()
}

fn count_of(test: &TestLibrary, id: &str) -> Option<i64> {
    let connection = Connection::open(test.path()).unwrap();
    connection.query_row("SELECT n FROM recall_counts WHERE id = ?1", [id], |row| row.get(0)).ok()
}

fn counters(library: &Library) -> StatisticsCounters {
    library.status(&Task::new()).unwrap().statistics
}

#[test]
fn the_first_five_hits_form_pairs_and_every_hit_counts() {
    let test = TestLibrary::new("none");
    for n in 0..7 {
        test.write(&format!("lynx {n}"));
    }
    let recalled = test.recall("lynx");
    let hits = ids(&recalled);
    test.flush();
    let pairs = pairs(&test);
    assert_eq!((hits.len(), pairs.len()), (7, 10));
    assert!(pairs.iter().all(|(a, b, n)| a < b && *n == 1));
    assert!(pairs.iter().all(|(a, b, _)| hits[..5].contains(&a.as_str()) && hits[..5].contains(&b.as_str())));
    assert!(hits.iter().all(|id| count_of(&test, id) == Some(1)));
}

#[test]
fn the_same_recall_within_a_minute_counts_once() {
    let test = TestLibrary::new("none");
    let (a, b) = (test.write("lynx one"), test.write("lynx two"));
    let n = |test: &TestLibrary| {
        test.flush();
        (pairs(test)[0].2, count_of(test, &a).unwrap(), count_of(test, &b).unwrap())
    };
    test.recall("lynx");
    test.sources.advance(Duration::from_millis(59_999));
    test.recall("lynx");
    assert_eq!(n(&test), (1, 1, 1));
    test.recall("a lynx");
    assert_eq!(n(&test), (2, 2, 2));
    test.sources.advance(Duration::from_millis(1));
    test.recall("lynx");
    assert_eq!(n(&test), (3, 3, 3));
}

#[test]
fn statistics_leave_the_memories_and_their_sequence_alone() {
    let test = TestLibrary::new("none");
    test.write("lynx one");
    test.write("lynx two");
    let without_statistics =
        |dump: String| dump.lines().filter(|line| !line.starts_with("recall_")).map(str::to_owned).collect::<Vec<_>>();
    let before = without_statistics(test.dump());
    test.recall("lynx");
    test.flush();
    assert_eq!(pairs(&test).len(), 1);
    assert_eq!(without_statistics(test.dump()), before);
}

#[test]
fn pairs_bring_associations_and_counts_weigh_them() {
    let test = TestLibrary::new("none");
    let source = test.write("lynx");
    let rare = test.write("wren");
    let common = test.write("crow");
    // The crow is recalled with everything, the wren with the lynx only.
    for (round, texts) in
        ["lynx wren", "lynx crow", "wren lynx", "crow lynx", "crow lynx", "crow", "crow", "crow"].iter().enumerate()
    {
        test.recall(&format!("{texts} {}", "x".repeat(round + 1)));
        test.flush();
    }
    assert_eq!((count_of(&test, &rare), count_of(&test, &common)), (Some(2), Some(6)));
    let shown = |request: Recall| {
        let related = test.recall_by(&request).related;
        assert!(related.iter().all(|one| one.relation == Relation::CoRecall && one.source_id == source));
        related.into_iter().map(|one| one.id).collect::<Vec<_>>()
    };
    // 2²/2 for the wren, 3²/6 for the crow.
    assert_eq!(shown(recall("lynx")), [rare.clone(), common.clone()]);
    let mut strict = recall("lynx");
    strict.related_settings.pair_min = 3;
    assert_eq!(shown(strict), [common]);
}

#[test]
fn associations_never_feed_the_evidence() {
    let test = TestLibrary::new("none");
    let old = test.write("lynx");
    let new = test.created(&Remember { supersedes: Some(old.clone()), ..remember("bobcat") });
    let recalled = test.recall("lynx");
    assert_eq!((ids(&recalled), recalled.related[0].id.as_str()), (vec![old.as_str()], new.as_str()));
    test.flush();
    assert_eq!((pairs(&test).len(), count_of(&test, &new)), (0, None));
}

#[test]
fn a_memory_keeps_its_64_best_partners() {
    let test = TestLibrary::new("none");
    let centre = test.write("centre");
    // Words of their own: a number would be searched apart.
    let word = |n: usize| format!("partner{}", "abcdefghijk".chars().nth(n / 11).unwrap()) + &"z".repeat(n % 11);
    let partners: Vec<String> = (0..66).map(|n| test.write(&word(n))).collect();
    let recall_with = |n: usize, round: &str| {
        let recalled = test.recall(&format!("centre {} {round}", word(n)));
        assert_eq!(recalled.hits.len(), 2);
        test.flush();
    };
    // All but the first and the third are counted twice.
    for n in 0..64 {
        recall_with(n, "once");
        if n != 0 && n != 2 {
            recall_with(n, "twice");
        }
    }
    assert_eq!(pairs(&test).len(), 64);
    let has = |n: usize| pairs(&test).iter().any(|(a, b, _)| *a == centre && *b == partners[n]);
    // The newcomers have as few as the first, but stay: they were counted just now.
    recall_with(64, "once");
    assert_eq!((pairs(&test).len(), has(0), has(2), has(64)), (64, false, true, true));
    recall_with(65, "once");
    assert_eq!((pairs(&test).len(), has(2), has(64), has(65)), (64, false, true, true));
}

#[test]
fn recall_does_not_wait_and_a_full_queue_turns_away() {
    let test = TestLibrary::new("none");
    test.write("lynx");
    // Another program holds the write lock: nothing can be stored now.
    let blocker = Connection::open(test.path()).unwrap();
    blocker.execute_batch("BEGIN IMMEDIATE").unwrap();
    for n in 0..40 {
        test.recall(&format!("lynx {n}"));
    }
    let full = counters(&test.library);
    assert_eq!((full.pending, full.enqueued, full.rejected, full.persisted), (16, 16, 24, 0));
    blocker.execute_batch("ROLLBACK").unwrap();
    test.flush();
    let done = counters(&test.library);
    assert_eq!((done.pending, done.enqueued, done.rejected, done.persisted, done.failed), (0, 16, 24, 16, 0));
}

#[test]
fn close_stores_what_is_pending_or_gives_up() {
    let test = TestLibrary::new("none");
    let id = test.write("lynx");
    let second = test.open_again();
    second.recall(&Task::new(), &recall("lynx")).unwrap();
    second.close().unwrap();
    assert_eq!(count_of(&test, &id), Some(1));

    let blocker = Connection::open(test.path()).unwrap();
    blocker.execute_batch("BEGIN IMMEDIATE").unwrap();
    let third = test.open_again();
    third.recall(&Task::new(), &recall("lynx")).unwrap();
    third.close().unwrap();
    blocker.execute_batch("ROLLBACK").unwrap();
    assert_eq!(count_of(&test, &id), Some(1));
}

#[test]
fn a_failure_is_counted_and_the_next_evidence_is_stored() {
    let test = TestLibrary::new("none");
    let id = test.write("lynx");
    let connection = Connection::open(test.path()).unwrap();
    let trigger = "CREATE TRIGGER no AFTER INSERT ON recall_counts BEGIN SELECT RAISE(ABORT, 'no'); END";
    connection.execute_batch(trigger).unwrap();
    test.recall("lynx");
    test.flush();
    assert_eq!((counters(&test.library).failed, count_of(&test, &id)), (1, None));
    connection.execute_batch("DROP TRIGGER no").unwrap();
    test.recall("the lynx");
    test.flush();
    assert_eq!((counters(&test.library).persisted, count_of(&test, &id)), (1, Some(1)));
}

#[test]
fn a_library_in_memory_counts_too() {
    let sources = support::TestSources::new();
    let library = open(":memory:".as_ref(), None, &sources).unwrap();
    for content in ["lynx one", "lynx two"] {
        support::created(&library, &Remember { force: true, ..remember(content) });
    }
    let task = Task::new();
    for text in ["lynx", "lynx one"] {
        library.recall(&task, &Recall { limit: 2, ..recall(text) }).unwrap();
        library.statistics_flush(&task).unwrap();
    }
    assert_eq!(counters(&library).persisted, 2);
    let related = library.recall(&task, &Recall { limit: 1, ..recall("lynx") }).unwrap().related;
    assert_eq!(related[0].relation, Relation::CoRecall);
}

#[test]
fn a_read_only_library_counts_nothing() {
    let test = TestLibrary::new("none");
    test.write("lynx");
    let path = test.path().to_str().unwrap().to_owned();
    let config = OpenConfig { path, read_only: true, ..OpenConfig::default() };
    let library = Library::open_with(&config, Options::default()).unwrap();
    let task = Task::new();
    assert_eq!(library.recall(&task, &recall("lynx")).unwrap().hits.len(), 1);
    library.statistics_flush(&task).unwrap();
    assert_eq!(counters(&library), StatisticsCounters::default());
    assert_eq!(refused(library.remember(&task, &remember("x"))).0, Code::StoreReadOnly);
}
