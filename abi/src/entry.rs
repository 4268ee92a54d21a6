//! The functions of `include/corecall.h`: the one place where pointers of a host are read and written.
//!
//! Each checks, in this order: fork, log callback, output pointers, input pointers; then it calls safe code
//! inside the guard. Nothing here decides anything about memories.
#![allow(unsafe_code)]
#![allow(clippy::missing_safety_doc, reason = "the header is the contract of every function")]

use std::ffi::{CStr, c_char, c_void};
use std::slice;

use corecall_types::{Code, Error, Result, Status};

use crate::capabilities::{ABI_MAJOR, ABI_MINOR, capabilities};
use crate::dispatch::Answer;
use crate::instance::Core;
use crate::reply::Reply;
use crate::{envelope, fork, guard, handles, json, limits, log};

/// `corecall_handle`.
pub type Handle = u64;

/// `corecall_slice`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Slice {
    /// Where the bytes are.
    pub data: *const c_void,
    /// How many there are.
    pub len: usize,
}

/// `corecall_log_fn`.
pub type LogFn = Option<unsafe extern "C" fn(userdata: *mut c_void, level: i32, text: *const c_char, len: usize)>;

const EMPTY: Slice = Slice { data: std::ptr::null(), len: 0 };

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn corecall_abi_version() -> u32 {
    ABI_MAJOR << 16 | ABI_MINOR
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn corecall_version() -> *const c_char {
    const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => c"",
    };
    VERSION.as_ptr()
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn corecall_status_name(status: i32) -> *const c_char {
    let name = match status {
        0 => c"OK",
        1 => c"INVALID_ARGUMENT",
        2 => c"VERSION",
        3 => c"UNSUPPORTED",
        4 => c"MODEL_UNAVAILABLE",
        5 => c"ARTIFACT_INCOMPATIBLE",
        6 => c"ENGINE_FAILURE",
        7 => c"PANIC",
        8 => c"NOT_FOUND",
        9 => c"CONFLICT",
        10 => c"BUSY",
        11 => c"CANCELLED",
        12 => c"CLOSED",
        13 => c"LIMIT",
        14 => c"IO",
        15 => c"CORRUPT",
        16 => c"NO_MEMORY",
        17 => c"DENIED",
        _ => c"UNKNOWN",
    };
    name.as_ptr()
}

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn corecall_open(
    config: *const c_void,
    len: usize,
    handle: *mut Handle,
    reply: *mut *mut Reply,
) -> i32 {
    // SAFETY: the caller passes outputs it owns, or NULL.
    let (handle, reply) = unsafe { (output(handle, 0), output(reply, std::ptr::null_mut())) };
    let (Some(handle), Some(reply)) = (handle, reply) else { return Status::InvalidArgument as i32 };
    answer(reply, || {
        watch_forks();
        // SAFETY: the caller keeps `config` readable until this function returns.
        let config = unsafe { bytes(config, len, "config") }?;
        *handle = handles::insert(Core::open(config)?)?;
        let mut answer = Answer::to("");
        answer.result(&serde_json::json!({}));
        Ok(answer)
    })
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn corecall_close(handle: Handle) -> i32 {
    status(|| handles::remove(handle)?.close())
}

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn corecall_call(
    handle: Handle,
    ticket: u64,
    request: *const c_void,
    len: usize,
    attachments: *const Slice,
    count: usize,
    reply: *mut *mut Reply,
) -> i32 {
    // SAFETY: the caller passes an output it owns, or NULL.
    let Some(out) = (unsafe { output(reply, std::ptr::null_mut()) }) else { return Status::InvalidArgument as i32 };
    // SAFETY: the caller keeps request and attachments readable until this function returns.
    let (request, passed) = unsafe { (bytes(request, len, "request"), attached(attachments, count)) };
    let read = request.as_ref().copied().unwrap_or_default();
    let made = enter(|| Ok(handles::core(handle)?.call(ticket, request?, &passed?)));
    give(out, made.unwrap_or_else(|error| Reply::refusal(&readable_request_id(read), &error)))
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn corecall_cancel(handle: Handle, ticket: u64) -> i32 {
    status(|| handles::core(handle)?.cancel(ticket))
}

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn corecall_progress(handle: Handle, ticket: u64, done: *mut u64, total: *mut u64) -> i32 {
    // SAFETY: the caller passes outputs it owns, or NULL.
    let (done, total) = unsafe { (output(done, 0), output(total, 0)) };
    let (Some(done), Some(total)) = (done, total) else { return Status::InvalidArgument as i32 };
    status(|| {
        (*done, *total) = handles::core(handle)?.progress(ticket)?;
        Ok(())
    })
}

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn corecall_reply_json(reply: *const Reply, json: *mut Slice) -> i32 {
    // SAFETY: the caller passes an output it owns, or NULL, and a reply that has not been freed, or NULL.
    let (json, reply) = unsafe { (output(json, EMPTY), input(reply)) };
    let (Some(json), Some(reply)) = (json, reply) else { return Status::InvalidArgument as i32 };
    view(|| {
        *json = slice_of(reply.json());
        Status::Ok
    })
}

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn corecall_reply_attachment(reply: *const Reply, index: usize, bytes: *mut Slice) -> i32 {
    // SAFETY: the caller passes an output it owns, or NULL, and a reply that has not been freed, or NULL.
    let (bytes, reply) = unsafe { (output(bytes, EMPTY), input(reply)) };
    let (Some(bytes), Some(reply)) = (bytes, reply) else { return Status::InvalidArgument as i32 };
    view(|| {
        let Some(attachment) = reply.attachment(index) else { return Status::NotFound };
        *bytes = slice_of(attachment);
        Status::Ok
    })
}

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn corecall_reply_free(reply: *mut Reply) {
    if !reply.is_null() {
        // SAFETY: replies come from `give`, and the caller frees each once.
        let reply = unsafe { Box::from_raw(reply) };
        // Dropping bytes can't fail; there is nobody to tell if it did.
        let _ = guard::catch(|| drop(reply));
    }
}

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn corecall_capabilities(reply: *mut *mut Reply) -> i32 {
    // SAFETY: the caller passes an output it owns, or NULL.
    let Some(reply) = (unsafe { output(reply, std::ptr::null_mut()) }) else { return Status::InvalidArgument as i32 };
    answer(reply, || {
        let mut answer = Answer::to("");
        answer.result(&capabilities());
        Ok(answer)
    })
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn corecall_log_set(level: i32, function: LogFn, userdata: *mut c_void) -> i32 {
    // An address, so that the callback may be called from any thread; the host answers for what lies there.
    let userdata = userdata.expose_provenance();
    status(|| {
        let callback = function.map(|function| -> Box<log::Callback> {
            Box::new(move |level, text| {
                let userdata = std::ptr::with_exposed_provenance_mut(userdata);
                // SAFETY: the host's function takes these by the contract of the header; `text` outlives the call.
                unsafe { function(userdata, level, text.as_ptr().cast(), text.len()) };
            })
        });
        log::set(level, callback)
    })
}

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn corecall_log_drain(reply: *mut *mut Reply) -> i32 {
    // SAFETY: the caller passes an output it owns, or NULL.
    let Some(reply) = (unsafe { output(reply, std::ptr::null_mut()) }) else { return Status::InvalidArgument as i32 };
    answer(reply, || {
        let mut answer = Answer::to("");
        answer.result(&log::drain());
        Ok(answer)
    })
}

/// Runs `work` guarded, unless the process was forked or this is inside a log callback.
fn enter<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    fork::check()?;
    log::check()?;
    guard::catch(work).and_then(|outcome| outcome)
}

/// For functions that answer with a status alone.
fn status(work: impl FnOnce() -> Result<()>) -> i32 {
    enter(work).map_or_else(|error| error.status(), |()| Status::Ok) as i32
}

/// For functions that read a reply, which a forked child may do: it has to read its refusals.
fn view(work: impl FnOnce() -> Status) -> i32 {
    log::check().and_then(|()| guard::catch(work)).unwrap_or_else(|error| error.status()) as i32
}

/// For functions that answer with a reply.
fn answer(out: &mut *mut Reply, work: impl FnOnce() -> Result<Answer>) -> i32 {
    let reply = enter(work).map(|answer| {
        let (json, attachments) = answer.finish();
        Reply::new(Status::Ok, json, attachments)
    });
    give(out, reply.unwrap_or_else(|error| Reply::refusal("", &error)))
}

/// Hands a reply to the host, who frees it by `corecall_reply_free`.
fn give(out: &mut *mut Reply, reply: Reply) -> i32 {
    let status = reply.status() as i32;
    *out = Box::into_raw(Box::new(reply));
    status
}

/// The id of a request that is refused before it reaches a core. Takes no lock: a forked child comes here, too.
fn readable_request_id(request: &[u8]) -> String {
    if request.len() > limits::REQUEST_BYTES {
        return String::new();
    }
    let id = guard::catch(|| Some(envelope::request_id(&json::parse(request).ok()?).to_owned()));
    id.ok().flatten().unwrap_or_default()
}

fn slice_of(bytes: &[u8]) -> Slice {
    Slice { data: bytes.as_ptr().cast(), len: bytes.len() }
}

/// An output of the host, cleared; `None` when the pointer is NULL or misaligned.
///
/// # Safety
/// A pointer that is neither must be writable until the function returns.
unsafe fn output<'c, T>(pointer: *mut T, cleared: T) -> Option<&'c mut T> {
    if pointer.is_null() || !pointer.is_aligned() {
        return None;
    }
    // SAFETY: the caller's promise; the place may be uninitialised, so it is written before a reference is made.
    unsafe {
        pointer.write(cleared);
        Some(&mut *pointer)
    }
}

/// A reply of ours; `None` when the pointer is NULL or misaligned.
///
/// # Safety
/// Any other pointer must come from this library and not have been freed.
unsafe fn input<'c>(reply: *const Reply) -> Option<&'c Reply> {
    if !reply.is_aligned() {
        return None;
    }
    // SAFETY: the caller's promise.
    unsafe { reply.as_ref() }
}

/// Bytes of the host; length 0 allows NULL.
///
/// # Safety
/// A pointer that isn't NULL must be readable for `len` bytes until the function returns.
unsafe fn bytes<'c>(data: *const c_void, len: usize, name: &str) -> Result<&'c [u8]> {
    if len == 0 {
        return Ok(&[]);
    }
    if data.is_null() {
        return Err(Error::new(Code::ArgumentNull, format!("{name} is NULL and its length {len}")).at(name));
    }
    if isize::try_from(len).is_err() {
        return Err(Error::new(Code::ArgumentRange, format!("{name} has a length that no memory has")).at(name));
    }
    // SAFETY: the caller's promise, and the length fits.
    Ok(unsafe { slice::from_raw_parts(data.cast(), len) })
}

/// The attachments of a call.
///
/// # Safety
/// As for [`bytes`], for the array and for each of its slices.
unsafe fn attached<'c>(attachments: *const Slice, count: usize) -> Result<Vec<&'c [u8]>> {
    if count == 0 {
        return Ok(Vec::new());
    }
    if count > limits::ATTACHMENTS {
        let message = format!("a call takes {} attachments: send less at a time", limits::ATTACHMENTS);
        return Err(Error::new(Code::LimitAttachments, message).at("attachments"));
    }
    if attachments.is_null() || !attachments.is_aligned() {
        let message = format!("attachments is NULL or misaligned and its count {count}");
        return Err(Error::new(Code::ArgumentNull, message).at("attachments"));
    }
    // SAFETY: the caller's promise; the count is small.
    let slices = unsafe { slice::from_raw_parts(attachments, count) };
    // SAFETY: the caller's promise for each slice.
    let each = slices.iter().enumerate().map(|(index, slice)| unsafe {
        bytes(slice.data, slice.len, "attachments").map_err(|error| error.at(format!("attachments[{index}]")))
    });
    each.collect()
}

/// Has the system call us around every fork, from the first open on.
#[cfg(unix)]
fn watch_forks() {
    use std::sync::Once;

    type Handler = Option<extern "C" fn()>;
    unsafe extern "C" {
        fn pthread_atfork(prepare: Handler, parent: Handler, child: Handler) -> i32;
    }
    extern "C" fn prepare() {
        let _ = guard::catch(fork::prepare);
    }
    extern "C" fn parent() {
        let _ = guard::catch(fork::parent);
    }
    extern "C" fn child() {
        let _ = guard::catch(fork::child);
    }
    static WATCHED: Once = Once::new();
    WATCHED.call_once(|| {
        // SAFETY: the three are functions of this library; the system forgets them when it is unloaded.
        let failed = unsafe { pthread_atfork(Some(prepare), Some(parent), Some(child)) } != 0;
        if failed {
            log::record(log::WARN, || "fork can't be watched: don't fork while calls are running".to_owned());
        }
    });
}

#[cfg(not(unix))]
fn watch_forks() {}

#[cfg(test)]
mod tests;
