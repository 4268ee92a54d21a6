//! The bytes passed beside a request, and the places in the payload that name them.

use std::borrow::Cow;

use corecall_types::{Code, Error, Result};

use crate::json::Value;
use crate::limits;

/// The type of an attachment's elements; all little-endian.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dtype {
    /// Four bytes, IEEE 754, finite.
    F32,
    /// One byte.
    U8,
}

impl Dtype {
    /// As the payload writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::U8 => "u8",
        }
    }

    const fn size(self) -> usize {
        match self {
            Self::F32 => 4,
            Self::U8 => 1,
        }
    }
}

/// One place of a payload that names an attachment; its dtype and rank have been checked.
#[derive(Debug)]
pub struct Use {
    pub index: u64,
    pub dtype: Dtype,
    pub elements: Option<usize>,
    pub path: String,
}

/// What was passed, each used exactly once and as long as its shape says.
#[derive(Clone, Copy)]
pub struct Attachments<'c> {
    passed: &'c [&'c [u8]],
}

impl<'c> Attachments<'c> {
    /// Checks number and size, before the request is read.
    pub fn new(passed: &'c [&'c [u8]]) -> Result<Self> {
        let refuse = |message| Err(Error::new(Code::LimitAttachments, message).at("attachments"));
        if passed.len() > limits::ATTACHMENTS {
            return refuse(format!("a call takes {} attachments: send less at a time", limits::ATTACHMENTS));
        }
        let bytes = passed.iter().fold(0_u64, |sum, bytes| sum.saturating_add(bytes.len() as u64));
        if bytes > limits::ATTACHMENT_BYTES {
            return refuse(format!(
                "a call takes {} bytes in attachments: send less at a time",
                limits::ATTACHMENT_BYTES
            ));
        }
        Ok(Self { passed })
    }

    /// Checks every use against what was passed.
    pub fn check(&self, uses: &[Use]) -> Result<()> {
        let mut taken = vec![false; self.passed.len()];
        for place in uses {
            let refuse = |code, message: String| Err(Error::new(code, message).at(place.path.clone()));
            let Some(index) = usize::try_from(place.index).ok().filter(|index| *index < taken.len()) else {
                let message = format!("attachment {} is named and {} were passed", place.index, taken.len());
                return refuse(Code::AttachmentIndex, message);
            };
            if std::mem::replace(&mut taken[index], true) {
                return refuse(Code::AttachmentReused, format!("attachment {index} may be used once"));
            }
            let bytes = self.passed[index];
            if place.elements.and_then(|count| count.checked_mul(place.dtype.size())) != Some(bytes.len()) {
                let message = format!("attachment {index} has {} bytes, another number than its shape", bytes.len());
                return refuse(Code::AttachmentShape, message);
            }
            if place.dtype == Dtype::F32 && !floats(bytes).iter().all(|value| value.is_finite()) {
                return refuse(Code::AttachmentNonfinite, format!("attachment {index} must hold finite numbers"));
            }
        }
        match taken.iter().position(|taken| !taken) {
            Some(index) => {
                let message = format!("attachment {index} is used by nothing in the payload: leave it out");
                Err(Error::new(Code::AttachmentUnused, message).at(format!("attachments[{index}]")))
            }
            None => Ok(()),
        }
    }

    /// The bytes a checked marker names.
    pub fn bytes(&self, marker: &Value<'_>) -> &'c [u8] {
        let index = marker.member("$attachment").and_then(Value::integer);
        index
            .and_then(|index| self.passed.get(usize::try_from(index).ok()?))
            .expect("markers are checked before they are read")
    }

    /// The numbers a checked marker names, in place when they lie aligned.
    pub fn floats(&self, marker: &Value<'_>) -> Cow<'c, [f32]> {
        floats(self.bytes(marker))
    }
}

/// Dimension `axis` of a checked marker's shape.
pub fn dimension(marker: &Value<'_>, axis: usize) -> usize {
    let shape = marker.member("shape").map_or(&[] as &[_], Value::items);
    let dimension = shape.get(axis).and_then(Value::integer).and_then(|dimension| usize::try_from(dimension).ok());
    dimension.expect("markers are checked before they are read")
}

/// Little-endian bytes as numbers; a rest of less than four bytes is left out.
fn floats(bytes: &[u8]) -> Cow<'_, [f32]> {
    match bytemuck::try_cast_slice(bytes) {
        Ok(floats) if cfg!(target_endian = "little") => Cow::Borrowed(floats),
        _ => Cow::Owned(
            bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(index: u64, dtype: Dtype, elements: usize) -> Use {
        Use { index, dtype, elements: Some(elements), path: format!("payload.p{index}") }
    }

    fn check(passed: &[&[u8]], uses: &[Use]) -> (&'static str, String) {
        let outcome = Attachments::new(passed).and_then(|attachments| attachments.check(uses));
        outcome.map_or_else(|error| (error.code.name(), error.path), |()| ("ok", String::new()))
    }

    #[test]
    fn each_is_used_once_and_has_its_length() {
        let floats: Vec<u8> = [1.0_f32, -2.5].iter().flat_map(|value| value.to_le_bytes()).collect();
        let passed: [&[u8]; 2] = [&floats, b"abc"];
        let (first, second) = (place(0, Dtype::F32, 2), place(1, Dtype::U8, 3));
        let error = |code, path: &str| (code, path.to_owned());
        assert_eq!(check(&passed, &[place(1, Dtype::U8, 3), first]), error("ok", ""));
        assert_eq!(check(&passed, &[second]), error("attachment.unused", "attachments[0]"));
        assert_eq!(check(&passed, &[place(2, Dtype::U8, 0)]), error("attachment.index", "payload.p2"));
        assert_eq!(check(&passed, &[place(u64::MAX, Dtype::U8, 0)]).0, "attachment.index");
        assert_eq!(
            check(&passed, &[place(1, Dtype::U8, 3), place(1, Dtype::U8, 3)]),
            error("attachment.reused", "payload.p1")
        );
        assert_eq!(check(&passed, &[place(0, Dtype::F32, 3)]), error("attachment.shape", "payload.p0"));
        assert_eq!(check(&passed, &[place(0, Dtype::F32, usize::MAX)]).0, "attachment.shape");
        let overflow = Use { index: 0, dtype: Dtype::U8, elements: None, path: String::new() };
        assert_eq!(check(&passed, &[overflow]).0, "attachment.shape");
    }

    #[test]
    fn numbers_must_be_finite() {
        for wrong in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let bytes = wrong.to_le_bytes();
            assert_eq!(check(&[&bytes], &[place(0, Dtype::F32, 1)]).0, "attachment.nonfinite");
        }
    }

    #[test]
    fn aligned_numbers_are_read_in_place_and_others_copied() {
        let numbers = [1.5_f32, -0.25, f32::MIN_POSITIVE];
        let aligned: &[u8] = bytemuck::cast_slice(&numbers);
        assert!(matches!(floats(aligned), Cow::Borrowed(read) if read == numbers));
        let mut shifted = [0; 16];
        let start = (5 - shifted.as_ptr().addr() % 4) % 4;
        shifted[start..start + 12].copy_from_slice(aligned);
        assert!(matches!(floats(&shifted[start..start + 12]), Cow::Owned(read) if read == numbers));
    }

    #[test]
    fn more_than_the_limit_is_refused() {
        let many = vec![b"".as_slice(); limits::ATTACHMENTS + 1];
        assert_eq!(check(&many, &[]), ("limit.attachments", "attachments".to_owned()));
    }
}
