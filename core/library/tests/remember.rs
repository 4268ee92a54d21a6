//! What `remember` stores, proposes and finds again.

mod support;

use corecall_library::{Forget, Remember, Show};
use corecall_types::{Code, Task};
use support::{TEST_HASH, TestLibrary, ids, payload, recall, refused, remember, remembered};

fn show(test: &TestLibrary, id: &str) -> corecall_library::Shown {
    test.library.show(&Task::new(), &Show { id: id.to_owned() }).unwrap()
}

#[test]
fn any_text_comes_back_as_it_was() {
    let test = TestLibrary::new(TEST_HASH);
    let texts = [
        "NUL \0 inside".to_owned(),
        "line\u{2028}separator\u{2029}and\r\nreturn".to_owned(),
        "决定：改用 SQLite；不再使用文件".to_owned(),
        "👩‍👩‍👧‍👦 family, e\u{301} combining, \u{202e}override".to_owned(),
        " \t\n ".to_owned(),
        "\"quotes\" and \\ backslashes </script>".to_owned(),
        "x".repeat(1 << 20),
    ];
    for text in texts {
        let id = test.write(&text);
        assert_eq!(show(&test, &id).entry.content, text);
    }
}

#[test]
fn a_new_memory_has_one_time_and_an_id_of_it() {
    let test = TestLibrary::new("none");
    let request = Remember {
        title: None,
        tags: vec!["b".into(), "a".into(), "b".into()],
        device: "laptop".into(),
        ..remember("\n  First line with a fact \nand more\n")
    };
    let id = test.created(&request);
    let entry = show(&test, &id).entry;
    assert_eq!(entry.title, "First line with a fact");
    assert_eq!(entry.tags, ["b", "a"]);
    assert_eq!((entry.kind.as_str(), entry.importance.as_str(), entry.emotion), ("knowledge", "important", -1));
    assert_eq!((entry.device.as_str(), entry.modified_by.as_str()), ("laptop", "laptop"));
    assert_eq!(entry.created_at, entry.updated_at);
    let millis = i64::from_str_radix(&id.replace('-', "")[..12], 16).unwrap();
    let instant = corecall_types::Instant::parse(&entry.created_at).unwrap();
    assert_eq!(instant.unix_millis(), millis);
    let stored = payload(&test.path(), &id);
    assert_eq!(stored["content_at"], stored["created_at"]);
    let absent = ["user", "project", "emotion", "parent_id", "see_also", "supersedes", "edges", "deleted_at"];
    assert!(absent.iter().all(|name| stored.get(name).is_none()), "{stored}");
}

#[test]
fn an_exact_repeat_is_the_memory_that_is_there() {
    let test = TestLibrary::new("none");
    let request = Remember { tags: vec!["a".into(), "b".into()], ..remember("Kestrels hover") };
    let id = test.created(&request);
    let repeat = remembered(&test.library, &Remember { tags: vec!["b".into(), "a".into()], ..request.clone() });
    assert_eq!((repeat.state, repeat.written, repeat.id.as_deref()), ("exists", false, Some(id.as_str())));
    // Another field makes it another memory, and force stores it whatever is there.
    for other in [
        Remember { force: true, ..request.clone() },
        Remember { project: "birds".into(), parent: Some(id.clone()), ..request.clone() },
    ] {
        assert_ne!(test.created(&other), id);
    }
    // A forgotten one is no repeat.
    let test = TestLibrary::new("none");
    let id = test.created(&request);
    test.library.forget(&Task::new(), &Forget { id: id.clone(), ..Forget::default() }).unwrap();
    assert_ne!(test.created(&request), id);
}

#[test]
fn saying_a_retired_thing_again_is_no_repeat() {
    let test = TestLibrary::new("none");
    let old = test.write("The office is in Graz");
    test.created(&Remember { supersedes: Some(old.clone()), ..remember("We moved to Linz") });
    assert_ne!(test.created(&remember("The office is in Graz")), old);
}

#[test]
fn likely_repeats_are_proposed_unless_it_is_meant() {
    let test = TestLibrary::new(TEST_HASH);
    let id = test.write("The nightly backup of the database runs at two and keeps seven copies");
    let near = remember("The nightly backup of the database runs at two, and keeps seven copies!");
    let proposed = remembered(&test.library, &near);
    assert_eq!((proposed.state, proposed.written, proposed.id), ("candidates", false, None));
    assert_eq!(proposed.merge[0].id, id);
    let part = remember("The nightly backup of the database runs at two");
    let proposed = remembered(&test.library, &part);
    assert_eq!((proposed.state, proposed.merge.len(), proposed.parent[0].id.as_str()), ("candidates", 0, id.as_str()));
    for meant in [
        Remember { force: true, ..near.clone() },
        Remember { parent: Some(id.clone()), ..near.clone() },
        Remember { see_also: vec![id.clone()], ..near.clone() },
        Remember { importance: "trivial".into(), ..near.clone() },
    ] {
        test.created(&meant);
    }
}

