//! AVX2 with FMA: the eight lanes are two registers of four f64.
//!
//! One row and one query are two chains of dependent sums, which would wait for the adder's latency. `tile` runs up to
//! four queries with one row side by side, so that every chain keeps its order and the adders are still busy. Several
//! rows side by side are slower: reading one stream of memory is what a scan waits for.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m256d, _mm_loadu_ps, _mm256_cvtps_pd, _mm256_fmadd_pd, _mm256_loadu_pd, _mm256_setzero_pd, _mm256_storeu_pd,
};

use super::lanes::{LANES, fold};

pub fn available() -> bool {
    // Miri interprets no FMA.
    !cfg!(miri) && is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
}

pub fn dot(a: &[f32], b: &[f32]) -> f64 {
    debug_assert!(available() && a.len() == b.len());
    // SAFETY: the caller chose this kernel because the machine has AVX2 and FMA.
    unsafe { dot_inner(a, b) }
}

pub fn scan(rows: &[f32], dims: usize, queries: &[f64], out: &mut [f64]) {
    debug_assert!(available());
    // SAFETY: the caller chose this kernel because the machine has AVX2 and FMA.
    unsafe { scan_inner(rows, dims, queries, out) }
}

// Each body is one `unsafe` block: before Rust 1.87 the arithmetic intrinsics, too, are unsafe to call.

#[target_feature(enable = "avx2,fma")]
unsafe fn dot_inner(a: &[f32], b: &[f32]) -> f64 {
    let (a_blocks, b_blocks) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let (a_rest, b_rest) = (a_blocks.remainder(), b_blocks.remainder());
    // SAFETY: AVX2 and FMA are there, as for this function; both chunks hold eight elements, each half reads four.
    let mut lanes = unsafe {
        let mut sums = [_mm256_setzero_pd(); 2];
        for (a, b) in a_blocks.zip(b_blocks) {
            for (half, sum) in sums.iter_mut().enumerate() {
                *sum = _mm256_fmadd_pd(widen(a.as_ptr().add(half * 4)), widen(b.as_ptr().add(half * 4)), *sum);
            }
        }
        spill(sums)
    };
    for ((lane, &x), &y) in lanes.iter_mut().zip(a_rest).zip(b_rest) {
        *lane += f64::from(x) * f64::from(y);
    }
    fold(lanes)
}

#[target_feature(enable = "avx2,fma")]
unsafe fn scan_inner(rows: &[f32], dims: usize, queries: &[f64], out: &mut [f64]) {
    let m = queries.len() / dims;
    for (row, out) in rows.chunks_exact(dims).zip(out.chunks_exact_mut(m)) {
        for first in (0..m).step_by(4) {
            let (queries, out) = (&queries[first * dims..], &mut out[first..]);
            // SAFETY: AVX2 and FMA are there, as for this function.
            unsafe {
                match m - first {
                    1 => tile::<1>(row, queries, out),
                    2 => tile::<2>(row, queries, out),
                    3 => tile::<3>(row, queries, out),
                    _ => tile::<4>(row, queries, out),
                }
            }
        }
    }
}

/// One row with the first Q queries.
#[target_feature(enable = "avx2,fma")]
unsafe fn tile<const Q: usize>(row: &[f32], queries: &[f64], out: &mut [f64]) {
    let dims = row.len();
    assert!(queries.len() >= Q * dims, "the loads stay inside");
    let whole = dims - dims % LANES;
    // SAFETY: AVX2 and FMA are there, as for this function. Every load reads four elements from
    // `at <= whole - 4 <= dims - 4` of the row or of a query below Q, which the slices hold.
    let lanes = unsafe {
        let mut sums = [[_mm256_setzero_pd(); 2]; Q];
        for block in (0..whole).step_by(LANES) {
            for half in 0..2 {
                let at = block + half * 4;
                let wide = widen(row.as_ptr().add(at));
                for (q, sums) in sums.iter_mut().enumerate() {
                    let query = _mm256_loadu_pd(queries.as_ptr().add(q * dims + at));
                    sums[half] = _mm256_fmadd_pd(wide, query, sums[half]);
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

/// Four f32 as four f64.
#[target_feature(enable = "avx2,fma")]
#[inline]
unsafe fn widen(at: *const f32) -> __m256d {
    // SAFETY: the caller points to four readable elements; the load needs no alignment.
    unsafe { _mm256_cvtps_pd(_mm_loadu_ps(at)) }
}

#[target_feature(enable = "avx2,fma")]
#[inline]
unsafe fn spill(sums: [__m256d; 2]) -> [f64; LANES] {
    let mut lanes = [0.0; LANES];
    // SAFETY: the array has room for both halves; the stores need no alignment.
    unsafe {
        _mm256_storeu_pd(lanes.as_mut_ptr(), sums[0]);
        _mm256_storeu_pd(lanes.as_mut_ptr().add(4), sums[1]);
    }
    lanes
}
