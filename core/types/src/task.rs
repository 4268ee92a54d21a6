//! A running call as the engine sees it: it may be cancelled, and says how far it is.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::{Code, Error, Result};

/// Shared between the thread that works and those that watch or cancel it.
#[derive(Debug, Default)]
pub struct Task {
    cancelled: AtomicBool,
    done: AtomicU64,
    total: AtomicU64,
}

impl Task {
    /// A task nobody has cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the work to stop at its next check.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Fails with `call.cancelled` once the task is cancelled.
    ///
    /// Long loops call it every few thousand steps, and never after a commit: a committed write
    /// returns its result.
    pub fn check(&self) -> Result<()> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(Error::new(Code::CallCancelled, "the call was cancelled; nothing was written"));
        }
        Ok(())
    }

    /// Says how far the work is, in units of its own.
    pub fn report(&self, done: u64, total: u64) {
        self.total.store(total, Ordering::Relaxed);
        self.done.store(done, Ordering::Relaxed);
    }

    /// `(done, total)`; both 0 before the first report.
    pub fn progress(&self) -> (u64, u64) {
        (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }
}
