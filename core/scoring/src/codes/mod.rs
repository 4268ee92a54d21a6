//! 4-bit codes with provable bounds: what a search reads instead of the vectors. README.md has the formulas.

mod coded;
mod coding;
mod fit;
mod probe;
mod stage;

pub use coded::Coded;
pub use coding::Coding;
pub use probe::Probe;

/// The next f32 that isn't below a number ≥ 0.
fn upward(x: f64) -> f32 {
    let near = x as f32;
    if f64::from(near) < x { f32::from_bits(near.to_bits() + 1) } else { near }
}
