//! What SQLite says, as errors of the library.

use corecall_types::{Code, Error};
use rusqlite::ErrorCode;

/// The error for a failed statement. Its message has the numbers of SQLite only: its texts may hold a path.
#[allow(clippy::needless_pass_by_value)] // for `map_err`
pub(super) fn failure(error: rusqlite::Error) -> Error {
    use rusqlite::Error as Sql;
    match &error {
        Sql::SqliteFailure(inner, _) => from_code(inner.code, inner.extended_code),
        Sql::SqlInputError { error, .. } => from_code(error.code, error.extended_code),
        Sql::FromSqlConversionFailure(..)
        | Sql::IntegralValueOutOfRange(..)
        | Sql::InvalidColumnType(..)
        | Sql::Utf8Error(..)
        | Sql::QueryReturnedNoRows => corrupt("a value in the file has the wrong form"),
        _ => Error::new(Code::EngineFailure, "the store refused a statement; please report this"),
    }
}

/// `store.corrupt` with what to do.
pub(super) fn corrupt(what: &str) -> Error {
    Error::new(Code::StoreCorrupt, format!("{what}; restore the file from a backup"))
}

/// Whether waiting may help.
pub(super) fn is_busy(error: &Error) -> bool {
    error.code == Code::StoreLocked
}

/// `store.locked` with what to do.
pub(super) fn locked() -> Error {
    Error::new(Code::StoreLocked, "another writer holds the file; try again later")
}

fn from_code(code: ErrorCode, extended: i32) -> Error {
    match code {
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => locked(),
        ErrorCode::NotADatabase => corrupt("the file is no library"),
        ErrorCode::DatabaseCorrupt => corrupt(&format!("the file is damaged (SQLite {extended})")),
        ErrorCode::OutOfMemory => Error::new(Code::AllocationFailed, "not enough memory for the store"),
        ErrorCode::ReadOnly => Error::new(Code::StoreIo, format!("the file can't be written (SQLite {extended})")),
        ErrorCode::CannotOpen
        | ErrorCode::SystemIoFailure
        | ErrorCode::DiskFull
        | ErrorCode::PermissionDenied
        | ErrorCode::NoLargeFileSupport
        | ErrorCode::FileLockingProtocolFailed => {
            let message = format!("the file can't be opened, read or written (SQLite {extended}); check path and disk");
            Error::new(Code::StoreIo, message)
        }
        _ => Error::new(Code::EngineFailure, format!("the store failed (SQLite {extended}); please report this")),
    }
}
