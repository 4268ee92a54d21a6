//! The stamps of edges that come and go after their memory was written.
//!
//! Joining libraries takes the later of adding and removing, and removing where both are of one moment. So whatever
//! happens to an edge gets a time after what happened to it before, also under a clock that went back.

use corecall_types::{Instant, Result};

use crate::payload::{Edge, Payload};
use crate::sources::rfc3339;

/// Stamps an edge as made now, and after `after` and its own last removal.
pub(super) fn add(
    payload: &mut Payload,
    kind: &str,
    target: &str,
    now: i64,
    after: Option<i64>,
    device: &str,
) -> Result<()> {
    let removed = removed_at(payload, kind, target).max(after);
    let added_at = rfc3339(removed.map_or(now, |removed| now.max(removed + 1)))?;
    match payload.edges.iter_mut().find(|edge| edge.kind == kind && edge.target == target) {
        Some(edge) => {
            edge.added_at = added_at;
            edge.removed_at = None;
            device.clone_into(&mut edge.device);
        }
        None => payload.edges.push(stamp(kind, target, added_at, device)),
    }
    Ok(())
}

/// Stamps the standing edge as removed now. Whether it had a stamp.
pub(super) fn remove(payload: &mut Payload, kind: &str, target: &str, now: i64, device: &str) -> Result<bool> {
    let mut is_stamped = false;
    let standing = |edge: &&mut Edge| edge.kind == kind && edge.target == target && edge.removed_at.is_none();
    for edge in payload.edges.iter_mut().filter(standing) {
        edge.removed_at = Some(rfc3339(millis(&edge.added_at).map_or(now, |added| now.max(added)))?);
        device.clone_into(&mut edge.device);
        is_stamped = true;
    }
    Ok(is_stamped)
}

/// A stamp for an edge that came without one and goes now: it is as old as its memory.
pub(super) fn add_removed(payload: &mut Payload, kind: &str, target: &str, now: i64, device: &str) -> Result<()> {
    let added_at = payload.entry.created_at.clone();
    payload.edges.push(stamp(kind, target, added_at, device));
    remove(payload, kind, target, now, device).map(|_| ())
}

/// When the memory's edge was last removed, in milliseconds since 1970, if it is.
pub(super) fn removed_at(payload: &Payload, kind: &str, target: &str) -> Option<i64> {
    let edges = payload.edges.iter().filter(|edge| edge.kind == kind && edge.target == target);
    edges.filter_map(|edge| millis(edge.removed_at.as_deref()?)).max()
}

fn stamp(kind: &str, target: &str, added_at: String, device: &str) -> Edge {
    Edge {
        kind: kind.to_owned(),
        target: target.to_owned(),
        added_at,
        removed_at: None,
        device: device.to_owned(),
        other: serde_json::Map::new(),
    }
}

fn millis(time: &str) -> Option<i64> {
    Instant::parse(time).map(Instant::unix_millis)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_that_comes_and_goes_under_a_clock_that_stands_still_has_growing_times() {
        let mut payload = Payload::default();
        let stamps = |payload: &Payload| {
            assert_eq!(payload.edges.len(), 1);
            let edge = &payload.edges[0];
            (millis(&edge.added_at).unwrap(), edge.removed_at.as_deref().and_then(millis), edge.device.clone())
        };
        add(&mut payload, "see_also", "b", 5_000, None, "laptop").unwrap();
        assert_eq!(stamps(&payload), (5_000, None, "laptop".into()));
        assert!(remove(&mut payload, "see_also", "b", 4_000, "phone").unwrap());
        assert_eq!(stamps(&payload), (5_000, Some(5_000), "phone".into()));
        assert!(!remove(&mut payload, "see_also", "b", 9_000, "phone").unwrap());
        add(&mut payload, "see_also", "b", 5_000, None, "").unwrap();
        assert_eq!(stamps(&payload), (5_001, None, String::new()));
    }

    #[test]
    fn an_edge_is_newer_than_its_removal_at_the_other_end() {
        let mut payload = Payload::default();
        add(&mut payload, "see_also", "b", 5_000, Some(7_000), "").unwrap();
        assert_eq!(millis(&payload.edges[0].added_at), Some(7_001));
    }

    #[test]
    fn an_edge_without_a_stamp_is_as_old_as_its_memory() {
        let mut payload = Payload::default();
        payload.entry.created_at = "2026-03-01T00:00:00Z".into();
        add_removed(&mut payload, "contradicts", "b", 5_000, "").unwrap();
        let edge = &payload.edges[0];
        assert_eq!(edge.added_at, "2026-03-01T00:00:00Z");
        // A clock that stands before the memory was made.
        assert_eq!(edge.removed_at.as_deref(), Some("2026-03-01T00:00:00.000Z"));
    }
}
