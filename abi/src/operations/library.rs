//! The operations of the embedded library.

use corecall_library::{Forget, Library, Link, Recall, Relations, Remember, Restore, Show, Unsupersede, Update};
use corecall_types::Result;

use super::shapes::{self, COUNT, ENTRY, NAMED, OPTIONAL_TEXT, TEXTS};
use crate::decode::{decode, decode_without};
use crate::dispatch::{Answer, Context, Needs, Operation};
use crate::json::Value;
use crate::shape::{Field, Object, Shape};

const NAME: &str = "Its id, its title, or at least 8 characters its id begins with.";
const NAME_OR_GONE: &str =
    "Its id, its title, or at least 8 characters its id begins with; a forgotten one by its whole id.";
const TARGET: &str = "Its id, its title, or at least 8 characters its id begins with.";
const LINKS: &[&str] = &["see_also", "related_to", "contradicts", "derived_from"];
const DEVICE: Field = Field::default("device", Shape::TEXT, "\"\"", "Where it is written.");
const EDGES: &[&str] = &["supersedes", "see_also", "related_to", "contradicts", "derived_from"];

pub const REMEMBER: Operation = Operation {
    name: "remember",
    about: "Stores a memory, or proposes what it would repeat and stores nothing.",
    contract: 1,
    needs: Needs::Library,
    payload: Shape::Object(&Object::of(&[
        Field::required("content", Shape::Text { min: 1, max: crate::limits::TEXT_BYTES }, "The text, kept exactly."),
        Field::optional("title", OPTIONAL_TEXT, "The content's first line, cut, if left out."),
        Field::default("kind", shapes::KIND, "\"knowledge\"", "What it is."),
        Field::default("tags", TEXTS, "[]", "Labels."),
        Field::default("project", Shape::TEXT, "\"\"", "Scope."),
        Field::default("computer", Shape::TEXT, "\"\"", "Scope."),
        Field::default("user", Shape::TEXT, "\"\"", "Who it is about."),
        Field::default("device", Shape::TEXT, "\"\"", "Where it is written."),
        Field::default("importance", shapes::IMPORTANCE, "\"important\"", "trivial: a diary line."),
        Field::optional("parent", OPTIONAL_TEXT, "The memory it stands under, by id, title or beginning of the id."),
        Field::optional("supersedes", OPTIONAL_TEXT, "The memory it replaces."),
        Field::default("see_also", TEXTS, "[]", "Memories it is linked with, both ways."),
        Field::default("contradicts", TEXTS, "[]", "Memories it speaks against."),
        Field::default("derived_from", TEXTS, "[]", "Memories it was made from."),
        Field::optional("expected_head", OPTIONAL_TEXT, "The newest version the chain of supersedes must have."),
        Field::default("force", Shape::Boolean, "false", "Stores it whatever it repeats."),
        Field::default("emotion", shapes::EMOTION, "-1", "A label of the host; -1: not labelled."),
        Field::optional("vector", shapes::VECTOR, "The host's own vector, exactly for a library with a host: model."),
    ])),
    result: Shape::Object(&Object::of(&[
        Field::required("state", Shape::Choice(&["created", "exists", "candidates"]), "What happened."),
        Field::required("written", Shape::Boolean, "Whether anything was stored."),
        Field::required("id", Shape::Nullable(&Shape::ID), "The memory; null for candidates."),
        Field::required("merge", NAMED, "Near-identical memories."),
        Field::required("parent", NAMED, "Memories it could be placed under."),
    ])),
    run: remember,
};

pub const RECALL: Operation = Operation {
    name: "recall",
    about: "Ranks memories for a text, with their associations.",
    contract: 1,
    needs: Needs::Library,
    payload: Shape::Object(&Object::of(&[
        Field::required("text", Shape::TEXT, "What is looked for."),
        Field::default("limit", shapes::LIMIT, "20", "At most so many hits."),
        Field::optional("kind", OPTIONAL_TEXT, "Only memories of this kind."),
        Field::optional("project", OPTIONAL_TEXT, "Only memories of this project."),
        Field::optional("computer", OPTIONAL_TEXT, "Only memories of this computer."),
        Field::optional("tags", Shape::Nullable(&TEXTS), "Only memories that have all of these."),
        Field::optional("since", Shape::Nullable(&Shape::Time), "Only memories made then or later."),
        Field::optional("until", Shape::Nullable(&Shape::Time), "Only memories made before."),
        Field::default("titles", Shape::Boolean, "false", "Hits without their entries."),
        Field::default("min_score", shapes::SCORE, "0", "Hits below it are left out."),
        Field::default("no_related", Shape::Boolean, "false", "Neither associations nor superseded hints."),
        Field::default(
            "superseded",
            Shape::Choice(&["mark", "hide"]),
            "\"mark\"",
            "hide: replaced hits give way to others.",
        ),
        Field::optional("related_settings", shapes::RELATED_SETTINGS, "Budgets and thresholds."),
        Field::default("explain", Shape::Boolean, "false", "Adds ledger and primary_digest."),
        Field::optional("vector", shapes::VECTOR, "The host's own vector, exactly for a library with a host: model."),
    ])),
    result: Shape::Object(&Object::of(&[
        Field::required("hits", HITS, "Best first."),
        Field::required("related", shapes::ASSOCIATIONS, "What stands under the hits."),
        Field::required(
            "summary",
            Shape::Object(&Object::of(&[
                Field::required("hits", COUNT, "How many hits."),
                Field::required("associations", COUNT, "How many associations; never counted as hits."),
            ])),
            "The counts.",
        ),
        Field::optional("ledger", shapes::LEDGER, "What was considered; only with explain."),
        Field::optional("primary_digest", Shape::TEXT, "SHA-256 of the hits' ids and scores; only with explain."),
    ])),
    run: recall,
};

