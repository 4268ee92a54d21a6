//! Reads typed requests out of JSON values that have already passed their shape.

use std::fmt;

use corecall_types::{Code, Error, Result};
use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{self, Deserialize, Deserializer, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;

use crate::json::{Number, Value};

/// Reads a `T`; the value's shape has been checked, so a failure is a defect of ours.
pub fn decode<'de, T: Deserialize<'de>>(value: &'de Value<'_>) -> Result<T> {
    decode_without(value, &[])
}

/// Reads a `T` from the members of an object that aren't in `taken`: those are read by other means.
pub fn decode_without<'de, T: Deserialize<'de>>(value: &'de Value<'_>, taken: &'static [&'static str]) -> Result<T> {
    T::deserialize(Node { value, taken }).map_err(|Mismatch| {
        let message = "the arguments passed their check and still couldn't be read: please report this";
        Error::new(Code::EngineFailure, message)
    })
}

/// A value as serde walks it.
#[derive(Clone, Copy)]
struct Node<'de, 'a> {
    value: &'de Value<'a>,
    /// Members that are passed over.
    taken: &'static [&'static str],
}

impl<'de, 'a> Node<'de, 'a> {
    fn whole(value: &'de Value<'a>) -> Self {
        Self { value, taken: &[] }
    }
}

/// serde's messages repeat the value, and values hold memory text: so nothing of it is kept.
#[derive(Debug)]
struct Mismatch;

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value doesn't fit its type")
    }
}

impl std::error::Error for Mismatch {}

impl de::Error for Mismatch {
    fn custom<T: fmt::Display>(_message: T) -> Self {
        Self
    }
}

impl<'de> IntoDeserializer<'de, Mismatch> for Node<'de, '_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Node<'de, '_> {
    type Error = Mismatch;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, Mismatch> {
        match self.value {
            Value::Null => visitor.visit_unit(),
            Value::Boolean(value) => visitor.visit_bool(*value),
            Value::Number(Number::Unsigned(value)) => visitor.visit_u64(*value),
            Value::Number(Number::Negative(value)) => visitor.visit_i64(*value),
            Value::Number(Number::Float(value)) => visitor.visit_f64(*value),
            Value::Text(text) => visitor.visit_borrowed_str(text),
            Value::List(items) => visitor.visit_seq(SeqDeserializer::new(items.iter().map(Node::whole))),
            Value::Object(members) => {
                let members = members.iter().filter(|(key, _)| !self.taken.contains(&&**key));
                visitor.visit_map(MapDeserializer::new(members.map(|(key, value)| (&**key, Node::whole(value)))))
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, Mismatch> {
        if *self.value == Value::Null { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> std::result::Result<V::Value, Mismatch> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> std::result::Result<V::Value, Mismatch> {
        let name = self.value.text().ok_or(Mismatch)?;
        visitor.visit_enum(name.into_deserializer())
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::json;

    #[derive(Deserialize, Debug, PartialEq)]
    #[serde(rename_all = "snake_case")]
    enum Direction {
        BothWays,
    }

    #[derive(Deserialize, Debug, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Request<'a> {
        text: &'a str,
        limit: u32,
        #[serde(default)]
        share: Option<f64>,
        #[serde(default)]
        note: Option<String>,
        directions: Vec<Direction>,
        #[serde(default)]
        entry: Entry,
    }

    #[derive(Deserialize, Debug, Default, PartialEq)]
    struct Entry {
        #[serde(default)]
        id: String,
        #[serde(flatten)]
        other: serde_json::Map<String, serde_json::Value>,
    }

    #[test]
    fn structs_are_read_and_texts_borrowed() {
        let json = br#"{"text":"a","limit":2,"share":1,"note":null,"directions":["both_ways"],
            "entry":{"id":"m1","extra":{"deep":[1,-2,0.5,null,true]}}}"#;
        let value = json::parse(json).unwrap();
        let request: Request<'_> = decode(&value).unwrap();
        assert_eq!((request.text, request.limit, request.share, request.note.as_deref()), ("a", 2, Some(1.0), None));
        assert_eq!(request.directions, [Direction::BothWays]);
        assert_eq!(request.entry.other["extra"], serde_json::json!({"deep": [1, -2, 0.5, null, true]}));
    }

    #[test]
    fn members_read_by_other_means_are_passed_over() {
        let value = json::parse(br#"{"text":"a","limit":2,"directions":[],"vector":{}}"#).unwrap();
        assert!(decode::<Request<'_>>(&value).is_err());
        assert_eq!(decode_without::<Request<'_>>(&value, &["vector"]).unwrap().limit, 2);
    }

    #[test]
    fn a_mismatch_says_nothing_of_the_value() {
        let value = json::parse(br#"{"text":"secret","limit":"secret","directions":[]}"#).unwrap();
        let error = decode::<Request<'_>>(&value).unwrap_err();
        assert_eq!(error.code, Code::EngineFailure);
        assert!(!error.message.contains("secret"));
    }
}
