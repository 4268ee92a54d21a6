//! Resident sets and the stateless operations over them; the embedded library, one SQLite file.
//!
//! Rules are decided in `corecall-policy`, texts and vectors compared in `corecall-scoring`; here
//! both meet, and what they decide is stored.
#![forbid(unsafe_code)]

pub mod limits;

mod corpus;
mod library;
mod operations;
mod payload;
mod resident;
mod sources;
mod stateless;
mod statistics;
mod store;

pub use library::{Library, OpenConfig, Options};
pub use operations::{
    Ancestor, Cascade, Conflict, Counts, Direction, Flushed, Forget, Forgotten, Link, Linked, Recall, Recalled,
    RecalledHit, RelationKind, RelationPage, RelationRow, Relations, Remember, Remembered, Restore, Restored, Show,
    Shown, StatisticsCounters, Status, Summary, Superseded, Unsupersede, Unsuperseded, Update, Updated,
};
pub use resident::{Indexed, Publish, ResidentSet, Vectors};
pub use sources::{Sources, Stamp, Stamper, System};
pub use stateless::{
    Candidates, Hit, Hits, Named, Prepare, PrepareEntry, Prepared, Query, RankQuery, RelatedBusiness,
    RememberCandidates, prepare, query, related_business, remember_candidates,
};
pub use store::SCHEMA_VERSION;
