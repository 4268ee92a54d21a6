//! One spelling for what is written alike: NFKC for widths and ligatures, full case folding, no invisible characters.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// The text in NFKC, with one apostrophe.
pub fn compose(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let apostrophes = |c| if matches!(c, '\u{2019}' | '\u{2018}' | '\u{2bc}') { '\'' } else { c };
    Cow::Owned(text.nfkc().map(apostrophes).collect())
}

/// A composed word in lower case, without characters that show nothing.
pub fn fold(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        if word.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return Cow::Owned(word.to_ascii_lowercase());
        }
        return Cow::Borrowed(word);
    }
    let visible: String = word.chars().filter(|&c| !is_invisible(c)).collect();
    let folded = caseless::default_case_fold_str(&visible);
    // Folding can decompose (ΐ becomes three characters); only then is composing again needed.
    if is_nfkc_quick(folded.chars()) == IsNormalized::Yes {
        Cow::Owned(folded)
    } else {
        Cow::Owned(folded.nfkc().collect())
    }
}

/// Soft hyphens, joiners, direction marks, variation selectors, skin tones: they don't make another word.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{1f3fb}'..='\u{1f3ff}'
        | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normal(text: &str) -> String {
        fold(&compose(text)).into_owned()
    }

    #[test]
    fn width_case_and_composition_make_no_difference() {
        for (written, same) in [
            ("ＡＢＣ１２３", "abc123"),
            ("Straße", "strasse"),
            ("ΟΔΟΣ", "οδοσ"),
            ("οδός", "οδόσ"),
            ("cafe\u{301}", "café"),
            ("ﬁne", "fine"),
            ("ｶﾞ", "ガ"),
            ("co\u{ad}op", "coop"),
            ("don’t", "don't"),
            ("👍🏽", "👍"),
        ] {
            assert_eq!(normal(written), same);
        }
    }
}
