//! The one row that describes the library.

use corecall_types::Result;
use rusqlite::{Connection, params};

use super::failure::failure;

/// The newest payload this code writes; a file with newer ones is opened read-only.
pub(crate) const PAYLOAD_VERSION: u32 = 1;

/// What the file says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// Random, for good.
    pub library_id: [u8; 16],
    /// The identity of the embedding model of every vector inside.
    pub model: String,
    /// 0: payloads and index data are plain bytes.
    pub seal: u32,
    /// The newest payload inside.
    pub payload_version: u32,
    /// When it was made, in milliseconds since 1970.
    pub created_at: i64,
    /// Grows by one with every write.
    pub change_seq: u64,
}

pub(super) fn insert(connection: &Connection, header: &Header) -> Result<()> {
    let sql = "INSERT INTO library (one, library_id, model, seal, payload_version, created_at, change_seq)
               VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6)";
    let Header { library_id, model, seal, payload_version, created_at, change_seq } = header;
    let values = params![library_id, model, seal, payload_version, created_at, change_seq];
    connection.execute(sql, values).map_err(failure)?;
    Ok(())
}

pub(super) fn read(connection: &Connection) -> Result<Header> {
    let sql = "SELECT library_id, model, seal, payload_version, created_at, change_seq FROM library";
    connection
        .query_row(sql, [], |row| {
            Ok(Header {
                library_id: row.get(0)?,
                model: row.get(1)?,
                seal: row.get(2)?,
                payload_version: row.get(3)?,
                created_at: row.get(4)?,
                change_seq: row.get(5)?,
            })
        })
        .map_err(failure)
}

pub(super) fn change_seq(connection: &Connection) -> Result<u64> {
    let mut statement = connection.prepare_cached("SELECT change_seq FROM library").map_err(failure)?;
    statement.query_row([], |row| row.get(0)).map_err(failure)
}

pub(super) fn set_change_seq(connection: &Connection, change_seq: u64) -> Result<()> {
    let mut statement = connection.prepare_cached("UPDATE library SET change_seq = ?1").map_err(failure)?;
    statement.execute([change_seq]).map_err(failure)?;
    Ok(())
}
