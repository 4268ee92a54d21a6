//! What a new memory with relations writes, or why it may not (library.md, Write rules).

use std::collections::HashSet;

use corecall_types::{Code, Error, Result};

use crate::snapshot::TRIVIAL;
use crate::{Graph, Row, Scope, target};

/// What a new memory is to be linked with, as its writer names it.
#[derive(Clone, Copy, Debug, Default)]
pub struct RememberRequest<'a> {
    /// The id the new memory will have.
    pub id: &'a str,
    /// Its importance.
    pub importance: &'a str,
    /// Names the memory it stands under.
    pub parent: Option<&'a str>,
    /// Names the memory it replaces.
    pub supersedes: Option<&'a str>,
    /// Compare-and-swap: the id its writer believes to be the head of what it replaces.
    pub expected_head: Option<&'a str>,
    /// Names the memories it is linked with.
    pub see_also: &'a [String],
    /// Names the memories it speaks against.
    pub contradicts: &'a [String],
    /// Names the memories it was made from.
    pub derived_from: &'a [String],
}

impl RememberRequest<'_> {
    /// Whether it links anything. Then it is an intentional new write and no duplicates are proposed.
    pub fn has_relations(&self) -> bool {
        self.supersedes.is_some()
            || !(self.see_also.is_empty() && self.contradicts.is_empty() && self.derived_from.is_empty())
    }
}

/// The resolved targets, and the stored memories that change with the new one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RememberPlan {
    /// The memory it stands under.
    pub parent: Option<Row>,
    /// The memory it replaces.
    pub supersedes: Option<Row>,
    /// Distinct, in the order given.
    pub see_also: Vec<Row>,
    /// Distinct, in the order given.
    pub contradicts: Vec<Row>,
    /// Distinct, in the order given.
    pub derived_from: Vec<Row>,
    /// Each changed memory once: the replaced one first, then the linked ones.
    pub mirrors: Vec<Mirror>,
}

/// A stored memory whose relation fields gain the new id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mirror {
    /// The memory.
    pub row: Row,
    /// Its `superseded_by` becomes the new id.
    pub superseded_by: bool,
    /// Its `see_also` gains the new id.
    pub see_also: bool,
}

/// Resolves and checks every target of a new memory.
///
/// Errors, at the argument: `relation.trivial` (the new memory at `importance`, a target at its own place),
/// `relation.self`, `target.unknown`, `target.ambiguous`, `relation.expected_head`, `relation.replaced`,
/// `relation.cycle`; `argument.conflict` for an `expected_head` without `supersedes`.
pub fn plan(graph: &Graph, request: &RememberRequest) -> Result<RememberPlan> {
    if request.has_relations() && request.importance == TRIVIAL {
        let message = "a trivial memory takes no relations; make it important or leave them out";
        return Err(Error::new(Code::RelationTrivial, message).at("importance"));
    }
    if request.expected_head.is_some() && request.supersedes.is_none() {
        let message = "expected_head guards a replacement; pass supersedes as well";
        return Err(Error::new(Code::ArgumentConflict, message).at("expected_head"));
    }
    let parent = request.parent.map(|name| resolve(graph, request, name).map_err(|error| error.at("parent")));
    let supersedes = request.supersedes.map(|name| linkable(graph, request, name).map_err(|e| e.at("supersedes")));
    let mut plan = RememberPlan {
        parent: parent.transpose()?,
        supersedes: supersedes.transpose()?,
        see_also: linkable_list(graph, request, "see_also", request.see_also)?,
        contradicts: linkable_list(graph, request, "contradicts", request.contradicts)?,
        derived_from: linkable_list(graph, request, "derived_from", request.derived_from)?,
        mirrors: Vec::new(),
    };
    if let Some(replaced) = plan.supersedes {
        check_head(graph, request, replaced)?;
        check_chain(graph, request, replaced)?;
    }
    plan.mirrors = mirrors(&plan);
    Ok(plan)
}

fn mirrors(plan: &RememberPlan) -> Vec<Mirror> {
    let replaced = plan.supersedes;
    let both = replaced.is_some_and(|row| plan.see_also.contains(&row));
    let first = replaced.map(|row| Mirror { row, superseded_by: true, see_also: both });
    let linked = plan.see_also.iter().filter(|row| Some(**row) != replaced);
    first.into_iter().chain(linked.map(|&row| Mirror { row, superseded_by: false, see_also: true })).collect()
}

/// A live memory other than the new one.
fn resolve(graph: &Graph, request: &RememberRequest, name: &str) -> Result<Row> {
    let refusal = || Error::new(Code::RelationSelf, "a memory can't be linked to itself; name another one");
    if target::strip(name) == request.id {
        return Err(refusal());
    }
    let row = target::resolve(graph, name)?;
    if graph.id(row) == request.id { Err(refusal()) } else { Ok(row) }
}

