//! A strict JSON reader whose values borrow from the request.
//!
//! Stricter than most: one value and nothing after it, no duplicate keys, at most 64 levels, no number that
//! a 64-bit integer or a finite double can't hold, no lone surrogates. Messages give the byte, never the text.

use std::borrow::Cow;
use std::collections::HashSet;

use corecall_types::{Code, Error, Result};

use crate::limits;

/// One JSON value; strings without escapes are borrowed from the text.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'a> {
    Null,
    Boolean(bool),
    Number(Number),
    Text(Cow<'a, str>),
    List(Vec<Value<'a>>),
    Object(Vec<(Cow<'a, str>, Value<'a>)>),
}

/// A number as it was written: an integer stays one, `2.0` is none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// An integer from 0 on.
    Unsigned(u64),
    /// An integer below 0.
    Negative(i64),
    /// Written with a fraction or an exponent, or `-0`.
    Float(f64),
}

impl<'a> Value<'a> {
    /// The member `key` of an object; `None` for other values, too.
    pub fn member(&self, key: &str) -> Option<&Value<'a>> {
        let Self::Object(members) = self else { return None };
        members.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// The items of a list; empty for other values.
    pub fn items(&self) -> &[Value<'a>] {
        if let Self::List(items) = self { items } else { &[] }
    }

    /// The integer, if it is one that fits.
    pub fn integer(&self) -> Option<i64> {
        match self {
            Self::Number(Number::Unsigned(value)) => i64::try_from(*value).ok(),
            Self::Number(Number::Negative(value)) => Some(*value),
            _ => None,
        }
    }
}

/// Reads one JSON text.
///
/// Errors: `json.encoding`, `json.syntax`, `json.depth`, `json.duplicate_key`, `json.number`,
/// `allocation.failed`.
pub fn parse(bytes: &[u8]) -> Result<Value<'_>> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let message = format!("byte {}: the JSON must be UTF-8", error.valid_up_to());
        Error::new(Code::JsonEncoding, message)
    })?;
    let mut reader = Reader { text, bytes, at: 0, depth: 0 };
    reader.space();
    let value = reader.value()?;
    reader.space();
    if reader.at < bytes.len() {
        return Err(reader.syntax("the JSON value must be followed by nothing"));
    }
    Ok(value)
}

/// Objects with more members than this look their keys up in a set.
const SMALL_OBJECT: usize = 16;

struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn value(&mut self) -> Result<Value<'a>> {
        match self.peek() {
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::list),
            Some(b'"') => Ok(Value::Text(self.string()?)),
            Some(b'-' | b'0'..=b'9') => Ok(Value::Number(self.number()?)),
            Some(b't') => self.word("true", Value::Boolean(true)),
            Some(b'f') => self.word("false", Value::Boolean(false)),
            Some(b'n') => self.word("null", Value::Null),
            Some(_) => Err(self.syntax("a JSON value must begin here")),
            None => Err(self.syntax("the JSON ends where a value must begin")),
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Value<'a>>) -> Result<Value<'a>> {
        if self.depth == limits::DEPTH {
            let message = format!("byte {}: the JSON must not be nested deeper than {} levels", self.at, limits::DEPTH);
            return Err(Error::new(Code::JsonDepth, message));
        }
        self.depth += 1;
        self.at += 1;
        self.space();
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn object(&mut self) -> Result<Value<'a>> {
        let mut members: Vec<(Cow<'a, str>, Value<'a>)> = Vec::new();
        if self.take(b'}') {
            return Ok(Value::Object(members));
        }
        loop {
            if self.peek() != Some(b'"') {
                return Err(self.syntax("a key in double quotes must stand here"));
            }
            let key = self.string()?;
            self.space();
            if !self.take(b':') {
                return Err(self.syntax("a key must be followed by a colon"));
            }
            self.space();
            let value = self.value()?;
            reserve(&mut members)?;
            members.push((key, value));
            self.space();
            if self.take(b'}') {
                break;
            }
            if !self.take(b',') {
                return Err(self.syntax("a member must be followed by a comma or a closing brace"));
            }
            self.space();
        }
        if has_duplicate(&members) {
            let message = format!("the object that ends at byte {} must hold each key once", self.at);
            return Err(Error::new(Code::JsonDuplicateKey, message));
        }
        Ok(Value::Object(members))
    }

    fn list(&mut self) -> Result<Value<'a>> {
        let mut items = Vec::new();
        if self.take(b']') {
            return Ok(Value::List(items));
        }
        loop {
            let value = self.value()?;
            reserve(&mut items)?;
            items.push(value);
            self.space();
            if self.take(b']') {
                return Ok(Value::List(items));
            }
            if !self.take(b',') {
                return Err(self.syntax("an item must be followed by a comma or a closing bracket"));
            }
            self.space();
        }
    }

    fn string(&mut self) -> Result<Cow<'a, str>> {
        self.at += 1;
        let start = self.at;
        self.plain();
        if self.take(b'"') {
            return Ok(Cow::Borrowed(&self.text[start..self.at - 1]));
        }
        let mut owned = String::from(&self.text[start..self.at]);
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Cow::Owned(owned));
                }
                Some(b'\\') => owned.push(self.escape()?),
                Some(_) => return Err(self.syntax("control characters in a text must be escaped")),
                None => return Err(self.syntax("the JSON ends inside a text")),
            }
            let run = self.at;
            self.plain();
            owned.push_str(&self.text[run..self.at]);
        }
    }

    /// Moves over what stands for itself in a text.
    fn plain(&mut self) {
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().position(|&byte| byte == b'"' || byte == b'\\' || byte < 0x20).unwrap_or(rest.len());
    }

    fn escape(&mut self) -> Result<char> {
        self.at += 1;
        let plain = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(),
            _ => return Err(self.syntax("a backslash must be followed by one of \"\\/bfnrtu")),
        };
        self.at += 1;
        Ok(plain)
    }

    /// `u` and four hexadecimal digits, twice for characters that JSON writes as a surrogate pair.
    fn unicode(&mut self) -> Result<char> {
        let start = self.at;
        let lone = || {
            let message = format!("byte {start}: a surrogate must stand in a pair, the high one first");
            Error::new(Code::JsonEncoding, message)
        };
        let high = self.hex()?;
        if !(0xD800..0xE000).contains(&high) {
            return char::from_u32(high).ok_or_else(lone);
        }
        if high >= 0xDC00 || !self.bytes[self.at..].starts_with(b"\\u") {
            return Err(lone());
        }
        self.at += 1;
        let low = self.hex()?;
        if !(0xDC00..0xE000).contains(&low) {
            return Err(lone());
        }
        char::from_u32(0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00)).ok_or_else(lone)
    }

    fn hex(&mut self) -> Result<u32> {
        let digits = self.bytes.get(self.at + 1..self.at + 5);
        let value = digits.and_then(|digits| {
            digits.iter().try_fold(0, |value, &digit| Some(value * 16 + char::from(digit).to_digit(16)?))
        });
        let value = value.ok_or_else(|| self.syntax("\\u must be followed by four hexadecimal digits"))?;
        self.at += 5;
        Ok(value)
    }

    fn number(&mut self) -> Result<Number> {
        let start = self.at;
        let negative = self.take(b'-');
        if self.take(b'0') {
            if self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                return Err(self.syntax("a number must not begin with a zero"));
            }
        } else {
            self.digits()?;
        }
        let mut float = false;
        if self.take(b'.') {
            float = true;
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            float = true;
            let _sign = self.take(b'+') || self.take(b'-');
            self.digits()?;
        }
        let written = &self.text[start..self.at];
        let number = if float || written == "-0" {
            written.parse().ok().filter(|value: &f64| value.is_finite()).map(Number::Float)
        } else if negative {
            written.parse().ok().map(Number::Negative)
        } else {
            written.parse().ok().map(Number::Unsigned)
        };
        number.ok_or_else(|| {
            let message = format!("byte {start}: a number must fit a 64-bit integer or a double");
            Error::new(Code::JsonNumber, message)
        })
    }

    fn digits(&mut self) -> Result<()> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at == start { Err(self.syntax("a digit must stand here")) } else { Ok(()) }
    }

    fn word(&mut self, word: &str, value: Value<'a>) -> Result<Value<'a>> {
        if !self.bytes[self.at..].starts_with(word.as_bytes()) {
            return Err(self.syntax("a JSON value must begin here"));
        }
        self.at += word.len();
        Ok(value)
    }

    fn space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn syntax(&self, rule: &str) -> Error {
        Error::new(Code::JsonSyntax, format!("byte {}: {rule}", self.at))
    }
}

/// The request sets how long lists grow, so running out of memory is an answer, not an abort.
fn reserve<T>(items: &mut Vec<T>) -> Result<()> {
    let reserved = items.try_reserve(1);
    reserved.map_err(|_| Error::new(Code::AllocationFailed, "there is no memory for the request: send less at a time"))
}

fn has_duplicate(members: &[(Cow<'_, str>, Value<'_>)]) -> bool {
    if members.len() > SMALL_OBJECT {
        let mut seen = HashSet::with_capacity(members.len());
        return !members.iter().all(|(key, _)| seen.insert(key.as_ref()));
    }
    members.iter().enumerate().any(|(index, (key, _))| members[..index].iter().any(|(earlier, _)| earlier == key))
}

#[cfg(test)]
mod tests;
