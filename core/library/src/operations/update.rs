//! `update`: edit the text or fields of a memory; its relations stay.

use corecall_policy::update::{Parent, UpdateRequest, plan};
use corecall_policy::{Entry, Row, title};
use corecall_scoring::{Document, artifact};
use corecall_types::{Code, Error, Instant, Result, Task};
use serde::{Deserialize, Serialize};

use super::changed::{change, next_update};
use super::draft::new_vector;
use super::remember::{check_length, check_tags, distinct, one_of};
use crate::Library;
use crate::corpus::own_vector;
use crate::library::View;
use crate::limits::{IMPORTANCES, KINDS};
use crate::payload::Payload;
use crate::sources::rfc3339;

/// The payload of `update`; `vector` comes as an attachment and is set after decoding. What is absent stays.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Update {
    /// Id, title or prefix of a live memory.
    pub id: String,
    /// The text, 1 byte to 1 MiB. A title that was made from the old text is made from the new one.
    #[serde(default)]
    pub content: Option<String>,
    /// Its title.
    #[serde(default)]
    pub title: Option<String>,
    /// One of the eight kinds.
    #[serde(default)]
    pub kind: Option<String>,
    /// All its labels; a repeated one is kept once.
    #[serde(default)]
    pub tags: Option<Vec<String>>,
    /// Free scope.
    #[serde(default)]
    pub project: Option<String>,
    /// Free scope.
    #[serde(default)]
    pub computer: Option<String>,
    /// Who speaks.
    #[serde(default)]
    pub user: Option<String>,
    /// `important`, `normal` or `trivial`.
    #[serde(default)]
    pub importance: Option<String>,
    /// Id, title or prefix of the memory it belongs under; empty: under none.
    #[serde(default)]
    pub parent: Option<String>,
    /// A label of the host; −1: not labelled.
    #[serde(default)]
    pub emotion: Option<i64>,
    /// Which device writes.
    #[serde(default)]
    pub device: String,
    /// Refuse unless the memory's `updated_at` is this.
    #[serde(default)]
    pub if_updated_at: Option<String>,
    /// The host's own vector of the new text, exactly where title or content change under a `host:` model.
    #[serde(skip)]
    pub vector: Option<Vec<f32>>,
}

/// The reply of `update`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Updated {
    /// The memory's id.
    pub id: String,
    /// `updated` or `unchanged`.
    pub state: &'static str,
    /// Whether anything was stored.
    pub written: bool,
    /// When it was last changed.
    pub updated_at: String,
}

/// What an update comes to on one state of the library.
struct Edit {
    row: Row,
    payload: Payload,
    is_changed: bool,
    /// The new index data, where the text changed.
    index_data: Option<Vec<u8>>,
}

impl Library {
    /// Edits a live memory. Its text is embedded again if it changed; relations stay as they are.
    ///
    /// Errors: `memory.unknown`, `target.ambiguous` at `id`; `memory.changed` at `if_updated_at`; `relation.trivial` at
    /// `importance` while it has relations; those of a parent at `parent`; `argument.range`, `argument.value`,
    /// `argument.missing`, `argument.conflict`, `limit.text`, `vector.zero`, `vector.dimension`,
    /// `attachment.nonfinite` at the argument.
    pub fn update(&self, task: &Task, request: &Update) -> Result<Updated> {
        self.check_open()?;
        self.store.check_writable()?;
        request.validate()?;
        let given = own_vector(&self.model, request.vector.as_deref(), "vector")?;

        // Decided, and embedded, on a snapshot first: a refusal needs no lock, nor does an embedder.
        let (change_seq, edit_then) = self.with_view(task, |view| {
            edit(view, request, given.as_deref()).map(|edit| (view.reading.change_seq, edit))
        })?;
        self.with_writing(task, |view, writing| {
            let edit =
                if view.reading.change_seq == change_seq { edit_then } else { edit(view, request, given.as_deref())? };
            let Edit { row, mut payload, is_changed, index_data } = edit;
            let id = view.index.corpus.graph.id(row).to_owned();
            if is_changed {
                let now = self.sources.stamp().unix_millis;
                payload.content_at = rfc3339(next_update(&payload.entry, now))?;
                payload.entry.modified_by.clone_from(&request.device);
                change(writing, &mut payload, now, false)?;
                if let Some(index_data) = index_data {
                    writing.reindex(&id, &index_data)?;
                }
            }
            let state = if is_changed { "updated" } else { "unchanged" };
            Ok(Updated { id, state, written: is_changed, updated_at: payload.entry.updated_at })
        })
    }
}

