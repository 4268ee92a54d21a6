//! How alike two texts are by the words they share.

use std::collections::HashSet;

use corecall_types::{Result, Task};

use super::document::Document;
use super::index::WordIndex;
use crate::paged::Paged;
use crate::text::{Side, analyse};

/// A text's distinct tokens, to be compared with indexed documents.
pub struct Probe<'a> {
    index: &'a WordIndex,
    /// Those some document holds, in ascending order.
    known: Vec<u32>,
    /// All of them.
    len: usize,
}

impl<'a> Probe<'a> {
    pub fn new(index: &'a WordIndex, document: &Document<'_>) -> Self {
        let (mut known, mut unknown) = (HashSet::new(), HashSet::new());
        for text in [document.title, document.content] {
            analyse(text, Side::Document, &mut |token| {
                let stem = token.stem();
                match index.terms.number(&stem) {
                    Some(number) => _ = known.insert(number),
                    None => _ = unknown.insert(stem.into_owned()),
                }
            });
        }
        let len = known.len() + unknown.len();
        let mut known: Vec<_> = known.into_iter().collect();
        known.sort_unstable();
        Self { index, known, len }
    }

    /// |shared| / |either|, 0 where the row has no document or neither has words.
    pub fn jaccard(&self, row: u32) -> f64 {
        let Some(indexed) = self.index.indexed(row) else { return 0.0 };
        let text = &indexed.terms[..indexed.in_text as usize];
        let shared = text.iter().filter(|&term| self.known.binary_search(term).is_ok()).count();
        let either = self.len + text.len() - shared;
        if either == 0 { 0.0 } else { shared as f64 / either as f64 }
    }

    /// All rows of at least `min` above 0, by row.
    pub fn similar(&self, min: f64, task: &Task) -> Result<Vec<(u32, f64)>> {
        let mut counts: Paged<u32> = Paged::default();
        for &term in &self.known {
            task.check()?;
            for posting in self.index.terms.postings(term).iter() {
                *counts.entry(posting.row) += 1;
            }
        }
        let mut rows = Vec::new();
        for (first, page) in counts.pages() {
            // A bound: words that stand only in tags are counted here, and the union is at least the probe. Dividing
            // rounds both sides alike, so it never cuts off what reaches `min` by rounding.
            let near = |&(_, &count): &(u32, &u32)| count > 0 && f64::from(count) / self.len as f64 >= min;
            let exact = (first..).zip(page).filter(near).map(|(row, _)| (row, self.jaccard(row)));
            rows.extend(exact.filter(|&(_, jaccard)| jaccard > 0.0 && jaccard >= min));
        }
        Ok(rows)
    }
}
