//! Forward edges, and which of them lie on a cycle.
//!
//! A memory has at most one forward edge, so an edge lies on a cycle exactly when following it leads back,
//! and two cycles never share a memory. Adding an edge can close one cycle, removing one can open one;
//! nothing else changes.

use crate::graph::Graph;
use crate::incoming::{Rows, Standing};
use crate::{Row, node::Node};

impl Graph {
    /// Sets the forward edge of a memory that has none.
    pub(crate) fn claim(&mut self, row: Row, target: Row) {
        let closes = self.leads_to(target, row);
        self.memory_mut(row).supersedes = Some(target);
        let standing = self.node(row).standing(row);
        self.add_claimant(target, standing);
        if closes {
            self.set_void(row, true);
        }
    }

    /// Removes the forward edge of a memory, if it has one.
    pub(crate) fn unclaim(&mut self, row: Row) {
        let Some(target) = self.node(row).supersedes() else { return };
        if self.node(row).void {
            self.set_void(row, false);
        }
        let standing = self.node(row).standing(row);
        self.node_mut(target).claimants.remove(&standing);
        self.memory_mut(row).supersedes = None;
    }

    pub(crate) fn add_claimant(&mut self, target: Row, standing: Standing) {
        let only = self.node(target).claimants.only().map(|row| self.node(row).standing(row));
        self.node_mut(target).claimants.insert(standing, only);
    }

    /// Whether following the edges from `from` leads to `to`, which has no forward edge yet.
    ///
    /// Goes down from `from` and up from `to` by turns and stops with the shorter of the two, so that
    /// building costs O(n log n) steps in any order: an edge's price is never above the size of the
    /// smaller of the two trees it joins. A memory nobody claims is settled at once.
    fn leads_to(&self, from: Row, to: Row) -> bool {
        let mut down = from;
        let mut up: Vec<Rows<'_>> = vec![self.node(to).claimants.iter()];
        loop {
            if down == to {
                return true;
            }
            let node: &Node = self.node(down);
            match node.supersedes() {
                // A cycle that is there already doesn't lead out again.
                Some(next) if !node.void => down = next,
                _ => return false,
            }
            let Some(claimants) = up.last_mut() else { return false };
            match claimants.next() {
                Some(claimant) if claimant == from => return true,
                Some(claimant) => up.push(self.node(claimant).claimants.iter()),
                None => {
                    up.pop();
                }
            }
        }
    }

    /// Marks every edge of the cycle through `row`.
    fn set_void(&mut self, row: Row, void: bool) {
        let mut at = row;
        loop {
            let node = self.node_mut(at);
            node.void = void;
            at = node.supersedes().expect("every memory of a cycle has a forward edge");
            if at == row {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Graph;
    use crate::testing::{graph, memory};

    fn void(graph: &Graph) -> Vec<&str> {
        let mut ids: Vec<_> = graph.rows().filter(|row| graph.is_void(*row)).map(|row| graph.id(row)).collect();
        ids.sort_unstable();
        ids
    }

    #[test]
    fn every_edge_of_a_cycle_is_void_and_edges_onto_it_stay() {
        let graph = graph([
            memory("a").supersedes("c"),
            memory("b").supersedes("a"),
            memory("c").supersedes("b"),
            memory("outside").supersedes("b"),
            memory("further").supersedes("outside"),
        ]);
        assert_eq!(void(&graph), ["a", "b", "c"]);
        assert_eq!(graph.claimants("b").map(|row| graph.id(row)).collect::<Vec<_>>(), ["outside"]);
        assert_eq!(graph.claimants("a").count(), 0);
    }

    #[test]
    fn an_edge_onto_itself_is_no_edge() {
        let graph = graph([memory("a").supersedes("a")]);
        assert_eq!(void(&graph), [""; 0]);
        assert_eq!(graph.supersedes(graph.row("a").unwrap()), None);
    }

    #[test]
    fn a_cycle_opens_when_one_of_its_edges_goes() {
        let two = || graph([memory("a").supersedes("b"), memory("b").supersedes("a")]);
        let mut changed = two();
        changed.upsert(&memory("b").supersedes("elsewhere").0);
        assert_eq!(void(&changed), [""; 0]);
        assert_eq!(changed.claimants("b").count(), 1);
        let mut removed = two();
        removed.remove("b");
        assert_eq!(void(&removed), [""; 0]);
        removed.upsert(&memory("b").supersedes("a").0);
        assert_eq!(void(&removed), ["a", "b"]);
    }

    #[test]
    fn a_deleted_memory_keeps_its_edge_and_one_without_entry_has_none() {
        let mut graph = graph([memory("a").supersedes("b"), memory("b").supersedes("a").deleted()]);
        assert_eq!(void(&graph), ["a", "b"]);
        graph.upsert(&crate::testing::Memory::without_entry("b").0);
        assert_eq!(void(&graph), [""; 0]);
    }

    #[test]
    fn a_cycle_that_is_published_again_unchanged_stays_void() {
        let mut graph = graph([memory("a").supersedes("b"), memory("b").supersedes("a")]);
        graph.upsert(&memory("a").supersedes("b").day(3).deleted().0);
        assert_eq!(void(&graph), ["a", "b"]);
        graph.upsert(&memory("c").supersedes("a").0);
        assert_eq!(graph.claimants("a").map(|row| graph.id(row)).collect::<Vec<_>>(), ["c"]);
    }

    #[test]
    fn a_cycle_through_many_joined_chains_is_found_and_opened() {
        // A long chain below, then for each new top a claimant first: only the upward search is short.
        let mut graph = Graph::new();
        let length = 3_000;
        for number in 0..length {
            graph.upsert(&memory(&format!("low {}", number + 1)).supersedes(&format!("low {number}")).0);
        }
        for number in 0..length {
            graph.upsert(&memory(&format!("above {number}")).supersedes(&format!("top {number}")).0);
            graph.upsert(&memory(&format!("top {number}")).supersedes(&format!("low {length}")).0);
        }
        graph.upsert(&memory("low 0").supersedes("above 7").0);
        assert_eq!(void(&graph).len(), length + 3);
        graph.remove("top 7");
        assert_eq!(void(&graph).len(), 0);
    }
}
