//! What is searched: the graph of memories with their words and vectors.

mod candidates;
mod indexed;
mod neighbours;

pub(crate) use candidates::proposal;
pub(crate) use indexed::{Corpus, dimension, own_vector};
pub(crate) use neighbours::Nearness;
