//! What an edit of a stored memory may change.

use corecall_types::{Code, Error, Result};

use crate::snapshot::TRIVIAL;
use crate::{Graph, Row, target};

/// The changes that the rules have a say in.
#[derive(Clone, Copy, Debug, Default)]
pub struct UpdateRequest<'a> {
    /// Its new importance, if it changes.
    pub importance: Option<&'a str>,
    /// Names the memory it is to stand under; an empty name: none.
    pub parent: Option<&'a str>,
}

/// What becomes of the parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parent {
    /// It stays as it is.
    Kept,
    /// There is none any more.
    None,
    /// The memory stands under this one.
    Row(Row),
}

/// Checks an edit of a live memory.
///
/// Errors: `relation.trivial` at `importance`; `target.unknown`, `target.ambiguous`, `relation.self`,
/// `relation.cycle` at `parent`.
pub fn plan(graph: &Graph, row: Row, request: &UpdateRequest) -> Result<Parent> {
    if request.importance == Some(TRIVIAL) && !graph.is_trivial(row) && has_relations(graph, row) {
        let message =
            format!("memory {} has relations and can't be trivial; withdraw them by unlink first", graph.id(row));
        return Err(Error::new(Code::RelationTrivial, message).at("importance"));
    }
    match request.parent {
        None => Ok(Parent::Kept),
        Some("") => Ok(Parent::None),
        Some(name) => parent(graph, row, name).map(Parent::Row).map_err(|error| error.at("parent")),
    }
}

/// Whether any edge begins or ends at the memory, those of forgotten memories included.
fn has_relations(graph: &Graph, row: Row) -> bool {
    let node = graph.node(row);
    node.supersedes().is_some()
        || !node.claimants.is_empty()
        || crate::Link::ALL.iter().any(|&link| !node.links(link).is_empty() || !node.linked(link).is_empty())
}

fn parent(graph: &Graph, row: Row, name: &str) -> Result<Row> {
    let parent = target::resolve(graph, name)?;
    if parent == row {
        return Err(Error::new(Code::RelationSelf, "a memory can't stand under itself; name another one"));
    }
    // Circles that came from elsewhere end where they were entered.
    let mut passed = vec![parent];
    while let Some(above) = passed.last().and_then(|&at| graph.parent(at)).and_then(|id| graph.row(id)) {
        if above == row {
            let (under, over) = (graph.id(parent), graph.id(row));
            let message = format!("memory {under} stands under {over} itself; name one that doesn't");
            return Err(Error::new(Code::RelationCycle, message));
        }
        if passed.contains(&above) {
            break;
        }
        passed.push(above);
    }
    Ok(parent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{graph, memory};

    fn library() -> Graph {
        graph([
            memory("plain"),
            memory("replaced"),
            memory("replacing").supersedes("replaced"),
            memory("source"),
            memory("made").derived_from(&["source"]).deleted(),
            memory("linked").see_also(&["absent"]),
            memory("diary").trivial(),
            memory("root"),
            memory("child").parent("root"),
            memory("grandchild").parent("child"),
            memory("ring a").parent("ring b"),
            memory("ring b").parent("ring a"),
        ])
    }

    fn importance(id: &str, importance: &str) -> std::result::Result<Parent, (Code, String)> {
        let graph = library();
        let request = UpdateRequest { importance: Some(importance), ..UpdateRequest::default() };
        plan(&graph, graph.row(id).unwrap(), &request).map_err(|error| (error.code, error.path))
    }

    fn under(id: &str, name: &str) -> std::result::Result<Option<String>, (Code, String)> {
        let graph = library();
        let request = UpdateRequest { parent: Some(name), ..UpdateRequest::default() };
        match plan(&graph, graph.row(id).unwrap(), &request) {
            Ok(Parent::Row(row)) => Ok(Some(graph.id(row).to_owned())),
            Ok(Parent::None) => Ok(None),
            Ok(Parent::Kept) => panic!("a parent was named"),
            Err(error) => Err((error.code, error.path)),
        }
    }

    #[test]
    fn a_memory_with_an_edge_at_either_end_does_not_become_trivial() {
        let refused = Err((Code::RelationTrivial, "importance".to_owned()));
        for id in ["replaced", "replacing", "source", "linked"] {
            assert_eq!(importance(id, "trivial"), refused, "{id}");
            assert_eq!(importance(id, "normal"), Ok(Parent::Kept), "{id}");
        }
        for id in ["plain", "diary", "child", "root"] {
            assert_eq!(importance(id, "trivial"), Ok(Parent::Kept), "{id}");
        }
    }

    #[test]
    fn a_parent_is_any_live_memory_that_does_not_stand_below() {
        assert_eq!(under("plain", "grandchild"), Ok(Some("grandchild".to_owned())));
        assert_eq!(under("grandchild", ""), Ok(None));
        assert_eq!(under("plain", "ring a"), Ok(Some("ring a".to_owned())));
        assert_eq!(under("plain", "plain"), Err((Code::RelationSelf, "parent".to_owned())));
        assert_eq!(under("root", "grandchild"), Err((Code::RelationCycle, "parent".to_owned())));
        assert_eq!(under("root", "child"), Err((Code::RelationCycle, "parent".to_owned())));
        for name in ["made", "nobody"] {
            assert_eq!(under("plain", name), Err((Code::TargetUnknown, "parent".to_owned())), "{name}");
        }
    }
}
