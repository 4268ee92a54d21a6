//! Which kernel runs, chosen by what the machine has.

#[cfg(target_arch = "x86_64")]
use super::avx2;
#[cfg(target_arch = "aarch64")]
use super::neon;
use super::portable;

/// The product of two vectors of the same length.
pub fn dot(a: &[f32], b: &[f32]) -> f64 {
    assert_eq!(a.len(), b.len(), "vectors of one index have one dimension");
    #[cfg(target_arch = "x86_64")]
    if avx2::available() {
        return avx2::dot(a, b);
    }
    #[cfg(target_arch = "aarch64")]
    if neon::available() {
        return neon::dot(a, b);
    }
    portable::dot(a, b)
}

/// Every row with every query, into `out[row * m + query]`.
pub fn scan(rows: &[f32], dims: usize, queries: &[f64], out: &mut [f64]) {
    assert!(dims > 0 && rows.len() % dims == 0 && queries.len() % dims == 0, "whole rows and whole queries");
    assert_eq!(out.len(), (rows.len() / dims) * (queries.len() / dims), "one place for each product");
    if out.is_empty() {
        return;
    }
    #[cfg(target_arch = "x86_64")]
    if avx2::available() {
        return avx2::scan(rows, dims, queries, out);
    }
    #[cfg(target_arch = "aarch64")]
    if neon::available() {
        return neon::scan(rows, dims, queries, out);
    }
    portable::scan(rows, dims, queries, out);
}

/// The name of the kernel file this machine runs.
pub fn name() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if avx2::available() {
        return "avx2";
    }
    #[cfg(target_arch = "aarch64")]
    if neon::available() {
        return "neon";
    }
    "portable"
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The rule of the README, word by word.
    fn by_the_rule(a: &[f32], b: &[f32]) -> f64 {
        let mut lanes = [0.0_f64; 8];
        for j in 0..a.len() {
            lanes[j % 8] += f64::from(a[j]) * f64::from(b[j]);
        }
        for width in [4, 2, 1] {
            for lane in 0..width {
                lanes[lane] += lanes[lane + width];
            }
        }
        lanes[0]
    }

    fn numbers(length: usize) -> impl Strategy<Value = Vec<f32>> {
        let number = prop_oneof![
            4 => -1.0_f32..1.0,
            1 => (-1.0e-38_f32..1.0e-38).prop_map(|small| small / 1.0e4),
            1 => -1.0e30_f32..1.0e30,
            1 => Just(0.0_f32),
            1 => Just(-0.0_f32),
        ];
        prop::collection::vec(number, length)
    }

    fn block() -> impl Strategy<Value = (usize, Vec<f32>, Vec<f32>)> {
        (1_usize..70, 0_usize..11, 0_usize..8)
            .prop_flat_map(|(dims, n, m)| (Just(dims), numbers(n * dims), numbers(m * dims)))
    }

    proptest! {
        #[test]
        fn dot_is_bit_equal_to_the_rule((a, b) in (0_usize..200).prop_flat_map(|n| (numbers(n), numbers(n)))) {
            let expected = by_the_rule(&a, &b).to_bits();
            prop_assert_eq!(portable::dot(&a, &b).to_bits(), expected);
            prop_assert_eq!(dot(&a, &b).to_bits(), expected);
        }

        #[test]
        fn scan_is_bit_equal_to_the_rule((dims, rows, queries) in block()) {
            let wide: Vec<f64> = queries.iter().map(|&x| f64::from(x)).collect();
            let expected: Vec<u64> = rows
                .chunks(dims)
                .flat_map(|row| queries.chunks(dims).map(|query| by_the_rule(row, query).to_bits()))
                .collect();
            for kernel in [portable::scan, scan] {
                let mut out = vec![f64::NAN; expected.len()];
                kernel(&rows, dims, &wide, &mut out);
                prop_assert_eq!(&out.iter().map(|x| x.to_bits()).collect::<Vec<_>>(), &expected);
            }
        }
    }
}
