//! AVX2: pairs of codes times numbers in 16 bits, four lines at a time, then widened.
//!
//! A pair is at most 15 · 127 · 2 = 3,810, so eight of them (low and high halves of four lines) fit 16 bits.
// Numbers are read four at a time, unaligned.
#![allow(unsafe_code, clippy::cast_ptr_alignment)]

use std::arch::x86_64::{
    __m256i, _mm256_add_epi16, _mm256_add_epi32, _mm256_and_si256, _mm256_load_si256, _mm256_loadu_si256,
    _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_set1_epi8, _mm256_set1_epi16, _mm256_set1_epi32,
    _mm256_setzero_si256, _mm256_srli_epi16, _mm256_storeu_si256,
};

use super::{GROUP, LINE_DIMS, Line, ROW_DIMS};

pub fn available() -> bool {
    !cfg!(miri) && is_x86_feature_detected!("avx2")
}

pub fn sums(lines: &[Line], query: &[i8], out: &mut [i32]) {
    debug_assert!(available());
    for (lines, out) in lines.chunks_exact(query.len() / LINE_DIMS).zip(out.chunks_exact_mut(GROUP)) {
        // SAFETY: the caller chose this kernel because the machine has AVX2.
        unsafe { group(lines, query, out) }
    }
}

pub fn row(lines: &[Line], query: &[i8]) -> i32 {
    debug_assert!(available());
    // SAFETY: the caller chose this kernel because the machine has AVX2.
    unsafe { row_inner(lines, query) }
}

// Each body is one `unsafe` block: before Rust 1.87 the arithmetic intrinsics, too, are unsafe to call.

#[target_feature(enable = "avx2")]
unsafe fn group(lines: &[Line], query: &[i8], out: &mut [i32]) {
    assert!(out.len() == GROUP && query.len() == lines.len() * LINE_DIMS, "the loads and stores stay inside");
    // SAFETY: AVX2 is there, as for this function. A line is two registers, aligned to 64 bytes; a line's query is
    // eight numbers; `out` has room for two registers of eight.
    unsafe {
        let ones = _mm256_set1_epi16(1);
        let mut sums = [_mm256_setzero_si256(); 2];
        for (lines, query) in lines.chunks(4).zip(query.chunks(4 * LINE_DIMS)) {
            let mut products = [_mm256_setzero_si256(); 2];
            for (line, query) in lines.iter().zip(query.chunks_exact(LINE_DIMS)) {
                let low = _mm256_set1_epi32(query.as_ptr().cast::<i32>().read_unaligned());
                let high = _mm256_set1_epi32(query.as_ptr().add(4).cast::<i32>().read_unaligned());
                for (half, products) in products.iter_mut().enumerate() {
                    let codes = _mm256_load_si256(line.0.as_ptr().add(half * 32).cast());
                    *products = _mm256_add_epi16(*products, multiply(codes, low, high));
                }
            }
            for (sum, products) in sums.iter_mut().zip(products) {
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(products, ones));
            }
        }
        _mm256_storeu_si256(out.as_mut_ptr().cast(), sums[0]);
        _mm256_storeu_si256(out.as_mut_ptr().add(8).cast(), sums[1]);
    }
}

#[target_feature(enable = "avx2")]
unsafe fn row_inner(lines: &[Line], query: &[i8]) -> i32 {
    assert!(query.len() == lines.len() * ROW_DIMS, "the loads stay inside");
    let mut parts = [0_i32; 8];
    // SAFETY: AVX2 is there, as for this function. A line is two registers, aligned to 64 bytes; its query is four;
    // the array has room for one.
    unsafe {
        let ones = _mm256_set1_epi16(1);
        let mut total = _mm256_setzero_si256();
        for (line, query) in lines.iter().zip(query.chunks_exact(ROW_DIMS)) {
            for at in [0, 32] {
                let codes = _mm256_load_si256(line.0.as_ptr().add(at).cast());
                let low = _mm256_loadu_si256(query.as_ptr().add(at).cast());
                let high = _mm256_loadu_si256(query.as_ptr().add(ROW_DIMS / 2 + at).cast());
                total = _mm256_add_epi32(total, _mm256_madd_epi16(multiply(codes, low, high), ones));
            }
        }
        _mm256_storeu_si256(parts.as_mut_ptr().cast(), total);
    }
    parts.iter().sum()
}

// From Rust 1.87 on nothing in it is unsafe.
/// Both halves of 32 bytes of codes with their numbers, pairs summed.
#[allow(unused_unsafe)]
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn multiply(codes: __m256i, low: __m256i, high: __m256i) -> __m256i {
    // SAFETY: AVX2 is there, as for this function.
    unsafe {
        let mask = _mm256_set1_epi8(15);
        let (a, b) = (_mm256_and_si256(codes, mask), _mm256_and_si256(_mm256_srli_epi16::<4>(codes), mask));
        _mm256_add_epi16(_mm256_maddubs_epi16(a, low), _mm256_maddubs_epi16(b, high))
    }
}
