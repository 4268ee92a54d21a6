//! `restore`: make a tombstone a memory again.

use corecall_policy::forget;
use corecall_types::{Result, Task};
use serde::{Deserialize, Serialize};

use super::changed::{change, next_update};
use crate::sources::rfc3339;
use crate::{Library, Named};

/// The payload of `restore`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Restore {
    /// The exact id of a forgotten memory.
    pub id: String,
}

/// The reply of `restore`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Restored {
    /// The memory's id.
    pub id: String,
    /// `restored`, or `exists` where it isn't forgotten.
    pub state: &'static str,
    /// Whether anything was stored.
    pub written: bool,
    /// Its newest live version, if something replaced it meanwhile.
    pub superseded_by: Option<String>,
    /// Memories that are replaced by it again.
    pub retired: Vec<Named>,
}

impl Library {
    /// Makes a forgotten memory live again, with its text and relations, also when something else replaced its target
    /// meanwhile: `status.conflicts` then lists both.
    ///
    /// Errors: `memory.unknown`, `target.ambiguous` at `id`.
    pub fn restore(&self, task: &Task, request: &Restore) -> Result<Restored> {
        self.store.check_writable()?;
        self.with_writing(task, |view, writing| {
            let graph = &view.index.corpus.graph;
            let row = view.any(&request.id)?;
            let plan = forget::restore(graph, row);
            if !plan.is_live {
                let now = self.sources.stamp().unix_millis;
                let mut payload = view.payload(row)?;
                payload.deleted_at.clear();
                payload.restored_at = rfc3339(next_update(&payload.entry, now))?;
                change(writing, &mut payload, now, false)?;
            }
            Ok(Restored {
                id: graph.id(row).to_owned(),
                state: if plan.is_live { "exists" } else { "restored" },
                written: !plan.is_live,
                superseded_by: plan.head.map(|head| graph.id(head).to_owned()),
                retired: plan.retired.iter().map(|&row| Named::of(graph, row)).collect(),
            })
        })
    }
}
