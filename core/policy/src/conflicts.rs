//! Several live replacements of one memory: what two devices that wrote apart leave behind.

use crate::incoming::Incoming;
use crate::{Graph, Row};

/// An id that several live memories replace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict<'g> {
    /// The id; it needs no snapshot.
    pub target: &'g str,
    /// Its live claimants, the one that wins first.
    pub claimants: Vec<Row>,
}

/// Every id with two or more live claimants, ordered by id. Edges on a cycle don't count.
pub fn conflicts(graph: &Graph) -> Vec<Conflict<'_>> {
    let several = (0..).zip(&graph.nodes).filter(|(_, node)| matches!(node.claimants, Incoming::Many(_)));
    let mut conflicts: Vec<_> = several
        .map(|(row, node)| Conflict {
            target: &node.id,
            claimants: graph.valid_claimants(row).filter(|claimant| !graph.is_deleted(*claimant)).collect(),
        })
        .filter(|conflict| conflict.claimants.len() > 1)
        .collect();
    conflicts.sort_unstable_by_key(|conflict| conflict.target);
    conflicts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{graph, memory};

    #[test]
    fn only_ids_with_several_live_claimants_are_in_conflict() {
        let graph = graph([
            memory("one"),
            memory("only").supersedes("one"),
            memory("dead").supersedes("one").deleted(),
            memory("older").supersedes("two").day(1),
            memory("newer").supersedes("two").day(2),
            memory("x").supersedes("a").day(1),
            memory("y").supersedes("a").day(1),
            memory("z").supersedes("a").day(3).deleted(),
        ]);
        let found: Vec<_> = conflicts(&graph)
            .into_iter()
            .map(|one| (one.target, one.claimants.into_iter().map(|row| graph.id(row)).collect::<Vec<_>>()))
            .collect();
        assert_eq!(found, [("a", vec!["y", "x"]), ("two", vec!["newer", "older"])]);
    }

    #[test]
    fn an_edge_on_a_cycle_competes_with_nobody() {
        let graph = graph([memory("a").supersedes("b"), memory("b").supersedes("a"), memory("c").supersedes("a")]);
        assert_eq!(conflicts(&graph), []);
    }
}
