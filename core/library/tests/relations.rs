//! One graph, four kinds of edge, each listed once with its time.

mod support;

use corecall_library::{Direction, Forget, RelationKind, RelationRow, Relations, Remember};
use corecall_types::Task;
use support::{TestLibrary, payload, remember};

fn asked(id: &str) -> Relations {
    Relations { id: id.to_owned(), kind: None, direction: Direction::Both, limit: 100, cursor: None }
}

fn rows(test: &TestLibrary, request: &Relations) -> Vec<RelationRow> {
    let page = test.library.relations(&Task::new(), request).unwrap();
    assert_eq!(page.next_cursor, None);
    page.relations
}

/// A memory with an edge of every kind, and one that links it.
fn star(test: &TestLibrary) -> [String; 6] {
    let [old, linked, disputed, source] =
        ["old value", "linked note", "disputed claim", "raw source"].map(|content| test.write(content));
    let centre = test.created(&Remember {
        supersedes: Some(old.clone()),
        see_also: vec![linked.clone()],
        contradicts: vec![disputed.clone()],
        derived_from: vec![source.clone()],
        device: "laptop".into(),
        ..remember("centre of it all")
    });
    let admirer = test.created(&Remember {
        see_also: vec![centre.clone()],
        derived_from: vec![centre.clone()],
        ..remember("an admirer")
    });
    [old, linked, disputed, source, centre, admirer]
}

#[test]
fn every_edge_is_listed_once_from_either_end() {
    let test = TestLibrary::new("none");
    let [old, linked, disputed, source, centre, admirer] = star(&test);
    let triples = |rows: &[RelationRow]| {
        let triple = |row: &RelationRow| (row.kind, row.source_id.clone(), row.target_id.clone());
        assert!(rows.iter().all(|row| row.active));
        rows.iter().map(triple).collect::<Vec<_>>()
    };
    let of_centre = rows(&test, &asked(&centre));
    assert_eq!(
        triples(&of_centre),
        [
            (RelationKind::Supersedes, centre.clone(), old.clone()),
            (RelationKind::SeeAlso, centre.clone(), linked.clone()),
            (RelationKind::SeeAlso, admirer.clone(), centre.clone()),
            (RelationKind::Contradicts, centre.clone(), disputed.clone()),
            (RelationKind::DerivedFrom, centre.clone(), source.clone()),
            (RelationKind::DerivedFrom, admirer.clone(), centre.clone()),
        ]
    );
    // The same triples with the same times from the other ends.
    for other in [&old, &linked, &disputed, &source, &admirer] {
        let there = rows(&test, &asked(other));
        assert!(!there.is_empty() && there.iter().all(|row| of_centre.contains(row)), "{there:?}");
    }
    let stamps = payload(&test.path(), &centre)["edges"].clone();
    assert_eq!(stamps[0]["added_at"], of_centre[0].created_at.as_str());
    assert_eq!((stamps[0]["device"].as_str(), stamps.as_array().unwrap().len()), (Some("laptop"), 4));
}

#[test]
fn kind_and_direction_choose() {
    let test = TestLibrary::new("none");
    let [.., centre, admirer] = star(&test);
    let count = |kind, direction| rows(&test, &Relations { kind, direction, ..asked(&centre) }).len();
    assert_eq!(count(None, Direction::Outgoing), 5);
    assert_eq!(count(None, Direction::Incoming), 3);
    assert_eq!(count(Some(RelationKind::SeeAlso), Direction::Incoming), 2);
    assert_eq!(count(Some(RelationKind::DerivedFrom), Direction::Outgoing), 1);
    let incoming =
        Relations { direction: Direction::Incoming, kind: Some(RelationKind::DerivedFrom), ..asked(&centre) };
    assert_eq!(rows(&test, &incoming)[0].source_id, admirer);
}

