//! Writing a stored memory again.

use corecall_policy::Entry;
use corecall_types::{Instant, Result};

use crate::payload::Payload;
use crate::sources::rfc3339;
use crate::store::Writing;

/// Stores a changed payload; its vector stays, nothing is embedded again. `now` is in milliseconds since 1970.
pub(super) fn change(writing: &Writing<'_>, payload: &mut Payload, now: i64, deleted: bool) -> Result<()> {
    let updated_at = next_update(&payload.entry, now);
    payload.entry.updated_at = rfc3339(updated_at)?;
    writing.rewrite(&payload.entry.id, updated_at, deleted, &payload.write())
}

/// Now, or a millisecond after the last change if the clock stands behind it: a change is never older than
/// the one before.
pub(super) fn next_update(entry: &Entry, now: i64) -> i64 {
    Instant::parse(&entry.updated_at).map_or(now, |previous| now.max(previous.unix_millis() + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_newer_than_the_one_before() {
        let entry = |updated_at: &str| Entry { updated_at: updated_at.to_owned(), ..Entry::default() };
        assert_eq!(next_update(&entry("1970-01-01T00:00:05Z"), 6_000), 6_000);
        assert_eq!(next_update(&entry("1970-01-01T00:00:05.0009Z"), 5_000), 5_001);
        assert_eq!(next_update(&entry("1970-01-01T00:00:09Z"), 6_000), 9_001);
        assert_eq!(next_update(&entry("soon"), 6_000), 6_000);
    }
}
