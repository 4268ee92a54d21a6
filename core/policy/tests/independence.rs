//! What the rules answer depends on the snapshots alone: not on the order in which they came and went, nor
//! on whether the graph grew step by step. Checked against the definitions, read word by word.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

use corecall_policy::{
    Entry, Graph, Heads, Neighbours, Pair, RelatedQuery, RelatedSettings, Relation, Row, Scope, Snapshot, conflicts,
    forget, related,
};
use corecall_types::Instant;
use proptest::prelude::*;

const IDS: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];
const TIMES: [&str; 4] = ["", "2026-01-01T00:00:00Z", "2026-01-01T02:00:00+02:00", "2026-01-02T00:00:00Z"];

type Memories = BTreeMap<String, Snapshot>;

fn id() -> impl Strategy<Value = String> {
    prop::sample::select(&IDS[..]).prop_map(str::to_owned)
}

fn ids() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(id(), 0..4)
}

prop_compose! {
    fn entry()(
        supersedes in prop_oneof![1 => Just(String::new()), 3 => id()],
        see_also in ids(),
        contradicts in ids(),
        derived_from in ids(),
        created_at in prop::sample::select(&TIMES[..]),
        project in prop::sample::select(&["p", "q"][..]),
        importance in prop::sample::select(&["important", "important", "trivial"][..]),
    ) -> Entry {
        Entry {
            supersedes,
            see_also,
            contradicts,
            derived_from,
            created_at: created_at.to_owned(),
            project: project.to_owned(),
            importance: importance.to_owned(),
            ..Entry::default()
        }
    }
}

prop_compose! {
    fn snapshot()(
        id in id(),
        deleted in prop::bool::weighted(0.3),
        recall_count in 0_u64..6,
        entry in prop::option::weighted(0.9, entry()),
    ) -> Snapshot {
        Snapshot { id, deleted, recall_count, entry, ..Snapshot::default() }
    }
}

#[derive(Clone, Debug)]
enum Step {
    Upsert(Box<Snapshot>),
    Remove(String),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![4 => snapshot().prop_map(|one| Step::Upsert(Box::new(one))), 1 => id().prop_map(Step::Remove)]
}

fn apply(steps: &[Step]) -> (Graph, Memories) {
    let mut graph = Graph::new();
    let mut memories = Memories::new();
    for step in steps {
        match step {
            Step::Upsert(snapshot) => {
                graph.upsert(snapshot);
                memories.insert(snapshot.id.clone(), (**snapshot).clone());
            }
            Step::Remove(id) => {
                assert_eq!(graph.remove(id).is_some(), memories.remove(id).is_some());
            }
        }
    }
    (graph, memories)
}

fn built<'m>(snapshots: impl Iterator<Item = &'m Snapshot>) -> Graph {
    let mut graph = Graph::new();
    for snapshot in snapshots {
        graph.upsert(snapshot);
    }
    graph
}

/// Everything a graph says of every id, by id.
fn picture(graph: &Graph) -> String {
    let mut text = String::new();
    let names = |rows: &mut dyn Iterator<Item = Row>| rows.map(|row| graph.id(row)).collect::<Vec<_>>().join(" ");
    for id in IDS {
        let row = graph.row(id);
        let own = row.map(|row| {
            let listed = [
                graph.see_also(row).collect::<Vec<_>>(),
                graph.contradicts(row).collect(),
                graph.derived_from(row).collect(),
            ];
            let flags = (graph.is_live(row), graph.is_trivial(row), graph.is_void(row), graph.recall_count(row));
            (graph.supersedes(row), flags, graph.created(row), graph.project(row), listed)
        });
        let incoming = [
            names(&mut graph.claimants(id)),
            names(&mut graph.live_claimants(id)),
            names(&mut graph.seen_by(id)),
            names(&mut graph.contradicted_by(id)),
            names(&mut graph.derivatives(id)),
        ];
        let heads = scopes().map(|scope| graph.head(id, &scope).map(|head| graph.id(head)));
        let revived = forget::plan(graph, id, false).map(|plan| names(&mut plan.revived.into_iter()));
        writeln!(text, "{id}: {own:?} {incoming:?} {heads:?} {revived:?}").expect("a text takes all");
    }
    let conflicts: Vec<_> =
        conflicts(graph).into_iter().map(|one| (one.target, names(&mut one.claimants.into_iter()))).collect();
    text + &format!("{} {conflicts:?}", graph.len())
}

fn scopes() -> [Scope; 3] {
    [None, Some("p"), Some("q")].map(|project| Scope { project: project.map(str::to_owned), ..Scope::default() })
}

/// The definitions of the contract, recursive and slow.
struct Naive<'m>(&'m Memories);

