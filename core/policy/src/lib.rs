//! The rules of corecall: which memory replaced which, what stands beside a hit, what may be written.
//!
//! Pure: snapshots in, decisions out. No I/O, no clock, no randomness. The README says what each rule means.
//!
//! ```
//! use corecall_policy::{Entry, Graph, Scope, Snapshot};
//!
//! let decision = |id: &str, supersedes: &str| Snapshot {
//!     id: id.into(),
//!     entry: Some(Entry { id: id.into(), supersedes: supersedes.into(), ..Entry::default() }),
//!     ..Snapshot::default()
//! };
//! let mut graph = Graph::new();
//! graph.upsert(&decision("tuesday", "monday"));
//! graph.upsert(&decision("friday", "tuesday"));
//!
//! let head = graph.head("monday", &Scope::default());
//! assert_eq!(head.map(|row| graph.id(row)), Some("friday"));
//! ```
#![forbid(unsafe_code)]

pub mod candidates;
mod conflicts;
mod cycles;
pub mod forget;
mod graph;
mod heads;
mod incoming;
pub mod link;
mod neighbours;
mod node;
mod related;
pub mod remember;
mod scope;
mod settings;
mod snapshot;
mod symbols;
pub mod target;
#[cfg(test)]
mod testing;
pub mod title;
pub mod unsupersede;
pub mod update;
mod upkeep;

pub use conflicts::{Conflict, conflicts};
pub use graph::{Graph, Row};
pub use heads::Heads;
pub use neighbours::Neighbours;
pub use node::Link;
pub use related::{Association, Dropped, Ledger, Pair, Reason, Related, RelatedQuery, related};
pub use scope::Scope;
pub use settings::{RelatedSettings, Relation};
pub use snapshot::{Entry, Snapshot};
