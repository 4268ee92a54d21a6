//! How a snapshot gets into the graph and out of it.

use std::collections::HashSet;
use std::sync::Arc;

use corecall_types::Instant;

use crate::graph::{Graph, Row};
use crate::incoming::Incoming;
use crate::node::{Link, Memory, Node};
use crate::{Entry, Snapshot};

impl Graph {
    /// Adds a snapshot, or replaces the one with its id, whose row stays.
    pub fn upsert(&mut self, snapshot: &Snapshot) -> Row {
        let row = self.intern(&snapshot.id);
        let target = self.forward_target(row, snapshot);
        let memory = self.read(row, snapshot);
        let target_before = self.node(row).supersedes();
        self.withdraw_links(row);
        let old = if target == target_before {
            self.replace_in_place(row, memory)
        } else {
            self.unclaim(row);
            let old = self.node_mut(row).memory.replace(memory);
            if let Some(target) = target {
                self.claim(row, target);
            }
            old
        };
        self.announce_links(row);
        if old.is_none() {
            self.len += 1;
        }
        self.release(old, target_before);
        row
    }

    /// Removes a snapshot; edges of others onto its id stay. Its row, or `None` where it isn't there.
    pub fn remove(&mut self, id: &str) -> Option<Row> {
        let row = self.row(id)?;
        let target = self.node(row).supersedes();
        self.unclaim(row);
        self.withdraw_links(row);
        let memory = self.node_mut(row).memory.take();
        self.len -= 1;
        self.release(memory, target);
        self.release_unused(row);
        Some(row)
    }

    pub(crate) fn node_mut(&mut self, row: Row) -> &mut Node {
        &mut self.nodes[row as usize]
    }

    pub(crate) fn memory_mut(&mut self, row: Row) -> &mut Memory {
        self.node_mut(row).memory.as_mut().expect("edges start at memories")
    }

    /// Replaces a memory whose forward edge stays as it is, on a cycle or not; its standing may change.
    fn replace_in_place(&mut self, row: Row, mut memory: Memory) -> Option<Memory> {
        let target = self.node(row).supersedes();
        memory.supersedes = target;
        let standing_before = self.node(row).standing(row);
        let old = self.node_mut(row).memory.replace(memory);
        if let Some(target) = target {
            self.node_mut(target).claimants.remove(&standing_before);
            let standing = self.node(row).standing(row);
            self.add_claimant(target, standing);
        }
        old
    }

    /// The row of `id`, which gets one if it has none.
    fn intern(&mut self, id: &str) -> Row {
        if let Some(row) = self.known(id) {
            return row;
        }
        let id: Arc<str> = Arc::from(id);
        let node = Node { id: Arc::clone(&id), ..Node::default() };
        let row = if let Some(row) = self.free.pop() {
            *self.node_mut(row) = node;
            row
        } else {
            self.nodes.push(node);
            Row::try_from(self.nodes.len() - 1).expect("a machine's memory holds fewer than 2^32 memories")
        };
        self.index.insert(id, row);
        row
    }

    fn forward_target(&mut self, row: Row, snapshot: &Snapshot) -> Option<Row> {
        let supersedes = snapshot.entry.as_ref().map_or("", |entry| entry.supersedes.as_str());
        (!supersedes.is_empty()).then(|| self.intern(supersedes)).filter(|target| *target != row)
    }

    /// Everything but the forward edge.
    fn read(&mut self, row: Row, snapshot: &Snapshot) -> Memory {
        let listed = Link::ALL.map(|link| self.read_links(row, link.listed(snapshot)));
        let links = listed.iter().any(|rows| !rows.is_empty()).then(|| Box::new(listed));
        let entry = snapshot.entry.as_ref();
        let fields = entry.map_or(["", "", ""], |entry| [&entry.kind, &entry.project, &entry.computer]);
        Memory {
            deleted: snapshot.deleted,
            has_entry: entry.is_some(),
            trivial: entry.is_some_and(Entry::is_trivial),
            fields: fields.map(|field| self.symbols.acquire(field)),
            recall_count: snapshot.recall_count,
            created: entry.and_then(|entry| Instant::parse(&entry.created_at)),
            title: entry.map_or_else(Arc::default, |entry| Arc::from(entry.title.as_str())),
            parent: entry.and_then(|entry| entry.parent_id.as_deref()).map(Arc::from),
            supersedes: None,
            links,
        }
    }

