//! What a forked child may do.
//!
//! If a library was open at the fork, the child is refused before any lock is taken: its copy of the
//! database's state could corrupt the parent's file. Otherwise the child works. A thread of the parent may
//! have held one of our locks at that moment, and is not there to give it back; so every short stretch under
//! a lock is a [`section`], and the fork handlers wait until no thread is in one.

use std::cell::RefCell;
use std::process;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use corecall_types::{Code, Error, Result};

use crate::{handles, log};

static OPEN_LIBRARIES: AtomicUsize = AtomicUsize::new(0);
static OWNER: AtomicU32 = AtomicU32::new(0);
static GATE: RwLock<()> = RwLock::new(());

thread_local! {
    /// The gate while this thread forks.
    static HELD: RefCell<Option<RwLockWriteGuard<'static, ()>>> = const { RefCell::new(None) };
}

/// Fails with `process.forked` in a child whose parent had a library open. Takes no lock.
pub fn check() -> Result<()> {
    if OPEN_LIBRARIES.load(Ordering::Acquire) > 0 && OWNER.load(Ordering::Relaxed) != process::id() {
        let message =
            "a library was open when this process was forked: start workers with spawn, or open it after the fork";
        return Err(Error::new(Code::ProcessForked, message));
    }
    Ok(())
}

/// Marks that this process has a library open, until it is dropped.
pub struct LibraryMark(());

impl LibraryMark {
    /// To be made before the library's file is touched.
    pub fn new() -> Self {
        OWNER.store(process::id(), Ordering::Relaxed);
        OPEN_LIBRARIES.fetch_add(1, Ordering::Release);
        Self(())
    }
}

impl Drop for LibraryMark {
    fn drop(&mut self) {
        OPEN_LIBRARIES.fetch_sub(1, Ordering::Release);
    }
}

/// A short stretch under a lock: no call to a host, no waiting, no section within it.
pub fn section() -> RwLockReadGuard<'static, ()> {
    GATE.read().unwrap_or_else(PoisonError::into_inner)
}

/// Runs before a fork: from here on, no other thread is in a section.
pub fn prepare() {
    let gate = GATE.write().unwrap_or_else(PoisonError::into_inner);
    HELD.with(|held| *held.borrow_mut() = Some(gate));
}

/// Runs after a fork in the parent.
pub fn parent() {
    HELD.with(|held| held.borrow_mut().take());
}

/// Runs after a fork in the child, which has one thread: the calls of the others are gone.
pub fn child() {
    handles::forget_running_calls();
    log::forget_running_callbacks();
    HELD.with(|held| held.borrow_mut().take());
}
