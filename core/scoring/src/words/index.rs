//! The inverted index.

use std::fmt;
use std::sync::Arc;

use corecall_types::{Result, Task};

use super::bm25::{self, Scores};
use super::document::{Document, Extent, Indexed, read};
use super::overlap;
use super::postings::Posting;
use super::terms::Terms;
use crate::paged::Paged;
use crate::text;

/// An inverted index in memory. A clone shares what neither of the two has changed.
///
/// Every answer depends on the documents that are there and on nothing else: not on the sequence they came in, not on
/// documents that were there before.
#[derive(Clone, Default)]
pub struct WordIndex {
    pub(super) terms: Terms,
    pub(super) documents: Paged<Option<Arc<Indexed>>>,
    pub(super) extents: Paged<Extent>,
    pub(super) len: usize,
    /// The sum of all lengths: an integer, so that it forgets what is removed.
    pub(super) length: u64,
}

impl WordIndex {
    /// Adds or replaces a row's document.
    pub fn set(&mut self, row: u32, document: &Document<'_>) {
        self.remove(row);
        let reading = read(document, &mut self.terms);
        for (term, frequency) in reading.frequencies {
            self.terms.insert(term, Posting { row, frequency });
        }
        self.length += u64::from(reading.extent.length);
        self.len += 1;
        *self.extents.entry(row) = reading.extent;
        *self.documents.entry(row) = Some(Arc::new(reading.indexed));
    }

    /// Forgets a row's document; whether there was one.
    pub fn remove(&mut self, row: u32) -> bool {
        // Asked first: `entry` would make a page for a row that never was.
        if !self.contains(row) {
            return false;
        }
        let Some(indexed) = self.documents.entry(row).take() else { return false };
        for &term in &indexed.terms {
            self.terms.remove(term, row);
        }
        let extent = std::mem::take(self.extents.entry(row));
        self.length -= u64::from(extent.length);
        self.len -= 1;
        true
    }

    /// Whether the row has a document.
    pub fn contains(&self, row: u32) -> bool {
        self.indexed(row).is_some()
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Rows with a word of the query, each with its BM25 as a share of what is possible, in (0, 1), by row.
    ///
    /// # Errors
    /// `call.cancelled`.
    pub fn search(&self, query: &str, task: &Task) -> Result<Vec<(u32, f64)>> {
        Ok(self.scores(query, task)?.iter().collect())
    }

    /// The Jaccard coefficient of the row's and the document's distinct tokens (title and content), 0 to 1.
    pub fn jaccard(&self, row: u32, document: &Document<'_>) -> f64 {
        overlap::Probe::new(self, document).jaccard(row)
    }

    /// Every row whose [`Self::jaccard`] with the document is above 0 and at least `min`, by row.
    ///
    /// # Errors
    /// `call.cancelled`.
    pub fn similar(&self, document: &Document<'_>, min: f64, task: &Task) -> Result<Vec<(u32, f64)>> {
        overlap::Probe::new(self, document).similar(min, task)
    }

    /// The scores of [`Self::search`], by row.
    pub(crate) fn scores(&self, query: &str, task: &Task) -> Result<Scores> {
        bm25::scores(self, &text::query_tokens(query), task)
    }

    /// How many words an embedder reads of the row's document; `None` where there is none.
    pub(crate) fn words(&self, row: u32) -> Option<u32> {
        self.extents.get(row).filter(|_| self.contains(row)).map(|extent| extent.words)
    }

    pub(super) fn indexed(&self, row: u32) -> Option<&Indexed> {
        self.documents.get(row)?.as_deref()
    }
}

/// Counts only: texts are never printed.
impl fmt::Debug for WordIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WordIndex").field("len", &self.len).field("length", &self.length).finish_non_exhaustive()
    }
}
