//! Heads: what stands at the live end of a memory's replacements (contract 1, Head).

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use crate::scope::Filter;
use crate::{Graph, Row, Scope};

/// Heads in one scope, each computed once, without recursion.
pub struct Heads<'g> {
    graph: &'g Graph,
    filter: Filter,
    without: HashSet<Row>,
    known: RefCell<HashMap<Row, Option<Row>>>,
}

/// How many versions up a head is looked for before the search keeps notes.
const GLANCE_MAX: usize = 16;

impl<'g> Heads<'g> {
    /// Computes nothing yet.
    pub fn new(graph: &'g Graph, scope: &Scope) -> Self {
        Self { graph, filter: graph.filter(scope), without: HashSet::new(), known: RefCell::default() }
    }

    /// The same, as if these were deleted.
    #[must_use]
    pub fn without(mut self, rows: impl IntoIterator<Item = Row>) -> Self {
        self.without.extend(rows);
        self.known.get_mut().clear();
        self
    }

    /// Whether a memory is live and in scope.
    pub fn eligible(&self, row: Row) -> bool {
        !self.without.contains(&row) && self.graph.admits(row, &self.filter)
    }

    /// The newest live endpoint of what replaced `row`, which may be an id without a snapshot.
    pub fn of(&self, row: Row) -> Option<Row> {
        if self.graph.node(row).claimants.is_empty() {
            return None;
        }
        if let Some(head) = self.glance(row) {
            return Some(head);
        }
        let known = self.known.borrow().get(&row).copied();
        known.unwrap_or_else(|| self.search(row))
    }

    /// The head where it is what the search looks at first and not far: the usual case, without a table.
    fn glance(&self, row: Row) -> Option<Row> {
        let mut at = row;
        for _ in 0..GLANCE_MAX {
            at = self.graph.valid_claimants(at).next()?;
            if self.graph.node(at).claimants.is_empty() {
                return self.eligible(at).then_some(at);
            }
        }
        None
    }

    /// The first eligible memory of the tree of claimants above `row`, each one after all that replace it.
    fn search(&self, row: Row) -> Option<Row> {
        let mut known = self.known.borrow_mut();
        let mut path = vec![(row, self.graph.valid_claimants(row))];
        let mut found = None;
        while let Some((_, claimants)) = path.last_mut() {
            let finished = match claimants.next() {
                None => {
                    // Nothing above it: it has no head, and is the head of what it replaced if it can be.
                    let (finished, _) = path.pop().expect("the loop's condition");
                    known.insert(finished, None);
                    finished
                }
                Some(claimant) if self.graph.node(claimant).claimants.is_empty() => claimant,
                Some(claimant) => match known.get(&claimant) {
                    None => {
                        path.push((claimant, self.graph.valid_claimants(claimant)));
                        continue;
                    }
                    Some(None) => claimant,
                    Some(head) => {
                        found = *head;
                        break;
                    }
                },
            };
            if finished != row && self.eligible(finished) {
                found = Some(finished);
                break;
            }
        }
        known.extend(path.into_iter().map(|(passed, _)| (passed, found)));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Memory, graph, memory};
    use crate::{Entry, Snapshot};

