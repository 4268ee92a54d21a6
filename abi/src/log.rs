//! Where log records go: nowhere, to a host's function, or into a bounded ring.
//!
//! Records hold identifiers, counts and places in the source, never memory text, vectors or scores.

use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};

use corecall_types::{Code, Error, Result};
use serde::Serialize;

use crate::fork;

/// Nothing is logged.
pub const OFF: i32 = 0;
/// Defects.
pub const ERROR: i32 = 1;
/// What a host should look at.
pub const WARN: i32 = 2;
/// Opening and closing.
pub const INFO: i32 = 3;
/// Every call.
pub const DEBUG: i32 = 4;

/// A host's log function.
pub type Callback = dyn Fn(i32, &str) + Send + Sync;

/// One record of the ring.
#[derive(Serialize, Debug, PartialEq)]
pub struct Record {
    level: i32,
    text: String,
}

const RING_RECORDS: usize = 1024;

static LEVEL: AtomicI32 = AtomicI32::new(OFF);
static SINK: Mutex<Sink> = Mutex::new(Sink { callback: None, waiting: Vec::new(), ring: VecDeque::new(), dropped: 0 });

thread_local! {
    static IN_CALLBACK: Cell<bool> = const { Cell::new(false) };
}

/// A host's function while it is set, or still running.
struct Active {
    function: Box<Callback>,
    /// Calls of it that have not returned yet; changed under the sink's lock.
    running: AtomicUsize,
}

struct Sink {
    callback: Option<Arc<Active>>,
    /// Threads in [`set`] that wait for running callbacks.
    waiting: Vec<Thread>,
    ring: VecDeque<Record>,
    dropped: usize,
}

/// Fails with `log.reentrant` inside a log callback.
pub fn check() -> Result<()> {
    if IN_CALLBACK.with(Cell::get) {
        return Err(Error::new(
            Code::LogReentrant,
            "a log callback must not call corecall: keep the record and return",
        ));
    }
    Ok(())
}

/// Sets the level and the function; without one, records go to the ring. Returns when no callback runs.
pub fn set(level: i32, callback: Option<Box<Callback>>) -> Result<()> {
    if !(OFF..=DEBUG).contains(&level) {
        return Err(Error::new(Code::ArgumentRange, "the level must be from 0 (off) to 4 (debug)").at("level"));
    }
    let old = {
        let _section = fork::section();
        let mut sink = sink();
        LEVEL.store(level, Ordering::Relaxed);
        let callback = callback.filter(|_| level > OFF);
        let active = callback.map(|function| Arc::new(Active { function, running: AtomicUsize::new(0) }));
        std::mem::replace(&mut sink.callback, active)
    };
    while old.as_deref().is_some_and(runs) {
        thread::park();
    }
    Ok(())
}

/// Logs what `text` makes, if the level is kept.
pub fn record(level: i32, text: impl FnOnce() -> String) {
    if level > LEVEL.load(Ordering::Relaxed) || IN_CALLBACK.with(Cell::get) {
        return;
    }
    let text = text();
    let callback = {
        let _section = fork::section();
        let mut sink = sink();
        let Some(callback) = sink.callback.clone() else {
            if level <= LEVEL.load(Ordering::Relaxed) {
                sink.keep(Record { level, text });
            }
            return;
        };
        callback.running.fetch_add(1, Ordering::Relaxed);
        callback
    };
    IN_CALLBACK.with(|inside| inside.set(true));
    (callback.function)(level, &text);
    IN_CALLBACK.with(|inside| inside.set(false));
    let waiting = {
        let _section = fork::section();
        let mut sink = sink();
        callback.running.fetch_sub(1, Ordering::Relaxed);
        std::mem::take(&mut sink.waiting)
    };
    waiting.iter().for_each(Thread::unpark);
}

/// Takes the ring's records out, oldest first; the first says how many had to leave, if any had.
pub fn drain() -> Vec<Record> {
    let _section = fork::section();
    let mut sink = sink();
    let mut records = Vec::with_capacity(sink.ring.len() + 1);
    match std::mem::take(&mut sink.dropped) {
        0 => {}
        dropped => records.push(Record { level: WARN, text: format!("{dropped} older records had to leave the ring") }),
    }
    records.extend(sink.ring.drain(..));
    records
}

/// In a forked child: only the forking thread is left, and perhaps its callback.
pub fn forget_running_callbacks() {
    let mut sink = sink();
    if let Some(callback) = &sink.callback {
        callback.running.store(usize::from(IN_CALLBACK.with(Cell::get)), Ordering::Relaxed);
    }
    sink.waiting.clear();
}

/// Whether calls of it have not returned; then this thread is woken when one has.
fn runs(callback: &Active) -> bool {
    let _section = fork::section();
    let mut sink = sink();
    let runs = callback.running.load(Ordering::Relaxed) > 0;
    if runs {
        sink.waiting.push(thread::current());
    }
    runs
}

fn sink() -> MutexGuard<'static, Sink> {
    SINK.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Sink {
    fn keep(&mut self, record: Record) {
        if self.ring.len() == RING_RECORDS {
            self.ring.pop_front();
            self.dropped += 1;
        }
        self.ring.push_back(record);
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// The sink belongs to the process: tests that set it take turns.
    pub static TURN: Mutex<()> = Mutex::new(());

    fn turn() -> MutexGuard<'static, ()> {
        TURN.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[test]
    fn the_ring_keeps_the_newest_and_counts_the_rest() {
        let _turn = turn();
        set(ERROR, None).unwrap();
        drain();
        for number in 0..RING_RECORDS + 3 {
            record(ERROR, || format!("record {number}"));
        }
        record(WARN, || unreachable!("above the level"));
        let records: Vec<Record> = drain();
        let ours: Vec<&Record> = records.iter().filter(|record| record.text.starts_with("record ")).collect();
        assert!(records[0].text.contains("had to leave"));
        assert_eq!(ours.last().unwrap().text, format!("record {}", RING_RECORDS + 2));
        assert!(records.len() <= RING_RECORDS + 1);
        set(OFF, None).unwrap();
    }

    #[test]
    fn calls_inside_a_callback_are_refused_and_no_callback_outlives_set() {
        static RUNNING: AtomicUsize = AtomicUsize::new(0);
        static REFUSED: AtomicUsize = AtomicUsize::new(0);
        let _turn = turn();
        set(
            ERROR,
            Some(Box::new(|_, _| {
                RUNNING.fetch_add(1, Ordering::SeqCst);
                REFUSED.fetch_add(usize::from(check().is_err()), Ordering::SeqCst);
                thread::yield_now();
                RUNNING.fetch_sub(1, Ordering::SeqCst);
            })),
        )
        .unwrap();
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..200).for_each(|_| record(ERROR, || "x".to_owned())));
            }
            while REFUSED.load(Ordering::SeqCst) == 0 {
                thread::yield_now();
            }
            set(OFF, None).unwrap();
            assert_eq!(RUNNING.load(Ordering::SeqCst), 0);
        });
        assert!(check().is_ok());
    }

    #[test]
    fn levels_outside_the_list_are_refused() {
        assert_eq!(set(5, None).unwrap_err().code, Code::ArgumentRange);
        assert_eq!(set(-1, None).unwrap_err().code, Code::ArgumentRange);
    }
}
