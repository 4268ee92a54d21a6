//! Which stored memories a writer should look at before making a new one.
//!
//! | proposal | a memory is proposed when |
//! |---|---|
//! | merge | it says the same: equal text; or the same numbers and negations, and cosine ≥ [`MERGE_COSINE`] or words ≥ [`MERGE_WORDS`] |
//! | parent | it is of the same subject: cosine ≥ [`PARENT_COSINE`] or words ≥ [`PARENT_WORDS`], and not proposed for merging |
//!
//! Only current memories that aren't diary lines are proposed: merging into a replaced one would hide the
//! new text at once.

use std::cmp::{Ordering, Reverse};

use crate::{Graph, Heads, Row, Scope};

/// From this cosine on two texts are taken to say the same.
pub const MERGE_COSINE: f64 = 0.95;

/// From this share of common word stems on two texts are taken to say the same.
pub const MERGE_WORDS: f64 = 0.85;

/// From this cosine on two texts are taken to be of the same subject.
pub const PARENT_COSINE: f64 = 0.80;

/// From this share of common word stems on two texts are taken to be of the same subject.
pub const PARENT_WORDS: f64 = 0.5;

/// At most this many memories in each list.
pub const PROPOSED_MAX: usize = 5;

/// How much a stored memory is like a new text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Similarity {
    /// The stored memory.
    pub row: Row,
    /// Cosine of the two vectors; `None` where one of them has none.
    pub cosine: Option<f64>,
    /// Jaccard index of the two sets of word stems, 0 to 1.
    pub words: f64,
    /// The two texts are equal.
    pub equal: bool,
    /// The two texts hold different numbers, or only one of them negates: likeness doesn't make them the same.
    pub numbers_differ: bool,
}

/// What a writer is asked about; a memory stands in one list at most.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proposal {
    /// Near-identical memories, best first.
    pub merge: Vec<Row>,
    /// Memories of the same subject, best first.
    pub parent: Vec<Row>,
}

impl Proposal {
    /// Whether there is nothing to ask.
    pub fn is_empty(&self) -> bool {
        self.merge.is_empty() && self.parent.is_empty()
    }
}

/// Sorts similar memories into the two lists: equal texts first, then by the larger of cosine and words, then
/// newest, then greatest id. A memory is taken to be listed once.
pub fn propose(graph: &Graph, similarities: &[Similarity]) -> Proposal {
    let heads = Heads::new(graph, &Scope::default());
    let is_current = |row| heads.eligible(row) && !graph.is_trivial(row) && heads.of(row).is_none();
    let (merge, parent): (Vec<_>, Vec<_>) = similarities
        .iter()
        .filter(|one| (one.says_the_same() || one.is_of_the_same_subject()) && is_current(one.row))
        .partition(|one| one.says_the_same());
    Proposal { merge: best(graph, merge), parent: best(graph, parent) }
}

impl Similarity {
    fn says_the_same(&self) -> bool {
        self.equal || (!self.numbers_differ && self.reaches(MERGE_COSINE, MERGE_WORDS))
    }

    fn is_of_the_same_subject(&self) -> bool {
        self.reaches(PARENT_COSINE, PARENT_WORDS)
    }

    fn reaches(&self, cosine: f64, words: f64) -> bool {
        self.cosine.is_some_and(|own| own >= cosine) || self.words >= words
    }

    fn closeness(&self) -> f64 {
        self.cosine.map_or(self.words, |cosine| cosine.max(self.words))
    }
}

fn best(graph: &Graph, mut similar: Vec<&Similarity>) -> Vec<Row> {
    let order = |a: &&Similarity, b: &&Similarity| -> Ordering {
        Reverse(a.equal)
            .cmp(&Reverse(b.equal))
            .then_with(|| b.closeness().total_cmp(&a.closeness()))
            .then_with(|| graph.newest_first(a.row, b.row))
    };
    similar.sort_unstable_by(order);
    similar.into_iter().take(PROPOSED_MAX).map(|one| one.row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Memory, graph, memory};

    fn like(graph: &Graph, id: &str, cosine: Option<f64>, words: f64) -> Similarity {
        Similarity { row: graph.row(id).unwrap(), cosine, words, equal: false, numbers_differ: false }
    }

    fn ids<'g>(graph: &'g Graph, rows: &[Row]) -> Vec<&'g str> {
        rows.iter().map(|row| graph.id(*row)).collect()
    }

    #[test]
    fn thresholds_are_reached_by_cosine_or_by_words() {
        let graph = graph(["a", "b", "c", "d", "e", "f"].map(memory));
        let proposal = propose(
            &graph,
            &[
                like(&graph, "a", Some(0.95), 0.0),
                like(&graph, "b", None, 0.85),
                like(&graph, "c", Some(0.80), 0.84),
                like(&graph, "d", None, 0.5),
                like(&graph, "e", Some(0.79), 0.49),
                like(&graph, "f", None, 0.0),
            ],
        );
        assert_eq!(ids(&graph, &proposal.merge), ["a", "b"]);
        assert_eq!(ids(&graph, &proposal.parent), ["c", "d"]);
    }

    #[test]
    fn an_equal_text_is_a_merge_candidate_even_without_words_and_comes_first() {
        let graph = graph(["a", "b"].map(memory));
        let equal = Similarity { equal: true, ..like(&graph, "a", None, 0.0) };
        let proposal = propose(&graph, &[like(&graph, "b", Some(1.0), 1.0), equal]);
        assert_eq!(ids(&graph, &proposal.merge), ["a", "b"]);
        assert!(proposal.parent.is_empty());
    }

    #[test]
    fn other_numbers_make_a_near_identical_text_a_parent() {
        let graph = graph([memory("a")]);
        let differs = Similarity { numbers_differ: true, ..like(&graph, "a", Some(0.99), 0.9) };
        let proposal = propose(&graph, &[differs]);
        assert_eq!((proposal.merge.len(), ids(&graph, &proposal.parent)), (0, vec!["a"]));
    }

    #[test]
    fn only_current_memories_that_are_no_diary_lines_are_proposed() {
        let graph = graph([
            memory("deleted").deleted(),
            memory("diary").trivial(),
            Memory::without_entry("hidden"),
            memory("replaced"),
            memory("replacement").supersedes("replaced"),
        ]);
        let all: Vec<_> = graph.rows().map(|row| like(&graph, graph.id(row), Some(1.0), 1.0)).collect();
        let proposal = propose(&graph, &all);
        assert_eq!(ids(&graph, &proposal.merge), ["replacement"]);
        assert!(propose(&graph, &all[..4]).is_empty());
    }

    #[test]
    fn five_of_each_best_first_ties_by_newest_then_greatest_id() {
        let graph = graph((0..8).map(|number| memory(&format!("m{number}")).day(if number == 3 { 2 } else { 1 })));
        let merge: Vec<_> = (0..8).map(|number| like(&graph, &format!("m{number}"), Some(0.96), 0.2)).collect();
        let mut merge = merge;
        merge[0].words = 0.97;
        let proposal = propose(&graph, &merge);
        assert_eq!(ids(&graph, &proposal.merge), ["m0", "m3", "m7", "m6", "m5"]);
        // What didn't fit into one list isn't moved into the other.
        assert!(proposal.parent.is_empty());
    }
}
