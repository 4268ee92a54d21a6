//! Evidence of what is recalled together: gathered off the recall's path.

mod evidence;
mod queue;

pub(crate) use evidence::Evidence;
pub(crate) use queue::Statistics;
