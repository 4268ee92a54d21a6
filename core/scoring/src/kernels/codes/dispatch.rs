//! Which kernel runs, chosen by what the machine has.

#[cfg(target_arch = "x86_64")]
use super::avx2;
#[cfg(all(target_arch = "x86_64", has_avx512))]
use super::avx512;
#[cfg(target_arch = "aarch64")]
use super::neon;
use super::{GROUP, LINE_DIMS, Line, ROW_DIMS, portable};

/// The sums of whole groups of 16 rows with a query, into `out`.
pub fn sums(lines: &[Line], query: &[i8], out: &mut [i32]) {
    assert!(!query.is_empty() && query.len() % LINE_DIMS == 0, "whole lines");
    assert_eq!(lines.len() / (query.len() / LINE_DIMS) * GROUP, out.len(), "one place for each row");
    #[cfg(all(target_arch = "x86_64", has_avx512))]
    if avx512::available() {
        return avx512::sums(lines, query, out);
    }
    #[cfg(target_arch = "x86_64")]
    if avx2::available() {
        return avx2::sums(lines, query, out);
    }
    #[cfg(target_arch = "aarch64")]
    if neon::available() {
        return neon::sums(lines, query, out);
    }
    portable::sums(lines, query, out);
}

/// The sum of one row with a query.
pub fn row(lines: &[Line], query: &[i8]) -> i32 {
    assert_eq!(query.len(), lines.len() * ROW_DIMS, "whole lines");
    #[cfg(all(target_arch = "x86_64", has_avx512))]
    if avx512::available() {
        return avx512::row(lines, query);
    }
    #[cfg(target_arch = "x86_64")]
    if avx2::available() {
        return avx2::row(lines, query);
    }
    #[cfg(target_arch = "aarch64")]
    if neon::available() {
        return neon::row(lines, query);
    }
    portable::row(lines, query)
}

/// The name of the kernel file this machine runs.
pub fn name() -> &'static str {
    #[cfg(all(target_arch = "x86_64", has_avx512))]
    if avx512::available() {
        return "avx512vnni";
    }
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

    type Sums = fn(&[Line], &[i8], &mut [i32]);
    type Row = fn(&[Line], &[i8]) -> i32;

    /// Every kernel this machine can run, and the choice itself.
    fn kernels() -> Vec<(Sums, Row)> {
        let mut all: Vec<(Sums, Row)> = vec![(portable::sums, portable::row), (sums, row)];
        #[cfg(target_arch = "x86_64")]
        if avx2::available() {
            all.push((avx2::sums, avx2::row));
        }
        #[cfg(target_arch = "aarch64")]
        if neon::available() {
            all.push((neon::sums, neon::row));
        }
        all
    }

    fn lines(count: usize) -> impl Strategy<Value = Vec<Line>> {
        let byte = prop_oneof![Just(0_u8), Just(255), any::<u8>()];
        prop::collection::vec(byte, count * 64)
            .prop_map(|bytes| bytes.chunks(64).map(|line| Line(line.try_into().expect("lines of 64"))).collect())
    }

    fn query(count: usize) -> impl Strategy<Value = Vec<i8>> {
        prop::collection::vec(prop_oneof![Just(-127_i8), Just(127), -127_i8..=127], count)
    }

    proptest! {
        #[test]
        fn sums_are_those_of_the_codes(
            (lines, query) in (0_usize..4, 1_usize..40).prop_flat_map(|(n, m)| (lines(n * m), query(m * LINE_DIMS)))
        ) {
            let each = query.len() / LINE_DIMS;
            let code = |row: usize, dim: usize| {
                let byte = lines[row / GROUP * each + dim / 8].0[row % GROUP * 4 + dim % 4];
                i32::from(if dim % 8 < 4 { byte & 15 } else { byte >> 4 })
            };
            let expected: Vec<i32> = (0..lines.len() / each * GROUP)
                .map(|row| (0..query.len()).map(|dim| code(row, dim) * i32::from(query[dim])).sum())
                .collect();
            for (kernel, _) in kernels() {
                let mut out = vec![7; expected.len()];
                kernel(&lines, &query, &mut out);
                prop_assert_eq!(&out, &expected);
            }
        }

        #[test]
        fn a_row_is_that_of_its_codes(
            (lines, query) in (0_usize..20).prop_flat_map(|n| (lines(n), query(n * ROW_DIMS)))
        ) {
            let code = |dim: usize| {
                let byte = lines[dim / ROW_DIMS].0[dim % 64];
                i32::from(if dim % ROW_DIMS < 64 { byte & 15 } else { byte >> 4 })
            };
            let expected: i32 = (0..query.len()).map(|dim| code(dim) * i32::from(query[dim])).sum();
            for (_, kernel) in kernels() {
                prop_assert_eq!(kernel(&lines, &query), expected);
            }
        }
    }
}
