//! Overlapping pairs of characters, for scripts that put no space between words.

use unicode_segmentation::UnicodeSegmentation;

use super::analysis::{Emit, MAX_TOKEN, Side, Token};
use super::normal;

/// The bigrams of a run; a character is a grapheme cluster (UAX 29), so that Thai vowel signs stay with theirs.
pub fn tokens(run: &str, side: Side, emit: Emit<'_>) {
    let folded = normal::fold(run);
    // A cluster as long as half a token is a heap of marks, not a character.
    let mut clusters = folded.graphemes(true).filter(|cluster| cluster.len() <= MAX_TOKEN / 2).peekable();
    let Some(mut before) = clusters.next() else { return };
    if clusters.peek().is_none() {
        return emit(Token { folded: before, counts: true });
    }
    let mut pair = String::new();
    if side == Side::Document {
        emit(Token { folded: before, counts: false });
    }
    for cluster in clusters {
        if side == Side::Document {
            emit(Token { folded: cluster, counts: false });
        }
        pair.clear();
        pair.extend([before, cluster]);
        emit(Token { folded: &pair, counts: true });
        before = cluster;
    }
}
