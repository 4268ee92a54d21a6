//! From a query to its hits and what stands under them.

use std::collections::{BTreeMap, HashMap};

use corecall_policy::{Heads, Ledger, Pair, Related, RelatedQuery, RelatedSettings, Relation, Row, related};
use corecall_scoring::RankQuery;
use corecall_types::{Result, Task};
use sha2::{Digest, Sha256};

use super::filter::Filter;
use super::{Recall, Recalled, RecalledHit, Summary};
use crate::Named;
use crate::corpus::Nearness;
use crate::library::View;
use crate::store::StoredPair;

/// Finds the hits of a recall, then their associations: these can't change the hits any more.
pub(super) fn find(view: &View<'_>, request: &Recall, filter: &Filter, task: &Task) -> Result<Recalled> {
    let rows = rank(view, request, filter, task)?;
    let mut hits = rows.iter().map(|&(row, score)| hit(view, request, row, score)).collect::<Result<Vec<_>>>()?;
    let answer = expand(view, request, filter, &hits)?;
    for hit in &mut hits {
        hit.superseded_by = answer.superseded.iter().find(|(id, _)| *id == hit.id).map(|(_, head)| head.clone());
    }
    Ok(Recalled {
        summary: Summary { hits: hits.len(), associations: answer.related.len() },
        primary_digest: request.explains().then(|| digest(&hits)),
        ledger: answer.ledger,
        related: answer.related,
        hits,
    })
}

/// The best rows of the main zone, or of the diary if there is none.
fn rank(view: &View<'_>, request: &Recall, filter: &Filter, task: &Task) -> Result<Vec<(Row, f64)>> {
    let corpus = &view.index.corpus;
    let vector = corpus.query_vector(&request.text, request.vector.as_deref(), "vector")?;
    let query = RankQuery {
        text: &request.text,
        vector: vector.as_deref(),
        k: request.limit as usize,
        min_score: request.min_score,
    };
    let heads = Heads::new(&corpus.graph, &filter.scope);
    let main = corpus.rank(&query, &|row| filter.admits(view.index, &heads, row, false), task)?;
    if !main.is_empty() {
        return Ok(main);
    }
    corpus.rank(&query, &|row| filter.admits(view.index, &heads, row, true), task)
}

fn hit(view: &View<'_>, request: &Recall, row: Row, score: f64) -> Result<RecalledHit> {
    let Named { id, title } = Named::of(&view.index.corpus.graph, row);
    let entry = if request.titles { None } else { Some(view.payload(row)?.entry) };
    Ok(RecalledHit { id, title, score, entry, ancestors: view.ancestors(row), superseded_by: None })
}

/// Associations and superseded hints, as far as the recall wants them.
fn expand(view: &View<'_>, request: &Recall, filter: &Filter, hits: &[RecalledHit]) -> Result<Related> {
    if request.no_related {
        return Ok(Related { ledger: request.explains().then(Ledger::default), ..Related::default() });
    }
    let corpus = &view.index.corpus;
    let given = &request.related_settings;
    let settings = RelatedSettings {
        enabled: given.enabled && !filter.is_metadata_aware(),
        explain: request.explains(),
        ..given.clone()
    };
    let ids: Vec<String> = hits.iter().map(|hit| hit.id.clone()).collect();
    let evidence = CoRecall::read(view, &settings, &ids)?;
    let query = RelatedQuery {
        scope: &filter.scope,
        hits: &ids,
        pairs: &evidence.pairs,
        settings: &settings,
        min_cos: settings.min_cos.unwrap_or_else(|| corpus.model.min_cos()),
        recall_counts: Some(&evidence.counts),
    };
    related(&corpus.graph, &query, &Nearness(&corpus.vectors))
}

/// What the statistics say of the hits, as of the recall's transaction.
#[derive(Default)]
struct CoRecall {
    pairs: Vec<Pair>,
    /// Of the partners.
    counts: HashMap<Row, u64>,
}

impl CoRecall {
    /// Reads the pairs of the hits, if they can matter.
    fn read(view: &View<'_>, settings: &RelatedSettings, hits: &[String]) -> Result<Self> {
        let mut evidence = Self::default();
        if !settings.enabled || !settings.wants(Relation::CoRecall) {
            return Ok(evidence);
        }
        let graph = &view.index.corpus.graph;
        // Rarer pairs are only told of.
        let least = if settings.explain { 1 } else { settings.pair_min };
        // A pair of two hits is read with both.
        let mut pairs = BTreeMap::new();
        for hit in hits {
            for StoredPair { partner, n, partner_recalls } in view.reading.pairs_of(hit, least)? {
                if let Some(row) = graph.row(&partner) {
                    evidence.counts.insert(row, partner_recalls);
                }
                let (a, b) = if *hit < partner { (hit.clone(), partner) } else { (partner, hit.clone()) };
                pairs.insert((a, b), n);
            }
        }
        evidence.pairs = pairs.into_iter().map(|((a, b), n)| Pair { a, b, n }).collect();
        Ok(evidence)
    }
}

/// SHA-256, in hex, of the compact JSON array of `[id, score bits as 16 hex digits]`.
fn digest(hits: &[RecalledHit]) -> String {
    let pairs: Vec<_> = hits.iter().map(|hit| [hit.id.clone(), format!("{:016x}", hit.score.to_bits())]).collect();
    let json = serde_json::to_vec(&pairs).expect("strings can be written");
    format!("{:x}", Sha256::digest(&json))
}
