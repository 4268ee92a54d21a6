//! Shapes as JSON Schema 2020-12, for those who write requests and those who generate bindings.

use serde_json::{Map, Value, json};

use crate::attachments::Dtype;
use crate::shape::{DIMENSIONS, Field, Need, Object, Shape};

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The schema document of one operation: what it takes and what it answers.
///
/// Lengths of texts are limits in bytes of UTF-8; a schema counts characters, so it lets a little more through.
pub fn document(operation: &str, about: &str, payload: &Shape, result: &Shape) -> Value {
    json!({
        "$schema": DIALECT,
        "title": operation,
        "description": about,
        "type": "object",
        "properties": { "payload": schema(payload, false), "result": schema(result, true) },
    })
}

/// `open`: readers of replies ignore members they don't know, so results never close their objects.
fn schema(shape: &Shape, open: bool) -> Value {
    match shape {
        Shape::Any => json!({}),
        Shape::Boolean => json!({ "type": "boolean" }),
        Shape::Integer { min, max } => json!({ "type": "integer", "minimum": min, "maximum": max }),
        Shape::Number { min, max } => number(*min, *max),
        Shape::Text { min: 0, max } => json!({ "type": "string", "maxLength": max }),
        Shape::Text { min, max } => json!({ "type": "string", "minLength": min, "maxLength": max }),
        Shape::Time => json!({ "type": "string", "format": "date-time" }),
        Shape::Choice(choices) => json!({ "enum": choices }),
        Shape::List { item, max: usize::MAX } => json!({ "type": "array", "items": schema(item, open) }),
        Shape::List { item, max } => json!({ "type": "array", "maxItems": max, "items": schema(item, open) }),
        Shape::Object(of) => object(of, open),
        Shape::Map(item) => json!({ "type": "object", "additionalProperties": schema(item, open) }),
        Shape::Nullable(shape) => json!({ "anyOf": [schema(shape, open), { "type": "null" }] }),
        Shape::Attachment { dtype, rank } => attachment(*dtype, *rank),
        Shape::Artifact => {
            let base64 = json!({ "type": "string", "contentEncoding": "base64" });
            json!({ "anyOf": [attachment(Dtype::U8, 1), base64] })
        }
    }
}

fn number(min: f64, max: f64) -> Value {
    let mut number = Map::from_iter([("type".to_owned(), json!("number"))]);
    for (name, bound) in [("minimum", min), ("maximum", max)] {
        if bound.is_finite() {
            number.insert(name.to_owned(), json!(bound));
        }
    }
    Value::Object(number)
}

fn object(of: &Object, open: bool) -> Value {
    let properties: Map<String, Value> =
        of.fields.iter().map(|field| (field.name.to_owned(), member(field, open))).collect();
    let required: Vec<&str> =
        of.fields.iter().filter(|field| field.need == Need::Required).map(|field| field.name).collect();
    let mut schema = json!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    if !of.open && !open {
        schema["additionalProperties"] = json!(false);
    }
    if !of.either.is_empty() {
        let pair =
            |(first, second): &(&str, &str)| json!({ "oneOf": [{ "required": [first] }, { "required": [second] }] });
        schema["allOf"] = of.either.iter().map(pair).collect();
    }
    schema
}

fn member(field: &Field, open: bool) -> Value {
    let mut schema = schema(&field.shape, open);
    schema["description"] = json!(field.about);
    if let Need::Default(default) = field.need {
        schema["default"] = serde_json::from_str(default).expect("defaults are written as JSON");
    }
    schema
}

fn attachment(dtype: Dtype, rank: usize) -> Value {
    let axis = |last: bool| match dtype {
        Dtype::F32 if last => json!({ "type": "integer", "minimum": 1, "maximum": DIMENSIONS }),
        _ => json!({ "type": "integer", "minimum": 0 }),
    };
    let sizes: Vec<Value> = (1..=rank).map(|number| axis(number == rank)).collect();
    json!({
        "type": "object",
        "properties": {
            "$attachment": { "type": "integer", "minimum": 0 },
            "dtype": { "const": dtype.name() },
            "shape": { "type": "array", "minItems": rank, "maxItems": rank, "prefixItems": sizes },
        },
        "required": ["$attachment", "dtype", "shape"],
        "additionalProperties": false,
    })
}
