//! What is asked and what is answered.

use std::collections::{HashMap, HashSet};

use corecall_types::{Code, Error, Result};
use serde::{Deserialize, Serialize, Serializer};

use crate::{Graph, Ledger, RelatedSettings, Relation, Row, Scope};

/// How often two memories were recalled together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// One id.
    pub a: String,
    /// Another id.
    pub b: String,
    /// How often, at most [`Pair::N_MAX`].
    pub n: u64,
}

impl Pair {
    /// The largest count every JSON reader keeps exactly: 2^53.
    pub const N_MAX: u64 = 1 << 53;
}

/// Hits and what is known about them beside the graph.
#[derive(Clone, Copy)]
pub struct RelatedQuery<'a> {
    /// The query's kind, project and computer.
    pub scope: &'a Scope,
    /// Final hits, distinct, in rank order.
    pub hits: &'a [String],
    /// Every pair that touches a hit; others are ignored.
    pub pairs: &'a [Pair],
    /// Budgets, thresholds and the relations wanted.
    pub settings: &'a RelatedSettings,
    /// Neighbours with a lower cosine don't count: `settings.min_cos`, or else the model's own.
    pub min_cos: f64,
    /// How often each row was a final hit, for a host that counts outside its snapshots; a row that is
    /// absent never was. `None`: as the snapshots say.
    pub recall_counts: Option<&'a HashMap<Row, u64>>,
}

impl RelatedQuery<'_> {
    pub(crate) fn recall_count(&self, graph: &Graph, row: Row) -> u64 {
        self.recall_counts.map_or_else(|| graph.recall_count(row), |counts| counts.get(&row).copied().unwrap_or(0))
    }

    /// Checks everything and finds the hits' rows, in rank order. Paths are those of `related_business`.
    pub(crate) fn validate(&self, graph: &Graph) -> Result<Vec<Row>> {
        self.settings.validate().map_err(|error| error.under("related_settings"))?;
        let mut hits = Vec::with_capacity(self.hits.len());
        let mut seen = HashSet::with_capacity(self.hits.len());
        for (index, id) in self.hits.iter().enumerate() {
            if !seen.insert(id) {
                let message = format!("{id} is listed twice; hits are distinct");
                return Err(Error::new(Code::ArgumentDuplicate, message).at(format!("ids[{index}]")));
            }
            let row = graph.row(id).ok_or_else(|| {
                let message = format!("{id} has no snapshot; pass one for every hit");
                Error::new(Code::SnapshotUnknown, message).at(format!("ids[{index}]"))
            })?;
            hits.push(row);
        }
        self.validate_pairs()?;
        Ok(hits)
    }

    fn validate_pairs(&self) -> Result<()> {
        let mut seen = HashSet::with_capacity(self.pairs.len());
        for (index, Pair { a, b, n }) in self.pairs.iter().enumerate() {
            if a == b {
                let message = format!("{b} is paired with itself; a pair has two memories");
                return Err(Error::new(Code::ArgumentValue, message).at(format!("pairs[{index}].b")));
            }
            if *n > Pair::N_MAX {
                let message = "n is out of range; pass a whole number up to 9007199254740992";
                return Err(Error::new(Code::ArgumentRange, message).at(format!("pairs[{index}].n")));
            }
            if !seen.insert((a.min(b), a.max(b))) {
                let message = format!("{a} and {b} are paired twice; pass each pair once, in either order");
                return Err(Error::new(Code::ArgumentDuplicate, message).at(format!("pairs[{index}]")));
            }
        }
        Ok(())
    }
}

/// One memory to show beside a hit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Association {
    /// The memory.
    pub id: String,
    /// Its title, untrusted, at most [`crate::title::ASSOCIATION_MAX`] scalar values.
    pub title: String,
    /// The hit it stands beside.
    pub source_id: String,
    /// How they belong together.
    pub relation: Relation,
}

/// Associations and superseded hints; on the wire the result of `related_business`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Related {
    /// In the order of relations, within one by hit.
    pub related: Vec<Association>,
    /// Each replaced hit with its head, in hit order; an object on the wire.
    #[serde(serialize_with = "as_object")]
    pub superseded: Vec<(String, String)>,
    /// Only with `explain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ledger: Option<Ledger>,
}

fn as_object<S: Serializer>(hints: &[(String, String)], serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_map(hints.iter().map(|(hit, head)| (hit, head)))
}
