//! `remember`: store a memory, or propose what it would repeat.

use corecall_types::{Code, Error, Result, Task};
use serde::{Deserialize, Serialize};

use super::draft::{Draft, draft};
use super::written::write;
use crate::corpus::own_vector;
use crate::limits::{IMPORTANCES, KINDS, TEXT_BYTES};
use crate::{Candidates, Library, Named};

/// The payload of `remember`; `vector` comes as an attachment and is set after decoding.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Remember {
    /// The text, 1 byte to 1 MiB.
    pub content: String,
    /// Absent: the content's first line, cut.
    pub title: Option<String>,
    /// One of the eight kinds.
    pub kind: String,
    /// Labels; a repeated one is kept once.
    pub tags: Vec<String>,
    /// Free scope.
    pub project: String,
    /// Free scope.
    pub computer: String,
    /// Who speaks.
    pub user: String,
    /// Which device writes.
    pub device: String,
    /// `important`, `normal` or `trivial`.
    pub importance: String,
    /// Id, title or prefix of the memory it belongs under.
    pub parent: Option<String>,
    /// Id, title or prefix of the memory it replaces.
    pub supersedes: Option<String>,
    /// Linked memories, both ways.
    pub see_also: Vec<String>,
    /// Memories it contradicts.
    pub contradicts: Vec<String>,
    /// Its sources.
    pub derived_from: Vec<String>,
    /// The head the chain of `supersedes` must have.
    pub expected_head: Option<String>,
    /// Store it whatever it repeats.
    pub force: bool,
    /// A label of the host; −1: not labelled.
    pub emotion: i64,
    /// The host's own vector of the text, exactly for a library with a `host:` model.
    #[serde(skip)]
    pub vector: Option<Vec<f32>>,
}

impl Default for Remember {
    fn default() -> Self {
        Self {
            content: String::new(),
            title: None,
            kind: "knowledge".to_owned(),
            tags: Vec::new(),
            project: String::new(),
            computer: String::new(),
            user: String::new(),
            device: String::new(),
            importance: "important".to_owned(),
            parent: None,
            supersedes: None,
            see_also: Vec::new(),
            contradicts: Vec::new(),
            derived_from: Vec::new(),
            expected_head: None,
            force: false,
            emotion: -1,
            vector: None,
        }
    }
}

/// The reply of `remember`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Remembered {
    /// `created`, `exists` or `candidates`.
    pub state: &'static str,
    /// Whether anything was stored.
    pub written: bool,
    /// The new memory, or the one that is already there; null for `candidates`.
    pub id: Option<String>,
    /// Near-identical memories.
    pub merge: Vec<Named>,
    /// Memories it could be placed under.
    pub parent: Vec<Named>,
}

impl Library {
    /// Stores a memory, or proposes what it would repeat.
    ///
    /// A plain one (without relations) that repeats a live memory in every field answers `exists` with the old id.
    /// A plain one that isn't trivial, without `parent` and `force`, answers `candidates` if it probably repeats
    /// something or belongs under it. Neither writes.
    ///
    /// Errors: `store.read_only`, `store.locked`; `argument.range`, `argument.value`, `argument.missing`,
    /// `argument.conflict`, `limit.text`, `vector.zero`, `vector.dimension`, `attachment.nonfinite` at the argument;
    /// those of a relation at the relation.
    pub fn remember(&self, task: &Task, request: &Remember) -> Result<Remembered> {
        self.check_open()?;
        self.store.check_writable()?;
        request.validate()?;
        let given = own_vector(&self.model, request.vector.as_deref(), "vector")?;

        // Decided on a snapshot first: a refusal or a proposal needs no lock.
        let id = self.sources.stamp().id;
        let early = self.with_view(task, |view| {
            draft(view, request, &id, given.as_deref(), task).map(|draft| (view.reading.change_seq, draft))
        })?;
        let (change_seq, draft_then) = early;
        if let Some(answer) = draft_then.answer() {
            return Ok(answer);
        }
        self.with_writing(task, |view, writing| {
            let stamp = self.sources.stamp();
            let draft_now = if view.reading.change_seq == change_seq {
                draft_then
            } else {
                draft(view, request, &stamp.id, given.as_deref(), task)?
            };
            if let Some(answer) = draft_now.answer() {
                return Ok(answer);
            }
            if let Draft::Create { plan, vector } = draft_now {
                write(view, writing, request, &plan, vector.as_deref(), &stamp)?;
            }
            Ok(Remembered::new("created", Some(stamp.id), Candidates::default()))
        })
    }
}

impl Remember {
    /// Checks what needs no look at what is stored.
    fn validate(&self) -> Result<()> {
        if self.content.is_empty() {
            return Err(Error::new(Code::ArgumentRange, "content is empty; pass a text").at("content"));
        }
        let texts = [("content", &self.content), ("title", self.title.as_ref().unwrap_or(&self.content))];
        let scopes = [("project", &self.project), ("computer", &self.computer)];
        let people = [("user", &self.user), ("device", &self.device)];
        for (name, text) in texts.into_iter().chain(scopes).chain(people) {
            check_length(text).map_err(|error| error.at(name))?;
        }
        check_tags(&self.tags)?;
        one_of("kind", &self.kind, &KINDS)?;
        one_of("importance", &self.importance, &IMPORTANCES)
    }

    /// The tags, each once, as first mentioned.
    pub(super) fn distinct_tags(&self) -> Vec<String> {
        distinct(&self.tags)
    }
}

impl Remembered {
    pub(super) fn new(state: &'static str, id: Option<String>, candidates: Candidates) -> Self {
        Self { state, written: state == "created", id, merge: candidates.merge, parent: candidates.parent }
    }
}

/// A text of at most [`TEXT_BYTES`].
pub(super) fn check_length(text: &str) -> Result<()> {
    if text.len() > TEXT_BYTES {
        let message = format!("a text has at most {TEXT_BYTES} bytes, not {}; split it", text.len());
        return Err(Error::new(Code::LimitText, message));
    }
    Ok(())
}

/// Tags that aren't empty nor too long.
pub(super) fn check_tags(tags: &[String]) -> Result<()> {
    for (index, tag) in tags.iter().enumerate() {
        let path = format!("tags[{index}]");
        if tag.is_empty() {
            return Err(Error::new(Code::ArgumentRange, "a tag is empty; leave it out").at(path));
        }
        check_length(tag).map_err(|error| error.at(path))?;
    }
    Ok(())
}

/// Each text once, as first mentioned.
pub(super) fn distinct(texts: &[String]) -> Vec<String> {
    let mut kept = Vec::with_capacity(texts.len());
    for text in texts {
        if !kept.contains(text) {
            kept.push(text.clone());
        }
    }
    kept
}

/// One of the values listed.
pub(super) fn one_of(name: &str, value: &str, listed: &[&str]) -> Result<()> {
    if listed.contains(&value) {
        return Ok(());
    }
    let message = format!("{name} is one of {}", listed.join(", "));
    Err(Error::new(Code::ArgumentValue, message).at(name))
}
