//! The sizes that requests must keep to; capabilities advertise them.

/// A text (content, query, title), in bytes.
pub const TEXT_BYTES: usize = 1 << 20;
/// An id, in bytes.
pub const ID_BYTES: usize = 256;
/// Hits of one recall or query, relations of one page.
pub const RECALL_LIMIT: u32 = 1000;
/// Components of a vector.
pub const VECTOR_DIMS: usize = 4096;
/// Ancestors listed with a hit, nearest ones kept.
pub const ANCESTORS: usize = 32;
/// What `kind` may be in `remember`.
pub const KINDS: [&str; 8] = ["context", "decision", "preference", "task", "emotion", "time", "skill", "knowledge"];
/// What `importance` may be in `remember`.
pub const IMPORTANCES: [&str; 3] = ["important", "normal", "trivial"];
