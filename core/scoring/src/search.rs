//! The nearest rows of an index, by codes where they help and by the vectors where they don't.

use std::sync::Arc;

use crate::block::Block;
use crate::codes::{Coded, Coding, Probe};
use crate::kernels;
use crate::top::Top;

/// When more than one row in this many survives its codes, reading the codes doesn't pay.
const WORTH: usize = 6;

/// How many blocks are at most read as they are before the codes are tried again.
const LONGEST_PAUSE: usize = 64;

/// A search over blocks for several queries at once.
pub struct Search<'a> {
    queries: &'a [&'a [f32]],
    /// Every query as f64, one after the other.
    wide: Vec<f64>,
    min: f64,
    allowed: &'a dyn Fn(usize, u32) -> bool,
    tops: Vec<Top<'a>>,
    /// The queries, made ready for the coding met last.
    probes: Option<(Arc<Coding>, Vec<Probe>)>,
    /// Blocks to be read as they are before the codes are tried again, and how many it will be the next time.
    pause: usize,
    next_pause: usize,
    sums: Vec<i32>,
    found: Vec<(f32, u32)>,
    cosines: Vec<f64>,
}

impl<'a> Search<'a> {
    pub fn new(
        queries: &'a [&'a [f32]],
        min: f64,
        allowed: &'a dyn Fn(usize, u32) -> bool,
        tops: Vec<Top<'a>>,
    ) -> Self {
        let wide = queries.iter().flat_map(|query| query.iter().map(|&x| f64::from(x))).collect();
        let (sums, found, cosines) = (Vec::new(), Vec::new(), Vec::new());
        Self { queries, wide, min, allowed, tops, probes: None, pause: 0, next_pause: 1, sums, found, cosines }
    }

    pub fn visit(&mut self, block: &Block) {
        match &block.coded {
            Some(coded) if self.pause == 0 => self.by_codes(block, coded),
            _ => {
                self.pause = self.pause.saturating_sub(1);
                self.as_they_are(block);
            }
        }
    }

    pub fn into_tops(self) -> Vec<Top<'a>> {
        self.tops
    }

    fn by_codes(&mut self, block: &Block, coded: &Coded) {
        let known = self.probes.as_ref().is_some_and(|(coding, _)| Arc::ptr_eq(coding, &coded.coding));
        if !known {
            let probes = self.queries.iter().map(|query| Probe::new(&coded.coding, query)).collect();
            self.probes = Some((Arc::clone(&coded.coding), probes));
        }
        let Some((_, probes)) = &self.probes else { return };
        let mut survivors = 0;
        for (number, (probe, &query)) in probes.iter().zip(self.queries).enumerate() {
            let top = &mut self.tops[number];
            let least = |top: &Top<'_>| top.least().map_or(self.min, |least| least.max(self.min));
            coded.survivors(probe, least(top), &mut self.sums, &mut self.found);
            // Best bound first, so that the threshold rises early.
            self.found.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
            for &(bound, at) in &self.found {
                if f64::from(bound) < least(top) {
                    break;
                }
                let (at, row) = (at as usize, block.rows[at as usize]);
                survivors += 1;
                if (self.allowed)(number, row) {
                    let cosine = kernels::dot(query, &block.values[at * query.len()..][..query.len()]);
                    if cosine >= self.min {
                        top.offer(row, cosine);
                    }
                }
            }
        }
        if survivors * WORTH > block.rows.len() * self.queries.len() {
            self.pause = self.next_pause;
            self.next_pause = (self.next_pause * 2).min(LONGEST_PAUSE);
        } else {
            self.next_pause = 1;
        }
    }

    fn as_they_are(&mut self, block: &Block) {
        let count = self.queries.len();
        self.cosines.resize(block.rows.len() * count, 0.0);
        kernels::scan(&block.values, self.wide.len() / count, &self.wide, &mut self.cosines);
        for (&row, cosines) in block.rows.iter().zip(self.cosines.chunks_exact(count)) {
            for (query, (top, &cosine)) in self.tops.iter_mut().zip(cosines).enumerate() {
                if cosine >= self.min && top.takes(row, cosine) && (self.allowed)(query, row) {
                    top.offer(row, cosine);
                }
            }
        }
    }
}
