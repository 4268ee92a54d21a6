//! The codes of a block of rows.

use std::sync::Arc;

use super::coding::{Codes, Coding};
use super::probe::Probe;
use super::stage::Terms;
use crate::kernels::codes::{self, GROUP, LINE_DIMS, Line, ROW_DIMS};

/// The codes of a block of rows, by position in the block.
#[derive(Clone)]
pub struct Coded {
    pub coding: Arc<Coding>,
    /// Groups of 16 rows side by side.
    head: Vec<Line>,
    head_terms: Vec<Terms>,
    /// Row after row; nothing where the coding has no tail.
    tail: Vec<Line>,
    tail_terms: Vec<Terms>,
}

impl Coded {
    /// Codes of the rows of `values`.
    pub fn new(coding: &Arc<Coding>, values: &[f32]) -> Self {
        let (head, tail) = (Vec::new(), Vec::new());
        let mut coded = Self { coding: Arc::clone(coding), head, head_terms: Vec::new(), tail, tail_terms: Vec::new() };
        for (at, vector) in values.chunks_exact(coding.dims()).enumerate() {
            coded.set(at, vector);
        }
        coded
    }

    /// Codes a row anew, or one more after the last.
    pub fn set(&mut self, at: usize, vector: &[f32]) {
        let Codes { numbers, head, tail } = self.coding.encode(vector);
        let (group, tail_lines) = (self.group_lines(), self.tail_lines());
        if at == self.head_terms.len() {
            self.head_terms.push(head);
            self.head.resize(self.head_terms.len().div_ceil(GROUP) * group, Line([0; 64]));
            if self.coding.tail.is_some() {
                self.tail_terms.push(tail);
                self.tail.resize(self.tail_terms.len() * tail_lines, Line([0; 64]));
            }
        }
        self.head_terms[at] = head;
        let (head_codes, tail_codes) = numbers.split_at(self.coding.head.dims());
        let lines = &mut self.head[at / GROUP * group..][..group];
        for (line, codes) in lines.iter_mut().zip(head_codes.chunks(LINE_DIMS)) {
            put(&mut line.0[at % GROUP * 4..][..4], codes);
        }
        if let Some(terms) = self.tail_terms.get_mut(at) {
            *terms = tail;
            let lines = &mut self.tail[at * tail_lines..][..tail_lines];
            for (line, codes) in lines.iter_mut().zip(tail_codes.chunks(ROW_DIMS)) {
                put(&mut line.0, codes);
            }
        }
    }

    /// Forgets the last row.
    pub fn pop(&mut self) {
        self.head_terms.pop();
        self.tail_terms.pop();
        self.head.truncate(self.head_terms.len().div_ceil(GROUP) * self.group_lines());
        self.tail.truncate(self.tail_terms.len() * self.tail_lines());
    }

    /// Rows whose product with the query may reach `least`, each with an upper bound of it.
    pub fn survivors(&self, probe: &Probe, least: f64, sums: &mut Vec<i32>, found: &mut Vec<(f32, u32)>) {
        sums.clear();
        sums.resize(self.head_terms.len().next_multiple_of(GROUP), 0);
        codes::sums(&self.head, &probe.head.numbers, sums);
        found.clear();
        let narrow = downward(least);
        let tail_lines = self.tail_lines();
        for (first, (terms, sums)) in self.head_terms.chunks(GROUP).zip(sums.chunks_exact(GROUP)).enumerate() {
            let mut bounds = [f32::NEG_INFINITY; GROUP];
            let mut any = false;
            for ((bound, terms), &sum) in bounds.iter_mut().zip(terms).zip(sums) {
                *bound = probe.constant + probe.head.bound(sum, terms);
                // Written so that a bound that isn't a number rules nothing out.
                any |= *bound >= narrow || bound.is_nan();
            }
            if !any {
                continue;
            }
            for (lane, (terms, &bound)) in terms.iter().zip(&bounds).enumerate() {
                if bound < narrow {
                    continue;
                }
                let at = first * GROUP + lane;
                let mut bound = bound;
                if let Some(tail) = &probe.tail {
                    let lines = &self.tail[at * tail_lines..][..tail_lines];
                    let sum = codes::row(lines, &tail.numbers);
                    let closer =
                        probe.constant + probe.head.estimate(sums[lane], terms) + tail.bound(sum, &self.tail_terms[at]);
                    bound = if closer < bound { closer } else { bound };
                    if bound < narrow {
                        continue;
                    }
                }
                found.push((bound, at as u32));
            }
        }
    }

