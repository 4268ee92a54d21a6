//! NEON: the eight lanes are four registers of two f64.
//!
//! `tile` runs Q queries with one row side by side: each chain keeps its order, and each row is widened once.
#![allow(unsafe_code)]

use std::arch::aarch64::{
    float64x2_t, vcvt_f64_f32, vcvt_high_f64_f32, vdupq_n_f64, vfmaq_f64, vget_low_f32, vld1q_f32, vld1q_f64, vst1q_f64,
};
use std::arch::is_aarch64_feature_detected;

use super::lanes::{LANES, fold};

pub fn available() -> bool {
    !cfg!(miri) && is_aarch64_feature_detected!("neon")
}

pub fn dot(a: &[f32], b: &[f32]) -> f64 {
    debug_assert!(available() && a.len() == b.len());
    // SAFETY: the caller chose this kernel because the machine has NEON.
    unsafe { dot_inner(a, b) }
}

pub fn scan(rows: &[f32], dims: usize, queries: &[f64], out: &mut [f64]) {
    debug_assert!(available());
    // SAFETY: the caller chose this kernel because the machine has NEON.
    unsafe { scan_inner(rows, dims, queries, out) }
}

// Each body is one `unsafe` block: before Rust 1.87 the arithmetic intrinsics, too, are unsafe to call.

#[target_feature(enable = "neon")]
unsafe fn dot_inner(a: &[f32], b: &[f32]) -> f64 {
    let (a_blocks, b_blocks) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let (a_rest, b_rest) = (a_blocks.remainder(), b_blocks.remainder());
    // SAFETY: NEON is there, as for this function; both chunks hold the eight elements that are read.
    let mut lanes = unsafe {
        let mut sums = [vdupq_n_f64(0.0); 4];
        for (a, b) in a_blocks.zip(b_blocks) {
            let (a, b) = (widen(a.as_ptr()), widen(b.as_ptr()));
            for pair in 0..4 {
                sums[pair] = vfmaq_f64(sums[pair], a[pair], b[pair]);
            }
        }
        spill(sums)
    };
    for ((lane, &x), &y) in lanes.iter_mut().zip(a_rest).zip(b_rest) {
        *lane += f64::from(x) * f64::from(y);
    }
    fold(lanes)
}

#[target_feature(enable = "neon")]
unsafe fn scan_inner(rows: &[f32], dims: usize, queries: &[f64], out: &mut [f64]) {
    let m = queries.len() / dims;
    for (row, out) in rows.chunks_exact(dims).zip(out.chunks_exact_mut(m)) {
        for first in (0..m).step_by(3) {
            let query = &queries[first * dims..];
            // SAFETY: NEON is there, as for this function.
            unsafe {
                match m - first {
                    1 => tile::<1>(row, query, &mut out[first..]),
                    2 => tile::<2>(row, query, &mut out[first..]),
                    _ => tile::<3>(row, query, &mut out[first..]),
                }
            }
        }
    }
}

#[target_feature(enable = "neon")]
unsafe fn tile<const Q: usize>(row: &[f32], queries: &[f64], out: &mut [f64]) {
    let dims = row.len();
    assert!(queries.len() >= Q * dims, "the loads stay inside");
    let whole = dims - dims % LANES;
    // SAFETY: NEON is there, as for this function. A row's load reads eight elements from `at <= dims - 8`, a query's
    // two from `at + pair * 2 <= dims - 2` of a query below Q, which the slices hold.
    let lanes = unsafe {
        let mut sums = [[vdupq_n_f64(0.0); 4]; Q];
        for at in (0..whole).step_by(LANES) {
            let row = widen(row.as_ptr().add(at));
            for (q, sums) in sums.iter_mut().enumerate() {
                for (pair, sum) in sums.iter_mut().enumerate() {
                    let query = vld1q_f64(queries.as_ptr().add(q * dims + at + pair * 2));
                    *sum = vfmaq_f64(*sum, row[pair], query);
                }
            }
        }
        sums.map(|sums| spill(sums))
    };
    for (q, mut lanes) in lanes.into_iter().enumerate() {
        for (lane, j) in (whole..dims).enumerate() {
            lanes[lane] += f64::from(row[j]) * queries[q * dims + j];
        }
        out[q] = fold(lanes);
    }
}

/// Eight f32 as eight f64.
#[target_feature(enable = "neon")]
#[inline]
unsafe fn widen(at: *const f32) -> [float64x2_t; 4] {
    // SAFETY: the caller points to eight readable elements.
    unsafe {
        let (low, high) = (vld1q_f32(at), vld1q_f32(at.add(4)));
        [
            vcvt_f64_f32(vget_low_f32(low)),
            vcvt_high_f64_f32(low),
            vcvt_f64_f32(vget_low_f32(high)),
            vcvt_high_f64_f32(high),
        ]
    }
}

#[target_feature(enable = "neon")]
#[inline]
unsafe fn spill(sums: [float64x2_t; 4]) -> [f64; LANES] {
    let mut lanes = [0.0; LANES];
    for (pair, &sum) in sums.iter().enumerate() {
        // SAFETY: the array has room for four pairs.
        unsafe { vst1q_f64(lanes.as_mut_ptr().add(pair * 2), sum) };
    }
    lanes
}
