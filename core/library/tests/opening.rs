//! What may be opened, as what, and what is refused without touching it.

mod support;

use std::fs;

use corecall_library::{OpenConfig, Show};
use corecall_types::{Code, Task};
use rusqlite::Connection;
use support::{TEST_HASH, TestLibrary, TestSources, ids, open, open_config, recall, refused, remember};

fn config(path: &str) -> OpenConfig {
    OpenConfig { path: path.to_owned(), ..OpenConfig::default() }
}

fn refusal(config: &OpenConfig) -> (Code, String) {
    refused(open_config(config, &TestSources::new()))
}

#[test]
fn a_file_keeps_its_model() {
    let test = TestLibrary::new(TEST_HASH);
    let path = test.path().to_str().unwrap().to_owned();
    let same = open(&test.path(), Some(TEST_HASH), &test.sources).unwrap();
    assert_eq!(same.status(&Task::new()).unwrap().model, TEST_HASH);
    assert_eq!(test.open_again().status(&Task::new()).unwrap().model, TEST_HASH);
    let other = OpenConfig { model: Some("none".into()), ..config(&path) };
    assert_eq!(refusal(&other), (Code::ModelMismatch, "model".into()));
    let unknown = OpenConfig { model: Some("gpt".into()), ..config(&path) };
    assert_eq!(refusal(&unknown), (Code::ModelUnknown, "model".into()));
}

#[test]
fn a_new_library_has_words_only_unless_told() {
    let folder = tempfile::tempdir().unwrap();
    let library = open(&folder.path().join("new"), None, &TestSources::new()).unwrap();
    let status = library.status(&Task::new()).unwrap();
    assert_eq!((status.model.as_str(), status.schema_version, status.change_seq), ("none", 1, 0));
    assert!(!status.read_only && status.conflicts.is_empty() && status.path.ends_with("new"));
}

#[cfg(unix)]
#[test]
fn a_new_file_is_for_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let test = TestLibrary::new("none");
    test.write("secret");
    for entry in fs::read_dir(test.folder.path()).unwrap() {
        let mode = entry.unwrap().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0);
    }
}

#[test]
fn what_is_no_library_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(at("text"), "not a database, but long enough to be looked at".repeat(99)).unwrap();
    Connection::open(at("other")).unwrap().execute_batch("CREATE TABLE t (x); INSERT INTO t VALUES (1)").unwrap();
    Connection::open(at("marked")).unwrap().execute_batch("PRAGMA application_id = 7; CREATE TABLE t (x)").unwrap();
    Connection::open(at("versioned")).unwrap().execute_batch("PRAGMA user_version = 7").unwrap();
    for name in ["text", "other", "marked", "versioned"] {
        for read_only in [false, true] {
            let before = fs::read(at(name)).unwrap();
            let config = OpenConfig { read_only, ..config(&at(name)) };
            assert_eq!(refusal(&config), (Code::StoreCorrupt, "path".into()), "{name}");
            assert!(fs::read(at(name)).unwrap() == before, "{name}");
        }
    }
    assert_eq!(refusal(&config(&at("no/such/folder"))), (Code::StoreIo, "path".into()));
    assert_eq!(refusal(&config(&at(""))), (Code::StoreIo, "path".into()));
    assert_eq!(refusal(&config("")), (Code::ArgumentRange, "path".into()));
    let missing = OpenConfig { read_only: true, ..config(&at("missing")) };
    assert_eq!(refusal(&missing), (Code::StoreIo, "path".into()));
    assert!(!folder.path().join("missing").exists());
    let memory = OpenConfig { read_only: true, ..config(":memory:") };
    assert_eq!(refusal(&memory), (Code::ArgumentConflict, "read_only".into()));
}