#[test]
fn ancestors_go_from_the_root_to_the_parent() {
    let test = TestLibrary::new("none");
    let mut ids = vec![test.write("level 0")];
    for level in 1..40 {
        let parent = ids.last().cloned();
        ids.push(test.created(&Remember { parent, ..remember(&format!("level {level}")) }));
    }
    let above = |id: &str| show(&test, id).ancestors.into_iter().map(|one| one.id).collect::<Vec<_>>();
    assert_eq!(above(&ids[3]), ids[..3]);
    assert_eq!(above(&ids[39]), ids[7..39]);
    test.library.forget(&Task::new(), &Forget { id: ids[1].clone(), ..Forget::default() }).unwrap();
    assert_eq!(above(&ids[3]), [ids[0].clone(), ids[2].clone()]);
    let hit = &test.recall("level 2").hits[0];
    assert_eq!((hit.id.as_str(), hit.ancestors[0].title.as_str()), (ids[2].as_str(), "level 0"));
}

#[test]
fn names_are_ids_titles_or_prefixes() {
    let test = TestLibrary::new("none");
    let a = test.created(&Remember { title: Some("Alpha".into()), ..remember("one text") });
    let b = test.created(&Remember { title: Some("Beta".into()), ..remember("quite another") });
    for name in [a.as_str(), "Alpha", "#Alpha", &format!("#{a}"), &a[..a.len() - 1]] {
        assert_eq!(show(&test, name).entry.id, a, "{name}");
    }
    assert_eq!(show(&test, "Beta").entry.id, b);
    let task = Task::new();
    let short = Show { id: a[..7].to_owned() };
    assert_eq!(refused(test.library.show(&task, &short)), (Code::MemoryUnknown, "id".into()));
}

#[test]
fn forget_makes_a_tombstone_and_revives_what_it_replaced() {
    let test = TestLibrary::new("none");
    let old = test.write("The heron nests in spring");
    let new = test.created(&Remember { supersedes: Some(old.clone()), ..remember("The heron nests in autumn") });
    let task = Task::new();
    let forgotten =
        test.library.forget(&task, &Forget { id: "The heron nests in autumn".into(), ..Forget::default() }).unwrap();
    assert_eq!((forgotten.id.as_str(), forgotten.state), (new.as_str(), "forgotten"));
    assert_eq!(forgotten.revived.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), [old.as_str()]);
    let recalled = test.recall("heron");
    assert_eq!((ids(&recalled), &recalled.hits[0].superseded_by), (vec![old.as_str()], &None));
    assert!(recalled.related.is_empty());

    // Text and relations stay; only the exact id shows them.
    let shown = show(&test, &new);
    assert!(shown.deleted);
    assert_eq!((shown.entry.content.as_str(), shown.entry.supersedes.as_str()), ("The heron nests in autumn", &*old));
    let stored = payload(&test.path(), &new);
    assert_eq!(stored["deleted_at"], stored["updated_at"]);
    assert_eq!(stored["content_at"], stored["created_at"]);
    let by_title = Show { id: "The heron nests in autumn".into() };
    assert_eq!(refused(test.library.show(&task, &by_title)).0, Code::MemoryUnknown);
    assert_eq!(
        refused(test.library.forget(&task, &Forget { id: new, ..Forget::default() })),
        (Code::MemoryUnknown, "id".into())
    );
    let status = test.library.status(&task).unwrap();
    assert_eq!((status.counts.live, status.counts.forgotten, status.change_seq), (1, 1, 3));
}

#[test]
fn a_host_library_takes_the_hosts_vectors() {
    let test = TestLibrary::new("host:mine");
    let vector = |x: f32, y: f32| Some(vec![x, y, 0.0]);
    let task = Task::new();
    let bare = test.library.remember(&task, &remember("no vector"));
    assert_eq!(refused(bare), (Code::ArgumentMissing, "vector".into()));
    let near = test.created(&Remember { vector: vector(3.0, 0.1), ..remember("apples") });
    let far = test.created(&Remember { vector: vector(0.0, 9.0), ..remember("oranges") });
    for (vector, code) in [
        (vec![1.0, 0.0], Code::VectorDimension),
        (vec![0.0; 3], Code::VectorZero),
        (vec![f32::NAN, 0.0, 0.0], Code::AttachmentNonfinite),
    ] {
        let request = Remember { vector: Some(vector.clone()), ..remember("pears") };
        assert_eq!(refused(test.library.remember(&task, &request)), (code, "vector".into()));
        let request = corecall_library::Recall { vector: Some(vector), ..recall("pears") };
        assert_eq!(refused(test.library.recall(&task, &request)), (code, "vector".into()));
    }
    let request = corecall_library::Recall { vector: vector(1.0, 0.0), ..recall("pears") };
    let recalled = test.library.recall(&task, &request).unwrap();
    assert_eq!((recalled.hits[0].id.as_str(), recalled.hits.iter().any(|hit| hit.id == far)), (near.as_str(), false));
    // Without a vector, words alone.
    assert_eq!(ids(&test.recall("oranges")), [far.as_str()]);
    let twin = Remember { vector: vector(6.0, 0.2), ..remember("fruit that keeps the doctor away") };
    let proposed = test.library.remember(&task, &twin).unwrap();
    assert_eq!((proposed.state, proposed.merge[0].id.as_str()), ("candidates", near.as_str()));
}
