//! What forgetting a memory does to others, and restoring it.

use std::collections::HashSet;

use corecall_types::{Code, Error, Result};

use crate::{Graph, Heads, Link, Row, Scope};

/// What becomes a tombstone, and what comes back by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForgetPlan {
    /// The memory to forget.
    pub row: Row,
    /// Memories that are forgotten with it, each after its sources.
    pub derived: Vec<Row>,
    /// Memories that are current once they are gone because nothing else replaces them.
    pub revived: Vec<Row>,
}

/// A tombstone that becomes a memory again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestorePlan {
    /// It isn't forgotten: there is nothing to do.
    pub is_live: bool,
    /// Its newest live version, if something replaces it meanwhile.
    pub head: Option<Row>,
    /// Memories that were current, and are replaced by it again.
    pub retired: Vec<Row>,
}

/// Plans the forgetting of the memory with exactly this id; `derived`: also of those whose every source is gone.
///
/// Errors: `memory.unknown` at `id` where there is none, or it is forgotten already.
pub fn plan(graph: &Graph, id: &str, derived: bool) -> Result<ForgetPlan> {
    let missing = |message: String| Error::new(Code::MemoryUnknown, message).at("id");
    let row = graph.row(id).ok_or_else(|| missing(format!("there is no memory {id}; look it up by recall")))?;
    if graph.is_deleted(row) {
        return Err(missing(format!("memory {id} is forgotten already; there is nothing to do")));
    }
    let derived = if derived { orphans(graph, row) } else { Vec::new() };
    let forgotten: Vec<Row> = [row].into_iter().chain(derived.iter().copied()).collect();
    Ok(ForgetPlan { row, derived, revived: revived(graph, &forgotten) })
}

/// Plans the restoring of a memory, forgotten or not.
pub fn restore(graph: &Graph, row: Row) -> RestorePlan {
    let is_live = graph.is_live(row);
    let retired = if is_live { Vec::new() } else { revived(graph, &[row]) };
    let head = graph.head(graph.id(row), &Scope::default());
    RestorePlan { is_live, head, retired }
}

/// The memories made from the forgotten one alone, those made from such alone, and so on.
fn orphans(graph: &Graph, forgotten: Row) -> Vec<Row> {
    let mut gone = HashSet::from([forgotten]);
    let mut orphans = Vec::new();
    let mut next = vec![forgotten];
    while let Some(source) = next.pop() {
        for made in graph.linked(source, Link::DerivedFrom) {
            let is_gone = |source: &Row| gone.contains(source) || !graph.is_live(*source);
            if graph.is_live(made) && !gone.contains(&made) && graph.links(made, Link::DerivedFrom).iter().all(is_gone)
            {
                gone.insert(made);
                orphans.push(made);
                next.push(made);
            }
        }
    }
    orphans
}

/// Below each forgotten one the first memory that stays, if nothing else replaces it. What is further down stays
/// replaced by that one, or by whatever replaces what lies between.
fn revived(graph: &Graph, forgotten: &[Row]) -> Vec<Row> {
    let heads = Heads::new(graph, &Scope::default()).without(forgotten.iter().copied());
    let mut revived = Vec::new();
    for &row in forgotten {
        let first = first_current_below(graph, &heads, row);
        revived.extend(first.filter(|row| !revived.contains(row)));
    }
    revived
}

fn first_current_below(graph: &Graph, heads: &Heads<'_>, row: Row) -> Option<Row> {
    let mut at = row;
    while !graph.is_void(at) {
        at = graph.forward(at)?;
        if heads.of(at).is_some() {
            return None;
        }
        if heads.eligible(at) {
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
        let plan = plan(&graph, id, false).unwrap();
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
            let error = plan(&graph, id, true).unwrap_err();
            assert_eq!((error.code, error.path.as_str()), (Code::MemoryUnknown, "id"), "{id}");
        }
    }

    #[test]
    fn a_memory_that_cannot_be_read_can_be_forgotten() {
        assert_eq!(revived_by([Memory::without_entry("a")], "a"), [""; 0]);
    }

    fn derived_by<const N: usize>(memories: [Memory; N], id: &str) -> (Vec<String>, Vec<String>) {
        let graph = graph(memories);
        let plan = plan(&graph, id, true).unwrap();
        let ids = |rows: Vec<Row>| rows.into_iter().map(|row| graph.id(row).to_owned()).collect();
        (ids(plan.derived), ids(plan.revived))
    }

    #[test]
    fn what_was_made_from_nothing_else_goes_along() {
        let made = [
            memory("source"),
            memory("other"),
            memory("gone").deleted(),
            memory("only").derived_from(&["source", "gone", "absent"]),
            memory("both").derived_from(&["source", "other"]),
            memory("second hand").derived_from(&["only"]),
            memory("dead").derived_from(&["source"]).deleted(),
        ];
        assert_eq!(derived_by(made.clone(), "source").0, ["only", "second hand"]);
        assert_eq!(derived_by(made.clone(), "other").0, [""; 0]);
        assert!(plan(&graph(made), "source", false).unwrap().derived.is_empty());
    }

    #[test]
    fn the_last_of_several_sources_takes_what_was_made_of_them_along() {
        let diamond = [
            memory("source"),
            memory("left").derived_from(&["source"]),
            memory("right").derived_from(&["source"]),
            memory("joined").derived_from(&["left", "right"]),
        ];
        let (mut derived, _) = derived_by(diamond, "source");
        assert_eq!(derived.pop().as_deref(), Some("joined"));
        derived.sort_unstable();
        assert_eq!(derived, ["left", "right"]);
        let ring = [memory("a").derived_from(&["b"]), memory("b").derived_from(&["a"])];
        assert_eq!(derived_by(ring, "a").0, ["b"]);
    }

    #[test]
    fn what_goes_along_revives_too_and_each_memory_once() {
        let chain =
            [memory("old"), memory("new").supersedes("old"), memory("newest").supersedes("new").derived_from(&["new"])];
        assert_eq!(derived_by(chain, "new"), (vec!["newest".to_owned()], vec!["old".to_owned()]));
        let apart = [memory("source"), memory("old"), memory("made").derived_from(&["source"]).supersedes("old")];
        assert_eq!(derived_by(apart, "source").1, ["old"]);
    }

    #[test]
    fn restoring_retires_what_became_current_and_names_who_replaced_it() {
        let plan = |memories: Vec<Memory>| {
            let graph = graph(memories);
            let plan = restore(&graph, graph.row("b").unwrap());
            let name = |row: Row| graph.id(row).to_owned();
            (plan.is_live, plan.head.map(name), plan.retired.into_iter().map(name).collect::<Vec<_>>())
        };
        let a = || memory("a");
        let dead = || memory("b").supersedes("a").deleted();
        assert_eq!(plan(vec![a(), dead()]), (false, None, vec!["a".into()]));
        assert_eq!(plan(vec![a(), dead(), memory("c").supersedes("a")]), (false, None, vec![]));
        assert_eq!(plan(vec![a(), dead(), memory("c").supersedes("b")]), (false, Some("c".into()), vec![]));
        assert_eq!(plan(vec![a(), memory("b").supersedes("a")]), (true, None, vec![]));
    }
}
