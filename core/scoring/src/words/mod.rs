//! BM25 over the words of titles, tags and contents, and how alike two texts are by their words.

mod bm25;
mod document;
mod index;
mod overlap;
mod postings;
mod terms;

pub use document::Document;
pub use index::WordIndex;
