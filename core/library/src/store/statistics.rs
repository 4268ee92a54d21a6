//! The tables of co-recall. They have a counter of their own and never touch `change_seq`.

use corecall_types::Result;
use rusqlite::{Connection, params};

use super::failure::failure;

/// So many partners a memory keeps.
const PARTNERS_MAX: i64 = 64;

/// A pair that touches a memory, with the recall count of the other one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoredPair {
    /// The other memory.
    pub partner: String,
    /// How often both were among the first hits.
    pub n: u64,
    /// How often the partner was a final hit.
    pub partner_recalls: u64,
}

/// The pairs of a memory that were counted at least `least` times, in no order.
pub(super) fn pairs_of(connection: &Connection, id: &str, least: u64) -> Result<Vec<StoredPair>> {
    // Both halves read an index only, and of it only the pairs that are often enough.
    let sql = "SELECT p.b, p.n, coalesce(c.n, 0) FROM recall_pairs AS p INDEXED BY recall_pairs_by_a
               LEFT JOIN recall_counts AS c ON c.id = p.b WHERE p.a = ?1 AND p.n >= ?2
               UNION ALL
               SELECT p.a, p.n, coalesce(c.n, 0) FROM recall_pairs AS p INDEXED BY recall_pairs_by_b
               LEFT JOIN recall_counts AS c ON c.id = p.a WHERE p.b = ?1 AND p.n >= ?2";
    let mut statement = connection.prepare_cached(sql).map_err(failure)?;
    let rows = statement
        .query_map(params![id, least], |row| {
            Ok(StoredPair { partner: row.get(0)?, n: row.get(1)?, partner_recalls: row.get(2)? })
        })
        .map_err(failure)?;
    rows.collect::<rusqlite::Result<_>>().map_err(failure)
}

/// Counts one recall: every hit once, every pair of `together` once; then each keeps its best partners only.
pub(super) fn count(connection: &Connection, hits: &[String], together: &[String]) -> Result<()> {
    let seq = next_seq(connection)?;
    for id in hits {
        let sql = "INSERT INTO recall_counts (id, n) VALUES (?1, 1) ON CONFLICT (id) DO UPDATE SET n = n + 1";
        run(connection, sql, params![id])?;
    }
    for (index, one) in together.iter().enumerate() {
        for other in &together[index + 1..] {
            let (a, b) = if one < other { (one, other) } else { (other, one) };
            let sql = "INSERT INTO recall_pairs (a, b, n, seq) VALUES (?1, ?2, 1, ?3)
                       ON CONFLICT (a, b) DO UPDATE SET n = n + 1, seq = ?3";
            run(connection, sql, params![a, b, seq])?;
        }
    }
    if together.len() > 1 {
        together.iter().try_for_each(|id| forget_worst(connection, id, seq))?;
    }
    Ok(())
}

/// While a memory has too many partners, the one with the least `n`, then the least recent, leaves; never one that
/// was counted just now.
fn forget_worst(connection: &Connection, id: &str, seq: i64) -> Result<()> {
    let sql =
        "SELECT (SELECT count(*) FROM recall_pairs WHERE a = ?1) + (SELECT count(*) FROM recall_pairs WHERE b = ?1)";
    let mut statement = connection.prepare_cached(sql).map_err(failure)?;
    let partners: i64 = statement.query_row([id], |row| row.get(0)).map_err(failure)?;
    if partners <= PARTNERS_MAX {
        return Ok(());
    }
    let sql = "DELETE FROM recall_pairs WHERE (a, b) IN (
                 SELECT a, b FROM (SELECT a, b, n, seq FROM recall_pairs WHERE a = ?1
                                   UNION ALL SELECT a, b, n, seq FROM recall_pairs WHERE b = ?1)
                 WHERE seq < ?2 ORDER BY n, seq, a, b LIMIT ?3)";
    run(connection, sql, params![id, seq, partners - PARTNERS_MAX])
}

fn next_seq(connection: &Connection) -> Result<i64> {
    let sql = "UPDATE recall_state SET seq = seq + 1 RETURNING seq";
    let mut statement = connection.prepare_cached(sql).map_err(failure)?;
    statement.query_row([], |row| row.get(0)).map_err(failure)
}

fn run(connection: &Connection, sql: &str, values: impl rusqlite::Params) -> Result<()> {
    connection.prepare_cached(sql).and_then(|mut statement| statement.execute(values)).map_err(failure)?;
    Ok(())
}
