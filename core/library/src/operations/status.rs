//! `status`: counts, versions, conflicts, the statistics queue.

use corecall_policy::conflicts;
use corecall_types::{Result, Task};
use serde::Serialize;

use crate::Library;
use crate::library::Index;
use crate::store::SCHEMA_VERSION;

/// How many memories there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Not forgotten, trivial ones included.
    pub live: u64,
    /// Live diary lines.
    pub trivial: u64,
    /// Tombstones.
    pub forgotten: u64,
}

/// A memory that several live memories claim to replace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Conflict {
    /// The memory claimed; it may be forgotten.
    pub target_id: String,
    /// Who claims it, the winner first.
    pub claimant_ids: Vec<String>,
}

/// The statistics queue since the library was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StatisticsCounters {
    /// Waiting or being written.
    pub pending: u64,
    /// Taken into the queue.
    pub enqueued: u64,
    /// Stored.
    pub persisted: u64,
    /// Turned away because the queue was full or closed.
    pub rejected: u64,
    /// Taken, and lost by an error.
    pub failed: u64,
}

/// The reply of `status`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Status {
    /// The memories.
    pub counts: Counts,
    /// The embedding model.
    pub model: String,
    /// As it was opened.
    pub path: String,
    /// Of the file.
    pub schema_version: u32,
    /// Grows by one with every write.
    pub change_seq: u64,
    /// Whether nothing can be written.
    pub read_only: bool,
    /// Targets with several live claimants, by id.
    pub conflicts: Vec<Conflict>,
    /// The queue.
    pub statistics: StatisticsCounters,
}

/// The reply of `statistics_flush`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Flushed {
    /// True.
    pub flushed: bool,
}

impl Library {
    /// Counts, versions, conflicts, the statistics queue.
    pub fn status(&self, task: &Task) -> Result<Status> {
        self.with_view(task, |view| {
            Ok(Status {
                counts: count(view.index),
                model: self.model.id(),
                path: self.store.path().to_owned(),
                schema_version: SCHEMA_VERSION,
                change_seq: view.reading.change_seq,
                read_only: self.is_read_only(),
                conflicts: several_claimants(view.index),
                statistics: self.statistics.counters(),
            })
        })
    }

    /// Waits until every pending statistic is stored.
    pub fn statistics_flush(&self, task: &Task) -> Result<Flushed> {
        self.check_open()?;
        self.statistics.flush(task)?;
        Ok(Flushed { flushed: true })
    }
}

fn count(index: &Index) -> Counts {
    let graph = &index.corpus.graph;
    let mut counts = Counts::default();
    for row in graph.rows() {
        if graph.is_deleted(row) {
            counts.forgotten += 1;
            continue;
        }
        counts.live += 1;
        counts.trivial += u64::from(graph.is_trivial(row));
    }
    counts
}

fn several_claimants(index: &Index) -> Vec<Conflict> {
    let graph = &index.corpus.graph;
    let conflicts = conflicts(graph).into_iter().map(|conflict| Conflict {
        target_id: conflict.target.to_owned(),
        claimant_ids: conflict.claimants.iter().map(|&row| graph.id(row).to_owned()).collect(),
    });
    conflicts.collect()
}
