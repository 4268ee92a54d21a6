//! What two texts of nearly the same words may still disagree on: numbers, dates, negation.
//!
//! "Port 8080 is open" and "port 8081 is not open" share almost every word and mean something else. This is a guard
//! for duplicate proposals, so it errs on the side of a difference.

use std::collections::BTreeSet;

use unicode_segmentation::UnicodeSegmentation;

use crate::text::{compose, fold};

/// The numbers and dates of a text in one spelling, sorted, each once.
///
/// A number is a run of digits with the signs that join them (`2026-03-01`, `v1.2.3` gives `1.2.3`, `3,000` gives
/// `3000`), a number word, or a Chinese numeral; a date is also the name of a month or of a day.
pub fn numbers(text: &str) -> Vec<String> {
    let text = compose(text);
    let mut found = BTreeSet::new();
    digits(&text, &mut found);
    numerals(&text, &mut found);
    for word in text.unicode_words() {
        let folded = fold(word);
        if let Some(value) = NUMBER_WORDS.iter().position(|names| names.split(' ').any(|name| name == folded)) {
            found.insert(value.to_string());
        } else if LARGE_WORDS.contains(&&*folded) || DATE_WORDS.contains(&&*folded) || matches!(word, "May" | "March") {
            found.insert(folded.into_owned());
        }
    }
    found.extend(CJK_DATES.iter().filter(|date| text.contains(**date)).map(|&date| date.to_owned()));
    found.into_iter().collect()
}

/// Whether the texts differ in a number or date, or in how often they negate.
pub fn facts_differ(a: &str, b: &str) -> bool {
    negations(a) != negations(b) || numbers(a) != numbers(b)
}

/// How many words of the text negate.
fn negations(text: &str) -> usize {
    let text = compose(text);
    let english = text.unicode_words().map(fold).filter(|word| word.ends_with("n't") || NEGATIONS.contains(&&**word));
    let chinese = text.matches(['不', '没', '沒', '無', '无', '未', '勿', '非']).count() - text.matches("非常").count();
    let japanese = ["ない", "なかった", "ません"].iter().map(|ending| text.matches(ending).count()).sum::<usize>();
    english.count() + chinese + japanese
}

/// Runs of digits and what joins them.
fn digits(text: &str, found: &mut BTreeSet<String>) {
    let mut rest = text;
    let mut before = None;
    while let Some(start) = rest.find(char::is_numeric) {
        before = rest[..start].chars().next_back().or(before);
        rest = &rest[start..];
        let end = rest.find(|c: char| !(c.is_numeric() || ".,:/-".contains(c))).unwrap_or(rest.len());
        let run = rest[..end].trim_end_matches(|c: char| !c.is_numeric());
        let minus = if before == Some('-') { "-" } else { "" };
        // The sign of `-5`, not the hyphen of `gpt-5`.
        let sign = minus.len() == 1 && text[..text.len() - rest.len() - 1].ends_with(|c: char| !c.is_alphanumeric());
        let first = minus.len() == 1 && text.len() - rest.len() == 1;
        if !is_cjk_numeral(run.chars().next()) {
            found.insert(format!("{}{}", if sign || first { "-" } else { "" }, ungrouped(run)));
        }
        before = rest[..end].chars().next_back();
        rest = &rest[end..];
    }
}

/// `3,000` as `3000`; `1,2` stays.
fn ungrouped(run: &str) -> String {
    let grouped = run.split('.').next().is_some_and(|whole| {
        let mut groups = whole.split(',');
        groups.next().is_some_and(|head| (1..=3).contains(&head.len())) && groups.all(|group| group.len() == 3)
    });
    if grouped { run.replace(',', "") } else { run.to_owned() }
}

/// Runs of Chinese numerals. A lone 一 is mostly no number (一起, 一些).
fn numerals(text: &str, found: &mut BTreeSet<String>) {
    for run in text.split(|c| !is_cjk_numeral(Some(c))).filter(|run| !run.is_empty() && *run != "一") {
        let single = "零一二三四五六七八九十".chars().position(|numeral| run.chars().eq([numeral]));
        let value = if run == "两" || run == "兩" { Some(2) } else { single };
        found.insert(value.map_or_else(|| run.to_owned(), |value| value.to_string()));
    }
}

fn is_cjk_numeral(c: Option<char>) -> bool {
    c.is_some_and(|c| "零〇一二三四五六七八九十百千万萬亿億两兩".contains(c))
}

const NEGATIONS: &[&str] =
    &["cannot", "neither", "never", "no", "nobody", "none", "nor", "not", "nothing", "nowhere", "without"];

/// The place is the value. `one` is left out: it is mostly a pronoun.
#[rustfmt::skip]
const NUMBER_WORDS: &[&str] = &[
    "zero", "first once", "two second twice", "three third thrice", "four fourth", "five fifth", "six sixth",
    "seven seventh", "eight eighth", "nine ninth", "ten tenth", "eleven eleventh", "twelve twelfth",
];

#[rustfmt::skip]
const LARGE_WORDS: &[&str] = &[
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "thirty", "forty",
    "fifty", "sixty", "seventy", "eighty", "ninety", "hundred", "thousand", "million", "billion", "half", "double",
];

/// `May` and `March` are months only with their capital.
#[rustfmt::skip]
const DATE_WORDS: &[&str] = &[
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "april",
    "june", "july", "august", "september", "october", "november", "december", "today", "tomorrow", "yesterday",
];

const CJK_DATES: &[&str] =
    &["今天", "明天", "后天", "昨天", "前天", "今年", "明年", "去年", "周日", "星期日", "星期天"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_one_spelling() {
        for (text, expected) in [
            ("Port 8080, then 3,000.50 and v1.2.3.", &["1.2.3", "3000.50", "8080"][..]),
            ("from 2026-03-01T09:30 at -5 °C, gpt-5", &["-5", "09:30", "2026-03-01", "5"]),
            ("-7 and (-8)", &["-7", "-8"]),
            ("two servers, ２ disks, Twice on Monday in May", &["2", "may", "monday"]),
            ("you may march", &[]),
            ("两台服务器，三十个用户，一起", &["2", "三十"]),
            ("1,2", &["1,2"]),
            ("no number", &[]),
        ] {
            assert_eq!(numbers(text), expected, "{text}");
        }
    }

    #[test]
    fn a_number_a_date_or_a_negation_is_a_difference() {
        for (a, b) in [
            ("Port 8080 is open", "Port 8081 is open"),
            ("released v1.10", "released v1.1"),
            ("It works", "It doesn't work"),
            ("can fly", "cannot fly"),
            ("We meet on Monday", "We meet on Tuesday"),
            ("due 2026-03-01", "due 2026-01-03"),
            ("服务器可用", "服务器不可用"),
            ("今天开会", "明天开会"),
            ("at 5 degrees", "at -5 degrees"),
        ] {
            assert!(facts_differ(a, b) && facts_differ(b, a), "{a} / {b}");
        }
    }

    #[test]
    fn other_words_are_none() {
        for (a, b) in [
            ("The port is 8080.", "Port: 8080"),
            ("3,000 users", "3000 users!"),
            ("It doesn’t work", "it does not work"),
            ("two servers", "2 servers"),
            ("很好", "非常好"),
            ("", "nice"),
        ] {
            assert!(!facts_differ(a, b), "{a} / {b}");
        }
    }
}
