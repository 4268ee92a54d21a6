//! What a writer linked: `see_also`, `contradicts`, `derived_from`.

use std::collections::HashSet;

use crate::node::Link;
use crate::related::pass::Pass;
use crate::{Relation, Row};

/// `contradicts`: what the hit contradicts as listed, then what contradicts it.
pub(crate) fn contradictions(pass: &mut Pass<'_>) {
    for source in 0..pass.hits.len() {
        for_each_link(pass, source, Link::Contradicts, Ends::Both, |pass, row| {
            pass.offer(source, Relation::Contradicts, pass.candidate(row));
        });
    }
}

/// `see_also`: what the hit links as listed, then what links it; each replaced by its head.
pub(crate) fn linked(pass: &mut Pass<'_>) {
    for source in 0..pass.hits.len() {
        for_each_link(pass, source, Link::SeeAlso, Ends::Both, |pass, row| {
            pass.offer(source, Relation::SeeAlso, pass.newest(row));
        });
    }
}

/// `derived_from`: what the hit was made from, as listed.
pub(crate) fn sources(pass: &mut Pass<'_>) {
    for source in 0..pass.hits.len() {
        for_each_link(pass, source, Link::DerivedFrom, Ends::Outgoing, |pass, row| {
            pass.offer(source, Relation::DerivedFrom, pass.candidate(row));
        });
    }
}

/// `derivative`: what was made from the hit.
pub(crate) fn derivatives(pass: &mut Pass<'_>) {
    for source in 0..pass.hits.len() {
        for_each_link(pass, source, Link::DerivedFrom, Ends::Incoming, |pass, row| {
            pass.offer(source, Relation::Derivative, pass.candidate(row));
        });
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    Outgoing,
    Incoming,
    Both,
}

/// Goes through a hit's links, outgoing before incoming, until the hit can bring no more.
///
/// Incoming ones count where the memory that lists the hit is eligible and wasn't gone through before.
fn for_each_link<'q>(
    pass: &mut Pass<'q>,
    source: usize,
    link: Link,
    ends: Ends,
    mut offer: impl FnMut(&mut Pass<'q>, Row),
) {
    let graph = pass.graph;
    let hit = pass.hits[source];
    let listed = if ends == Ends::Incoming { &[] } else { graph.links(hit, link) };
    for &row in listed {
        if pass.is_closed(source) {
            return;
        }
        offer(pass, row);
    }
    if ends == Ends::Outgoing {
        return;
    }
    let listed: HashSet<Row> = listed.iter().copied().collect();
    for row in graph.linked(hit, link) {
        if pass.is_closed(source) {
            return;
        }
        if pass.heads.eligible(row) && !listed.contains(&row) {
            offer(pass, row);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Relation::{Contradicts, Derivative, DerivedFrom, SeeAlso};
    use crate::testing::{Call, Memory, graph, memory};

    #[test]
    fn links_come_as_listed_then_from_those_that_list_the_hit_newest_first() {
        let graph = graph([
            memory("s").see_also(&["z", "a"]),
            memory("a").day(9).see_also(&["s"]),
            memory("z"),
            memory("old").day(1).see_also(&["s"]),
            memory("new").day(2).see_also(&["s"]),
            memory("newer").day(2).see_also(&["s"]),
        ]);
        let call = || Call::new(&graph, &["s"]).only(SeeAlso).set(|settings| settings.per_source = 64);
        assert_eq!(
            call().shown(),
            ["s see_also z", "s see_also a", "s see_also newer", "s see_also new", "s see_also old"]
        );
        // `a` is listed and lists back: one candidate, not two.
        assert_eq!(call().ledger().considered, 5);
    }

    #[test]
    fn a_link_leads_to_the_head_even_of_an_id_that_is_gone() {
        let graph = graph([
            memory("s").see_also(&["a", "gone", "b"]),
            memory("a"),
            memory("a2").supersedes("a"),
            memory("b2").supersedes("gone"),
            memory("b").deleted(),
        ]);
        assert_eq!(Call::new(&graph, &["s"]).only(SeeAlso).shown(), ["s see_also a2", "s see_also b2"]);
        assert_eq!(Call::new(&graph, &["s"]).only(SeeAlso).drops(), ["s see_also b Deleted"]);
    }

    #[test]
    fn links_that_end_at_one_head_or_at_the_hit_count_once() {
        let graph = graph([
            memory("s").see_also(&["a", "b", "was-s"]).supersedes("was-s"),
            memory("a"),
            memory("b").supersedes("a"),
        ]);
        assert_eq!(Call::new(&graph, &["s"]).only(SeeAlso).shown(), ["s see_also b"]);
        assert_eq!(Call::new(&graph, &["s"]).only(SeeAlso).drops(), ["s see_also b Duplicate", "s see_also s Hit"]);
    }

    #[test]
    fn only_eligible_memories_link_back() {
        let graph = graph([
            memory("s").project("p"),
            memory("dead").see_also(&["s"]).project("p").deleted(),
            memory("elsewhere").see_also(&["s"]),
            memory("here").see_also(&["s"]).project("p"),
        ]);
        let call = || Call::new(&graph, &["s"]).only(SeeAlso).project("p");
        assert_eq!(call().shown(), ["s see_also here"]);
        assert_eq!(call().ledger().considered, 1);
    }

    #[test]
    fn a_hit_without_an_entry_lists_nothing_but_is_listed() {
        let graph = graph([Memory::without_entry("s"), memory("a").see_also(&["s"])]);
        assert_eq!(Call::new(&graph, &["s"]).only(SeeAlso).shown(), ["s see_also a"]);
    }

    #[test]
    fn contradictions_are_seen_from_both_ends_and_not_replaced() {
        let graph = graph([memory("new").contradicts(&["old"]), memory("old"), memory("newest").supersedes("old")]);
        assert_eq!(Call::new(&graph, &["new"]).only(Contradicts).shown(), ["new contradicts old"]);
        assert_eq!(Call::new(&graph, &["old"]).only(Contradicts).shown(), ["old contradicts new"]);
    }

    #[test]
    fn derivations_have_a_label_for_each_direction() {
        let graph = graph([
            memory("source"),
            memory("one").derived_from(&["source", "gone"]).day(1),
            memory("two").derived_from(&["source"]).day(2),
        ]);
        assert_eq!(Call::new(&graph, &["one"]).only(DerivedFrom).shown(), ["one derived_from source"]);
        assert_eq!(Call::new(&graph, &["one"]).only(DerivedFrom).drops(), ["one derived_from gone Deleted"]);
        assert_eq!(
            Call::new(&graph, &["source"]).only(Derivative).shown(),
            ["source derivative two", "source derivative one"]
        );
        assert_eq!(Call::new(&graph, &["source"]).only(DerivedFrom).shown(), [""; 0]);
    }

    #[test]
    fn the_additive_labels_must_be_asked_for() {
        let graph = graph([
            memory("s").contradicts(&["a"]).derived_from(&["b"]),
            memory("a"),
            memory("b"),
            memory("c").derived_from(&["s"]),
        ]);
        assert_eq!(Call::new(&graph, &["s"]).shown(), [""; 0]);
        assert_eq!(Call::new(&graph, &["s"]).ledger().considered, 0);
    }
}