    fn group_lines(&self) -> usize {
        self.coding.head.dims().div_ceil(LINE_DIMS)
    }

    fn tail_lines(&self) -> usize {
        self.coding.tail.as_ref().map_or(0, |stage| stage.dims().div_ceil(ROW_DIMS))
    }
}

/// Codes into bytes: the first into the low halves, as many as there are bytes, the others into the high halves.
fn put(bytes: &mut [u8], codes: &[u8]) {
    let count = bytes.len();
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = codes.get(at).copied().unwrap_or(0) | codes.get(count + at).copied().unwrap_or(0) << 4;
    }
}

/// An f32 that isn't above the number.
fn downward(x: f64) -> f32 {
    let near = x as f32;
    near - near.abs() * f32::EPSILON - f32::MIN_POSITIVE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels;

    fn scattered(count: usize, seed: u64) -> Vec<f32> {
        let mut state = seed;
        (0..count)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 40) as f32 / (1_u32 << 24) as f32 - 0.5
            })
            .collect()
    }

    /// Vectors that lie mostly in some directions.
    fn leaning(count: usize, dims: usize) -> Vec<f32> {
        let (directions, shares) = (scattered(dims / 4 * dims, 1), scattered(count * (dims / 4), 2));
        let mut all = scattered(count * dims, 3);
        for (vector, shares) in all.chunks_mut(dims).zip(shares.chunks(dims / 4)) {
            for (direction, share) in directions.chunks(dims).zip(shares) {
                vector.iter_mut().zip(direction).for_each(|(x, y)| *x += 2.0 * share * y);
            }
        }
        all
    }

    #[test]
    fn a_bound_is_never_below_the_product() {
        for dims in [64, 160, 384] {
            let all = leaning(2000, dims);
            let sample: Vec<&[f32]> = all.chunks(dims).collect();
            let codings = [Coding::plain(dims), Coding::fitted(&sample)];
            assert_eq!(codings[1].is_some(), dims >= 128);
            for coding in codings.into_iter().flatten().map(Arc::new) {
                let coded = Coded::new(&coding, &all);
                for query in [&all[..dims], &scattered(dims, 9)] {
                    let (probe, mut sums, mut found) = (Probe::new(&coding, query), Vec::new(), Vec::new());
                    coded.survivors(&probe, f64::NEG_INFINITY, &mut sums, &mut found);
                    assert_eq!(found.len(), sample.len());
                    let exact: Vec<f64> = sample.iter().map(|vector| kernels::dot(vector, query)).collect();
                    assert!(found.iter().all(|&(bound, at)| f64::from(bound) >= exact[at as usize]));
                    // And it is close enough to be of use.
                    let mut sorted = exact.clone();
                    sorted.sort_by(|a, b| b.total_cmp(a));
                    coded.survivors(&probe, sorted[10], &mut sums, &mut found);
                    assert!((11..exact.len() / 2).contains(&found.len()), "{} survive", found.len());
                }
            }
        }
    }

    #[test]
    fn codes_take_at_most_a_quarter_of_the_vectors() {
        for dims in [64, 65, 100, 128, 384, 1000, 4096] {
            let all = leaning(200, dims);
            let sample: Vec<&[f32]> = all.chunks(dims).collect();
            for coding in [Coding::plain(dims), Coding::fitted(&sample)].into_iter().flatten().map(Arc::new) {
                let coded = Coded::new(&coding, &all[..192 * dims]);
                let bytes = (coded.head.len() + coded.tail.len()) * size_of::<Line>()
                    + (coded.head_terms.len() + coded.tail_terms.len()) * size_of::<Terms>();
                // The row and its place take 12 bytes each.
                assert!(bytes / 192 + 12 <= dims, "{} bytes for {dims} dimensions", bytes / 192 + 12);
            }
        }
    }
}
