//! What the graph keeps of one id.

use std::sync::Arc;

use corecall_types::Instant;

use crate::incoming::{Incoming, Standing};
use crate::symbols::Symbol;
use crate::{Row, Snapshot};

/// An id that has a snapshot, or that others point at.
#[derive(Clone, Default)]
pub(crate) struct Node {
    pub id: Arc<str>,
    pub memory: Option<Memory>,
    /// Whose forward edges end here, void or not.
    pub claimants: Incoming,
    /// Whose links end here, by [`Link`].
    pub linked: Option<Box<[Incoming; 3]>>,
    /// Its own forward edge lies on a cycle.
    pub void: bool,
}

/// A snapshot, as far as the rules read it.
#[derive(Clone)]
pub(crate) struct Memory {
    pub deleted: bool,
    pub has_entry: bool,
    pub trivial: bool,
    /// Kind, project, computer.
    pub fields: [Symbol; 3],
    pub recall_count: u64,
    pub created: Option<Instant>,
    pub title: Arc<str>,
    pub parent: Option<Arc<str>>,
    /// The forward edge.
    pub supersedes: Option<Row>,
    pub links: Option<Box<[Box<[Row]>; 3]>>,
}

/// The links beside the forward edge; as a number, the place in the arrays of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// Symmetric.
    SeeAlso,
    /// New to old.
    Contradicts,
    /// What was made, to what it was made from.
    DerivedFrom,
}

impl Link {
    pub(crate) const ALL: [Self; 3] = [Self::SeeAlso, Self::Contradicts, Self::DerivedFrom];

    /// What a snapshot lists under this link.
    pub(crate) fn listed(self, snapshot: &Snapshot) -> &[String] {
        let Some(entry) = &snapshot.entry else { return &[] };
        match self {
            Self::SeeAlso => &entry.see_also,
            Self::Contradicts => &entry.contradicts,
            Self::DerivedFrom => &entry.derived_from,
        }
    }
}

impl Node {
    pub fn standing(&self, row: Row) -> Standing {
        let (deleted, created) = self.memory.as_ref().map_or((true, None), |memory| (memory.deleted, memory.created));
        Standing::new(deleted, created, &self.id, row)
    }

    /// Whether nothing needs the id any more.
    pub fn is_unused(&self) -> bool {
        self.memory.is_none()
            && self.claimants.is_empty()
            && self.linked.as_ref().is_none_or(|linked| linked.iter().all(Incoming::is_empty))
    }

    pub fn supersedes(&self) -> Option<Row> {
        self.memory.as_ref().and_then(|memory| memory.supersedes)
    }

    pub fn links(&self, link: Link) -> &[Row] {
        let links = self.memory.as_ref().and_then(|memory| memory.links.as_ref());
        links.map_or(&[], |links| &links[link as usize])
    }

    pub fn linked(&self, link: Link) -> &Incoming {
        static NOBODY: Incoming = Incoming::None;
        self.linked.as_ref().map_or(&NOBODY, |linked| &linked[link as usize])
    }
}
