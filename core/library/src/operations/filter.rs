//! Which memories a recall looks at.

use corecall_policy::{Heads, Row, Scope};
use corecall_types::{Code, Error, Instant, Result};

use super::{Recall, Superseded};
use crate::library::Index;
use crate::limits::{RECALL_LIMIT, TEXT_BYTES};

/// The checked filters of a recall.
pub(super) struct Filter {
    pub scope: Scope,
    tags: Vec<String>,
    since: Option<Instant>,
    until: Option<Instant>,
    hide: bool,
}

impl Filter {
    /// Checks the arguments of a recall that need no look at what is stored.
    pub fn of(request: &Recall) -> Result<Self> {
        let out_of_range =
            |name: &str, range: String| Err(Error::new(Code::ArgumentRange, format!("{name} is {range}")).at(name));
        if request.text.len() > TEXT_BYTES {
            let message = format!("a text has at most {TEXT_BYTES} bytes, not {}", request.text.len());
            return Err(Error::new(Code::LimitText, message).at("text"));
        }
        if !(1..=RECALL_LIMIT).contains(&request.limit) {
            return out_of_range("limit", format!("a whole number from 1 to {RECALL_LIMIT}"));
        }
        if !(0.0..=1.0).contains(&request.min_score) {
            return out_of_range("min_score", "a number from 0 to 1".to_owned());
        }
        request.related_settings.validate().map_err(|error| error.under("related_settings"))?;
        Ok(Self {
            scope: Scope {
                kind: request.kind.clone(),
                project: request.project.clone(),
                computer: request.computer.clone(),
            },
            tags: request.tags.clone().unwrap_or_default(),
            since: time("since", request.since.as_deref())?,
            until: time("until", request.until.as_deref())?,
            hide: request.superseded == Superseded::Hide,
        })
    }

    /// Whether the recall filters by more than its scope: then it brings no associations.
    pub fn is_metadata_aware(&self) -> bool {
        !self.tags.is_empty() || self.since.is_some() || self.until.is_some()
    }

    /// Whether a row may be a hit of the zone. Filters act before ranking, so they never cost a hit.
    pub fn admits(&self, index: &Index, heads: &Heads<'_>, row: Row, trivial: bool) -> bool {
        index.corpus.graph.is_trivial(row) == trivial
            && heads.eligible(row)
            && (!self.is_metadata_aware() || self.admits_facts(index, row))
            && !(self.hide && heads.of(row).is_some())
    }

    fn admits_facts(&self, index: &Index, row: Row) -> bool {
        let tags = &index.facts(row).tags;
        // A memory whose time can't be read is older than every other.
        let created = index.corpus.graph.created(row);
        self.tags.iter().all(|tag| tags.contains(tag))
            && self.since.is_none_or(|since| created.is_some_and(|created| created >= since))
            && self.until.is_none_or(|until| created.is_none_or(|created| created < until))
    }
}

fn time(name: &str, text: Option<&str>) -> Result<Option<Instant>> {
    let Some(text) = text else { return Ok(None) };
    let refusal = || {
        let message = format!("{name} is no time; pass RFC 3339 with an offset, such as 2026-03-01T00:00:00Z");
        Error::new(Code::ArgumentValue, message).at(name)
    };
    Instant::parse(text).map(Some).ok_or_else(refusal)
}
