//! Reads the snapshots, artifacts and vectors of a payload, or finds the resident set it names.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use corecall_library::{Indexed, Publish, ResidentSet, Vectors};
use corecall_types::{Code, Error, Result};

use crate::attachments::dimension;
use crate::decode::{decode, decode_without};
use crate::dispatch::Context;
use crate::json::Value;

/// The members of a payload that [`set`] reads.
pub const SET_MEMBERS: [&str; 4] = ["model", "snapshots", "resident_key", "vectors"];

/// The set a stateless operation works on: published before, or made of the call's own snapshots.
pub fn set(context: &Context<'_>) -> Result<ResidentSet> {
    let payload = context.payload;
    let model = payload.member("model").and_then(Value::text).unwrap_or_default();
    let Some(key) = payload.member("resident_key").and_then(Value::text) else {
        return ResidentSet::of(model, change(context)?, context.task);
    };
    if payload.member("vectors").is_some() {
        let message = "a resident set has its vectors: leave them out, or publish the snapshots with them";
        return Err(Error::new(Code::ArgumentConflict, message).at("vectors"));
    }
    let set = context.core.residents().set(key)?;
    set.check_model(model)?;
    Ok(set)
}

/// The snapshots with their artifacts and vectors, and the ids that are removed.
pub fn change(context: &Context<'_>) -> Result<Publish> {
    let items = context.payload.member("snapshots").map_or(&[] as &[_], Value::items);
    let snapshots = items.iter().enumerate().map(|(index, item)| indexed(context, item, index));
    Ok(Publish {
        snapshots: snapshots.collect::<Result<_>>()?,
        removed: context.payload.member("removed").map_or(Ok(Vec::new()), decode)?,
        vectors: context.payload.member("vectors").map(|vectors| host_vectors(context, vectors)).transpose()?,
    })
}

fn indexed(context: &Context<'_>, item: &Value<'_>, index: usize) -> Result<Indexed> {
    let artifact = match item.member("features").and_then(|features| features.member("artifact")) {
        None => None,
        Some(Value::Text(text)) => Some(STANDARD.decode(text.as_bytes()).map_err(|_| {
            let message = "the artifact must be base64 with padding, as it was stored";
            Error::new(Code::ArtifactInvalid, message).at(format!("snapshots[{index}].features.artifact"))
        })?),
        Some(marker) => Some(context.attachments.bytes(marker).to_vec()),
    };
    Ok(Indexed { snapshot: decode_without(item, &["features"])?, artifact })
}

fn host_vectors(context: &Context<'_>, vectors: &Value<'_>) -> Result<Vectors> {
    let ids: Vec<String> = vectors.member("ids").map_or(Ok(Vec::new()), decode)?;
    let marker = vectors.member("data").unwrap_or(&Value::Null);
    let (rows, dims) = (dimension(marker, 0), dimension(marker, 1));
    if rows != ids.len() {
        let message = format!("the shape has {rows} rows for {} ids: give each id one row", ids.len());
        return Err(Error::new(Code::AttachmentShape, message).at("vectors.data"));
    }
    Ok(Vectors { ids, data: context.attachments.floats(marker).into_owned(), dims })
}
