//! The layout of the file and the steps that led to it. README.md of this crate draws it.

use corecall_types::{Code, Error, Result};
use rusqlite::{Connection, TransactionBehavior};

use super::failure::{corrupt, failure};
use super::header::{self, Header};

/// Marks the file as a library in the header of SQLite: `CoRc`.
pub(crate) const APPLICATION_ID: i32 = 0x436f_5263;

/// The version this code writes.
pub const VERSION: u32 = MIGRATIONS.len() as u32;

/// The step at index `i` leads from version `i` to `i + 1`; each is one transaction. Never edited once released.
const MIGRATIONS: &[&str] = &[VERSION_1];

/// In the clear: ids, times, flags, counters. What is derived from text is in `payload` and `index_data` only.
const VERSION_1: &str = "
CREATE TABLE library (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  library_id BLOB NOT NULL CHECK (length(library_id) = 16),
  model TEXT NOT NULL,
  seal INTEGER NOT NULL,
  payload_version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  change_seq INTEGER NOT NULL
) STRICT;

CREATE TABLE memories (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted INTEGER NOT NULL CHECK (deleted IN (0, 1)),
  change_seq INTEGER NOT NULL,
  payload BLOB NOT NULL,
  index_data BLOB NOT NULL
) STRICT;

CREATE INDEX memories_by_change ON memories (change_seq);

CREATE TABLE recall_state (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  seq INTEGER NOT NULL
) STRICT;

CREATE TABLE recall_pairs (
  a TEXT NOT NULL,
  b TEXT NOT NULL,
  n INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (a, b),
  CHECK (a < b)
) STRICT, WITHOUT ROWID;

CREATE INDEX recall_pairs_by_a ON recall_pairs (a, n);
CREATE INDEX recall_pairs_by_b ON recall_pairs (b, n);

CREATE TABLE recall_counts (
  id TEXT PRIMARY KEY,
  n INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO recall_state (one, seq) VALUES (1, 0);
";

/// What a file is before it is opened as a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Empty: a library can be made in it.
    Fresh,
    /// A library of this version, which this code reads.
    Library(u32),
}

/// Looks at a file without changing it. `store.corrupt` for what is no library, `store.newer` for one from the future.
pub(super) fn state(connection: &Connection) -> Result<State> {
    // One statement, so that a library that is being made at this moment is seen whole or not at all.
    let sql = "SELECT a.application_id, v.user_version, (SELECT count(*) FROM sqlite_schema)
               FROM pragma_application_id AS a, pragma_user_version AS v";
    let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    let (application_id, version, objects): (i64, i64, i64) = connection.query_row(sql, [], read).map_err(failure)?;
    if application_id == i64::from(APPLICATION_ID) {
        return match u32::try_from(version) {
            Ok(version @ 1..=VERSION) => Ok(State::Library(version)),
            Ok(1..) => Err(newer(version)),
            _ => Err(corrupt("the file's schema version is damaged")),
        };
    }
    match (application_id, version, objects) {
        (0, 0, 0) => Ok(State::Fresh),
        _ => Err(Error::new(Code::StoreCorrupt, "the file is a database but no library; choose another path")),
    }
}

/// Makes the library in an empty file, in one transaction; whoever comes second finds it made.
pub(super) fn create(connection: &mut Connection, header: &Header) -> Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failure)?;
    if state(&transaction)? == State::Fresh {
        for migration in MIGRATIONS {
            transaction.execute_batch(migration).map_err(failure)?;
        }
        header::insert(&transaction, header)?;
        set_version(&transaction, VERSION)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID).map_err(failure)?;
    }
    transaction.commit().map_err(failure)
}

/// Brings an older library to this version, each step in a transaction of its own.
pub(super) fn migrate(connection: &mut Connection) -> Result<()> {
    migrate_by(connection, MIGRATIONS)
}

fn migrate_by(connection: &mut Connection, migrations: &[&str]) -> Result<()> {
    loop {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failure)?;
        let version: u32 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(failure)?;
        let Some(migration) = migrations.get(version as usize) else { return Ok(()) };
        transaction.execute_batch(migration).map_err(failure)?;
        set_version(&transaction, version + 1)?;
        transaction.commit().map_err(failure)?;
    }
}

fn set_version(connection: &Connection, version: u32) -> Result<()> {
    connection.pragma_update(None, "user_version", version).map_err(failure)
}

fn newer(version: i64) -> Error {
    let message =
        format!("the file has schema version {version}, this library reads up to {VERSION}; upgrade corecall");
    Error::new(Code::StoreNewer, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables(connection: &Connection) -> i64 {
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn migrations_run_once_and_in_order() {
        let steps = ["CREATE TABLE a (x)", "ALTER TABLE a ADD COLUMN y", "CREATE INDEX i ON a (y)"];
        let mut connection = Connection::open_in_memory().unwrap();
        migrate_by(&mut connection, &steps[..1]).unwrap();
        migrate_by(&mut connection, &steps).unwrap();
        migrate_by(&mut connection, &steps).unwrap();
        let version: u32 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
        assert_eq!((version, tables(&connection)), (3, 2));
    }

    #[test]
    fn a_failed_migration_leaves_the_version_before_it() {
        let steps = ["CREATE TABLE a (x)", "CREATE TABLE b (x); CREATE TABLE a (x)"];
        let mut connection = Connection::open_in_memory().unwrap();
        assert!(migrate_by(&mut connection, &steps).is_err());
        let version: u32 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
        assert_eq!((version, tables(&connection)), (1, 1));
    }
}
