//! One state of the library: a transaction and the index that belongs to it.

use std::borrow::Cow;
use std::sync::PoisonError;

use corecall_policy::{Row, target};
use corecall_types::{Code, Error, Result, Task};

use super::{Index, Library};
use crate::Named;
use crate::limits::ANCESTORS;
use crate::payload::Payload;
use crate::store::{Reading, Writing};

/// So often a reader that was overtaken by writers begins again before it holds them off.
const OVERTAKEN_MAX: usize = 8;

/// What an operation sees: index and file agree.
pub(crate) struct View<'a> {
    pub index: &'a Index,
    pub reading: &'a Reading<'a>,
}

impl Library {
    /// Runs `work` on the newest state.
    pub(crate) fn with_view<T>(&self, task: &Task, work: impl FnOnce(&View<'_>) -> Result<T>) -> Result<T> {
        self.check_open()?;
        task.check()?;
        let mut work = Some(work);
        for _ in 0..OVERTAKEN_MAX {
            let outcome = self.store.read(task, |reading| {
                if self.index.read().map_err(poisoned)?.change_seq() < reading.change_seq {
                    self.index.write().map_err(poisoned)?.catch_up_if_behind(reading, task)?;
                }
                let index = self.index.read().map_err(poisoned)?;
                if index.change_seq() != reading.change_seq {
                    return Ok(None);
                }
                let work = work.take().expect("the loop ends once work was done");
                work(&View { index: &index, reading }).map(Some)
            })?;
            if let Some(result) = outcome {
                return Ok(result);
            }
        }
        let work = work.take().expect("no work was done yet");
        let mut index = self.index.write().map_err(poisoned)?;
        self.store.read(task, |reading| {
            index.catch_up(reading, task)?;
            work(&View { index: &index, reading })
        })
    }

    /// Runs `work` on the newest state with every other writer held off, and commits what it writes.
    pub(crate) fn with_writing<T>(
        &self,
        task: &Task,
        work: impl FnOnce(&View<'_>, &Writing<'_>) -> Result<T>,
    ) -> Result<T> {
        self.check_open()?;
        task.check()?;
        self.store.write(task, |writing| {
            // Nobody can commit now, so the index can't be ahead of this transaction, nor get there.
            if self.index.read().map_err(poisoned)?.change_seq() != writing.change_seq {
                self.index.write().map_err(poisoned)?.catch_up(writing, task)?;
            }
            let index = self.index.read().map_err(poisoned)?;
            work(&View { index: &index, reading: writing }, writing)
        })
    }
}

impl View<'_> {
    /// The row a caller means: a live memory by id, title or prefix. Errors are at `id`.
    pub fn live(&self, name: &str) -> Result<Row> {
        target::resolve(&self.index.corpus.graph, name).map_err(|error| match error.code {
            Code::TargetUnknown => Error { code: Code::MemoryUnknown, ..error }.at("id"),
            _ => error.at("id"),
        })
    }

    /// The row a caller means; a forgotten memory by its exact id.
    pub fn any(&self, name: &str) -> Result<Row> {
        let exact = self.index.corpus.graph.row(target::strip(name));
        exact.map_or_else(|| self.live(name), Ok)
    }

    /// The payload of a row.
    pub fn payload(&self, row: Row) -> Result<Payload> {
        let id = self.index.corpus.graph.id(row);
        let bytes = self
            .reading
            .payload(id)?
            .ok_or_else(|| Error::new(Code::StoreCorrupt, format!("memory {id} vanished; open the library again")))?;
        Payload::read(id, &bytes)
    }

    /// The content of a row.
    pub fn content(&self, row: Row) -> Result<Cow<'static, str>> {
        Ok(Cow::Owned(self.payload(row)?.entry.content))
    }

    /// The live memories above a row, root to parent; the nearest [`ANCESTORS`].
    pub fn ancestors(&self, row: Row) -> Vec<Named> {
        let graph = &self.index.corpus.graph;
        let mut passed = vec![row];
        let mut names = Vec::new();
        let mut at = row;
        while let Some(parent) = graph.parent(at).and_then(|id| graph.row(id)) {
            // Parents of other devices may close a circle.
            if names.len() == ANCESTORS || passed.contains(&parent) {
                break;
            }
            if graph.is_live(parent) {
                names.push(Named::of(graph, parent));
            }
            passed.push(parent);
            at = parent;
        }
        names.reverse();
        names
    }
}

/// A panic inside a change of the index left it in no state at all.
fn poisoned<T>(_: PoisonError<T>) -> Error {
    Error::new(Code::HandlePoisoned, "an earlier call on this library failed badly; close it and open it again")
}
