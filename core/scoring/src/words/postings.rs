//! In which documents a term stands, and how often.

use std::sync::Arc;

/// A list is cut into blocks so that a write copies one of them, not the whole list of a frequent word.
const BLOCK: usize = 512;

/// One document of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posting {
    pub row: u32,
    /// Weighted by the fields.
    pub frequency: u32,
}

/// A term's documents, by row. Clones share blocks.
#[derive(Clone, Debug, Default)]
pub struct Postings {
    /// None is empty; rows ascend through all of them.
    blocks: Vec<Arc<Vec<Posting>>>,
    len: usize,
}

impl Postings {
    /// How many documents.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Every posting, by row.
    pub fn iter(&self) -> impl Iterator<Item = Posting> {
        self.blocks.iter().flat_map(|block| block.iter().copied())
    }

    /// Adds a row that isn't there.
    pub fn insert(&mut self, posting: Posting) {
        self.len += 1;
        let Some(at) = self.block(posting.row) else {
            self.blocks.push(Arc::new(vec![posting]));
            return;
        };
        let block = Arc::make_mut(&mut self.blocks[at]);
        let within = block.partition_point(|other| other.row < posting.row);
        block.insert(within, posting);
        if block.len() > BLOCK {
            // Rows mostly come in ascending order: a last block that overflows leaves a full one behind.
            let cut = if within == BLOCK { BLOCK } else { BLOCK / 2 };
            let upper = block.split_off(cut);
            self.blocks.insert(at + 1, Arc::new(upper));
        }
    }

    /// Removes a row that is there.
    pub fn remove(&mut self, row: u32) {
        let found = self.block(row).and_then(|at| {
            let within = self.blocks[at].binary_search_by_key(&row, |posting| posting.row).ok()?;
            Some((at, within))
        });
        let (at, within) = found.expect("every term of a document lists it");
        self.len -= 1;
        if self.blocks[at].len() == 1 {
            self.blocks.remove(at);
            return;
        }
        Arc::make_mut(&mut self.blocks[at]).remove(within);
    }

    /// The block a row is in or belongs to.
    fn block(&self, row: u32) -> Option<usize> {
        let after = self.blocks.partition_point(|block| block[0].row <= row);
        (!self.blocks.is_empty()).then(|| after.saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn lists_what_a_map_lists(steps in prop::collection::vec((0_u32..3000, any::<bool>()), 0..200), bulk in any::<bool>()) {
            let (mut postings, mut map) = (Postings::default(), BTreeMap::new());
            let bulk = (0..if bulk { 2000 } else { 0 }).map(|row| (row, false));
            for (row, again) in bulk.chain(steps) {
                if map.remove(&row).is_some() {
                    postings.remove(row);
                }
                if !again {
                    postings.insert(Posting { row, frequency: row + 1 });
                    map.insert(row, row + 1);
                }
            }
            let listed: Vec<_> = postings.iter().map(|posting| (posting.row, posting.frequency)).collect();
            prop_assert_eq!(postings.len(), listed.len());
            prop_assert_eq!(listed, map.into_iter().collect::<Vec<_>>());
        }
    }
}
