//! What was considered, and why it was not taken (contract 1, ledger).

use serde::Serialize;

use crate::Relation;

/// Why a candidate was not taken: the first that fits, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// It is a hit.
    Hit,
    /// It was already chosen.
    Duplicate,
    /// A tombstone, or there is no snapshot or no entry.
    Deleted,
    /// Another kind, project or computer than asked for.
    OutOfScope,
    /// A diary line, where those don't count.
    Diary,
    /// A neighbour that was replaced.
    Superseded,
    /// Reached by an edge that lies on a cycle.
    Cycle,
    /// Recalled together too seldom, or too far away.
    BelowThreshold,
    /// Its source has brought as many as it may.
    PerSource,
    /// There are as many associations as there may be.
    Budget,
}

/// One candidate that was not taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Dropped {
    /// The candidate.
    pub id: String,
    /// The hit that brought it.
    pub source_id: String,
    /// How they belong together.
    pub relation: Relation,
    /// Why it was not taken.
    pub reason: Reason,
}

/// The account of one call. Holds no number of the scoring.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Ledger {
    /// Candidates looked at: those taken and those dropped.
    pub considered: u64,
    /// Candidates taken.
    pub returned: u64,
    /// The first drops, at most [`Ledger::LISTED_MAX`].
    pub dropped: Vec<Dropped>,
}

impl Ledger {
    /// How many drops are listed; the rest is only counted.
    pub const LISTED_MAX: usize = 64;

    pub(crate) fn take(&mut self) {
        self.considered += 1;
        self.returned += 1;
    }

    pub(crate) fn drop(&mut self, id: &str, source_id: &str, relation: Relation, reason: Reason) {
        self.considered += 1;
        if self.dropped.len() < Self::LISTED_MAX {
            self.dropped.push(Dropped { id: id.to_owned(), source_id: source_id.to_owned(), relation, reason });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drops_beyond_the_list_are_only_counted() {
        let mut ledger = Ledger::default();
        ledger.take();
        for number in 0..70 {
            ledger.drop(&number.to_string(), "s", Relation::SeeAlso, Reason::Deleted);
        }
        assert_eq!((ledger.considered, ledger.returned, ledger.dropped.len()), (71, 1, 64));
        assert_eq!(ledger.dropped[63].id, "63");
    }

    #[test]
    fn it_reads_on_the_wire_as_the_contract_shows_it() {
        let mut ledger = Ledger::default();
        ledger.drop("b", "a", Relation::CoRecall, Reason::OutOfScope);
        let wire = r#"{"considered":1,"returned":0,"dropped":[{"id":"b","source_id":"a","relation":"co_recall","reason":"out_of_scope"}]}"#;
        assert_eq!(serde_json::to_string(&ledger).unwrap(), wire);
    }
}
