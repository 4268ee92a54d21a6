//! The stateless operations over sets of snapshots: a change is whole or refused, a set answers as a call does.

mod support;

use corecall_library::{
    Indexed, Prepare, Publish, RankQuery, RelatedBusiness, RememberCandidates, ResidentSet, Vectors, prepare, query,
    related_business, remember_candidates,
};
use corecall_policy::{Entry, Snapshot};
use corecall_types::{Code, Result, Task};
use serde_json::json;
use support::refused;

fn snapshot(id: &str, content: &str) -> Indexed {
    let entry = Entry { id: id.into(), content: content.into(), title: id.into(), ..Entry::default() };
    Indexed { snapshot: Snapshot { id: id.into(), entry: Some(entry), ..Snapshot::default() }, artifact: None }
}

fn publish(snapshots: Vec<Indexed>) -> Publish {
    Publish { snapshots, ..Publish::default() }
}

fn vectors(ids: &[&str], dims: usize, data: &[f32]) -> Vectors {
    Vectors { ids: ids.iter().map(ToString::to_string).collect(), data: data.to_vec(), dims }
}

fn set(model: &str, change: Publish) -> Result<ResidentSet> {
    ResidentSet::of(model, change, &Task::new())
}

fn hits(set: &ResidentSet, text: &str, vector: Option<&[f32]>) -> Vec<String> {
    let request: RankQuery = serde_json::from_value(json!({"text": text, "limit": 10})).unwrap();
    let hits = query(set, &request, vector, &Task::new()).unwrap().hits;
    hits.into_iter().map(|hit| hit.id).collect()
}

fn artifact(model: &str, id: &str, content: &str) -> Vec<u8> {
    let request = json!({"model": model, "entries": [{"id": id, "title": id, "content": content}]});
    let request: Prepare = serde_json::from_value(request).unwrap();
    prepare(&request, &Task::new()).unwrap().remove(0).artifact
}

#[test]
fn a_refused_change_leaves_the_set_as_it_was() {
    let mut set = set(
        "host:h",
        Publish { vectors: Some(vectors(&["a"], 2, &[1.0, 0.0])), ..publish(vec![snapshot("a", "lynx")]) },
    )
    .unwrap();
    let two = || vec![snapshot("b", "bobcat"), snapshot("c", "caracal")];
    let removed = |ids: &[&str]| ids.iter().map(ToString::to_string).collect::<Vec<_>>();
    let mut other_entry = two();
    other_entry[1].snapshot.entry.as_mut().unwrap().id = "d".into();
    let mut with_artifact = two();
    with_artifact[0].artifact = Some(vec![1]);
    let cases = [
        (publish(vec![snapshot("", "x")]), Code::ArgumentRange, "snapshots[0].id"),
        (publish(vec![snapshot(&"x".repeat(257), "x")]), Code::ArgumentRange, "snapshots[0].id"),
        (publish(vec![snapshot("b", "x"), snapshot("b", "y")]), Code::ArgumentDuplicate, "snapshots[1].id"),
        (publish(other_entry), Code::ArgumentConflict, "snapshots[1].entry.id"),
        (publish(with_artifact), Code::ArgumentConflict, "snapshots[0].features"),
        (Publish { removed: removed(&["a", "a"]), ..publish(two()) }, Code::ArgumentDuplicate, "removed[1]"),
        (Publish { removed: removed(&["a", "b"]), ..publish(two()) }, Code::ArgumentConflict, "removed[1]"),
        (Publish { removed: removed(&["a", "x"]), ..publish(two()) }, Code::ArgumentValue, "removed[1]"),
        (
            Publish { vectors: Some(vectors(&["b", "a"], 1, &[1.0; 2])), ..publish(two()) },
            Code::ArgumentValue,
            "vectors.ids[1]",
        ),
        (
            Publish { vectors: Some(vectors(&["b", "b"], 1, &[1.0; 2])), ..publish(two()) },
            Code::ArgumentDuplicate,
            "vectors.ids[1]",
        ),
        (
            Publish { vectors: Some(vectors(&["b"], 2, &[1.0; 3])), ..publish(two()) },
            Code::AttachmentShape,
            "vectors.data",
        ),
        (Publish { vectors: Some(vectors(&["b"], 0, &[])), ..publish(two()) }, Code::ArgumentRange, "vectors.data"),
        (Publish { vectors: Some(vectors(&["b"], 2, &[0.0; 2])), ..publish(two()) }, Code::VectorZero, "vectors.data"),
        (
            Publish { vectors: Some(vectors(&["b"], 3, &[1.0; 3])), ..publish(two()) },
            Code::VectorDimension,
            "vectors.data",
        ),
    ];
    for (change, code, path) in cases {
        assert_eq!(refused(set.publish(change, &Task::new())), (code, path.to_owned()));
        assert_eq!((set.len(), hits(&set, "lynx bobcat caracal", Some(&[1.0, 0.0]))), (1, vec!["a".to_owned()]));
    }
    let cancelled = Task::new();
    cancelled.cancel();
    assert_eq!(refused(set.publish(publish(two()), &cancelled)).0, Code::CallCancelled);
    assert_eq!(set.len(), 1);
}