/// A live memory that takes relations.
fn linkable(graph: &Graph, request: &RememberRequest, name: &str) -> Result<Row> {
    let row = resolve(graph, request, name)?;
    if graph.is_trivial(row) {
        let message = format!("memory {} is trivial and takes no relations; make it important first", graph.id(row));
        return Err(Error::new(Code::RelationTrivial, message));
    }
    Ok(row)
}

fn linkable_list(graph: &Graph, request: &RememberRequest, field: &str, names: &[String]) -> Result<Vec<Row>> {
    let mut seen = HashSet::new();
    let mut rows = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let row = linkable(graph, request, name).map_err(|error| error.at(format!("{field}[{index}]")))?;
        if seen.insert(row) {
            rows.push(row);
        }
    }
    Ok(rows)
}

/// The memory to replace must be the head of its own replacements, whatever their scope.
fn check_head(graph: &Graph, request: &RememberRequest, replaced: Row) -> Result<()> {
    let id = graph.id(replaced);
    let head = graph.head(id, &Scope::default());
    let current = graph.id(head.unwrap_or(replaced));
    if let Some(expected) = request.expected_head.map(target::strip).filter(|expected| *expected != current) {
        let message = format!("the head of {id} is {current}, not {expected}; read it and decide again");
        return Err(Error::new(Code::RelationExpectedHead, message).at("expected_head"));
    }
    let Some(head) = head else { return Ok(()) };
    let by = graph.live_claimants(id).next().unwrap_or(head);
    let message = format!(
        "memory {id} is already replaced by {}; the newest is {}: supersede that one",
        graph.id(by),
        graph.id(head)
    );
    Err(Error::new(Code::RelationReplaced, message).at("supersedes"))
}

