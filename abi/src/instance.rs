//! An open core: what a handle stands for.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use corecall_library::{Library, OpenConfig};
use corecall_types::{Code, Error, Result, Status};

use crate::decode::decode;
use crate::dispatch::Answer;
use crate::fork::LibraryMark;
use crate::json::Value;
use crate::path::Path;
use crate::reply::{Attachment, Reply};
use crate::residents::Residents;
use crate::running::{Running, closed};
use crate::shape::{Field, Object, Shape};
use crate::{envelope, fork, guard, json, limits, log};

/// An open core, with or without a library. The C handles stand for one of these; Rust hosts hold it.
///
/// Every method may be called from any thread, and none panics. Dropping it closes it.
pub struct Core {
    running: Running,
    poisoned: AtomicBool,
    residents: Residents,
    library: Option<Library>,
    mark: Mutex<Option<LibraryMark>>,
}

const CONFIG: Shape = Shape::Object(&Object::of(&[
    Field::required("path", Shape::Text { min: 1, max: 4096 }, ""),
    Field::optional("model", Shape::TEXT, ""),
    Field::optional("read_only", Shape::Boolean, ""),
]));

impl Core {
    /// Opens a core: `{}` or empty without storage, `{"path": …, "model"?, "read_only"?}` with a library.
    pub fn open(config: &[u8]) -> Result<Self> {
        fork::check()?;
        guard::catch(|| Self::read_and_open(config)).and_then(|opened| opened)
    }

    /// Runs one request, as `corecall_call` does.
    pub fn call(&self, ticket: u64, request: &[u8], attachments: &[&[u8]]) -> Reply {
        let mut request_id = String::new();
        let outcome = guard::catch(|| self.run(ticket, request, attachments, &mut request_id));
        if outcome.is_err() {
            self.poisoned.store(true, Ordering::Release);
        }
        match outcome.and_then(|outcome| outcome) {
            Ok((json, attachments)) => Reply::new(Status::Ok, json, attachments),
            Err(error) => Reply::refusal(&request_id, &error),
        }
    }

    /// Asks the running call `ticket` to stop; 0: all of them.
    pub fn cancel(&self, ticket: u64) -> Result<()> {
        fork::check()?;
        self.running.cancel(ticket)
    }

    /// `(done, total)` of the running call `ticket`.
    pub fn progress(&self, ticket: u64) -> Result<(u64, u64)> {
        fork::check()?;
        self.running.progress(ticket)
    }

    /// Cancels running calls, waits for them, closes the library. A second time: `handle.closed`.
    pub fn close(&self) -> Result<()> {
        fork::check()?;
        if !self.running.close() {
            return Err(closed());
        }
        let Some(library) = &self.library else { return Ok(()) };
        let outcome = guard::catch(|| library.close()).and_then(|closed| closed);
        if outcome.is_ok() {
            self.mark.lock().unwrap_or_else(PoisonError::into_inner).take();
        }
        log::record(log::INFO, || format!("closed a library: {}", Status::name(status_of(&outcome))));
        outcome
    }

    pub(crate) fn library(&self) -> Option<&Library> {
        self.library.as_ref()
    }

    pub(crate) fn residents(&self) -> &Residents {
        &self.residents
    }

    /// In a forked child: the calls of the parent's other threads are gone.
    pub(crate) fn forget_running_calls(&self) {
        self.running.forget();
        self.residents.forget_running();
    }

    fn read_and_open(config: &[u8]) -> Result<Self> {
        check_length(config, "config")?;
        let value = if config.is_empty() { Value::Object(Vec::new()) } else { json::parse(config)? };
        let mut core = Self {
            running: Running::default(),
            poisoned: AtomicBool::new(false),
            residents: Residents::default(),
            library: None,
            mark: Mutex::new(None),
        };
        if value != Value::Object(Vec::new()) {
            CONFIG.check(&value, &Path::Root("config"), &mut Vec::new())?;
            let config: OpenConfig = decode(&value)?;
            // Before the file is touched: a child forked meanwhile must keep away from it.
            let mark = LibraryMark::new();
            core.library = Some(Library::open(&config).map_err(|error| under(error, "config"))?);
            core.mark = Mutex::new(Some(mark));
            log::record(log::INFO, || "opened a library".to_owned());
        }
        Ok(core)
    }

    fn run(
        &self,
        ticket: u64,
        request: &[u8],
        attachments: &[&[u8]],
        request_id: &mut String,
    ) -> Result<(Vec<u8>, Vec<Attachment>)> {
        check_length(request, "request")?;
        let value = json::parse(request)?;
        envelope::request_id(&value).clone_into(request_id);
        fork::check()?;
        if self.poisoned.load(Ordering::Acquire) {
            let message = "an earlier call on this handle met a defect: close it and open a new one";
            return Err(Error::new(Code::HandlePoisoned, message).at("handle"));
        }
        let call = self.running.begin(ticket)?;
        let request = envelope::read(&value)?;
        let mut answer = Answer::to(request_id);
        let outcome = request.operation.answer(self, call.task(), request.payload, attachments, &mut answer);
        log::record(log::DEBUG, || {
            let name = request.operation.name;
            format!("{name}: {}, {} attachments in", status_of(&outcome).name(), attachments.len())
        });
        outcome.map(|()| answer.finish())
    }
}

/// `error` seen from one level further out; one that has no place in the arguments gets none.
pub fn under(error: Error, outer: &str) -> Error {
    if error.path.is_empty() { error } else { error.under(outer) }
}

fn check_length(text: &[u8], path: &str) -> Result<()> {
    if text.len() > limits::REQUEST_BYTES {
        let message = format!("it must have at most {} bytes: send less at a time", limits::REQUEST_BYTES);
        return Err(Error::new(Code::LimitRequest, message).at(path));
    }
    Ok(())
}

fn status_of(outcome: &Result<()>) -> Status {
    outcome.as_ref().map_or_else(Error::status, |()| Status::Ok)
}

impl Drop for Core {
    fn drop(&mut self) {
        // Closed already, or forked: nothing is left to do.
        let _ = self.close();
    }
}

/// Nothing of what it holds.
impl fmt::Debug for Core {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Core").field("library", &self.library.is_some()).finish_non_exhaustive()
    }
}
