//! `relations`: the edges of a memory, in pages.

use corecall_types::{Code, Error, Result, Task};
use serde::{Deserialize, Serialize};

use super::places::{Place, Rows, places};
use crate::Library;
use crate::limits::RECALL_LIMIT;

/// The four kinds of edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RelationKind {
    /// The source replaces the target.
    Supersedes,
    /// Linked both ways, listed once.
    #[serde(alias = "related_to")]
    SeeAlso,
    /// The source contradicts the target.
    Contradicts,
    /// The source was made from the target.
    DerivedFrom,
}

impl RelationKind {
    /// Its name on the wire and in stamps.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Supersedes => "supersedes",
            Self::SeeAlso => "see_also",
            Self::Contradicts => "contradicts",
            Self::DerivedFrom => "derived_from",
        }
    }
}

/// Which end of an edge the memory is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// It is the source.
    Outgoing,
    /// It is the target.
    Incoming,
    /// Either.
    #[default]
    Both,
}

/// The payload of `relations`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Relations {
    /// Id, title or prefix; a forgotten memory by its exact id.
    pub id: String,
    /// Only edges of this kind.
    #[serde(default, rename = "type")]
    pub kind: Option<RelationKind>,
    /// Only edges of this direction; `see_also` fits every direction.
    #[serde(default)]
    pub direction: Direction,
    /// At most so many, 1–1000.
    #[serde(default = "limit")]
    pub limit: u32,
    /// `next_cursor` of the page before.
    #[serde(default)]
    pub cursor: Option<String>,
}

fn limit() -> u32 {
    100
}

/// One edge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RelationRow {
    /// The memory that wrote it.
    pub source_id: String,
    /// The memory it points to.
    pub target_id: String,
    /// Its kind.
    #[serde(rename = "type")]
    pub kind: RelationKind,
    /// When it was made, RFC 3339.
    pub created_at: String,
    /// Whether both ends are live.
    pub active: bool,
}

/// The reply of `relations`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RelationPage {
    /// By kind, source and target.
    pub relations: Vec<RelationRow>,
    /// Pass it to go on; null at the end.
    pub next_cursor: Option<String>,
}

impl Library {
    /// The edges of a memory, in pages, in an order that writes between two pages don't change.
    ///
    /// Errors: `memory.unknown`, `target.ambiguous` at `id`; `argument.range` at `limit`; `argument.value` at `cursor`.
    pub fn relations(&self, task: &Task, request: &Relations) -> Result<RelationPage> {
        if !(1..=RECALL_LIMIT).contains(&request.limit) {
            let message = format!("limit is a whole number from 1 to {RECALL_LIMIT}");
            return Err(Error::new(Code::ArgumentRange, message).at("limit"));
        }
        let after = request.cursor.as_deref().map(Place::parse).transpose()?;
        self.with_view(task, |view| {
            let row = view.any(&request.id)?;
            let mut places = places(&view.index.corpus.graph, row, request);
            if let Some(after) = after {
                places = places.split_off(&after);
                places.remove(&after);
            }
            let limit = request.limit as usize;
            let page: Vec<&Place> = places.iter().take(limit).collect();
            let last = page.last().filter(|_| places.len() > limit);
            let next_cursor = last.map(|place| place.cursor());
            let rows = Rows::new(view, row)?;
            let relations = page.into_iter().map(|place| rows.relation(place)).collect::<Result<_>>()?;
            Ok(RelationPage { relations, next_cursor })
        })
    }
}
