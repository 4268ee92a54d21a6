//! Through the C functions themselves, with operations that only tests have.

use std::ffi::c_void;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::{env, ptr, thread};

use serde_json::{Value, json};

use super::*;

/// The log sink belongs to the process.
static LOG_TURN: &Mutex<()> = &log::tests::TURN;

fn open() -> Handle {
    let (mut handle, mut reply) = (0, ptr::null_mut());
    let status = unsafe { corecall_open(ptr::null(), 0, &raw mut handle, &raw mut reply) };
    assert_eq!((status, taken(reply)["result"].clone()), (0, json!({})));
    handle
}

fn call(handle: Handle, ticket: u64, operation: &str) -> (i32, Value) {
    let request =
        json!({"schema_version": 1, "request_id": "t", "operation": operation, "payload": {"text": "secret"}});
    raw_call(handle, ticket, request.to_string().as_bytes())
}

fn raw_call(handle: Handle, ticket: u64, request: &[u8]) -> (i32, Value) {
    let mut reply = ptr::null_mut();
    let data = request.as_ptr().cast();
    let status = unsafe { corecall_call(handle, ticket, data, request.len(), ptr::null(), 0, &raw mut reply) };
    (status, taken(reply))
}

fn taken(reply: *mut Reply) -> Value {
    let mut json = EMPTY;
    assert_eq!(unsafe { corecall_reply_json(reply, &raw mut json) }, 0);
    let value = serde_json::from_slice(unsafe { slice::from_raw_parts(json.data.cast(), json.len) }).unwrap();
    unsafe { corecall_reply_free(reply) };
    value
}

fn name(reply: &Value) -> &str {
    reply["error"]["name"].as_str().unwrap_or("ok")
}

