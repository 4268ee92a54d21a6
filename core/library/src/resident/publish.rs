//! What is added to a set, and every check it must pass first.

use std::collections::{HashMap, HashSet};

use corecall_policy::Snapshot;
use corecall_scoring::{Model, artifact, vector};
use corecall_types::{Code, Error, Result, Task};

use crate::corpus::{Corpus, dimension};
use crate::limits::{ID_BYTES, VECTOR_DIMS};

/// A snapshot and the opaque index data that `prepare` made for it.
#[derive(Clone, Debug, Default)]
pub struct Indexed {
    /// The memory as the host shows it.
    pub snapshot: Snapshot,
    /// `features.artifact`, decoded.
    pub artifact: Option<Vec<u8>>,
}

/// Vectors a host made itself: row `i` of `data` belongs to `ids[i]`.
#[derive(Clone, Debug, Default)]
pub struct Vectors {
    /// Ids of snapshots of the same call, distinct.
    pub ids: Vec<String>,
    /// Row-major, `ids.len()` × `dims`, any length but zero.
    pub data: Vec<f32>,
    /// Components of one vector, 1–4096.
    pub dims: usize,
}

/// What `resident_publish` adds to a set and takes out of it.
#[derive(Clone, Debug, Default)]
pub struct Publish {
    /// New snapshots, and new versions of those already there.
    pub snapshots: Vec<Indexed>,
    /// Ids to take out.
    pub removed: Vec<String>,
    /// Vectors of `snapshots`; only with a `host:` model.
    pub vectors: Option<Vectors>,
}

/// A checked change: applying it can't fail.
pub(super) struct Change {
    /// Snapshots with their unit vectors.
    pub snapshots: Vec<(Snapshot, Option<Vec<f32>>)>,
    pub removed: Vec<String>,
}

/// Checks everything that could refuse the change, in the order of the arguments.
pub(super) fn check(corpus: &Corpus, change: Publish, task: &Task) -> Result<Change> {
    let Publish { snapshots, removed, vectors } = change;
    let places = check_ids(&snapshots)?;
    check_removed(corpus, &places, &removed)?;
    let mut unit = vec![None; snapshots.len()];
    for (index, item) in snapshots.iter().enumerate() {
        if index % 1024 == 0 {
            task.check()?;
        }
        unit[index] = features(&corpus.model, item).map_err(|error| error.under(&format!("snapshots[{index}]")))?;
    }
    if let Some(vectors) = vectors {
        passed(&corpus.model, &vectors, &places, &mut unit).map_err(|error| error.under("vectors"))?;
    }
    check_dims(corpus, &snapshots, &removed, &unit)?;
    task.check()?;
    let snapshots = snapshots.into_iter().map(|item| item.snapshot).zip(unit).collect();
    Ok(Change { snapshots, removed })
}

/// Where each id stands among the snapshots.
fn check_ids(snapshots: &[Indexed]) -> Result<HashMap<String, usize>> {
    let mut places = HashMap::with_capacity(snapshots.len());
    for (index, Indexed { snapshot, .. }) in snapshots.iter().enumerate() {
        let path = || format!("snapshots[{index}].id");
        if !(1..=ID_BYTES).contains(&snapshot.id.len()) {
            let message = format!("an id has 1 to {ID_BYTES} bytes, not {}", snapshot.id.len());
            return Err(Error::new(Code::ArgumentRange, message).at(path()));
        }
        if places.insert(snapshot.id.clone(), index).is_some() {
            let message = format!("{} comes twice; pass each snapshot once", snapshot.id);
            return Err(Error::new(Code::ArgumentDuplicate, message).at(path()));
        }
        if snapshot.entry.as_ref().is_some_and(|entry| entry.id != snapshot.id) {
            let message = format!("the entry of {} has another id; both must be equal", snapshot.id);
            return Err(Error::new(Code::ArgumentConflict, message).at(format!("snapshots[{index}].entry.id")));
        }
    }
    Ok(places)
}

