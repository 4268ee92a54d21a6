//! `prepare`: opaque index data for the host to keep beside its memories.

use std::collections::HashSet;

use corecall_scoring::{Document, Model, artifact};
use corecall_types::{Code, Error, Result, Task};
use serde::Deserialize;

/// The payload of `prepare`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prepare {
    /// A model that makes vectors itself.
    pub model: String,
    /// Distinct ids.
    pub entries: Vec<PrepareEntry>,
}

/// A text to prepare.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrepareEntry {
    /// Comes back with the artifact.
    pub id: String,
    /// Absent or null: none.
    #[serde(default)]
    pub title: Option<String>,
    /// The text.
    pub content: String,
    /// Labels.
    #[serde(default)]
    pub tags: Vec<String>,
}

/// The index data of one entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prepared {
    /// The entry's id.
    pub id: String,
    /// `features.artifact`: opaque bytes.
    pub artifact: Vec<u8>,
}

/// Makes the artifacts, in the order of the entries. `model.unknown` at `model` where the host makes the vectors.
pub fn prepare(request: &Prepare, task: &Task) -> Result<Vec<Prepared>> {
    let model = Model::parse(&request.model).map_err(|error| error.at("model"))?;
    if !model.makes_vectors() {
        let message = format!("model {} makes no vectors here; pass vectors of your own instead", request.model);
        return Err(Error::new(Code::ModelUnknown, message).at("model"));
    }
    let mut seen = HashSet::with_capacity(request.entries.len());
    for (index, entry) in request.entries.iter().enumerate() {
        if !seen.insert(&entry.id) {
            let message = format!("{} comes twice; pass each entry once", entry.id);
            return Err(Error::new(Code::ArgumentDuplicate, message).at(format!("entries[{index}].id")));
        }
    }
    let total = request.entries.len() as u64;
    let mut prepared = Vec::with_capacity(request.entries.len());
    for (done, entry) in request.entries.iter().enumerate() {
        task.check()?;
        let title = entry.title.as_deref().unwrap_or("");
        let document = Document { title, tags: &entry.tags, content: &entry.content };
        let vector = model.embed(&document.embedding_text())?;
        let artifact = artifact::encode(&request.model, vector.as_deref());
        prepared.push(Prepared { id: entry.id.clone(), artifact });
        task.report(done as u64 + 1, total);
    }
    Ok(prepared)
}
