//! One stored memory as a host shows it to the core (contract 1, Snapshot).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What a host stores of one memory in the clear, and the memory itself where it can be decrypted.
///
/// Fields that are absent read as empty, false, 0 or null. Index data (`features`) is taken out before.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Snapshot {
    /// 1 to 256 bytes, unique.
    pub id: String,
    /// A tombstone: kept for its relations, never shown.
    pub deleted: bool,
    /// RFC 3339.
    pub updated_at: String,
    /// The stored column; the rules read `entry.kind`.
    pub kind: String,
    /// Comma-separated.
    pub tags: String,
    /// The stored column; the rules read `entry.title`.
    pub title: String,
    /// The stored column; the rules read `entry.project`.
    pub project: String,
    /// The stored column; the rules read `entry.computer`.
    pub computer: String,
    /// The stored column.
    pub parent_id: Option<String>,
    /// The stored column; the rules read `entry.created_at`.
    pub created_at: String,
    /// The first 500 characters of the content.
    pub content_head: String,
    /// How often the memory was a final hit, at most 2^53.
    pub recall_count: u64,
    /// The stored column; the rules read `entry.importance`.
    pub importance: String,
    /// The decrypted memory; null where it can't be decrypted.
    pub entry: Option<Entry>,
}

/// A memory. Absent fields read as empty, unknown ones are kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Entry {
    /// The same as the snapshot's.
    pub id: String,
    /// context, decision, preference, task, emotion, time, skill or knowledge.
    pub kind: String,
    /// As given, in order.
    pub tags: Vec<String>,
    /// Untrusted text.
    pub title: String,
    /// Untrusted text.
    pub content: String,
    /// Who it is about.
    pub user: String,
    /// Scope: the computer it belongs to.
    pub computer: String,
    /// Scope: the project it belongs to.
    pub project: String,
    /// RFC 3339; what *newest* is measured by.
    pub created_at: String,
    /// RFC 3339.
    pub updated_at: String,
    /// −1: not labelled.
    pub emotion: i64,
    /// The memory it stands under.
    pub parent_id: Option<String>,
    /// important, normal or trivial (a diary line).
    pub importance: String,
    /// Where it was written.
    pub device: String,
    /// Where it was last changed.
    pub modified_by: String,
    /// The id it replaces. Authoritative.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub supersedes: String,
    /// A hint; decides nothing.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub superseded_by: String,
    /// Linked ids, symmetric.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub see_also: Vec<String>,
    /// Ids it speaks against, new to old.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contradicts: Vec<String>,
    /// Ids it was made from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub derived_from: Vec<String>,
    /// Fields this version doesn't know, as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl Default for Entry {
    fn default() -> Self {
        Self {
            id: String::new(),
            kind: String::new(),
            tags: Vec::new(),
            title: String::new(),
            content: String::new(),
            user: String::new(),
            computer: String::new(),
            project: String::new(),
            created_at: String::new(),
            updated_at: String::new(),
            emotion: -1,
            parent_id: None,
            importance: String::new(),
            device: String::new(),
            modified_by: String::new(),
            supersedes: String::new(),
            superseded_by: String::new(),
            see_also: Vec::new(),
            contradicts: Vec::new(),
            derived_from: Vec::new(),
            other: Map::new(),
        }
    }
}

impl Entry {
    /// Whether it is a diary line: second zone of a recall, no relations, never associated by use or nearness.
    pub fn is_trivial(&self) -> bool {
        self.importance == TRIVIAL
    }
}

/// The `importance` of a diary line.
pub(crate) const TRIVIAL: &str = "trivial";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_fields_read_as_empty() {
        let snapshot: Snapshot = serde_json::from_str(r#"{"id":"a","entry":{"id":"a"}}"#).unwrap();
        let entry = Entry { id: "a".to_owned(), ..Entry::default() };
        assert_eq!(snapshot, Snapshot { id: "a".to_owned(), entry: Some(entry), ..Snapshot::default() });
        assert_eq!(snapshot.entry.unwrap().emotion, -1);
        let hidden: Snapshot = serde_json::from_str(r#"{"id":"a","entry":null,"parent_id":null}"#).unwrap();
        assert_eq!(hidden.entry, None);
    }

    #[test]
    fn unknown_fields_are_kept_inside_the_entry_only() {
        let json = r#"{"id":"a","zeta":{"deep":[1,2.5]},"alpha":null}"#;
        let entry: Entry = serde_json::from_str(json).unwrap();
        assert_eq!(entry.other.keys().collect::<Vec<_>>(), ["zeta", "alpha"]);
        let written = serde_json::to_string(&entry).unwrap();
        assert!(written.ends_with(r#","zeta":{"deep":[1,2.5]},"alpha":null}"#), "{written}");
        assert!(serde_json::from_str::<Snapshot>(r#"{"id":"a","zeta":1}"#).is_err());
    }

    #[test]
    fn empty_relation_fields_are_left_out_and_others_written_in_order() {
        let plain = serde_json::to_string(&Entry::default()).unwrap();
        let fields = r#""id":"","kind":"","tags":[],"title":"","content":"","user":"","computer":"","project":"","#;
        let rest = r#""created_at":"","updated_at":"","emotion":-1,"parent_id":null,"importance":"","device":"","modified_by":"""#;
        assert_eq!(plain, format!("{{{fields}{rest}}}"));
        let linked = Entry {
            supersedes: "b".to_owned(),
            superseded_by: "c".to_owned(),
            see_also: vec!["d".to_owned()],
            contradicts: vec!["e".to_owned()],
            derived_from: vec!["f".to_owned()],
            ..Entry::default()
        };
        let relations =
            r#","supersedes":"b","superseded_by":"c","see_also":["d"],"contradicts":["e"],"derived_from":["f"]}"#;
        let written = serde_json::to_string(&linked).unwrap();
        assert!(written.ends_with(relations), "{written}");
        assert_eq!(serde_json::from_str::<Entry>(&written).unwrap(), linked);
    }

    #[test]
    fn only_trivial_is_trivial() {
        for (importance, trivial) in [("trivial", true), ("important", false), ("", false), ("Trivial", false)] {
            let entry = Entry { importance: importance.to_owned(), ..Entry::default() };
            assert_eq!(entry.is_trivial(), trivial, "{importance}");
        }
    }
}
