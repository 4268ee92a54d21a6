//! What every fuzzed call must keep, whoever makes the bytes.
//!
//! An input is a request, then, after the first zero byte, attachments: each a length of two bytes, little-endian,
//! and so many bytes (fewer when the input ends).

use std::cell::RefCell;
use std::{ptr, slice};

use corecall::Reply;
use corecall::c::{
    Slice, corecall_call, corecall_close, corecall_open, corecall_reply_attachment, corecall_reply_free,
    corecall_reply_json,
};
use serde_json::Value;

/// Calls before the cores are opened anew, so that what is stored doesn't grow without end.
const CALLS_PER_CORE: usize = 500;

const ENGINE_FAILURE: i32 = 6;
const PANIC: i32 = 7;

thread_local! {
    static CORES: RefCell<Cores> = const { RefCell::new(Cores { handles: [0, 0], calls: CALLS_PER_CORE }) };
}

struct Cores {
    /// One without storage, one with a library.
    handles: [u64; 2],
    calls: usize,
}

/// Makes one call on each kind of core, checks what comes back, and gives the names of the errors (`ok` for none).
pub fn run(data: &[u8]) -> [String; 2] {
    let handles = CORES.with(|cores| cores.borrow_mut().next());
    let (request, rest) = match data.iter().position(|&byte| byte == 0) {
        Some(end) => (&data[..end], &data[end + 1..]),
        None => (data, &data[..0]),
    };
    let attachments = attachments(rest);
    handles.map(|handle| call(handle, request, &attachments))
}

/// A request and its attachments as one input.
#[allow(dead_code, reason = "only one of the two that share this file makes inputs")]
pub fn input(request: &[u8], attachments: &[Vec<u8>]) -> Vec<u8> {
    let mut data = request.to_vec();
    for (index, attachment) in attachments.iter().enumerate() {
        data.extend_from_slice(if index == 0 { &[0] } else { &[] });
        data.extend_from_slice(&u16::try_from(attachment.len()).unwrap_or(u16::MAX).to_le_bytes());
        data.extend_from_slice(attachment);
    }
    data
}

impl Cores {
    fn next(&mut self) -> [u64; 2] {
        self.calls += 1;
        if self.calls > CALLS_PER_CORE {
            self.calls = 0;
            for (handle, config) in self.handles.iter_mut().zip(["{}", "{\"path\":\":memory:\"}"]) {
                if *handle != 0 {
                    assert_eq!(corecall_close(*handle), 0);
                }
                *handle = open(config);
            }
        }
        self.handles
    }
}

fn open(config: &str) -> u64 {
    let (mut handle, mut reply) = (0, ptr::null_mut());
    // SAFETY: config and outputs are valid for the call, and the reply is freed once.
    unsafe {
        assert_eq!(corecall_open(config.as_ptr().cast(), config.len(), &raw mut handle, &raw mut reply), 0);
        corecall_reply_free(reply);
    }
    handle
}

fn attachments(mut rest: &[u8]) -> Vec<&[u8]> {
    let mut attachments = Vec::new();
    while let [low, high, bytes @ ..] = rest {
        let length = usize::from(u16::from_le_bytes([*low, *high])).min(bytes.len());
        attachments.push(&bytes[..length]);
        rest = &bytes[length..];
    }
    attachments
}

fn call(handle: u64, request: &[u8], attachments: &[&[u8]]) -> String {
    let slices: Vec<Slice> =
        attachments.iter().map(|bytes| Slice { data: bytes.as_ptr().cast(), len: bytes.len() }).collect();
    let mut reply = ptr::null_mut();
    // SAFETY: all pointers are valid for the call.
    let status = unsafe {
        corecall_call(handle, 0, request.as_ptr().cast(), request.len(), slices.as_ptr(), slices.len(), &raw mut reply)
    };
    let name = check(status, reply, request);
    // SAFETY: the reply came from the call above.
    unsafe { corecall_reply_free(reply) };
    name
}

fn check(status: i32, reply: *const Reply, request: &[u8]) -> String {
    let mut view = Slice { data: ptr::null(), len: 0 };
    // SAFETY: the reply is alive, and so are its views.
    let json: Value = unsafe {
        assert_eq!(corecall_reply_json(reply, &raw mut view), 0);
        serde_json::from_slice(slice::from_raw_parts(view.data.cast(), view.len)).expect("a reply is JSON")
    };
    let shown = || format!("{json}\nfor {}", String::from_utf8_lossy(request));
    assert!((0..=17).contains(&status) && status != PANIC && status != ENGINE_FAILURE, "{status}: {}", shown());
    let error = &json["error"];
    assert_eq!(json["result"].is_null(), status != 0, "{}", shown());
    assert_eq!(error.is_null(), status == 0, "{}", shown());
    assert_eq!(error["code"].as_i64().unwrap_or(0), i64::from(status), "{}", shown());
    for index in 0..3 {
        // SAFETY: as above.
        let found = unsafe { corecall_reply_attachment(reply, index, &raw mut view) };
        assert!(found == 8 || view.data.addr() % 64 == 0, "{}", shown());
    }
    error["name"].as_str().unwrap_or("ok").to_owned()
}