    fn read_links(&mut self, row: Row, ids: &[String]) -> Box<[Row]> {
        if ids.is_empty() {
            return Box::default();
        }
        let mut seen = HashSet::from([row]);
        ids.iter().map(|id| self.intern(id)).filter(|target| seen.insert(*target)).collect()
    }

    /// Enters the memory's links at their targets.
    fn announce_links(&mut self, row: Row) {
        let Some(links) = self.node_mut(row).memory.as_mut().and_then(|memory| memory.links.take()) else { return };
        for (place, targets) in links.iter().enumerate() {
            for target in targets {
                let only = self.node(*target).linked.as_ref().and_then(|linked| linked[place].only());
                let only = only.map(|other| self.node(other).standing(other));
                let standing = self.node(row).standing(row);
                self.node_mut(*target).linked.get_or_insert_default()[place].insert(standing, only);
            }
        }
        self.memory_mut(row).links = Some(links);
    }

    /// Takes the memory's links back from their targets; the memory keeps its lists.
    fn withdraw_links(&mut self, row: Row) {
        let Some(links) = self.node_mut(row).memory.as_mut().and_then(|memory| memory.links.take()) else { return };
        let standing = self.node(row).standing(row);
        for (place, targets) in links.iter().enumerate() {
            for target in targets {
                let node = self.node_mut(*target);
                if let Some(linked) = &mut node.linked {
                    linked[place].remove(&standing);
                    if linked.iter().all(Incoming::is_empty) {
                        node.linked = None;
                    }
                }
            }
        }
        self.memory_mut(row).links = Some(links);
    }

    /// Gives back the symbols and targets of a memory that is no longer in the graph.
    fn release(&mut self, memory: Option<Memory>, target: Option<Row>) {
        let Some(memory) = memory else { return };
        for symbol in memory.fields {
            self.symbols.release(symbol);
        }
        let linked = memory.links.iter().flat_map(|links| links.iter()).flat_map(|rows| rows.iter().copied());
        for row in target.into_iter().chain(linked) {
            self.release_unused(row);
        }
    }