const HITS: Shape = Shape::List {
    item: &Shape::Object(&Object::of(&[
        Field::required("id", Shape::ID, "The memory."),
        Field::required("title", Shape::TEXT, "Its title, at most 160 characters."),
        Field::required("score", shapes::SCORE, "How well it fits."),
        Field::optional("entry", ENTRY, "The memory, whole; left out with titles."),
        Field::required("ancestors", NAMED, "Root to parent."),
        Field::required("superseded_by", Shape::Nullable(&Shape::ID), "Its newest live version."),
    ])),
    max: crate::limits::RECALL_LIMIT as usize,
};

pub const SHOW: Operation = Operation {
    name: "show",
    about: "One memory, whole.",
    contract: 1,
    needs: Needs::Library,
    payload: Shape::Object(&Object::of(&[Field::required("id", Shape::TEXT, NAME_OR_GONE)])),
    result: Shape::Object(&Object::of(&[
        Field::required("entry", ENTRY, "The memory."),
        Field::required("deleted", Shape::Boolean, "Whether it was forgotten."),
        Field::required("superseded_by", Shape::Nullable(&Shape::ID), "Its newest live version."),
        Field::required("ancestors", NAMED, "Root to parent."),
    ])),
    run: show,
};

pub const RELATIONS: Operation = Operation {
    name: "relations",
    about: "The edges of a memory, in pages.",
    contract: 1,
    needs: Needs::Library,
    payload: Shape::Object(&Object::of(&[
        Field::required("id", Shape::TEXT, NAME_OR_GONE),
        Field::optional(
            "type",
            Shape::Nullable(&Shape::Choice(EDGES)),
            "Only edges of this type; related_to is see_also.",
        ),
        Field::default(
            "direction",
            Shape::Choice(&["outgoing", "incoming", "both"]),
            "\"both\"",
            "Which end the memory is.",
        ),
        Field::default("limit", shapes::LIMIT, "100", "At most so many edges."),
        Field::optional("cursor", OPTIONAL_TEXT, "next_cursor of the page before."),
    ])),
    result: Shape::Object(&Object::of(&[
        Field::required(
            "relations",
            Shape::List {
                item: &Shape::Object(&Object::of(&[
                    Field::required("source_id", Shape::ID, "The memory that wrote the edge."),
                    Field::required("target_id", Shape::ID, "The memory it points to."),
                    Field::required("type", Shape::Choice(EDGES), "Its type."),
                    Field::required("created_at", Shape::TEXT, "When it was made."),
                    Field::required("active", Shape::Boolean, "Whether both ends are live."),
                ])),
                max: crate::limits::RECALL_LIMIT as usize,
            },
            "By type, source and target.",
        ),
        Field::required("next_cursor", OPTIONAL_TEXT, "Give it to go on; null at the end."),
    ])),
    run: relations,
};

pub const FORGET: Operation = Operation {
    name: "forget",
    about: "Makes a memory a tombstone.",
    contract: 1,
    needs: Needs::Library,
    payload: Shape::Object(&Object::of(&[
        Field::required("id", Shape::TEXT, NAME),
        Field::optional(
            "cascade",
            Shape::Nullable(&Shape::Choice(&["derived"])),
            "derived: also memories whose every source is gone, and those made from such.",
        ),
        Field::default("dry_run", Shape::Boolean, "false", "Only tells what would happen."),
    ])),
    result: Shape::Object(&Object::of(&[
        Field::required("id", Shape::ID, "The memory."),
        Field::required("state", Shape::Choice(&["forgotten", "dry_run"]), "What happened."),
        Field::required("derived", NAMED, "Memories that were forgotten with it."),
        Field::required("revived", NAMED, "Memories that became current by it."),
    ])),
    run: forget,
};

