//! Who points at a memory, in the order the contract prefers them.

use std::cmp::Reverse;
use std::collections::{BTreeSet, btree_set};
use std::sync::Arc;

use corecall_types::Instant;

use crate::Row;

/// What decides between those that point at one memory: live ones first, then newest, then greatest id.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Standing {
    deleted: bool,
    created: Reverse<Option<Instant>>,
    id: Reverse<Arc<str>>,
    row: Row,
}

impl Standing {
    pub fn new(deleted: bool, created: Option<Instant>, id: &Arc<str>, row: Row) -> Self {
        Self { deleted, created: Reverse(created), id: Reverse(Arc::clone(id)), row }
    }
}

/// An ordered set of rows. Most memories have none or one, so only more than one costs an allocation;
/// a tree then keeps a memory that a million others point at as cheap to change as any.
#[derive(Clone, Default)]
pub(crate) enum Incoming {
    #[default]
    None,
    One(Row),
    Many(BTreeSet<Standing>),
}

impl Incoming {
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::None)
    }

    /// The row of a set of one.
    pub fn only(&self) -> Option<Row> {
        if let Self::One(row) = self { Some(*row) } else { None }
    }

    /// Adds a row that isn't there. `only` is the standing of the row in a set of one.
    pub fn insert(&mut self, standing: Standing, only: Option<Standing>) {
        match self {
            Self::None => *self = Self::One(standing.row),
            Self::One(_) => {
                let other = only.expect("the caller passes the standing of the only row");
                *self = Self::Many(BTreeSet::from([other, standing]));
            }
            Self::Many(set) => {
                set.insert(standing);
            }
        }
    }

    /// Removes a row by the standing it was added with.
    pub fn remove(&mut self, standing: &Standing) {
        match self {
            Self::None => {}
            Self::One(_) => *self = Self::None,
            Self::Many(set) => {
                set.remove(standing);
                if set.len() == 1 {
                    *self = set.first().map_or(Self::None, |last| Self::One(last.row));
                }
            }
        }
    }

    /// The rows, best standing first.
    pub fn iter(&self) -> Rows<'_> {
        match self {
            Self::None => Rows::Few(None),
            Self::One(row) => Rows::Few(Some(*row)),
            Self::Many(set) => Rows::Many(set.iter()),
        }
    }
}

/// Iterates over an [`Incoming`].
pub(crate) enum Rows<'g> {
    Few(Option<Row>),
    Many(btree_set::Iter<'g, Standing>),
}

impl Iterator for Rows<'_> {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        match self {
            Self::Few(row) => row.take(),
            Self::Many(standings) => standings.next().map(|standing| standing.row),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(deleted: bool, created: &str, id: &str, row: Row) -> Standing {
        Standing::new(deleted, Instant::parse(created), &Arc::from(id), row)
    }

    #[test]
    fn live_before_deleted_then_newest_then_greatest_id() {
        let all = [
            standing(false, "2026-01-02T00:00:00Z", "a", 0),
            standing(false, "2026-01-01T00:00:00Z", "c", 1),
            standing(false, "2026-01-01T01:00:00+01:00", "b", 2),
            standing(false, "no time", "z", 3),
            standing(true, "2026-01-03T00:00:00Z", "d", 4),
        ];
        for order in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 0, 4, 1, 3]] {
            let mut incoming = Incoming::default();
            for row in order {
                let only = incoming.only().map(|row| all[row as usize].clone());
                incoming.insert(all[row].clone(), only);
            }
            assert_eq!(incoming.iter().collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        }
    }

    #[test]
    fn shrinks_back_to_nothing() {
        let (a, b) = (standing(false, "", "a", 0), standing(false, "", "b", 1));
        let mut incoming = Incoming::default();
        incoming.insert(a.clone(), None);
        incoming.insert(b.clone(), Some(a.clone()));
        incoming.remove(&b);
        assert_eq!(incoming.only(), Some(0));
        incoming.remove(&a);
        assert!(incoming.is_empty());
    }
}
