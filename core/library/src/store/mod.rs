//! The file. All SQL of the project is in this folder.
//!
//! `connection` opens it, `schema` knows its layout, `transactions` hands out reads and writes, and one
//! file for each table knows its statements.

mod connection;
mod failure;
mod gate;
mod header;
mod memories;
mod schema;
mod statistics;
mod transactions;

pub(crate) use header::{Header, PAYLOAD_VERSION};
pub(crate) use memories::StoredMemory;
pub use schema::VERSION as SCHEMA_VERSION;
pub(crate) use statistics::StoredPair;
pub(crate) use transactions::{Opening, Reading, Store, Writing};
