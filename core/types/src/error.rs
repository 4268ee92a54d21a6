//! The one error type. Its `Code` fixes name, status and whether a retry can help.

use std::fmt;

/// The closed list of status numbers that cross the C border (`abi.md`, Status codes).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum Status {
    /// Success.
    Ok = 0,
    /// A pointer, length, config, envelope or payload is wrong.
    InvalidArgument = 1,
    /// A schema or contract version is not supported.
    Version = 2,
    /// The operation is unknown or not available on this handle.
    Unsupported = 3,
    /// The named model can't be used here.
    ModelUnavailable = 4,
    /// The data belongs to another model or format.
    ArtifactIncompatible = 5,
    /// Any other failure.
    EngineFailure = 6,
    /// A panic was caught at the border.
    Panic = 7,
    /// Something that was named isn't there.
    NotFound = 8,
    /// What is stored, or running, forbids it.
    Conflict = 9,
    /// Locked by someone else for longer than the time-out.
    Busy = 10,
    /// The caller cancelled the call.
    Cancelled = 11,
    /// The handle is closed, or the process was forked.
    Closed = 12,
    /// An advertised limit was passed.
    Limit = 13,
    /// The operating system refused to read or write.
    Io = 14,
    /// Stored bytes are damaged.
    Corrupt = 15,
    /// An allocation whose size the request sets failed.
    NoMemory = 16,
    /// Wrong key, or not permitted.
    Denied = 17,
}

impl Status {
    /// Every status, in the order of its number.
    pub const ALL: [Self; 18] = [
        Self::Ok,
        Self::InvalidArgument,
        Self::Version,
        Self::Unsupported,
        Self::ModelUnavailable,
        Self::ArtifactIncompatible,
        Self::EngineFailure,
        Self::Panic,
        Self::NotFound,
        Self::Conflict,
        Self::Busy,
        Self::Cancelled,
        Self::Closed,
        Self::Limit,
        Self::Io,
        Self::Corrupt,
        Self::NoMemory,
        Self::Denied,
    ];

    /// The name the C header uses, without its prefix, for example `INVALID_ARGUMENT`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ok => "OK",
            Self::InvalidArgument => "INVALID_ARGUMENT",
            Self::Version => "VERSION",
            Self::Unsupported => "UNSUPPORTED",
            Self::ModelUnavailable => "MODEL_UNAVAILABLE",
            Self::ArtifactIncompatible => "ARTIFACT_INCOMPATIBLE",
            Self::EngineFailure => "ENGINE_FAILURE",
            Self::Panic => "PANIC",
            Self::NotFound => "NOT_FOUND",
            Self::Conflict => "CONFLICT",
            Self::Busy => "BUSY",
            Self::Cancelled => "CANCELLED",
            Self::Closed => "CLOSED",
            Self::Limit => "LIMIT",
            Self::Io => "IO",
            Self::Corrupt => "CORRUPT",
            Self::NoMemory => "NO_MEMORY",
            Self::Denied => "DENIED",
        }
    }
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal, $status:ident;)+) => {
        /// What went wrong, as a stable name; each belongs to exactly one [`Status`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code { $($(#[doc = $doc])+ $variant,)+ }

        impl Code {
            /// Every code, in the order of the table in `abi/README.md`.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The stable name, for example `relation.cycle`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// The status every error of this code carries.
            pub const fn status(self) -> Status {
                match self { $(Self::$variant => Status::$status,)+ }
            }

            /// One sentence for the table of names.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => concat!($($doc),+),)+ }
            }
        }
    };
}

