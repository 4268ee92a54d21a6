//! Threads, handles and processes share a file: every read sees one whole state, every write is on top of the last.

mod support;

use std::collections::HashSet;
use std::process::Command;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use corecall_library::{Library, OpenConfig, Options, Recall, Remember, Show};
use corecall_types::{Code, Task};
use rusqlite::Connection;
use support::{TEST_HASH, TestLibrary, ids, recall, refused, remember};

/// Readers recall while a writer replaces one memory again and again: whatever they see belongs together.
fn read_while_writing(reader: &Library, writer: &Library, first: &str) {
    let done = AtomicBool::new(false);
    let started = Barrier::new(4);
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                started.wait();
                let mut seen = 0;
                loop {
                    let last = done.load(Ordering::SeqCst);
                    let request = Recall { limit: 100, ..recall("lynx count") };
                    let recalled = reader.recall(&Task::new(), &request).unwrap();
                    // In a whole state exactly one version is current, and every other one names it.
                    let current: Vec<_> = recalled.hits.iter().filter(|hit| hit.superseded_by.is_none()).collect();
                    assert_eq!(current.len(), 1);
                    let newest = Some(&current[0].id);
                    assert!(
                        recalled.hits.iter().all(|hit| hit.id == current[0].id || hit.superseded_by.as_ref() == newest)
                    );
                    // What was seen once is never missing again.
                    assert!(recalled.hits.len() >= seen);
                    seen = recalled.hits.len();
                    if last {
                        assert_eq!(seen, 41);
                        break;
                    }
                }
            });
        }
        started.wait();
        let mut last = first.to_owned();
        for n in 0..40 {
            let request = Remember { supersedes: Some(last.clone()), ..remember(&format!("lynx count {n}")) };
            last = support::created(writer, &request);
        }
        done.store(true, Ordering::SeqCst);
    });
}

#[test]
fn threads_read_while_one_writes() {
    let test = TestLibrary::new(TEST_HASH);
    let first = test.write("lynx count");
    read_while_writing(&test.library, &test.library, &first);
}

#[test]
fn handles_read_while_another_writes() {
    let test = TestLibrary::new(TEST_HASH);
    let first = test.write("lynx count");
    let writer = test.open_again();
    read_while_writing(&test.library, &writer, &first);
}

#[test]
fn writers_of_two_handles_lose_nothing() {
    let test = TestLibrary::new("none");
    let handles = [test.open_again(), test.open_again()];
    let written: Vec<String> = thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|n| {
                let library = &handles[n % 2];
                let write = move |m| {
                    let request = Remember { force: true, ..remember(&format!("lynx {n} {m}")) };
                    support::created(library, &request)
                };
                scope.spawn(move || (0..15).map(write).collect::<Vec<_>>())
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(written.iter().collect::<HashSet<_>>().len(), 60);
    let status = test.library.status(&Task::new()).unwrap();
    assert_eq!((status.counts.live, status.change_seq), (60, 60));
    let recalled = test.recall_by(&Recall { limit: 100, ..recall("lynx") });
    assert_eq!(recalled.hits.len(), 60);
}

/// The environment variable by which the test below starts itself as another process.
const PROCESS: &str = "CORECALL_TEST_PROCESS";

#[test]
fn writes_of_another_process_are_seen_at_once() {
    if let Ok(path) = std::env::var(PROCESS) {
        let library = Library::open(&OpenConfig { path, ..OpenConfig::default() }).unwrap();
        let old = library.recall(&Task::new(), &recall("lynx")).unwrap().hits[0].id.clone();
        support::created(&library, &Remember { supersedes: Some(old), ..remember("bobcat") });
        return;
    }
    let test = TestLibrary::new("none");
    let old = test.write("lynx");
    assert_eq!(test.recall("lynx").hits[0].superseded_by, None);
    let process = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "writes_of_another_process_are_seen_at_once"])
        .env(PROCESS, test.path())
        .output()
        .unwrap();
    assert!(process.status.success());
    let recalled = test.recall("lynx bobcat");
    assert_eq!(recalled.hits.len(), 2);
    let new = recalled.hits.iter().find(|hit| hit.id != old).unwrap();
    assert_eq!(test.library.show(&Task::new(), &Show { id: old }).unwrap().superseded_by.as_ref(), Some(&new.id));
}

