use std::path::Path;

use corecall::Core;

fn main() {
    let path = std::env::args().nth(1).expect("usage: example <libcorecall.so>");
    let library = Core::open(Path::new(&path), br#"{"path":":memory:"}"#).unwrap(); // or a file
    let call = |operation, payload| {
        let reply = library.call(operation, payload);
        let json = String::from_utf8(reply.json).unwrap();
        assert_eq!(reply.status, 0, "{json}");
        println!("{operation}: {json}");
    };

    // Remember a fact, supersede it, link another to it. A title names its memory.
    call("remember", r#"{"title":"Deploy day","content":"Deploys run every Friday."}"#);
    call(
        "remember",
        r#"{"title":"New deploy day","content":"Deploys run on Tuesdays, after the smoke tests.",
            "supersedes":"Deploy day"}"#,
    );
    call("remember", r#"{"title":"Undo","content":"make undo rolls a release back.","see_also":["New deploy day"]}"#);

    // The old fact is found by its words, marked as superseded; the new one stands beside it, among `related`.
    call("recall", r#"{"text":"deploys every Friday","limit":1}"#);
    call("relations", r#"{"id":"New deploy day"}"#);
}
