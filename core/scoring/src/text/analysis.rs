//! Tokens of documents and of queries.

use std::borrow::Cow;
use std::collections::HashSet;

use frostem::{Algorithm, Stemmer};

use super::stretches::{Stretch, stretches};
use super::{bigrams, chunks, normal, stopwords};

/// No token is longer, in bytes: base64 and the like are cut into pieces rather than kept as words.
pub const MAX_TOKEN: usize = 128;

/// Every token a document is found by, in order, repetitions kept.
pub fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    analyse(text, Side::Document, &mut |token| tokens.push(token.stem().into_owned()));
    tokens
}

/// The distinct tokens a query looks for, in order; stop words only when nothing else is left.
pub fn query_tokens(text: &str) -> Vec<String> {
    let (mut all, mut telling) = (Distinct::default(), Distinct::default());
    analyse(text, Side::Query, &mut |token| {
        let stem = token.stem();
        if !stopwords::contains(token.folded) {
            telling.add(&stem);
        }
        all.add(&stem);
    });
    if telling.order.is_empty() { all.order } else { telling.order }
}

/// What a text is analysed for: a document also holds the single characters of unspaced scripts, so that a query of
/// one character finds it; in a longer query they would only repeat the bigrams.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// A text to be found.
    Document,
    /// A text to find others by.
    Query,
}

/// One spelling a text is found by.
pub struct Token<'t> {
    /// Composed, case-folded, not yet stemmed.
    pub folded: &'t str,
    /// Whether it counts to the text's length: a word or bigram does, a further spelling of one doesn't.
    pub counts: bool,
}

impl Token<'_> {
    /// What the index holds: the stem of an English word, anything else as it is.
    pub fn stem(&self) -> Cow<'_, str> {
        if self.folded.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'\'') {
            return Stemmer::new(Algorithm::English).stem(self.folded);
        }
        Cow::Borrowed(self.folded)
    }
}

/// Where tokens go.
pub type Emit<'a> = &'a mut dyn FnMut(Token<'_>);

/// Tells every token of the text, in order.
pub fn analyse(text: &str, side: Side, emit: Emit<'_>) {
    let text = normal::compose(text);
    let mut before = None;
    for stretch in stretches(&text) {
        match stretch {
            Stretch::Spaced(chunk) => chunks::tokens(chunk, before, emit),
            Stretch::Unspaced(run) => bigrams::tokens(run, side, emit),
        }
        before = Some(stretch);
    }
}

#[derive(Default)]
struct Distinct {
    seen: HashSet<String>,
    order: Vec<String>,
}

impl Distinct {
    fn add(&mut self, token: &str) {
        if !self.seen.contains(token) {
            self.seen.insert(token.to_owned());
            self.order.push(token.to_owned());
        }
    }
}
