//! Resident sets: snapshots that are sent once and held ready for many calls.

use corecall_types::Result;
use serde_json::json;

use super::shapes;
use super::snapshots::change;
use crate::dispatch::{Answer, Context, Needs, Operation};
use crate::json::Value;
use crate::shape::{Field, Object, Shape};

pub const RESIDENT_PUBLISH: Operation = Operation {
    name: "resident_publish",
    about: "Holds snapshots ready under a key of this handle, or builds on a set held before, whose key then ends.",
    contract: 1,
    needs: Needs::Nothing,
    payload: Shape::Object(&Object::of(&[
        shapes::MODEL,
        Field::optional("base_key", Shape::Nullable(&shapes::RESIDENT_KEY), "The set to build on."),
        Field::required("snapshots", shapes::SNAPSHOTS, "New ones, and new versions of those in the base."),
        Field::default("removed", Shape::IDS, "[]", "Ids in the base that leave it."),
        shapes::VECTORS,
    ])),
    result: Shape::Object(&Object::of(&[
        Field::required("resident_key", Shape::ID, "The set's key."),
        Field::required("indexed", shapes::COUNT, "Snapshots now in the set."),
    ])),
    run: publish,
};

pub const RESIDENT_RELEASE: Operation = Operation {
    name: "resident_release",
    about: "Lets go of a resident set.",
    contract: 1,
    needs: Needs::Nothing,
    payload: Shape::Object(&Object::of(&[Field::required("resident_key", shapes::RESIDENT_KEY, "The set's key.")])),
    result: Shape::Object(&Object::of(&[Field::required("released", Shape::Boolean, "True.")])),
    run: release,
};

fn publish(context: &Context<'_>, answer: &mut Answer) -> Result<()> {
    let model = text(context, "model").unwrap_or_default();
    let change = change(context)?;
    let (key, indexed) = context.core.residents().publish(text(context, "base_key"), model, change, context.task)?;
    answer.result(&json!({ "resident_key": key, "indexed": indexed }));
    Ok(())
}

fn release(context: &Context<'_>, answer: &mut Answer) -> Result<()> {
    context.core.residents().release(text(context, "resident_key").unwrap_or_default())?;
    answer.result(&json!({ "released": true }));
    Ok(())
}

fn text<'c>(context: &Context<'c>, name: &str) -> Option<&'c str> {
    context.payload.member(name).and_then(Value::text)
}
