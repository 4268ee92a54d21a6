//! Scoring: how near two vectors are, how well words fit a query, and the one score made of both.
//!
//! Knows rows (`u32`) and texts, no memories and no storage. The same input gives the same bits on every
//! target; README.md in this folder has the formulas, their sources and the numbers chosen.
//!
//! ```
//! use corecall_scoring::{Document, Model, RankQuery, VectorIndex, WordIndex, rank};
//! use corecall_types::Task;
//!
//! let model = Model::parse("test-hash:64")?;
//! let (mut words, mut vectors) = (WordIndex::default(), VectorIndex::default());
//! for (row, content) in (0..).zip(["the database listens on port 5432", "lunch at noon"]) {
//!     let document = Document { title: "", tags: &[], content };
//!     words.set(row, &document);
//!     if let Some(vector) = model.embed(&document.embedding_text())? {
//!         vectors.set(row, &vector)?;
//!     }
//! }
//! let text = "Which port does the database use?";
//! let vector = model.embed(text)?;
//! let query = RankQuery { text, vector: vector.as_deref(), k: 1, min_score: 0.0 };
//! let hits = rank(&words, &vectors, &query, &|_row| true, &|a, b| a.cmp(&b), &Task::new())?;
//! assert_eq!(hits[0].0, 0);
//! # Ok::<(), corecall_types::Error>(())
//! ```
#![deny(unsafe_code)]

mod block;
mod codes;
mod hash_embedder;
mod kernels;
mod model;
mod paged;
mod rank;
mod search;
mod top;
mod vectors;
mod words;

pub mod artifact;
pub mod facts;
pub mod text;
pub mod vector;

pub use kernels::codes::name as code_kernel;
pub use kernels::name as kernel;
pub use model::Model;
pub use rank::{RankQuery, rank};
pub use vectors::VectorIndex;
pub use words::{Document, WordIndex};
