//! What withdrawing a replacement brings back.

use corecall_types::{Code, Error, Result};

use crate::{Graph, Heads, Row, Scope};

/// A replacement to be withdrawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsupersedePlan {
    /// The memory that replaces another.
    pub row: Row,
    /// The id it replaces, which needs no snapshot.
    pub target: Row,
    /// Who else replaces the target: what its mirrored hint becomes.
    pub hint: Option<Row>,
    /// Memories that are current then because nothing else replaces them.
    pub revived: Vec<Row>,
}

/// Plans the withdrawal of the edge by which `row` replaces another memory.
///
/// Errors: `relation.unknown` at `id` where it replaces nothing.
pub fn plan(graph: &Graph, row: Row) -> Result<UnsupersedePlan> {
    let Some(target) = graph.forward(row) else {
        let message = format!("memory {} replaces nothing; list its relations", graph.id(row));
        return Err(Error::new(Code::RelationUnknown, message).at("id"));
    };
    let hint = graph.live_claimants(graph.id(target)).find(|claimant| *claimant != row);
    Ok(UnsupersedePlan { row, target, hint, revived: revived(graph, row).into_iter().collect() })
}

/// The first live memory below, if the edge is what replaces it now and nothing else does.
fn revived(graph: &Graph, row: Row) -> Option<Row> {
    let heads = Heads::new(graph, &Scope::default());
    let replaces = |claimant: Row| heads.eligible(claimant) || heads.of(claimant).is_some();
    // A void edge replaces nothing.
    if graph.is_void(row) || !replaces(row) {
        return None;
    }
    let mut above = row;
    while !graph.is_void(above) {
        let at = graph.forward(above)?;
        if graph.valid_claimants(at).any(|claimant| claimant != above && replaces(claimant)) {
            return None;
        }
        if graph.is_live(at) {
            return Some(at);
        }
        above = at;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{graph, memory};

    fn withdrawn(graph: &Graph, id: &str) -> (String, Option<String>, Vec<String>) {
        let plan = plan(graph, graph.row(id).unwrap()).unwrap();
        let name = |row: Row| graph.id(row).to_owned();
        (name(plan.target), plan.hint.map(name), plan.revived.into_iter().map(name).collect())
    }

    fn outcome(target: &str, hint: Option<&str>, revived: &[&str]) -> (String, Option<String>, Vec<String>) {
        (target.to_owned(), hint.map(str::to_owned), revived.iter().map(|&id| id.to_owned()).collect())
    }

    #[test]
    fn what_was_replaced_is_current_again_also_in_the_middle_of_a_chain() {
        let chain = graph([memory("a"), memory("b").supersedes("a"), memory("c").supersedes("b")]);
        assert_eq!(withdrawn(&chain, "c"), outcome("b", None, &["b"]));
        assert_eq!(withdrawn(&chain, "b"), outcome("a", None, &["a"]));
    }

    #[test]
    fn another_claimant_keeps_it_replaced_and_becomes_the_hint() {
        let fork = graph([
            memory("a"),
            memory("b").supersedes("a"),
            memory("c").supersedes("a").day(1),
            memory("d").supersedes("a").deleted().day(9),
        ]);
        assert_eq!(withdrawn(&fork, "b"), outcome("a", Some("c"), &[]));
        // What is dead already replaced nothing.
        assert_eq!(withdrawn(&fork, "d"), outcome("a", Some("c"), &[]));
    }

    #[test]
    fn dead_versions_below_are_passed_through() {
        let chain = graph([memory("a"), memory("b").supersedes("a").deleted(), memory("c").supersedes("b")]);
        assert_eq!(withdrawn(&chain, "c"), outcome("b", None, &["a"]));
        // The dead middle carries the live end's claim.
        assert_eq!(withdrawn(&chain, "b"), outcome("a", None, &["a"]));
        let held = graph([
            memory("a"),
            memory("b").supersedes("a").deleted(),
            memory("c").supersedes("b"),
            memory("d").supersedes("a"),
        ]);
        assert_eq!(withdrawn(&held, "c"), outcome("b", None, &[]));
        let dead = graph([memory("a"), memory("b").supersedes("a").deleted()]);
        assert_eq!(withdrawn(&dead, "b"), outcome("a", None, &[]));
    }

    #[test]
    fn a_void_edge_gives_nothing_back_and_a_missing_target_neither() {
        let ring = graph([memory("a").supersedes("b"), memory("b").supersedes("a")]);
        assert_eq!(withdrawn(&ring, "a"), outcome("b", None, &[]));
        assert_eq!(withdrawn(&graph([memory("b").supersedes("absent")]), "b"), outcome("absent", None, &[]));
    }

    #[test]
    fn a_memory_that_replaces_nothing_is_refused() {
        let graph = graph([memory("a"), memory("b").supersedes("a")]);
        let error = plan(&graph, graph.row("a").unwrap()).unwrap_err();
        assert_eq!((error.code, error.path.as_str()), (Code::RelationUnknown, "id"));
    }
}
