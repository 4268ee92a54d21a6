//! What an operation takes and answers, declared once: checked against payloads, and written as JSON Schema.

use corecall_types::{Code, Error, Instant, Result};

use crate::attachments::{Dtype, Use};
use crate::json::{Number, Value};
use crate::limits;
use crate::path::Path;

/// The shape of one JSON value.
pub enum Shape {
    /// Any value.
    Any,
    /// `true` or `false`.
    Boolean,
    /// An integer, written as one.
    Integer { min: i64, max: i64 },
    /// A number.
    Number { min: f64, max: f64 },
    /// A text of so many bytes of UTF-8.
    Text { min: usize, max: usize },
    /// A time: RFC 3339 with an offset.
    Time,
    /// One of these texts.
    Choice(&'static [&'static str]),
    /// A list of at most `max` items.
    List { item: &'static Shape, max: usize },
    /// An object with these members.
    Object(&'static Object),
    /// An object whose keys are identifiers.
    Map(&'static Shape),
    /// The shape, or `null`.
    Nullable(&'static Shape),
    /// The place of an attachment. The last dimension of an f32 one is from 1 to 4,096.
    Attachment { dtype: Dtype, rank: usize },
    /// Opaque index data: an attachment of bytes, or base64 text.
    Artifact,
}

/// The shape of an object.
pub struct Object {
    /// The members, in the order they are documented and written.
    pub fields: &'static [Field],
    /// Whether other members are allowed. Only stored entries are open.
    pub open: bool,
    /// Exactly one of each pair must be given.
    pub either: &'static [(&'static str, &'static str)],
}

/// One member of an object.
pub struct Field {
    pub name: &'static str,
    pub shape: Shape,
    pub need: Need,
    /// A sentence for people.
    pub about: &'static str,
}

/// What happens when a member is left out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// It is an error.
    Required,
    /// It counts as not given.
    Optional,
    /// This JSON value is taken.
    Default(&'static str),
}

/// The longest vector.
pub const DIMENSIONS: usize = corecall_library::limits::VECTOR_DIMS;
/// Axes that a shape may list before it is refused unread.
const RANK_READ: usize = 8;

impl Object {
    /// A closed object.
    pub const fn of(fields: &'static [Field]) -> Self {
        Self { fields, open: false, either: &[] }
    }
}

impl Field {
    /// A member that must be given.
    pub const fn required(name: &'static str, shape: Shape, about: &'static str) -> Self {
        Self { name, shape, need: Need::Required, about }
    }

    /// A member that may be left out.
    pub const fn optional(name: &'static str, shape: Shape, about: &'static str) -> Self {
        Self { name, shape, need: Need::Optional, about }
    }

    /// A member with a value of its own.
    pub const fn default(name: &'static str, shape: Shape, default: &'static str, about: &'static str) -> Self {
        Self { name, shape, need: Need::Default(default), about }
    }
}

impl Shape {
    /// A text up to the advertised limit.
    pub const TEXT: Self = Self::Text { min: 0, max: limits::TEXT_BYTES };
    /// An identifier.
    pub const ID: Self = Self::Text { min: 1, max: limits::ID_BYTES };
    /// Any number of identifiers.
    pub const IDS: Self = Self::List { item: &Self::ID, max: usize::MAX };

    /// Checks `value`, which stands at `path`, and collects the attachments it names.
    ///
    /// Of several faults the first is reported: of an object, an unknown member, then a missing one, then
    /// the members' own in the order they were written.
    pub fn check(&self, value: &Value<'_>, path: &Path<'_>, uses: &mut Vec<Use>) -> Result<()> {
        match self {
            Self::Any => Ok(()),
            Self::Boolean => is(matches!(value, Value::Boolean(_)), path, "true or false"),
            Self::Integer { min, max } => check_integer(value, *min, *max, path),
            Self::Number { min, max } => check_number(value, *min, *max, path),
            Self::Text { min, max } => check_length(text(value, path)?, *min, *max, path),
            Self::Time => check_time(text(value, path)?, path),
            Self::Choice(choices) => check_choice(text(value, path)?, choices, path),
            Self::List { item, max } => check_list(value, item, *max, path, uses),
            Self::Object(object) => object.check(value, path, uses),
            Self::Map(item) => {
                let members = members(value, path)?;
                members.iter().try_for_each(|(key, value)| item.check(value, &path.key(key), uses))
            }
            Self::Nullable(shape) => {
                if *value == Value::Null {
                    Ok(())
                } else {
                    shape.check(value, path, uses)
                }
            }
            Self::Attachment { dtype, rank } => check_attachment(value, *dtype, *rank, path, uses),
            Self::Artifact => match value {
                Value::Text(_) => Ok(()),
                Value::Object(_) => check_attachment(value, Dtype::U8, 1, path, uses),
                _ => refuse(Code::ArgumentType, path, "must be an attachment of bytes, or base64 text"),
            },
        }
    }
}

impl Object {
    fn check(&self, value: &Value<'_>, path: &Path<'_>, uses: &mut Vec<Use>) -> Result<()> {
        let members = members(value, path)?;
        let field = |name: &str| self.fields.iter().find(|field| field.name == name);
        if let Some((unknown, _)) = members.iter().find(|(key, _)| !self.open && field(key).is_none()) {
            return refuse(Code::ArgumentUnknown, &path.key(unknown), "is not known here: leave it out");
        }
        let is_given = |name: &str| value.member(name).is_some();
        if let Some(missing) = self.fields.iter().find(|field| field.need == Need::Required && !is_given(field.name)) {
            return refuse(Code::ArgumentMissing, &path.key(missing.name), "is required");
        }
        for (first, second) in self.either {
            match (is_given(first), is_given(second)) {
                (true, true) => {
                    return refuse(
                        Code::ArgumentConflict,
                        &path.key(second),
                        &format!("excludes {first}: give one of them"),
                    );
                }
                (false, false) => {
                    return refuse(Code::ArgumentMissing, &path.key(first), &format!("or {second} is required"));
                }
                _ => {}
            }
        }
        for (key, value) in members {
            if let Some(field) = field(key) {
                field.shape.check(value, &path.key(key), uses)?;
            }
        }
        Ok(())
    }
}

fn check_integer(value: &Value<'_>, min: i64, max: i64, path: &Path<'_>) -> Result<()> {
    if !matches!(value, Value::Number(Number::Unsigned(_) | Number::Negative(_))) {
        return refuse(Code::ArgumentType, path, "must be an integer");
    }
    if value.integer().is_none_or(|value| value < min || value > max) {
        return refuse(Code::ArgumentRange, path, &format!("must be from {min} to {max}"));
    }
    Ok(())
}

fn check_number(value: &Value<'_>, min: f64, max: f64, path: &Path<'_>) -> Result<()> {
    let number = match value {
        Value::Number(Number::Unsigned(number)) => *number as f64,
        Value::Number(Number::Negative(number)) => *number as f64,
        Value::Number(Number::Float(number)) => *number,
        _ => return refuse(Code::ArgumentType, path, "must be a number"),
    };
    if !(min..=max).contains(&number) {
        return refuse(Code::ArgumentRange, path, &format!("must be from {min} to {max}"));
    }
    Ok(())
}

fn check_length(text: &str, min: usize, max: usize, path: &Path<'_>) -> Result<()> {
    if text.len() > max && max == limits::TEXT_BYTES {
        return refuse(Code::LimitText, path, &format!("must have at most {max} bytes"));
    }
    if text.len() < min || text.len() > max {
        return refuse(Code::ArgumentRange, path, &format!("must have from {min} to {max} bytes"));
    }
    Ok(())
}

fn check_time(text: &str, path: &Path<'_>) -> Result<()> {
    if Instant::parse(text).is_none() {
        return refuse(
            Code::ArgumentValue,
            path,
            "must be a time in RFC 3339 with an offset, such as 2026-03-01T09:30:00Z",
        );
    }
    Ok(())
}

fn check_choice(text: &str, choices: &[&str], path: &Path<'_>) -> Result<()> {
    if !choices.contains(&text) {
        return refuse(Code::ArgumentValue, path, &format!("must be one of {}", choices.join(", ")));
    }
    Ok(())
}

fn check_list(value: &Value<'_>, item: &Shape, max: usize, path: &Path<'_>, uses: &mut Vec<Use>) -> Result<()> {
    let Value::List(items) = value else {
        return refuse(Code::ArgumentType, path, "must be a list");
    };
    if items.len() > max {
        return refuse(Code::ArgumentRange, path, &format!("must have at most {max} items"));
    }
    items.iter().enumerate().try_for_each(|(index, value)| item.check(value, &path.index(index), uses))
}

const MARKER: Object = Object::of(&[
    Field::required("$attachment", Shape::Integer { min: 0, max: i64::MAX }, ""),
    Field::required("dtype", Shape::TEXT, ""),
    Field::required("shape", Shape::List { item: &Shape::Integer { min: 0, max: i64::MAX }, max: RANK_READ }, ""),
]);

fn check_attachment(value: &Value<'_>, dtype: Dtype, rank: usize, path: &Path<'_>, uses: &mut Vec<Use>) -> Result<()> {
    MARKER.check(value, path, uses)?;
    if value.member("dtype").and_then(Value::text) != Some(dtype.name()) {
        return refuse(Code::AttachmentDtype, path, &format!("must have dtype {}", dtype.name()));
    }
    let axes = value.member("shape").map_or(&[] as &[_], Value::items);
    if axes.len() != rank {
        return refuse(Code::AttachmentShape, path, &format!("must have a shape of {rank} numbers"));
    }
    let mut sizes = axes.iter().map(|axis| axis.integer().and_then(|axis| usize::try_from(axis).ok()));
    let last = sizes.clone().next_back().flatten();
    if dtype == Dtype::F32 && last.is_none_or(|last| !(1..=DIMENSIONS).contains(&last)) {
        return refuse(Code::AttachmentShape, path, &format!("must have vectors of 1 to {DIMENSIONS} numbers"));
    }
    let elements = sizes.try_fold(1_usize, |product, size| product.checked_mul(size?));
    let index = value
        .member("$attachment")
        .and_then(Value::integer)
        .and_then(|index| u64::try_from(index).ok())
        .unwrap_or(u64::MAX);
    uses.push(Use { index, dtype, elements, path: path.to_string() });
    Ok(())
}

fn members<'v, 'a>(value: &'v Value<'a>, path: &Path<'_>) -> Result<&'v [(std::borrow::Cow<'a, str>, Value<'a>)]> {
    if let Value::Object(members) = value { Ok(members) } else { refuse(Code::ArgumentType, path, "must be an object") }
}

fn text<'v>(value: &'v Value<'_>, path: &Path<'_>) -> Result<&'v str> {
    value.text().map_or_else(|| refuse(Code::ArgumentType, path, "must be a text"), Ok)
}

fn is(fits: bool, path: &Path<'_>, what: &str) -> Result<()> {
    if fits { Ok(()) } else { refuse(Code::ArgumentType, path, &format!("must be {what}")) }
}

fn refuse<T>(code: Code, path: &Path<'_>, rule: &str) -> Result<T> {
    let path = path.to_string();
    let subject = if path.is_empty() { "the request" } else { &path };
    Err(Error::new(code, format!("{subject} {rule}")).at(path))
}

#[cfg(test)]
mod tests;
