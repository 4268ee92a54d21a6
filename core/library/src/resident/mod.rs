//! Snapshots held ready for many calls.

mod publish;
mod set;

pub use publish::{Indexed, Publish, Vectors};
pub use set::ResidentSet;
