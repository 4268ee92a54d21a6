//! What linking two stored memories changes, or unlinking them, or why it may not be.

use corecall_types::{Code, Error, Result};

use crate::{Graph, Link, Row, target};

/// The two ends of a link to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkPlan {
    /// The memory the link starts at.
    pub source: Row,
    /// The memory it leads to.
    pub target: Row,
    /// Nothing is to be written: it is there already, from both ends where it is symmetric.
    pub stands: bool,
}

/// The memories that lose a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnlinkPlan {
    /// The memory the link starts at.
    pub source: Row,
    /// The id it leads to, which needs no snapshot.
    pub target: Row,
    /// Those that list the other end, the source first: both of them for a symmetric link that is mirrored.
    pub listed_by: Vec<Row>,
}

/// Checks both ends of a new link. `source` is a live memory, `name` names the target.
///
/// Errors: `relation.trivial` at `id` or `target`; `relation.self`, `target.unknown`, `target.ambiguous` at `target`.
pub fn plan(graph: &Graph, source: Row, link: Link, name: &str) -> Result<LinkPlan> {
    check_takes_relations(graph, source, "id")?;
    let target = target::resolve(graph, name).map_err(|error| error.at("target"))?;
    if target == source {
        let message = "a memory can't be linked to itself; name another one";
        return Err(Error::new(Code::RelationSelf, message).at("target"));
    }
    check_takes_relations(graph, target, "target")?;
    let there = graph.links(source, link).contains(&target);
    let back = link != Link::SeeAlso || graph.links(target, link).contains(&source);
    Ok(LinkPlan { source, target, stands: there && back })
}

/// Finds out who lists a link that is to go. Either end may be forgotten; the target may also be an id that isn't
/// there any more, given in full.
///
/// Errors, at `target`: `target.unknown`, `target.ambiguous`; `relation.unknown` where there is no such link.
pub fn unlink(graph: &Graph, source: Row, link: Link, name: &str) -> Result<UnlinkPlan> {
    let exact = graph.known(target::strip(name));
    let target = exact.map_or_else(|| target::resolve(graph, name).map_err(|error| error.at("target")), Ok)?;
    let mut listed_by = Vec::new();
    if graph.links(source, link).contains(&target) {
        listed_by.push(source);
    }
    if link == Link::SeeAlso && graph.links(target, link).contains(&source) {
        listed_by.push(target);
    }
    if listed_by.is_empty() {
        let (from, to) = (graph.id(source), graph.id(target));
        let message = format!("memory {from} has no such link to {to}; list its relations");
        return Err(Error::new(Code::RelationUnknown, message).at("target"));
    }
    Ok(UnlinkPlan { source, target, listed_by })
}

fn check_takes_relations(graph: &Graph, row: Row, path: &str) -> Result<()> {
    if graph.is_trivial(row) {
        let message = format!("memory {} is trivial and takes no relations; make it important first", graph.id(row));
        return Err(Error::new(Code::RelationTrivial, message).at(path));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{graph, memory};

    fn library() -> Graph {
        graph([
            memory("a").see_also(&["b", "half"]).contradicts(&["b"]).derived_from(&["absent"]),
            memory("b").title("The other").see_also(&["a"]),
            memory("half"),
            memory("diary").trivial(),
            memory("gone").deleted().see_also(&["a"]),
        ])
    }

    fn stands(source: &str, link: Link, target: &str) -> bool {
        let graph = library();
        let plan = plan(&graph, graph.row(source).unwrap(), link, target).unwrap();
        assert_eq!(graph.id(plan.source), source);
        plan.stands
    }

    fn listed_by(source: &str, link: Link, target: &str) -> std::result::Result<Vec<String>, (Code, String)> {
        let graph = library();
        let plan = unlink(&graph, graph.row(source).unwrap(), link, target);
        plan.map(|plan| plan.listed_by.iter().map(|row| graph.id(*row).to_owned()).collect())
            .map_err(|error| (error.code, error.path))
    }

    #[test]
    fn a_link_stands_when_it_is_mirrored_as_its_kind_asks() {
        assert!(stands("a", Link::SeeAlso, "The other") && stands("b", Link::SeeAlso, "#a"));
        assert!(!stands("a", Link::SeeAlso, "half"));
        assert!(stands("a", Link::Contradicts, "b") && !stands("b", Link::Contradicts, "a"));
        assert!(!stands("a", Link::DerivedFrom, "b"));
    }

    #[test]
    fn neither_end_may_be_trivial_absent_or_the_other() {
        let graph = library();
        let refusal = |source: &str, target: &str| {
            let error = plan(&graph, graph.row(source).unwrap(), Link::SeeAlso, target).unwrap_err();
            (error.code, error.path)
        };
        assert_eq!(refusal("diary", "a"), (Code::RelationTrivial, "id".into()));
        assert_eq!(refusal("a", "diary"), (Code::RelationTrivial, "target".into()));
        assert_eq!(refusal("b", "The other"), (Code::RelationSelf, "target".into()));
        assert_eq!(refusal("a", "gone"), (Code::TargetUnknown, "target".into()));
        assert_eq!(refusal("a", "absent"), (Code::TargetUnknown, "target".into()));
    }

    #[test]
    fn every_end_that_lists_the_other_loses_it() {
        assert_eq!(listed_by("a", Link::SeeAlso, "The other").unwrap(), ["a", "b"]);
        assert_eq!(listed_by("b", Link::SeeAlso, "a").unwrap(), ["b", "a"]);
        assert_eq!(listed_by("half", Link::SeeAlso, "a").unwrap(), ["a"]);
        assert_eq!(listed_by("a", Link::SeeAlso, "gone").unwrap(), ["gone"]);
        assert_eq!(listed_by("a", Link::DerivedFrom, "absent").unwrap(), ["a"]);
    }

    #[test]
    fn a_link_that_is_not_there_is_unknown() {
        let unknown = Err((Code::RelationUnknown, "target".to_owned()));
        assert_eq!(listed_by("b", Link::Contradicts, "a"), unknown);
        assert_eq!(listed_by("a", Link::DerivedFrom, "b"), unknown);
        assert_eq!(listed_by("a", Link::SeeAlso, "nobody"), Err((Code::TargetUnknown, "target".to_owned())));
    }
}
