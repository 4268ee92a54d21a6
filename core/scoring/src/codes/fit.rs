//! Directions along which most of what is in the vectors lies in few coordinates.

use super::coding::Coding;
use super::stage::Stage;
use crate::kernels;

/// Beyond it the fit would take longer than a writer should wait.
const MOST_DIMS: usize = 1024;

/// Below it a line of the first stretch wouldn't be filled.
const FEWEST_DIMS: usize = 128;

/// The share of the spread that the first stretch is to hold.
const HEAD_SHARE: f64 = 0.72;

/// Rounds of the iteration: enough to tell the first directions from the rest, which is all that is asked of them.
const ROUNDS: usize = 4;

/// Directions that aren't quite orthonormal widen every bound.
const MOST_SKEW: f64 = 1e-4;

/// How far sums may be from what they should be, more than f64 can lose.
const ROUNDING: f64 = 1e-9;

impl Coding {
    /// Principal directions of the vectors, found by orthogonal iteration (Golub and Van Loan, "Matrix Computations",
    /// section 8.2.4); `None` where they wouldn't help: few or very many dimensions, or a spread that is about even.
    pub fn fitted(vectors: &[&[f32]]) -> Option<Self> {
        let dims = vectors.first()?.len();
        if !(FEWEST_DIMS..=MOST_DIMS).contains(&dims) {
            return None;
        }
        let count = (dims * 2 / 3).min(256) / 32 * 32;
        let mean = mean(vectors);
        let spread = covariance(vectors, &mean);
        let total: f64 = (0..dims).map(|at| f64::from(spread[at * dims + at])).sum();
        let mut directions = scattered(count * dims);
        for _ in 0..ROUNDS {
            directions = product(&directions, &spread, dims);
            orthonormalise(&mut directions, dims)?;
        }
        let images = product(&directions, &spread, dims);
        let along = directions.chunks_exact(dims).zip(images.chunks_exact(dims));
        let variances: Vec<f64> = along.map(|(direction, image)| kernels::dot(direction, image).max(0.0)).collect();
        let mut sum = 0.0;
        let enough = variances.iter().position(|variance| {
            sum += variance;
            sum >= HEAD_SHARE * total
        })?;
        let head = (enough + 1).next_multiple_of(32);
        if head * 2 > dims || head >= count {
            return None;
        }
        let skew = skew(&directions, dims);
        let least = variances.iter().fold(0.0, |most: f64, &variance| most.max(variance)).sqrt() * 1e-6;
        let weights: Vec<f64> = variances.iter().map(|variance| variance.sqrt().max(least)).collect();
        // Written so that what isn't a number is refused, too.
        let sound = skew <= MOST_SKEW && least > 0.0 && mean.iter().chain(&directions).all(|x| x.is_finite());
        sound.then(|| {
            let (head, tail) = (Stage::new(weights[..head].to_vec()), Stage::new(weights[head..].to_vec()));
            Self::along(mean, directions, skew, head, tail)
        })
    }
}

fn mean(vectors: &[&[f32]]) -> Vec<f32> {
    let mut sums = vec![0.0_f64; vectors[0].len()];
    for vector in vectors {
        for (sum, &x) in sums.iter_mut().zip(*vector) {
            *sum += f64::from(x);
        }
    }
    sums.iter().map(|sum| (sum / vectors.len() as f64) as f32).collect()
}

/// dims × dims.
fn covariance(vectors: &[&[f32]], mean: &[f32]) -> Vec<f32> {
    let dims = mean.len();
    let mut spread = vec![0.0_f32; dims * dims];
    for vector in vectors {
        let centred: Vec<f32> = vector.iter().zip(mean).map(|(x, mean)| x - mean).collect();
        for (row, &x) in spread.chunks_exact_mut(dims).zip(&centred) {
            add_scaled(row, x, &centred);
        }
    }
    let share = 1.0 / vectors.len() as f32;
    for x in &mut spread {
        *x *= share;
    }
    spread
}

/// Numbers without a pattern, the same on every call, in [−1, 1).
fn scattered(count: usize) -> Vec<f32> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        // Knuth's MMIX generator; the upper bits are the good ones.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1_u32 << 23) as f32 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

/// Each direction's image under a symmetric matrix.
fn product(directions: &[f32], matrix: &[f32], dims: usize) -> Vec<f32> {
    let mut images = vec![0.0; directions.len()];
    for (image, direction) in images.chunks_exact_mut(dims).zip(directions.chunks_exact(dims)) {
        for (row, &x) in matrix.chunks_exact(dims).zip(direction) {
            add_scaled(image, x, row);
        }
    }
    images
}

fn add_scaled(to: &mut [f32], by: f32, what: &[f32]) {
    for (to, &x) in to.iter_mut().zip(what) {
        *to += by * x;
    }
}

/// Gram–Schmidt, each direction twice; `None` when one has nothing of its own.
fn orthonormalise(directions: &mut [f32], dims: usize) -> Option<()> {
    for at in 0..directions.len() / dims {
        let (before, rest) = directions.split_at_mut(at * dims);
        let direction = &mut rest[..dims];
        for _ in 0..2 {
            for other in before.chunks_exact(dims) {
                add_scaled(direction, -kernels::dot(direction, other) as f32, other);
            }
            let length = kernels::dot(direction, direction).sqrt();
            if length < 1e-30 || !length.is_finite() {
                return None;
            }
            for x in direction.iter_mut() {
                *x = (f64::from(*x) / length) as f32;
            }
        }
    }
    Some(())
}

/// The Frobenius norm of D·Dᵀ − 1, rounded up.
fn skew(directions: &[f32], dims: usize) -> f64 {
    let wide: Vec<f64> = directions.iter().map(|&x| f64::from(x)).collect();
    let count = directions.len() / dims;
    let mut products = vec![0.0; count * count];
    kernels::scan(directions, dims, &wide, &mut products);
    let off = |(at, product): (usize, &f64)| product - f64::from(u8::from(at % (count + 1) == 0));
    products.iter().enumerate().map(off).map(|off| off * off).sum::<f64>().sqrt() + ROUNDING
}
