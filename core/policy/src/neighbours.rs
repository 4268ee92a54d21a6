//! How nearness reaches the rules.

use std::cmp::Ordering;

use crate::Row;

/// Vectors of one model, searched exactly.
pub trait Neighbours {
    /// Whether `row` has a vector.
    fn has_vector(&self, row: Row) -> bool;

    /// For each seed, in order: at most `limit` rows with a cosine of at least `min_cos` for which
    /// `allowed` holds, best cosine first, equal ones by `order`; never the seed itself.
    ///
    /// Every seed has a vector. `min_cos` of minus infinity admits everything. One pass serves all seeds;
    /// a limit of `usize::MAX` means all.
    fn nearest(
        &self,
        seeds: &[Row],
        min_cos: f64,
        limit: usize,
        allowed: &dyn Fn(Row) -> bool,
        order: &dyn Fn(Row, Row) -> Ordering,
    ) -> Vec<Vec<(Row, f64)>>;
}