pub const RESTORE: Operation = Operation {
    name: "restore",
    about: "Makes a tombstone a memory again, with its text and relations.",
    contract: 1,
    needs: Needs::Library,
    payload: Shape::Object(&Object::of(&[Field::required("id", Shape::TEXT, "The whole id of a forgotten memory.")])),
    result: Shape::Object(&Object::of(&[
        Field::required("id", Shape::ID, "The memory."),
        Field::required("state", Shape::Choice(&["restored", "exists"]), "exists: it isn't forgotten."),
        Field::required("written", Shape::Boolean, "Whether anything was stored."),
        Field::required("superseded_by", Shape::Nullable(&Shape::ID), "Its newest live version."),
        Field::required("retired", NAMED, "Memories that are replaced by it again."),
    ])),
    run: |context, answer| {
        let request: Restore = decode(context.payload)?;
        answer.result(&library(context).restore(context.task, &request)?);
        Ok(())
    },
};

pub const LINK: Operation = Operation {
    name: "link",
    about: "Links two memories; one that is there already is left as it is.",
    contract: 1,
    needs: Needs::Library,
    payload: Shape::Object(&Object::of(&[
        Field::required("id", Shape::TEXT, NAME),
        Field::required("target", Shape::TEXT, TARGET),
        LINK_TYPE,
        DEVICE,
    ])),
    result: LINKED,
    run: |context, answer| {
        let request: Link = decode(context.payload)?;
        answer.result(&library(context).link(context.task, &request)?);
        Ok(())
    },
};

pub const UNLINK: Operation = Operation {
    name: "unlink",
    about: "Withdraws a link, from whichever end.",
    contract: 1,
    needs: Needs::Library,
    payload: Shape::Object(&Object::of(&[
        Field::required("id", Shape::TEXT, NAME_OR_GONE),
        Field::required("target", Shape::TEXT, NAME_OR_GONE),
        LINK_TYPE,
        DEVICE,
    ])),
    result: UNLINKED,
    run: |context, answer| {
        let request: Link = decode(context.payload)?;
        answer.result(&library(context).unlink(context.task, &request)?);
        Ok(())
    },
};

const LINKED: Shape = Shape::Object(&Object::of(&[
    Field::required("state", Shape::Choice(&["linked", "exists"]), "What happened."),
    Field::required("written", Shape::Boolean, "Whether anything was stored."),
    Field::required("source_id", Shape::ID, "The memory it starts at."),
    Field::required("target_id", Shape::ID, "The memory it leads to."),
    Field::required("type", Shape::Choice(LINKS), "Its type."),
]));

const UNLINKED: Shape = Shape::Object(&Object::of(&[
    Field::required("state", Shape::Choice(&["unlinked"]), "What happened."),
    Field::required("written", Shape::Boolean, "Whether anything was stored."),
    Field::required("source_id", Shape::ID, "The memory it started at."),
    Field::required("target_id", Shape::ID, "The memory it led to."),
    Field::required("type", Shape::Choice(LINKS), "Its type."),
]));

const LINK_TYPE: Field = Field::default(
    "type",
    Shape::Choice(LINKS),
    "\"see_also\"",
    "see_also (or related_to) both ways; contradicts and derived_from from the memory to its target.",
);

pub const UNSUPERSEDE: Operation = Operation {
    name: "unsupersede",
    about: "Withdraws the replacement that a memory wrote; both memories stay.",
    contract: 1,
    needs: Needs::Library,
    payload: Shape::Object(&Object::of(&[Field::required("id", Shape::TEXT, NAME_OR_GONE), DEVICE])),
    result: Shape::Object(&Object::of(&[
        Field::required("id", Shape::ID, "The memory."),
        Field::required("state", Shape::Choice(&["withdrawn"]), "What happened."),
        Field::required("target_id", Shape::ID, "What it replaced."),
        Field::required("revived", NAMED, "Memories that became current by it."),
    ])),
    run: |context, answer| {
        let request: Unsupersede = decode(context.payload)?;
        answer.result(&library(context).unsupersede(context.task, &request)?);
        Ok(())
    },
};

