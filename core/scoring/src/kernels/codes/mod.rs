//! The loops over 4-bit codes, one file a machine, with the same names; chosen at run time. All sums are exact integers.
//!
//! * `sums(lines, query, out)`: codes of 16 rows side by side. A line holds 8 dimensions of 16 rows: the low half of
//!   byte `4 · row + b` is dimension b, the high half dimension 4 + b. `query` has 8 numbers a line, `out` 16 a group
//!   of `query.len() / 8` lines.
//! * `row(lines, query)`: codes of one row. A line holds 128 dimensions: the low half of byte b is dimension b, the
//!   high half dimension 64 + b. `query` has 128 numbers a line.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(all(target_arch = "x86_64", has_avx512))]
mod avx512;
mod dispatch;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;

pub use dispatch::{name, row, sums};

/// Rows side by side in a line of `sums`.
pub const GROUP: usize = 16;

/// Dimensions in a line of `sums`.
pub const LINE_DIMS: usize = 8;

/// Dimensions in a line of `row`.
pub const ROW_DIMS: usize = 128;

/// A cache line of codes.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Line(pub [u8; 64]);
