//! `query`: rank the host's snapshots for a text.

use corecall_policy::Scope;
use corecall_scoring as scoring;
use corecall_types::{Code, Error, Result, Task};
use serde::{Deserialize, Serialize};

use crate::ResidentSet;
use crate::limits::RECALL_LIMIT;

/// The `query` object of operation `query`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RankQuery {
    /// What is looked for.
    pub text: String,
    /// At most so many hits, 1–1000.
    pub limit: u32,
    /// Only memories of this kind.
    #[serde(default)]
    pub kind: Option<String>,
    /// Only memories of this project.
    #[serde(default)]
    pub project: Option<String>,
    /// Only memories of this computer.
    #[serde(default)]
    pub computer: Option<String>,
    /// Hits below it are left out, 0–1.
    #[serde(default)]
    pub min_score: f64,
}

/// A ranked memory.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hit {
    /// Its id.
    pub id: String,
    /// How well it fits, 0–1.
    pub score: f64,
}

/// The reply of `query`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hits {
    /// Best first; ties: newest, then greatest id.
    pub hits: Vec<Hit>,
}

/// Ranks the eligible snapshots. `vector` is the host's own vector of the text (`query_vector`), any length but zero.
pub fn query(set: &ResidentSet, request: &RankQuery, vector: Option<&[f32]>, task: &Task) -> Result<Hits> {
    if !(1..=RECALL_LIMIT).contains(&request.limit) {
        let message = format!("limit is a whole number from 1 to {RECALL_LIMIT}");
        return Err(Error::new(Code::ArgumentRange, message).at("query.limit"));
    }
    let corpus = set.corpus();
    let vector = corpus.query_vector(&request.text, vector, "query_vector")?;
    let scope =
        Scope { kind: request.kind.clone(), project: request.project.clone(), computer: request.computer.clone() };
    let ranked = scoring::RankQuery {
        text: &request.text,
        vector: vector.as_deref(),
        k: request.limit as usize,
        min_score: request.min_score,
    };
    let rows = corpus.rank(&ranked, &|row| corpus.graph.eligible(row, &scope), task)?;
    let hits = rows.into_iter().map(|(row, score)| Hit { id: corpus.graph.id(row).to_owned(), score });
    Ok(Hits { hits: hits.collect() })
}
