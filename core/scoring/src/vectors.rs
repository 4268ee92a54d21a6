//! Unit vectors by row, searched exactly.

use std::fmt;
use std::sync::Arc;

use corecall_types::{Code, Error, Result};

use crate::block::Block;
use crate::codes::Coding;
use crate::kernels;
use crate::paged::Paged;
use crate::search::Search;
use crate::top::{Order, Top};

/// A block holds about this many elements (256 KiB): small to copy on a write, large to stream through.
const BLOCK_ELEMENTS: usize = 1 << 16;

/// A coding is fitted when there are this many vectors, and again each time there are `REFIT` times as many.
const FIRST_FIT: usize = 4096;
const REFIT: usize = 16;

/// How many of the vectors a coding is fitted to.
const FIT_SAMPLE: usize = 2048;

/// Unit vectors by row, in blocks of contiguous f32 with their codes. A clone shares its blocks until one of the two is
/// changed.
#[derive(Clone)]
pub struct VectorIndex {
    /// Of every vector; 0 while there are none.
    dims: usize,
    len: usize,
    /// All full but the last.
    blocks: Vec<Arc<Block>>,
    /// Row to place, counted through all blocks.
    places: Paged<Option<u32>>,
    /// How new blocks are coded; `None` where codes don't pay.
    coding: Option<Arc<Coding>>,
    /// Blocks from here on may be coded otherwise: each write codes one of them anew.
    recoded: usize,
    /// How many vectors lead to the next fit.
    next_fit: usize,
}

impl Default for VectorIndex {
    fn default() -> Self {
        let (blocks, places) = (Vec::new(), Paged::default());
        Self { dims: 0, len: 0, blocks, places, coding: None, recoded: 0, next_fit: FIRST_FIT }
    }
}

impl VectorIndex {
    /// Adds or replaces a row's vector (made by [`crate::vector::normalise`]).
    ///
    /// # Errors
    /// `vector.dimension` when it isn't as long as the vectors already there.
    pub fn set(&mut self, row: u32, vector: &[f32]) -> Result<()> {
        self.check(vector)?;
        if self.len == 0 {
            self.dims = vector.len();
            self.coding = Coding::plain(self.dims).map(Arc::new);
        }
        self.refresh();
        let block_rows = self.block_rows();
        if let Some(place) = self.place(row) {
            Arc::make_mut(&mut self.blocks[place / block_rows]).put(place % block_rows, row, vector);
            return Ok(());
        }
        let place = self.len;
        if place % block_rows == 0 {
            self.blocks.push(Arc::new(Block::new(self.coding.as_ref())));
        }
        Arc::make_mut(&mut self.blocks[place / block_rows]).push(row, vector);
        *self.places.entry(row) = Some(place as u32);
        self.len += 1;
        Ok(())
    }

    /// Forgets a row's vector; whether there was one. The last vector moves into its place.
    pub fn remove(&mut self, row: u32) -> bool {
        let Some(place) = self.place(row) else { return false };
        let (dims, block_rows) = (self.dims, self.block_rows());
        let last = self.blocks.len() - 1;
        let block = Arc::make_mut(&mut self.blocks[last]);
        let Some((moved, vector)) = block.pop(dims) else { return false };
        if block.rows.is_empty() {
            self.blocks.pop();
        }
        if moved != row {
            Arc::make_mut(&mut self.blocks[place / block_rows]).put(place % block_rows, moved, &vector);
            *self.places.entry(moved) = Some(place as u32);
        }
        *self.places.entry(row) = None;
        self.len -= 1;
        if self.len == 0 {
            *self = Self::default();
        }
        true
    }

    /// Whether the row has a vector.
    pub fn contains(&self, row: u32) -> bool {
        self.place(row).is_some()
    }

    /// The row's vector.
    pub fn get(&self, row: u32) -> Option<&[f32]> {
        self.place(row).map(|place| self.vector(place))
    }

    /// How many rows have a vector.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no row has one.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The dimension of all vectors; `None` while there are none.
    pub fn dims(&self) -> Option<usize> {
        (self.len > 0).then_some(self.dims)
    }

