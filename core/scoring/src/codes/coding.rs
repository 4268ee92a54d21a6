//! How vectors become codes: along which directions, in which stretches.

use super::stage::{Stage, Terms};
use super::upward;
use crate::kernels;

/// Vectors shorter than this are read as they are: beside so few floats codes are no small part.
const CODED_FROM: usize = 64;

/// How vectors become codes: coordinates along given directions (or the vector's own), the first stretch coded for all
/// to be read, the second for those that the first can't rule out.
///
/// Fitted to vectors, but right for any: what the directions and weights don't catch is counted in full.
#[derive(Debug)]
pub struct Coding {
    dims: usize,
    /// Taken off before the coordinates; empty with the vector's own coordinates.
    mean: Vec<f32>,
    /// (head + tail) × dims; empty with the vector's own coordinates.
    directions: Vec<f32>,
    /// By how much the directions may fail to be orthonormal: the Frobenius norm of D·Dᵀ − 1, rounded up.
    pub skew: f64,
    pub head: Stage,
    pub tail: Option<Stage>,
}

/// A vector's or a query's coordinates, with what is left outside of the head, and of both stretches.
pub struct Coordinates {
    pub values: Vec<f64>,
    pub outside_head: f64,
    pub outside: f64,
}

/// The codes of one row.
pub struct Codes {
    /// Of the head, then of the tail; 0 to 15.
    pub numbers: Vec<u8>,
    pub head: Terms,
    pub tail: Terms,
}

impl Coding {
    /// The vector's own coordinates, all in the head; `None` where codes aren't worth it.
    pub fn plain(dims: usize) -> Option<Self> {
        (dims >= CODED_FROM).then(|| Self {
            dims,
            mean: Vec::new(),
            directions: Vec::new(),
            skew: 0.0,
            head: Stage::new(vec![1.0; dims]),
            tail: None,
        })
    }

    /// Along directions ((head + tail) × dims, orthonormal but for `skew`), after taking off the mean.
    pub fn along(mean: Vec<f32>, directions: Vec<f32>, skew: f64, head: Stage, tail: Stage) -> Self {
        let dims = mean.len();
        assert_eq!(directions.len(), (head.dims() + tail.dims()) * dims, "a direction for each coordinate");
        Self { dims, mean, directions, skew, head, tail: Some(tail) }
    }

    pub fn dims(&self) -> usize {
        self.dims
    }

    /// The product of a query with the mean, and the mean's length.
    pub fn with_mean(&self, query: &[f32]) -> (f64, f64) {
        if self.mean.is_empty() {
            return (0.0, 0.0);
        }
        (kernels::dot(query, &self.mean), kernels::dot(&self.mean, &self.mean).sqrt())
    }

    /// A query's coordinates: the mean isn't taken off.
    pub fn of_query(&self, query: &[f32]) -> Coordinates {
        self.coordinates(query.iter().map(|&x| f64::from(x)).collect())
    }

    pub fn encode(&self, vector: &[f32]) -> Codes {
        let mut wide: Vec<f64> = vector.iter().map(|&x| f64::from(x)).collect();
        for (x, &mean) in wide.iter_mut().zip(&self.mean) {
            *x -= f64::from(mean);
        }
        let Coordinates { values, outside_head, outside } = self.coordinates(wide);
        let mut codes = vec![0; values.len()];
        let cut = self.head.dims();
        let mut head = self.head.encode(&values[..cut], &mut codes[..cut]);
        head.rest = upward(outside_head);
        let mut tail = Terms::default();
        if let Some(stage) = &self.tail {
            tail = stage.encode(&values[cut..], &mut codes[cut..]);
            tail.rest = upward(outside);
        }
        Codes { numbers: codes, head, tail }
    }

    fn coordinates(&self, wide: Vec<f64>) -> Coordinates {
        if self.directions.is_empty() {
            return Coordinates { values: wide, outside_head: 0.0, outside: 0.0 };
        }
        let all = square(&wide);
        let mut values = vec![0.0; self.directions.len() / self.dims];
        kernels::scan(&self.directions, self.dims, &wide, &mut values);
        let outside = |inside: &[f64]| {
            // What is inside is at least the coordinates' length less the skew; the last term is for f64's rounding.
            let left = all - square(inside) * (1.0 - self.skew) + all * 1e-12;
            left.max(0.0).sqrt()
        };
        let (outside_head, outside) = (outside(&values[..self.head.dims()]), outside(&values));
        Coordinates { values, outside_head, outside }
    }
}

pub fn square(values: &[f64]) -> f64 {
    values.iter().map(|x| x * x).sum()
}
