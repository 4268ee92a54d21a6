//! Turns panics into errors at the border, and keeps their texts, which can hold memory text, to itself.

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;
use std::thread;

use corecall_types::{Code, Error, Result};

use crate::log;

thread_local! {
    /// How many guards this thread is inside of.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    /// Where this thread panicked last.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Threads the core starts itself are named so, and are as quiet as guarded ones.
const OWN_THREADS: &str = "corecall-";

/// Runs `work`; a panic in it becomes `engine.panic`, and its place in the source a log record.
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T> {
    install_hook();
    DEPTH.with(|depth| depth.set(depth.get() + 1));
    let outcome = panic::catch_unwind(AssertUnwindSafe(work));
    DEPTH.with(|depth| depth.set(depth.get() - 1));
    outcome.map_err(|payload| {
        // A payload of another type than the two that `panic!` makes could panic when it is dropped.
        if !payload.is::<&'static str>() && !payload.is::<String>() {
            std::mem::forget(payload);
        }
        let place = PLACE.with(RefCell::take).unwrap_or_default();
        log::record(log::ERROR, || format!("panic at {place}"));
        Error::new(Code::EnginePanic, format!("a defect was caught at {place}: close the handle and report this line"))
    })
}

/// Replaces the process's panic hook once by one that is silent for our threads and passes all others on to
/// the hook it found, so that a Rust host keeps its own.
fn install_hook() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let hosts_hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if DEPTH.with(Cell::get) > 0 {
                PLACE.with(|place| *place.borrow_mut() = Some(place_of(info)));
            } else if thread::current().name().is_some_and(|name| name.starts_with(OWN_THREADS)) {
                log::record(log::ERROR, || format!("panic at {} in a thread of the core", place_of(info)));
            } else {
                hosts_hook(info);
            }
        }));
    });
}

/// File and line; of the file's path only what is inside the project or a dependency.
fn place_of(info: &PanicHookInfo<'_>) -> String {
    let Some(location) = info.location() else { return "an unknown place".to_owned() };
    let file = location.file().replace('\\', "/");
    let inside = file.rsplit_once("/registry/src/").and_then(|(_, inside)| inside.split_once('/'));
    let inside = inside.map_or(file.as_str(), |(_, inside)| inside);
    format!("{}:{}", inside.trim_start_matches('/'), location.line())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_without_its_text() {
        let error = catch(|| panic!("secret")).map(|(): ()| ()).unwrap_err();
        assert_eq!(error.code, Code::EnginePanic);
        assert!(error.message.contains("guard.rs:"), "{}", error.message);
        assert!(!error.message.contains("secret"));
    }

    #[test]
    fn payloads_that_panic_when_dropped_do_no_harm() {
        struct Grenade;
        impl Drop for Grenade {
            fn drop(&mut self) {
                panic!("dropped");
            }
        }
        let error = catch(|| panic::panic_any(Grenade)).map(|(): ()| ()).unwrap_err();
        assert_eq!(error.code, Code::EnginePanic);
    }

    #[test]
    fn what_does_not_panic_is_passed_through() {
        assert_eq!(catch(|| 7).unwrap(), 7);
    }
}
