//! Associations of hits (contract 1, `related_business`).

mod answer;
mod co_recall;
mod ledger;
mod links;
mod neighbors;
mod pass;
mod query;
mod versions;

pub use answer::related;
pub use ledger::{Dropped, Ledger, Reason};
pub use query::{Association, Pair, Related, RelatedQuery};
