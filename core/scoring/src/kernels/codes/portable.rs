//! The twin every other kernel is checked against, and what runs where there is none.

use super::{GROUP, LINE_DIMS, Line, ROW_DIMS};

pub fn sums(lines: &[Line], query: &[i8], out: &mut [i32]) {
    let groups = lines.chunks_exact(query.len() / LINE_DIMS);
    for (lines, out) in groups.zip(out.chunks_exact_mut(GROUP)) {
        out.fill(0);
        for (line, query) in lines.iter().zip(query.chunks_exact(LINE_DIMS)) {
            let (low, high) = query.split_at(4);
            for (out, codes) in out.iter_mut().zip(line.0.chunks_exact(4)) {
                for (&code, (&low, &high)) in codes.iter().zip(low.iter().zip(high)) {
                    *out += i32::from(code & 15) * i32::from(low) + i32::from(code >> 4) * i32::from(high);
                }
            }
        }
    }
}

pub fn row(lines: &[Line], query: &[i8]) -> i32 {
    let mut sum = 0;
    for (line, query) in lines.iter().zip(query.chunks_exact(ROW_DIMS)) {
        let (low, high) = query.split_at(ROW_DIMS / 2);
        for (&code, (&low, &high)) in line.0.iter().zip(low.iter().zip(high)) {
            sum += i32::from(code & 15) * i32::from(low) + i32::from(code >> 4) * i32::from(high);
        }
    }
    sum
}
