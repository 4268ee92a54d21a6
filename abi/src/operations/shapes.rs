//! The shapes that several operations share.

use corecall_library::limits::{IMPORTANCES, KINDS};
use corecall_policy::RelatedSettings;

use crate::attachments::Dtype;
use crate::limits;
use crate::shape::{Field, Object, Shape};

/// The largest count that every JSON reader holds exactly.
pub const COUNT_MAX: i64 = 1 << 53;
/// The labels of associations, in their order.
pub const RELATIONS: &[&str] =
    &["new_version", "old_version", "contradicts", "see_also", "derived_from", "derivative", "co_recall", "neighbor"];
/// What was dropped, and why.
const REASONS: &[&str] = &[
    "hit",
    "duplicate",
    "deleted",
    "out_of_scope",
    "diary",
    "superseded",
    "cycle",
    "below_threshold",
    "per_source",
    "budget",
];

pub const KIND: Shape = Shape::Choice(&KINDS);
pub const IMPORTANCE: Shape = Shape::Choice(&IMPORTANCES);
pub const OPTIONAL_TEXT: Shape = Shape::Nullable(&Shape::TEXT);
pub const TEXTS: Shape = Shape::List { item: &Shape::TEXT, max: usize::MAX };
pub const COUNT: Shape = Shape::Integer { min: 0, max: COUNT_MAX };
pub const SCORE: Shape = Shape::Number { min: 0.0, max: 1.0 };
pub const LIMIT: Shape = Shape::Integer { min: 1, max: limits::RECALL_LIMIT as i64 };
pub const VECTOR: Shape = Shape::Attachment { dtype: Dtype::F32, rank: 1 };
#[allow(clippy::cast_possible_wrap, reason = "2^32, far from wrapping")]
const PAIR_MIN_MAX: i64 = RelatedSettings::PAIR_MIN_MAX as i64;
const BUDGET: Shape = Shape::Integer { min: 0, max: limits::RELATED_MAX as i64 };

/// One stored memory as the host shows it.
pub const SNAPSHOTS: Shape = Shape::List { item: &Shape::Object(&Object::of(SNAPSHOT)), max: usize::MAX };

const SNAPSHOT: &[Field] = &[
    Field::required("id", Shape::ID, "Unique among the snapshots."),
    Field::default("deleted", Shape::Boolean, "false", "A tombstone: kept for its relations, never shown."),
    Field::default("updated_at", Shape::TEXT, "\"\"", "RFC 3339."),
    Field::default("kind", Shape::TEXT, "\"\"", "The stored column; the rules read entry.kind."),
    Field::default("tags", Shape::TEXT, "\"\"", "Comma-separated."),
    Field::default("title", Shape::TEXT, "\"\"", "The stored column; the rules read entry.title."),
    Field::default("project", Shape::TEXT, "\"\"", "The stored column; the rules read entry.project."),
    Field::default("computer", Shape::TEXT, "\"\"", "The stored column; the rules read entry.computer."),
    Field::default("parent_id", OPTIONAL_TEXT, "null", "The stored column."),
    Field::default("created_at", Shape::TEXT, "\"\"", "The stored column; the rules read entry.created_at."),
    Field::default("content_head", Shape::TEXT, "\"\"", "The first 500 characters of the content."),
    Field::default("recall_count", COUNT, "0", "How often the memory was a final hit."),
    Field::default("importance", Shape::TEXT, "\"\"", "The stored column; the rules read entry.importance."),
    Field::default("entry", Shape::Nullable(&ENTRY), "null", "The decrypted memory; null where it can't be decrypted."),
    Field::optional("features", Shape::Nullable(&FEATURES), "Opaque index data that prepare made."),
];

const FEATURES: Shape = Shape::Object(&Object::of(&[Field::required("artifact", Shape::Artifact, "The index data.")]));

