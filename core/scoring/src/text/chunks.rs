//! What stands between two spaces: its words, and the whole where it is one name.

use unicode_segmentation::UnicodeSegmentation;

use super::analysis::{Emit, MAX_TOKEN, Token};
use super::stretches::Stretch;
use super::{identifiers, normal};

/// The tokens of a chunk; `before` is the stretch in front of it (`PR` in front of `#708`).
pub fn tokens(chunk: &str, before: Option<Stretch<'_>>, emit: Emit<'_>) {
    let mut words = 0;
    for segment in chunk.split_word_bounds() {
        if segment.chars().any(char::is_alphanumeric) {
            words += 1;
            identifiers::tokens(segment, emit);
        } else if segment.chars().next().is_some_and(is_pictograph) && segment.len() <= MAX_TOKEN {
            further(segment, true, emit);
        }
    }
    if words > 1 {
        whole(chunk, emit);
    }
    if chunk.contains('#') {
        numbered(chunk, before, emit);
    }
    if let Some(name) = ["++", "#"].iter().find_map(|sign| sharp_or_plus(chunk, sign)) {
        further(name, false, emit);
    }
}

/// `src/core/text.rs`, `well-known`, `2026-03-01`: several words that are one name.
fn whole(chunk: &str, emit: Emit<'_>) {
    let name = chunk.trim_matches(|c: char| !c.is_alphanumeric());
    if name.chars().all(|c| c.is_alphanumeric() || "_-./\\:@#+~=&%?".contains(c)) {
        further(name, false, emit);
    }
}

/// `#708` and, with the word in front of it, `pr#708`, however the two are spaced.
fn numbered(chunk: &str, before: Option<Stretch<'_>>, emit: Emit<'_>) {
    let Some((head, tail)) = chunk.split_once('#') else { return };
    let end = tail.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).unwrap_or(tail.len());
    let number = tail[..end].trim_end_matches(['_', '-']);
    if number.is_empty() || number.len() > MAX_TOKEN / 2 {
        return;
    }
    further(&format!("#{number}"), false, emit);
    let start = head
        .rfind(|c: char| !c.is_alphabetic())
        .map_or(0, |at| at + head[at..].chars().next().map_or(0, char::len_utf8));
    let word = match before {
        Some(Stretch::Spaced(before)) if head.chars().all(|c| !c.is_alphanumeric()) => before,
        _ => &head[start..],
    };
    if !word.is_empty() && word.len() <= MAX_TOKEN / 4 && word.chars().all(char::is_alphabetic) {
        further(&format!("{word}#{number}"), false, emit);
    }
}

/// `C++` and `C#` are other names than `C`.
fn sharp_or_plus<'t>(chunk: &'t str, sign: &str) -> Option<&'t str> {
    let name = chunk
        .trim_start_matches(|c: char| !c.is_alphanumeric())
        .trim_end_matches(|c: char| !c.is_alphanumeric() && !sign.contains(c));
    let word = name.strip_suffix(sign)?;
    (!word.is_empty() && word.chars().all(char::is_alphabetic)).then_some(name)
}

fn further(name: &str, counts: bool, emit: Emit<'_>) {
    let folded = normal::fold(name);
    if !folded.is_empty() && folded.len() <= MAX_TOKEN {
        emit(Token { folded: &folded, counts });
    }
}

/// Emoji and dingbats, roughly: what people search for as if it were a word.
fn is_pictograph(c: char) -> bool {
    matches!(c, '\u{1f000}'..='\u{1faff}' | '\u{2600}'..='\u{27bf}' | '\u{2b50}' | '\u{2b55}')
}