#[test]
fn changes_add_replace_and_remove() {
    let mut set = set("none", publish(vec![snapshot("a", "lynx"), snapshot("b", "lynx bobcat")])).unwrap();
    let before = set.clone();
    let removed = vec!["a".to_owned()];
    let change = Publish { removed, ..publish(vec![snapshot("b", "caracal"), snapshot("c", "lynx")]) };
    set.publish(change, &Task::new()).unwrap();
    assert_eq!((set.len(), hits(&set, "lynx", None), hits(&set, "bobcat", None)), (2, vec!["c".into()], vec![]));
    assert_eq!(hits(&set, "caracal", None), ["b"]);
    // The clone keeps what it was.
    assert_eq!((before.len(), hits(&before, "bobcat", None)), (2, vec!["b".to_owned()]));
    assert_eq!(refused(set.check_model("host:x")), (Code::ModelMismatch, "model".into()));
    set.check_model("none").unwrap();
    assert_eq!(format!("{set:?}"), "ResidentSet { model: \"none\", len: 2 }");
}

#[test]
fn a_new_dimension_may_replace_every_old_vector() {
    let of = |dims, data: &[f32]| Publish {
        vectors: Some(vectors(&["a", "b"], dims, data)),
        ..publish(vec![snapshot("a", ""), snapshot("b", "")])
    };
    let mut set = set("host:h", of(2, &[1.0, 0.0, 0.0, 1.0])).unwrap();
    set.publish(of(3, &[1.0, 0.0, 0.0, 0.0, 0.0, 1.0]), &Task::new()).unwrap();
    assert_eq!(hits(&set, "", Some(&[0.0, 0.0, 1.0])), ["b"]);
    // Without a new vector a replaced snapshot has none.
    set.publish(publish(vec![snapshot("b", "")]), &Task::new()).unwrap();
    assert!(hits(&set, "", Some(&[0.0, 0.0, 1.0])).is_empty());
}

