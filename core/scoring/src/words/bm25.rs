//! Okapi BM25 as a share of the best a document could reach.

use corecall_types::{Result, Task};

use super::index::WordIndex;
use super::postings::Postings;
use crate::paged::Paged;

/// How fast a repeated word stops counting; 1.2 suits pages, 0.9 short memories.
pub const K1: f64 = 0.9;
/// How much a long text is held against its words; 0.75 suits pages, 0.3 short memories.
pub const B: f64 = 0.3;

/// A share for each row that holds a word of the query.
#[derive(Default)]
pub struct Scores {
    shares: Paged<f64>,
}

impl Scores {
    /// The row's share, 0 where it holds none of the words.
    pub fn share(&self, row: u32) -> f64 {
        self.shares.get(row).copied().unwrap_or(0.0)
    }

    /// Every row above 0, by row.
    pub fn iter(&self) -> impl Iterator<Item = (u32, f64)> {
        self.shares
            .pages()
            .flat_map(|(first, page)| (first..).zip(page.iter().copied()))
            .filter(|&(_, share)| share > 0.0)
    }
}

/// BM25 of every document for the distinct query terms, divided by (k1 + 1) · Σ idf.
///
/// A term no document holds counts in the divisor: a query that is hardly known has no certain answer. For each
/// document the terms are added in the query's order, so the bits depend on nothing else.
pub fn scores(index: &WordIndex, query: &[String], task: &Task) -> Result<Scores> {
    let terms: Vec<_> = query
        .iter()
        .map(|term| {
            let postings = index.terms.number(term).map(|number| index.terms.postings(number));
            (postings, idf(index.len, postings.map_or(0, Postings::len)))
        })
        .collect();
    let possible: f64 = terms.iter().map(|(_, idf)| idf).sum();
    let average = index.length.max(1) as f64 / index.len.max(1) as f64;
    let mut scores = Scores::default();
    for (postings, idf) in terms {
        task.check()?;
        let weight = idf / possible;
        for posting in postings.into_iter().flat_map(Postings::iter) {
            let extent = index.extents.get(posting.row).expect("every listed document has an extent");
            *scores.shares.entry(posting.row) += weight * saturation(posting.frequency, extent.length, average);
        }
    }
    Ok(scores)
}

/// ln(1 + (N − n + ½) / (n + ½)): the Robertson–Spärck Jones weight, kept above 0 for words in most documents.
fn idf(documents: usize, holding: usize) -> f64 {
    let (all, holding) = (documents as f64, holding as f64);
    libm::log(1.0 + (all - holding + 0.5) / (holding + 0.5))
}

/// The term's part of BM25 without idf and without the factor k1 + 1: in (0, 1).
fn saturation(frequency: u32, length: u32, average: f64) -> f64 {
    let frequency = f64::from(frequency);
    frequency / (frequency + K1 * (1.0 - B + B * f64::from(length) / average))
}
