//! All snapshots and the edges between them, kept up to date one snapshot at a time.

use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;
use std::sync::Arc;

use corecall_types::Instant;

use crate::Scope;
use crate::heads::Heads;
use crate::node::{Link, Memory, Node};
use crate::scope::Filter;
use crate::symbols::Symbols;

/// A memory's number in its graph: stable while its snapshot is there, given to another one later.
pub type Row = u32;

/// All snapshots and the edges between them, including edges onto ids that have no snapshot.
///
/// What it answers depends on the snapshots it holds alone, not on the way it got them. A clone shares
/// its texts with the original.
///
/// Methods that take a row expect one that [`Graph::row`], [`Graph::rows`] or another method gave while
/// the graph was as it is now; for a row that is gone they answer as for a memory without an entry.
#[derive(Clone, Default)]
pub struct Graph {
    pub(crate) nodes: Vec<Node>,
    pub(crate) index: HashMap<Arc<str>, Row>,
    pub(crate) free: Vec<Row>,
    pub(crate) symbols: Symbols,
    pub(crate) len: usize,
}

impl Graph {
    /// An empty graph.
    pub fn new() -> Self {
        Self::default()
    }

    /// Changes the recall count and nothing else.
    pub fn set_recall_count(&mut self, row: Row, count: u64) {
        if let Some(memory) = self.nodes.get_mut(row as usize).and_then(|node| node.memory.as_mut()) {
            memory.recall_count = count;
        }
    }

    /// The row of an id that has a snapshot.
    pub fn row(&self, id: &str) -> Option<Row> {
        self.known(id).filter(|row| self.node(*row).memory.is_some())
    }

    /// The rows of all snapshots, ascending; no order to show.
    pub fn rows(&self) -> impl Iterator<Item = Row> + '_ {
        (0..).zip(&self.nodes).filter(|(_, node)| node.memory.is_some()).map(|(row, _)| row)
    }

    /// How many snapshots there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// One above the greatest row in use, for tables by row.
    pub fn row_bound(&self) -> usize {
        self.nodes.len()
    }

    /// The id of a row.
    pub fn id(&self, row: Row) -> &str {
        &self.node(row).id
    }

    /// The entry's title, whole and untrusted; empty without an entry.
    pub fn title(&self, row: Row) -> &str {
        self.memory(row).map_or("", |memory| &memory.title)
    }

    /// The entry's `parent_id`, which needs no snapshot.
    pub fn parent(&self, row: Row) -> Option<&str> {
        self.memory(row).and_then(|memory| memory.parent.as_deref())
    }

    /// The entry's kind; empty without an entry.
    pub fn kind(&self, row: Row) -> &str {
        self.field(row, 0)
    }

    /// The entry's project; empty without an entry.
    pub fn project(&self, row: Row) -> &str {
        self.field(row, 1)
    }

    /// The entry's computer; empty without an entry.
    pub fn computer(&self, row: Row) -> &str {
        self.field(row, 2)
    }

    /// The entry's `created_at`; `None` where it is absent or unreadable, which counts as oldest.
    pub fn created(&self, row: Row) -> Option<Instant> {
        self.memory(row).and_then(|memory| memory.created)
    }

    /// Whether the entry is a diary line.
    pub fn is_trivial(&self, row: Row) -> bool {
        self.memory(row).is_some_and(|memory| memory.trivial)
    }

    /// Whether the snapshot is a tombstone.
    pub fn is_deleted(&self, row: Row) -> bool {
        self.memory(row).is_some_and(|memory| memory.deleted)
    }

    /// Whether the snapshot has an entry.
    pub fn has_entry(&self, row: Row) -> bool {
        self.memory(row).is_some_and(|memory| memory.has_entry)
    }

    /// Whether the snapshot has an entry and is no tombstone.
    pub fn is_live(&self, row: Row) -> bool {
        self.memory(row).is_some_and(|memory| memory.has_entry && !memory.deleted)
    }

    /// The snapshot's recall count.
    pub fn recall_count(&self, row: Row) -> u64 {
        self.memory(row).map_or(0, |memory| memory.recall_count)
    }

    /// Whether the memory is live and in scope. For many rows of one scope use [`Heads::eligible`].
    pub fn eligible(&self, row: Row, scope: &Scope) -> bool {
        self.admits(row, &self.filter(scope))
    }

    /// The newest live endpoint of what replaced `id`, which needs no snapshot itself. For many ids of one
    /// scope use [`Heads`].
    pub fn head(&self, id: &str, scope: &Scope) -> Option<Row> {
        Heads::new(self, scope).of(self.known(id)?)
    }

    /// `created_at` as an instant, newest first, then id, greatest first in byte order.
    pub fn newest_first(&self, a: Row, b: Row) -> Ordering {
        let key = |row| (Reverse(self.created(row)), Reverse(self.id(row)));
        key(a).cmp(&key(b))
    }

    /// The id the memory replaces, on a cycle or not; `None` where it replaces nothing, or names itself.
    pub fn supersedes(&self, row: Row) -> Option<&str> {
        self.forward(row).map(|target| self.id(target))
    }

    /// Whether the memory's forward edge lies on a cycle, and so counts for nothing.
    pub fn is_void(&self, row: Row) -> bool {
        self.nodes.get(row as usize).is_some_and(|node| node.void)
    }

    /// Who replaces `id` by an edge that isn't void: live ones first, then newest, then greatest id.
    pub fn claimants<'g>(&'g self, id: &str) -> impl Iterator<Item = Row> + use<'g> {
        self.known(id).into_iter().flat_map(|row| self.valid_claimants(row))
    }

    /// Those of [`Graph::claimants`] that aren't deleted.
    pub fn live_claimants<'g>(&'g self, id: &str) -> impl Iterator<Item = Row> + use<'g> {
        self.claimants(id).filter(|row| !self.is_deleted(*row))
    }

    /// The ids the memory links, distinct, as listed, its own left out.
    pub fn see_also(&self, row: Row) -> impl Iterator<Item = &str> + '_ {
        self.links(row, Link::SeeAlso).iter().map(|target| self.id(*target))
    }

    /// The ids the memory contradicts, distinct, as listed, its own left out.
    pub fn contradicts(&self, row: Row) -> impl Iterator<Item = &str> + '_ {
        self.links(row, Link::Contradicts).iter().map(|target| self.id(*target))
    }

    /// The ids the memory was made from, distinct, as listed, its own left out.
    pub fn derived_from(&self, row: Row) -> impl Iterator<Item = &str> + '_ {
        self.links(row, Link::DerivedFrom).iter().map(|target| self.id(*target))
    }

    /// Who lists `id` in `see_also`: live ones first, then newest, then greatest id.
    pub fn seen_by<'g>(&'g self, id: &str) -> impl Iterator<Item = Row> + use<'g> {
        self.known(id).into_iter().flat_map(|row| self.linked(row, Link::SeeAlso))
    }

    /// Who lists `id` in `contradicts`, in the same order.
    pub fn contradicted_by<'g>(&'g self, id: &str) -> impl Iterator<Item = Row> + use<'g> {
        self.known(id).into_iter().flat_map(|row| self.linked(row, Link::Contradicts))
    }

    /// Who lists `id` in `derived_from`, in the same order.
    pub fn derivatives<'g>(&'g self, id: &str) -> impl Iterator<Item = Row> + use<'g> {
        self.known(id).into_iter().flat_map(|row| self.linked(row, Link::DerivedFrom))
    }
}