pub const UPDATE: Operation = Operation {
    name: "update",
    about: "Edits text or fields of a memory; what isn't given stays, and so do its relations.",
    contract: 1,
    needs: Needs::Library,
    payload: Shape::Object(&Object::of(&[
        Field::required("id", Shape::TEXT, NAME),
        Field::optional(
            "content",
            Shape::Nullable(&Shape::Text { min: 1, max: crate::limits::TEXT_BYTES }),
            "The text, kept exactly.",
        ),
        Field::optional(
            "title",
            OPTIONAL_TEXT,
            "Left out, a title made from the old content is made from the new one.",
        ),
        Field::optional("kind", Shape::Nullable(&shapes::KIND), "What it is."),
        Field::optional("tags", Shape::Nullable(&TEXTS), "All its labels."),
        Field::optional("project", OPTIONAL_TEXT, "Scope."),
        Field::optional("computer", OPTIONAL_TEXT, "Scope."),
        Field::optional("user", OPTIONAL_TEXT, "Who it is about."),
        Field::optional("importance", Shape::Nullable(&shapes::IMPORTANCE), "trivial only without relations."),
        Field::optional("parent", OPTIONAL_TEXT, "The memory it stands under; an empty text: none."),
        Field::optional("emotion", Shape::Nullable(&shapes::EMOTION), "A label of the host; -1: not labelled."),
        DEVICE,
        Field::optional("if_updated_at", OPTIONAL_TEXT, "Refuses unless this is its updated_at."),
        Field::optional(
            "vector",
            shapes::VECTOR,
            "The host's own vector, exactly where title or content change in a library with a host: model.",
        ),
    ])),
    result: Shape::Object(&Object::of(&[
        Field::required("id", Shape::ID, "The memory."),
        Field::required("state", Shape::Choice(&["updated", "unchanged"]), "What happened."),
        Field::required("written", Shape::Boolean, "Whether anything was stored."),
        Field::required("updated_at", Shape::TEXT, "When it was last changed."),
    ])),
    run: |context, answer| {
        let mut request: Update = decode_without(context.payload, &["vector"])?;
        request.vector = vector(context);
        answer.result(&library(context).update(context.task, &request)?);
        Ok(())
    },
};

pub const STATUS: Operation = Operation {
    name: "status",
    about: "Counts, versions, conflicts and the statistics queue.",
    contract: 1,
    needs: Needs::Library,
    payload: Shape::Nullable(&Shape::Object(&Object::of(&[]))),
    result: Shape::Object(&Object::of(&[
        Field::required("counts", Shape::Map(&COUNT), "live, trivial (of the live) and forgotten memories."),
        Field::required("model", Shape::TEXT, "The embedding model."),
        Field::required("path", Shape::TEXT, "The file, as it was opened."),
        Field::required("schema_version", COUNT, "Of the file."),
        Field::required("change_seq", COUNT, "Grows with every write."),
        Field::required("read_only", Shape::Boolean, "Whether nothing can be written."),
        Field::required(
            "conflicts",
            Shape::List {
                item: &Shape::Object(&Object::of(&[
                    Field::required("target_id", Shape::TEXT, "The memory claimed."),
                    Field::required("claimant_ids", Shape::IDS, "Who claims to replace it, the winner first."),
                ])),
                max: usize::MAX,
            },
            "Memories that several live ones claim to replace.",
        ),
        Field::required("statistics", Shape::Map(&COUNT), "pending, enqueued, persisted, rejected and failed records."),
    ])),
    run: |context, answer| {
        answer.result(&library(context).status(context.task)?);
        Ok(())
    },
};

pub const STATISTICS_FLUSH: Operation = Operation {
    name: "statistics_flush",
    about: "Waits until every pending statistic is stored.",
    contract: 1,
    needs: Needs::Library,
    payload: Shape::Nullable(&Shape::Object(&Object::of(&[]))),
    result: Shape::Object(&Object::of(&[Field::required("flushed", Shape::Boolean, "True.")])),
    run: |context, answer| {
        answer.result(&library(context).statistics_flush(context.task)?);
        Ok(())
    },
};

fn remember(context: &Context<'_>, answer: &mut Answer) -> Result<()> {
    let mut request: Remember = decode_without(context.payload, &["vector"])?;
    request.vector = vector(context);
    answer.result(&library(context).remember(context.task, &request)?);
    Ok(())
}

fn recall(context: &Context<'_>, answer: &mut Answer) -> Result<()> {
    let mut request: Recall = decode_without(context.payload, &["vector"])?;
    request.vector = vector(context);
    answer.result(&library(context).recall(context.task, &request)?);
    Ok(())
}

fn show(context: &Context<'_>, answer: &mut Answer) -> Result<()> {
    let request: Show = decode(context.payload)?;
    answer.result(&library(context).show(context.task, &request)?);
    Ok(())
}

fn relations(context: &Context<'_>, answer: &mut Answer) -> Result<()> {
    let request: Relations = decode(context.payload)?;
    answer.result(&library(context).relations(context.task, &request)?);
    Ok(())
}

fn forget(context: &Context<'_>, answer: &mut Answer) -> Result<()> {
    let request: Forget = decode(context.payload)?;
    answer.result(&library(context).forget(context.task, &request)?);
    Ok(())
}

fn library<'c>(context: &Context<'c>) -> &'c Library {
    context.core.library().expect("dispatch runs library operations on handles with a library only")
}

fn vector(context: &Context<'_>) -> Option<Vec<f32>> {
    let marker = context.payload.member("vector").filter(|marker| **marker != Value::Null)?;
    Some(context.attachments.floats(marker).into_owned())
}
