//! Every operation's real reply has the shape that its schema promises.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use corecall::{Core, OPERATIONS, Status};
use serde_json::Value;

/// Valid requests in an order in which each finds what it names; they are also where fuzzing begins.
const REQUESTS: [&str; 24] = [
    "capabilities",
    "related",
    "related-vectors",
    "query",
    "query-vectors",
    "candidates",
    "prepare",
    "publish-first",
    "resident-query",
    "release",
    "remember",
    "remember-links",
    "recall",
    "recall-plain",
    "show",
    "relations",
    "link",
    "unlink",
    "unsupersede",
    "update",
    "status",
    "flush",
    "forget",
    "restore",
];

#[test]
fn replies_have_the_shape_of_their_schema() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/call");
    let core = Core::open(br#"{"path":":memory:"}"#).unwrap();
    let mut seen = BTreeSet::new();
    for name in REQUESTS {
        let data = fs::read(corpus.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let (request, attachments) = parts(&data);
        let reply = core.call(0, request, &attachments);
        let json: Value = serde_json::from_slice(reply.json()).unwrap();
        assert_eq!(reply.status(), Status::Ok, "{name}: {json}");
        let asked: Value = serde_json::from_slice(request).unwrap();
        let operation = OPERATIONS.iter().find(|operation| asked["operation"] == operation.name).unwrap();
        operation
            .check_result(json["result"].to_string().as_bytes())
            .unwrap_or_else(|error| panic!("{name}: {error}\n{json}"));
        seen.insert(operation.name);
    }
    assert_eq!(seen.len(), OPERATIONS.len(), "only {seen:?} were called");
}

/// A request, and the attachments behind its zero byte: a length of two bytes and so many bytes each.
fn parts(data: &[u8]) -> (&[u8], Vec<&[u8]>) {
    let Some(end) = data.iter().position(|&byte| byte == 0) else { return (data, Vec::new()) };
    let (mut rest, mut attachments) = (&data[end + 1..], Vec::new());
    while let [low, high, bytes @ ..] = rest {
        let (attachment, after) = bytes.split_at(usize::from(u16::from_le_bytes([*low, *high])));
        attachments.push(attachment);
        rest = after;
    }
    (&data[..end], attachments)
}
