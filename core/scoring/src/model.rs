//! Which embedder a set of vectors belongs to.

use corecall_types::{Code, Error, Result};

use crate::hash_embedder;

/// The most dimensions a vector may have.
const MAX_DIMS: usize = 4096;
/// The longest name of a host's model, in characters.
const MAX_NAME: usize = 128;

/// The model a set or a library was made with; vectors of two models never mix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Model {
    /// Words only: no vectors at all.
    None,
    /// The deterministic embedder for tests: hashed words in `dims` dimensions.
    TestHash {
        /// 1 to 4096.
        dims: usize,
    },
    /// The host makes the vectors and passes them.
    Host {
        /// 1 to 128 characters.
        name: String,
    },
}

impl Model {
    /// Reads `none`, `test-hash:<1..4096>` or `host:<name>`.
    ///
    /// # Errors
    /// `model.unknown` for anything else, and for a number not written the plain way (`064`).
    pub fn parse(id: &str) -> Result<Self> {
        let model = match id.split_once(':') {
            None if id == "none" => Some(Self::None),
            Some(("test-hash", dims)) => dims.parse().ok().map(|dims| Self::TestHash { dims }),
            Some(("host", name)) => Some(Self::Host { name: name.to_owned() }),
            _ => None,
        };
        model.filter(|model| model.is_valid() && model.id() == id).ok_or_else(|| {
            let message = "use `none`, `test-hash:<1 to 4096>`, or `host:<name>` with a name of 1 to 128 characters";
            Error::new(Code::ModelUnknown, message)
        })
    }

    /// The name `parse` reads.
    pub fn id(&self) -> String {
        match self {
            Self::None => "none".to_owned(),
            Self::TestHash { dims } => format!("test-hash:{dims}"),
            Self::Host { name } => format!("host:{name}"),
        }
    }

    /// The unit vector of a text; `None` when this model gives the text no vector.
    ///
    /// # Errors
    /// `model.unknown` for a `host:` model, which can't embed here.
    pub fn embed(&self, text: &str) -> Result<Option<Vec<f32>>> {
        match self {
            Self::None => Ok(None),
            Self::TestHash { dims } => Ok(hash_embedder::embed(text, *dims)),
            Self::Host { .. } => {
                Err(Error::new(Code::ModelUnknown, "the host makes this model's vectors: pass vectors"))
            }
        }
    }

    /// Whether [`Self::embed`] can make vectors.
    pub fn makes_vectors(&self) -> bool {
        matches!(self, Self::TestHash { .. })
    }

    /// The cosine from which two entries count as neighbours, unless the host says otherwise.
    pub fn min_cos(&self) -> f64 {
        match self {
            Self::None | Self::TestHash { .. } | Self::Host { .. } => 0.6,
        }
    }

    fn is_valid(&self) -> bool {
        match self {
            Self::None => true,
            Self::TestHash { dims } => (1..=MAX_DIMS).contains(dims),
            Self::Host { name } => (1..=MAX_NAME).contains(&name.chars().count()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_as_they_are_written() {
        let long = format!("host:{}", "é".repeat(128));
        for id in ["none", "test-hash:1", "test-hash:4096", "host:x", "host:a:b c", &long] {
            assert_eq!(Model::parse(id).unwrap().id(), id);
        }
    }

    #[test]
    fn other_names_are_unknown() {
        let long = format!("host:{}", "é".repeat(129));
        let ids = ["", "None", "none:", "test-hash", "test-hash:", "test-hash:0", "test-hash:4097", "test-hash:064"];
        let more = ["test-hash:+8", "test-hash:-1", "test-hash:8 ", "host", "host:", "minilm", &long];
        for id in ids.into_iter().chain(more) {
            assert_eq!(Model::parse(id).unwrap_err().code, Code::ModelUnknown, "{id}");
        }
    }

    #[test]
    fn only_some_models_embed() {
        assert_eq!(Model::None.embed("text"), Ok(None));
        assert_eq!(Model::parse("host:x").unwrap().embed("text").unwrap_err().code, Code::ModelUnknown);
        assert_eq!(Model::TestHash { dims: 7 }.embed("text").unwrap().unwrap().len(), 7);
    }
}
