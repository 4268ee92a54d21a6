//! Associations stand under the hits and never change them; replaced memories are marked or hidden.

mod support;

use corecall_library::{Recall, Remember, Superseded};
use corecall_policy::Relation;
use support::{TEST_HASH, TestLibrary, ids, recall, remember};

fn replacing(old: &str, content: &str) -> Remember {
    Remember { supersedes: Some(old.to_owned()), ..remember(content) }
}

#[test]
fn recall_after_a_supersede_names_the_new_version() {
    let test = TestLibrary::new(TEST_HASH);
    let old = test.write("The retry limit of the importer is three");
    let new = test.created(&replacing(&old, "Imports give up after five attempts"));
    let recalled = test.recall_by(&Recall { limit: 1, ..recall("retry limit importer three") });
    assert_eq!(ids(&recalled), [old.as_str()]);
    assert_eq!(recalled.hits[0].superseded_by.as_deref(), Some(new.as_str()));
    let first = &recalled.related[0];
    assert_eq!((first.id.as_str(), first.source_id.as_str(), first.relation), (&*new, &*old, Relation::NewVersion));
    assert_eq!(first.title, "Imports give up after five attempts");
    assert_eq!((recalled.summary.hits, recalled.summary.associations), (1, recalled.related.len()));

    let recalled = test.recall_by(&Recall { limit: 1, ..recall("imports give up attempts") });
    assert_eq!((ids(&recalled), recalled.hits[0].superseded_by.as_deref()), (vec![new.as_str()], None));
    assert_eq!((recalled.related[0].id.as_str(), recalled.related[0].relation), (&*old, Relation::OldVersion));
}

#[test]
fn hits_and_scores_are_the_same_whatever_is_asked_of_associations() {
    let test = TestLibrary::new(TEST_HASH);
    let mut last = test.write("cache expiry is one minute, step 0");
    for step in 1..12 {
        let see_also = if step % 3 == 0 { vec![last.clone()] } else { Vec::new() };
        let supersedes = (step % 3 == 1).then(|| last.clone());
        let content = format!("cache expiry and queue length, step {step}");
        last = test.created(&Remember { see_also, supersedes, force: true, ..remember(&content) });
    }
    for round in 0..3 {
        test.recall(&format!("cache expiry {round}"));
        test.flush();
    }
    let base = Recall { limit: 6, explain: true, ..recall("cache expiry step") };
    let on = test.recall_by(&base);
    assert!(!on.related.is_empty());
    let digest = on.primary_digest.clone().unwrap();
    assert_eq!(digest.len(), 64);
    let mut off = base.clone();
    off.related_settings.enabled = false;
    let mut wide = base.clone();
    wide.related_settings.max = 64;
    wide.related_settings.per_source = 64;
    wide.related_settings.relations = Relation::ALL.to_vec();
    wide.related_settings.min_cos = Some(-1.0);
    let none = Recall { no_related: true, ..base.clone() };
    for other in [off, wide, none] {
        let other = test.recall_by(&other);
        assert_eq!(ids(&other), ids(&on));
        assert_eq!(other.primary_digest.as_ref(), Some(&digest));
    }
    let plain = test.recall_by(&Recall { explain: false, ..base });
    assert_eq!((plain.primary_digest, plain.ledger.is_none(), plain.related), (None, true, on.related));
}

#[test]
fn the_digest_is_that_of_ids_and_score_bits() {
    let test = TestLibrary::new("none");
    let recalled = test.recall_by(&Recall { explain: true, ..recall("nothing") });
    // SHA-256 of the two bytes `[]`.
    let empty = "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945";
    assert_eq!(recalled.primary_digest.as_deref(), Some(empty));
    test.write("a lone heron");
    let recalled = test.recall_by(&Recall { explain: true, ..recall("heron") });
    let hit = &recalled.hits[0];
    let json = format!("[[\"{}\",\"{:016x}\"]]", hit.id, hit.score.to_bits());
    let digest = <sha2::Sha256 as sha2::Digest>::digest(json);
    assert_eq!(recalled.primary_digest, Some(format!("{digest:x}")));
}