impl Naive<'_> {
    fn target(&self, id: &str) -> Option<&str> {
        let supersedes = self.0.get(id)?.entry.as_ref()?.supersedes.as_str();
        (!supersedes.is_empty() && supersedes != id).then_some(supersedes)
    }

    fn is_void(&self, id: &str) -> bool {
        let mut at = id;
        for _ in 0..=self.0.len() {
            match self.target(at) {
                Some(next) if next == id => return true,
                Some(next) => at = next,
                None => return false,
            }
        }
        false
    }

    fn eligible(&self, id: &str, scope: &Scope) -> bool {
        self.0.get(id).is_some_and(|one| {
            let agrees = |entry: &Entry| scope.project.as_ref().is_none_or(|project| *project == entry.project);
            !one.deleted && one.entry.as_ref().is_some_and(agrees)
        })
    }

    fn claimants(&self, id: &str) -> Vec<&str> {
        let claims = |one: &&Snapshot| self.target(&one.id) == Some(id) && !self.is_void(&one.id);
        let mut found: Vec<&Snapshot> = self.0.values().filter(claims).collect();
        found.sort_by_key(|one| {
            let created = one.entry.as_ref().and_then(|entry| Instant::parse(&entry.created_at));
            (one.deleted, Reverse(created), Reverse(&one.id))
        });
        found.into_iter().map(|one| one.id.as_str()).collect()
    }

    fn head(&self, id: &str, scope: &Scope) -> Option<String> {
        self.claimants(id).into_iter().find_map(|claimant| {
            self.head(claimant, scope).or_else(|| self.eligible(claimant, scope).then(|| claimant.to_owned()))
        })
    }

    /// What has no head any more once `id` is deleted, and is live.
    fn revived(&self, id: &str) -> Vec<String> {
        let mut after = self.0.clone();
        after.get_mut(id).expect("an id of the graph").deleted = true;
        let (after, scope) = (Naive(&after), Scope::default());
        let current = |one: &&String| {
            after.eligible(one, &scope) && self.head(one, &scope).is_some() && after.head(one, &scope).is_none()
        };
        self.0.keys().filter(current).cloned().collect()
    }
}

/// Every id has an angle of its own, some the same; one has none.
#[derive(Clone, Copy)]
struct Angles<'g>(&'g Graph);

impl Angles<'_> {
    fn degrees(self, row: Row) -> Option<i32> {
        let place = IDS.iter().position(|id| *id == self.0.id(row))?;
        [Some(0), Some(10), Some(20), Some(10), None, Some(70), Some(-10), Some(25)][place]
    }
}

impl Neighbours for Angles<'_> {
    fn has_vector(&self, row: Row) -> bool {
        self.degrees(row).is_some()
    }

    fn nearest(
        &self,
        seeds: &[Row],
        min_cos: f64,
        limit: usize,
        allowed: &dyn Fn(Row) -> bool,
        order: &dyn Fn(Row, Row) -> Ordering,
    ) -> Vec<Vec<(Row, f64)>> {
        let of_seed = |seed: Row| {
            let from = self.degrees(seed).expect("seeds have vectors");
            let others = self.0.rows().filter(|row| *row != seed && allowed(*row));
            let cosine = |row: Row| Some((row, f64::from(self.degrees(row)? - from).to_radians().cos()));
            let mut near: Vec<_> = others.filter_map(cosine).filter(|(_, cosine)| *cosine >= min_cos).collect();
            near.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| order(a.0, b.0)));
            near.truncate(limit);
            near
        };
        seeds.iter().map(|seed| of_seed(*seed)).collect()
    }
}

prop_compose! {
    fn settings()(
        max in 0_u32..9,
        per_source in 0_u32..5,
        pair_min in 1_u64..4,
        min_cos in prop::sample::select(&[-1.0, 0.5, 0.9, 1.0][..]),
        knn_seeds in 0_u32..4,
        knn_per in 0_u32..4,
        relations in prop::sample::subsequence(Relation::ALL.to_vec(), 0..=8),
        explain in any::<bool>(),
    ) -> RelatedSettings {
        let min_cos = Some(min_cos);
        RelatedSettings { enabled: true, max, per_source, pair_min, min_cos, knn_seeds, knn_per, relations, explain }
    }
}