fn check_removed(corpus: &Corpus, places: &HashMap<String, usize>, removed: &[String]) -> Result<()> {
    let mut seen = HashSet::with_capacity(removed.len());
    for (index, id) in removed.iter().enumerate() {
        let (code, reason) = if !seen.insert(id) {
            (Code::ArgumentDuplicate, "is removed twice; name it once")
        } else if places.contains_key(id) {
            (Code::ArgumentConflict, "is published and removed by the same call; do one of the two")
        } else if corpus.graph.row(id).is_none() {
            (Code::ArgumentValue, "isn't in the set; publish the set anew if the two have parted")
        } else {
            continue;
        };
        return Err(Error::new(code, format!("{id} {reason}")).at(format!("removed[{index}]")));
    }
    Ok(())
}

/// The unit vector inside a snapshot's artifact.
fn features(model: &Model, item: &Indexed) -> Result<Option<Vec<f32>>> {
    let Some(bytes) = &item.artifact else { return Ok(None) };
    if matches!(model, Model::Host { .. }) {
        let message = "a host: model has no artifacts; leave features out and pass vectors";
        return Err(Error::new(Code::ArgumentConflict, message).at("features"));
    }
    artifact::decode(&model.id(), bytes).map_err(|error| error.at("features.artifact"))
}

/// Puts the host's vectors, at unit length, beside their snapshots.
fn passed(
    model: &Model,
    vectors: &Vectors,
    places: &HashMap<String, usize>,
    unit: &mut [Option<Vec<f32>>],
) -> Result<()> {
    if !matches!(model, Model::Host { .. }) {
        let message = format!("model {} takes no vectors; leave them out or use a host: model", model.id());
        return Err(Error::new(Code::ArgumentConflict, message));
    }
    if !(1..=VECTOR_DIMS).contains(&vectors.dims) {
        let message = format!("a vector has 1 to {VECTOR_DIMS} components, not {}", vectors.dims);
        return Err(Error::new(Code::ArgumentRange, message).at("data"));
    }
    if vectors.data.len() != vectors.ids.len() * vectors.dims {
        let message = format!("{} ids need {0} rows of {} components", vectors.ids.len(), vectors.dims);
        return Err(Error::new(Code::AttachmentShape, message).at("data"));
    }
    for (index, (id, row)) in vectors.ids.iter().zip(vectors.data.chunks_exact(vectors.dims)).enumerate() {
        let path = || format!("ids[{index}]");
        let Some(&place) = places.get(id) else {
            let message = format!("{id} is none of the snapshots; pass vectors of this call's snapshots only");
            return Err(Error::new(Code::ArgumentValue, message).at(path()));
        };
        if unit[place].is_some() {
            let message = format!("{id} has two vectors; pass one");
            return Err(Error::new(Code::ArgumentDuplicate, message).at(path()));
        }
        unit[place] = Some(vector::normalise(row).map_err(|error| error.at("data"))?);
    }
    Ok(())
}

/// All vectors that will be in the set must have one dimension.
fn check_dims(corpus: &Corpus, snapshots: &[Indexed], removed: &[String], unit: &[Option<Vec<f32>>]) -> Result<()> {
    let graph = &corpus.graph;
    let leaving = snapshots.iter().map(|item| &item.snapshot.id).chain(removed);
    let leaving = leaving.filter_map(|id| graph.row(id)).filter(|&row| corpus.vectors.contains(row)).count();
    let mut dims = if leaving < corpus.vectors.len() { corpus.vectors.dims() } else { None };
    for (index, vector) in unit.iter().enumerate() {
        let Some(vector) = vector else { continue };
        let wanted = *dims.get_or_insert(vector.len());
        if vector.len() != wanted {
            let path = match corpus.model {
                Model::Host { .. } => "vectors.data".to_owned(),
                _ => format!("snapshots[{index}].features.artifact"),
            };
            return Err(dimension(vector.len(), wanted).at(path));
        }
    }
    Ok(())
}
