//! A word (UAX 29), and the parts of one that was made of several.

use super::analysis::{Emit, MAX_TOKEN, Token};
use super::normal;

/// The word whole, then its parts: `getHTTPResponse_v2` is also get, HTTP, Response, v2 and 2.
pub fn tokens(word: &str, emit: Emit<'_>) {
    if word.len() > MAX_TOKEN {
        return long(word, emit);
    }
    let folded = normal::fold(word);
    if folded.is_empty() || folded.len() > MAX_TOKEN {
        return;
    }
    emit(Token { folded: &folded, counts: true });
    if let Some(number) = grouped(&folded) {
        return emit(Token { folded: &number, counts: false });
    }
    if let Some(version) = folded.strip_prefix('v').filter(|rest| rest.contains('.') && is_version(rest)) {
        emit(Token { folded: version, counts: false });
    }
    if let Some(elided) = elided(&folded) {
        emit(Token { folded: elided, counts: false });
    }
    let single = !word.contains(is_separator);
    for piece in word.split(is_separator).filter(|piece| !piece.is_empty()) {
        if !single {
            part(piece, emit);
        }
        let humps = humps(piece);
        if humps.len() > 1 {
            for hump in humps {
                part(hump, emit);
            }
        }
    }
}

/// Single letters and the endings of ordinals say nothing alone.
fn part(part: &str, emit: Emit<'_>) {
    let folded = normal::fold(part);
    let letters = folded.chars().next().is_some_and(|c| !c.is_numeric());
    if letters && (folded.chars().count() == 1 || matches!(&*folded, "st" | "nd" | "rd" | "th")) || folded.is_empty() {
        return;
    }
    emit(Token { folded: &folded, counts: false });
}

/// A word no one would type: its pieces, each cut to the longest token.
fn long(word: &str, emit: Emit<'_>) {
    for mut piece in word.split(is_separator) {
        while !piece.is_empty() {
            let mut end = piece.len().min(MAX_TOKEN / 2);
            while !piece.is_char_boundary(end) {
                end -= 1;
            }
            let folded = normal::fold(&piece[..end]);
            if !folded.is_empty() && folded.len() <= MAX_TOKEN {
                emit(Token { folded: &folded, counts: true });
            }
            piece = &piece[end..];
        }
    }
}

/// UAX 29 keeps these inside a word; the apostrophe stays, since the stemmer reads it.
fn is_separator(c: char) -> bool {
    c != '\'' && c.is_ascii_punctuation() || matches!(c, '·' | '\u{2027}' | '\u{203f}' | '\u{2040}')
}

/// `3,000` without its comma.
fn grouped(word: &str) -> Option<String> {
    let whole = word.split_once('.').map_or(word, |(whole, _)| whole);
    let mut groups = whole.split(',');
    let head = groups.next().filter(|head| (1..=3).contains(&head.len()))?;
    let tail: Vec<_> = groups.collect();
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let fits = !tail.is_empty() && digits(head) && tail.iter().all(|group| group.len() == 3 && digits(group));
    fits.then(|| word.replace(',', ""))
}

fn is_version(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// The noun of `l'homme`, the name of `o'brien`.
fn elided(word: &str) -> Option<&str> {
    let (article, noun) = word.split_once('\'')?;
    (article.chars().count() <= 2 && noun.chars().count() >= 3).then_some(noun)
}

/// Cuts at `aB`, before the last capital of `ABc`, and between letters and digits.
fn humps(piece: &str) -> Vec<&str> {
    let chars: Vec<(usize, char)> = piece.char_indices().collect();
    let mut humps = Vec::new();
    let mut start = 0;
    for i in 1..chars.len() {
        let (a, (at, b)) = (chars[i - 1].1, chars[i]);
        let next = chars.get(i + 1).map(|&(_, c)| c);
        // The s of `APIs` is a plural, no word.
        let plural = next == Some('s') && i + 2 == chars.len();
        let last_capital = a.is_uppercase() && b.is_uppercase() && next.is_some_and(char::is_lowercase) && !plural;
        let number = (a.is_numeric() && b.is_alphabetic()) || (a.is_alphabetic() && b.is_numeric());
        if (a.is_lowercase() && b.is_uppercase()) || last_capital || number {
            humps.push(&piece[start..at]);
            start = at;
        }
    }
    humps.push(&piece[start..]);
    humps
}
