//! What a new text probably repeats or belongs under.

use std::borrow::Cow;
use std::cmp::Ordering;

use corecall_policy::candidates::{PARENT_COSINE, PARENT_WORDS, Proposal, Similarity, propose};
use corecall_policy::{Graph, Row};
use corecall_scoring::{Document, facts, vector};
use corecall_types::{Result, Task};

use super::Corpus;

/// So many of the nearest by each measure are compared in full; the rules propose a handful of them.
const COMPARED: usize = 32;

/// Reads the content of a row that has an entry.
pub(crate) type CandidateText<'a> = dyn FnMut(Row) -> Result<Cow<'a, str>> + 'a;

/// Compares a new text with the live main memories and lets the rules propose. `except` is never proposed.
pub(crate) fn proposal(
    corpus: &Corpus,
    document: &Document<'_>,
    vector: Option<&[f32]>,
    except: Option<Row>,
    content: &mut CandidateText<'_>,
    task: &Task,
) -> Result<Proposal> {
    let graph = &corpus.graph;
    let comparable = |row: Row| graph.is_live(row) && !graph.is_trivial(row) && Some(row) != except;
    let text = document.embedding_text();

    let mut similarities = Vec::new();
    for row in alike(corpus, document, vector, &comparable, task)? {
        let stored = Document { title: graph.title(row), tags: &[], content: &content(row)? };
        let stored = stored.embedding_text();
        similarities.push(Similarity {
            row,
            cosine: vector.zip(corpus.vectors.get(row)).map(|(a, b)| vector::dot(a, b)),
            words: corpus.words.jaccard(row, document),
            equal: text == stored,
            numbers_differ: facts::facts_differ(&text, &stored),
        });
    }
    Ok(propose(graph, &similarities))
}

/// The rows alike by cosine or by words, each once.
fn alike(
    corpus: &Corpus,
    document: &Document<'_>,
    vector: Option<&[f32]>,
    comparable: &dyn Fn(Row) -> bool,
    task: &Task,
) -> Result<Vec<Row>> {
    let graph = &corpus.graph;
    let order = |a: Row, b: Row| graph.newest_first(a, b);
    let mut rows = Vec::new();
    if let Some(vector) = vector {
        let lists = corpus.vectors.nearest(&[vector], COMPARED, PARENT_COSINE, &|_, row| comparable(row), &order);
        rows.extend(lists.into_iter().flatten().map(|(row, _)| row));
    }
    let mut by_words = corpus.words.similar(document, PARENT_WORDS, task)?;
    by_words.retain(|&(row, _)| comparable(row));
    by_words.sort_by(|a, b| best_first(graph, *a, *b));
    rows.extend(by_words.into_iter().take(COMPARED).map(|(row, _)| row));
    rows.sort_unstable();
    rows.dedup();
    Ok(rows)
}

fn best_first(graph: &Graph, a: (Row, f64), b: (Row, f64)) -> Ordering {
    b.1.total_cmp(&a.1).then_with(|| graph.newest_first(a.0, b.0))
}