    /// Frees the row of an id without a snapshot that nobody points at.
    fn release_unused(&mut self, row: Row) {
        let node = &self.nodes[row as usize];
        // A row that is free already has no place in the index.
        if node.is_unused() && self.index.get(&node.id) == Some(&row) {
            self.index.remove(&node.id);
            self.nodes[row as usize] = Node::default();
            self.free.push(row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Memory, graph, memory};

    fn ids(graph: &Graph, rows: impl Iterator<Item = Row>) -> Vec<String> {
        rows.map(|row| graph.id(row).to_owned()).collect()
    }

    #[test]
    fn what_is_shown_of_a_memory_comes_from_its_entry() {
        let mut snapshot = memory("a").title("inner").project("p").0;
        snapshot.title = "outer".to_owned();
        snapshot.project = "q".to_owned();
        snapshot.created_at = "2026-01-01T00:00:00Z".to_owned();
        snapshot.importance = "trivial".to_owned();
        snapshot.recall_count = 7;
        let mut graph = Graph::new();
        let row = graph.upsert(&snapshot);
        assert_eq!((graph.title(row), graph.project(row), graph.created(row)), ("inner", "p", None));
        assert_eq!((graph.is_trivial(row), graph.recall_count(row), graph.len()), (false, 7, 1));
    }

    #[test]
    fn a_row_stays_while_its_snapshot_is_replaced() {
        let mut graph = graph([memory("a").title("old"), memory("b")]);
        let row = graph.row("a").unwrap();
        assert_eq!(graph.upsert(&memory("a").title("new").trivial().0), row);
        assert_eq!((graph.title(row), graph.is_trivial(row), graph.len()), ("new", true, 2));
    }

    #[test]
    fn links_are_distinct_in_first_mention_and_without_oneself() {
        let graph = graph([memory("a").see_also(&["c", "a", "b", "c"])]);
        let row = graph.row("a").unwrap();
        assert_eq!(graph.see_also(row).collect::<Vec<_>>(), ["c", "b"]);
        assert_eq!(ids(&graph, graph.seen_by("c")), ["a"]);
        assert_eq!(ids(&graph, graph.seen_by("a")), [""; 0]);
    }

    #[test]
    fn those_that_list_an_id_stand_newest_first_and_move_when_they_change() {
        let mut graph = graph([
            memory("a").day(1).derived_from(&["x"]),
            memory("b").day(3).derived_from(&["x"]),
            memory("c").day(2).derived_from(&["x"]).contradicts(&["x"]),
        ]);
        assert_eq!(ids(&graph, graph.derivatives("x")), ["b", "c", "a"]);
        assert_eq!(ids(&graph, graph.contradicted_by("x")), ["c"]);
        graph.upsert(&memory("a").day(4).derived_from(&["x"]).0);
        assert_eq!(ids(&graph, graph.derivatives("x")), ["a", "b", "c"]);
        graph.upsert(&memory("b").day(3).0);
        graph.remove("c");
        assert_eq!(ids(&graph, graph.derivatives("x")), ["a"]);
        assert_eq!(ids(&graph, graph.contradicted_by("x")), [""; 0]);
    }

    #[test]
    fn claimants_stand_live_first_then_newest_then_greatest_id() {
        let mut graph = graph([
            memory("a").day(1).supersedes("x"),
            memory("b").day(1).supersedes("x"),
            memory("c").day(9).supersedes("x").deleted(),
            memory("d").day(2).supersedes("x"),
        ]);
        assert_eq!(ids(&graph, graph.claimants("x")), ["d", "b", "a", "c"]);
        graph.upsert(&memory("c").day(9).supersedes("x").0);
        graph.upsert(&memory("d").day(2).supersedes("x").deleted().0);
        assert_eq!(ids(&graph, graph.claimants("x")), ["c", "b", "a", "d"]);
        assert_eq!(ids(&graph, graph.live_claimants("x")), ["c", "b", "a"]);
    }

    #[test]
    fn edges_onto_a_removed_memory_wait_for_it() {
        let mut graph = graph([memory("a"), memory("b").supersedes("a").see_also(&["a"])]);
        let row = graph.remove("a").unwrap();
        assert_eq!((graph.row("a"), graph.remove("a"), graph.len()), (None, None, 1));
        assert_eq!(ids(&graph, graph.claimants("a")), ["b"]);
        assert_eq!(graph.upsert(&memory("a").0), row);
        assert_eq!(ids(&graph, graph.seen_by("a")), ["b"]);
    }

    #[test]
    fn nothing_is_left_of_what_was_removed() {
        let rich = memory("a").project("p").supersedes("gone").see_also(&["gone", ""]).contradicts(&["b"]);
        let mut graph = graph([rich.clone(), memory("b").derived_from(&["gone"]), Memory::without_entry("c")]);
        graph.upsert(&memory("a").supersedes("b").0);
        graph.upsert(&rich.0);
        for id in ["b", "a", "c"] {
            graph.remove(id);
        }
        assert!(graph.index.is_empty() && graph.is_empty());
        assert_eq!(graph.free.len(), graph.nodes.len());
        assert_eq!(graph.symbols.find("p"), None);
        assert_eq!(graph.symbols.find(""), None);
        let rows = graph.row_bound();
        graph.upsert(&rich.0);
        assert_eq!(graph.row_bound(), rows);
    }

    #[test]
    fn an_id_that_is_freed_twice_over_does_not_take_the_empty_id_with_it() {
        let mut graph = graph([
            memory("a").supersedes("gone").see_also(&["gone"]).derived_from(&["gone"]),
            memory("b").see_also(&[""]),
        ]);
        graph.remove("a");
        assert_eq!(ids(&graph, graph.seen_by("")), ["b"]);
        let (one, two) = (graph.upsert(&memory("c").0), graph.upsert(&memory("d").0));
        assert_ne!(one, two);
    }

    #[test]
    fn a_clone_goes_its_own_way() {
        let mut graph = graph([memory("a"), memory("b").supersedes("a")]);
        let before = graph.clone();
        graph.remove("b");
        graph.upsert(&memory("a").title("new").0);
        assert_eq!(ids(&before, before.claimants("a")), ["b"]);
        assert_eq!(before.title(before.row("a").unwrap()), "");
    }

    #[test]
    fn the_recall_count_changes_alone() {
        let mut graph = graph([memory("a").title("t").supersedes("b").recalled(1)]);
        let row = graph.row("a").unwrap();
        graph.set_recall_count(row, 9);
        assert_eq!((graph.recall_count(row), graph.title(row), graph.supersedes(row)), (9, "t", Some("b")));
    }
}
