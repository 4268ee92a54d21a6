//! The order of summation that every kernel keeps.

/// How many partial sums a product has; element j belongs to lane j mod `LANES`.
pub const LANES: usize = 8;

/// Lanes to one number: 8 to 4, 4 to 2, 2 to 1.
pub fn fold(lanes: [f64; LANES]) -> f64 {
    let four: [f64; 4] = std::array::from_fn(|lane| lanes[lane] + lanes[lane + 4]);
    (four[0] + four[2]) + (four[1] + four[3])
}
