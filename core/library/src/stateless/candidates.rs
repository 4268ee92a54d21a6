//! `remember_candidates`: which of the host's memories an entry probably repeats or belongs under.

use corecall_policy::candidates::Proposal;
use corecall_policy::{Entry, Graph, Row, title};
use corecall_scoring::Document;
use corecall_types::{Result, Task};
use serde::{Deserialize, Serialize};

use crate::ResidentSet;
use crate::corpus::proposal;

/// The payload of `remember_candidates` but `model`, `snapshots`, `resident_key`, `vectors` and `entry_vector`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RememberCandidates {
    /// What is about to be remembered; its id, if any, is never its own candidate.
    pub entry: Entry,
}

/// A memory by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Named {
    /// Its id.
    pub id: String,
    /// Its title, at most 160 scalar values.
    pub title: String,
}

/// The reply of `remember_candidates`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Candidates {
    /// Near-identical memories, most alike first.
    pub merge: Vec<Named>,
    /// Memories the entry could be placed under, most alike first.
    pub parent: Vec<Named>,
}

impl Named {
    /// The name of a row.
    pub(crate) fn of(graph: &Graph, row: Row) -> Self {
        let title = title::cut(graph.title(row), title::ASSOCIATION_MAX).into_owned();
        Self { id: graph.id(row).to_owned(), title }
    }
}

impl Candidates {
    /// The rows of a proposal by name.
    pub(crate) fn named(graph: &Graph, proposal: &Proposal) -> Self {
        let names = |rows: &[Row]| rows.iter().map(|&row| Named::of(graph, row)).collect();
        Self { merge: names(&proposal.merge), parent: names(&proposal.parent) }
    }
}

/// Proposes merge and parent candidates. `vector` is the host's own vector of the entry (`entry_vector`).
pub fn remember_candidates(
    set: &ResidentSet,
    request: &RememberCandidates,
    vector: Option<&[f32]>,
    task: &Task,
) -> Result<Candidates> {
    task.check()?;
    let corpus = set.corpus();
    let entry = &request.entry;
    let document = Document { title: &entry.title, tags: &entry.tags, content: &entry.content };
    let vector = corpus.query_vector(&document.embedding_text(), vector, "entry_vector")?;
    let own = corpus.graph.row(&entry.id);
    let proposal = proposal(corpus, &document, vector.as_deref(), own, &mut |row| Ok(set.content(row)), task)?;
    Ok(Candidates::named(&corpus.graph, &proposal))
}