#[test]
fn artifacts_of_prepare_are_what_a_set_takes() {
    let model = "test-hash:32";
    let with =
        |id: &str, content: &str| Indexed { artifact: Some(artifact(model, id, content)), ..snapshot(id, content) };
    let set = set(model, publish(vec![with("a", "lynx in the forest"), with("b", "quarterly budget")])).unwrap();
    assert_eq!(hits(&set, "lynx in the forest", None)[0], "a");
    let request = json!({"query": {"text": "x", "limit": 5}, "ids": ["a"], "pairs": [],
        "related_settings": {"relations": ["neighbor"], "min_cos": -1}});
    let request: RelatedBusiness = serde_json::from_value(request).unwrap();
    let related = related_business(&set, &request).unwrap();
    assert_eq!(
        serde_json::to_value(&related).unwrap(),
        json!({"related": [
        {"id": "b", "title": "b", "source_id": "a", "relation": "neighbor"}], "superseded": {}})
    );

    let refusal = |model: &str| refused(self::set(model, publish(vec![with("a", "lynx")])));
    assert_eq!(refusal("test-hash:16"), (Code::ModelMismatch, "snapshots[0].features.artifact".into()));
    assert_eq!(refusal("none"), (Code::ModelMismatch, "snapshots[0].features.artifact".into()));
    let damaged = Indexed { artifact: Some(vec![1, 2, 3]), ..snapshot("a", "lynx") };
    let refusal = refused(self::set(model, publish(vec![damaged])));
    assert_eq!(refusal, (Code::ArtifactInvalid, "snapshots[0].features.artifact".into()));
    let given = Publish { vectors: Some(vectors(&["a"], 2, &[1.0, 0.0])), ..publish(vec![with("a", "lynx")]) };
    assert_eq!(refused(self::set(model, given)), (Code::ArgumentConflict, "vectors".into()));
    assert_eq!(refused(ResidentSet::new("gpt")), (Code::ModelUnknown, "model".into()));
}

#[test]
fn prepare_refuses_models_that_make_no_vectors() {
    let refusal = |model: &str, entries| {
        let request: Prepare = serde_json::from_value(json!({"model": model, "entries": entries})).unwrap();
        refused(prepare(&request, &Task::new()))
    };
    for model in ["none", "host:mine", "gpt"] {
        assert_eq!(refusal(model, json!([])), (Code::ModelUnknown, "model".into()));
    }
    let twice = json!([{"id": "a", "content": "x"}, {"id": "a", "title": null, "content": "y", "tags": ["t"]}]);
    assert_eq!(refusal("test-hash:8", twice), (Code::ArgumentDuplicate, "entries[1].id".into()));
}

#[test]
fn query_checks_its_limit_and_vector() {
    let set = set(
        "host:h",
        Publish { vectors: Some(vectors(&["a"], 2, &[1.0, 0.0])), ..publish(vec![snapshot("a", "lynx")]) },
    )
    .unwrap();
    let ask = |limit: u32, vector: &[f32]| {
        let request: RankQuery = serde_json::from_value(json!({"text": "x", "limit": limit, "kind": null})).unwrap();
        query(&set, &request, Some(vector), &Task::new())
    };
    assert_eq!(ask(1, &[1.0, 0.1]).unwrap().hits.len(), 1);
    assert_eq!(refused(ask(0, &[1.0, 0.1])), (Code::ArgumentRange, "query.limit".into()));
    assert_eq!(refused(ask(1, &[1.0])), (Code::VectorDimension, "query_vector".into()));
    assert_eq!(refused(ask(1, &[0.0, 0.0])), (Code::VectorZero, "query_vector".into()));
}

#[test]
fn candidates_name_repeats_but_never_the_entry_itself() {
    let text = "The nightly backup of the database runs at two and keeps seven copies";
    let mut gone = snapshot("gone", text);
    gone.snapshot.deleted = true;
    let mut diary = snapshot("diary", text);
    diary.snapshot.entry.as_mut().unwrap().importance = "trivial".into();
    let set = set("none", publish(vec![snapshot("a", text), snapshot("b", "penguins"), gone, diary])).unwrap();
    let ask = |entry| {
        let request: RememberCandidates = serde_json::from_value(json!({"entry": entry})).unwrap();
        let candidates = remember_candidates(&set, &request, None, &Task::new()).unwrap();
        serde_json::to_value(&candidates).unwrap()
    };
    let a = json!([{"id": "a", "title": "a"}]);
    assert_eq!(ask(json!({"title": "a", "content": text})), json!({"merge": a, "parent": []}));
    let other_number = text.replace("seven", "9");
    assert_eq!(ask(json!({"title": "a", "content": other_number})), json!({"merge": [], "parent": a}));
    assert_eq!(ask(json!({"id": "a", "title": "a", "content": text})), json!({"merge": [], "parent": []}));
}
