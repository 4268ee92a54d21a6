//! One score of meaning and words, and the exact best k by it.

use std::cmp::Ordering;

use corecall_types::{Result, Task};

use crate::top::Top;
use crate::{VectorIndex, WordIndex};

/// The part of the damped cosine in the score; the rest is the words'.
const COSINE_WEIGHT: f64 = 0.4;

/// A document of this many words keeps half of its cosine: the shorter a text, the less its nearness says.
const DAMPING_WORDS: f64 = 5.0;

/// What is looked for.
#[derive(Clone, Copy, Debug)]
pub struct RankQuery<'a> {
    /// The query's words.
    pub text: &'a str,
    /// The query's unit vector; `None` ranks by words alone.
    pub vector: Option<&'a [f32]>,
    /// How many rows at most.
    pub k: usize,
    /// Rows below it are left out, 0 to 1.
    pub min_score: f64,
}

/// The `k` best rows with their scores in (0, 1], best first; ties by `order` (`Less` comes first).
///
/// Exact over all rows, and a row's score depends on the query and the indexes only: not on `k`, `min_score` or
/// `eligible`. Without a vector of the query's the score is that of the words; with one it is
/// `0.4 · cosine · n / (n + 5) + 0.6 · words`, where n is the row's number of words and a row without a vector has
/// cosine 0. Rows that score nothing are no hits. `eligible` is asked only about rows that would be among the best.
///
/// # Errors
/// `vector.dimension` when the query's vector doesn't fit the index, `call.cancelled`.
pub fn rank(
    words: &WordIndex,
    vectors: &VectorIndex,
    query: &RankQuery<'_>,
    eligible: &dyn Fn(u32) -> bool,
    order: &dyn Fn(u32, u32) -> Ordering,
    task: &Task,
) -> Result<Vec<(u32, f64)>> {
    let shares = words.scores(query.text, task)?;
    let mut top = Top::new(query.k, order);
    let mut offer = |row: u32, raw: f64| {
        let score = calibrate(raw);
        if score > 0.0 && score >= query.min_score && top.takes(row, raw) && eligible(row) {
            top.offer(row, raw);
        }
    };
    match query.vector {
        None => shares.iter().for_each(|(row, share)| offer(row, share)),
        Some(vector) => {
            vectors.check(vector)?;
            for (rows, cosines) in vectors.scan(&[vector]) {
                task.check()?;
                for (&row, cosine) in rows.iter().zip(cosines) {
                    offer(row, blend(cosine * damping(words.words(row)), shares.share(row)));
                }
            }
            for (row, share) in shares.iter().filter(|&(row, _)| !vectors.contains(row)) {
                offer(row, blend(0.0, share));
            }
        }
    }
    Ok(top.into_sorted().into_iter().map(|(row, raw)| (row, calibrate(raw))).collect())
}

fn blend(cosine: f64, share: f64) -> f64 {
    COSINE_WEIGHT * cosine + (1.0 - COSINE_WEIGHT) * share
}

/// A row without a document has nothing to be damped for.
fn damping(words: Option<u32>) -> f64 {
    words.map_or(1.0, |words| f64::from(words) / (f64::from(words) + DAMPING_WORDS))
}

/// The frozen monotone map from the raw score to [0, 1].
///
/// Both lanes are shares of their best and the weights sum to 1, so it is the identity where the raw score is above 0.
fn calibrate(raw: f64) -> f64 {
    raw.clamp(0.0, 1.0)
}
