//! One thing, lent to one caller at a time; waiting can be cancelled and ends.

use std::ops::{Deref, DerefMut};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use corecall_types::{Code, Error, Result, Task};

use super::failure::locked;

/// How long a wait lasts before it looks whether its call was cancelled.
pub(super) const PATIENCE: Duration = Duration::from_millis(20);

/// Something that is lent out, or gone for good.
#[derive(Debug)]
pub(super) struct Gate<T> {
    place: Mutex<Place<T>>,
    returned: Condvar,
}

#[derive(Debug)]
enum Place<T> {
    In(T),
    Lent,
    Gone,
}

/// The thing lent; it goes back when this is dropped.
pub(super) struct Lent<'a, T> {
    gate: &'a Gate<T>,
    thing: Option<T>,
}

impl<T> Gate<T> {
    pub fn new(thing: T) -> Self {
        Self { place: Mutex::new(Place::In(thing)), returned: Condvar::new() }
    }

    /// A gate that never had anything.
    pub fn gone() -> Self {
        Self { place: Mutex::new(Place::Gone), returned: Condvar::new() }
    }

    /// Waits for the thing: at most until `deadline`, then `store.locked`; `handle.closed` once it is gone.
    pub fn lend(&self, task: &Task, deadline: Instant) -> Result<Lent<'_, T>> {
        let mut place = self.lock();
        loop {
            match std::mem::replace(&mut *place, Place::Lent) {
                Place::In(thing) => return Ok(Lent { gate: self, thing: Some(thing) }),
                Place::Gone => {
                    *place = Place::Gone;
                    return Err(closed());
                }
                Place::Lent => {}
            }
            task.check()?;
            if Instant::now() >= deadline {
                return Err(locked());
            }
            place = self.returned.wait_timeout(place, PATIENCE).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Takes the thing out for good, at once if it is in, else when its borrower brings it back.
    pub fn close(&self) -> Option<T> {
        let place = std::mem::replace(&mut *self.lock(), Place::Gone);
        self.returned.notify_all();
        match place {
            Place::In(thing) => Some(thing),
            Place::Lent | Place::Gone => None,
        }
    }

    // The place is replaced in one step, so a panic elsewhere can't leave it half changed.
    fn lock(&self) -> MutexGuard<'_, Place<T>> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Drop for Lent<'_, T> {
    fn drop(&mut self) {
        let mut place = self.gate.lock();
        if let Place::Lent = *place {
            *place = self.thing.take().map_or(Place::Gone, Place::In);
        }
        drop(place);
        self.gate.returned.notify_one();
    }
}

impl<T> Deref for Lent<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.thing.as_ref().expect("the thing leaves only in drop")
    }
}

impl<T> DerefMut for Lent<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.thing.as_mut().expect("the thing leaves only in drop")
    }
}

/// `handle.closed` with what to do.
pub(super) fn closed() -> Error {
    Error::new(Code::HandleClosed, "the library is closed; open it again")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn soon() -> Instant {
        Instant::now() + Duration::from_millis(1)
    }

    #[test]
    fn a_thing_is_lent_once_and_comes_back() {
        let gate = Gate::new(7);
        let mut lent = gate.lend(&Task::new(), soon()).unwrap();
        *lent += 1;
        assert_eq!(gate.lend(&Task::new(), soon()).map(|lent| *lent).unwrap_err().code, Code::StoreLocked);
        drop(lent);
        assert_eq!(*gate.lend(&Task::new(), soon()).unwrap(), 8);
    }

    #[test]
    fn waiting_can_be_cancelled() {
        let gate = Gate::new(());
        let _lent = gate.lend(&Task::new(), soon()).unwrap();
        let task = Task::new();
        task.cancel();
        let late = Instant::now() + Duration::from_secs(3600);
        assert_eq!(gate.lend(&task, late).map(|_| ()).unwrap_err().code, Code::CallCancelled);
    }

    #[test]
    fn a_closed_gate_keeps_nothing() {
        let gate = Gate::new(());
        let lent = gate.lend(&Task::new(), soon()).unwrap();
        assert_eq!(gate.close(), None);
        drop(lent);
        assert_eq!(gate.lend(&Task::new(), soon()).map(|_| ()).unwrap_err().code, Code::HandleClosed);
    }
}