#[test]
fn whoever_opens_a_new_file_first_makes_it_for_all() {
    for _ in 0..10 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("library");
        let started = Barrier::new(6);
        let opened: Vec<Library> = thread::scope(|scope| {
            let open = || {
                started.wait();
                support::open(&path, Some(TEST_HASH), &support::TestSources::new()).unwrap()
            };
            let threads: Vec<_> = (0..6).map(|_| scope.spawn(open)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let id = support::created(&opened[0], &remember("lynx"));
        assert!(
            opened.iter().all(|library| ids(&library.recall(&Task::new(), &recall("lynx")).unwrap()) == [id.as_str()])
        );
    }
}

#[test]
fn only_one_of_several_replacements_wins() {
    let test = TestLibrary::new("none");
    let old = test.write("lynx count is one");
    let handles = [test.open_again(), test.open_again()];
    let started = Barrier::new(6);
    let outcomes: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..6)
            .map(|n| {
                let request = Remember { supersedes: Some(old.clone()), ..remember(&format!("lynx count is {n}0")) };
                let (library, started) = (&handles[n % 2], &started);
                scope.spawn(move || {
                    started.wait();
                    library.remember(&Task::new(), &request)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let (won, lost): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
    assert_eq!(won.len(), 1);
    assert!(lost.into_iter().all(|outcome| outcome.unwrap_err().code == Code::RelationReplaced));
    let head = won.into_iter().next().unwrap().unwrap().id;
    assert_eq!(test.library.show(&Task::new(), &Show { id: old }).unwrap().superseded_by, head);
}

#[test]
fn a_lock_of_another_program_is_waited_for_and_then_busy() {
    let test = TestLibrary::new("none");
    let path = test.path().to_str().unwrap().to_owned();
    let config = OpenConfig { path, ..OpenConfig::default() };
    let hasty = Options { busy_timeout: Duration::from_millis(50), ..Options::default() };
    let library = Library::open_with(&config, hasty).unwrap();
    let blocker = Connection::open(test.path()).unwrap();
    blocker.execute_batch("BEGIN IMMEDIATE").unwrap();
    let outcome = library.remember(&Task::new(), &remember("lynx"));
    assert!(outcome.as_ref().is_err_and(|error| error.code.retryable()));
    assert_eq!(refused(outcome), (Code::StoreLocked, String::new()));
    // Reads don't wait.
    assert!(library.recall(&Task::new(), &recall("lynx")).unwrap().hits.is_empty());

    // A patient handle waits until it is cancelled or the lock is free.
    let task = Task::new();
    thread::scope(|scope| {
        let waiting = scope.spawn(|| test.library.remember(&task, &remember("lynx")));
        task.cancel();
        assert_eq!(refused(waiting.join().unwrap()).0, Code::CallCancelled);
    });
    thread::scope(|scope| {
        let waiting = scope.spawn(|| support::created(&test.library, &remember("lynx")));
        blocker.execute_batch("COMMIT").unwrap();
        let id = waiting.join().unwrap();
        assert_eq!(ids(&test.recall("lynx")), [id.as_str()]);
    });
}

#[test]
fn an_older_copy_put_in_place_is_read_as_it_is() {
    let test = TestLibrary::new("none");
    let kept = test.write("lynx one");
    let copy = test.folder.path().join("copy");
    Connection::open(test.path()).unwrap().execute("VACUUM INTO ?1", [copy.to_str().unwrap()]).unwrap();
    test.write("lynx two");
    assert_eq!(test.recall("lynx").hits.len(), 2);
    let source = Connection::open(&copy).unwrap();
    let mut target = Connection::open(test.path()).unwrap();
    put_in_place(&source, &mut target);
    assert_eq!(ids(&test.recall("lynx")), [kept.as_str()]);
    let third = test.write("lynx three");
    assert!(ids(&test.recall("lynx")).contains(&third.as_str()));
}

/// Puts the memories of one file in place of another's, sequence included.
fn put_in_place(source: &Connection, target: &mut Connection) {
    let path: String = source.path().unwrap().to_owned();
    target.execute("ATTACH ?1 AS old", [&path]).unwrap();
    let sql = "BEGIN IMMEDIATE;
               DELETE FROM main.memories; INSERT INTO main.memories SELECT * FROM old.memories;
               UPDATE main.library SET change_seq = (SELECT change_seq FROM old.library);
               COMMIT; DETACH old";
    target.execute_batch(sql).unwrap();
}
