//! What replaced a hit, and what a hit replaced.

use std::collections::HashMap;

use crate::related::Reason;
use crate::related::pass::{Candidate, Pass};
use crate::{Relation, Row};

/// `new_version`: the hit's head.
pub(crate) fn new_versions(pass: &mut Pass<'_>) {
    for source in 0..pass.hits.len() {
        if pass.is_closed(source) {
            continue;
        }
        let hit = pass.hits[source];
        if let Some(head) = pass.heads.of(hit) {
            pass.offer(source, Relation::NewVersion, pass.candidate(head));
        }
        if pass.explains() {
            let graph = pass.graph;
            for claimant in graph.node(hit).claimants.iter().filter(|row| graph.is_void(*row)) {
                pass.offer(source, Relation::NewVersion, on_cycle(pass.candidate(claimant)));
            }
        }
    }
}

/// `old_version`: the first eligible memory down the edges that aren't void.
pub(crate) fn old_versions(pass: &mut Pass<'_>) {
    let mut known = HashMap::new();
    for source in 0..pass.hits.len() {
        if pass.explains() {
            walk_in_full(pass, source);
        } else if !pass.is_closed(source) {
            if let Some(row) = first_eligible_below(pass, pass.hits[source], &mut known) {
                pass.offer(source, Relation::OldVersion, pass.candidate(row));
            }
        }
    }
}

/// `known` holds what was found below each memory that was passed over, so that hits of one long chain
/// share one walk.
fn first_eligible_below(pass: &Pass<'_>, hit: Row, known: &mut HashMap<Row, Option<Row>>) -> Option<Row> {
    let graph = pass.graph;
    let mut passed = Vec::new();
    let mut at = hit;
    let found = loop {
        if graph.is_void(at) {
            break None;
        }
        let Some(target) = graph.forward(at).filter(|row| graph.has_entry(*row)) else { break None };
        if pass.heads.eligible(target) {
            break Some(target);
        }
        if let Some(found) = known.get(&target) {
            break *found;
        }
        passed.push(target);
        at = target;
    };
    known.extend(passed.into_iter().map(|row| (row, found)));
    found
}

/// Offers every memory of the walk: those passed over, the first eligible one, or what the walk ends at.
fn walk_in_full(pass: &mut Pass<'_>, source: usize) {
    let graph = pass.graph;
    let mut at = pass.hits[source];
    while let Some(target) = graph.forward(at) {
        let candidate = pass.candidate(target);
        if graph.is_void(at) {
            pass.offer(source, Relation::OldVersion, on_cycle(candidate));
            return;
        }
        pass.offer(source, Relation::OldVersion, candidate);
        if pass.heads.eligible(target) || !graph.has_entry(target) {
            return;
        }
        at = target;
    }
}

