//! The operations of the embedded library, one file each.

mod changed;
mod draft;
mod filter;
mod forget;
mod found;
mod places;
mod recall;
mod relations;
mod remember;
mod show;
mod status;
mod written;

pub use forget::{Forget, Forgotten};
pub use recall::{Ancestor, Recall, Recalled, RecalledHit, Summary, Superseded};
pub use relations::{Direction, RelationKind, RelationPage, RelationRow, Relations};
pub use remember::{Remember, Remembered};
pub use show::{Show, Shown};
pub use status::{Conflict, Counts, Flushed, StatisticsCounters, Status};
