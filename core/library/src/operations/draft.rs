//! What a `remember` comes to on one state of the library, before anything is written.

use std::borrow::Cow;

use corecall_policy::remember::{RememberPlan, RememberRequest, plan};
use corecall_policy::{Entry, Row, Scope, title};
use corecall_scoring::{Document, Model};
use corecall_types::{Code, Error, Result, Task};

use super::{Remember, Remembered};
use crate::Candidates;
use crate::corpus::proposal;
use crate::library::{View, same_tags};

/// The decision.
pub(super) enum Draft {
    /// A live memory already says exactly this.
    Exists(String),
    /// The writer should look at these first.
    Propose(Candidates),
    /// Write it.
    Create { plan: RememberPlan, vector: Option<Vec<f32>> },
}

impl Draft {
    /// The reply, if nothing is to be written.
    pub fn answer(&self) -> Option<Remembered> {
        match self {
            Self::Exists(id) => Some(Remembered::new("exists", Some(id.clone()), Candidates::default())),
            Self::Propose(candidates) => Some(Remembered::new("candidates", None, candidates.clone())),
            Self::Create { .. } => None,
        }
    }
}

/// Decides. Targets are checked before anything is embedded. `id` is the one a new memory would have, `given` the
/// host's unit vector.
pub(super) fn draft(
    view: &View<'_>,
    request: &Remember,
    id: &str,
    given: Option<&[f32]>,
    task: &Task,
) -> Result<Draft> {
    let corpus = &view.index.corpus;
    let wanted = RememberRequest {
        id,
        importance: &request.importance,
        parent: request.parent.as_deref(),
        supersedes: request.supersedes.as_deref(),
        expected_head: request.expected_head.as_deref(),
        see_also: &request.see_also,
        contradicts: &request.contradicts,
        derived_from: &request.derived_from,
    };
    let plan = plan(&corpus.graph, &wanted)?;
    let is_plain = !wanted.has_relations();
    if is_plain && !request.force {
        if let Some(row) = exact_repeat(view, request, &plan)? {
            return Ok(Draft::Exists(corpus.graph.id(row).to_owned()));
        }
    }

    let title = new_title(request);
    let document = Document { title: &title, tags: &request.tags, content: &request.content };
    let vector = new_vector(view, &document, given)?;
    let proposes = is_plain && !request.force && request.parent.is_none() && request.importance != "trivial";
    if proposes {
        let content = &mut |row| view.content(row);
        let proposal = proposal(corpus, &document, vector.as_deref(), None, content, task)?;
        if !(proposal.merge.is_empty() && proposal.parent.is_empty()) {
            return Ok(Draft::Propose(Candidates::named(&corpus.graph, &proposal)));
        }
    }
    Ok(Draft::Create { plan, vector })
}

/// The title as given, or the content's first line.
pub(super) fn new_title(request: &Remember) -> Cow<'_, str> {
    match &request.title {
        Some(title) => Cow::Borrowed(title),
        None => title::first_line(&request.content),
    }
}

pub(super) fn new_vector(view: &View<'_>, document: &Document<'_>, given: Option<&[f32]>) -> Result<Option<Vec<f32>>> {
    let corpus = &view.index.corpus;
    if let Model::Host { .. } = corpus.model {
        let Some(given) = given else {
            let message = format!("model {} makes no vectors here; pass the text's vector", corpus.model.id());
            return Err(Error::new(Code::ArgumentMissing, message).at("vector"));
        };
        corpus.check_dims(given, "vector")?;
        return Ok(Some(given.to_vec()));
    }
    corpus.model.embed(&document.embedding_text())
}

/// The newest current memory whose fields are all those of the request. A replaced one is no repeat: whoever says a
/// retired thing again means it again.
fn exact_repeat(view: &View<'_>, request: &Remember, plan: &RememberPlan) -> Result<Option<Row>> {
    let graph = &view.index.corpus.graph;
    let mut rows: Vec<Row> = view.index.probable_repeats(&request.content).collect();
    rows.retain(|&row| graph.head(graph.id(row), &Scope::default()).is_none());
    rows.sort_by(|&a, &b| graph.newest_first(a, b));
    for row in rows {
        if is_repeated(request, plan.parent.map(|row| graph.id(row)), &view.payload(row)?.entry) {
            return Ok(Some(row));
        }
    }
    Ok(None)
}

fn is_repeated(request: &Remember, parent: Option<&str>, entry: &Entry) -> bool {
    let texts = request.content == entry.content && new_title(request) == entry.title;
    let labels = request.kind == entry.kind && request.importance == entry.importance;
    let scope = request.project == entry.project && request.computer == entry.computer && request.user == entry.user;
    let place = parent == entry.parent_id.as_deref() && request.emotion == entry.emotion;
    texts && labels && scope && place && same_tags(&request.tags, &entry.tags)
}
