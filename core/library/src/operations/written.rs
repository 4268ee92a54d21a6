//! Carrying the plan of a `remember` out.

use corecall_policy::remember::{Mirror, RememberPlan};
use corecall_policy::{Entry, Row};
use corecall_scoring::artifact;
use corecall_types::Result;

use super::Remember;
use super::changed::change;
use super::draft::new_title;
use crate::library::View;
use crate::payload::{Edge, Payload};
use crate::sources::Stamp;
use crate::store::{StoredMemory, Writing};

/// Adds the new memory and changes those it is mirrored on.
pub(super) fn write(
    view: &View<'_>,
    writing: &Writing<'_>,
    request: &Remember,
    plan: &RememberPlan,
    vector: Option<&[f32]>,
    stamp: &Stamp,
) -> Result<()> {
    let payload = new_payload(view, request, plan, stamp)?;
    writing.insert(&StoredMemory {
        id: stamp.id.clone(),
        created_at: stamp.unix_millis,
        updated_at: stamp.unix_millis,
        deleted: false,
        payload: payload.write(),
        index_data: artifact::encode(&view.index.corpus.model.id(), vector),
    })?;
    plan.mirrors.iter().try_for_each(|mirror| mirror_on(view, writing, request, *mirror, stamp))
}

fn new_payload(view: &View<'_>, request: &Remember, plan: &RememberPlan, stamp: &Stamp) -> Result<Payload> {
    let graph = &view.index.corpus.graph;
    let ids = |rows: &[Row]| rows.iter().map(|&row| graph.id(row).to_owned()).collect::<Vec<_>>();
    let now = stamp.time()?;
    let entry = Entry {
        id: stamp.id.clone(),
        kind: request.kind.clone(),
        tags: request.distinct_tags(),
        title: new_title(request).into_owned(),
        content: request.content.clone(),
        user: request.user.clone(),
        computer: request.computer.clone(),
        project: request.project.clone(),
        created_at: now.clone(),
        updated_at: now.clone(),
        emotion: request.emotion,
        parent_id: plan.parent.map(|row| graph.id(row).to_owned()),
        importance: request.importance.clone(),
        device: request.device.clone(),
        modified_by: request.device.clone(),
        supersedes: plan.supersedes.map(|row| graph.id(row).to_owned()).unwrap_or_default(),
        superseded_by: String::new(),
        see_also: ids(&plan.see_also),
        contradicts: ids(&plan.contradicts),
        derived_from: ids(&plan.derived_from),
        ..Entry::default()
    };
    let replaced = plan.supersedes.as_slice();
    let lists = [
        ("supersedes", replaced),
        ("see_also", &plan.see_also),
        ("contradicts", &plan.contradicts),
        ("derived_from", &plan.derived_from),
    ];
    let edge = |kind: &str, row: Row| Edge {
        kind: kind.to_owned(),
        target: graph.id(row).to_owned(),
        added_at: now.clone(),
        removed_at: None,
        device: request.device.clone(),
        other: serde_json::Map::new(),
    };
    let edges = lists.iter().flat_map(|(kind, rows)| rows.iter().map(|&row| edge(kind, row))).collect();
    Ok(Payload { entry, content_at: now, edges, ..Payload::default() })
}

/// Names the new memory on one it replaces or is linked with. Nothing but relation fields, `updated_at` and
/// `modified_by` changes, so that the link can't undo an edit made elsewhere.
fn mirror_on(view: &View<'_>, writing: &Writing<'_>, request: &Remember, mirror: Mirror, stamp: &Stamp) -> Result<()> {
    let mut payload = view.payload(mirror.row)?;
    if mirror.superseded_by {
        payload.entry.superseded_by.clone_from(&stamp.id);
    }
    if mirror.see_also && !payload.entry.see_also.contains(&stamp.id) {
        payload.entry.see_also.push(stamp.id.clone());
    }
    payload.entry.modified_by.clone_from(&request.device);
    change(writing, &mut payload, stamp.unix_millis, false)
}
