//! What is written down of the operations equals what the code says. `UPDATE_GOLDEN=1` rewrites the files.

mod toolchain;

use std::collections::BTreeSet;
use std::fs;

use corecall::{Code, Core, OPERATIONS};
use serde_json::{Value, json};
use toolchain::{crate_dir, is_golden};

fn capabilities() -> Value {
    let core = Core::open(b"").unwrap();
    let request = br#"{"schema_version":1,"request_id":"","operation":"capabilities","payload":null}"#;
    let reply: Value = serde_json::from_slice(core.call(0, request, &[]).json()).unwrap();
    reply["result"].clone()
}

#[test]
fn capabilities_are_those_written_down() {
    let mut capabilities = capabilities();
    for machine_dependent in ["version", "commit", "target", "simd"] {
        assert!(capabilities["build"][machine_dependent].is_string());
        capabilities["build"][machine_dependent] = json!(format!("<{machine_dependent}>"));
    }
    let text = serde_json::to_string_pretty(&capabilities).unwrap() + "\n";
    is_golden(&crate_dir().join("capabilities.json"), &text);
}

#[test]
fn capabilities_hold_together() {
    let capabilities = capabilities();
    let names: Vec<&str> = OPERATIONS.iter().map(|operation| operation.name).collect();
    assert_eq!(capabilities["operations"], json!(names));
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    assert_eq!(capabilities["contracts"]["related_business"], capabilities["association_contract"]);
    assert_eq!(capabilities["association_contract"], 1);
}

#[test]
fn schemas_are_those_of_the_code() {
    let folder = crate_dir().join("schemas");
    for operation in OPERATIONS {
        let text = serde_json::to_string_pretty(&operation.schema()).unwrap() + "\n";
        is_golden(&folder.join(format!("{}.json", operation.name)), &text);
    }
    let files: BTreeSet<String> =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    let expected: BTreeSet<String> = OPERATIONS.iter().map(|operation| format!("{}.json", operation.name)).collect();
    assert_eq!(files, expected);
}

#[test]
fn the_readme_lists_every_code() {
    let readme = fs::read_to_string(crate_dir().join("README.md")).unwrap();
    let (_, table) = readme.split_once("| name | status | meaning |\n|---|---|---|\n").unwrap();
    let listed: Vec<&str> = table.lines().take_while(|line| line.starts_with('|')).collect();
    let expected: Vec<String> = Code::ALL
        .iter()
        .map(|code| {
            let status = code.status();
            format!("| `{}` | {} {} | {} |", code.name(), status as i32, status.name(), code.meaning().trim())
        })
        .collect();
    assert_eq!(listed, expected);
}