fn on_cycle(candidate: Candidate<'_>) -> Candidate<'_> {
    Candidate { flaw: Some(Reason::Cycle), ..candidate }
}

#[cfg(test)]
mod tests {
    use crate::Relation::{NewVersion, OldVersion};
    use crate::testing::{Call, Memory, graph, memory};

    #[test]
    fn the_head_is_the_new_version() {
        let graph = graph([memory("a"), memory("b").supersedes("a"), memory("c").supersedes("b")]);
        assert_eq!(Call::new(&graph, &["a"]).only(NewVersion).shown(), ["a new_version c"]);
        assert_eq!(Call::new(&graph, &["c"]).only(NewVersion).shown(), [""; 0]);
    }

    #[test]
    fn a_head_that_is_a_hit_is_not_repeated() {
        let graph = graph([memory("a"), memory("b").supersedes("a")]);
        assert_eq!(Call::new(&graph, &["a", "b"]).only(NewVersion).shown(), [""; 0]);
        assert_eq!(Call::new(&graph, &["a", "b"]).only(NewVersion).drops(), ["a new_version b Hit"]);
    }

    #[test]
    fn two_hits_of_one_chain_share_one_new_version() {
        let graph = graph([memory("a"), memory("b").supersedes("a"), memory("c").supersedes("b")]);
        assert_eq!(Call::new(&graph, &["b", "a"]).only(NewVersion).shown(), ["b new_version c"]);
        assert_eq!(Call::new(&graph, &["b", "a"]).only(NewVersion).drops(), ["a new_version c Duplicate"]);
    }

    #[test]
    fn the_first_eligible_memory_below_is_the_old_version() {
        let graph = graph([
            memory("a"),
            memory("b").supersedes("a"),
            memory("c").supersedes("b").deleted(),
            memory("d").supersedes("c").project("p"),
            memory("e").supersedes("d"),
        ]);
        assert_eq!(Call::new(&graph, &["e"]).only(OldVersion).shown(), ["e old_version d"]);
        assert_eq!(Call::new(&graph, &["d"]).only(OldVersion).shown(), ["d old_version b"]);
        let scoped = || Call::new(&graph, &["e"]).only(OldVersion).project("");
        assert_eq!(scoped().shown(), ["e old_version b"]);
        assert_eq!(scoped().drops(), ["e old_version d OutOfScope", "e old_version c Deleted"]);
    }

    #[test]
    fn an_old_version_that_is_a_hit_is_not_passed_by() {
        let graph = graph([memory("a"), memory("b").supersedes("a"), memory("c").supersedes("b")]);
        assert_eq!(Call::new(&graph, &["c", "b"]).only(OldVersion).shown(), ["b old_version a"]);
        assert_eq!(Call::new(&graph, &["c", "b"]).only(OldVersion).drops(), ["c old_version b Hit"]);
    }

    #[test]
    fn a_memory_that_cannot_be_read_or_is_missing_ends_the_walk() {
        let hidden = graph([memory("a"), Memory::without_entry("b"), memory("c").supersedes("b")]);
        assert_eq!(Call::new(&hidden, &["c"]).only(OldVersion).drops(), ["c old_version b Deleted"]);
        let missing = graph([memory("c").supersedes("b")]);
        assert_eq!(Call::new(&missing, &["c"]).only(OldVersion).shown(), [""; 0]);
        assert_eq!(Call::new(&missing, &["c"]).only(OldVersion).drops(), ["c old_version b Deleted"]);
    }

    #[test]
    fn a_cycle_gives_neither_and_the_ledger_says_so() {
        let graph =
            graph([memory("a").supersedes("b"), memory("b").supersedes("a").deleted(), memory("c").supersedes("b")]);
        let both = || Call::new(&graph, &["a"]).set(|settings| settings.relations = vec![OldVersion, NewVersion]);
        assert_eq!(both().shown(), [""; 0]);
        // b is a tombstone, which is the earlier reason.
        assert_eq!(both().drops(), ["a new_version b Deleted", "a old_version b Deleted"]);
        // The walk from c passes the dead b and stops at b's edge.
        assert_eq!(
            Call::new(&graph, &["c"]).only(OldVersion).drops(),
            ["c old_version b Deleted", "c old_version a Cycle"]
        );
        assert_eq!(both().run().unwrap().superseded, []);
    }

    #[test]
    fn a_head_from_outside_stands_before_the_cycle_in_the_ledger() {
        let graph = graph([memory("a").supersedes("b"), memory("b").supersedes("a"), memory("c").supersedes("a")]);
        assert_eq!(Call::new(&graph, &["a"]).only(NewVersion).shown(), ["a new_version c"]);
        let ledger = Call::new(&graph, &["a"]).only(NewVersion).ledger();
        assert_eq!((ledger.considered, ledger.returned, ledger.dropped.len()), (2, 1, 1));
        assert_eq!(Call::new(&graph, &["a"]).only(NewVersion).drops(), ["a new_version b Cycle"]);
    }

    #[test]
    fn hits_of_one_long_dead_chain_find_the_same_old_version() {
        let dead = (1..200).map(|n| memory(&n.to_string()).supersedes(&(n - 1).to_string()).deleted());
        let graph = graph([memory("0")].into_iter().chain(dead));
        let hits = ["199", "50", "120", "1"];
        assert_eq!(Call::new(&graph, &hits).only(OldVersion).shown(), ["199 old_version 0"]);
        let duplicates: Vec<_> = Call::new(&graph, &hits).only(OldVersion).ledger().dropped;
        assert_eq!(duplicates.len(), 64);
        assert_eq!(Call::new(&graph, &hits).only(OldVersion).ledger().considered, 199 + 50 + 120 + 1);
    }
}
