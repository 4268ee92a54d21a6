//! From a text to the tokens it is found by.
//!
//! Text is composed (NFKC), cut into stretches of spaced and unspaced scripts, and these into words (UAX 29) or
//! overlapping bigrams. Words are case-folded and, where English letters alone make them, stemmed (Snowball English).
//! An identifier (`snake_case`, `CamelCase`, `v1.2.3`, `PR #708`, a path) is found whole and by its parts. One text is
//! read in time proportional to its length, whatever is in it.

mod analysis;
mod bigrams;
mod chunks;
mod identifiers;
mod normal;
mod stopwords;
mod stretches;

pub(crate) use analysis::{Side, Token, analyse};
pub use analysis::{query_tokens, tokens};
pub(crate) use normal::{compose, fold};
