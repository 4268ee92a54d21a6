//! A set of snapshots with its indices: what a stateless operation works on.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use corecall_policy::Row;
use corecall_scoring::Model;
use corecall_types::{Code, Error, Result, Task};

use super::publish::{Change, Publish, check};
use crate::corpus::Corpus;

/// Snapshots of one model, indexed. A clone shares the indices until one of the two changes.
#[derive(Clone)]
pub struct ResidentSet {
    state: Arc<State>,
}

#[derive(Clone)]
struct State {
    corpus: Corpus,
    /// By row: what candidates are compared with word for word.
    contents: Vec<Option<Arc<str>>>,
}

impl ResidentSet {
    /// An empty set for `model` (`model.unknown` at `model`).
    pub fn new(model: &str) -> Result<Self> {
        let model = Model::parse(model).map_err(|error| error.at("model"))?;
        Ok(Self { state: Arc::new(State { corpus: Corpus::new(model), contents: Vec::new() }) })
    }

    /// The set of one call: `new` and `publish` in one. Paths are `model`, `snapshots[i]…`, `vectors…`.
    pub fn of(model: &str, change: Publish, task: &Task) -> Result<Self> {
        let mut set = Self::new(model)?;
        set.publish(change, task)?;
        Ok(set)
    }

    /// Adds, replaces and removes. Everything is checked first: an error leaves the set as it was.
    ///
    /// Costs the size of the change while no clone of the set is alive; otherwise the indices are copied.
    /// Errors: `argument.range`, `argument.duplicate`, `argument.conflict`, `argument.value`, `model.mismatch`,
    /// `artifact.invalid`, `attachment.shape`, `attachment.nonfinite`, `vector.zero`, `vector.dimension`,
    /// `call.cancelled`, each with its path.
    pub fn publish(&mut self, change: Publish, task: &Task) -> Result<()> {
        let Change { snapshots, removed } = check(&self.state.corpus, change, task)?;
        let state = Arc::make_mut(&mut self.state);
        for id in &removed {
            if let Some(row) = state.corpus.remove(id) {
                state.contents[row as usize] = None;
            }
        }
        // Every old vector goes before a new one comes: their dimensions may differ.
        for (snapshot, _) in &snapshots {
            if let Some(row) = state.corpus.graph.row(&snapshot.id) {
                state.corpus.vectors.remove(row);
            }
        }
        let total = snapshots.len() as u64;
        for (done, (snapshot, vector)) in snapshots.iter().enumerate() {
            let row = state.corpus.upsert(snapshot, vector.as_deref())? as usize;
            if state.contents.len() <= row {
                state.contents.resize(row + 1, None);
            }
            state.contents[row] = snapshot.entry.as_ref().map(|entry| Arc::from(entry.content.as_str()));
            task.report(done as u64 + 1, total);
        }
        Ok(())
    }

    /// The model's identity, as it was given.
    pub fn model(&self) -> String {
        self.state.corpus.model.id()
    }

    /// Fails with `model.mismatch` at `model` unless `model` is the set's.
    pub fn check_model(&self, model: &str) -> Result<()> {
        let own = self.model();
        if model == own {
            return Ok(());
        }
        let message = format!("the set was published for model {own}; pass that, or publish a set for {model}");
        Err(Error::new(Code::ModelMismatch, message).at("model"))
    }

    /// Snapshots in the set, deleted ones included.
    pub fn len(&self) -> usize {
        self.state.corpus.graph.len()
    }

    /// Whether there is no snapshot.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn corpus(&self) -> &Corpus {
        &self.state.corpus
    }

    /// The content of a row's entry; empty where it has none.
    pub(crate) fn content(&self, row: Row) -> Cow<'_, str> {
        Cow::Borrowed(self.state.contents.get(row as usize).and_then(Option::as_deref).unwrap_or(""))
    }
}

/// The model and the number of snapshots: nothing of what they hold.
impl fmt::Debug for ResidentSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResidentSet").field("model", &self.model()).field("len", &self.len()).finish()
    }
}
