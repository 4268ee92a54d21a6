//! Operations on snapshots that the host keeps: nothing is stored, nothing remembered.

mod candidates;
mod prepare;
mod query;
mod related;

pub use candidates::{Candidates, Named, RememberCandidates, remember_candidates};
pub use prepare::{Prepare, PrepareEntry, Prepared, prepare};
pub use query::{Hit, Hits, RankQuery, query};
pub use related::{Query, RelatedBusiness, related_business};
