//! What is usually recalled together with a hit.

use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;

use corecall_types::Instant;

use crate::related::pass::{Candidate, Pass};
use crate::related::{Pair, Reason};
use crate::{Relation, Row};

/// `co_recall`: partners of the hit's pairs, those first that are recalled with it rather than with everything.
pub(crate) fn partners(pass: &mut Pass<'_>) {
    let query = pass.query;
    let sources: HashMap<&str, usize> = query.hits.iter().map(String::as_str).zip(0..).collect();
    let mut partners: Vec<Vec<Partner<'_>>> = vec![Vec::new(); query.hits.len()];
    for Pair { a, b, n } in query.pairs {
        if *n < query.settings.pair_min && !pass.explains() {
            continue;
        }
        for (one, other) in [(a, b), (b, a)] {
            if let Some(&source) = sources.get(one.as_str()) {
                partners[source].push(Partner::new(pass, other, *n));
            }
        }
    }
    for (source, mut partners) in partners.into_iter().enumerate() {
        partners.sort_unstable_by(Partner::before);
        for partner in partners {
            if pass.is_closed(source) {
                break;
            }
            pass.offer(source, Relation::CoRecall, candidate(pass, &partner));
        }
    }
}

/// The partner's head; the partner itself where it has none, or isn't one that counts.
fn candidate<'q>(pass: &Pass<'q>, partner: &Partner<'q>) -> Candidate<'q> {
    let flaw = (partner.n < pass.query.settings.pair_min).then_some(Reason::BelowThreshold);
    let counts = |row: &Row| pass.graph.has_entry(*row) && !pass.graph.is_trivial(*row);
    match partner.row.filter(counts) {
        Some(row) => Candidate { flaw, ..pass.newest(row) },
        // A diary line is dropped for that unless something worse is wrong, even if its head isn't one.
        None => Candidate { id: partner.id, row: partner.row, flaw },
    }
}

#[derive(Clone, Copy)]
struct Partner<'q> {
    id: &'q str,
    row: Option<Row>,
    n: u64,
    evidence: Evidence,
    created: Option<Instant>,
}

impl<'q> Partner<'q> {
    fn new(pass: &Pass<'q>, id: &'q str, n: u64) -> Self {
        let row = pass.graph.row(id);
        let recall_count = row.map_or(0, |row| pass.query.recall_count(pass.graph, row));
        let created = row.and_then(|row| pass.graph.created(row));
        Self { id, row, n, evidence: Evidence::new(n, recall_count), created }
    }

    /// Best evidence first, then most often, newest, greatest id.
    fn before(&self, other: &Self) -> Ordering {
        let rest = |partner: &Self| (Reverse(partner.n), Reverse(partner.created), Reverse(partner.id));
        other.evidence.cmp(&self.evidence).then_with(|| rest(self).cmp(&rest(other)))
    }
}

/// n² / max(recall count, n), compared exactly: the whole part, then the fraction by cross-multiplication.
///
/// With 64-bit counts n² and both products stay below 2^128.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Evidence {
    whole: u128,
    remainder: u128,
    divisor: u128,
}

impl Evidence {
    fn new(n: u64, recall_count: u64) -> Self {
        let n = u128::from(n);
        let divisor = n.max(u128::from(recall_count)).max(1);
        Self { whole: n * n / divisor, remainder: n * n % divisor, divisor }
    }