#[test]
fn a_panic_is_a_status_and_poisons_the_handle() {
    let (handle, other) = (open(), open());
    let (status, reply) = call(handle, 0, "probe_panic");
    assert_eq!((status, name(&reply)), (7, "engine.panic"));
    assert_eq!(reply["request_id"], "t");
    assert!(!reply.to_string().contains("secret"), "{reply}");
    let (status, reply) = call(handle, 0, "capabilities");
    assert_eq!((status, name(&reply)), (7, "handle.poisoned"));
    assert_eq!(
        name(&raw_call(other, 0, br#"{"schema_version":1,"request_id":"","operation":"capabilities","payload":{}}"#).1),
        "ok"
    );
    assert_eq!(corecall_close(handle), 0);
    assert_eq!(name(&call(handle, 0, "capabilities").1), "handle.closed");
    assert_eq!((corecall_close(handle), corecall_close(other)), (12, 0));
}

/// Runs the test above in a process of its own, whose output can be read.
#[test]
fn a_panic_prints_nothing() {
    let test = "entry::tests::a_panic_is_a_status_and_poisons_the_handle";
    let output = Command::new(env::current_exe().unwrap()).args(["--exact", test, "--nocapture"]).output().unwrap();
    let printed = [output.stdout, output.stderr].concat();
    let printed = String::from_utf8_lossy(&printed);
    assert!(printed.contains("1 passed"), "{printed}");
    assert!(!printed.contains("panicked") && !printed.contains("secret"), "{printed}");
}

#[test]
fn a_panic_is_logged_with_its_place_only() {
    let _turn = LOG_TURN.lock().unwrap_or_else(PoisonError::into_inner);
    assert_eq!(corecall_log_set(1, None, ptr::null_mut()), 0);
    let handle = open();
    call(handle, 0, "probe_panic");
    let mut reply = ptr::null_mut();
    assert_eq!(unsafe { corecall_log_drain(&raw mut reply) }, 0);
    let records = taken(reply)["result"].to_string();
    assert!(records.contains("operations/probe.rs:") && !records.contains("secret"), "{records}");
    assert_eq!((corecall_log_set(0, None, ptr::null_mut()), corecall_close(handle)), (0, 0));
}

#[test]
fn a_running_call_is_seen_cancelled_and_its_ticket_free_again() {
    let handle = open();
    let progress = || {
        let (mut done, mut total) = (7, 7);
        let status = unsafe { corecall_progress(handle, 5, &raw mut done, &raw mut total) };
        (status, done, total)
    };
    for _ in 0..2 {
        assert_eq!(progress(), (8, 0, 0));
        thread::scope(|scope| {
            let running = scope.spawn(|| call(handle, 5, "probe_wait"));
            while progress().1 == 0 {
                thread::yield_now();
            }
            assert_eq!(progress().2, u64::MAX);
            assert_eq!(name(&call(handle, 5, "probe_wait").1), "ticket.running");
            assert_eq!(corecall_cancel(handle, 6), 8);
            assert_eq!(corecall_cancel(handle, 5), 0);
            let (status, reply) = running.join().unwrap();
            assert_eq!((status, name(&reply)), (11, "call.cancelled"));
        });
        assert_eq!(corecall_cancel(handle, 5), 8);
    }
    assert_eq!(corecall_cancel(handle, 0), 0);
    assert_eq!(corecall_close(handle), 0);
}

#[test]
fn close_cancels_running_calls_and_waits_for_them() {
    let handle = open();
    thread::scope(|scope| {
        let running: Vec<_> = (0..3).map(|_| scope.spawn(|| call(handle, 0, "probe_wait").0)).collect();
        let named = scope.spawn(|| call(handle, 9, "probe_wait").0);
        let (mut done, mut total) = (0, 0);
        while unsafe { corecall_progress(handle, 9, &raw mut done, &raw mut total) } != 0 {
            thread::yield_now();
        }
        assert_eq!(corecall_close(handle), 0);
        assert_eq!(named.join().unwrap(), 11);
        // A call that had not begun when the handle closed finds it closed.
        assert!(running.into_iter().all(|call| [11, 12].contains(&call.join().unwrap())));
        assert_eq!(call(handle, 0, "capabilities").0, 12);
    });
}

#[test]
fn inside_a_log_callback_every_call_is_busy() {
    unsafe extern "C" fn reenter(userdata: *mut c_void, level: i32, _text: *const c_char, _len: usize) {
        let statuses = unsafe { &*userdata.cast::<Mutex<Vec<i32>>>() };
        let (mut handle, mut reply, mut slice) = (0, ptr::null_mut(), EMPTY);
        let (mut done, mut total) = (0, 0);
        let mut answers = Vec::new();
        unsafe {
            answers.push(corecall_open(ptr::null(), 0, &raw mut handle, &raw mut reply));
            answers.push(corecall_reply_json(reply, &raw mut slice));
            answers.push(corecall_reply_attachment(reply, 0, &raw mut slice));
            corecall_reply_free(reply);
            answers.push(corecall_call(1, 0, ptr::null(), 0, ptr::null(), 0, &raw mut reply));
            corecall_reply_free(reply);
            answers.push(corecall_capabilities(&raw mut reply));
            corecall_reply_free(reply);
            answers.push(corecall_log_drain(&raw mut reply));
            corecall_reply_free(reply);
            answers.push(corecall_progress(1, 1, &raw mut done, &raw mut total));
        }
        answers.extend([corecall_close(1), corecall_cancel(1, 0), corecall_log_set(0, None, ptr::null_mut())]);
        if level == 1 {
            statuses.lock().unwrap().extend(answers);
        }
    }
    let _turn = LOG_TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let statuses: Mutex<Vec<i32>> = Mutex::new(Vec::new());
    let userdata = (&raw const statuses).cast_mut().cast();
    assert_eq!(corecall_log_set(1, Some(reenter), userdata), 0);
    let handle = open();
    call(handle, 0, "probe_panic");
    assert_eq!(corecall_log_set(0, None, ptr::null_mut()), 0);
    let statuses = statuses.into_inner().unwrap();
    assert!(statuses.len() >= 10 && statuses.iter().all(|status| *status == 10), "{statuses:?}");
    assert_eq!(corecall_close(handle), 0);
}

#[test]
fn status_names_are_those_of_the_core() {
    for status in Status::ALL {
        let name = unsafe { CStr::from_ptr(corecall_status_name(status as i32)) };
        assert_eq!(name.to_str().unwrap(), status.name());
    }
    for wrong in [-1, 18, i32::MIN, i32::MAX] {
        assert_eq!(unsafe { CStr::from_ptr(corecall_status_name(wrong)) }, c"UNKNOWN");
    }
}
