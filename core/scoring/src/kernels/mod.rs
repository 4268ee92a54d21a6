//! The loops over vector elements, one file a machine, with the same names; chosen at run time.
//!
//! * `dot(a, b)`: the product of two vectors of one length.
//! * `scan(rows, dims, queries, out)`: every row of a block with every query. `rows` holds n × `dims` f32, `queries`
//!   m × `dims` f64 (so that each query is widened once, not once a row), `out` n × m f64; all row-major.
//!
//! Every kernel gives the bits of `portable`: element j is added to lane j mod 8, and the lanes are folded 4-2-1.
//! A product of two f32 is exact in f64 (24 + 24 bits of 53), so a fused multiply-add rounds as the two steps do.

#[cfg(target_arch = "x86_64")]
mod avx2;
pub mod codes;
mod dispatch;
mod lanes;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;

pub use dispatch::{dot, name, scan};
