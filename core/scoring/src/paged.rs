//! A growing array whose clones share pages.

use std::sync::Arc;

/// Entries of one page; 1024 small ones are copied in well under a microsecond a kilobyte.
pub const PAGE: usize = 1024;

/// An array by `u32` index in which everything not yet set is `T::default()`.
///
/// A clone shares every page; a write copies the one page it touches, if that is shared. So a snapshot for readers
/// costs a pointer a page, and a write into an index that is being read costs one page. Pages nothing was written to
/// take no memory.
#[derive(Clone, Debug)]
pub struct Paged<T> {
    pages: Vec<Option<Arc<Vec<T>>>>,
}

impl<T> Default for Paged<T> {
    fn default() -> Self {
        Self { pages: Vec::new() }
    }
}

impl<T> Paged<T> {
    /// The entry, where its page exists.
    pub fn get(&self, index: u32) -> Option<&T> {
        let index = index as usize;
        self.pages.get(index / PAGE)?.as_ref().map(|page| &page[index % PAGE])
    }
}

impl<T: Clone + Default> Paged<T> {
    /// The entry for writing, made where there was none.
    pub fn entry(&mut self, index: u32) -> &mut T {
        let index = index as usize;
        if self.pages.len() <= index / PAGE {
            self.pages.resize(index / PAGE + 1, None);
        }
        let page = self.pages[index / PAGE].get_or_insert_with(|| Arc::new(vec![T::default(); PAGE]));
        &mut Arc::make_mut(page)[index % PAGE]
    }

    /// Every page that exists, with the index of its first entry.
    pub fn pages(&self) -> impl Iterator<Item = (u32, &[T])> {
        self.pages.iter().enumerate().filter_map(|(at, page)| Some(((at * PAGE) as u32, page.as_ref()?.as_slice())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_keeps_what_it_saw() {
        let mut paged = Paged::default();
        *paged.entry(5) = 1;
        *paged.entry(5000) = 2;
        let before = paged.clone();
        *paged.entry(5) = 3;
        assert_eq!((before.get(5), paged.get(5)), (Some(&1), Some(&3)));
        assert_eq!((paged.get(6), paged.get(2000), paged.get(u32::MAX)), (Some(&0), None, None));
        assert!(Arc::ptr_eq(before.pages[4].as_ref().unwrap(), paged.pages[4].as_ref().unwrap()));
    }

    #[test]
    fn the_last_index_is_an_index() {
        let mut paged = Paged::default();
        *paged.entry(u32::MAX) = 7_u8;
        let found: Vec<_> = paged.pages().map(|(first, page)| (first, page.len())).collect();
        assert_eq!(found, [(u32::MAX - 1023, PAGE)]);
    }
}