/// Below the memory to replace there must be no cycle, nor the new memory itself.
fn check_chain(graph: &Graph, request: &RememberRequest, replaced: Row) -> Result<()> {
    let mut at = replaced;
    loop {
        let id = graph.id(at);
        if id == request.id || graph.is_void(at) {
            let message = format!(
                "the chain below {} closes on itself at {id}; withdraw one of its replacements first",
                graph.id(replaced)
            );
            return Err(Error::new(Code::RelationCycle, message).at("supersedes"));
        }
        match graph.forward(at) {
            Some(target) => at = target,
            None => return Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{graph, memory, owned};

    fn library() -> Graph {
        graph([
            memory("first").title("The first"),
            memory("second").supersedes("first"),
            memory("current").title("The current one"),
            memory("other"),
            memory("diary").trivial(),
            memory("forgotten").deleted(),
            memory("ring a").supersedes("ring b"),
            memory("ring b").supersedes("ring a"),
            memory("onto ring").supersedes("ring a"),
        ])
    }

    fn request<'a>() -> RememberRequest<'a> {
        RememberRequest { id: "new", importance: "important", ..RememberRequest::default() }
    }

    fn refusal(request: &RememberRequest) -> (Code, String) {
        let error = plan(&library(), request).unwrap_err();
        (error.code, error.path)
    }

    #[test]
    fn a_plain_memory_has_an_empty_plan() {
        assert!(!request().has_relations());
        assert_eq!(plan(&library(), &request()), Ok(RememberPlan::default()));
        let trivial = RememberRequest { importance: "trivial", parent: Some("current"), ..request() };
        assert!(plan(&library(), &trivial).unwrap().parent.is_some());
    }

    #[test]
    fn targets_are_resolved_distinct_and_mirrored_once_each() {
        let graph = library();
        let row = |id| graph.row(id).unwrap();
        let see_also = owned(&["other", "#current", "The current one", "second"]);
        let derived_from = owned(&["first"]);
        let request = RememberRequest {
            supersedes: Some("The current one"),
            expected_head: Some("#current"),
            see_also: &see_also,
            derived_from: &derived_from,
            ..request()
        };
        assert!(request.has_relations());
        let plan = plan(&graph, &request).unwrap();
        assert_eq!(plan.supersedes, Some(row("current")));
        assert_eq!(plan.see_also, [row("other"), row("current"), row("second")]);
        assert_eq!((plan.derived_from, plan.contradicts), (vec![row("first")], vec![]));
        let mirrors: Vec<_> =
            plan.mirrors.iter().map(|one| (graph.id(one.row), one.superseded_by, one.see_also)).collect();
        assert_eq!(mirrors, [("current", true, true), ("other", false, true), ("second", false, true)]);
    }

    #[test]
    fn contradicts_and_derived_from_are_stored_forward_only() {
        let list = owned(&["other"]);
        let plan = plan(&library(), &RememberRequest { contradicts: &list, derived_from: &list, ..request() }).unwrap();
        assert_eq!((plan.contradicts.len(), plan.derived_from.len(), plan.mirrors.len()), (1, 1, 0));
    }

    #[test]
    fn trivial_memories_take_no_relations_on_either_end() {
        let list = owned(&["other", "diary"]);
        let own = RememberRequest { importance: "trivial", see_also: &list, ..request() };
        assert_eq!(refusal(&own), (Code::RelationTrivial, "importance".to_owned()));
        let target = RememberRequest { see_also: &list, ..request() };
        assert_eq!(refusal(&target), (Code::RelationTrivial, "see_also[1]".to_owned()));
        let replaced = RememberRequest { supersedes: Some("diary"), ..request() };
        assert_eq!(refusal(&replaced), (Code::RelationTrivial, "supersedes".to_owned()));
    }

    #[test]
    fn a_memory_is_not_linked_to_itself() {
        let list = owned(&["other", "#new"]);
        let linked = RememberRequest { contradicts: &list, ..request() };
        assert_eq!(refusal(&linked), (Code::RelationSelf, "contradicts[1]".to_owned()));
        for (id, name) in [("new", "new"), ("current", "The current one")] {
            let replaced = RememberRequest { id, supersedes: Some(name), ..request() };
            assert_eq!(refusal(&replaced), (Code::RelationSelf, "supersedes".to_owned()));
        }
        let parent = RememberRequest { parent: Some("new"), ..request() };
        assert_eq!(refusal(&parent), (Code::RelationSelf, "parent".to_owned()));
    }

    #[test]
    fn absent_and_forgotten_targets_are_unknown() {
        for name in ["nobody", "forgotten"] {
            let list = owned(&[name]);
            let derived = RememberRequest { derived_from: &list, ..request() };
            assert_eq!(refusal(&derived), (Code::TargetUnknown, "derived_from[0]".to_owned()));
            let replaced = RememberRequest { supersedes: Some(name), ..request() };
            assert_eq!(refusal(&replaced), (Code::TargetUnknown, "supersedes".to_owned()));
            let parent = RememberRequest { parent: Some(name), ..request() };
            assert_eq!(refusal(&parent), (Code::TargetUnknown, "parent".to_owned()));
        }
    }

    #[test]
    fn a_replaced_memory_is_not_replaced_again_and_the_error_names_both() {
        let graph = graph([
            memory("a").project("p"),
            memory("b").supersedes("a").project("q"),
            memory("c").supersedes("b").project("r"),
        ]);
        let error = plan(&graph, &RememberRequest { supersedes: Some("a"), ..request() }).unwrap_err();
        assert_eq!((error.code, error.path.as_str()), (Code::RelationReplaced, "supersedes"));
        assert!(error.message.contains("replaced by b") && error.message.contains("newest is c"), "{}", error.message);
    }

    #[test]
    fn a_live_head_behind_a_dead_version_still_replaces() {
        let graph = graph([memory("a"), memory("b").supersedes("a").deleted(), memory("c").supersedes("b")]);
        let error = plan(&graph, &RememberRequest { supersedes: Some("a"), ..request() }).unwrap_err();
        assert_eq!(error.code, Code::RelationReplaced);
        assert!(error.message.contains("replaced by c"), "{}", error.message);
    }

    #[test]
    fn a_memory_whose_replacement_was_forgotten_can_be_replaced() {
        let graph = graph([memory("a"), memory("b").supersedes("a").deleted()]);
        let plan = plan(&graph, &RememberRequest { supersedes: Some("a"), ..request() }).unwrap();
        assert_eq!(plan.supersedes, graph.row("a"));
    }

    #[test]
    fn another_head_than_expected_is_named() {
        let request = RememberRequest { supersedes: Some("first"), expected_head: Some("first"), ..request() };
        let error = plan(&library(), &request).unwrap_err();
        assert_eq!((error.code, error.path.as_str()), (Code::RelationExpectedHead, "expected_head"));
        assert!(error.message.contains("is second, not first"), "{}", error.message);
        let known = RememberRequest { expected_head: Some("second"), ..request };
        assert_eq!(refusal(&known), (Code::RelationReplaced, "supersedes".to_owned()));
        let wrong = RememberRequest { supersedes: Some("current"), expected_head: Some("other"), ..request };
        assert_eq!(refusal(&wrong), (Code::RelationExpectedHead, "expected_head".to_owned()));
    }

    #[test]
    fn an_expected_head_without_a_replacement_is_refused() {
        let alone = RememberRequest { expected_head: Some("current"), ..request() };
        assert_eq!(refusal(&alone), (Code::ArgumentConflict, "expected_head".to_owned()));
    }

    #[test]
    fn a_chain_that_closes_on_itself_is_refused() {
        for name in ["ring b", "onto ring"] {
            let replaced = RememberRequest { supersedes: Some(name), ..request() };
            assert_eq!(refusal(&replaced), (Code::RelationCycle, "supersedes".to_owned()), "{name}");
        }
    }

    #[test]
    fn a_chain_that_leads_to_the_new_memory_is_refused() {
        // Its id was given from outside, and something that came earlier already claims it.
        let graph = graph([memory("a").supersedes("new"), memory("b").supersedes("a")]);
        let error = plan(&graph, &RememberRequest { supersedes: Some("b"), ..request() }).unwrap_err();
        assert_eq!((error.code, error.path.as_str()), (Code::RelationCycle, "supersedes"));
    }
}
