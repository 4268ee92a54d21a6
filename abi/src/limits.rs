//! The limits that `capabilities` advertises. Requests beyond them are refused before any work.

use corecall_library::limits as library;
use serde::Serialize;

/// Bytes of one request.
pub const REQUEST_BYTES: usize = 268_435_456;
/// Attachments of one call.
pub const ATTACHMENTS: usize = 65_536;
/// Bytes of all attachments of one call.
pub const ATTACHMENT_BYTES: u64 = 8_589_934_592;
/// Levels of arrays and objects in one another.
pub const DEPTH: usize = 64;
/// Bytes of one text in UTF-8.
pub const TEXT_BYTES: usize = library::TEXT_BYTES;
/// Bytes of one identifier in UTF-8.
pub const ID_BYTES: usize = library::ID_BYTES;
/// Hits of one query or recall.
pub const RECALL_LIMIT: u32 = library::RECALL_LIMIT;
/// Handles open at one time in a process.
pub const HANDLES: usize = 4096;
/// Associations of one reply.
pub const RELATED_MAX: u32 = corecall_policy::RelatedSettings::BUDGET_MAX;

/// `capabilities.limits`.
#[derive(Serialize)]
pub struct Limits {
    request_bytes: usize,
    attachments: usize,
    attachment_bytes: u64,
    depth: usize,
    text_bytes: usize,
    id_bytes: usize,
    recall_limit: u32,
    handles: usize,
    related_max: u32,
}

/// All of them, in the order shown.
pub const ALL: Limits = Limits {
    request_bytes: REQUEST_BYTES,
    attachments: ATTACHMENTS,
    attachment_bytes: ATTACHMENT_BYTES,
    depth: DEPTH,
    text_bytes: TEXT_BYTES,
    id_bytes: ID_BYTES,
    recall_limit: RECALL_LIMIT,
    handles: HANDLES,
    related_max: RELATED_MAX,
};