#[test]
fn a_file_from_the_future_is_not_opened() {
    let test = TestLibrary::new("none");
    test.library.close().unwrap();
    let path = test.path().to_str().unwrap().to_owned();
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch("UPDATE library SET seal = 1").unwrap();
    assert_eq!(refusal(&config(&path)), (Code::StoreNewer, "path".into()));
    connection.execute_batch("UPDATE library SET seal = 0; PRAGMA user_version = 2").unwrap();
    assert_eq!(refusal(&config(&path)), (Code::StoreNewer, "path".into()));
}

#[test]
fn payloads_from_the_future_are_read_only() {
    let test = TestLibrary::new("none");
    let id = test.write("lynx");
    test.library.close().unwrap();
    let sql = "UPDATE library SET payload_version = 2;
               UPDATE memories SET payload = CAST('{\"content\":\"lynx\",\"shape\":{\"new\":[1]}}' AS BLOB)";
    Connection::open(test.path()).unwrap().execute_batch(sql).unwrap();
    let library = test.open_again();
    let task = Task::new();
    assert!(library.is_read_only() && library.status(&task).unwrap().read_only);
    assert_eq!(ids(&library.recall(&task, &recall("lynx")).unwrap()), [id.as_str()]);
    assert_eq!(library.show(&task, &Show { id }).unwrap().entry.other["shape"]["new"][0], 1);
    assert_eq!(refused(library.remember(&task, &remember("x"))).0, Code::StoreReadOnly);
}

#[test]
fn a_damaged_memory_is_named() {
    let test = TestLibrary::new(TEST_HASH);
    let id = test.write("lynx");
    for damage in ["payload = x'00ff'", "index_data = x'0102'"] {
        let copy = test.folder.path().join("copy");
        Connection::open(test.path()).unwrap().execute("VACUUM INTO ?1", [copy.to_str().unwrap()]).unwrap();
        Connection::open(&copy).unwrap().execute(&format!("UPDATE memories SET {damage}"), []).unwrap();
        let library = open(&copy, None, &test.sources).unwrap();
        for _ in 0..2 {
            let error = library.recall(&Task::new(), &recall("lynx")).unwrap_err();
            assert_eq!(error.code, Code::StoreCorrupt);
            assert!(error.message.contains(&id) && !error.message.contains("lynx"));
        }
        library.close().unwrap();
        fs::remove_file(copy).unwrap();
    }
}

#[test]
fn a_closed_library_says_so() {
    let test = TestLibrary::new("none");
    let library = test.open_again();
    library.close().unwrap();
    let task = Task::new();
    assert_eq!(refused(library.close()).0, Code::HandleClosed);
    assert_eq!(refused(library.recall(&task, &recall("x"))).0, Code::HandleClosed);
    assert_eq!(refused(library.remember(&task, &remember("x"))).0, Code::HandleClosed);
    assert_eq!(refused(library.status(&task)).0, Code::HandleClosed);
    assert_eq!(refused(library.statistics_flush(&task)).0, Code::HandleClosed);
    // The other handle goes on; once it closes too, everything is in the one file.
    test.write("lynx");
    test.library.close().unwrap();
    let files: Vec<_> = fs::read_dir(test.folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(files, ["library"]);
}

#[test]
fn a_library_in_memory_is_its_own() {
    let sources = TestSources::new();
    let [one, two] = [(); 2].map(|()| open(":memory:".as_ref(), Some(TEST_HASH), &sources).unwrap());
    let task = Task::new();
    let id = support::created(&one, &remember("lynx"));
    assert_eq!(ids(&one.recall(&task, &recall("lynx")).unwrap()), [id.as_str()]);
    assert!(two.recall(&task, &recall("lynx")).unwrap().hits.is_empty());
    assert_eq!(one.status(&task).unwrap().path, ":memory:");
}

#[test]
fn nothing_of_a_memory_is_printed() {
    let test = TestLibrary::new("none");
    test.write("lynx");
    assert_eq!(format!("{:?}", test.library), "Library { model: \"none\", read_only: false, .. }");
}
