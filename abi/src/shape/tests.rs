//! Each fault has its name and the path of what is wrong.

use super::*;
use crate::json;

const SHAPE: Shape = Shape::Object(&Object {
    fields: &[
        Field::required("id", Shape::ID, ""),
        Field::optional("count", Shape::Integer { min: 0, max: 9 }, ""),
        Field::optional("share", Shape::Number { min: 0.0, max: 1.0 }, ""),
        Field::optional("flag", Shape::Boolean, ""),
        Field::optional("time", Shape::Time, ""),
        Field::optional("kind", Shape::Choice(&["task", "skill"]), ""),
        Field::optional("tags", Shape::List { item: &Shape::TEXT, max: 2 }, ""),
        Field::optional("open", Shape::Object(&Object { fields: &[], open: true, either: &[("a", "b")] }), ""),
        Field::optional("heads", Shape::Map(&Shape::Nullable(&Shape::ID)), ""),
        Field::optional("vector", Shape::Attachment { dtype: Dtype::F32, rank: 1 }, ""),
        Field::optional("artifact", Shape::Artifact, ""),
    ],
    open: false,
    either: &[],
});

fn outcome(text: &str) -> (&'static str, String) {
    let value = json::parse(text.as_bytes()).unwrap();
    let outcome = SHAPE.check(&value, &Path::Root("payload"), &mut Vec::new());
    outcome.map_or_else(|error| (error.code.name(), error.path), |()| ("ok", String::new()))
}

#[test]
fn each_fault_has_its_name_and_path() {
    for (members, name, path) in [
        ("", "ok", ""),
        (r#","count":9,"share":1,"flag":false,"time":"2026-03-01T09:30:00Z","kind":"task","tags":["",""]"#, "ok", ""),
        (r#","open":{"a":1,"x":[]},"heads":{"any":null,"other":"b"},"artifact":"aGk=""#, "ok", ""),
        (r#","surprise":1,"count":"x""#, "argument.unknown", "payload.surprise"),
        (r#","count":"1""#, "argument.type", "payload.count"),
        (r#","count":1.0"#, "argument.type", "payload.count"),
        (r#","count":true"#, "argument.type", "payload.count"),
        (r#","count":null"#, "argument.type", "payload.count"),
        (r#","count":10"#, "argument.range", "payload.count"),
        (r#","count":-1"#, "argument.range", "payload.count"),
        (r#","count":18446744073709551615"#, "argument.range", "payload.count"),
        (r#","share":1.0001"#, "argument.range", "payload.share"),
        (r#","share":"1""#, "argument.type", "payload.share"),
        (r#","flag":0"#, "argument.type", "payload.flag"),
        (r#","time":"yesterday""#, "argument.value", "payload.time"),
        (r#","time":1"#, "argument.type", "payload.time"),
        (r#","kind":"Task""#, "argument.value", "payload.kind"),
        (r#","tags":"x""#, "argument.type", "payload.tags"),
        (r#","tags":["x",2]"#, "argument.type", "payload.tags[1]"),
        (r#","tags":["x","y","z"]"#, "argument.range", "payload.tags"),
        (r#","open":{}"#, "argument.missing", "payload.open.a"),
        (r#","open":{"a":1,"b":1}"#, "argument.conflict", "payload.open.b"),
        (r#","heads":{"m1":""}"#, "argument.range", "payload.heads.m1"),
        (r#","artifact":7"#, "argument.type", "payload.artifact"),
        (r#","artifact":{"$attachment":0,"dtype":"f32","shape":[1]}"#, "attachment.dtype", "payload.artifact"),
        (r#","vector":[1,2]"#, "argument.type", "payload.vector"),
        (r#","vector":{"$attachment":0,"dtype":"f32"}"#, "argument.missing", "payload.vector.shape"),
        (r#","vector":{"$attachment":-1,"dtype":"f32","shape":[1]}"#, "argument.range", "payload.vector.$attachment"),
        (r#","vector":{"$attachment":0,"dtype":"f64","shape":[1]}"#, "attachment.dtype", "payload.vector"),
        (r#","vector":{"$attachment":0,"dtype":"f32","shape":[1,1]}"#, "attachment.shape", "payload.vector"),
        (r#","vector":{"$attachment":0,"dtype":"f32","shape":[0]}"#, "attachment.shape", "payload.vector"),
        (r#","vector":{"$attachment":0,"dtype":"f32","shape":[4097]}"#, "attachment.shape", "payload.vector"),
        (r#","vector":{"$attachment":0,"dtype":"f32","shape":[-1]}"#, "argument.range", "payload.vector.shape[0]"),
    ] {
        let text = format!(r#"{{"id":"a"{members}}}"#);
        assert_eq!(outcome(&text), (name, path.to_owned()), "{text}");
    }
    assert_eq!(outcome("{}"), ("argument.missing", "payload.id".to_owned()));
    assert_eq!(outcome("[]"), ("argument.type", "payload".to_owned()));
}

#[test]
fn texts_have_their_limits_in_bytes() {
    let id = |length: usize| outcome(&format!(r#"{{"id":"{}"}}"#, "é".repeat(length))).0;
    assert_eq!((id(0), id(128), id(129)), ("argument.range", "ok", "argument.range"));
    let tag = |length: usize| outcome(&format!(r#"{{"id":"a","tags":["{}"]}}"#, "x".repeat(length))).0;
    assert_eq!((tag(limits::TEXT_BYTES), tag(limits::TEXT_BYTES + 1)), ("ok", "limit.text"));
}

#[test]
fn attachments_are_collected_with_their_places() {
    let text = r#"{"id":"a","vector":{"$attachment":1,"dtype":"f32","shape":[3]},"artifact":{"$attachment":0,"dtype":"u8","shape":[5]}}"#;
    let mut uses = Vec::new();
    SHAPE.check(&json::parse(text.as_bytes()).unwrap(), &Path::Root("payload"), &mut uses).unwrap();
    let found: Vec<_> = uses.iter().map(|place| (place.index, place.elements, place.path.as_str())).collect();
    assert_eq!(found, [(1, Some(3), "payload.vector"), (0, Some(5), "payload.artifact")]);
}
