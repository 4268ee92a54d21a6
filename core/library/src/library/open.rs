//! Opening and closing a library.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, RwLock};
use std::time::Duration;

use corecall_scoring::Model;
use corecall_types::{Code, Error, Result, Task};
use serde::Deserialize;

use super::Index;
use crate::sources::{Sources, System};
use crate::statistics::Statistics;
use crate::store::{Header, Opening, PAYLOAD_VERSION, Store};

/// The config of `corecall_open` when it names a library. Errors of opening are at these fields.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenConfig {
    /// The file, made if it isn't there, or `:memory:`.
    pub path: String,
    /// The embedding model; absent: the file's own, `none` for a new file.
    #[serde(default)]
    pub model: Option<String>,
    /// Nothing is ever written; the file must be there.
    #[serde(default)]
    pub read_only: bool,
}

/// What a Rust host may replace; the C face takes the defaults.
#[derive(Clone)]
pub struct Options {
    /// Time and chance.
    pub sources: Arc<dyn Sources>,
    /// How long a lock of another writer is waited for.
    pub busy_timeout: Duration,
}

impl Default for Options {
    /// The machine's clock and random numbers; 30 seconds.
    fn default() -> Self {
        Self { sources: Arc::new(System::new()), busy_timeout: Duration::from_secs(30) }
    }
}

/// An open library. Any number of threads may call it; reads run side by side, writes one at a time.
pub struct Library {
    pub(crate) store: Arc<Store>,
    pub(crate) index: RwLock<Index>,
    pub(crate) model: Model,
    pub(crate) statistics: Statistics,
    pub(crate) sources: Arc<dyn Sources>,
    closed: AtomicBool,
}

impl Library {
    /// Opens or makes the library.
    ///
    /// Errors: `argument.range` at `path`, `model.unknown` and `model.mismatch` at `model`, `store.corrupt`,
    /// `store.newer`, `store.io`, `store.locked`, `store.read_only` at `path`.
    pub fn open(config: &OpenConfig) -> Result<Self> {
        Self::open_with(config, Options::default())
    }

    /// [`Self::open`] with another clock, source of ids, or patience.
    pub fn open_with(config: &OpenConfig, options: Options) -> Result<Self> {
        let Options { sources, busy_timeout } = options;
        if config.path.is_empty() || config.path.contains('\0') {
            let message = "path is empty or holds a NUL; name a file, or pass :memory:";
            return Err(Error::new(Code::ArgumentRange, message).at("path"));
        }
        let model = config.model.as_deref().map_or(Ok(Model::None), parse_model)?;
        let opening = Opening {
            path: &config.path,
            read_only: config.read_only,
            header: Header {
                library_id: sources.random(),
                model: model.id(),
                seal: 0,
                payload_version: PAYLOAD_VERSION,
                created_at: sources.stamp().unix_millis,
                change_seq: 0,
            },
            model_given: config.model.is_some(),
            busy_timeout,
        };
        let store = Arc::new(Store::open(&opening, &Task::new())?);
        let model = parse_model(&store.header().model)?;
        Ok(Self {
            index: RwLock::new(Index::new(model.clone())),
            model,
            statistics: Statistics::new(Arc::clone(&store)),
            sources,
            store,
            closed: AtomicBool::new(false),
        })
    }

    /// Drains the statistics (at most 200 ms) and lets go of the file; later calls fail with `handle.closed`.
    ///
    /// Calls still running end as they would have, and hold the file until then.
    pub fn close(&self) -> Result<()> {
        if self.closed.swap(true, Ordering::AcqRel) {
            return Err(closed());
        }
        self.statistics.close();
        self.store.close();
        Ok(())
    }

    /// Whether nothing can be written.
    pub fn is_read_only(&self) -> bool {
        self.store.is_read_only()
    }

    pub(crate) fn check_open(&self) -> Result<()> {
        if self.closed.load(Ordering::Acquire) { Err(closed()) } else { Ok(()) }
    }
}

/// An owner that forgets to close loses nothing.
impl Drop for Library {
    fn drop(&mut self) {
        let _ = self.close();
    }
}

/// Counts only: nothing of what is stored.
impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = self.model.id();
        f.debug_struct("Library")
            .field("model", &model)
            .field("read_only", &self.is_read_only())
            .finish_non_exhaustive()
    }
}

fn parse_model(id: &str) -> Result<Model> {
    Model::parse(id).map_err(|error| error.at("model"))
}

fn closed() -> Error {
    Error::new(Code::HandleClosed, "the library is closed; open it again")
}
