//! A short fuzzing run with fixed seeds; `fuzz/` goes on from here with coverage as its guide.

#[allow(unsafe_code)]
#[path = "../fuzz/src/body.rs"]
mod body;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

const ROUNDS: u64 = 250_000;

/// Pieces that change what a request means.
const TOKENS: [&str; 36] = [
    "null",
    "true",
    "false",
    "0",
    "-1",
    "-0",
    "1.0",
    "1e999",
    "9007199254740993",
    "18446744073709551616",
    "0.5",
    "\"\"",
    "\"a\"",
    "[]",
    "{}",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "\"",
    "\\ud800",
    "\\u0000",
    "\u{feff}",
    "\u{2028}",
    "\"id\":\"a\",",
    "\"entry\":null,",
    "\"supersedes\":\"a\",",
    "\"$attachment\":0",
    "\"shape\":[0]",
    "\"explain\":true,",
    "\"max\":0,",
    "\"resident_key\":\"r1\",",
    "\"model\":\"host:x\",",
    "😀",
];

/// xorshift64*: small, and the same everywhere.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % end.max(1)
    }
}

fn corpus() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/call");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| fs::read(file).unwrap()).collect()
}

/// Changes bytes without knowing what they mean.
fn mutate_bytes(data: &mut Vec<u8>, corpus: &[Vec<u8>], dice: &mut Dice) {
    let at = dice.below(data.len() + 1);
    let end = (at + dice.below(24)).min(data.len());
    match dice.below(6) {
        0 if at < data.len() => data[at] ^= 1 << dice.below(8),
        1 => drop(data.drain(at..end)),
        2 => {
            let copied = data[at..end].to_vec();
            data.splice(at..at, copied);
        }
        3 => drop(data.splice(at..at, TOKENS[dice.below(TOKENS.len())].bytes())),
        4 => drop(data.splice(at..end, TOKENS[dice.below(TOKENS.len())].bytes())),
        _ => {
            let other = &corpus[dice.below(corpus.len())];
            let from = dice.below(other.len());
            data.truncate(at);
            data.extend_from_slice(&other[from..]);
        }
    }
}

/// Changes one value of a request that is JSON, so that the change gets past the reader.
fn mutate_value(data: &mut Vec<u8>, dice: &mut Dice) {
    let end = data.iter().position(|&byte| byte == 0).unwrap_or(data.len());
    let Ok(mut request) = serde_json::from_slice::<Value>(&data[..end]) else { return };
    let mut place = &mut request["payload"];
    while dice.below(4) > 0 {
        let inner = match place {
            Value::Array(items) if !items.is_empty() => dice.below(items.len()),
            Value::Object(members) if !members.is_empty() => dice.below(members.len()),
            _ => break,
        };
        place = match place {
            Value::Array(items) => &mut items[inner],
            Value::Object(members) => members.values_mut().nth(inner).expect("the index is one of a member"),
            _ => unreachable!("broken off above"),
        };
    }
    match place {
        Value::Array(items) if dice.below(2) == 0 => {
            let index = dice.below(items.len());
            let copied = items.get(index).cloned();
            items.extend(copied);
        }
        Value::Object(members) if dice.below(2) == 0 => {
            let key = members.keys().nth(dice.below(members.len())).cloned();
            key.and_then(|key| members.shift_remove(&key));
        }
        Value::String(text) if dice.below(2) == 0 => text.push(['a', 'b', '#', '漢', '\u{301}'][dice.below(5)]),
        Value::Number(number) if dice.below(2) == 0 => {
            let step = [-2, -1, 1, 2, 1 << 40][dice.below(5)];
            *place = number.as_i64().unwrap_or(0).wrapping_add(step).into();
        }
        _ => *place = serde_json::from_str(TOKENS[dice.below(TOKENS.len())]).unwrap_or(Value::Null),
    }
    data.splice(..end, request.to_string().into_bytes());
}

fn mutate_attachments(data: &mut Vec<u8>, dice: &mut Dice) {
    let attachments: Vec<Vec<u8>> =
        (0..dice.below(3)).map(|_| (0..dice.below(10) * 4).map(|_| dice.below(256) as u8).collect()).collect();
    let request = data.split(|&byte| byte == 0).next().unwrap_or_default().to_vec();
    *data = body::input(&request, &attachments);
}

#[test]
fn every_valid_request_of_the_corpus_is_answered() {
    for data in corpus() {
        let names = body::run(&data);
        assert!(!names.iter().any(|name| name.starts_with("json.")), "{names:?}: {}", String::from_utf8_lossy(&data));
    }
}

#[test]
fn mutated_requests_are_answered_without_a_panic() {
    let corpus = corpus();
    let mut dice = Dice(0x0DDB_1A5E_5EED);
    let mut answers: BTreeMap<String, u64> = BTreeMap::new();
    for _ in 0..ROUNDS {
        let mut data = corpus[dice.below(corpus.len())].clone();
        for _ in 0..=dice.below(3) {
            match dice.below(8) {
                0 | 1 => mutate_bytes(&mut data, &corpus, &mut dice),
                2 => mutate_attachments(&mut data, &mut dice),
                _ => mutate_value(&mut data, &mut dice),
            }
        }
        for name in body::run(&data) {
            *answers.entry(name).or_default() += 1;
        }
    }
    // The run is worth something only if it gets past the reader, and into the core.
    assert!(answers.len() >= 25 && answers["ok"] >= ROUNDS / 10, "{answers:?}");
}
