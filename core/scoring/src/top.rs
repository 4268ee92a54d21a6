//! The best k of a stream of scored rows.

use std::cmp::Ordering;

/// How rows of equal score are ordered: `Less` comes first.
pub type Order<'a> = &'a dyn Fn(u32, u32) -> Ordering;

/// A bounded heap whose root is the worst row kept. Memory grows with what is kept, not with `k`.
///
/// What is kept depends on the rows offered, never on the sequence they are offered in, as long as `order` tells all
/// rows apart (rows it calls equal are ordered by their number).
pub struct Top<'a> {
    k: usize,
    order: Order<'a>,
    heap: Vec<(u32, f64)>,
}

impl<'a> Top<'a> {
    pub fn new(k: usize, order: Order<'a>) -> Self {
        Self { k, order, heap: Vec::new() }
    }

    /// Whether the row would be kept. Dear conditions are best asked after this one.
    pub fn takes(&self, row: u32, score: f64) -> bool {
        self.heap.len() < self.k
            || self.heap.first().is_some_and(|&worst| self.compare((row, score), worst) == Ordering::Less)
    }

    /// The score that a row must at least have to be kept; `None` while any would be.
    pub fn least(&self) -> Option<f64> {
        if self.heap.len() < self.k { None } else { self.heap.first().map(|&(_, score)| score) }
    }

    /// Keeps the row if it is among the best so far.
    pub fn offer(&mut self, row: u32, score: f64) {
        if !self.takes(row, score) {
            return;
        }
        if self.heap.len() < self.k {
            self.heap.push((row, score));
            self.rise(self.heap.len() - 1);
        } else {
            self.heap[0] = (row, score);
            self.sink();
        }
    }

    /// What was kept, best first.
    pub fn into_sorted(mut self) -> Vec<(u32, f64)> {
        let mut rows = std::mem::take(&mut self.heap);
        rows.sort_unstable_by(|&a, &b| self.compare(a, b));
        rows
    }

    /// `Less` when a is better. Scores are finite, and 0.0 and −0.0 are one score.
    fn compare(&self, a: (u32, f64), b: (u32, f64)) -> Ordering {
        let by_score = b.1.partial_cmp(&a.1).expect("scores are never NaN");
        by_score.then_with(|| (self.order)(a.0, b.0)).then_with(|| a.0.cmp(&b.0))
    }

    fn rise(&mut self, mut at: usize) {
        while at > 0 {
            let parent = (at - 1) / 2;
            if self.compare(self.heap[at], self.heap[parent]) != Ordering::Greater {
                return;
            }
            self.heap.swap(at, parent);
            at = parent;
        }
    }

    fn sink(&mut self) {
        let mut at = 0;
        loop {
            let children = (2 * at + 1)..(2 * at + 3).min(self.heap.len());
            let worse = |&a: &usize, &b: &usize| self.compare(self.heap[a], self.heap[b]);
            let Some(child) = children.max_by(worse) else { return };
            if self.compare(self.heap[child], self.heap[at]) != Ordering::Greater {
                return;
            }
            self.heap.swap(at, child);
            at = child;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn keeps_what_sorting_would_keep(scores in prop::collection::vec(-3_i32..3, 0..60), k in 0_usize..20) {
            let order = |a: u32, b: u32| (a % 7).cmp(&(b % 7)).then(b.cmp(&a));
            let mut top = Top::new(k, &order);
            let mut all: Vec<_> = (0_u32..).zip(scores.iter().map(|&score| f64::from(score))).collect();
            for &(row, score) in &all {
                top.offer(row, score);
            }
            all.sort_by(|a, b| b.1.total_cmp(&a.1).then(order(a.0, b.0)));
            all.truncate(k);
            prop_assert_eq!(top.into_sorted(), all);
        }
    }

    #[test]
    fn a_huge_k_takes_no_memory() {
        let order = |a: u32, b: u32| a.cmp(&b);
        let mut top = Top::new(usize::MAX, &order);
        top.offer(1, 0.5);
        assert_eq!(top.into_sorted(), [(1, 0.5)]);
    }
}
