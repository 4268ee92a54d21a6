//! What the tests of this folder share: a clock that stands still, short ways to write and recall, a dump of the file.
#![allow(dead_code)] // every test file uses a part of it

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use corecall_library::{Library, OpenConfig, Options, Recall, Recalled, Remember, Remembered, Sources, Stamp, Stamper};
use corecall_types::{Code, Error, Result, Task};
use rusqlite::Connection;
use rusqlite::types::ValueRef;

/// 2026-03-01T00:00:00Z.
pub const START: i64 = 1_772_323_200_000;

/// The embedder of most tests.
pub const TEST_HASH: &str = "test-hash:64";

/// A clock that moves by a millisecond with every stamp, and only then; chance that is the same every time.
pub struct TestSources {
    unix_millis: AtomicI64,
    monotonic_millis: AtomicU64,
    drawn: AtomicU64,
    stamper: Stamper,
}

impl TestSources {
    pub fn new() -> Arc<Self> {
        Arc::new(Self {
            unix_millis: AtomicI64::new(START),
            monotonic_millis: AtomicU64::new(0),
            drawn: AtomicU64::new(0),
            stamper: Stamper::new(),
        })
    }

    pub fn set_unix_millis(&self, unix_millis: i64) {
        self.unix_millis.store(unix_millis, Ordering::SeqCst);
    }

    /// Moves the clock that never goes back.
    pub fn advance(&self, time: Duration) {
        self.monotonic_millis.fetch_add(time.as_millis() as u64, Ordering::SeqCst);
    }
}

impl Sources for TestSources {
    fn stamp(&self) -> Stamp {
        let now = self.unix_millis.fetch_add(1, Ordering::SeqCst);
        self.stamper.stamp(now, self.random())
    }

    fn monotonic(&self) -> Duration {
        Duration::from_millis(self.monotonic_millis.load(Ordering::SeqCst))
    }

    fn random(&self) -> [u8; 16] {
        let drawn = self.drawn.fetch_add(1, Ordering::SeqCst) + 1;
        let mixed = u128::from(drawn).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        mixed.to_be_bytes()
    }
}

/// A library in a folder of its own; both go when it is dropped.
pub struct TestLibrary {
    pub library: Library,
    pub sources: Arc<TestSources>,
    pub folder: tempfile::TempDir,
}

impl TestLibrary {
    pub fn new(model: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let sources = TestSources::new();
        let library = open(&folder.path().join("library"), Some(model), &sources).unwrap();
        Self { library, sources, folder }
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("library")
    }

    /// Another handle on the same file.
    pub fn open_again(&self) -> Library {
        open(&self.path(), None, &self.sources).unwrap()
    }

    pub fn dump(&self) -> String {
        dump(&self.path())
    }

    pub fn write(&self, content: &str) -> String {
        self.created(&Remember { force: true, ..remember(content) })
    }

    pub fn created(&self, request: &Remember) -> String {
        created(&self.library, request)
    }

    pub fn recall(&self, text: &str) -> Recalled {
        self.recall_by(&recall(text))
    }

    pub fn recall_by(&self, request: &Recall) -> Recalled {
        self.library.recall(&Task::new(), request).unwrap()
    }

    pub fn flush(&self) {
        self.library.statistics_flush(&Task::new()).unwrap();
    }
}

pub fn open(path: &Path, model: Option<&str>, sources: &Arc<TestSources>) -> Result<Library> {
    let config =
        OpenConfig { path: path.to_str().unwrap().to_owned(), model: model.map(str::to_owned), read_only: false };
    open_config(&config, sources)
}

pub fn open_config(config: &OpenConfig, sources: &Arc<TestSources>) -> Result<Library> {
    let options = Options { sources: Arc::clone(sources) as Arc<dyn Sources>, ..Options::default() };
    Library::open_with(config, options)
}

pub fn remember(content: &str) -> Remember {
    Remember { content: content.to_owned(), ..Remember::default() }
}

