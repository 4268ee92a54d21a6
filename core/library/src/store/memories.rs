//! The rows of memories: clear columns, payload, index data.

use corecall_types::Result;
use rusqlite::{Connection, OptionalExtension, params};

use super::failure::failure;

/// One memory as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoredMemory {
    pub id: String,
    /// Milliseconds since 1970.
    pub created_at: i64,
    /// Milliseconds since 1970.
    pub updated_at: i64,
    /// A tombstone.
    pub deleted: bool,
    /// The memory as JSON.
    pub payload: Vec<u8>,
    /// Its vector with the model's identity.
    pub index_data: Vec<u8>,
}

pub(super) fn insert(connection: &Connection, memory: &StoredMemory, change_seq: u64) -> Result<()> {
    let sql = "INSERT INTO memories (id, created_at, updated_at, deleted, change_seq, payload, index_data)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let StoredMemory { id, created_at, updated_at, deleted, payload, index_data } = memory;
    let values = params![id, created_at, updated_at, deleted, change_seq, payload, index_data];
    connection.prepare_cached(sql).and_then(|mut statement| statement.execute(values)).map_err(failure)?;
    Ok(())
}

/// Everything of a memory but its id, its time of making and its index data.
pub(super) fn rewrite(
    connection: &Connection,
    id: &str,
    updated_at: i64,
    deleted: bool,
    payload: &[u8],
    change_seq: u64,
) -> Result<()> {
    let sql = "UPDATE memories SET updated_at = ?2, deleted = ?3, change_seq = ?4, payload = ?5 WHERE id = ?1";
    let values = params![id, updated_at, deleted, change_seq, payload];
    connection.prepare_cached(sql).and_then(|mut statement| statement.execute(values)).map_err(failure)?;
    Ok(())
}

/// The index data of a memory whose text changed, written beside [`rewrite`].
pub(super) fn reindex(connection: &Connection, id: &str, index_data: &[u8]) -> Result<()> {
    let mut statement =
        connection.prepare_cached("UPDATE memories SET index_data = ?2 WHERE id = ?1").map_err(failure)?;
    statement.execute(params![id, index_data]).map_err(failure)?;
    Ok(())
}

/// The payload of a memory.
pub(super) fn payload(connection: &Connection, id: &str) -> Result<Option<Vec<u8>>> {
    let sql = "SELECT payload FROM memories WHERE id = ?1";
    let mut statement = connection.prepare_cached(sql).map_err(failure)?;
    statement.query_row([id], |row| row.get(0)).optional().map_err(failure)
}

/// Passes every memory changed after `change_seq` on, in the order of the changes.
pub(super) fn changed_since(
    connection: &Connection,
    change_seq: u64,
    each: &mut dyn FnMut(StoredMemory) -> Result<()>,
) -> Result<()> {
    let sql = "SELECT id, created_at, updated_at, deleted, payload, index_data FROM memories
               WHERE change_seq > ?1 ORDER BY change_seq, row";
    let mut statement = connection.prepare_cached(sql).map_err(failure)?;
    let mut rows = statement.query([change_seq]).map_err(failure)?;
    while let Some(row) = rows.next().map_err(failure)? {
        let memory = read(row).map_err(failure)?;
        each(memory)?;
    }
    Ok(())
}

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<StoredMemory> {
    Ok(StoredMemory {
        id: row.get(0)?,
        created_at: row.get(1)?,
        updated_at: row.get(2)?,
        deleted: row.get(3)?,
        payload: row.get(4)?,
        index_data: row.get(5)?,
    })
}
