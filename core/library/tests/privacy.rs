//! What is derived from text is in payloads and index data only.

mod support;

use corecall_library::{Forget, Recall, Remember};
use corecall_types::Task;
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use support::{TEST_HASH, TestLibrary, recall, remember};

/// Writes words nobody else writes into every field, recalls, forgets.
fn furnished() -> (TestLibrary, Vec<&'static str>) {
    let test = TestLibrary::new(TEST_HASH);
    let old = test.write("canarycontent one");
    let request = Remember {
        title: Some("canarytitle".into()),
        tags: vec!["canarytag".into()],
        project: "canaryproject".into(),
        computer: "canarycomputer".into(),
        user: "canaryuser".into(),
        device: "canarydevice".into(),
        supersedes: Some(old.clone()),
        ..remember("canarycontent two")
    };
    let new = test.created(&request);
    test.recall_by(&Recall { project: Some("canaryproject".into()), ..recall("canarycontent canaryquery") });
    test.recall("canarycontent canaryquery");
    test.flush();
    test.library.forget(&Task::new(), &Forget { id: new, ..Forget::default() }).unwrap();
    (test, vec!["canary"])
}

#[test]
fn texts_are_in_payloads_and_nowhere_else() {
    let (test, canaries) = furnished();
    let connection = Connection::open(test.path()).unwrap();
    let names = "SELECT name FROM sqlite_schema WHERE type = 'table'";
    let tables: Vec<String> =
        connection.prepare(names).unwrap().query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    assert_eq!(tables, ["library", "memories", "recall_state", "recall_pairs", "recall_counts"]);
    let mut found = Vec::new();
    for table in tables {
        let mut statement = connection.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let columns: Vec<String> = statement.column_names().iter().map(ToString::to_string).collect();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            for (index, column) in columns.iter().enumerate() {
                let (ValueRef::Text(bytes) | ValueRef::Blob(bytes)) = row.get_ref(index).unwrap() else { continue };
                if canaries.iter().any(|canary| bytes.windows(canary.len()).any(|part| part == canary.as_bytes())) {
                    found.push(format!("{table}.{column}"));
                }
            }
        }
    }
    found.dedup();
    assert_eq!(found, ["memories.payload"]);
}

#[test]
fn the_clear_columns_are_ids_times_flags_and_counters() {
    let (test, _) = furnished();
    let connection = Connection::open(test.path()).unwrap();
    let sql = "SELECT t.name || '.' || c.name || ' ' || c.type FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
               WHERE t.type = 'table' ORDER BY t.name, c.cid";
    let columns: Vec<String> =
        connection.prepare(sql).unwrap().query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let clear = [
        "library.one INTEGER",
        "library.library_id BLOB",
        "library.model TEXT",
        "library.seal INTEGER",
        "library.payload_version INTEGER",
        "library.created_at INTEGER",
        "library.change_seq INTEGER",
        "memories.row INTEGER",
        "memories.id TEXT",
        "memories.created_at INTEGER",
        "memories.updated_at INTEGER",
        "memories.deleted INTEGER",
        "memories.change_seq INTEGER",
        "recall_counts.id TEXT",
        "recall_counts.n INTEGER",
        "recall_pairs.a TEXT",
        "recall_pairs.b TEXT",
        "recall_pairs.n INTEGER",
        "recall_pairs.seq INTEGER",
        "recall_state.one INTEGER",
        "recall_state.seq INTEGER",
    ];
    let sealed = ["memories.payload BLOB", "memories.index_data BLOB"];
    let rest: Vec<_> = columns.iter().filter(|column| !clear.contains(&column.as_str())).collect();
    assert_eq!(rest, sealed);
    assert_eq!(columns.len(), clear.len() + sealed.len());
}
