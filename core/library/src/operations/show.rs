//! `show`: one memory, whole.

use corecall_policy::{Entry, Scope};
use corecall_types::{Result, Task};
use serde::{Deserialize, Serialize};

use super::Ancestor;
use crate::Library;

/// The payload of `show`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Show {
    /// Id, title or prefix; a forgotten memory by its exact id.
    pub id: String,
}

/// The reply of `show`.
#[derive(Clone, Debug, Serialize)]
pub struct Shown {
    /// The memory.
    pub entry: Entry,
    /// Whether it was forgotten.
    pub deleted: bool,
    /// Its newest live version, if another.
    pub superseded_by: Option<String>,
    /// Root to parent, at most 32.
    pub ancestors: Vec<Ancestor>,
}

impl Library {
    /// One memory, whole.
    ///
    /// Errors: `memory.unknown`, `target.ambiguous` at `id`.
    pub fn show(&self, task: &Task, request: &Show) -> Result<Shown> {
        self.with_view(task, |view| {
            let graph = &view.index.corpus.graph;
            let row = view.any(&request.id)?;
            let head = graph.head(graph.id(row), &Scope::default());
            Ok(Shown {
                entry: view.payload(row)?.entry,
                deleted: graph.is_deleted(row),
                superseded_by: head.map(|head| graph.id(head).to_owned()),
                ancestors: view.ancestors(row),
            })
        })
    }
}
