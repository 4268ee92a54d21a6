//! The twin every other kernel is checked against, and what runs where there is none.

use super::lanes::{LANES, fold};

pub fn dot(a: &[f32], b: &[f32]) -> f64 {
    let mut lanes = [0.0; LANES];
    for (a, b) in a.chunks(LANES).zip(b.chunks(LANES)) {
        for ((lane, &x), &y) in lanes.iter_mut().zip(a).zip(b) {
            *lane += f64::from(x) * f64::from(y);
        }
    }
    fold(lanes)
}

pub fn scan(rows: &[f32], dims: usize, queries: &[f64], out: &mut [f64]) {
    let mut out = out.iter_mut();
    for row in rows.chunks_exact(dims) {
        for (query, out) in queries.chunks_exact(dims).zip(&mut out) {
            *out = one(row, query);
        }
    }
}

fn one(row: &[f32], query: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let (row_blocks, query_blocks) = (row.chunks_exact(LANES), query.chunks_exact(LANES));
    let (row_rest, query_rest) = (row_blocks.remainder(), query_blocks.remainder());
    for (a, b) in row_blocks.zip(query_blocks) {
        for lane in 0..LANES {
            lanes[lane] += f64::from(a[lane]) * b[lane];
        }
    }
    for ((lane, &x), &y) in lanes.iter_mut().zip(row_rest).zip(query_rest) {
        *lane += f64::from(x) * y;
    }
    fold(lanes)
}
