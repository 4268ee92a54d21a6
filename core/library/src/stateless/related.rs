//! `related_business`: association contract 1.

use corecall_policy::{Pair, Related, RelatedQuery, RelatedSettings, Scope, related};
use corecall_types::Result;
use serde::Deserialize;

use crate::ResidentSet;
use crate::corpus::Nearness;

/// The query whose hits are expanded; only its scope decides anything here.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Query {
    /// What was asked.
    pub text: String,
    /// How many hits were wanted, 1–1000.
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
}

impl Query {
    /// The part of the query that decides what is eligible.
    pub fn scope(&self) -> Scope {
        Scope { kind: self.kind.clone(), project: self.project.clone(), computer: self.computer.clone() }
    }
}

/// The payload of `related_business` but `model`, `snapshots`, `resident_key` and `vectors`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelatedBusiness {
    /// The query of the recall.
    pub query: Query,
    /// Its final hits, in rank order, distinct.
    pub ids: Vec<String>,
    /// Every pair row that touches a hit.
    pub pairs: Vec<Pair>,
    /// Budgets and thresholds.
    #[serde(default)]
    pub related_settings: RelatedSettings,
}

/// The associations of the hits, and what replaced them.
pub fn related_business(set: &ResidentSet, request: &RelatedBusiness) -> Result<Related> {
    let corpus = set.corpus();
    let settings = &request.related_settings;
    let query = RelatedQuery {
        scope: &request.query.scope(),
        hits: &request.ids,
        pairs: &request.pairs,
        settings,
        min_cos: settings.min_cos.unwrap_or_else(|| corpus.model.min_cos()),
        recall_counts: None,
    };
    related(&corpus.graph, &query, &Nearness(&corpus.vectors))
}
