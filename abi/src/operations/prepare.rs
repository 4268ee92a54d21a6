//! `prepare`: opaque index data for the host to keep beside its memories.

use corecall_library::{self as library, Prepare};
use corecall_types::Result;
use serde_json::{Value, json};

use super::shapes;
use crate::attachments::Dtype;
use crate::decode::decode;
use crate::dispatch::{Answer, Context, Needs, Operation};
use crate::shape::{Field, Object, Shape};

pub const PREPARE: Operation = Operation {
    name: "prepare",
    about: "Makes opaque index data, as attachments of the reply, for the host to keep beside its memories.",
    contract: 1,
    needs: Needs::Nothing,
    payload: Shape::Object(&Object::of(&[
        shapes::MODEL,
        Field::required(
            "entries",
            Shape::List {
                item: &Shape::Object(&Object::of(&[
                    Field::required("id", Shape::ID, "Comes back with its index data; each once."),
                    Field::optional("title", shapes::OPTIONAL_TEXT, "Its title."),
                    Field::required("content", Shape::TEXT, "Its text."),
                    Field::default("tags", shapes::TEXTS, "[]", "Its labels."),
                ])),
                max: usize::MAX,
            },
            "The texts.",
        ),
    ])),
    result: Shape::Object(&Object::of(&[Field::required(
        "prepared",
        Shape::List {
            item: &Shape::Object(&Object::of(&[
                Field::required("id", Shape::ID, "The entry's id."),
                Field::required(
                    "features",
                    Shape::Object(&Object::of(&[Field::required(
                        "artifact",
                        Shape::Attachment { dtype: Dtype::U8, rank: 1 },
                        "The index data.",
                    )])),
                    "To be kept as the snapshot's features.",
                ),
            ])),
            max: usize::MAX,
        },
        "In the order of the entries.",
    )])),
    run: prepare,
};

fn prepare(context: &Context<'_>, answer: &mut Answer) -> Result<()> {
    let request: Prepare = decode(context.payload)?;
    let mut prepared = Vec::with_capacity(request.entries.len());
    for item in library::prepare(&request, context.task)? {
        let index = answer.attach(&item.artifact);
        let artifact = json!({ "$attachment": index, "dtype": Dtype::U8.name(), "shape": [item.artifact.len()] });
        prepared.push(json!({ "id": item.id, "features": { "artifact": artifact } }));
    }
    answer.result(&json!({ "prepared": Value::Array(prepared) }));
    Ok(())
}
