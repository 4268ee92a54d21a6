//! What forgetting a memory does to others.

use corecall_types::{Code, Error, Result};

use crate::{Graph, Heads, Row, Scope};

/// What becomes a tombstone, and what comes back by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForgetPlan {
    /// The memory to forget.
    pub row: Row,
    /// Memories that are current once it is gone because nothing else replaces them.
    pub revived: Vec<Row>,
}

/// Plans the forgetting of the memory with exactly this id.
///
/// Errors: `memory.unknown` at `id` where there is none, or it is forgotten already.
pub fn plan(graph: &Graph, id: &str) -> Result<ForgetPlan> {
    let missing = |message: String| Error::new(Code::MemoryUnknown, message).at("id");
    let row = graph.row(id).ok_or_else(|| missing(format!("there is no memory {id}; look it up by recall")))?;
    if graph.is_deleted(row) {
        return Err(missing(format!("memory {id} is forgotten already; there is nothing to do")));
    }
    Ok(ForgetPlan { row, revived: revived(graph, row).into_iter().collect() })
}

/// The first live memory down the chain, if nothing else replaces it. What is further down stays replaced
/// by that one, or by whatever replaces what lies between.
fn revived(graph: &Graph, forgotten: Row) -> Option<Row> {
    let heads = Heads::new(graph, &Scope::default()).without(forgotten);
    let mut at = forgotten;
    while !graph.is_void(at) {
        at = graph.forward(at)?;
        if heads.of(at).is_some() {
            return None;
        }
        if graph.is_live(at) {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Memory, graph, memory};

    fn revived_by<const N: usize>(memories: [Memory; N], id: &str) -> Vec<String> {
        let graph = graph(memories);
        let plan = plan(&graph, id).unwrap();
        assert_eq!(graph.id(plan.row), id);
        plan.revived.into_iter().map(|row| graph.id(row).to_owned()).collect()
    }

    #[test]
    fn what_the_forgotten_one_replaced_is_current_again() {
        let chain = [memory("a"), memory("b").supersedes("a"), memory("c").supersedes("b")];
        assert_eq!(revived_by(chain.clone(), "c"), ["b"]);
        assert_eq!(revived_by(chain.clone(), "b"), [""; 0]);
        assert_eq!(revived_by(chain, "a"), [""; 0]);
    }

    #[test]
    fn dead_versions_between_are_passed_through() {
        let chain = [memory("a"), memory("b").supersedes("a").deleted(), memory("c").supersedes("b")];
        assert_eq!(revived_by(chain, "c"), ["a"]);
    }

    #[test]
    fn nothing_revives_while_another_replacement_is_live() {
        let fork = [memory("a"), memory("b").supersedes("a"), memory("c").supersedes("a")];
        assert_eq!(revived_by(fork, "c"), [""; 0]);
        let below = [
            memory("a"),
            memory("b").supersedes("a").deleted(),
            memory("c").supersedes("b"),
            memory("d").supersedes("a"),
        ];
        assert_eq!(revived_by(below, "c"), [""; 0]);
    }

    #[test]
    fn a_cycle_revives_nothing_and_ends() {
        let ring = [memory("a").supersedes("b"), memory("b").supersedes("a")];
        assert_eq!(revived_by(ring, "a"), [""; 0]);
        let onto = [memory("a").supersedes("b"), memory("b").supersedes("a"), memory("c").supersedes("a")];
        assert_eq!(revived_by(onto, "c"), ["a"]);
    }

    #[test]
    fn a_memory_that_is_not_there_or_forgotten_already_is_unknown() {
        let graph = graph([memory("a").deleted(), memory("b").supersedes("gone")]);
        for id in ["a", "c", "gone"] {
            let error = plan(&graph, id).unwrap_err();
            assert_eq!((error.code, error.path.as_str()), (Code::MemoryUnknown, "id"), "{id}");
        }
    }

    #[test]
    fn a_memory_that_cannot_be_read_can_be_forgotten() {
        assert_eq!(revived_by([Memory::without_entry("a")], "a"), [""; 0]);
    }
}
