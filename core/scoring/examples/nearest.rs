//! Times `VectorIndex::nearest` on vectors from files: the part of `tests/bench/vector_search.py` that runs without Python.
//!
//! `nearest VECTORS QUERIES DIMS K ROUNDS` reads two files of little-endian f32 unit vectors (rows are numbered as they
//! stand in the file) and prints, tab-separated: a line `index`, kernels, seconds to build; then a line a query: the
//! least microseconds of the rounds, and the rows found, best first.
#![allow(clippy::print_stdout)]

use std::time::Instant;

use corecall_scoring::{VectorIndex, code_kernel, kernel};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [vectors, queries, dims, k, rounds] = arguments.as_slice() else {
        return Err("nearest VECTORS QUERIES DIMS K ROUNDS".into());
    };
    let (dims, k, rounds): (usize, usize, usize) = (dims.parse()?, k.parse()?, rounds.parse()?);
    let (vectors, queries) = (floats(vectors)?, floats(queries)?);
    let start = Instant::now();
    let mut index = VectorIndex::default();
    for (row, vector) in (0..).zip(vectors.chunks_exact(dims)) {
        index.set(row, vector).map_err(|error| error.to_string())?;
    }
    println!("index\t{} {}\t{:.3}", kernel(), code_kernel(), start.elapsed().as_secs_f64());
    drop(vectors);
    let mut seen: Vec<(f64, Vec<u32>)> = queries.chunks_exact(dims).map(|_| (f64::INFINITY, Vec::new())).collect();
    for round in 0..=rounds {
        for (query, (least, rows)) in queries.chunks_exact(dims).zip(&mut seen) {
            let start = Instant::now();
            let found = index.nearest(&[query], k, f64::NEG_INFINITY, &|_, _| true, &|a, b| a.cmp(&b));
            let took = start.elapsed().as_secs_f64();
            // The first round only touches the memory.
            if round > 0 {
                *least = least.min(took);
            }
            *rows = found[0].iter().map(|&(row, _)| row).collect();
        }
    }
    for (least, rows) in seen {
        let rows: Vec<String> = rows.iter().map(u32::to_string).collect();
        println!("{:.1}\t{}", least * 1e6, rows.join(" "));
    }
    Ok(())
}

fn floats(path: &str) -> std::io::Result<Vec<f32>> {
    let bytes = std::fs::read(path)?;
    Ok(bytes.chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().expect("chunks of four"))).collect())
}
