//! What every crate of corecall shares: the one error type, the running call, instants.
#![forbid(unsafe_code)]

mod error;
mod instant;
mod task;

pub use error::{Code, Error, Result, Status};
pub use instant::Instant;
pub use task::Task;