codes! {
    /// A pointer that must not be NULL is NULL.
    ArgumentNull = "argument.null", InvalidArgument;
    /// A required argument is missing.
    ArgumentMissing = "argument.missing", InvalidArgument;
    /// An argument this version doesn't know.
    ArgumentUnknown = "argument.unknown", InvalidArgument;
    /// An argument has the wrong JSON type.
    ArgumentType = "argument.type", InvalidArgument;
    /// A number or a length is out of its range.
    ArgumentRange = "argument.range", InvalidArgument;
    /// A value that isn't one of those listed.
    ArgumentValue = "argument.value", InvalidArgument;
    /// The same identifier or pair was given twice.
    ArgumentDuplicate = "argument.duplicate", InvalidArgument;
    /// Two arguments exclude or contradict each other.
    ArgumentConflict = "argument.conflict", InvalidArgument;
    /// The bytes are not UTF-8, or a string holds a lone surrogate.
    JsonEncoding = "json.encoding", InvalidArgument;
    /// The bytes are not one JSON value.
    JsonSyntax = "json.syntax", InvalidArgument;
    /// Nested deeper than 64 levels.
    JsonDepth = "json.depth", InvalidArgument;
    /// An object holds the same key twice.
    JsonDuplicateKey = "json.duplicate_key", InvalidArgument;
    /// A number that no JSON reader can hold.
    JsonNumber = "json.number", InvalidArgument;
    /// The attachment's index isn't among those passed.
    AttachmentIndex = "attachment.index", InvalidArgument;
    /// An attachment was passed and not used.
    AttachmentUnused = "attachment.unused", InvalidArgument;
    /// An attachment is used twice.
    AttachmentReused = "attachment.reused", InvalidArgument;
    /// Length and shape of an attachment disagree, or its rank is wrong.
    AttachmentShape = "attachment.shape", InvalidArgument;
    /// The attachment's element type isn't the one wanted.
    AttachmentDtype = "attachment.dtype", InvalidArgument;
    /// A vector holds NaN or infinity.
    AttachmentNonfinite = "attachment.nonfinite", InvalidArgument;
    /// A vector has another dimension than its neighbours.
    VectorDimension = "vector.dimension", InvalidArgument;
    /// A vector of length zero has no direction.
    VectorZero = "vector.zero", InvalidArgument;
    /// The handle was never issued.
    HandleInvalid = "handle.invalid", InvalidArgument;
    /// A memory can't be linked to itself.
    RelationSelf = "relation.self", InvalidArgument;
    /// Trivial memories take no relations.
    RelationTrivial = "relation.trivial", InvalidArgument;
    /// A name fits several memories.
    TargetAmbiguous = "target.ambiguous", InvalidArgument;
    /// The envelope's schema version is not supported.
    SchemaUnsupported = "schema.unsupported", Version;
    /// A contract named in `require` is not supported.
    ContractUnsupported = "contract.unsupported", Version;
    /// The file was written by a newer version.
    StoreNewer = "store.newer", Version;
    /// The operation is unknown.
    OperationUnknown = "operation.unknown", Unsupported;
    /// The operation needs a handle opened with a path.
    OperationNeedsLibrary = "operation.needs_library", Unsupported;
    /// The model isn't known, or can't make vectors here.
    ModelUnknown = "model.unknown", ModelUnavailable;
    /// The data or the library belongs to another model.
    ModelMismatch = "model.mismatch", ArtifactIncompatible;
    /// The index data can't be read.
    ArtifactInvalid = "artifact.invalid", ArtifactIncompatible;
    /// An unexpected failure inside the engine.
    EngineFailure = "engine.failure", EngineFailure;
    /// A panic was caught; the handle is poisoned.
    EnginePanic = "engine.panic", Panic;
    /// An earlier call on this handle panicked; close it.
    HandlePoisoned = "handle.poisoned", Panic;
    /// No memory has this id.
    MemoryUnknown = "memory.unknown", NotFound;
    /// No live memory fits the name of a relation's target.
    TargetUnknown = "target.unknown", NotFound;
    /// There is no such relation.
    RelationUnknown = "relation.unknown", NotFound;
    /// A hit has no snapshot.
    SnapshotUnknown = "snapshot.unknown", NotFound;
    /// The resident key isn't known on this handle.
    ResidentUnknown = "resident.unknown", NotFound;
    /// No running call has this ticket.
    TicketUnknown = "ticket.unknown", NotFound;
    /// A chain of replacements or parents would close on itself.
    RelationCycle = "relation.cycle", Conflict;
    /// The target already has a live replacement.
    RelationReplaced = "relation.replaced", Conflict;
    /// The chain's head is another than expected.
    RelationExpectedHead = "relation.expected_head", Conflict;
    /// The memory was changed since it was read.
    MemoryChanged = "memory.changed", Conflict;
    /// A call with this ticket is already running.
    TicketRunning = "ticket.running", Conflict;
    /// The file is locked by another writer.
    StoreLocked = "store.locked", Busy;
    /// Called from inside the log callback.
    LogReentrant = "log.reentrant", Busy;
    /// The call was cancelled before it changed anything.
    CallCancelled = "call.cancelled", Cancelled;
    /// The handle is closed.
    HandleClosed = "handle.closed", Closed;
    /// A library was open when this process was forked.
    ProcessForked = "process.forked", Closed;
    /// The request is larger than the advertised limit.
    LimitRequest = "limit.request", Limit;
    /// More attachments, or more bytes in them, than the advertised limit.
    LimitAttachments = "limit.attachments", Limit;
    /// A text is longer than the advertised limit.
    LimitText = "limit.text", Limit;
    /// No more handles can be opened.
    LimitHandles = "limit.handles", Limit;
    /// The file can't be read or written.
    StoreIo = "store.io", Io;
    /// The file's content is damaged, or it is no library.
    StoreCorrupt = "store.corrupt", Corrupt;
    /// An allocation whose size the request sets failed.
    AllocationFailed = "allocation.failed", NoMemory;
    /// The library was opened read-only.
    StoreReadOnly = "store.read_only", Denied;
}