#[test]
fn hide_leaves_replaced_hits_out_and_refills() {
    let test = TestLibrary::new("none");
    let olds: Vec<String> = (0..4).map(|n| test.write(&format!("badger badger badger sighting {n}"))).collect();
    let others: Vec<String> =
        (0..3).map(|n| test.write(&format!("one badger among many other things, day {n}"))).collect();
    for old in &olds {
        test.created(&replacing(old, "It was a fox"));
    }
    let marked = test.recall_by(&Recall { limit: 3, ..recall("badger") });
    assert!(marked.hits.iter().all(|hit| olds.contains(&hit.id) && hit.superseded_by.is_some()));
    for no_related in [false, true] {
        let superseded = Superseded::Hide;
        let hidden = test.recall_by(&Recall { limit: 3, superseded, no_related, ..recall("badger") });
        let mut found = ids(&hidden);
        found.sort_unstable();
        assert_eq!(found, others, "no_related: {no_related}");
    }
}

#[test]
fn hide_keeps_a_hit_whose_replacement_is_out_of_scope() {
    let test = TestLibrary::new("none");
    let old = test.created(&Remember { project: "a".into(), ..remember("badger in project a") });
    test.created(&Remember { project: "b".into(), ..replacing(&old, "badger moved to project b") });
    let hide = Recall { superseded: Superseded::Hide, project: Some("a".into()), ..recall("badger") };
    let hidden = test.recall_by(&hide);
    assert_eq!((ids(&hidden), &hidden.hits[0].superseded_by), (vec![old.as_str()], &None));
}

#[test]
fn no_related_silences_associations_and_hints() {
    let test = TestLibrary::new("none");
    let old = test.write("badger count is four");
    test.created(&replacing(&old, "It is five now"));
    for tags in [None, Some(vec!["x".to_owned()])] {
        let quiet = test.recall_by(&Recall { no_related: true, tags, explain: true, ..recall("badger") });
        assert!(quiet.related.is_empty() && quiet.hits.iter().all(|hit| hit.superseded_by.is_none()));
        assert_eq!(quiet.ledger.unwrap().considered, 0);
    }
}

#[test]
fn metadata_filters_give_no_associations_but_hints() {
    let test = TestLibrary::new("none");
    let tagged = Remember { tags: vec!["zoo".into(), "night".into()], ..remember("badger count is four") };
    let old = test.created(&tagged);
    let new = test.created(&replacing(&old, "It is five now"));
    let tag = |tags: &[&str]| Some(tags.iter().map(ToString::to_string).collect::<Vec<_>>());
    let cases = [
        (Recall { tags: tag(&["zoo"]), ..recall("badger") }, true),
        (Recall { tags: tag(&["night", "zoo"]), ..recall("badger") }, true),
        (Recall { tags: tag(&["zoo", "day"]), ..recall("badger") }, false),
        (Recall { since: Some("2026-03-01T00:00:00Z".into()), ..recall("badger") }, true),
        (Recall { since: Some("2026-03-01T01:00:00Z".into()), ..recall("badger") }, false),
        (Recall { until: Some("2026-03-01T01:00:00+00:00".into()), ..recall("badger") }, true),
        (Recall { until: Some("2026-03-01T00:00:00Z".into()), ..recall("badger") }, false),
    ];
    for (request, found) in cases {
        let recalled = test.recall_by(&request);
        assert_eq!(!recalled.hits.is_empty(), found, "{request:?}");
        assert!(recalled.related.is_empty());
        assert!(recalled.hits.iter().all(|hit| hit.superseded_by.as_ref() == Some(&new)));
    }
    // Scope is no metadata, and no filter at all neither.
    for request in [
        Recall { kind: Some("knowledge".into()), ..recall("badger") },
        Recall { tags: Some(Vec::new()), ..recall("badger") },
    ] {
        assert!(!test.recall_by(&request).related.is_empty());
    }
}

#[test]
fn the_ledger_accounts_for_every_candidate() {
    let test = TestLibrary::new("none");
    let old = test.write("badger count is four");
    let new = test.created(&replacing(&old, "It is five now"));
    let mut request = Recall { explain: true, ..recall("badger") };
    request.related_settings.max = 0;
    let ledger = test.recall_by(&request).ledger.unwrap();
    request.explain = false;
    request.related_settings.explain = true;
    assert_eq!(test.recall_by(&request).ledger.as_ref(), Some(&ledger));
    assert_eq!((ledger.considered, ledger.returned, ledger.dropped.len()), (1, 0, 1));
    assert_eq!(ledger.dropped[0].id, new);
}

#[test]
fn diary_lines_are_hits_only_when_no_main_memory_is() {
    let test = TestLibrary::new(TEST_HASH);
    let diary = Remember { importance: "trivial".into(), ..remember("otter otter otter at the river") };
    let diary = test.created(&diary);
    assert_eq!(ids(&test.recall("otter")), [diary.as_str()]);
    let main = test.write("An otter lives below the bridge");
    assert_eq!(ids(&test.recall("otter")), [main.as_str()]);
}
