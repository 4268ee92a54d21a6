//! The greedy pass: candidates are offered in order, each is taken or dropped for a reason.

use std::collections::HashSet;

use crate::related::{Association, Ledger, Reason, RelatedQuery};
use crate::{Graph, Heads, Relation, Row, title};

/// Something that may become an association.
#[derive(Clone, Copy)]
pub(crate) struct Candidate<'q> {
    pub id: &'q str,
    /// `None` where the id has no place in the graph at all.
    pub row: Option<Row>,
    /// What is wrong with it if nothing worse is.
    pub flaw: Option<Reason>,
}

/// One call's state: what was chosen, and by whom.
pub(crate) struct Pass<'q> {
    pub graph: &'q Graph,
    pub heads: Heads<'q>,
    pub query: &'q RelatedQuery<'q>,
    /// The hits' rows, in rank order; sources are places in it.
    pub hits: Vec<Row>,
    hit_rows: HashSet<Row>,
    taken: HashSet<Row>,
    brought: Vec<u32>,
    related: Vec<Association>,
    ledger: Option<Ledger>,
}

impl<'q> Pass<'q> {
    pub fn new(graph: &'q Graph, query: &'q RelatedQuery<'q>, hits: Vec<Row>) -> Self {
        Self {
            graph,
            heads: Heads::new(graph, query.scope),
            query,
            hit_rows: hits.iter().copied().collect(),
            taken: HashSet::new(),
            brought: vec![0; hits.len()],
            hits,
            related: Vec::new(),
            ledger: query.settings.explain.then(Ledger::default),
        }
    }

    /// Whether drops are recorded; then looking goes on after the budgets are used up.
    pub fn explains(&self) -> bool {
        self.ledger.is_some()
    }

    /// Whether nothing more can come of any source.
    pub fn is_finished(&self) -> bool {
        !self.explains() && self.is_full()
    }

    /// Whether nothing more can come of this source.
    pub fn is_closed(&self, source: usize) -> bool {
        !self.explains() && (self.is_full() || self.is_spent(source))
    }

    /// The hits, and what was chosen so far.
    pub fn shown(&self) -> impl Iterator<Item = Row> + '_ {
        self.hit_rows.iter().chain(&self.taken).copied()
    }

    /// A candidate as it is.
    pub fn candidate(&self, row: Row) -> Candidate<'q> {
        Candidate { id: self.graph.id(row), row: Some(row), flaw: None }
    }

    /// A candidate, replaced by its head where it has one.
    pub fn newest(&self, row: Row) -> Candidate<'q> {
        self.candidate(self.heads.of(row).unwrap_or(row))
    }

    /// Takes the candidate or drops it; whether it was taken.
    pub fn offer(&mut self, source: usize, relation: Relation, candidate: Candidate<'_>) -> bool {
        let source_id = &self.query.hits[source];
        match self.judge(source, relation, candidate) {
            Ok(row) => {
                self.taken.insert(row);
                self.brought[source] += 1;
                self.related.push(Association {
                    id: candidate.id.to_owned(),
                    title: title::cut(self.graph.title(row), title::ASSOCIATION_MAX).into_owned(),
                    source_id: source_id.clone(),
                    relation,
                });
                if let Some(ledger) = &mut self.ledger {
                    ledger.take();
                }
                true
            }
            Err(reason) => {
                if let Some(ledger) = &mut self.ledger {
                    ledger.drop(candidate.id, source_id, relation, reason);
                }
                false
            }
        }
    }

    /// What was chosen, and the ledger if there is one.
    pub fn finish(self) -> (Vec<Association>, Option<Ledger>) {
        (self.related, self.ledger)
    }

    /// The candidate's row, or the first reason against it, in the order of [`Reason`].
    fn judge(&self, source: usize, relation: Relation, candidate: Candidate<'_>) -> Result<Row, Reason> {
        let row = candidate.row.ok_or(Reason::Deleted)?;
        let by_use_or_nearness = matches!(relation, Relation::CoRecall | Relation::Neighbor);
        let reason = if self.hit_rows.contains(&row) {
            Reason::Hit
        } else if self.taken.contains(&row) {
            Reason::Duplicate
        } else if !self.graph.is_live(row) {
            Reason::Deleted
        } else if !self.heads.eligible(row) {
            Reason::OutOfScope
        } else if by_use_or_nearness && self.graph.is_trivial(row) {
            Reason::Diary
        } else if relation == Relation::Neighbor && self.heads.of(row).is_some() {
            Reason::Superseded
        } else if let Some(flaw) = candidate.flaw {
            flaw
        } else if self.is_spent(source) {
            Reason::PerSource
        } else if self.is_full() {
            Reason::Budget
        } else {
            return Ok(row);
        };
        Err(reason)
    }

    fn is_spent(&self, source: usize) -> bool {
        self.brought[source] >= self.query.settings.per_source
    }

    fn is_full(&self) -> bool {
        self.related.len() >= self.query.settings.max as usize
    }
}