    fn cmp(&self, other: &Self) -> Ordering {
        let fractions = (self.remainder * other.divisor).cmp(&(other.remainder * self.divisor));
        self.whole.cmp(&other.whole).then(fractions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Relation::CoRecall;
    use crate::testing::{Call, Memory, graph, memory};

    #[test]
    fn what_is_recalled_with_everything_does_not_win() {
        let graph = graph([memory("s"), memory("busy").recalled(100), memory("own").recalled(4)]);
        let call = Call::new(&graph, &["s"]).only(CoRecall).pairs(&[("busy", "s", 6), ("own", "s", 4)]);
        assert_eq!(call.shown(), ["s co_recall own", "s co_recall busy"]);
    }

    #[test]
    fn counts_kept_outside_the_snapshots_stand_for_theirs() {
        let graph = graph([memory("s"), memory("a").recalled(100), memory("b")]);
        let mut call = Call::new(&graph, &["s"]).only(CoRecall).pairs(&[("a", "s", 5), ("b", "s", 4)]);
        call.recall_counts = Some([(graph.row("b").unwrap(), 50)].into());
        assert_eq!(call.shown(), ["s co_recall a", "s co_recall b"]);
    }

    #[test]
    fn equal_evidence_goes_by_count_then_newest_then_greatest_id() {
        let graph = graph([
            memory("s"),
            memory("a").recalled(12),
            memory("b").recalled(3),
            memory("c").recalled(3).day(2),
            memory("d").recalled(3).day(2),
        ]);
        let pairs = [("s", "b", 2), ("s", "c", 2), ("s", "d", 2), ("a", "s", 4)];
        let call = Call::new(&graph, &["s"]).only(CoRecall).pairs(&pairs).set(|settings| settings.per_source = 9);
        assert_eq!(call.shown(), ["s co_recall a", "s co_recall d", "s co_recall c", "s co_recall b"]);
    }

    #[test]
    fn a_partner_is_replaced_by_its_head_whatever_became_of_it() {
        let graph =
            graph([memory("s").project("p"), memory("dead").deleted(), memory("head").supersedes("dead").project("p")]);
        let call = || Call::new(&graph, &["s"]).only(CoRecall).pairs(&[("s", "dead", 2)]);
        assert_eq!(call().project("p").shown(), ["s co_recall head"]);
        assert_eq!(call().project("q").drops(), ["s co_recall dead Deleted"]);
    }

    #[test]
    fn diary_lines_never_come_neither_as_partner_nor_as_head() {
        let graph = graph([
            memory("s"),
            memory("diary").trivial(),
            memory("head of diary").supersedes("diary"),
            memory("partner"),
            memory("diary head").supersedes("partner").trivial(),
        ]);
        let pairs = [("s", "diary", 3), ("s", "partner", 2)];
        let call = || Call::new(&graph, &["s"]).only(CoRecall).pairs(&pairs);
        assert_eq!(call().shown(), [""; 0]);
        assert_eq!(call().drops(), ["s co_recall diary Diary", "s co_recall diary head Diary"]);
    }

    #[test]
    fn a_dead_diary_line_is_dropped_as_dead() {
        let graph = graph([memory("s"), memory("diary").trivial().deleted()]);
        let call = Call::new(&graph, &["s"]).only(CoRecall).pairs(&[("s", "diary", 3)]);
        assert_eq!(call.drops(), ["s co_recall diary Deleted"]);
    }

    #[test]
    fn partners_without_snapshot_or_entry_are_skipped_even_if_something_replaced_them() {
        let graph = graph([
            memory("s"),
            Memory::without_entry("hidden"),
            memory("head").supersedes("gone"),
            memory("other").supersedes("hidden"),
        ]);
        let pairs = [("s", "hidden", 4), ("s", "gone", 3), ("s", "unheard of", 2)];
        let call = || Call::new(&graph, &["s"]).only(CoRecall).pairs(&pairs);
        assert_eq!(call().shown(), [""; 0]);
        assert_eq!(
            call().drops(),
            ["s co_recall hidden Deleted", "s co_recall gone Deleted", "s co_recall unheard of Deleted"]
        );
    }

    #[test]
    fn rare_pairs_do_not_count_and_are_dropped_in_their_place() {
        let graph = graph([memory("s"), memory("a").recalled(50), memory("b"), memory("b2").supersedes("b")]);
        let pairs = [("s", "a", 3), ("s", "b", 2)];
        let call = || Call::new(&graph, &["s"]).only(CoRecall).pairs(&pairs).set(|settings| settings.pair_min = 3);
        assert_eq!(call().shown(), ["s co_recall a"]);
        assert_eq!(call().drops(), ["s co_recall b2 BelowThreshold"]);
    }

    #[test]
    fn pairs_of_others_are_ignored_and_a_pair_of_hits_gives_nothing() {
        let graph = graph(["s", "t", "a", "b"].map(memory));
        let pairs = [("a", "b", 9), ("s", "t", 9)];
        let call = || Call::new(&graph, &["s", "t"]).only(CoRecall).pairs(&pairs);
        assert_eq!(call().shown(), [""; 0]);
        assert_eq!(call().drops(), ["s co_recall t Hit", "t co_recall s Hit"]);
    }

    #[test]
    fn pairs_that_never_happened_are_no_evidence() {
        let graph = graph([memory("s"), memory("a")]);
        let call = || Call::new(&graph, &["s"]).only(CoRecall).pairs(&[("s", "a", 0)]).set(|s| s.pair_min = 1);
        assert_eq!(call().drops(), ["s co_recall a BelowThreshold"]);
    }

    #[test]
    fn evidence_is_the_square_over_the_larger_count() {
        // 4²/4 = 4 beats 6²/100 and 5²/10.
        let own = Evidence::new(4, 0);
        assert_eq!(own.cmp(&Evidence::new(6, 100)), Ordering::Greater);
        assert_eq!(own.cmp(&Evidence::new(5, 10)), Ordering::Greater);
        assert_eq!(Evidence::new(2, 3).cmp(&Evidence::new(4, 12)), Ordering::Equal);
        assert_eq!(Evidence::new(0, 0).cmp(&Evidence::new(0, 9)), Ordering::Equal);
    }

    #[test]
    fn evidence_is_exact_where_floats_and_a_plain_product_are_not() {
        let top = 1 << 53;
        let (a, b) = (Evidence::new(top - 1, top), Evidence::new(top - 2, top - 1));
        // (t-1)²/t = t-2 + 1/t and (t-2)²/(t-1) = t-3 + 1/(t-1).
        assert_eq!(a.cmp(&b), Ordering::Greater);
        let (c, d) = (Evidence::new(3, top), Evidence::new(3, top - 1));
        assert_eq!(c.cmp(&d), Ordering::Less);
        assert_eq!(Evidence::new(u64::MAX, u64::MAX).cmp(&Evidence::new(u64::MAX - 1, u64::MAX)), Ordering::Greater);
    }
}
