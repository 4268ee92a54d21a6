//! NEON: products in 16 bits, pairs added to 32 bits.
//!
//! A product is at most 15 · 127 = 1,905, so the low and the high half's add up within 16 bits.
// Numbers are read four at a time, unaligned.
#![allow(unsafe_code, clippy::cast_ptr_alignment)]

use std::arch::aarch64::{
    int8x16_t, int32x4_t, vaddq_s32, vaddvq_s32, vandq_u8, vdupq_n_s32, vdupq_n_u8, vget_high_s8, vget_low_s8,
    vld1q_s8, vld1q_u8, vmlal_s8, vmull_s8, vpaddlq_s16, vpaddq_s32, vreinterpretq_s8_s32, vreinterpretq_s8_u8,
    vshrq_n_u8, vst1q_s32,
};
use std::arch::is_aarch64_feature_detected;

use super::{GROUP, LINE_DIMS, Line, ROW_DIMS};

pub fn available() -> bool {
    !cfg!(miri) && is_aarch64_feature_detected!("neon")
}

pub fn sums(lines: &[Line], query: &[i8], out: &mut [i32]) {
    debug_assert!(available());
    for (lines, out) in lines.chunks_exact(query.len() / LINE_DIMS).zip(out.chunks_exact_mut(GROUP)) {
        // SAFETY: the caller chose this kernel because the machine has NEON.
        unsafe { group(lines, query, out) }
    }
}

pub fn row(lines: &[Line], query: &[i8]) -> i32 {
    debug_assert!(available());
    // SAFETY: the caller chose this kernel because the machine has NEON.
    unsafe { row_inner(lines, query) }
}

// Each body is one `unsafe` block: before Rust 1.87 the arithmetic intrinsics, too, are unsafe to call.

#[target_feature(enable = "neon")]
unsafe fn group(lines: &[Line], query: &[i8], out: &mut [i32]) {
    assert!(out.len() == GROUP && query.len() == lines.len() * LINE_DIMS, "the loads and stores stay inside");
    // SAFETY: NEON is there, as for this function. A line is four registers; a line's query is eight numbers; `out`
    // has room for four registers of four.
    unsafe {
        let mut totals = [vdupq_n_s32(0); 4];
        for (line, query) in lines.iter().zip(query.chunks_exact(LINE_DIMS)) {
            let at = query.as_ptr().cast::<i32>();
            let low = vreinterpretq_s8_s32(vdupq_n_s32(at.read_unaligned()));
            let high = vreinterpretq_s8_s32(vdupq_n_s32(at.add(1).read_unaligned()));
            for (quarter, total) in totals.iter_mut().enumerate() {
                // Bytes 4i to 4i + 3 are one row's.
                let [first, second] = multiply(line.0.as_ptr().add(quarter * 16), low, high);
                *total = vaddq_s32(*total, vpaddq_s32(first, second));
            }
        }
        for (quarter, total) in totals.into_iter().enumerate() {
            vst1q_s32(out.as_mut_ptr().add(quarter * 4), total);
        }
    }
}

#[target_feature(enable = "neon")]
unsafe fn row_inner(lines: &[Line], query: &[i8]) -> i32 {
    assert!(query.len() == lines.len() * ROW_DIMS, "the loads stay inside");
    // SAFETY: NEON is there, as for this function. A line is four registers, its query eight.
    unsafe {
        let mut total = vdupq_n_s32(0);
        for (line, query) in lines.iter().zip(query.chunks_exact(ROW_DIMS)) {
            for at in [0, 16, 32, 48] {
                let low = vld1q_s8(query.as_ptr().add(at));
                let high = vld1q_s8(query.as_ptr().add(ROW_DIMS / 2 + at));
                let [first, second] = multiply(line.0.as_ptr().add(at), low, high);
                total = vaddq_s32(total, vaddq_s32(first, second));
            }
        }
        vaddvq_s32(total)
    }
}

/// Both halves of 16 bytes of codes with their numbers, in pairs: those of the first and of the last eight bytes.
#[target_feature(enable = "neon")]
#[inline]
unsafe fn multiply(at: *const u8, low: int8x16_t, high: int8x16_t) -> [int32x4_t; 2] {
    // SAFETY: NEON is there, as for this function; the caller points to sixteen readable bytes.
    unsafe {
        let codes = vld1q_u8(at);
        let a = vreinterpretq_s8_u8(vandq_u8(codes, vdupq_n_u8(15)));
        let b = vreinterpretq_s8_u8(vshrq_n_u8::<4>(codes));
        let first = vmlal_s8(vmull_s8(vget_low_s8(a), vget_low_s8(low)), vget_low_s8(b), vget_low_s8(high));
        let second = vmlal_s8(vmull_s8(vget_high_s8(a), vget_high_s8(low)), vget_high_s8(b), vget_high_s8(high));
        [vpaddlq_s16(first), vpaddlq_s16(second)]
    }
}
