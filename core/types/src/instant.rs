//! Times as the contract reads them: RFC 3339 with offset and up to nine fraction digits.

use jiff::SignedDuration;
use jiff::civil::{DateTime, datetime};

/// Where instants are counted from.
const EPOCH: DateTime = datetime(1970, 1, 1, 0, 0, 0, 0);

/// A point in time with nanoseconds, ordered: the time since 1970-01-01T00:00:00Z.
///
/// Not a [`jiff::Timestamp`], which ends some hours before the last day of the year 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(SignedDuration);

impl Instant {
    /// Reads `2026-03-01T09:30:00.123456789+08:00`; anything else is `None`, which counts as oldest.
    ///
    /// A leap second (`:60`) reads as the second before it.
    pub fn parse(text: &str) -> Option<Self> {
        if !is_rfc3339(text.as_bytes()) {
            return None;
        }
        let (local, offset_minutes) = if let Some(local) = text.strip_suffix(['Z', 'z']) {
            (local, 0)
        } else {
            let (local, offset) = text.split_at(text.len() - 6);
            let minutes = offset[1..3].parse::<i64>().ok()? * 60 + offset[4..].parse::<i64>().ok()?;
            (local, if offset.starts_with('-') { -minutes } else { minutes })
        };
        let local: DateTime = local.parse().ok()?;
        Some(Self(local.duration_since(EPOCH) - SignedDuration::from_mins(offset_minutes)))
    }

    /// The instant `milliseconds` after 1970-01-01T00:00:00Z; `None` outside the years 0 to 9999.
    pub fn from_unix_millis(milliseconds: i64) -> Option<Self> {
        let instant = SignedDuration::from_millis(milliseconds);
        let local = EPOCH.checked_add(instant).ok()?;
        (local.year() >= 0).then_some(Self(instant))
    }

    /// Whole milliseconds since 1970-01-01T00:00:00Z, rounded down.
    pub fn unix_millis(self) -> i64 {
        self.0.as_nanos().div_euclid(1_000_000) as i64
    }
}

/// UTC with milliseconds: `2026-03-01T01:30:00.123Z`.
impl std::fmt::Display for Instant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.3}Z", EPOCH.saturating_add(self.0))
    }
}

/// `YYYY-MM-DDThh:mm:ss[.1-9 digits](Z|±hh:mm)`, the shape alone (the calendar is checked later).
fn is_rfc3339(text: &[u8]) -> bool {
    let digits =
        |range: std::ops::Range<usize>| text.get(range).is_some_and(|part| part.iter().all(u8::is_ascii_digit));
    let is = |at: usize, any: &[u8]| text.get(at).is_some_and(|byte| any.contains(byte));
    let head = digits(0..4) && is(4, b"-") && digits(5..7) && is(7, b"-") && digits(8..10) && is(10, b"Tt");
    let clock = digits(11..13) && is(13, b":") && digits(14..16) && is(16, b":") && digits(17..19);
    if !head || !clock {
        return false;
    }
    let mut rest = &text[19..];
    if let Some(fraction) = rest.strip_prefix(b".") {
        let length = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if !(1..=9).contains(&length) {
            return false;
        }
        rest = &fraction[length..];
    }
    match rest {
        [b'Z' | b'z'] => true,
        [b'+' | b'-', h1, h2, b':', m1, m2] => {
            [h1, h2, m1, m2].iter().all(|byte| byte.is_ascii_digit()) && (*h1, *h2) <= (b'2', b'3') && *m1 <= b'5'
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_and_fractions_are_instants() {
        let utc = Instant::parse("2026-03-01T01:30:00.5Z").unwrap();
        assert_eq!(Instant::parse("2026-03-01T09:30:00.500000000+08:00"), Some(utc));
        assert_eq!(Instant::parse("2026-02-28t20:30:00.5-05:00"), Some(utc));
        assert_eq!(utc.to_string(), "2026-03-01T01:30:00.500Z");
        assert_eq!(Instant::from_unix_millis(utc.unix_millis()), Some(utc));
        assert!(Instant::parse("2026-03-01T01:30:00.500000001Z").unwrap() > utc);
    }

    #[test]
    fn other_shapes_are_unreadable() {
        for text in [
            "",
            "2026-03-01",
            "2026-03-01T01:30:00",
            "2026-03-01 01:30:00Z",
            "2026-03-01T01:30Z",
            "2026-02-30T01:30:00Z",
            "2026-03-01T01:30:00.Z",
            "2026-03-01T01:30:00.1234567890Z",
            "2026-03-01T01:30:00+0800",
            "2026-03-01T01:30:00+24:00",
            "2026-03-01T24:00:00Z",
            "2026-03-01T01:30:00Z[UTC]",
            "+002026-03-01T01:30:00Z",
            "2026-03-01T01:30:00,5Z",
            "2026-03-01T01:60:00Z",
        ] {
            assert_eq!(Instant::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_last_day_of_9999_is_readable() {
        let last = Instant::parse("9999-12-31T23:59:59Z").unwrap();
        assert!(last > Instant::parse("9999-12-30T22:00:00Z").unwrap());
        assert!(Instant::parse("9999-12-31T23:59:59-23:59").unwrap() > last);
        assert_eq!(Instant::from_unix_millis(last.unix_millis()), Some(last));
        assert!(Instant::from_unix_millis(last.unix_millis() + 1_000).is_none());
        assert!(Instant::parse("0000-01-01T00:00:00+23:59").unwrap() < Instant::parse("0000-01-01T00:00:00Z").unwrap());
    }

    #[test]
    fn a_leap_second_reads_as_the_second_before_it() {
        assert_eq!(Instant::parse("2016-12-31T23:59:60Z"), Instant::parse("2016-12-31T23:59:59Z"));
    }
}
