//! The operations of the embedded library, one file each.

mod changed;
mod draft;
mod filter;
mod forget;
mod found;
mod link;
mod places;
mod recall;
mod relations;
mod remember;
mod restore;
mod show;
mod stamps;
mod status;
mod unsupersede;
mod update;
mod written;

pub use forget::{Cascade, Forget, Forgotten};
pub use link::{Link, Linked};
pub use recall::{Ancestor, Recall, Recalled, RecalledHit, Summary, Superseded};
pub use relations::{Direction, RelationKind, RelationPage, RelationRow, Relations};
pub use remember::{Remember, Remembered};
pub use restore::{Restore, Restored};
pub use show::{Show, Shown};
pub use status::{Conflict, Counts, Flushed, StatisticsCounters, Status};
pub use unsupersede::{Unsupersede, Unsuperseded};
pub use update::{Update, Updated};
