//! `forget`: make a memory a tombstone.

use corecall_policy::forget;
use corecall_types::{Result, Task};
use serde::{Deserialize, Serialize};

use super::changed::change;
use crate::sources::rfc3339;
use crate::{Library, Named};

/// The payload of `forget`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forget {
    /// Id, title or prefix of a live memory.
    pub id: String,
}

/// The reply of `forget`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Forgotten {
    /// The memory's id.
    pub id: String,
    /// `forgotten`.
    pub state: &'static str,
    /// Memories that became current by it.
    pub revived: Vec<Named>,
}

impl Library {
    /// Makes a memory a tombstone: its text and relations stay for `restore`, but it is shown no more.
    ///
    /// Errors: `memory.unknown`, `target.ambiguous` at `id`.
    pub fn forget(&self, task: &Task, request: &Forget) -> Result<Forgotten> {
        self.store.check_writable()?;
        self.with_writing(task, |view, writing| {
            let graph = &view.index.corpus.graph;
            let id = graph.id(view.live(&request.id)?);
            let plan = forget::plan(graph, id)?;
            let now = self.sources.stamp().unix_millis;
            let mut payload = view.payload(plan.row)?;
            payload.deleted_at = rfc3339(now)?;
            change(writing, &mut payload, now, true)?;
            Ok(Forgotten {
                id: id.to_owned(),
                state: "forgotten",
                revived: plan.revived.iter().map(|&row| Named::of(graph, row)).collect(),
            })
        })
    }
}
