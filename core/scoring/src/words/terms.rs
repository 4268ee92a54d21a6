//! The vocabulary: every term has a number while a document holds it.

use std::collections::HashMap;
use std::sync::Arc;

use super::postings::{Posting, Postings};
use crate::paged::Paged;

/// The dictionary is cut into this many parts so that a write copies a part, not the whole.
const PARTS: usize = 1024;

type Part = HashMap<Arc<str>, u32>;

/// Terms, their numbers and their documents. Numbers are given out again and decide nothing.
#[derive(Clone, Debug)]
pub struct Terms {
    parts: Vec<Arc<Part>>,
    lists: Paged<Term>,
    free: Vec<u32>,
    next: u32,
}

#[derive(Clone, Debug, Default)]
struct Term {
    text: Arc<str>,
    postings: Postings,
}

impl Default for Terms {
    fn default() -> Self {
        // One empty part, shared until one of them is written to.
        Self { parts: vec![Arc::default(); PARTS], lists: Paged::default(), free: Vec::new(), next: 0 }
    }
}

impl Terms {
    /// The number of a known term.
    pub fn number(&self, text: &str) -> Option<u32> {
        self.parts[part(text)].get(text).copied()
    }

    /// The term's number, a new one where it has none yet. It must then get a posting.
    pub fn intern(&mut self, text: &str) -> u32 {
        if let Some(number) = self.number(text) {
            return number;
        }
        let number = self.free.pop().unwrap_or_else(|| {
            self.next += 1;
            self.next - 1
        });
        let text: Arc<str> = text.into();
        Arc::make_mut(&mut self.parts[part(&text)]).insert(Arc::clone(&text), number);
        *self.lists.entry(number) = Term { text, postings: Postings::default() };
        number
    }

    /// The term's documents.
    pub fn postings(&self, number: u32) -> &Postings {
        &self.lists.get(number).expect("a number is given out with a list").postings
    }

    /// Adds a document the term doesn't list.
    pub fn insert(&mut self, number: u32, posting: Posting) {
        self.lists.entry(number).postings.insert(posting);
    }

    /// Removes a document the term lists; a term without documents is forgotten.
    pub fn remove(&mut self, number: u32, row: u32) {
        let term = self.lists.entry(number);
        term.postings.remove(row);
        if term.postings.len() == 0 {
            let text = std::mem::take(term).text;
            Arc::make_mut(&mut self.parts[part(&text)]).remove(&text);
            self.free.push(number);
        }
    }
}

/// FNV-1a (Fowler, Noll, Vo), folded to the number of parts.
fn part(text: &str) -> usize {
    let hash = text.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    (hash ^ (hash >> 16)) as usize % PARTS
}
