//! Associations and superseded hints of a list of hits.

use corecall_types::Result;

use crate::related::pass::Pass;
use crate::related::{Ledger, Related, RelatedQuery, co_recall, links, neighbors, versions};
use crate::{Graph, Neighbours, Relation};

/// Associations and superseded hints of `query.hits`, which they never change.
///
/// Costs what the hits and their edges cost, not what the graph holds; neighbours cost one search, and
/// `explain` may look at every vector.
///
/// Errors, with paths in `related_business`'s payload: `argument.range`, `argument.duplicate`,
/// `argument.value` and `snapshot.unknown`.
pub fn related(graph: &Graph, query: &RelatedQuery, neighbours: &dyn Neighbours) -> Result<Related> {
    let hits = query.validate(graph)?;
    let mut pass = Pass::new(graph, query, hits);
    let superseded = superseded(&pass);
    if !query.settings.enabled {
        let ledger = query.settings.explain.then(Ledger::default);
        return Ok(Related { related: Vec::new(), superseded, ledger });
    }
    for relation in Relation::ALL {
        if pass.is_finished() {
            break;
        }
        if !query.settings.wants(relation) {
            continue;
        }
        match relation {
            Relation::NewVersion => versions::new_versions(&mut pass),
            Relation::OldVersion => versions::old_versions(&mut pass),
            Relation::Contradicts => links::contradictions(&mut pass),
            Relation::SeeAlso => links::linked(&mut pass),
            Relation::DerivedFrom => links::sources(&mut pass),
            Relation::Derivative => links::derivatives(&mut pass),
            Relation::CoRecall => co_recall::partners(&mut pass),
            Relation::Neighbor => neighbors::nearest(&mut pass, neighbours),
        }
    }
    let (related, ledger) = pass.finish();
    Ok(Related { related, superseded, ledger })
}

