//! Where writing with spaces ends and writing without begins.

use unicode_script::{Script, UnicodeScript};

/// A stretch of a text without white space in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stretch<'t> {
    /// Words with spaces between them; the stretch lies between two.
    Spaced(&'t str),
    /// A script whose words stand side by side.
    Unspaced(&'t str),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Space,
    Spaced,
    Unspaced,
}

/// The stretches of a composed text, in order.
pub fn stretches(text: &str) -> impl Iterator<Item = Stretch<'_>> {
    let mut chars = text.char_indices().peekable();
    std::iter::from_fn(move || {
        while chars.next_if(|&(_, c)| class(c, Class::Space) == Class::Space).is_some() {}
        let (start, first) = chars.next()?;
        let kind = class(first, Class::Space);
        while chars.next_if(|&(_, c)| class(c, kind) == kind).is_some() {}
        let end = chars.peek().map_or(text.len(), |&(at, _)| at);
        Some(match kind {
            Class::Unspaced => Stretch::Unspaced(&text[start..end]),
            _ => Stretch::Spaced(&text[start..end]),
        })
    })
}

/// A combining mark belongs to what it follows.
fn class(c: char, before: Class) -> Class {
    if c.is_ascii() {
        return if c.is_ascii_whitespace() || c.is_ascii_control() { Class::Space } else { Class::Spaced };
    }
    if c.is_whitespace() {
        return Class::Space;
    }
    match c.script() {
        Script::Inherited if before != Class::Space => before,
        // Hangul has spaces, but particles are written to the word: bigrams find the word without them.
        Script::Han
        | Script::Hiragana
        | Script::Katakana
        | Script::Bopomofo
        | Script::Hangul
        | Script::Yi
        | Script::Thai
        | Script::Lao
        | Script::Khmer
        | Script::Myanmar
        | Script::Tai_Tham
        | Script::New_Tai_Lue
        | Script::Tai_Viet => Class::Unspaced,
        // The prolonged sound mark belongs to both kana, so its script is Common.
        _ if c == 'ー' => Class::Unspaced,
        _ => Class::Spaced,
    }
}

#[cfg(test)]
mod tests {
    use super::Stretch::{Spaced, Unspaced};
    use super::*;

    #[test]
    fn scripts_part_without_spaces() {
        let text = "使用snake_case变量，データー  ไทย\u{3000}한국 x";
        let found: Vec<_> = stretches(text).collect();
        assert_eq!(
            found,
            [
                Unspaced("使用"),
                Spaced("snake_case"),
                Unspaced("变量"),
                Spaced("，"),
                Unspaced("データー"),
                Unspaced("ไทย"),
                Unspaced("한국"),
                Spaced("x"),
            ]
        );
        assert_eq!(stretches(" \n\0\t").next(), None);
    }

    #[test]
    fn marks_stay_with_their_letter() {
        let found: Vec<_> = stretches("e\u{301}か\u{3099}x").collect();
        assert_eq!(found, [Spaced("e\u{301}"), Unspaced("か\u{3099}"), Spaced("x")]);
    }
}
