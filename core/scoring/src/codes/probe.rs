//! A query, ready to be bounded against codes.

use super::coding::{Coding, square};
use super::stage::{Stage, Terms, ZERO};
use crate::kernels::codes::{LINE_DIMS, ROW_DIMS};

/// A query for one coding.
///
/// A row's product with the query is at most `constant + head.bound(…)`, and at most
/// `constant + head.estimate(…) + tail.bound(…)`.
pub struct Probe {
    pub constant: f32,
    pub head: Part,
    pub tail: Option<Part>,
}

/// A query's numbers for one stretch.
pub struct Part {
    /// Numbers of 8 bits, padded to whole lines.
    pub numbers: Vec<i8>,
    /// What one of the numbers stands for.
    unit: f32,
    /// What all codes at zero sum to.
    zero: i32,
    residual: f32,
    rest: f32,
    spread: f32,
}

impl Part {
    /// An upper bound of the product, but for the constant. `sum` is that of the codes with the numbers.
    #[inline]
    pub fn bound(&self, sum: i32, terms: &Terms) -> f32 {
        self.estimate(sum, terms) + self.rest * terms.rest
    }

    /// An upper bound of this stretch's part of the product: what lies outside isn't in it.
    #[inline]
    pub fn estimate(&self, sum: i32, terms: &Terms) -> f32 {
        // The difference is below 2^24 for 4,096 coordinates, so exact.
        (sum - self.zero) as f32 * (self.unit * terms.scale)
            + self.residual * terms.residual
            + self.spread * terms.spread
    }
}

impl Probe {
    pub fn new(coding: &Coding, query: &[f32]) -> Self {
        let coordinates = coding.of_query(query);
        let length = square(&query.iter().map(|&x| f64::from(x)).collect::<Vec<_>>()).sqrt();
        let (with_mean, mean) = coding.with_mean(query);
        // Of |query| · |row|: what directions that aren't quite orthonormal can hide, and the f32 rounding of a bound,
        // about ten steps of 2^-24 on terms that together are at most four times as large.
        let slack = (2.0 * coding.skew + 1e-5) * length;
        let cut = coding.head.dims();
        let head = part(&coding.head, &coordinates.values[..cut], coordinates.outside_head, slack, LINE_DIMS);
        let tail = coding
            .tail
            .as_ref()
            .map(|stage| part(stage, &coordinates.values[cut..], coordinates.outside, slack, ROW_DIMS));
        // The last term is above anything f32 can lose by underflow.
        let constant = with_mean + 1e-5 * length * mean + 1e-30;
        Self { constant: constant as f32, head, tail }
    }
}

fn part(stage: &Stage, coordinates: &[f64], outside: f64, slack: f64, line: usize) -> Part {
    let weighted: Vec<f64> = coordinates.iter().zip(&stage.weights).map(|(x, weight)| x * weight).collect();
    let largest = weighted.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    let unit = (largest / 127.0) as f32;
    let wide = f64::from(unit);
    let mut numbers: Vec<i8> =
        weighted.iter().map(|x| if wide > 0.0 { (x / wide).round().clamp(-127.0, 127.0) as i8 } else { 0 }).collect();
    let lost: Vec<f64> = weighted.iter().zip(&numbers).map(|(x, &number)| x - f64::from(number) * wide).collect();
    let zero = numbers.iter().map(|&number| i32::from(number)).sum::<i32>() * ZERO;
    numbers.resize(numbers.len().next_multiple_of(line), 0);
    Part {
        numbers,
        unit,
        zero,
        residual: (square(coordinates).sqrt() + slack) as f32,
        rest: (outside + slack) as f32,
        spread: (square(&lost).sqrt() + slack * stage.largest_weight) as f32,
    }
}