/// Every hit that has a head, deleted or not, with its head.
fn superseded(pass: &Pass<'_>) -> Vec<(String, String)> {
    let hits = pass.query.hits.iter().zip(&pass.hits);
    hits.filter_map(|(id, row)| Some((id.clone(), pass.graph.id(pass.heads.of(*row)?).to_owned()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RelatedSettings;
    use crate::testing::{Call, graph, memory};
    use corecall_types::Code;

    /// A hit with something for every default relation.
    fn library() -> Graph {
        graph([
            memory("old"),
            memory("s").supersedes("old").see_also(&["link", "old", "new"]),
            memory("new").supersedes("s"),
            memory("link"),
            memory("friend"),
            memory("near"),
            memory("near too"),
        ])
    }

    fn full(graph: &Graph) -> Call<'_> {
        Call::new(graph, &["s"]).pairs(&[("friend", "s", 5), ("link", "s", 4)]).angles(&[
            ("s", 0),
            ("near", 1),
            ("near too", 2),
        ])
    }

    #[test]
    fn relations_come_in_the_order_of_the_table_whatever_the_settings_order() {
        let graph = library();
        let call = full(&graph).set(|settings| {
            settings.relations.reverse();
            settings.per_source = 9;
        });
        assert_eq!(
            call.shown(),
            [
                "s new_version new",
                "s old_version old",
                "s see_also link",
                "s co_recall friend",
                "s neighbor near",
                "s neighbor near too",
            ]
        );
    }

    #[test]
    fn within_a_relation_sources_take_turns_in_hit_order() {
        let graph = graph([
            memory("a").see_also(&["x"]),
            memory("b").see_also(&["y"]).supersedes("z"),
            memory("x"),
            memory("y"),
            memory("z"),
        ]);
        assert_eq!(Call::new(&graph, &["b", "a"]).shown(), ["b old_version z", "b see_also y", "a see_also x"]);
    }

    #[test]
    fn a_source_stops_at_its_share_over_all_relations() {
        let graph = library();
        assert_eq!(full(&graph).shown(), ["s new_version new", "s old_version old", "s see_also link"]);
        assert_eq!(
            full(&graph).drops(),
            [
                "s see_also new Duplicate",
                "s see_also new Duplicate",
                "s co_recall friend PerSource",
                "s co_recall link Duplicate",
                "s neighbor near PerSource",
                "s neighbor near too PerSource",
            ]
        );
    }

    #[test]
    fn the_whole_stops_at_max() {
        let graph = library();
        let call = || full(&graph).set(|settings| (settings.max, settings.per_source) = (2, 9));
        assert_eq!(call().shown(), ["s new_version new", "s old_version old"]);
        let ledger = call().ledger();
        assert_eq!((ledger.considered, ledger.returned), (9, 2));
        assert_eq!(call().drops()[0], "s see_also link Budget");
        let none = || full(&graph).set(|settings| settings.max = 0);
        assert_eq!(none().shown(), [""; 0]);
        // With both used up the source's share is the reason.
        let neither = full(&graph).set(|settings| (settings.max, settings.per_source) = (0, 0));
        assert_eq!(neither.drops()[0], "s new_version new PerSource");
    }

    #[test]
    fn hints_name_the_head_of_every_replaced_hit_in_hit_order() {
        let graph = graph([
            memory("a").deleted(),
            memory("b").supersedes("a").project("p"),
            memory("c"),
            memory("z"),
            memory("y").supersedes("z"),
        ]);
        let call = Call::new(&graph, &["z", "c", "a"]);
        let json = serde_json::to_string(&call.set(|settings| settings.max = 0).run().unwrap()).unwrap();
        assert_eq!(json, r#"{"related":[],"superseded":{"z":"y","a":"b"}}"#);
        let scoped = Call::new(&graph, &["a"]).project("q").run().unwrap();
        assert_eq!(scoped.superseded, []);
    }

    #[test]
    fn switched_off_there_are_hints_and_an_empty_ledger() {
        let graph = library();
        let call = full(&graph).set(|settings| (settings.enabled, settings.explain) = (false, true));
        let json = serde_json::to_string(&call.run().unwrap()).unwrap();
        let ledger = r#""ledger":{"considered":0,"returned":0,"dropped":[]}"#;
        assert_eq!(json, format!(r#"{{"related":[],"superseded":{{"s":"new"}},{ledger}}}"#));
    }

    #[test]
    fn relations_not_asked_for_are_not_considered() {
        let graph = library();
        let call = || full(&graph).set(|settings| settings.relations.clear());
        assert_eq!(call().shown(), [""; 0]);
        assert_eq!(call().ledger(), Ledger::default());
    }

    #[test]
    fn titles_are_the_entrys_cut() {
        let graph = graph([memory("s").see_also(&["a"]), memory("a").title(&"é".repeat(200))]);
        let answer = Call::new(&graph, &["s"]).run().unwrap();
        assert_eq!(answer.related[0].title, "é".repeat(159) + "…");
        let json = serde_json::to_string(&answer.related[0]).unwrap();
        assert!(
            json.starts_with(r#"{"id":"a","title":"é"#)
                && json.ends_with(r#"","source_id":"s","relation":"see_also"}"#)
        );
    }

    #[test]
    fn hits_need_not_be_eligible_to_bring_something() {
        let graph = graph([
            memory("s").see_also(&["a"]).project("elsewhere").deleted(),
            memory("a").project("p"),
            memory("b").project("p"),
        ]);
        let call = Call::new(&graph, &["s"]).project("p").angles(&[("s", 0), ("b", 1)]);
        assert_eq!(call.shown(), ["s see_also a", "s neighbor b"]);
    }

    fn refusal(call: Call<'_>, settings: impl FnOnce(&mut RelatedSettings)) -> (Code, String) {
        let error = call.set(settings).run().unwrap_err();
        (error.code, error.path)
    }

    #[test]
    fn hits_are_distinct_and_have_snapshots() {
        let graph = graph([memory("a").see_also(&["linked"])]);
        let refused = |hits: &[&str]| refusal(Call::new(&graph, hits), |_| {});
        assert_eq!(refused(&["a", "linked"]), (Code::SnapshotUnknown, "ids[1]".to_owned()));
        assert_eq!(refused(&["a", "a"]), (Code::ArgumentDuplicate, "ids[1]".to_owned()));
    }

    #[test]
    fn pairs_are_of_two_and_given_once_in_either_order() {
        let graph = graph(["a", "b"].map(memory));
        let refused = |pairs: &[(&str, &str, u64)]| refusal(Call::new(&graph, &["a"]).pairs(pairs), |_| {});
        assert_eq!(refused(&[("a", "b", 1), ("x", "x", 1)]), (Code::ArgumentValue, "pairs[1].b".to_owned()));
        assert_eq!(refused(&[("a", "b", 1), ("b", "a", 2)]), (Code::ArgumentDuplicate, "pairs[1]".to_owned()));
        assert_eq!(refused(&[("a", "b", (1 << 53) + 1)]), (Code::ArgumentRange, "pairs[0].n".to_owned()));
        assert!(Call::new(&graph, &["a"]).pairs(&[("a", "b", 1 << 53)]).run().is_ok());
    }

    #[test]
    fn settings_are_checked_with_their_full_path() {
        let graph = graph([memory("a")]);
        let refused = refusal(Call::new(&graph, &["a"]), |settings| settings.max = 65);
        assert_eq!(refused, (Code::ArgumentRange, "related_settings.max".to_owned()));
        let refused = refusal(Call::new(&graph, &["a"]), |s| s.relations = vec![Relation::SeeAlso; 2]);
        assert_eq!(refused, (Code::ArgumentDuplicate, "related_settings.relations[1]".to_owned()));
    }

    #[test]
    fn no_hits_give_nothing() {
        let graph = library();
        let answer = Call::new(&graph, &[]).pairs(&[("s", "friend", 4)]).run().unwrap();
        assert_eq!((answer.related.len(), answer.superseded.len()), (0, 0));
    }
}
