//! `link` and `unlink`: relations of stored memories, made and withdrawn after the fact.

use corecall_policy::{Link as PolicyLink, Row, link};
use corecall_types::{Code, Error, Result, Task};
use serde::{Deserialize, Serialize};

use super::RelationKind;
use super::changed::change;
use super::remember::check_length;
use super::stamps;
use crate::Library;
use crate::library::View;
use crate::payload::Payload;

/// The payload of `link` and of `unlink`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// Id, title or prefix of the memory the link starts at; for `unlink` a forgotten one by its exact id.
    pub id: String,
    /// Id, title or prefix of the memory it leads to; for `unlink` also any exact id.
    pub target: String,
    /// Any kind but `supersedes`.
    #[serde(default = "see_also", rename = "type")]
    pub kind: RelationKind,
    /// Which device writes.
    #[serde(default)]
    pub device: String,
}

fn see_also() -> RelationKind {
    RelationKind::SeeAlso
}

/// The reply of `link` and of `unlink`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Linked {
    /// `linked`, `exists` or `unlinked`.
    pub state: &'static str,
    /// Whether anything was stored.
    pub written: bool,
    /// The memory it starts at.
    pub source_id: String,
    /// The memory it leads to.
    pub target_id: String,
    /// Its kind.
    #[serde(rename = "type")]
    pub kind: RelationKind,
}

impl Library {
    /// Links two live memories. A link that is there already is left as it is: `exists`.
    ///
    /// Errors: `memory.unknown`, `target.ambiguous`, `relation.trivial` at `id`; `target.unknown`, `target.ambiguous`,
    /// `relation.self`, `relation.trivial` at `target`; `argument.value` at `type`.
    pub fn link(&self, task: &Task, request: &Link) -> Result<Linked> {
        self.store.check_writable()?;
        let kind = request.checked()?;
        self.with_writing(task, |view, writing| {
            let graph = &view.index.corpus.graph;
            let plan = link::plan(graph, view.live(&request.id)?, kind, &request.target)?;
            if plan.stands {
                return Ok(request.reply(view, "exists", plan.source, plan.target));
            }
            let now = self.sources.stamp().unix_millis;
            let mut source = view.payload(plan.source)?;
            let mut target = view.payload(plan.target)?;
            let (name, from, to) = (request.kind.name(), graph.id(plan.source), graph.id(plan.target));
            let is_mirrored = kind == PolicyLink::SeeAlso;
            // A link that was lost on one side only keeps the stamp of whoever wrote it.
            let is_stamped = source.edge(name, to).is_some() || is_mirrored && target.edge(name, from).is_some();
            if !is_stamped {
                let after = if is_mirrored { stamps::removed_at(&target, name, from) } else { None };
                stamps::add(&mut source, name, to, now, after, &request.device)?;
            }
            if add(listed(&mut source, kind), to) || !is_stamped {
                source.entry.modified_by.clone_from(&request.device);
                change(writing, &mut source, now, false)?;
            }
            if is_mirrored && add(listed(&mut target, kind), from) {
                target.entry.modified_by.clone_from(&request.device);
                change(writing, &mut target, now, false)?;
            }
            Ok(request.reply(view, "linked", plan.source, plan.target))
        })
    }

    /// Withdraws a link; its stamp stays, so that joining libraries doesn't bring it back.
    ///
    /// Errors: `memory.unknown`, `target.ambiguous` at `id`; `target.unknown`, `target.ambiguous`, `relation.unknown`
    /// at `target`; `argument.value` at `type`.
    pub fn unlink(&self, task: &Task, request: &Link) -> Result<Linked> {
        self.store.check_writable()?;
        let kind = request.checked()?;
        self.with_writing(task, |view, writing| {
            let graph = &view.index.corpus.graph;
            let plan = link::unlink(graph, view.any(&request.id)?, kind, &request.target)?;
            let now = self.sources.stamp().unix_millis;
            let ends = plan.listed_by.iter().map(|&row| {
                let other = if row == plan.source { plan.target } else { plan.source };
                Ok((row, graph.id(other), view.payload(row)?))
            });
            let mut ends: Vec<(Row, &str, Payload)> = ends.collect::<Result<_>>()?;
            let mut is_stamped = false;
            for (_, other, payload) in &mut ends {
                is_stamped |= stamps::remove(payload, request.kind.name(), other, now, &request.device)?;
            }
            // Memories that came without stamps get one now.
            if let Some((_, other, payload)) = ends.first_mut().filter(|_| !is_stamped) {
                stamps::add_removed(payload, request.kind.name(), other, now, &request.device)?;
            }
            for (row, other, payload) in &mut ends {
                listed(payload, kind).retain(|id| id != other);
                payload.entry.modified_by.clone_from(&request.device);
                change(writing, payload, now, graph.is_deleted(*row))?;
            }
            Ok(request.reply(view, "unlinked", plan.source, plan.target))
        })
    }
}

impl Link {
    fn checked(&self) -> Result<PolicyLink> {
        check_length(&self.device).map_err(|error| error.at("device"))?;
        match self.kind {
            RelationKind::SeeAlso => Ok(PolicyLink::SeeAlso),
            RelationKind::Contradicts => Ok(PolicyLink::Contradicts),
            RelationKind::DerivedFrom => Ok(PolicyLink::DerivedFrom),
            RelationKind::Supersedes => {
                let message = "a replacement is written by remember and withdrawn by unsupersede; name another type";
                Err(Error::new(Code::ArgumentValue, message).at("type"))
            }
        }
    }

    fn reply(&self, view: &View<'_>, state: &'static str, source: Row, target: Row) -> Linked {
        let id = |row: Row| view.index.corpus.graph.id(row).to_owned();
        Linked { state, written: state != "exists", source_id: id(source), target_id: id(target), kind: self.kind }
    }
}

/// What the memory lists under the kind.
fn listed(payload: &mut Payload, kind: PolicyLink) -> &mut Vec<String> {
    match kind {
        PolicyLink::SeeAlso => &mut payload.entry.see_also,
        PolicyLink::Contradicts => &mut payload.entry.contradicts,
        PolicyLink::DerivedFrom => &mut payload.entry.derived_from,
    }
}

/// Adds an id that isn't listed; whether it wasn't.
fn add(list: &mut Vec<String>, id: &str) -> bool {
    let is_new = !list.iter().any(|listed| listed == id);
    if is_new {
        list.push(id.to_owned());
    }
    is_new
}