/// A memory; unknown fields are kept. What its content must be differs by use.
macro_rules! entry {
    ($content:expr) => {
        Shape::Object(&Object {
            fields: &[
                Field::default("id", Shape::TEXT, "\"\"", "Its id."),
                Field::default(
                    "kind",
                    Shape::TEXT,
                    "\"\"",
                    "context, decision, preference, task, emotion, time, skill or knowledge.",
                ),
                Field::default("tags", TEXTS, "[]", "Labels."),
                Field::default("title", Shape::TEXT, "\"\"", "Untrusted text."),
                $content,
                Field::default("user", Shape::TEXT, "\"\"", "Who it is about."),
                Field::default("computer", Shape::TEXT, "\"\"", "Scope."),
                Field::default("project", Shape::TEXT, "\"\"", "Scope."),
                Field::default("created_at", Shape::TEXT, "\"\"", "RFC 3339; what newest is measured by."),
                Field::default("updated_at", Shape::TEXT, "\"\"", "RFC 3339."),
                Field::default("emotion", EMOTION, "-1", "-1: not labelled."),
                Field::default("parent_id", OPTIONAL_TEXT, "null", "The memory it stands under."),
                Field::default("importance", Shape::TEXT, "\"\"", "important, normal or trivial (a diary line)."),
                Field::default("device", Shape::TEXT, "\"\"", "Where it was written."),
                Field::default("modified_by", Shape::TEXT, "\"\"", "Where it was last changed."),
                Field::default("supersedes", Shape::TEXT, "\"\"", "The id it replaces."),
                Field::default("superseded_by", Shape::TEXT, "\"\"", "A hint; decides nothing."),
                Field::default("see_also", TEXTS, "[]", "Linked ids, symmetric."),
                Field::default("contradicts", TEXTS, "[]", "Ids it speaks against."),
                Field::default("derived_from", TEXTS, "[]", "Ids it was made from."),
            ],
            open: true,
            either: &[],
        })
    };
}

/// A stored memory.
pub const ENTRY: Shape = entry!(Field::default("content", Shape::TEXT, "\"\"", "Untrusted text."));

/// A memory about to be stored: without content there is nothing to compare.
pub const NEW_ENTRY: Shape =
    entry!(Field::required("content", Shape::Text { min: 1, max: limits::TEXT_BYTES }, "Untrusted text."));

pub const EMOTION: Shape = Shape::Integer { min: -1, max: COUNT_MAX };

pub const MODEL: Field =
    Field::required("model", Shape::TEXT, "none, test-hash:<1 to 4096> or host:<name of 1 to 128 characters>.");
pub const RESIDENT_KEY: Shape = Shape::TEXT;

pub const VECTORS: Field = Field::optional(
    "vectors",
    Shape::Object(&Object::of(&[
        Field::required("ids", Shape::IDS, "Snapshots of this call, each once."),
        Field::required(
            "data",
            Shape::Attachment { dtype: Dtype::F32, rank: 2 },
            "One row an id, any length but zero.",
        ),
    ])),
    "The host's own vectors; only with a host: model.",
);

pub const QUERY_FIELDS: &[Field] = &[
    Field::required("text", Shape::TEXT, "What is looked for."),
    Field::required("limit", LIMIT, "At most so many hits."),
    Field::optional("kind", OPTIONAL_TEXT, "Only memories of this kind."),
    Field::optional("project", OPTIONAL_TEXT, "Only memories of this project."),
    Field::optional("computer", OPTIONAL_TEXT, "Only memories of this computer."),
];

/// Budgets and thresholds of associations.
pub const RELATED_SETTINGS: Shape = Shape::Object(&Object::of(&[
    Field::default("enabled", Shape::Boolean, "true", "False: no associations; superseded hints are still given."),
    Field::default("max", BUDGET, "8", "Associations in all."),
    Field::default("per_source", BUDGET, "3", "Associations a hit may bring."),
    Field::default(
        "pair_min",
        Shape::Integer { min: 1, max: PAIR_MIN_MAX },
        "2",
        "Co-recall pairs below it don't count.",
    ),
    Field::optional(
        "min_cos",
        Shape::Number { min: -1.0, max: 1.0 },
        "Neighbours below it don't count; the model's own if left out.",
    ),
    Field::default("knn_seeds", BUDGET, "3", "First hits that have a vector whose neighbours are looked up."),
    Field::default("knn_per", BUDGET, "2", "Neighbours a seed may bring."),
    Field::default(
        "relations",
        Shape::List { item: &Shape::Choice(RELATIONS), max: usize::MAX },
        "[\"new_version\",\"old_version\",\"see_also\",\"co_recall\",\"neighbor\"]",
        "The labels wanted, each once; contradicts, derived_from and derivative must be asked for.",
    ),
    Field::default("explain", Shape::Boolean, "false", "Adds the ledger."),
]));

