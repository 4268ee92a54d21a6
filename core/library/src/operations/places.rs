//! Where the edges of a memory lead, and when each was made.

use std::collections::BTreeSet;

use corecall_policy::{Graph, Row};
use corecall_types::{Code, Error, Result};
use serde::{Deserialize, Serialize};

use super::{Direction, RelationKind, RelationRow, Relations};
use crate::library::View;
use crate::payload::Payload;

/// One edge as seen from the memory asked for. Its order is that of the pages, its JSON the cursor.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Place(RelationKind, String, End);

/// Which end of the edge the other memory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum End {
    Target,
    Source,
    /// Of `see_also`, which has two equal ends.
    Either,
}

impl Place {
    /// Reads a cursor.
    pub fn parse(cursor: &str) -> Result<Self> {
        let refusal = |_| {
            let message = "the cursor is damaged; pass next_cursor as it came, or begin without one";
            Error::new(Code::ArgumentValue, message).at("cursor")
        };
        serde_json::from_str(cursor).map_err(refusal)
    }

    /// The cursor after this edge.
    pub fn cursor(&self) -> String {
        serde_json::to_string(self).expect("a place has no map keys")
    }
}

/// The edges that are asked for.
pub(super) fn places(graph: &Graph, row: Row, request: &Relations) -> BTreeSet<Place> {
    let id = graph.id(row);
    let mut places = BTreeSet::new();
    let mut add = |kind: RelationKind, end: End, other: &str| {
        let wanted = request.kind.is_none_or(|wanted| wanted == kind)
            && match end {
                End::Target => request.direction != Direction::Incoming,
                End::Source => request.direction != Direction::Outgoing,
                End::Either => true,
            };
        if wanted && other != id {
            places.insert(Place(kind, other.to_owned(), end));
        }
    };
    if let Some(other) = graph.supersedes(row) {
        add(RelationKind::Supersedes, End::Target, other);
    }
    for other in graph.claimants(id) {
        add(RelationKind::Supersedes, End::Source, graph.id(other));
    }
    if let Some(other) = before_on_cycle(graph, row) {
        add(RelationKind::Supersedes, End::Source, other);
    }
    for other in graph.see_also(row) {
        add(RelationKind::SeeAlso, End::Either, other);
    }
    for other in graph.seen_by(id) {
        add(RelationKind::SeeAlso, End::Either, graph.id(other));
    }
    for other in graph.contradicts(row) {
        add(RelationKind::Contradicts, End::Target, other);
    }
    for other in graph.contradicted_by(id) {
        add(RelationKind::Contradicts, End::Source, graph.id(other));
    }
    for other in graph.derived_from(row) {
        add(RelationKind::DerivedFrom, End::Target, other);
    }
    for other in graph.derivatives(id) {
        add(RelationKind::DerivedFrom, End::Source, graph.id(other));
    }
    places
}

/// Who claims the row by an edge of the cycle it lies on: void for every rule, but written down all the same.
fn before_on_cycle(graph: &Graph, row: Row) -> Option<&str> {
    if !graph.is_void(row) {
        return None;
    }
    let mut at = row;
    loop {
        let next = graph.supersedes(at).and_then(|id| graph.row(id))?;
        if next == row {
            return Some(graph.id(at));
        }
        at = next;
    }
}

/// Turns places into rows of the reply.
pub(super) struct Rows<'a> {
    view: &'a View<'a>,
    row: Row,
    payload: Payload,
}

impl<'a> Rows<'a> {
    pub fn new(view: &'a View<'a>, row: Row) -> Result<Self> {
        Ok(Self { view, row, payload: view.payload(row)? })
    }

    /// The edge with the time it was made: its stamp's, or that of its source for memories that came without stamps.
    pub fn relation(&self, place: &Place) -> Result<RelationRow> {
        let Place(kind, other, end) = place;
        let graph = &self.view.index.corpus.graph;
        let own = graph.id(self.row);
        let other_row = graph.row(other);
        let other_payload = match (end, other_row) {
            (End::Target, _) | (_, None) => None,
            (End::Source | End::Either, Some(row)) => Some(self.view.payload(row)?),
        };
        let theirs = other_payload.as_ref().filter(|payload| match end {
            End::Target => false,
            End::Source => true,
            End::Either => self.other_wrote(other_row, payload),
        });
        let (source, target, writer) = match theirs {
            Some(payload) => (other.as_str(), own, payload),
            None => (own, other.as_str(), &self.payload),
        };
        let stamp = writer.edge(kind.name(), target).map(|edge| &edge.added_at);
        Ok(RelationRow {
            source_id: source.to_owned(),
            target_id: target.to_owned(),
            kind: *kind,
            created_at: stamp.unwrap_or(&writer.entry.created_at).clone(),
            active: graph.is_live(self.row) && other_row.is_some_and(|row| graph.is_live(row)),
        })
    }

    /// Whose link a mirrored pair is: the one's who has its stamp; without stamps the newer memory's.
    fn other_wrote(&self, other: Option<Row>, payload: &Payload) -> bool {
        let graph = &self.view.index.corpus.graph;
        let kind = RelationKind::SeeAlso.name();
        let stamped = |writer: &Payload, target: &str| writer.edge(kind, target).is_some();
        match (stamped(&self.payload, &payload.entry.id), stamped(payload, &self.payload.entry.id)) {
            (true, false) => false,
            (false, true) => true,
            _ => other.is_some_and(|other| graph.newest_first(other, self.row).is_lt()),
        }
    }
}
