//! A stretch of coordinates kept as 4-bit codes.

use super::upward;

/// A code c stands for the coordinate (c − 8) · a · weight, where a is the row's.
pub const ZERO: i32 = 8;

/// A stretch of coordinates, each with its weight: about how far it spreads.
#[derive(Debug)]
pub struct Stage {
    pub weights: Vec<f64>,
    pub largest_weight: f64,
}

/// What a row's codes stand for, and by how much they may be wrong. All but `scale` are rounded up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Terms {
    /// The row's a.
    pub scale: f32,
    /// Length of what the codes leave out of this stretch.
    pub residual: f32,
    /// Length of what lies outside of this and the stretches before.
    pub rest: f32,
    /// Length of (c − 8) · a.
    pub spread: f32,
}

impl Stage {
    pub fn new(weights: Vec<f64>) -> Self {
        let largest_weight = weights.iter().fold(0.0, |largest: f64, &weight| largest.max(weight));
        Self { weights, largest_weight }
    }

    pub fn dims(&self) -> usize {
        self.weights.len()
    }

    /// Codes of the coordinates into `codes`, and their terms with `rest` 0.
    ///
    /// Right for any numbers: what doesn't fit is in the residual.
    #[allow(clippy::cast_sign_loss, reason = "a code is at least 0")]
    pub fn encode(&self, coordinates: &[f64], codes: &mut [u8]) -> Terms {
        let relative = || coordinates.iter().zip(&self.weights).map(|(&x, &weight)| x / weight);
        let (mut squares, mut largest) = (0.0_f64, 0.0_f64);
        for x in relative() {
            squares += x * x;
            largest = largest.max(x.abs());
        }
        let spread = (squares / self.dims() as f64).sqrt();
        // Best for normally spread coordinates; and nothing cut off, which is best for few large ones.
        let mut best = (0.0_f32, f64::INFINITY);
        for scale in [0.31 * spread, 0.36 * spread, largest / 7.0] {
            // A scale beyond f32 codes nothing, and all is in the residual.
            let scale = if scale < 1e30 { scale as f32 } else { 0.0 };
            let error = self.errors(coordinates, scale, &mut |_, _| ());
            if error < best.1 {
                best = (scale, error);
            }
        }
        let scale = best.0;
        let mut spread = 0.0;
        let error = self.errors(coordinates, scale, &mut |at, code| {
            codes[at] = (code + f64::from(ZERO)) as u8;
            spread += code * code;
        });
        // The sums of squares are f64 of at most 4,096 terms: 1e-9 is far more than they can be wrong by.
        let outward = 1.0 + 1e-9;
        Terms {
            scale,
            residual: upward(error.sqrt() * outward),
            rest: 0.0,
            spread: upward(f64::from(scale) * spread.sqrt() * outward),
        }
    }

    /// The sum of squared errors with this scale; `each` gets the position and its code less 8.
    fn errors(&self, coordinates: &[f64], scale: f32, each: &mut dyn FnMut(usize, f64)) -> f64 {
        let scale = f64::from(scale);
        let mut sum = 0.0;
        for (at, (&x, &weight)) in coordinates.iter().zip(&self.weights).enumerate() {
            let step = scale * weight;
            let code = if step > 0.0 { (x / step).round().clamp(-8.0, 7.0) } else { 0.0 };
            let error = x - code * step;
            sum += error * error;
            each(at, code);
        }
        sum
    }
}
