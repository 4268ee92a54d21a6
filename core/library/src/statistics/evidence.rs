//! What one recall says about its hits, and which recalls say nothing new.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

/// So many of the first hits form pairs.
const TOGETHER: usize = 5;
/// The same recall counts once in this time: an agent's loop is no evidence.
const REPEAT: Duration = Duration::from_secs(60);
/// So many recalls are remembered for that.
const REMEMBERED: usize = 4096;

/// The final hits of a recall, distinct, in rank order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Evidence {
    hits: Vec<String>,
    /// Of query and hits.
    hash: u64,
}

impl Evidence {
    /// `None` when there are no hits: then there is nothing to count.
    pub fn new(query: &str, hits: Vec<String>) -> Option<Self> {
        let mut hasher = DefaultHasher::new();
        (query, &hits).hash(&mut hasher);
        (!hits.is_empty()).then(|| Self { hits, hash: hasher.finish() })
    }

    /// Every hit: each was recalled once more.
    pub fn hits(&self) -> &[String] {
        &self.hits
    }

    /// The hits that were recalled together.
    pub fn together(&self) -> &[String] {
        &self.hits[..self.hits.len().min(TOGETHER)]
    }
}

/// The recalls counted lately.
#[derive(Debug, Default)]
pub(super) struct Recent(VecDeque<(Duration, u64)>);

impl Recent {
    /// Whether the same recall was counted less than a minute before `now`.
    pub fn holds(&mut self, evidence: &Evidence, now: Duration) -> bool {
        while self.0.front().is_some_and(|(then, _)| now.saturating_sub(*then) >= REPEAT) {
            self.0.pop_front();
        }
        self.0.iter().any(|(_, hash)| *hash == evidence.hash)
    }

    /// Notes that it was counted at `now`.
    pub fn note(&mut self, evidence: &Evidence, now: Duration) {
        if self.0.len() == REMEMBERED {
            self.0.pop_front();
        }
        self.0.push_back((now, evidence.hash));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence(query: &str, hits: &[&str]) -> Evidence {
        Evidence::new(query, hits.iter().map(ToString::to_string).collect()).unwrap()
    }

    #[test]
    fn the_same_recall_counts_once_a_minute() {
        let mut recent = Recent::default();
        let one = evidence("q", &["a", "b"]);
        recent.note(&one, Duration::from_secs(10));
        assert!(recent.holds(&one, Duration::from_millis(69_999)));
        assert!(!recent.holds(&one, Duration::from_secs(70)));
    }

    #[test]
    fn other_hits_or_another_query_are_another_recall() {
        let mut recent = Recent::default();
        recent.note(&evidence("q", &["a", "b"]), Duration::ZERO);
        assert!(!recent.holds(&evidence("q", &["b", "a"]), Duration::ZERO));
        assert!(!recent.holds(&evidence("r", &["a", "b"]), Duration::ZERO));
    }

    #[test]
    fn only_the_first_five_hits_are_together() {
        let many = evidence("q", &["a", "b", "c", "d", "e", "f"]);
        assert_eq!((many.hits().len(), many.together().len()), (6, 5));
        assert_eq!(Evidence::new("q", Vec::new()), None);
    }
}
