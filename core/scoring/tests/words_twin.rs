//! BM25 gives what the formula of the README gives, and forgets what was removed.

use std::collections::{BTreeMap, BTreeSet};

use corecall_scoring::text::{query_tokens, tokens};
use corecall_scoring::{Document, WordIndex};
use corecall_types::{Code, Task};
use proptest::prelude::*;

#[derive(Clone, Debug, Default)]
struct Text {
    title: String,
    tags: Vec<String>,
    content: String,
}

impl Text {
    fn view(&self) -> Document<'_> {
        Document { title: &self.title, tags: &self.tags, content: &self.content }
    }

    /// Every word of these tests is one token, so a length is a number of tokens.
    fn weighted(&self) -> Vec<String> {
        let (title, tags) = (tokens(&self.title), tokens(&self.tags.join(" ")));
        [&title[..], &title, &tags, &tags, &tokens(&self.content)].concat()
    }

    fn distinct(&self) -> BTreeSet<String> {
        tokens(&self.title).into_iter().chain(tokens(&self.content)).collect()
    }
}

fn words(most: usize) -> impl Strategy<Value = String> {
    let word =
        prop::sample::select(vec!["the", "server", "port", "ports", "opened", "lunch", "of", "blue", "Café", "naïve"]);
    prop::collection::vec(word, 0..most).prop_map(|words| words.join(" "))
}

fn text() -> impl Strategy<Value = Text> {
    let tags = prop::collection::vec(words(2), 0..3);
    (words(4), tags, words(12)).prop_map(|(title, tags, content)| Text { title, tags, content })
}

fn documents() -> impl Strategy<Value = BTreeMap<u32, Text>> {
    prop::collection::btree_map(prop_oneof![0_u32..20, 3000_u32..3010], text(), 0..15)
}

fn index<'a>(documents: impl IntoIterator<Item = (&'a u32, &'a Text)>) -> WordIndex {
    let mut index = WordIndex::default();
    documents.into_iter().for_each(|(&row, text)| index.set(row, &text.view()));
    index
}

fn search(index: &WordIndex, query: &str) -> Vec<(u32, f64)> {
    index.search(query, &Task::new()).unwrap()
}

/// The formula, straight from the texts.
fn twin(documents: &BTreeMap<u32, Text>, query: &str) -> Vec<(u32, f64)> {
    let (k1, b, n) = (0.9, 0.3, documents.len() as f64);
    let average = documents.values().map(|text| text.weighted().len()).sum::<usize>() as f64 / n;
    let idf = |term: &String| {
        let holding = documents.values().filter(|text| text.weighted().contains(term)).count() as f64;
        libm::log(1.0 + (n - holding + 0.5) / (holding + 0.5))
    };
    let terms = query_tokens(query);
    let possible = (k1 + 1.0) * terms.iter().map(idf).sum::<f64>();
    let bm25 = |text: &Text| {
        let all = text.weighted();
        let part = |term: &String| {
            let tf = all.iter().filter(|token| *token == term).count() as f64;
            idf(term) * tf * (k1 + 1.0) / (tf + k1 * (1.0 - b + b * all.len() as f64 / average))
        };
        terms.iter().map(part).sum::<f64>()
    };
    let scores = documents.iter().map(|(&row, text)| (row, bm25(text) / possible));
    scores.filter(|&(_, score)| score > 0.0).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn bm25_is_the_formula(documents in documents(), query in words(5)) {
        let (found, expected) = (search(&index(&documents), &query), twin(&documents, &query));
        prop_assert_eq!(found.len(), expected.len());
        for ((row, score), (twin_row, twin_score)) in found.into_iter().zip(expected) {
            prop_assert_eq!(row, twin_row);
            prop_assert!((score - twin_score).abs() < 1e-12 && score > 0.0 && score < 1.0);
        }
    }

    #[test]
    fn answers_depend_on_what_is_there_alone(
        documents in documents(), others in documents(), query in words(5), text in text(), min in 0.0..1.0_f64,
    ) {
        let straight = index(&documents);
        // The other way round, over documents that are then replaced or removed, with a clone looking on.
        let mut wild = index(&others);
        let (snapshot, before) = (wild.clone(), search(&wild, &query));
        for (&row, text) in documents.iter().rev() {
            wild.set(row, &text.view());
        }
        for row in others.keys().filter(|row| !documents.contains_key(row)) {
            prop_assert!(wild.remove(*row));
        }
        prop_assert!(!wild.remove(99));
        let task = Task::new();
        prop_assert_eq!(search(&wild, &query), search(&straight, &query));
        prop_assert_eq!(wild.similar(&text.view(), min, &task), straight.similar(&text.view(), min, &task));
        prop_assert_eq!(wild.len(), documents.len());
        prop_assert_eq!(search(&snapshot, &query), before);
    }

    #[test]
    fn similar_is_jaccard_of_every_row(documents in documents(), text in text(), min in prop_oneof![Just(0.0), Just(0.5), 0.0..1.0]) {
        let index = index(&documents);
        let probe = text.distinct();
        let mut expected = Vec::new();
        for (&row, other) in &documents {
            let other = other.distinct();
            let either = probe.union(&other).count();
            let jaccard = if either == 0 { 0.0 } else { probe.intersection(&other).count() as f64 / either as f64 };
            prop_assert_eq!(index.jaccard(row, &text.view()).to_bits(), jaccard.to_bits());
            if jaccard > 0.0 && jaccard >= min {
                expected.push((row, jaccard));
            }
        }
        prop_assert_eq!(index.similar(&text.view(), min, &Task::new()).unwrap(), expected);
    }
}

#[test]
fn titles_and_tags_weigh_more_than_content() {
    let text = |title: &str, tag: &str, content: &str| Text {
        title: title.into(),
        tags: vec![tag.into()],
        content: content.into(),
    };
    let documents = BTreeMap::from([
        (1, text("one", "x", "the port")),
        (2, text("port", "x", "the one")),
        (3, text("one", "port", "the x")),
    ]);
    let found = search(&index(&documents), "port");
    assert!(found[1].1 > found[0].1 && found[2].1 > found[0].1);
}

#[test]
fn a_cancelled_search_says_so() {
    let (index, task) =
        (index(&BTreeMap::from([(1, Text { content: "port".into(), ..Text::default() })])), Task::new());
    task.cancel();
    assert_eq!(index.search("port", &task).unwrap_err().code, Code::CallCancelled);
}
