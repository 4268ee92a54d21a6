//! The stateless operations on snapshots: `related_business`, `query`, `remember_candidates`.

use std::borrow::Cow;

use corecall_library as library;
use corecall_library::{RankQuery, RelatedBusiness, RememberCandidates};
use corecall_types::Result;

use super::shapes;
use super::snapshots::{SET_MEMBERS, set};
use crate::decode::{decode, decode_without};
use crate::dispatch::{Answer, Context, Needs, Operation};
use crate::json::Value;
use crate::shape::{Field, Object, Shape};

const SNAPSHOTS: Field = Field::optional("snapshots", shapes::SNAPSHOTS, "The host's memories; or a resident_key.");
const RESIDENT_KEY: Field =
    Field::optional("resident_key", shapes::RESIDENT_KEY, "A set that resident_publish made, instead of snapshots.");
const EITHER: &[(&str, &str)] = &[("snapshots", "resident_key")];

pub const RELATED_BUSINESS: Operation = Operation {
    name: "related_business",
    about: "Association contract 1: what stands beside the final hits of a recall, and what replaced them.",
    contract: 1,
    needs: Needs::Nothing,
    payload: Shape::Object(&Object {
        fields: &[
            shapes::MODEL,
            SNAPSHOTS,
            RESIDENT_KEY,
            Field::required("query", Shape::Object(&Object::of(shapes::QUERY_FIELDS)), "The query that was asked."),
            Field::required("ids", Shape::IDS, "The final hits, each once, in rank order."),
            Field::required(
                "pairs",
                Shape::List {
                    item: &Shape::Object(&Object::of(&[
                        Field::required("a", Shape::ID, "One memory."),
                        Field::required("b", Shape::ID, "Another memory."),
                        Field::required("n", shapes::COUNT, "How often they were recalled together."),
                    ])),
                    max: usize::MAX,
                },
                "Every local pair row that touches a hit.",
            ),
            Field::optional("related_settings", shapes::RELATED_SETTINGS, "Budgets and thresholds."),
            shapes::VECTORS,
        ],
        open: false,
        either: EITHER,
    }),
    result: Shape::Object(&Object::of(&[
        Field::required("related", shapes::ASSOCIATIONS, "The associations, in order."),
        Field::required("superseded", Shape::Map(&Shape::ID), "Of each replaced hit its newest live version."),
        Field::optional("ledger", shapes::LEDGER, "What was considered; only with explain."),
    ])),
    run: related_business,
};

pub const QUERY: Operation = Operation {
    name: "query",
    about: "Ranks snapshots for a text.",
    contract: 1,
    needs: Needs::Nothing,
    payload: Shape::Object(&Object {
        fields: &[
            shapes::MODEL,
            SNAPSHOTS,
            RESIDENT_KEY,
            Field::required(
                "query",
                Shape::Object(&Object::of(&[
                    Field::required("text", Shape::TEXT, "What is looked for."),
                    Field::required("limit", shapes::LIMIT, "At most so many hits."),
                    Field::optional("kind", shapes::OPTIONAL_TEXT, "Only memories of this kind."),
                    Field::optional("project", shapes::OPTIONAL_TEXT, "Only memories of this project."),
                    Field::optional("computer", shapes::OPTIONAL_TEXT, "Only memories of this computer."),
                    Field::default("min_score", shapes::SCORE, "0", "Hits below it are left out."),
                ])),
                "What is looked for, and where.",
            ),
            shapes::VECTORS,
            Field::optional(
                "query_vector",
                shapes::VECTOR,
                "The host's own vector of the text; only with a host: model.",
            ),
        ],
        open: false,
        either: EITHER,
    }),
    result: Shape::Object(&Object::of(&[Field::required(
        "hits",
        Shape::List {
            item: &Shape::Object(&Object::of(&[
                Field::required("id", Shape::ID, "The memory."),
                Field::required("score", shapes::SCORE, "How well it fits."),
            ])),
            max: usize::MAX,
        },
        "Best first.",
    )])),
    run: query,
};

pub const REMEMBER_CANDIDATES: Operation = Operation {
    name: "remember_candidates",
    about: "Which memories an entry about to be remembered probably repeats, or belongs under.",
    contract: 1,
    needs: Needs::Nothing,
    payload: Shape::Object(&Object {
        fields: &[
            shapes::MODEL,
            SNAPSHOTS,
            RESIDENT_KEY,
            Field::required("entry", shapes::NEW_ENTRY, "What is about to be remembered."),
            shapes::VECTORS,
            Field::optional(
                "entry_vector",
                shapes::VECTOR,
                "The host's own vector of the entry; only with a host: model.",
            ),
        ],
        open: false,
        either: EITHER,
    }),
    result: Shape::Object(&Object::of(&[
        Field::required("merge", shapes::NAMED, "Near-identical memories, most alike first."),
        Field::required("parent", shapes::NAMED, "Memories it could be placed under, most alike first."),
    ])),
    run: remember_candidates,
};

const RELATED_TAKEN: &[&str] = &SET_MEMBERS;
const CANDIDATES_TAKEN: &[&str] = &[SET_MEMBERS[0], SET_MEMBERS[1], SET_MEMBERS[2], SET_MEMBERS[3], "entry_vector"];

fn related_business(context: &Context<'_>, answer: &mut Answer) -> Result<()> {
    let set = set(context)?;
    let request: RelatedBusiness = decode_without(context.payload, RELATED_TAKEN)?;
    answer.result(&library::related_business(&set, &request)?);
    Ok(())
}

fn query(context: &Context<'_>, answer: &mut Answer) -> Result<()> {
    let set = set(context)?;
    let request: RankQuery = decode(context.payload.member("query").unwrap_or(&Value::Null))?;
    let vector = passed_vector(context, "query_vector");
    answer.result(&library::query(&set, &request, vector.as_deref(), context.task)?);
    Ok(())
}

fn remember_candidates(context: &Context<'_>, answer: &mut Answer) -> Result<()> {
    let set = set(context)?;
    let request: RememberCandidates = decode_without(context.payload, CANDIDATES_TAKEN)?;
    let vector = passed_vector(context, "entry_vector");
    answer.result(&library::remember_candidates(&set, &request, vector.as_deref(), context.task)?);
    Ok(())
}

fn passed_vector<'c>(context: &Context<'c>, name: &str) -> Option<Cow<'c, [f32]>> {
    context.payload.member(name).map(|marker| context.attachments.floats(marker))
}
