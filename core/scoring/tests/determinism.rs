//! Scores are the same bits on every target: these were written down once, and every kernel and platform gives them.

use corecall_scoring::{Document, Model, RankQuery, VectorIndex, WordIndex, rank, vector};
use corecall_types::Task;

const CONTENTS: [&str; 5] = [
    "The staging database listens on port 5433",
    "Port 8080 belongs to the API gateway",
    "We moved the database to port 5432 in March",
    "数据库的端口是5432",
    "Lunch with Melanie",
];

#[test]
fn scores_are_frozen_bits() {
    let model = Model::parse("test-hash:48").unwrap();
    let (mut words, mut vectors) = (WordIndex::default(), VectorIndex::default());
    for (row, content) in (0..).zip(CONTENTS) {
        words.set(row, &Document { title: "", tags: &["infra".to_owned()], content });
        vectors.set(row, &model.embed(content).unwrap().unwrap()).unwrap();
    }
    let text = "Which port does the database use?";
    let embedded = model.embed(text).unwrap();
    let bits = |vector| {
        let query = RankQuery { text, vector, k: 10, min_score: 0.0 };
        let hits = rank(&words, &vectors, &query, &|_| true, &|a, b| a.cmp(&b), &Task::new()).unwrap();
        hits.into_iter().map(|(row, score)| (row, format!("{:016x}", score.to_bits()))).collect::<Vec<_>>()
    };
    let expected = |hits: &[(u32, &str)]| hits.iter().map(|&(row, bits)| (row, bits.to_owned())).collect::<Vec<_>>();
    let by_words = [(0, "3fc846e1e13e58a0"), (2, "3fc78154384c471a"), (1, "3fb2807d4c48f4d2")];
    assert_eq!(bits(None), expected(&by_words));
    let by_both = [(2, "3fcd56e76c97b5f6"), (0, "3fcc64472acbb486"), (1, "3fbd89066e5ed64a")];
    assert_eq!(bits(embedded.as_deref()), expected(&by_both));
}

#[test]
fn a_product_of_many_is_frozen_bits() {
    let unit =
        |step: u16| vector::normalise(&(0..387).map(|j| f32::from(j * step % 101) - 50.0).collect::<Vec<_>>()).unwrap();
    assert_eq!(format!("{:016x}", vector::dot(&unit(7), &unit(13)).to_bits()), "bfa8bf14d8933700");
}
