//! `unsupersede`: withdraw a replacement.

use corecall_policy::unsupersede;
use corecall_types::{Result, Task};
use serde::{Deserialize, Serialize};

use super::RelationKind;
use super::changed::change;
use super::remember::check_length;
use super::stamps;
use crate::{Library, Named};

/// The payload of `unsupersede`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unsupersede {
    /// Id, title or prefix of the memory that replaces another; a forgotten one by its exact id.
    pub id: String,
    /// Which device writes.
    #[serde(default)]
    pub device: String,
}

/// The reply of `unsupersede`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unsuperseded {
    /// The memory's id.
    pub id: String,
    /// `withdrawn`.
    pub state: &'static str,
    /// What it replaced.
    pub target_id: String,
    /// Memories that became current by it.
    pub revived: Vec<Named>,
}

impl Library {
    /// Withdraws the replacement that a memory wrote: both memories stay, neither replaces the other.
    ///
    /// Errors: `memory.unknown`, `target.ambiguous`, `relation.unknown` at `id`.
    pub fn unsupersede(&self, task: &Task, request: &Unsupersede) -> Result<Unsuperseded> {
        self.store.check_writable()?;
        check_length(&request.device).map_err(|error| error.at("device"))?;
        self.with_writing(task, |view, writing| {
            let graph = &view.index.corpus.graph;
            let plan = unsupersede::plan(graph, view.any(&request.id)?)?;
            let (kind, target_id) = (RelationKind::Supersedes.name(), graph.id(plan.target));
            let now = self.sources.stamp().unix_millis;

            let mut payload = view.payload(plan.row)?;
            if !stamps::remove(&mut payload, kind, target_id, now, &request.device)? {
                stamps::add_removed(&mut payload, kind, target_id, now, &request.device)?;
            }
            payload.entry.supersedes.clear();
            payload.entry.modified_by.clone_from(&request.device);
            change(writing, &mut payload, now, graph.is_deleted(plan.row))?;

            if graph.has_entry(plan.target) {
                let mut target = view.payload(plan.target)?;
                let hint = plan.hint.map_or("", |row| graph.id(row));
                if target.entry.superseded_by != hint {
                    hint.clone_into(&mut target.entry.superseded_by);
                    target.entry.modified_by.clone_from(&request.device);
                    change(writing, &mut target, now, graph.is_deleted(plan.target))?;
                }
            }
            Ok(Unsuperseded {
                id: graph.id(plan.row).to_owned(),
                state: "withdrawn",
                target_id: target_id.to_owned(),
                revived: plan.revived.iter().map(|&row| Named::of(graph, row)).collect(),
            })
        })
    }
}