    /// For every query (a unit vector) its `k` nearest rows with cosine at least `min`, best first; ties by `order`.
    ///
    /// Exact, and one pass over the codes for all queries; vectors are read where the codes can't rule them out, and
    /// `allowed(query, row)` is asked only about those rows.
    ///
    /// # Panics
    /// When there are vectors and a query has another dimension.
    pub fn nearest(
        &self,
        queries: &[&[f32]],
        k: usize,
        min: f64,
        allowed: &dyn Fn(usize, u32) -> bool,
        order: Order<'_>,
    ) -> Vec<Vec<(u32, f64)>> {
        let mut tops: Vec<_> = queries.iter().map(|_| Top::new(k, order)).collect();
        if !queries.is_empty() && k > 0 {
            self.check_queries(queries);
            let mut search = Search::new(queries, min, allowed, tops);
            self.blocks.iter().for_each(|block| search.visit(block));
            tops = search.into_tops();
        }
        tops.into_iter().map(Top::into_sorted).collect()
    }

    /// Every row's cosines with every query, block by block: rows, and rows × queries cosines.
    pub(crate) fn scan<'a>(&'a self, queries: &[&[f32]]) -> impl Iterator<Item = (&'a [u32], Vec<f64>)> + use<'a> {
        self.check_queries(queries);
        let wide: Vec<f64> = queries.iter().flat_map(|query| query.iter().map(|&x| f64::from(x))).collect();
        let (dims, m) = (self.dims, queries.len());
        self.blocks.iter().map(move |block| {
            let mut cosines = vec![0.0; block.rows.len() * m];
            kernels::scan(&block.values, dims, &wide, &mut cosines);
            (block.rows.as_slice(), cosines)
        })
    }

    /// Fails with `vector.dimension` when the vector doesn't fit those that are there.
    pub(crate) fn check(&self, vector: &[f32]) -> Result<()> {
        if vector.is_empty() || self.len > 0 && vector.len() != self.dims {
            let there = if self.len > 0 { self.dims.to_string() } else { "at least 1".to_owned() };
            let message = format!("the vector has {} dimensions, {there} expected; use the same model", vector.len());
            return Err(Error::new(Code::VectorDimension, message));
        }
        Ok(())
    }

    fn check_queries(&self, queries: &[&[f32]]) {
        assert!(self.len == 0 || queries.iter().all(|query| query.len() == self.dims), "queries fit the vectors");
    }

    /// Fits a new coding when it is time to, and codes one block that an older one coded.
    ///
    /// So no write waits for more than a fit, which a set of n vectors sees log n times, and one block.
    fn refresh(&mut self) {
        if self.len >= self.next_fit {
            self.next_fit *= REFIT;
            let rows = self.len.min(FIT_SAMPLE);
            let sample: Vec<&[f32]> = (0..rows).map(|at| self.vector(at * self.len / rows)).collect();
            if let Some(coding) = Coding::fitted(&sample) {
                self.coding = Some(Arc::new(coding));
                self.recoded = 0;
            }
        }
        if let (Some(coding), Some(block)) = (&self.coding, self.blocks.get_mut(self.recoded)) {
            if !block.is_coded_by(coding) {
                Arc::make_mut(block).recode(coding);
            }
            self.recoded += 1;
        }
    }

    fn vector(&self, place: usize) -> &[f32] {
        let at = place % self.block_rows() * self.dims;
        &self.blocks[place / self.block_rows()].values[at..at + self.dims]
    }

    /// Whole groups of 16, so that no codes lie idle.
    fn block_rows(&self) -> usize {
        (BLOCK_ELEMENTS / self.dims.max(1)).max(16) / 16 * 16
    }

    fn place(&self, row: u32) -> Option<usize> {
        self.places.get(row).copied().flatten().map(|place| place as usize)
    }
}

/// Counts only: vectors are never printed.
impl fmt::Debug for VectorIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VectorIndex").field("dims", &self.dims).field("len", &self.len).finish_non_exhaustive()
    }
}