/// What the rules of this crate read.
impl Graph {
    /// The row of an id that has a snapshot or that others point at.
    pub(crate) fn known(&self, id: &str) -> Option<Row> {
        self.index.get(id).copied()
    }

    pub(crate) fn node(&self, row: Row) -> &Node {
        &self.nodes[row as usize]
    }

    pub(crate) fn memory(&self, row: Row) -> Option<&Memory> {
        self.nodes.get(row as usize).and_then(|node| node.memory.as_ref())
    }

    pub(crate) fn filter(&self, scope: &Scope) -> Filter {
        Filter::new(scope, &self.symbols)
    }

    pub(crate) fn admits(&self, row: Row, filter: &Filter) -> bool {
        self.memory(row).is_some_and(|memory| memory.has_entry && !memory.deleted && filter.admits(memory.fields))
    }

    /// The target of the forward edge, void or not.
    pub(crate) fn forward(&self, row: Row) -> Option<Row> {
        self.memory(row).and_then(|memory| memory.supersedes)
    }

    pub(crate) fn valid_claimants(&self, row: Row) -> impl Iterator<Item = Row> + use<'_> {
        self.node(row).claimants.iter().filter(|claimant| !self.node(*claimant).void)
    }

    pub(crate) fn links(&self, row: Row, link: Link) -> &[Row] {
        self.nodes.get(row as usize).map_or(&[], |node| node.links(link))
    }

    pub(crate) fn linked(&self, row: Row, link: Link) -> impl Iterator<Item = Row> + use<'_> {
        self.node(row).linked(link).iter()
    }

    fn field(&self, row: Row, place: usize) -> &str {
        self.memory(row).map_or("", |memory| self.symbols.text(memory.fields[place]))
    }
}
