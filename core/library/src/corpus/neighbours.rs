//! How the rules ask for nearness.

use std::cmp::Ordering;

use corecall_policy::{Neighbours, Row};
use corecall_scoring::VectorIndex;

/// The vector index as `corecall-policy` sees it.
pub(crate) struct Nearness<'a>(pub &'a VectorIndex);

impl Neighbours for Nearness<'_> {
    fn has_vector(&self, row: Row) -> bool {
        self.0.contains(row)
    }

    fn nearest(
        &self,
        seeds: &[Row],
        min_cos: f64,
        limit: usize,
        allowed: &dyn Fn(Row) -> bool,
        order: &dyn Fn(Row, Row) -> Ordering,
    ) -> Vec<Vec<(Row, f64)>> {
        let queries: Vec<&[f32]> =
            seeds.iter().map(|&seed| self.0.get(seed).expect("the rules choose seeds that have a vector")).collect();
        self.0.nearest(&queries, limit, min_cos, &|query, row| row != seeds[query] && allowed(row), order)
    }
}