impl Code {
    /// Whether the same call may succeed later without a change.
    pub const fn retryable(self) -> bool {
        matches!(self, Self::StoreLocked)
    }
}

/// A refusal or failure: a stable code, a sentence that says what to do, the path of the argument.
///
/// Messages hold identifiers and counts, never memory text, vectors or scores. `path` is relative to
/// the operation's payload (`supersedes`, `snapshots[3].entry.id`) until the border makes it whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What went wrong.
    pub code: Code,
    /// A sentence for a person.
    pub message: String,
    /// The offending argument; empty when there is none.
    pub path: String,
}

impl Error {
    /// An error without a path.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), path: String::new() }
    }

    /// The same error, at `path`.
    #[must_use]
    pub fn at(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }

    /// The same error, one level further out: `supersedes` under `payload` is `payload.supersedes`.
    #[must_use]
    pub fn under(mut self, outer: &str) -> Self {
        self.path = match self.path.as_str() {
            "" => outer.to_owned(),
            inner if inner.starts_with('[') => format!("{outer}{inner}"),
            inner => format!("{outer}.{inner}"),
        };
        self
    }

    /// The status number's type.
    pub fn status(&self) -> Status {
        self.code.status()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.name(), self.message)
    }
}

impl std::error::Error for Error {}

/// The result of everything that can be refused.
pub type Result<T> = std::result::Result<T, Error>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_are_numbered_in_order() {
        for (number, status) in Status::ALL.iter().enumerate() {
            assert_eq!(*status as usize, number);
        }
    }

    #[test]
    fn code_names_are_distinct_and_dotted() {
        let mut names: Vec<_> = Code::ALL.iter().map(|code| code.name()).collect();
        assert!(names.iter().all(|name| name.split('.').count() == 2));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Code::ALL.len());
    }

    #[test]
    fn paths_grow_outwards() {
        let error = Error::new(Code::ArgumentType, "x").at("[3].id").under("snapshots").under("payload");
        assert_eq!(error.path, "payload.snapshots[3].id");
    }
}
