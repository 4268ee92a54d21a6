//! `forget`: make a memory a tombstone.

use corecall_policy::{Row, forget};
use corecall_types::{Result, Task};
use serde::{Deserialize, Serialize};

use super::changed::{change, next_update};
use crate::library::View;
use crate::sources::rfc3339;
use crate::store::Writing;
use crate::{Library, Named};

/// The payload of `forget`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forget {
    /// Id, title or prefix of a live memory.
    pub id: String,
    /// What goes with it.
    #[serde(default)]
    pub cascade: Option<Cascade>,
    /// Only tell what would happen.
    #[serde(default)]
    pub dry_run: bool,
}

/// What is forgotten along with a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cascade {
    /// Memories whose every source is gone, and those made from such.
    Derived,
}

/// The reply of `forget`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Forgotten {
    /// The memory's id.
    pub id: String,
    /// `forgotten` or `dry_run`.
    pub state: &'static str,
    /// Memories that were forgotten with it.
    pub derived: Vec<Named>,
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
            let plan = forget::plan(graph, id, request.cascade == Some(Cascade::Derived))?;
            if !request.dry_run {
                let now = self.sources.stamp().unix_millis;
                for &row in [plan.row].iter().chain(&plan.derived) {
                    task.check()?;
                    entomb(view, writing, row, now)?;
                }
            }
            let named = |rows: &[Row]| rows.iter().map(|&row| Named::of(graph, row)).collect();
            Ok(Forgotten {
                id: id.to_owned(),
                state: if request.dry_run { "dry_run" } else { "forgotten" },
                derived: named(&plan.derived),
                revived: named(&plan.revived),
            })
        })
    }
}

fn entomb(view: &View<'_>, writing: &Writing<'_>, row: Row, now: i64) -> Result<()> {
    let mut payload = view.payload(row)?;
    payload.deleted_at = rfc3339(next_update(&payload.entry, now))?;
    payload.restored_at.clear();
    change(writing, &mut payload, now, true)
}
