//! Memories for the unit tests of this crate.

use std::cmp::Ordering;
use std::collections::HashMap;

use corecall_types::Result;

use crate::{
    Dropped, Entry, Graph, Ledger, Neighbours, Pair, Related, RelatedQuery, RelatedSettings, Relation, Row, Scope,
    Snapshot, related,
};

/// A snapshot under construction.
#[derive(Clone)]
pub(crate) struct Memory(pub Snapshot);

/// A live, important memory without relations.
pub(crate) fn memory(id: &str) -> Memory {
    let entry = Entry { id: id.to_owned(), importance: "important".to_owned(), ..Entry::default() };
    Memory(Snapshot { id: id.to_owned(), entry: Some(entry), ..Snapshot::default() })
}

pub(crate) fn graph(memories: impl IntoIterator<Item = Memory>) -> Graph {
    let mut graph = Graph::new();
    for memory in memories {
        graph.upsert(&memory.0);
    }
    graph
}

impl Memory {
    pub fn without_entry(id: &str) -> Self {
        Self(Snapshot { id: id.to_owned(), ..Snapshot::default() })
    }

    fn entry(mut self, change: impl FnOnce(&mut Entry)) -> Self {
        change(self.0.entry.as_mut().expect("made with an entry"));
        self
    }

    pub fn title(self, title: &str) -> Self {
        self.entry(|entry| title.clone_into(&mut entry.title))
    }

    pub fn created(self, created_at: &str) -> Self {
        self.entry(|entry| created_at.clone_into(&mut entry.created_at))
    }

    /// Created on a day of January 2026.
    pub fn day(self, day: u32) -> Self {
        self.created(&format!("2026-01-{day:02}T00:00:00Z"))
    }

    pub fn project(self, project: &str) -> Self {
        self.entry(|entry| project.clone_into(&mut entry.project))
    }

    pub fn parent(self, id: &str) -> Self {
        self.entry(|entry| entry.parent_id = Some(id.to_owned()))
    }

    pub fn trivial(self) -> Self {
        self.entry(|entry| "trivial".clone_into(&mut entry.importance))
    }

    pub fn supersedes(self, id: &str) -> Self {
        self.entry(|entry| id.clone_into(&mut entry.supersedes))
    }

    pub fn see_also(self, ids: &[&str]) -> Self {
        self.entry(|entry| entry.see_also = owned(ids))
    }

    pub fn contradicts(self, ids: &[&str]) -> Self {
        self.entry(|entry| entry.contradicts = owned(ids))
    }

    pub fn derived_from(self, ids: &[&str]) -> Self {
        self.entry(|entry| entry.derived_from = owned(ids))
    }

    pub fn deleted(mut self) -> Self {
        self.0.deleted = true;
        self
    }

    pub fn recalled(mut self, count: u64) -> Self {
        self.0.recall_count = count;
        self
    }
}

/// Owned texts.
pub(crate) fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// Vectors on a circle: the cosine of two memories is that of the angle between them.
#[derive(Default)]
pub(crate) struct Angles(HashMap<Row, i32>);

impl Angles {
    /// Angles in degrees.
    pub fn new(graph: &Graph, degrees: &[(&str, i32)]) -> Self {
        Self(degrees.iter().map(|(id, degrees)| (graph.row(id).expect("a memory of the test"), *degrees)).collect())
    }
}

impl Neighbours for Angles {
    fn has_vector(&self, row: Row) -> bool {
        self.0.contains_key(&row)
    }

    fn nearest(
        &self,
        seeds: &[Row],
        min_cos: f64,
        limit: usize,
        allowed: &dyn Fn(Row) -> bool,
        order: &dyn Fn(Row, Row) -> Ordering,
    ) -> Vec<Vec<(Row, f64)>> {
        let of_seed = |seed: &Row| {
            let others = self.0.iter().filter(|(row, _)| *row != seed && allowed(**row));
            let cosine = |degrees: &i32| f64::from(degrees - self.0[seed]).to_radians().cos();
            let mut near: Vec<_> = others.map(|(row, degrees)| (*row, cosine(degrees))).collect();
            near.retain(|(_, cosine)| *cosine >= min_cos);
            near.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| order(a.0, b.0)));
            near.truncate(limit);
            near
        };
        seeds.iter().map(of_seed).collect()
    }
}

/// A call of `related` on a graph, built up step by step.
pub(crate) struct Call<'g> {
    graph: &'g Graph,
    pub hits: Vec<String>,
    pub scope: Scope,
    pub pairs: Vec<Pair>,
    pub settings: RelatedSettings,
    pub angles: Angles,
    pub recall_counts: Option<HashMap<Row, u64>>,
}

impl<'g> Call<'g> {
    pub fn new(graph: &'g Graph, hits: &[&str]) -> Self {
        Self {
            graph,
            hits: owned(hits),
            scope: Scope::default(),
            pairs: Vec::new(),
            settings: RelatedSettings::default(),
            angles: Angles::default(),
            recall_counts: None,
        }
    }

    pub fn only(mut self, relation: Relation) -> Self {
        self.settings.relations = vec![relation];
        self
    }

    pub fn set(mut self, change: impl FnOnce(&mut RelatedSettings)) -> Self {
        change(&mut self.settings);
        self
    }

    pub fn project(mut self, project: &str) -> Self {
        self.scope.project = Some(project.to_owned());
        self
    }

    pub fn pairs(mut self, pairs: &[(&str, &str, u64)]) -> Self {
        self.pairs = pairs.iter().map(|(a, b, n)| Pair { a: (*a).into(), b: (*b).into(), n: *n }).collect();
        self
    }

    pub fn angles(mut self, degrees: &[(&str, i32)]) -> Self {
        self.angles = Angles::new(self.graph, degrees);
        self
    }

    pub fn run(&self) -> Result<Related> {
        let query = RelatedQuery {
            scope: &self.scope,
            hits: &self.hits,
            pairs: &self.pairs,
            settings: &self.settings,
            min_cos: self.settings.min_cos.unwrap_or(0.6),
            recall_counts: self.recall_counts.as_ref(),
        };
        related(self.graph, &query, &self.angles)
    }

    /// `source relation id` of each association, the same with and without a ledger.
    pub fn shown(self) -> Vec<String> {
        let explained = self.set(|settings| settings.explain = true);
        let with_ledger = explained.run().unwrap();
        let plain = explained.set(|settings| settings.explain = false).run().unwrap();
        assert_eq!(with_ledger.related, plain.related);
        assert_eq!(with_ledger.superseded, plain.superseded);
        let lines = plain.related.iter().map(|one| format!("{} {} {}", one.source_id, one.relation.name(), one.id));
        lines.collect()
    }

    /// `source relation id reason` of each drop.
    pub fn drops(self) -> Vec<String> {
        let ledger = self.ledger();
        let line =
            |drop: &Dropped| format!("{} {} {} {:?}", drop.source_id, drop.relation.name(), drop.id, drop.reason);
        ledger.dropped.iter().map(line).collect()
    }

    pub fn ledger(self) -> Ledger {
        let explained = self.set(|settings| settings.explain = true);
        explained.run().unwrap().ledger.expect("asked for")
    }
}
