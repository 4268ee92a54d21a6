//! Every contract case of `tests/contract/cases` through the Rust entry: the reply's bytes are the expected ones.

use std::fs;
use std::path::{Path, PathBuf};

use corecall::Core;

#[test]
fn every_case_gets_the_expected_reply() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/contract/cases");
    let mut folders: Vec<PathBuf> = fs::read_dir(&cases).unwrap().map(|item| item.unwrap().path()).collect();
    folders.sort();
    assert!(folders.len() >= 60, "{} holds {} cases", cases.display(), folders.len());
    let failures: Vec<String> = folders.iter().flat_map(|folder| play(folder)).collect();
    assert!(failures.is_empty(), "{} steps failed:\n{}", failures.len(), failures.join("\n"));
}

/// Plays the case's steps on one handle; a line for each that fails.
fn play(folder: &Path) -> Vec<String> {
    let name = folder.file_name().unwrap().to_string_lossy();
    let config = fs::read(folder.join("config.json")).unwrap_or_else(|_| b"{}".to_vec());
    let core = Core::open(&config).unwrap();
    let mut failures = Vec::new();
    let mut step = 1;
    while let Ok(request) = fs::read(folder.join(format!("{step}.request.json"))) {
        let attachments = attachments(folder, step);
        let slices: Vec<&[u8]> = attachments.iter().map(Vec::as_slice).collect();
        let reply = core.call(0, &request, &slices);
        let status = reply.status() as i32;
        let got = format!("{status}\n{}\n", masked(status, std::str::from_utf8(reply.json()).unwrap()));
        let expected = fs::read_to_string(folder.join(format!("{step}.expect"))).unwrap();
        if got != expected {
            failures.push(format!("{name} step {step}: got {got}expected {expected}"));
        }
        step += 1;
    }
    if step == 1 {
        failures.push(format!("{name}: there is no 1.request.json"));
    }
    failures
}

fn attachments(folder: &Path, step: usize) -> Vec<Vec<u8>> {
    let mut attachments = Vec::new();
    loop {
        let read = |kind| fs::read_to_string(folder.join(format!("{step}.attachment-{}.{kind}", attachments.len())));
        if let Ok(floats) = read("f32") {
            attachments.push(floats.split_whitespace().flat_map(|x| x.parse::<f32>().unwrap().to_le_bytes()).collect());
        } else if let Ok(bytes) = read("u8") {
            attachments.push(bytes.split_whitespace().map(|x| x.parse().unwrap()).collect());
        } else {
            return attachments;
        }
    }
}

/// The text of an error's message is no part of the contract: `*` takes its place.
fn masked(status: i32, reply: &str) -> String {
    let message = reply.split_once(",\"message\":\"").filter(|_| status != 0);
    let Some((before, (_, after))) =
        message.and_then(|(before, rest)| rest.split_once("\",\"path\":").map(|rest| (before, rest)))
    else {
        return reply.to_owned();
    };
    format!("{before},\"message\":\"*\",\"path\":{after}")
}
