//! `rank` gives the exact best rows of the one score, and a score depends on nothing but query and index.

use std::cmp::Ordering;

use corecall_scoring::{Document, Model, RankQuery, VectorIndex, WordIndex, rank, vector};
use corecall_types::{Code, Task};
use proptest::prelude::*;

struct Set {
    contents: Vec<String>,
    words: WordIndex,
    vectors: VectorIndex,
}

const MODEL: Model = Model::TestHash { dims: 16 };

/// Every seventh row has no vector.
fn set(contents: Vec<String>) -> Set {
    let (mut words, mut vectors) = (WordIndex::default(), VectorIndex::default());
    for (row, content) in (0..).zip(&contents) {
        words.set(row, &Document { content, ..Document::default() });
        if let Some(vector) = MODEL.embed(content).unwrap().filter(|_| row % 7 != 6) {
            vectors.set(row, &vector).unwrap();
        }
    }
    Set { contents, words, vectors }
}

fn order(a: u32, b: u32) -> Ordering {
    (a % 4).cmp(&(b % 4)).then(b.cmp(&a))
}

fn ranked(set: &Set, query: &RankQuery<'_>, eligible: &dyn Fn(u32) -> bool) -> Vec<(u32, f64)> {
    rank(&set.words, &set.vectors, query, eligible, &order, &Task::new()).unwrap()
}

/// The score of every row, straight from the formula.
fn twin(set: &Set, query: &RankQuery<'_>, eligible: &dyn Fn(u32) -> bool) -> Vec<(u32, f64)> {
    let shares = set.words.search(query.text, &Task::new()).unwrap();
    let score = |(row, content): (u32, &String)| {
        let share = shares.iter().find(|found| found.0 == row).map_or(0.0, |found| found.1);
        let Some(query) = query.vector else { return (row, share) };
        let n = content.split_whitespace().count() as f64;
        let cosine = set.vectors.get(row).map_or(0.0, |vector| vector::dot(vector, query) * (n / (n + 5.0)));
        (row, 0.4 * cosine + (1.0 - 0.4) * share)
    };
    let mut all: Vec<_> = (0..).zip(&set.contents).map(score).collect();
    all.retain(|&(row, score)| score > 0.0 && score >= query.min_score && eligible(row));
    all.sort_by(|a, b| b.1.partial_cmp(&a.1).unwrap().then(order(a.0, b.0)));
    all.truncate(query.k);
    all
}

fn words(most: usize) -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec!["server", "port", "open", "lunch", "blue", "red", "green", "house"]);
    prop::collection::vec(word, 0..most).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn rank_is_exact(
        contents in prop::collection::vec(words(8), 0..30), text in words(4), meaning in words(4), k in 0_usize..12,
        min_score in prop_oneof![Just(0.0), 0.0..0.6_f64], divisor in 1_u32..5,
    ) {
        let set = set(contents);
        let embedded = MODEL.embed(&meaning).unwrap();
        let query = RankQuery { text: &text, vector: embedded.as_deref(), k, min_score };
        let eligible = |row: u32| row % divisor == 0;
        let found = ranked(&set, &query, &eligible);
        prop_assert_eq!(&found, &twin(&set, &query, &eligible));
        prop_assert!(found.iter().all(|&(_, score)| score > 0.0 && score <= 1.0));
        // Neither the limit, nor the threshold, nor the filter changes a score.
        let all = ranked(&set, &RankQuery { k: usize::MAX, min_score: 0.0, ..query }, &|_| true);
        let kept: Vec<_> = all.into_iter().filter(|&(row, score)| eligible(row) && score >= min_score).take(k).collect();
        prop_assert_eq!(found, kept);
    }
}

#[test]
fn without_a_vector_a_row_needs_a_word_in_common() {
    let set = set(vec!["the port is open".into(), "lunch at noon".into()]);
    let query = RankQuery { text: "port", vector: None, k: 10, min_score: 0.0 };
    assert_eq!(ranked(&set, &query, &|_| true).iter().map(|hit| hit.0).collect::<Vec<_>>(), [0]);
    for text in ["", "elephant"] {
        assert_eq!(ranked(&set, &RankQuery { text, ..query }, &|_| true), []);
    }
}

#[test]
fn a_far_vector_is_no_hit() {
    let mut vectors = VectorIndex::default();
    vectors.set(0, &[1.0, 0.0]).unwrap();
    vectors.set(1, &[0.0, 1.0]).unwrap();
    vectors.set(2, &[-1.0, 0.0]).unwrap();
    let set = Set { contents: Vec::new(), words: WordIndex::default(), vectors };
    let query = RankQuery { text: "port", vector: Some(&[1.0, 0.0]), k: 10, min_score: 0.0 };
    assert_eq!(ranked(&set, &query, &|_| true), [(0, 0.4)]);
}

#[test]
fn a_query_of_another_dimension_is_refused() {
    let set = set(vec!["port".into()]);
    let query = RankQuery { text: "port", vector: Some(&[1.0]), k: 1, min_score: 0.0 };
    let error = rank(&set.words, &set.vectors, &query, &|_| true, &order, &Task::new()).unwrap_err();
    assert_eq!(error.code, Code::VectorDimension);
}

#[test]
fn a_cancelled_rank_says_so() {
    let (set, task) = (set(vec!["port".into()]), Task::new());
    task.cancel();
    let query = RankQuery { text: "port", vector: None, k: 1, min_score: 0.0 };
    let error = rank(&set.words, &set.vectors, &query, &|_| true, &order, &task).unwrap_err();
    assert_eq!(error.code, Code::CallCancelled);
}
