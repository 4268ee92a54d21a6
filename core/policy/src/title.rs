//! Titles: untrusted text, shown short.
//!
//! Where a title is cut is part of the contract, so the grapheme clusters are those of Unicode 17.0.0
//! (UAX 29, extended), by the pinned version of the crate `unicode-segmentation`.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;

/// The longest title of an association, in Unicode scalar values.
pub const ASSOCIATION_MAX: usize = 160;

/// The longest title made from a content, in Unicode scalar values.
pub const FIRST_LINE_MAX: usize = 80;

/// The text itself where it has at most `max_scalars` Unicode scalar values; otherwise whole grapheme
/// clusters of its start and `…`, together at most `max_scalars`.
///
/// A first cluster that doesn't fit is cut inside. A `max_scalars` of 0 gives nothing.
pub fn cut(text: &str, max_scalars: usize) -> Cow<'_, str> {
    let Some((end, _)) = text.char_indices().nth(max_scalars) else { return Cow::Borrowed(text) };
    let Some(room) = max_scalars.checked_sub(1) else { return Cow::Borrowed("") };
    // Whether a border lies after the room's last scalar hangs on the one that follows it, and on no other,
    // so the first `max_scalars` are enough to look at, however long the text and its clusters are.
    let start = &text[..end];
    let mut kept = 0;
    let mut scalars = 0;
    for cluster in start.graphemes(true) {
        scalars += cluster.chars().count();
        if scalars > room {
            break;
        }
        kept += cluster.len();
    }
    if kept == 0 {
        kept = start.char_indices().nth(room).map_or(start.len(), |(index, _)| index);
    }
    Cow::Owned(format!("{}…", &start[..kept]))
}

/// The title of a memory that was given none: the first line of `content` that isn't blank, trimmed, at most
/// [`FIRST_LINE_MAX`] scalar values.
pub fn first_line(content: &str) -> Cow<'_, str> {
    let breaks = ['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];
    let line = content.split(breaks).map(str::trim).find(|line| !line.is_empty());
    cut(line.unwrap_or_default(), FIRST_LINE_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unicode_version_is_the_one_the_contract_names() {
        assert_eq!(unicode_segmentation::UNICODE_VERSION, (17, 0, 0));
    }

    #[test]
    fn a_title_that_fits_stays_whole() {
        let text = "字".repeat(160);
        assert!(matches!(cut(&text, 160), Cow::Borrowed(same) if same == text));
        assert_eq!(cut("", 160), "");
    }

    #[test]
    fn a_longer_one_keeps_159_scalars_and_an_ellipsis() {
        let title = cut(&"字".repeat(161), 160).into_owned();
        assert_eq!(title, "字".repeat(159) + "…");
        assert_eq!(title.chars().count(), 160);
    }

    #[test]
    fn clusters_are_kept_or_dropped_whole() {
        // One family is seven scalars: 22 of them are 154, the 23rd would pass 159.
        let family = "👩\u{200d}👩\u{200d}👧\u{200d}👦";
        assert_eq!(cut(&family.repeat(30), 160), family.repeat(22) + "…");
        let accented = "e\u{301}".repeat(100);
        assert_eq!(cut(&accented, 160), "e\u{301}".repeat(79) + "…");
        let flags = "🇩🇪".repeat(81);
        assert_eq!(cut(&flags, 160), "🇩🇪".repeat(79) + "…");
        let lines = "a".repeat(158) + "\r\n" + "b";
        assert_eq!(cut(&lines, 160), "a".repeat(158) + "…");
    }

    #[test]
    fn a_cluster_that_ends_exactly_at_the_room_is_kept() {
        let text = "a".repeat(157) + "e\u{301}" + "bc";
        assert_eq!(cut(&text, 160), "a".repeat(157) + "e\u{301}…");
        let open = "a".repeat(158) + "e\u{301}\u{302}" + "b";
        assert_eq!(cut(&open, 160), "a".repeat(158) + "…");
    }

    #[test]
    fn an_oversized_first_cluster_is_cut_inside() {
        let zalgo = String::from("a") + &"\u{301}".repeat(5000) + "b";
        assert_eq!(cut(&zalgo, 160), String::from("a") + &"\u{301}".repeat(158) + "…");
    }

    #[test]
    fn tiny_limits_hold() {
        assert_eq!(cut("abc", 1), "…");
        assert_eq!(cut("abc", 0), "");
        assert_eq!(cut("abc", 2), "a…");
    }

    #[test]
    fn the_first_line_that_is_not_blank_is_the_title() {
        assert_eq!(first_line("\n  \r\n\t We ship on Fridays. \r\nMore"), "We ship on Fridays.");
        assert_eq!(first_line("one\u{2028}two"), "one");
        assert_eq!(first_line(" \n "), "");
        assert_eq!(first_line(&"x".repeat(200)).chars().count(), 80);
    }
}