#[test]
fn pages_join_to_the_whole_while_others_write() {
    let test = TestLibrary::new("none");
    let hub = test.write("hub");
    for n in 0..25 {
        test.created(&Remember { see_also: vec![hub.clone()], ..remember(&format!("spoke {n}")) });
    }
    let whole = rows(&test, &asked(&hub));
    let mut request = Relations { limit: 10, ..asked(&hub) };
    let mut joined = Vec::new();
    loop {
        let page = test.library.relations(&Task::new(), &request).unwrap();
        assert!(page.relations.len() <= 10);
        joined.extend(page.relations);
        let Some(cursor) = page.next_cursor else { break };
        request.cursor = Some(cursor);
        if joined.len() == 10 {
            test.write("meanwhile");
        }
    }
    assert_eq!((joined.len(), &joined), (25, &whole));
}

#[test]
fn edges_of_the_forgotten_are_kept_and_inactive() {
    let test = TestLibrary::new("none");
    let [old, .., centre, _] = star(&test);
    test.library.forget(&Task::new(), &Forget { id: old.clone(), ..Forget::default() }).unwrap();
    let replaced = &rows(&test, &asked(&centre))[0];
    assert_eq!((replaced.target_id.as_str(), replaced.active), (old.as_str(), false));
    assert!(rows(&test, &asked(&old)).iter().all(|row| !row.active));
    assert!(rows(&test, &asked(&centre))[1..].iter().all(|row| row.active));
}

#[test]
fn related_to_is_another_name_of_see_also() {
    let request: Relations = serde_json::from_str(r#"{"id":"a","type":"related_to"}"#).unwrap();
    assert_eq!((request.kind, request.limit), (Some(RelationKind::SeeAlso), 100));
    assert!(serde_json::from_str::<Relations>(r#"{"id":"a","type":"likes"}"#).is_err());
}

#[test]
fn mirroring_touches_relation_fields_only() {
    let test = TestLibrary::new(support::TEST_HASH);
    let old = test.created(&Remember {
        tags: vec!["t".into()],
        user: "ann".into(),
        device: "phone".into(),
        ..remember("old value")
    });
    let before = payload(&test.path(), &old);
    let index_data = |id: &str| -> Vec<u8> {
        let connection = rusqlite::Connection::open(test.path()).unwrap();
        connection.query_row("SELECT index_data FROM memories WHERE id = ?1", [id], |row| row.get(0)).unwrap()
    };
    let vector = index_data(&old);
    let request = Remember { supersedes: Some(old.clone()), device: "laptop".into(), ..remember("new value") };
    let new = test.created(&Remember { see_also: vec![old.clone()], ..request });
    let mut after = payload(&test.path(), &old);
    assert_eq!((&after["superseded_by"], &after["see_also"][0]), (&new.clone().into(), &new.into()));
    assert_eq!(after["modified_by"], "laptop");
    assert!(after["updated_at"].as_str() > before["updated_at"].as_str());
    assert_eq!(index_data(&old), vector);
    let fields = after.as_object_mut().unwrap();
    fields.retain(|name, _| !["superseded_by", "see_also", "modified_by", "updated_at"].contains(&name.as_str()));
    let mut rest = before.clone();
    rest.as_object_mut().unwrap().retain(|name, _| !["modified_by", "updated_at"].contains(&name.as_str()));
    assert_eq!(after, rest);
    assert_eq!(after["content_at"], before["created_at"]);
}

#[test]
fn a_clock_that_went_back_makes_no_older_change() {
    let test = TestLibrary::new("none");
    let old = test.write("old value");
    let before = payload(&test.path(), &old)["updated_at"].clone();
    test.sources.set_unix_millis(0);
    let new = test.created(&Remember { supersedes: Some(old.clone()), ..remember("new value") });
    let after = payload(&test.path(), &old);
    assert!(after["updated_at"].as_str() > before.as_str());
    assert!(payload(&test.path(), &new)["created_at"].as_str() >= before.as_str());
    assert!(new > old);
}
