//! The running calls of one core: tickets, cancelling, progress, and waiting until all have returned.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};

use corecall_types::{Code, Error, Result, Task};

use crate::fork;

/// All calls of a core that have not returned yet.
#[derive(Default)]
pub struct Running {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    closing: bool,
    /// A handful at most, one a thread: searched from end to end.
    calls: Vec<(u64, Arc<Task>)>,
    waiting: Option<Thread>,
}

/// One running call; it ends when this is dropped.
pub struct Call<'r> {
    running: &'r Running,
    task: Arc<Task>,
}

impl Call<'_> {
    /// Tells the work whether it was cancelled, and takes its progress.
    pub fn task(&self) -> &Task {
        &self.task
    }
}

impl Running {
    /// Begins a call under `ticket`; 0 names none.
    pub fn begin(&self, ticket: u64) -> Result<Call<'_>> {
        let task = Arc::new(Task::new());
        let _section = fork::section();
        let mut state = self.lock();
        if state.closing {
            return Err(closed());
        }
        if ticket != 0 && state.task(ticket).is_some() {
            let message = format!("ticket {ticket} names a running call: use another, or wait until it returns");
            return Err(Error::new(Code::TicketRunning, message).at("ticket"));
        }
        state.calls.push((ticket, Arc::clone(&task)));
        Ok(Call { running: self, task })
    }

    /// Asks the call `ticket` to stop; 0: all of them.
    pub fn cancel(&self, ticket: u64) -> Result<()> {
        let _section = fork::section();
        let state = self.lock();
        if ticket == 0 {
            state.calls.iter().for_each(|(_, task)| task.cancel());
            return Ok(());
        }
        state.task(ticket).ok_or_else(|| unknown(ticket))?.cancel();
        Ok(())
    }

    /// `(done, total)` of the call `ticket`.
    pub fn progress(&self, ticket: u64) -> Result<(u64, u64)> {
        if ticket == 0 {
            return Err(Error::new(Code::ArgumentValue, "ticket 0 names no call: give the ticket of one").at("ticket"));
        }
        let _section = fork::section();
        let state = self.lock();
        Ok(state.task(ticket).ok_or_else(|| unknown(ticket))?.progress())
    }

    /// Lets no call begin any more, cancels all and waits until they have returned. Not the first to close:
    /// returns `false` at once.
    pub fn close(&self) -> bool {
        {
            let _section = fork::section();
            let mut state = self.lock();
            if std::mem::replace(&mut state.closing, true) {
                return false;
            }
            state.calls.iter().for_each(|(_, task)| task.cancel());
            state.waiting = Some(thread::current());
        }
        while self.any() {
            thread::park();
        }
        true
    }

    fn any(&self) -> bool {
        let _section = fork::section();
        !self.lock().calls.is_empty()
    }

    /// In a forked child: the calls of the parent's other threads will never return.
    pub fn forget(&self) {
        self.lock().calls.clear();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn task(&self, ticket: u64) -> Option<&Task> {
        self.calls.iter().find(|(running, _)| *running == ticket).map(|(_, task)| &**task)
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        let waiting = {
            let _section = fork::section();
            let mut state = self.running.lock();
            if let Some(index) = state.calls.iter().position(|(_, task)| Arc::ptr_eq(task, &self.task)) {
                state.calls.swap_remove(index);
            }
            if state.calls.is_empty() { state.waiting.take() } else { None }
        };
        if let Some(closer) = waiting {
            closer.unpark();
        }
    }
}

/// The handle was closed before or during the call.
pub fn closed() -> Error {
    Error::new(Code::HandleClosed, "the handle is closed: open a new one").at("handle")
}

fn unknown(ticket: u64) -> Error {
    Error::new(Code::TicketUnknown, format!("no running call of this handle has ticket {ticket}")).at("ticket")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_names_one_running_call() {
        let running = Running::default();
        let call = running.begin(7).unwrap();
        assert_eq!(running.begin(7).err().unwrap().code, Code::TicketRunning);
        call.task().report(3, 9);
        assert_eq!(running.progress(7).unwrap(), (3, 9));
        running.cancel(7).unwrap();
        assert!(call.task().check().is_err());
        drop(call);
        assert_eq!(running.cancel(7).unwrap_err().code, Code::TicketUnknown);
        assert!(running.begin(7).unwrap().task().check().is_ok());
    }

    #[test]
    fn ticket_zero_is_cancelled_with_all_others_only() {
        let running = Running::default();
        let (first, second) = (running.begin(0).unwrap(), running.begin(0).unwrap());
        assert_eq!(running.progress(0).unwrap_err().code, Code::ArgumentValue);
        running.cancel(0).unwrap();
        assert!(first.task().check().is_err() && second.task().check().is_err());
    }

    #[test]
    fn close_cancels_waits_and_refuses_what_comes_after() {
        let running = Running::default();
        let call = running.begin(1).unwrap();
        thread::scope(|scope| {
            let closer = scope.spawn(|| running.close());
            while call.task().check().is_ok() {
                thread::yield_now();
            }
            assert!(!closer.is_finished());
            assert_eq!(running.begin(2).err().unwrap().code, Code::HandleClosed);
            drop(call);
            assert!(closer.join().unwrap());
            assert!(!running.close());
        });
    }
}
