//! What stands around every payload and every result.

use corecall_types::{Code, Error, Result};
use serde::Serialize;

use crate::capabilities::{SCHEMA_MAX, SCHEMA_MIN};
use crate::dispatch::{self, Operation};
use crate::json::Value;
use crate::limits;
use crate::path::Path;
use crate::shape::{Field, Need, Object, Shape};

/// A request whose envelope has been checked.
pub struct Request<'v, 'a> {
    pub operation: &'static Operation,
    pub payload: &'v Value<'a>,
}

const VERSION: Field = Field::required("schema_version", Shape::Integer { min: 0, max: i64::MAX }, "");

const ENVELOPE: Object = Object::of(&[
    VERSION,
    Field::required("request_id", Shape::Text { min: 0, max: limits::ID_BYTES }, ""),
    Field::required("operation", Shape::Text { min: 1, max: limits::ID_BYTES }, ""),
    Field::required("payload", Shape::Any, ""),
    Field::optional("require", Shape::Map(&Shape::Integer { min: 0, max: i64::MAX }), ""),
    Field::optional("hints", Shape::Object(&Object { fields: &[], open: true, either: &[] }), ""),
]);

/// The id to answer with: the request's, as far as it has a usable one, else empty.
pub fn request_id<'v>(value: &'v Value<'_>) -> &'v str {
    let id = value.member("request_id").and_then(Value::text);
    id.filter(|id| id.len() <= limits::ID_BYTES).unwrap_or_default()
}

/// Checks a request's envelope, its version before anything else: a newer one may have other members.
pub fn read<'v, 'a>(value: &'v Value<'a>) -> Result<Request<'v, 'a>> {
    let root = Path::Root("");
    let mut uses = Vec::new();
    if let Some(version) = value.member(VERSION.name) {
        VERSION.shape.check(version, &root.key(VERSION.name), &mut uses)?;
        if version.integer().is_none_or(|version| !(SCHEMA_MIN..=SCHEMA_MAX).contains(&version)) {
            let message =
                format!("schema_version must be from {SCHEMA_MIN} to {SCHEMA_MAX}: send what this library reads");
            return Err(Error::new(Code::SchemaUnsupported, message).at(VERSION.name));
        }
    }
    Shape::Object(&ENVELOPE).check(value, &root, &mut uses)?;
    let name = value.member("operation").and_then(Value::text).unwrap_or_default();
    let operation = dispatch::operation(name).ok_or_else(|| {
        let message = "this library doesn't know the operation: corecall_capabilities lists those it has";
        Error::new(Code::OperationUnknown, message).at("operation")
    })?;
    if let Some(Value::Object(contracts)) = value.member("require") {
        for (name, number) in contracts {
            require(name, number, &root.key("require"))?;
        }
    }
    let payload = value.member("payload").unwrap_or(&Value::Null);
    Ok(Request { operation, payload })
}

fn require(name: &str, number: &Value<'_>, path: &Path<'_>) -> Result<()> {
    let contract = dispatch::operation(name).map(|operation| operation.contract);
    if contract.is_some() && number.integer() == contract {
        return Ok(());
    }
    let path = path.key(name);
    let message = match contract {
        Some(contract) => format!("{path} must be {contract}, the contract this library keeps"),
        None => format!("{path} names a contract this library doesn't have"),
    };
    Err(Error::new(Code::ContractUnsupported, message).at(path.to_string()))
}

/// The envelope up to the result.
pub fn begin(request_id: &str) -> Vec<u8> {
    let mut json = Vec::with_capacity(256);
    json.extend_from_slice(b"{\"schema_version\":1,\"request_id\":");
    write(&mut json, &request_id);
    json.extend_from_slice(b",\"result\":");
    json
}

/// The envelope after the result.
pub const END: &[u8] = b"}";

/// Writes `value` as compact JSON.
pub fn write(json: &mut Vec<u8>, value: &impl Serialize) {
    serde_json::to_writer(json, value).expect("replies are made of texts, numbers, lists and objects with text keys");
}

