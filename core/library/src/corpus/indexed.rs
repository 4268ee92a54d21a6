//! Graph, words and vectors under the same row numbers.

use corecall_policy::{Graph, Row, Snapshot};
use corecall_scoring::{Document, Model, RankQuery, VectorIndex, WordIndex, rank, vector};
use corecall_types::{Code, Error, Result, Task};

/// The memories of one model, indexed. Rows are the graph's.
#[derive(Clone)]
pub(crate) struct Corpus {
    pub graph: Graph,
    pub words: WordIndex,
    pub vectors: VectorIndex,
    pub model: Model,
}

impl Corpus {
    pub fn new(model: Model) -> Self {
        Self { graph: Graph::new(), words: WordIndex::default(), vectors: VectorIndex::default(), model }
    }

    /// Adds or replaces a snapshot; without a (unit) vector it has none.
    ///
    /// A tombstone keeps its vector, since the contract counts it among the neighbours considered, but no
    /// words: they would weigh in how rare a word is.
    pub fn upsert(&mut self, snapshot: &Snapshot, vector: Option<&[f32]>) -> Result<Row> {
        let row = self.graph.upsert(snapshot);
        match &snapshot.entry {
            Some(entry) if !snapshot.deleted => {
                let document = Document { title: &entry.title, tags: &entry.tags, content: &entry.content };
                self.words.set(row, &document);
            }
            _ => {
                self.words.remove(row);
            }
        }
        // Removed first, so that the last vector of a dimension can give way to one of another.
        self.vectors.remove(row);
        if let Some(vector) = vector {
            self.vectors.set(row, vector)?;
        }
        Ok(row)
    }

    /// Takes a snapshot out; its row may be used again.
    pub fn remove(&mut self, id: &str) -> Option<Row> {
        let row = self.graph.remove(id)?;
        self.words.remove(row);
        self.vectors.remove(row);
        Some(row)
    }

    /// The best rows for a query; ties: newest, then greatest id.
    pub fn rank(&self, query: &RankQuery<'_>, eligible: &dyn Fn(Row) -> bool, task: &Task) -> Result<Vec<(Row, f64)>> {
        rank(&self.words, &self.vectors, query, eligible, &|a, b| self.graph.newest_first(a, b), task)
    }

    /// The unit vector of a text: the host's own where the model is a host's, else the model's.
    ///
    /// `given` is the argument called `name`: it is an error for any model but a host's.
    pub fn query_vector(&self, text: &str, given: Option<&[f32]>, name: &str) -> Result<Option<Vec<f32>>> {
        let vector = own_vector(&self.model, given, name)?;
        let vector = match vector {
            None if self.model.makes_vectors() => self.model.embed(text)?,
            vector => vector,
        };
        if let Some(vector) = &vector {
            self.check_dims(vector, name)?;
        }
        Ok(vector)
    }

    /// Fails with `vector.dimension` at `name` unless the vector is as long as those already there.
    pub fn check_dims(&self, vector: &[f32], name: &str) -> Result<()> {
        match self.vectors.dims() {
            Some(dims) if dims != vector.len() => Err(dimension(vector.len(), dims).at(name)),
            _ => Ok(()),
        }
    }
}

/// The host's vector at unit length. Errors are at `name`: `argument.conflict` where the model isn't a host's.
pub(crate) fn own_vector(model: &Model, given: Option<&[f32]>, name: &str) -> Result<Option<Vec<f32>>> {
    let Some(given) = given else { return Ok(None) };
    if !matches!(model, Model::Host { .. }) {
        let message = format!("model {} takes no vectors; leave {name} out or use a host: model", model.id());
        return Err(Error::new(Code::ArgumentConflict, message).at(name));
    }
    vector::normalise(given).map(Some).map_err(|error| error.at(name))
}

/// `vector.dimension`, without a path.
pub(crate) fn dimension(found: usize, wanted: usize) -> Error {
    let message = format!("the vector has {found} components, those already there {wanted}; pass {wanted}");
    Error::new(Code::VectorDimension, message)
}
