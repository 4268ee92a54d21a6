//! Unit vectors by row, searched exactly.

use std::fmt;
use std::sync::Arc;

use corecall_types::{Code, Error, Result};

use crate::kernels;
use crate::paged::Paged;
use crate::top::{Order, Top};

/// A block holds about this many elements (256 KiB): small to copy on a write, large to stream through.
const BLOCK_ELEMENTS: usize = 1 << 16;

/// Unit vectors by row, in blocks of contiguous f32. A clone shares its blocks until one of the two is changed.
#[derive(Clone, Default)]
pub struct VectorIndex {
    /// Of every vector; 0 while there are none.
    dims: usize,
    len: usize,
    /// All full but the last.
    blocks: Vec<Arc<Block>>,
    /// Row to place, counted through all blocks.
    places: Paged<Option<u32>>,
}

#[derive(Clone)]
struct Block {
    rows: Vec<u32>,
    /// `rows.len()` × dims.
    values: Vec<f32>,
}

impl VectorIndex {
    /// Adds or replaces a row's vector (made by [`crate::vector::normalise`]).
    ///
    /// # Errors
    /// `vector.dimension` when it isn't as long as the vectors already there.
    pub fn set(&mut self, row: u32, vector: &[f32]) -> Result<()> {
        self.check(vector)?;
        self.dims = vector.len();
        if let Some(place) = self.place(row) {
            self.values_mut(place).copy_from_slice(vector);
            return Ok(());
        }
        let place = self.len;
        if place % self.block_rows() == 0 {
            self.blocks.push(Arc::new(Block { rows: Vec::new(), values: Vec::new() }));
        }
        let last = self.blocks.len() - 1;
        let block = Arc::make_mut(&mut self.blocks[last]);
        block.rows.push(row);
        block.values.extend_from_slice(vector);
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
        let moved = block.rows.swap_remove(block.rows.len() - 1);
        let values = block.values.split_off(block.values.len() - dims);
        if block.rows.is_empty() {
            self.blocks.pop();
        }
        if moved != row {
            Arc::make_mut(&mut self.blocks[place / block_rows]).rows[place % block_rows] = moved;
            self.values_mut(place).copy_from_slice(&values);
            *self.places.entry(moved) = Some(place as u32);
        }
        *self.places.entry(row) = None;
        self.len -= 1;
        if self.len == 0 {
            self.dims = 0;
        }
        true
    }

    /// Whether the row has a vector.
    pub fn contains(&self, row: u32) -> bool {
        self.place(row).is_some()
    }

    /// The row's vector.
    pub fn get(&self, row: u32) -> Option<&[f32]> {
        let place = self.place(row)?;
        let at = place % self.block_rows() * self.dims;
        Some(&self.blocks[place / self.block_rows()].values[at..at + self.dims])
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
    /// Exact, and one pass over the vectors for all queries. `allowed(query, row)` is asked only about rows that would
    /// be among the `k`.
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
        if queries.is_empty() || k == 0 {
            return tops.into_iter().map(Top::into_sorted).collect();
        }
        for (rows, cosines) in self.scan(queries) {
            for (&row, cosines) in rows.iter().zip(cosines.chunks_exact(queries.len())) {
                for (query, (top, &cosine)) in tops.iter_mut().zip(cosines).enumerate() {
                    if cosine >= min && top.takes(row, cosine) && allowed(query, row) {
                        top.offer(row, cosine);
                    }
                }
            }
        }
        tops.into_iter().map(Top::into_sorted).collect()
    }

    /// Every row's cosines with every query, block by block: rows, and rows × queries cosines.
    pub(crate) fn scan<'a>(&'a self, queries: &[&[f32]]) -> impl Iterator<Item = (&'a [u32], Vec<f64>)> + use<'a> {
        assert!(self.len == 0 || queries.iter().all(|query| query.len() == self.dims), "queries fit the vectors");
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

    fn block_rows(&self) -> usize {
        (BLOCK_ELEMENTS / self.dims.max(1)).max(1)
    }

    fn place(&self, row: u32) -> Option<usize> {
        self.places.get(row).copied().flatten().map(|place| place as usize)
    }

    fn values_mut(&mut self, place: usize) -> &mut [f32] {
        let (dims, block_rows) = (self.dims, self.block_rows());
        let at = place % block_rows * dims;
        &mut Arc::make_mut(&mut self.blocks[place / block_rows]).values[at..at + dims]
    }
}

/// Counts only: vectors are never printed.
impl fmt::Debug for VectorIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VectorIndex").field("dims", &self.dims).field("len", &self.len).finish_non_exhaustive()
    }
}
