//! The resident sets of one core, by key.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use corecall_library::{Publish, ResidentSet};
use corecall_types::{Code, Error, Result, Task};

use crate::fork;

/// Sets under keys `r1`, `r2`, …; no key is used twice.
#[derive(Default)]
pub struct Residents {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    made: u64,
    sets: HashMap<String, Slot>,
}

/// A set while it has its key. Locked for as long as a publish builds on it: who asks for the set meanwhile
/// waits, and then gets it if the publish failed.
type Slot = Arc<Mutex<Option<ResidentSet>>>;

impl Residents {
    /// The set of that key, sharing its indices.
    pub fn set(&self, key: &str) -> Result<ResidentSet> {
        let slot = self.slot(key)?;
        let _section = fork::section();
        lock(&slot).clone().ok_or_else(|| unknown().at("resident_key"))
    }

    /// Makes a set, new or out of the one `base` names, whose key then ends. Gives the key and the number of
    /// snapshots in it. An error leaves the base as it was.
    pub fn publish(&self, base: Option<&str>, model: &str, change: Publish, task: &Task) -> Result<(String, usize)> {
        let Some(base) = base else {
            let set = ResidentSet::of(model, change, task)?;
            return Ok(self.insert(set, None));
        };
        let slot = self.slot(base).map_err(|error| error.at("base_key"))?;
        let set = {
            let mut held = lock(&slot);
            let set = held.as_mut().ok_or_else(|| unknown().at("base_key"))?;
            set.check_model(model)?;
            set.publish(change, task)?;
            held.take().expect("the set was there a moment ago, under the same lock")
        };
        Ok(self.insert(set, Some(base)))
    }

    /// Lets go of a set.
    pub fn release(&self, key: &str) -> Result<()> {
        let removed = {
            let _section = fork::section();
            lock(&self.state).sets.remove(key)
        };
        removed.map(drop).ok_or_else(|| unknown().at("resident_key"))
    }

    /// In a forked child: sets that a thread of the parent was building on are gone with it.
    pub fn forget_running(&self) {
        lock(&self.state).sets.retain(|_, slot| slot.try_lock().is_ok());
    }

    fn slot(&self, key: &str) -> Result<Slot> {
        let _section = fork::section();
        lock(&self.state).sets.get(key).cloned().ok_or_else(|| unknown().at("resident_key"))
    }

    fn insert(&self, set: ResidentSet, base: Option<&str>) -> (String, usize) {
        let indexed = set.len();
        let _section = fork::section();
        let mut state = lock(&self.state);
        if let Some(base) = base {
            state.sets.remove(base);
        }
        state.made += 1;
        let key = format!("r{}", state.made);
        state.sets.insert(key.clone(), Arc::new(Mutex::new(Some(set))));
        (key, indexed)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn unknown() -> Error {
    let message =
        "this handle has no resident set of that key: publish it (a key ends when it is released or built upon)";
    Error::new(Code::ResidentUnknown, message)
}
