//! The bounded queue and its worker: recall never waits for either.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use corecall_types::{Code, Error, Result, Task};

use super::evidence::{Evidence, Recent};
use crate::StatisticsCounters;
use crate::store::Store;

/// So many recalls wait at most; more are turned away.
const PENDING_MAX: usize = 16;
/// How long `close` waits for them.
const DRAIN: Duration = Duration::from_millis(200);
/// The worker gathers this many recalls before it writes, or as many as come in [`GATHER`]: a commit costs far more
/// than a recall's counts, and each makes the readers forget the pages they had in memory.
const BATCH: usize = PENDING_MAX / 2;
const GATHER: Duration = Duration::from_millis(50);
/// How long a flush waits before it looks whether its call was cancelled.
const PATIENCE: Duration = Duration::from_millis(20);

/// The statistics of an open library.
pub(crate) struct Statistics {
    shared: Arc<Shared>,
    worker: Mutex<Option<JoinHandle<()>>>,
}

struct Shared {
    store: Arc<Store>,
    state: Mutex<State>,
    changed: Condvar,
    /// Cancelled when `close` won't wait any longer.
    writing: Task,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Evidence>,
    being_written: usize,
    recent: Recent,
    counters: StatisticsCounters,
    /// Somebody waits until nothing is pending: the worker must not gather.
    flushing: bool,
    closing: bool,
}

impl State {
    fn pending(&self) -> usize {
        self.waiting.len() + self.being_written
    }
}

impl Statistics {
    /// An empty queue; its thread starts with the first evidence.
    pub fn new(store: Arc<Store>) -> Self {
        let shared = Shared { store, state: Mutex::default(), changed: Condvar::new(), writing: Task::new() };
        Self { shared: Arc::new(shared), worker: Mutex::default() }
    }

    /// Takes evidence in, unless it was counted less than a minute ago, the queue is full, or nothing can be written.
    pub fn enqueue(&self, evidence: Evidence, now: Duration) {
        if self.shared.store.is_read_only() {
            return;
        }
        let mut state = self.shared.lock();
        if state.recent.holds(&evidence, now) {
            return;
        }
        if state.closing || state.pending() >= PENDING_MAX || !self.start_worker() {
            state.counters.rejected += 1;
            return;
        }
        state.recent.note(&evidence, now);
        state.waiting.push_back(evidence);
        state.counters.enqueued += 1;
        drop(state);
        self.shared.changed.notify_all();
    }

    /// The counters since the library was opened.
    pub fn counters(&self) -> StatisticsCounters {
        let state = self.shared.lock();
        StatisticsCounters { pending: state.pending() as u64, ..state.counters }
    }

    /// Waits until nothing is pending; `call.cancelled`, `handle.closed`.
    pub fn flush(&self, task: &Task) -> Result<()> {
        let mut state = self.shared.lock();
        while state.pending() > 0 {
            state.flushing = true;
            self.shared.changed.notify_all();
            task.check()?;
            if state.closing {
                return Err(Error::new(Code::HandleClosed, "the library was closed; open it again"));
            }
            if !self.start_worker() {
                return Err(Error::new(Code::EngineFailure, "no thread could be started; free some and flush again"));
            }
            state = self.shared.wait(state, PATIENCE);
        }
        Ok(())
    }

    /// Takes nothing more, stores what is pending if that is done in 200 ms, and ends the thread.
    pub fn close(&self) {
        let deadline = Instant::now() + DRAIN;
        let mut state = self.shared.lock();
        state.closing = true;
        self.shared.changed.notify_all();
        while state.pending() > 0 {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                self.shared.writing.cancel();
                break;
            }
            state = self.shared.wait(state, left);
        }
        drop(state);
        let worker = self.worker.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(worker) = worker {
            // A cancelled write ends at its next look at the lock; a panic has been counted as failed.
            let _ = worker.join();
        }
    }

    /// Whether there is a thread to write.
    fn start_worker(&self) -> bool {
        let mut worker = self.worker.lock().unwrap_or_else(PoisonError::into_inner);
        // A thread that panicked is replaced.
        if worker.as_ref().is_none_or(JoinHandle::is_finished) {
            let shared = Arc::clone(&self.shared);
            let builder = std::thread::Builder::new().name("corecall-statistics".to_owned());
            *worker = builder.spawn(move || shared.work()).ok();
        }
        worker.is_some()
    }
}

impl Shared {
    /// The worker: takes all that waits, stores it in one transaction, and so on until the queue closes.
    fn work(&self) {
        loop {
            let Some(batch) = self.gather() else { return };

            let written = Written { shared: self, count: batch.len() as u64, stored: false };
            let recalls: Vec<_> = batch.iter().map(|evidence| (evidence.hits(), evidence.together())).collect();
            written.end(self.store.count(&self.writing, &recalls).is_ok());
        }
    }

    /// What is to be written next; `None` once the queue is closed and empty.
    fn gather(&self) -> Option<Vec<Evidence>> {
        let mut state = self.lock();
        while state.waiting.is_empty() {
            state.flushing = false;
            if state.closing {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let deadline = Instant::now() + GATHER;
        while state.waiting.len() < BATCH && !state.flushing && !state.closing {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            state = self.wait(state, left);
        }
        let batch: Vec<Evidence> = state.waiting.drain(..).collect();
        state.being_written = batch.len();
        Some(batch)
    }

    // Every change of the state is whole before anything that could panic.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>, at_most: Duration) -> MutexGuard<'a, State> {
        self.changed.wait_timeout(state, at_most).unwrap_or_else(PoisonError::into_inner).0
    }
}

/// A batch on its way; whatever happens to it, it is counted.
struct Written<'a> {
    shared: &'a Shared,
    count: u64,
    stored: bool,
}

impl Written<'_> {
    fn end(mut self, stored: bool) {
        self.stored = stored;
    }
}

impl Drop for Written<'_> {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.being_written = 0;
        if self.stored {
            state.counters.persisted += self.count;
        } else {
            state.counters.failed += self.count;
        }
        drop(state);
        self.shared.changed.notify_all();
    }
}
