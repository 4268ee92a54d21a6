//! Opening connections: which file, which pragmas.

use std::time::{Duration, Instant};

use corecall_types::{Error, Result, Task};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::failure::{failure, is_busy};
use super::gate::PATIENCE;

/// The path of a library without a file.
pub(crate) const MEMORY: &str = ":memory:";

/// What a connection is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Reads, never writes.
    Read,
    /// Writes that are durable once they are acknowledged.
    Write,
    /// Statistics: losing the last ones to a power failure is no loss.
    Count,
}

/// Opens the file; `create` makes it if it isn't there. Nothing is read from it yet.
pub(super) fn connect(path: &str, purpose: Purpose, create: bool) -> Result<Connection> {
    let mut flags = OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_EXRESCODE;
    flags |= match purpose {
        Purpose::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
        Purpose::Write | Purpose::Count => OpenFlags::SQLITE_OPEN_READ_WRITE,
    };
    if create {
        flags |= OpenFlags::SQLITE_OPEN_CREATE;
    }
    let connection = Connection::open_with_flags(path, flags).map_err(failure)?;
    set_up(&connection, purpose).map_err(failure)?;
    Ok(connection)
}

fn set_up(connection: &Connection, purpose: Purpose) -> rusqlite::Result<()> {
    connection.busy_timeout(PATIENCE)?;
    connection.set_prepared_statement_cache_capacity(32);
    // A file from a stranger may hold a schema that runs code of its own.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    let synchronous = if purpose == Purpose::Count { "NORMAL" } else { "FULL" };
    connection.pragma_update(None, "synchronous", synchronous)?;
    connection.pragma_update(None, "fullfsync", cfg!(target_os = "macos"))?;
    connection.pragma_update(None, "checkpoint_fullfsync", cfg!(target_os = "macos"))?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // Answers with its new value; what was deleted must not stay readable in free pages.
    connection.pragma_update_and_check(None, "secure_delete", true, |_| Ok(()))
}

/// Repeats `attempt` while the file is locked: until `deadline`, or until the call is cancelled.
pub(super) fn patiently<T>(task: &Task, deadline: Instant, mut attempt: impl FnMut() -> Result<T>) -> Result<T> {
    loop {
        let error: Error = match attempt() {
            Ok(value) => return Ok(value),
            Err(error) => error,
        };
        if !is_busy(&error) || Instant::now() >= deadline {
            return Err(error);
        }
        task.check()?;
        // Some refusals come at once, without the pause of the busy time-out.
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Makes a new file readable by its owner only. What is already there, or can't be made, is left to `connect`.
pub(super) fn make_private(path: &str) {
    if path == MEMORY {
        return;
    }
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let _ = options.open(path);
}