/// A whole reply that holds an error.
pub fn error(request_id: &str, error: &Error) -> Vec<u8> {
    #[derive(Serialize)]
    struct Envelope<'e> {
        schema_version: i64,
        request_id: &'e str,
        error: Body<'e>,
    }
    #[derive(Serialize)]
    struct Body<'e> {
        code: i32,
        name: &'e str,
        message: &'e str,
        path: &'e str,
        retryable: bool,
    }
    let body = Body {
        code: error.status() as i32,
        name: error.code.name(),
        message: &error.message,
        path: &error.path,
        retryable: error.code.retryable(),
    };
    let mut json = Vec::with_capacity(256);
    write(&mut json, &Envelope { schema_version: 1, request_id, error: body });
    json
}

// The envelope's own members are all required or optional; a default would have to be applied here.
const _: () = {
    let mut index = 0;
    while index < ENVELOPE.fields.len() {
        assert!(!matches!(ENVELOPE.fields[index].need, Need::Default(_)));
        index += 1;
    }
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    fn outcome(request: &str) -> (&'static str, String) {
        let value = json::parse(request.as_bytes()).unwrap();
        read(&value).map_or_else(|error| (error.code.name(), error.path), |_| ("ok", String::new()))
    }

    #[test]
    fn each_fault_has_its_name_and_path() {
        for (request, name, path) in [
            (r#"{"schema_version":1,"request_id":"","operation":"capabilities","payload":null}"#, "ok", ""),
            (
                r#"{"schema_version":1,"request_id":"","operation":"capabilities","payload":{},"hints":{"x":[1]}}"#,
                "ok",
                "",
            ),
            (
                r#"{"schema_version":1,"request_id":"","operation":"capabilities","payload":{},"require":{"capabilities":1}}"#,
                "ok",
                "",
            ),
            ("[]", "argument.type", ""),
            ("null", "argument.type", ""),
            ("{}", "argument.missing", "schema_version"),
            (r#"{"schema_version":1}"#, "argument.missing", "request_id"),
            (r#"{"schema_version":1,"request_id":""}"#, "argument.missing", "operation"),
            (r#"{"schema_version":1,"request_id":"","operation":"capabilities"}"#, "argument.missing", "payload"),
            (r#"{"schema_version":"1"}"#, "argument.type", "schema_version"),
            (r#"{"schema_version":1.0}"#, "argument.type", "schema_version"),
            (r#"{"schema_version":2,"new_member":1}"#, "schema.unsupported", "schema_version"),
            (r#"{"schema_version":0}"#, "schema.unsupported", "schema_version"),
            (r#"{"schema_version":1,"surprise":1}"#, "argument.unknown", "surprise"),
            (r#"{"schema_version":1,"request_id":7,"operation":"x","payload":{}}"#, "argument.type", "request_id"),
            (
                r#"{"schema_version":1,"request_id":"","operation":"forgot","payload":{}}"#,
                "operation.unknown",
                "operation",
            ),
            (
                r#"{"schema_version":1,"request_id":"","operation":"capabilities","payload":{},"hints":1}"#,
                "argument.type",
                "hints",
            ),
            (
                r#"{"schema_version":1,"request_id":"","operation":"capabilities","payload":{},"require":{"capabilities":2}}"#,
                "contract.unsupported",
                "require.capabilities",
            ),
            (
                r#"{"schema_version":1,"request_id":"","operation":"capabilities","payload":{},"require":{"teleport":1}}"#,
                "contract.unsupported",
                "require.teleport",
            ),
        ] {
            assert_eq!(outcome(request), (name, path.to_owned()), "{request}");
        }
    }

    #[test]
    fn an_error_is_one_line_in_fixed_order() {
        let error = super::error("r1", &Error::new(Code::RelationCycle, "no").at("payload.supersedes"));
        let expected = r#"{"schema_version":1,"request_id":"r1","error":{"code":9,"name":"relation.cycle","message":"no","path":"payload.supersedes","retryable":false}}"#;
        assert_eq!(String::from_utf8(error).unwrap(), expected);
    }
}