    fn head<'g>(graph: &'g Graph, id: &str) -> Option<&'g str> {
        graph.head(id, &Scope::default()).map(|row| graph.id(row))
    }

    fn in_project<'g>(graph: &'g Graph, id: &str, project: &str) -> Option<&'g str> {
        let scope = Scope { project: Some(project.to_owned()), ..Scope::default() };
        graph.head(id, &scope).map(|row| graph.id(row))
    }

    #[test]
    fn the_live_end_of_a_chain_is_the_head_of_every_version() {
        let graph = graph([memory("a"), memory("b").supersedes("a"), memory("c").supersedes("b")]);
        assert_eq!((head(&graph, "a"), head(&graph, "b"), head(&graph, "c")), (Some("c"), Some("c"), None));
        assert_eq!(head(&graph, "unheard of"), None);
    }

    #[test]
    fn a_dead_middle_is_passed_through() {
        let graph = graph([memory("a"), memory("b").supersedes("a").deleted(), memory("c").supersedes("b")]);
        assert_eq!(head(&graph, "a"), Some("c"));
    }

    #[test]
    fn a_dead_end_gives_way_to_the_last_live_version() {
        let graph = graph([memory("a"), memory("b").supersedes("a"), memory("c").supersedes("b").deleted()]);
        assert_eq!((head(&graph, "a"), head(&graph, "b")), (Some("b"), None));
    }

    #[test]
    fn an_id_without_a_snapshot_has_a_head() {
        let graph = graph([memory("b").supersedes("gone")]);
        assert_eq!(head(&graph, "gone"), Some("b"));
    }

    #[test]
    fn of_two_writers_the_live_one_wins_then_the_newest_then_the_greatest_id() {
        let older = memory("b").supersedes("a").day(1);
        let newer = memory("c").supersedes("a").day(2);
        assert_eq!(head(&graph([memory("a"), older.clone(), newer.clone()]), "a"), Some("c"));
        assert_eq!(head(&graph([memory("a"), older.clone(), newer.deleted()]), "a"), Some("b"));
        let same_time = memory("d").supersedes("a").created("2026-01-01T08:00:00+08:00");
        assert_eq!(head(&graph([memory("a"), older.clone(), same_time]), "a"), Some("d"));
        let no_time = memory("z").supersedes("a").created("yesterday");
        assert_eq!(head(&graph([memory("a"), older, no_time]), "a"), Some("b"));
    }

    #[test]
    fn a_dead_branch_with_a_live_end_comes_after_a_live_claimant() {
        let graph = graph([
            memory("a"),
            memory("dead").supersedes("a").day(9).deleted(),
            memory("end").supersedes("dead").day(9),
            memory("live").supersedes("a").day(1),
        ]);
        assert_eq!(head(&graph, "a"), Some("live"));
    }

    #[test]
    fn the_first_claimant_with_anything_eligible_wins_whatever_stands_beside_it() {
        let graph = graph([
            memory("a"),
            memory("first").supersedes("a").day(5).project("other"),
            memory("first-end").supersedes("first").day(1).project("p"),
            memory("second").supersedes("a").day(4).project("p"),
        ]);
        assert_eq!(in_project(&graph, "a", "p"), Some("first-end"));
        assert_eq!(in_project(&graph, "a", "other"), Some("first"));
        assert_eq!(in_project(&graph, "a", "nobody's"), None);
    }

    #[test]
    fn a_claimant_without_an_entry_claims_nothing() {
        let mut hidden = Memory::without_entry("b");
        hidden.0.kind = "decision".to_owned();
        assert_eq!(head(&graph([memory("a"), hidden]), "a"), None);
    }

    #[test]
    fn members_of_a_cycle_have_heads_from_outside_only() {
        let ring = [memory("a").supersedes("b"), memory("b").supersedes("a")];
        assert_eq!(head(&graph(ring.clone()), "a"), None);
        let [a, b] = ring;
        let graph = graph([a, b, memory("c").supersedes("a")]);
        assert_eq!((head(&graph, "a"), head(&graph, "b"), head(&graph, "c")), (Some("c"), None, None));
    }

    #[test]
    fn leaving_one_memory_out_is_as_if_it_were_deleted() {
        let graph = graph([memory("a"), memory("b").supersedes("a"), memory("c").supersedes("b")]);
        let row = |id| graph.row(id).unwrap();
        let heads = Heads::new(&graph, &Scope::default());
        assert_eq!(heads.of(row("a")), Some(row("c")));
        let heads = heads.without([row("c")]);
        assert_eq!(heads.of(row("a")), Some(row("b")));
        assert_eq!(heads.of(row("b")), None);
    }

    #[test]
    fn asking_again_gives_the_same() {
        // Long enough to leave the quick way, with a dead top and a dead side branch.
        let mut graph = graph([memory("0").project("p")]);
        for number in 1..100 {
            let version = memory(&number.to_string()).supersedes(&(number - 1).to_string()).day(2);
            graph.upsert(&if number > 60 { version.deleted() } else { version.project("p") }.0);
        }
        graph.upsert(&memory("side").supersedes("30").day(3).deleted().0);
        let scope = Scope { project: Some("p".to_owned()), ..Scope::default() };
        for order in [vec!["0", "29", "30", "60", "61", "99", "side"], vec!["99", "side", "61", "60", "30", "29", "0"]]
        {
            let heads = Heads::new(&graph, &scope);
            for _ in 0..2 {
                for id in &order {
                    let fresh = graph.head(id, &scope);
                    assert_eq!(heads.of(graph.row(id).unwrap()), fresh, "{id}");
                    let expected = (*id != "side" && id.parse::<u32>().unwrap() < 60).then(|| graph.row("60").unwrap());
                    assert_eq!(fresh, expected, "{id}");
                }
            }
        }
    }

    const MILLION: u32 = 1_000_000;

    #[test]
    fn a_chain_of_a_million_builds_and_answers_oldest_first() {
        build_and_ask(0..MILLION);
    }

    #[test]
    fn a_chain_of_a_million_builds_and_answers_newest_first() {
        build_and_ask((0..MILLION).rev());
    }

    fn build_and_ask(order: impl Iterator<Item = u32>) {
        let mut snapshot = Snapshot { entry: Some(Entry::default()), ..Snapshot::default() };
        let mut put = |graph: &mut Graph, number: u32, supersedes: Option<u32>| {
            snapshot.id = number.to_string();
            let target = supersedes.map_or_else(String::new, |older| older.to_string());
            snapshot.entry.as_mut().unwrap().supersedes = target;
            graph.upsert(&snapshot);
        };
        let mut graph = Graph::new();
        for number in order {
            put(&mut graph, number, number.checked_sub(1));
        }
        assert_eq!(head(&graph, "0"), Some("999999"));
        graph.remove("999999");
        assert_eq!(head(&graph, "1"), Some("999998"));
        put(&mut graph, 0, Some(999_998));
        assert_eq!(head(&graph, "0"), None);
        assert!(graph.rows().all(|row| graph.is_void(row)));
    }
}