/// Each pair of ids at most once, with its count.
fn pairs() -> impl Strategy<Value = Vec<Pair>> {
    let all: Vec<(&str, &str)> =
        IDS.iter().enumerate().flat_map(|(place, a)| IDS[..place].iter().map(move |b| (*a, *b))).collect();
    let some = prop::sample::subsequence(all, 0..12);
    (some, prop::collection::vec(0_u64..6, 12)).prop_map(|(pairs, counts)| {
        let pair = |((a, b), n): ((&str, &str), u64)| Pair { a: a.to_owned(), b: b.to_owned(), n };
        pairs.into_iter().zip(counts).map(pair).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_graph_grown_step_by_step_equals_one_built_at_once(
        steps in prop::collection::vec(step(), 0..40),
        shuffle in any::<prop::sample::Index>(),
    ) {
        let (grown, memories) = apply(&steps);
        let fresh = built(memories.values());
        let turn = if memories.is_empty() { 0 } else { shuffle.index(memories.len()) };
        let turned = built(memories.values().rev().cycle().skip(turn).take(memories.len()));
        let expected = picture(&fresh);
        prop_assert_eq!(&picture(&grown), &expected);
        prop_assert_eq!(&picture(&turned), &expected);
    }

    #[test]
    fn void_edges_claimants_heads_and_revivals_are_what_the_contract_defines(
        steps in prop::collection::vec(step(), 0..40),
    ) {
        let (graph, memories) = apply(&steps);
        let naive = Naive(&memories);
        for id in memories.keys() {
            let row = graph.row(id).expect("it was put in");
            prop_assert_eq!(graph.is_void(row), naive.is_void(id), "{}", id);
            if !memories[id].deleted {
                let plan = forget::plan(&graph, id, false).expect("it is there");
                let revived: Vec<_> = plan.revived.iter().map(|row| graph.id(*row).to_owned()).collect();
                prop_assert_eq!(revived, naive.revived(id), "{}", id);
            }
        }
        for scope in scopes() {
            let heads = Heads::new(&graph, &scope);
            for id in IDS {
                let claimants: Vec<_> = graph.claimants(id).map(|row| graph.id(row)).collect();
                prop_assert_eq!(claimants, naive.claimants(id), "{}", id);
                let expected = naive.head(id, &scope);
                prop_assert_eq!(graph.head(id, &scope).map(|row| graph.id(row).to_owned()), expected.clone(), "{}", id);
                if let Some(row) = graph.row(id) {
                    prop_assert_eq!(heads.eligible(row), naive.eligible(id, &scope), "{}", id);
                    prop_assert_eq!(heads.of(row).map(|row| graph.id(row).to_owned()), expected, "{}", id);
                }
            }
        }
    }

    #[test]
    fn associations_depend_on_neither_order_nor_explanation_and_budgets_are_hard(
        steps in prop::collection::vec(step(), 0..40),
        settings in settings(),
        pairs in pairs(),
        hits in prop::sample::subsequence(IDS.to_vec(), 0..=4).prop_shuffle(),
        project in prop::option::of(prop::sample::select(&["p", "q"][..])),
    ) {
        let (grown, memories) = apply(&steps);
        let fresh = built(memories.values().rev());
        let hits: Vec<String> = hits.into_iter().filter(|id| memories.contains_key(*id)).map(str::to_owned).collect();
        let scope = Scope { project: project.map(str::to_owned), ..Scope::default() };
        let min_cos = settings.min_cos.expect("always given here");
        let query = RelatedQuery { scope: &scope, hits: &hits, pairs: &pairs, settings: &settings, min_cos, recall_counts: None };
        let answer = related(&grown, &query, &Angles(&grown)).expect("the query is valid");

        let backwards: Vec<Pair> =
            pairs.iter().rev().map(|pair| Pair { a: pair.b.clone(), b: pair.a.clone(), n: pair.n }).collect();
        let turned = RelatedQuery { pairs: &backwards, ..query };
        prop_assert_eq!(&related(&fresh, &turned, &Angles(&fresh)).expect("the query is valid"), &answer);

        let other = RelatedSettings { explain: !settings.explain, ..settings.clone() };
        let explained = related(&grown, &RelatedQuery { settings: &other, ..query }, &Angles(&grown));
        let explained = explained.expect("the query is valid");
        prop_assert_eq!(&explained.related, &answer.related);
        prop_assert_eq!(&explained.superseded, &answer.superseded);
        let ledger = answer.ledger.as_ref().or(explained.ledger.as_ref()).expect("one of the two explains");
        prop_assert_eq!(ledger.returned, answer.related.len() as u64);
        let dropped = ledger.considered - ledger.returned;
        prop_assert_eq!(ledger.dropped.len() as u64, dropped.min(64));

        prop_assert!(answer.related.len() <= settings.max as usize);
        let mut shown = HashSet::new();
        for one in &answer.related {
            let brought = answer.related.iter().filter(|other| other.source_id == one.source_id).count();
            prop_assert!(brought <= settings.per_source as usize);
            prop_assert!(shown.insert(&one.id) && !hits.contains(&one.id));
            prop_assert!(grown.eligible(grown.row(&one.id).expect("shown"), &scope));
        }
        let naive = Naive(&memories);
        let hints: Vec<_> = hits.iter().filter_map(|hit| Some((hit.clone(), naive.head(hit, &scope)?))).collect();
        prop_assert_eq!(&answer.superseded, &hints);
    }
}
