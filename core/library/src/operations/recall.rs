//! `recall`: rank memories for a text, with their associations.

use corecall_policy::{Association, Entry, Ledger, RelatedSettings};
use corecall_types::{Result, Task};
use serde::{Deserialize, Serialize};

use super::filter::Filter;
use super::found::find;
use crate::statistics::Evidence;
use crate::{Library, Named};

/// What happens to hits that have been replaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Superseded {
    /// They stay and name what replaced them.
    #[default]
    Mark,
    /// They are left out, and others take their places.
    Hide,
}

/// The payload of `recall`; `vector` comes as an attachment and is set after decoding.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Recall {
    /// What is looked for.
    pub text: String,
    /// At most so many hits, 1–1000.
    pub limit: u32,
    /// Only memories of this kind.
    pub kind: Option<String>,
    /// Only memories of this project.
    pub project: Option<String>,
    /// Only memories of this computer.
    pub computer: Option<String>,
    /// Only memories that have every one of these; makes the recall metadata-aware.
    pub tags: Option<Vec<String>>,
    /// Only memories made at this time or later, RFC 3339; metadata-aware.
    pub since: Option<String>,
    /// Only memories made before this time, RFC 3339; metadata-aware.
    pub until: Option<String>,
    /// Hits without their entries.
    pub titles: bool,
    /// Hits below it are left out, 0–1.
    pub min_score: f64,
    /// Neither associations nor superseded hints.
    pub no_related: bool,
    /// What happens to replaced hits.
    pub superseded: Superseded,
    /// Budgets and thresholds of the associations.
    pub related_settings: RelatedSettings,
    /// Adds `ledger` and `primary_digest`, as `related_settings.explain` does.
    pub explain: bool,
    /// The host's own vector of the text; only for a library with a `host:` model.
    #[serde(skip)]
    pub vector: Option<Vec<f32>>,
}

impl Default for Recall {
    fn default() -> Self {
        Self {
            text: String::new(),
            limit: 20,
            kind: None,
            project: None,
            computer: None,
            tags: None,
            since: None,
            until: None,
            titles: false,
            min_score: 0.0,
            no_related: false,
            superseded: Superseded::Mark,
            related_settings: RelatedSettings::default(),
            explain: false,
            vector: None,
        }
    }
}

impl Recall {
    /// Whether the reply accounts for itself.
    pub(super) fn explains(&self) -> bool {
        self.explain || self.related_settings.explain
    }
}

/// A memory above a hit.
pub type Ancestor = Named;

/// A ranked memory.
#[derive(Clone, Debug, Serialize)]
pub struct RecalledHit {
    /// Its id.
    pub id: String,
    /// Its title, at most 160 scalar values.
    pub title: String,
    /// How well it fits, 0–1.
    pub score: f64,
    /// The memory; left out with `titles`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<Entry>,
    /// Root to parent, at most 32.
    pub ancestors: Vec<Ancestor>,
    /// The newest live version, if another than the hit.
    pub superseded_by: Option<String>,
}

/// What a recall brought, in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Hits.
    pub hits: usize,
    /// Associations; they are never counted as hits.
    pub associations: usize,
}

/// The reply of `recall`.
#[derive(Clone, Debug, Serialize)]
pub struct Recalled {
    /// Best first.
    pub hits: Vec<RecalledHit>,
    /// What stands under the hits.
    pub related: Vec<Association>,
    /// The counts.
    pub summary: Summary,
    /// What was considered for `related`; only with `explain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ledger: Option<Ledger>,
    /// SHA-256 (hex) of the hits' ids and score bits; only with `explain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub primary_digest: Option<String>,
}

impl Library {
    /// Ranks memories for a text, with their associations.
    ///
    /// Main memories come first; diary lines only when no main memory is a hit. With a filter on tags or times there
    /// are no associations. Every final hit counts in the statistics, off this call's path.
    ///
    /// Errors: `argument.range`, `argument.value`, `argument.duplicate`, `argument.conflict`, `limit.text`,
    /// `vector.zero`, `vector.dimension`, `attachment.nonfinite`, each at its argument; `call.cancelled`.
    pub fn recall(&self, task: &Task, request: &Recall) -> Result<Recalled> {
        let filter = Filter::of(request)?;
        let recalled = self.with_view(task, |view| find(view, request, &filter, task))?;
        let ids = recalled.hits.iter().map(|hit| hit.id.clone()).collect();
        if let Some(evidence) = Evidence::new(&request.text, ids) {
            self.statistics.enqueue(evidence, self.sources.monotonic());
        }
        Ok(recalled)
    }
}
