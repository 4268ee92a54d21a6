//! The C face of corecall: header, envelope, dispatch, capabilities. No rule of memory lives here.
//!
//! `include/corecall.h` is the specification. Rust hosts and tests use [`Core`], which dispatches exactly as
//! the C entry does; only `entry.rs` holds `unsafe`.
#![deny(unsafe_code)]

#[cfg(panic = "abort")]
compile_error!("corecall needs panic = \"unwind\": the guard of every C entry turns a panic into a status");

mod attachments;
mod capabilities;
mod decode;
mod dispatch;
mod entry;
mod envelope;
mod fork;
mod guard;
mod handles;
mod instance;
mod json;
mod limits;
mod log;
mod operations;
mod path;
mod reply;
mod residents;
mod running;
mod schema;
mod shape;

pub use corecall_types::{Code, Error, Result, Status};
pub use dispatch::{OPERATIONS, Operation};
pub use instance::Core;
pub use reply::Reply;

/// The functions of the C header, for hosts that link this crate and still want to go through them.
pub mod c {
    pub use crate::entry::*;
}