pub fn recall(text: &str) -> Recall {
    Recall { text: text.to_owned(), ..Recall::default() }
}

pub fn remembered(library: &Library, request: &Remember) -> Remembered {
    library.remember(&Task::new(), request).unwrap()
}

pub fn created(library: &Library, request: &Remember) -> String {
    let remembered = remembered(library, request);
    assert_eq!((remembered.state, remembered.written), ("created", true), "{remembered:?}");
    remembered.id.unwrap()
}

pub fn ids(recalled: &Recalled) -> Vec<&str> {
    recalled.hits.iter().map(|hit| hit.id.as_str()).collect()
}

/// Code and path of a refusal.
pub fn refused<T>(outcome: Result<T>) -> (Code, String) {
    let Error { code, path, .. } = outcome.err().expect("it is refused");
    (code, path)
}

/// Everything in the file, row by row in the order of the keys: what a refusal must leave as it was.
pub fn dump(path: &Path) -> String {
    let connection = Connection::open(path).unwrap();
    let mut dump = String::new();
    for (table, key) in [
        ("library", "one"),
        ("memories", "id"),
        ("recall_state", "one"),
        ("recall_pairs", "a, b"),
        ("recall_counts", "id"),
        ("sqlite_schema", "name"),
    ] {
        let mut statement = connection.prepare(&format!("SELECT * FROM {table} ORDER BY {key}")).unwrap();
        let columns = statement.column_count();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let values: Vec<String> = (0..columns).map(|column| text(row.get_ref(column).unwrap())).collect();
            writeln!(dump, "{table}|{}", values.join("|")).unwrap();
        }
    }
    dump
}

fn text(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "null".to_owned(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        ValueRef::Blob(bytes) => format!("x'{}'", bytes.escape_ascii()),
    }
}

/// The payload of a memory, as it stands in the file.
pub fn payload(path: &Path, id: &str) -> serde_json::Value {
    let connection = Connection::open(path).unwrap();
    let sql = "SELECT payload FROM memories WHERE id = ?1";
    let bytes: Vec<u8> = connection.query_row(sql, [id], |row| row.get(0)).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

/// Runs a write again and again, aborted at its first row written, its second and so on: each time nothing of it may
/// be left. The time nothing aborts it any more it must succeed, after exactly `writes` rows.
pub fn abort_at_every_write(test: &TestLibrary, writes: usize, write: impl Fn() -> Result<()>) {
    let connection = Connection::open(test.path()).unwrap();
    let count = "CREATE TABLE crash_writes (n INTEGER); INSERT INTO crash_writes VALUES (0)";
    connection.execute_batch(count).unwrap();
    for aborted in 1.. {
        for table in ["memories", "library"] {
            for event in ["INSERT", "UPDATE", "DELETE"] {
                let trigger = format!(
                    "CREATE TRIGGER crash_{table}_{event} AFTER {event} ON {table} BEGIN
                     UPDATE crash_writes SET n = n + 1;
                     SELECT RAISE(ABORT, 'crash') FROM crash_writes WHERE n = {aborted}; END"
                );
                connection.execute_batch(&trigger).unwrap();
            }
        }
        let before = test.dump();
        let outcome = write();
        if outcome.is_err() {
            assert_eq!(refused(outcome), (Code::EngineFailure, String::new()), "write {aborted}");
            assert_eq!(test.dump(), before, "write {aborted}");
        } else {
            assert_eq!(aborted, writes + 1, "so many rows were written and one more");
        }
        for table in ["memories", "library"] {
            for event in ["INSERT", "UPDATE", "DELETE"] {
                connection.execute_batch(&format!("DROP TRIGGER crash_{table}_{event}")).unwrap();
            }
        }
        if aborted > writes {
            break;
        }
    }
    connection.execute_batch("DROP TABLE crash_writes").unwrap();
}
