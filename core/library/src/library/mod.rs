//! The open library: what every operation goes through.

mod index;
mod open;
mod view;

pub(crate) use index::{Index, same_tags};
pub use open::{Library, OpenConfig, Options};
pub(crate) use view::View;
