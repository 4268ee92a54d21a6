//! Single vectors: unit length, and the one way two are multiplied.

use corecall_types::{Code, Error, Result};

use crate::kernels;

/// The vector at unit length: the norm is taken in f64, and each element is rounded once to f32.
///
/// # Errors
/// `attachment.nonfinite` for NaN or infinity, `vector.zero` for a vector without direction.
pub fn normalise(vector: &[f32]) -> Result<Vec<f32>> {
    if let Some(at) = vector.iter().position(|x| !x.is_finite()) {
        return Err(Error::new(
            Code::AttachmentNonfinite,
            format!("element {at} of the vector is not a finite number"),
        ));
    }
    // Squares of f32, down to the smallest, are in the range of f64: the norm is 0 only for the zero vector.
    let norm = kernels::dot(vector, vector).sqrt();
    if norm == 0.0 {
        return Err(Error::new(Code::VectorZero, "the vector has length zero; leave the entry without a vector"));
    }
    Ok(vector.iter().map(|&x| (f64::from(x) / norm) as f32).collect())
}

/// The cosine of two unit vectors: element j is added to lane j mod 8, the lanes are folded 4-2-1, all in f64.
///
/// # Panics
/// When the two differ in length.
pub fn dot(a: &[f32], b: &[f32]) -> f64 {
    kernels::dot(a, b)
}

/// The kernels this machine runs: `avx2`, `neon` or `portable`. The results are the same bits.
pub fn simd() -> &'static str {
    kernels::name()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_finite_direction_has_unit_length() {
        for vector in [vec![3.0, 4.0], vec![f32::MAX; 9], vec![1e-45, 0.0], vec![-2.0], vec![f32::MIN_POSITIVE; 4096]] {
            let unit = normalise(&vector).unwrap();
            assert!((dot(&unit, &unit) - 1.0).abs() < 1e-6, "{unit:?}");
        }
        assert_eq!(normalise(&[3.0, 4.0]).unwrap(), [0.6, 0.8]);
    }

    #[test]
    fn what_has_no_direction_is_refused() {
        assert_eq!(normalise(&[0.0, -0.0]).unwrap_err().code, Code::VectorZero);
        assert_eq!(normalise(&[]).unwrap_err().code, Code::VectorZero);
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(normalise(&[1.0, bad]).unwrap_err().code, Code::AttachmentNonfinite);
        }
    }

    #[test]
    fn lanes_decide_the_last_bit() {
        // Lane 0 holds 1e16 + 1 - 1e16, which is 0 in f64; in index order the 1 would meet nothing to be lost in.
        let mut a = vec![0.0_f32; 24];
        (a[0], a[8], a[16], a[1]) = (1e8, 1.0, -1e8, 1.0);
        let b: Vec<f32> = a.iter().map(|x| x.abs()).collect();
        assert_eq!(dot(&a, &b).to_bits(), 1.0_f64.to_bits());
    }
}
