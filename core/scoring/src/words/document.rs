//! The texts of one entry.

use std::borrow::Cow;
use std::collections::HashMap;

use super::terms::Terms;
use crate::text::{Side, Token, analyse};

/// A word of the title counts as if it stood this often in the content.
const TITLE_WEIGHT: u32 = 2;
/// The same for a word of a tag.
const TAG_WEIGHT: u32 = 2;

/// The texts of one entry that are searched.
#[derive(Clone, Copy, Debug, Default)]
pub struct Document<'a> {
    /// The title; may be empty.
    pub title: &'a str,
    /// The tags, one each.
    pub tags: &'a [String],
    /// The content.
    pub content: &'a str,
}

impl<'a> Document<'a> {
    /// What an embedder reads: title and content, the title once where the content begins with it.
    ///
    /// A title cut off with `…`, as one made from the content is, counts as the beginning it was cut from.
    pub fn embedding_text(&self) -> Cow<'a, str> {
        if self.repeats_title() {
            return Cow::Borrowed(self.content);
        }
        if self.content.is_empty() {
            return Cow::Borrowed(self.title);
        }
        Cow::Owned(format!("{}\n{}", self.title, self.content))
    }

    fn repeats_title(&self) -> bool {
        let title = self.title.trim();
        self.content.trim_start().starts_with(title.strip_suffix('…').unwrap_or(title))
    }

    /// Tells every token with the field it stands in.
    fn tokens(&self, emit: &mut dyn FnMut(Token<'_>, Field)) {
        analyse(self.title, Side::Document, &mut |token| emit(token, Field::Title));
        analyse(self.content, Side::Document, &mut |token| emit(token, Field::Content));
        for tag in self.tags {
            analyse(tag, Side::Document, &mut |token| emit(token, Field::Tag));
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Title,
    Content,
    Tag,
}

impl Field {
    /// As often as if the word stood in the content.
    fn weight(self) -> u32 {
        match self {
            Self::Title => TITLE_WEIGHT,
            Self::Content => 1,
            Self::Tag => TAG_WEIGHT,
        }
    }
}

/// A document as the index keeps it, beside its postings.
#[derive(Clone, Debug, Default)]
pub struct Indexed {
    /// Distinct terms; those that stand in title or content come first.
    pub terms: Box<[u32]>,
    /// How many stand in title or content.
    pub in_text: u32,
}

/// What scoring reads of every document.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extent {
    /// Tokens, each with the weight of its field: the length of BM25.
    pub length: u32,
    /// Tokens of what an embedder reads.
    pub words: u32,
}

/// A document taken apart: `(term, weighted frequency)` beside what the index keeps.
pub struct Reading {
    pub indexed: Indexed,
    pub extent: Extent,
    pub frequencies: Vec<(u32, u32)>,
}

/// Takes a document apart; new terms get their number in `terms`.
pub fn read(document: &Document<'_>, terms: &mut Terms) -> Reading {
    let mut found: HashMap<u32, (u32, bool)> = HashMap::new();
    let mut extent = Extent::default();
    let repeats_title = document.repeats_title();
    document.tokens(&mut |token, field| {
        let (frequency, in_text) = found.entry(terms.intern(&token.stem())).or_default();
        *frequency = frequency.saturating_add(field.weight());
        *in_text |= field != Field::Tag;
        if token.counts {
            extent.length = extent.length.saturating_add(field.weight());
            extent.words += u32::from(field == Field::Content || field == Field::Title && !repeats_title);
        }
    });
    let (text, tags): (Vec<u32>, Vec<u32>) = found.keys().partition(|term| found[term].1);
    Reading {
        extent,
        indexed: Indexed { in_text: text.len() as u32, terms: text.into_iter().chain(tags).collect() },
        frequencies: found.into_iter().map(|(term, (frequency, _))| (term, frequency)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_embedder_reads_the_title_once() {
        let text = |title, content| Document { title, content, ..Document::default() }.embedding_text();
        assert_eq!(text("Ports", "Ports are open"), "Ports are open");
        assert_eq!(text("Ports are…", "Ports are open"), "Ports are open");
        assert_eq!(text("", "Ports"), "Ports");
        assert_eq!(text("Doors", "Ports are open"), "Doors\nPorts are open");
        assert_eq!(text("Doors", ""), "Doors");
    }
}
