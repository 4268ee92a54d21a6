//! AVX-512 with VNNI: a whole line a step, four products a lane in one instruction.
// Compiled only where the compiler has it (build.rs). Numbers are read four at a time, unaligned.
#![allow(unsafe_code, clippy::incompatible_msrv, clippy::cast_ptr_alignment)]

use std::arch::x86_64::{
    __m512i, _mm512_add_epi32, _mm512_and_si512, _mm512_dpbusd_epi32, _mm512_load_si512, _mm512_loadu_si512,
    _mm512_reduce_add_epi32, _mm512_set1_epi8, _mm512_set1_epi32, _mm512_setzero_si512, _mm512_srli_epi16,
    _mm512_storeu_si512,
};

use super::{GROUP, LINE_DIMS, Line, ROW_DIMS};

pub fn available() -> bool {
    !cfg!(miri)
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vnni")
}

pub fn sums(lines: &[Line], query: &[i8], out: &mut [i32]) {
    debug_assert!(available());
    // SAFETY: the caller chose this kernel because the machine has AVX-512 F, BW and VNNI.
    unsafe { sums_inner(lines, query, out) }
}

pub fn row(lines: &[Line], query: &[i8]) -> i32 {
    debug_assert!(available());
    // SAFETY: the caller chose this kernel because the machine has AVX-512 F, BW and VNNI.
    unsafe { row_inner(lines, query) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn sums_inner(lines: &[Line], query: &[i8], out: &mut [i32]) {
    for (lines, out) in lines.chunks_exact(query.len() / LINE_DIMS).zip(out.chunks_exact_mut(GROUP)) {
        let mut totals = [_mm512_setzero_si512(); 2];
        for (line, query) in lines.iter().zip(query.chunks_exact(LINE_DIMS)) {
            let (low, high) = halves(line);
            // SAFETY: a line's query is eight numbers.
            let (a, b) = unsafe {
                let at = query.as_ptr().cast::<i32>();
                (at.read_unaligned(), at.add(1).read_unaligned())
            };
            totals[0] = _mm512_dpbusd_epi32(totals[0], low, _mm512_set1_epi32(a));
            totals[1] = _mm512_dpbusd_epi32(totals[1], high, _mm512_set1_epi32(b));
        }
        let total = _mm512_add_epi32(totals[0], totals[1]);
        // SAFETY: `out` is a chunk of sixteen.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), total) };
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn row_inner(lines: &[Line], query: &[i8]) -> i32 {
    let mut total = _mm512_setzero_si512();
    for (line, query) in lines.iter().zip(query.chunks_exact(ROW_DIMS)) {
        let (low, high) = halves(line);
        // SAFETY: a line's query is 128 numbers, two registers.
        let (a, b) = unsafe {
            (_mm512_loadu_si512(query.as_ptr().cast()), _mm512_loadu_si512(query.as_ptr().add(ROW_DIMS / 2).cast()))
        };
        total = _mm512_dpbusd_epi32(_mm512_dpbusd_epi32(total, low, a), high, b);
    }
    _mm512_reduce_add_epi32(total)
}

/// The low and the high halves of a line's bytes.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[inline]
fn halves(line: &Line) -> (__m512i, __m512i) {
    // SAFETY: a line is one register, aligned to 64 bytes.
    let codes = unsafe { _mm512_load_si512(line.0.as_ptr().cast()) };
    let mask = _mm512_set1_epi8(15);
    (_mm512_and_si512(codes, mask), _mm512_and_si512(_mm512_srli_epi16::<4>(codes), mask))
}