fn edit(view: &View<'_>, request: &Update, given: Option<&[f32]>) -> Result<Edit> {
    let graph = &view.index.corpus.graph;
    let row = view.live(&request.id)?;
    let wanted = UpdateRequest { importance: request.importance.as_deref(), parent: request.parent.as_deref() };
    let mut payload = view.payload(row)?;
    if let Some(expected) = &request.if_updated_at {
        check_unchanged(&payload.entry, expected)?;
    }
    let parent = plan(graph, row, &wanted)?;
    let before = payload.entry.clone();
    request.apply(&mut payload.entry);
    match parent {
        Parent::Kept => {}
        Parent::None => payload.entry.parent_id = None,
        Parent::Row(row) => payload.entry.parent_id = Some(graph.id(row).to_owned()),
    }
    let entry = &payload.entry;
    let is_text_changed = entry.title != before.title || entry.content != before.content;
    let index_data = if is_text_changed {
        let document = Document { title: &entry.title, tags: &[], content: &entry.content };
        let vector = new_vector(view, &document, given)?;
        Some(artifact::encode(&view.index.corpus.model.id(), vector.as_deref()))
    } else if given.is_some() {
        let message = "title and content stay as they are; leave vector out";
        return Err(Error::new(Code::ArgumentConflict, message).at("vector"));
    } else {
        None
    };
    Ok(Edit { row, is_changed: *entry != before, index_data, payload })
}

fn check_unchanged(entry: &Entry, expected: &str) -> Result<()> {
    let (then, now) = (Instant::parse(expected), Instant::parse(&entry.updated_at));
    if entry.updated_at == expected || then.is_some() && then == now {
        return Ok(());
    }
    let message = format!("memory {} was changed at {}; read it and decide again", entry.id, entry.updated_at);
    Err(Error::new(Code::MemoryChanged, message).at("if_updated_at"))
}

impl Update {
    /// Checks what needs no look at what is stored.
    fn validate(&self) -> Result<()> {
        if self.content.as_deref() == Some("") {
            return Err(Error::new(Code::ArgumentRange, "content is empty; pass a text").at("content"));
        }
        let texts = [
            ("content", self.content.as_ref()),
            ("title", self.title.as_ref()),
            ("project", self.project.as_ref()),
            ("computer", self.computer.as_ref()),
            ("user", self.user.as_ref()),
            ("device", Some(&self.device)),
        ];
        for (name, text) in texts {
            text.map_or(Ok(()), |text| check_length(text)).map_err(|error| error.at(name))?;
        }
        check_tags(self.tags.as_deref().unwrap_or_default())?;
        self.kind.as_ref().map_or(Ok(()), |kind| one_of("kind", kind, &KINDS))?;
        self.importance.as_ref().map_or(Ok(()), |importance| one_of("importance", importance, &IMPORTANCES))
    }

    /// Everything but the parent.
    fn apply(&self, entry: &mut Entry) {
        if let Some(content) = &self.content {
            if self.title.is_none() && title::first_line(&entry.content) == entry.title {
                entry.title = title::first_line(content).into_owned();
            }
            entry.content.clone_from(content);
        }
        if let Some(tags) = &self.tags {
            entry.tags = distinct(tags);
        }
        if let Some(emotion) = self.emotion {
            entry.emotion = emotion;
        }
        for (new, field) in [
            (&self.title, &mut entry.title),
            (&self.kind, &mut entry.kind),
            (&self.project, &mut entry.project),
            (&self.computer, &mut entry.computer),
            (&self.user, &mut entry.user),
            (&self.importance, &mut entry.importance),
        ] {
            if let Some(new) = new {
                field.clone_from(new);
            }
        }
    }
}
