//! What is sealed of a memory: its entry, and the clocks and edge stamps that joining libraries needs.

use corecall_policy::Entry;
use corecall_types::{Code, Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The clocks and stamps beside the fields of the entry.
const CONTENT_AT: &str = "content_at";
const DELETED_AT: &str = "deleted_at";
const RESTORED_AT: &str = "restored_at";
const EDGES: &str = "edges";

/// A memory as it is written: the JSON of contract 1's entry without its empty fields, with clocks.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Payload {
    /// Fields this version doesn't know are in `entry.other`.
    pub entry: Entry,
    /// When text or fields last changed, RFC 3339; mirrored links don't count.
    pub content_at: String,
    /// When it was forgotten; empty while it is live.
    pub deleted_at: String,
    /// When it was last taken back from being forgotten; empty while it is forgotten, or never was.
    pub restored_at: String,
    /// One stamp for each edge this memory wrote, removed ones included.
    pub edges: Vec<Edge>,
}

/// The stamp of an edge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Edge {
    /// `supersedes`, `see_also`, `contradicts`, `derived_from`, or what a newer version writes.
    #[serde(rename = "type")]
    pub kind: String,
    pub target: String,
    /// RFC 3339.
    pub added_at: String,
    /// RFC 3339; absent while the edge stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removed_at: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub device: String,
    /// Fields this version doesn't know, as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl Payload {
    /// Reads the payload of memory `id`; `store.corrupt` names the id when it can't be read.
    pub fn read(id: &str, bytes: &[u8]) -> Result<Self> {
        let damaged = |_| {
            let message = format!("memory {id} can't be read; restore the file from a backup");
            Error::new(Code::StoreCorrupt, message)
        };
        let mut entry: Entry = serde_json::from_slice(bytes).map_err(damaged)?;
        // The row's id is the one that relations and statistics know.
        id.clone_into(&mut entry.id);
        let mut take = |name| entry.other.shift_remove(name).unwrap_or(Value::Null);
        let clocks = (take(CONTENT_AT), take(DELETED_AT), take(RESTORED_AT), take(EDGES));
        Ok(Self {
            content_at: text(clocks.0).map_err(damaged)?,
            deleted_at: text(clocks.1).map_err(damaged)?,
            restored_at: text(clocks.2).map_err(damaged)?,
            edges: list(clocks.3).map_err(damaged)?,
            entry,
        })
    }

    /// The bytes to store.
    pub fn write(&self) -> Vec<u8> {
        let mut entry = self.entry.clone();
        let other = std::mem::take(&mut entry.other);
        let Ok(Value::Object(mut fields)) = serde_json::to_value(&entry) else {
            unreachable!("an entry is an object with string keys");
        };
        fields.retain(|name, value| !is_empty(name, value));
        let clocks = [&self.content_at, &self.deleted_at, &self.restored_at];
        for (name, clock) in [CONTENT_AT, DELETED_AT, RESTORED_AT].into_iter().zip(clocks) {
            if !clock.is_empty() {
                fields.insert(name.to_owned(), Value::from(clock.as_str()));
            }
        }
        if !self.edges.is_empty() {
            let edges = serde_json::to_value(&self.edges).expect("stamps have string keys");
            fields.insert(EDGES.to_owned(), edges);
        }
        fields.extend(other);
        serde_json::to_vec(&fields).expect("a JSON value can be written")
    }

    /// The stamp of a standing edge.
    pub fn edge(&self, kind: &str, target: &str) -> Option<&Edge> {
        self.edges.iter().find(|edge| edge.kind == kind && edge.target == target && edge.removed_at.is_none())
    }
}

/// Whether a field of the entry is left out; reading it back gives the same.
fn is_empty(name: &str, value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Number(number) => name == "emotion" && number.as_i64() == Some(-1),
        _ => false,
    }
}

fn text(value: Value) -> serde_json::Result<String> {
    Option::<String>::deserialize(value).map(Option::unwrap_or_default)
}

fn list(value: Value) -> serde_json::Result<Vec<Edge>> {
    Option::<Vec<Edge>>::deserialize(value).map(Option::unwrap_or_default)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_fields_are_left_out() {
        let entry = Entry { id: "a".into(), content: "text".into(), ..Entry::default() };
        let payload = Payload { entry, content_at: "2026-03-01T00:00:00.000Z".into(), ..Payload::default() };
        let bytes = payload.write();
        assert_eq!(
            String::from_utf8(bytes.clone()).unwrap(),
            r#"{"id":"a","content":"text","content_at":"2026-03-01T00:00:00.000Z"}"#
        );
        assert_eq!(Payload::read("a", &bytes).unwrap(), payload);
    }

    #[test]
    fn unknown_fields_are_kept_in_order() {
        let text = concat!(
            r#"{"id":"a","content":"x","emotion":0,"edges":[{"type":"quotes","target":"b","added_at":"t","#,
            r#""weight":0.1}],"metadata":{"z":1,"a":""},"expires_at":"","later":[18446744073709551615]}"#
        );
        let payload = Payload::read("a", text.as_bytes()).unwrap();
        assert_eq!(payload.entry.other.len(), 3);
        assert_eq!(String::from_utf8(payload.write()).unwrap(), text);
    }

    #[test]
    fn older_payloads_have_no_clocks_and_no_edges() {
        let payload = Payload::read("a", br#"{"content":"x"}"#).unwrap();
        assert_eq!((payload.entry.id.as_str(), payload.entry.emotion), ("a", -1));
        assert!(payload.edges.is_empty() && payload.content_at.is_empty() && payload.entry.see_also.is_empty());
    }

    #[test]
    fn damage_names_the_memory_and_nothing_of_it() {
        for bytes in [b"secret".as_slice(), br#"{"edges":"secret"}"#, br#"{"content":7,"x":"secret"}"#, b"\xff"] {
            let error = Payload::read("a", bytes).unwrap_err();
            assert_eq!(error.code, Code::StoreCorrupt);
            assert!(error.message.contains('a') && !error.message.contains("secret"));
        }
    }
}