/// A list of associations.
pub const ASSOCIATIONS: Shape = Shape::List {
    item: &Shape::Object(&Object::of(&[
        Field::required("id", Shape::ID, "The memory shown."),
        Field::required("title", Shape::TEXT, "Its title, at most 160 characters."),
        Field::required("source_id", Shape::ID, "The hit it stands beside."),
        Field::required("relation", Shape::Choice(RELATIONS), "How they belong together."),
    ])),
    max: limits::RELATED_MAX as usize,
};

/// What was considered.
pub const LEDGER: Shape = Shape::Object(&Object::of(&[
    Field::required("considered", COUNT, "Candidates looked at."),
    Field::required("returned", COUNT, "Candidates taken."),
    Field::required(
        "dropped",
        Shape::List {
            item: &Shape::Object(&Object::of(&[
                Field::required("id", Shape::TEXT, "The candidate."),
                Field::required("source_id", Shape::ID, "The hit that brought it."),
                Field::required("relation", Shape::Choice(RELATIONS), "How."),
                Field::required("reason", Shape::Choice(REASONS), "Why it was not taken."),
            ])),
            max: corecall_policy::Ledger::LISTED_MAX,
        },
        "The first drops.",
    ),
]));

/// A list of memories by name.
pub const NAMED: Shape = Shape::List {
    item: &Shape::Object(&Object::of(&[
        Field::required("id", Shape::ID, "The memory."),
        Field::required("title", Shape::TEXT, "Its title, at most 160 characters."),
    ])),
    max: usize::MAX,
};

/// The result of `capabilities`.
pub const CAPABILITIES: &Object = &Object::of(&[
    Field::required("abi_version", Shape::TEXT, "Major and minor version of the C ABI."),
    Field::required("schema_version", RANGE, "Envelopes that are read."),
    Field::required("association_contract", COUNT, "The contract of related_business."),
    Field::required("operations", TEXTS, "The names of all operations."),
    Field::required("contracts", Shape::Map(&COUNT), "The contract of each operation, for require."),
    Field::required(
        "formats",
        Shape::Object(&Object::of(&[
            Field::required(
                "store",
                Shape::Object(&Object::of(&[
                    Field::required(
                        "read",
                        Shape::List { item: &COUNT, max: usize::MAX },
                        "Schema versions of files that are opened.",
                    ),
                    Field::required("write", COUNT, "The schema version of a new file."),
                ])),
                "Library files.",
            ),
            Field::required("artifact", COUNT, "The version of the index data that prepare makes."),
        ])),
        "Formats of bytes.",
    ),
    Field::required("limits", Shape::Map(&COUNT), "Requests beyond these are refused."),
    Field::required("models", TEXTS, "Kinds of embedding model."),
    Field::required("inference_execution", Shape::TEXT, "Where texts become vectors."),
    Field::required(
        "build",
        Shape::Object(&Object::of(&[
            Field::required("version", Shape::TEXT, "The library's version."),
            Field::required("commit", Shape::TEXT, "What it was built from; empty if unknown."),
            Field::required("target", Shape::TEXT, "What it was built for."),
            Field::required("simd", Shape::TEXT, "The kernels this machine runs."),
        ])),
        "What this build is.",
    ),
]);

const RANGE: Shape = Shape::Object(&Object::of(&[
    Field::required("min", COUNT, "The oldest."),
    Field::required("max", COUNT, "The newest."),
]));

#[cfg(test)]
mod tests {
    use corecall_policy::{RelatedSettings, Relation};

    use super::*;
    use crate::json;
    use crate::path::Path;

    #[test]
    fn labels_and_defaults_are_those_of_the_policy() {
        assert!(RELATIONS.iter().copied().eq(Relation::ALL.map(Relation::name)));
        let settings =
            serde_json::to_string(&RelatedSettings { min_cos: Some(0.5), ..RelatedSettings::default() }).unwrap();
        RELATED_SETTINGS
            .check(&json::parse(settings.as_bytes()).unwrap(), &Path::Root("settings"), &mut Vec::new())
            .unwrap();
        let Shape::Object(object) = &RELATED_SETTINGS else { panic!("settings are an object") };
        let written: serde_json::Value = serde_json::from_str(&settings).unwrap();
        for field in object.fields {
            if let crate::shape::Need::Default(default) = field.need {
                assert_eq!(
                    serde_json::from_str::<serde_json::Value>(default).unwrap(),
                    written[field.name],
                    "{}",
                    field.name
                );
            }
        }
    }
}
