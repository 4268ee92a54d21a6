//! The opaque index data of one entry, as a host stores it.
//!
//! All numbers little-endian:
//!
//! ```text
//! offset  bytes  what
//! 0       4      "CCA1": kind and version of the format
//! 4       2      m, length of the model's name
//! 6       m      the model's name, UTF-8
//! 6+m     4      d, dimensions; 0 when the text has no vector
//! 10+m    4·d    the unit vector, f32
//! 10+m+4d 8      the first 8 bytes of SHA-256 over all before
//! ```

use corecall_types::{Code, Error, Result};
use sha2::{Digest, Sha256};

use crate::vector;

/// The version of the format, as it stands in its first bytes.
pub const FORMAT: u32 = 1;

const MAGIC: &[u8; 4] = b"CCA1";
const CHECK: usize = 8;

/// The bytes for a unit vector of `model`, or for a text without one.
///
/// # Panics
/// When the model's name has 65,536 bytes or more.
pub fn encode(model: &str, vector: Option<&[f32]>) -> Vec<u8> {
    let vector = vector.unwrap_or_default();
    let name = u16::try_from(model.len()).expect("a model's name is short");
    let mut bytes = Vec::with_capacity(MAGIC.len() + 2 + model.len() + 4 + 4 * vector.len() + CHECK);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&name.to_le_bytes());
    bytes.extend_from_slice(model.as_bytes());
    bytes.extend_from_slice(&(vector.len() as u32).to_le_bytes());
    bytes.extend(vector.iter().flat_map(|x| x.to_le_bytes()));
    let check = check(&bytes);
    bytes.extend_from_slice(&check);
    bytes
}

/// The vector inside, if there is one.
///
/// # Errors
/// `model.mismatch` when another model made it, `artifact.invalid` when the bytes aren't those `encode` wrote.
pub fn decode(model: &str, bytes: &[u8]) -> Result<Option<Vec<f32>>> {
    let (name, vector) = read(bytes).ok_or_else(|| {
        let message = "the index data is damaged or of an unknown format; prepare the entry again";
        Error::new(Code::ArtifactInvalid, message)
    })?;
    if name != model {
        let message = "the index data was made by another model; prepare the entry again with this one";
        return Err(Error::new(Code::ModelMismatch, message));
    }
    Ok(Some(vector).filter(|vector| !vector.is_empty()))
}

/// Name and vector, only if every byte is as it should be.
fn read(bytes: &[u8]) -> Option<(&str, Vec<f32>)> {
    let (body, end) = bytes.split_last_chunk::<CHECK>()?;
    let rest = body.strip_prefix(MAGIC)?;
    let (length, rest) = rest.split_first_chunk()?;
    let (name, rest) = rest.split_at_checked(usize::from(u16::from_le_bytes(*length)))?;
    let (dims, rest) = rest.split_first_chunk()?;
    if *end != check(body) || rest.len() as u64 != 4 * u64::from(u32::from_le_bytes(*dims)) {
        return None;
    }
    let elements = rest.chunks_exact(4).map(|x| f32::from_le_bytes(x.try_into().expect("four bytes a chunk")));
    let vector: Vec<f32> = elements.collect();
    // Whoever stores the bytes could also have made them.
    let unit = vector.iter().all(|x| x.is_finite()) && (vector::dot(&vector, &vector) - 1.0).abs() < 1e-6;
    (vector.is_empty() || unit).then_some((std::str::from_utf8(name).ok()?, vector))
}

fn check(bytes: &[u8]) -> [u8; CHECK] {
    *Sha256::digest(bytes).first_chunk().expect("a hash has 32 bytes")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn code(model: &str, bytes: &[u8]) -> Option<Code> {
        decode(model, bytes).err().map(|error| error.code)
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(model in "\\PC{0,40}", vector in prop::collection::vec(-1.0_f32..1.0, 0..40)) {
            let unit = vector::normalise(&vector).ok();
            let bytes = encode(&model, unit.as_deref());
            prop_assert_eq!(decode(&model, &bytes), Ok(unit));
            prop_assert_eq!(code(&format!("{model}x"), &bytes), Some(Code::ModelMismatch));
        }

        #[test]
        fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..80), magic in any::<bool>(), checked in any::<bool>()) {
            let mut all = if magic { MAGIC.to_vec() } else { Vec::new() };
            all.extend(bytes);
            if checked {
                let check = check(&all);
                all.extend(check);
            }
            // With the right check any well-formed bytes may read; without it nothing does.
            prop_assert!(checked || code("m", &all) == Some(Code::ArtifactInvalid));
            let _ = decode("m", &all);
        }

        #[test]
        fn any_change_is_noticed(at in 0_usize..45, bit in 0_u8..8, cut in 0_usize..45) {
            let whole = encode("test", Some(&[0.6, 0.0, 0.0, -0.8]));
            let mut changed = whole.clone();
            let at = at % whole.len();
            changed[at] ^= 1 << bit;
            prop_assert_eq!(code("test", &changed), Some(Code::ArtifactInvalid));
            prop_assert_eq!(code("test", &whole[..cut % whole.len()]), Some(Code::ArtifactInvalid));
            prop_assert_eq!(code("test", &[&whole[..], &[0]].concat()), Some(Code::ArtifactInvalid));
        }
    }

    #[test]
    fn only_unit_vectors_are_taken() {
        for vector in [vec![0.0], vec![f32::NAN], vec![f32::INFINITY, 1.0], vec![0.5, 0.5]] {
            assert_eq!(code("m", &encode("m", Some(&vector))), Some(Code::ArtifactInvalid));
        }
    }
}
