//! corecall loaded at run time: what is opened is closed, what is allocated is freed.

use std::ffi::c_void;
use std::path::Path;
use std::ptr;

use libloading::{Error, Library};

#[repr(C)]
#[derive(Clone, Copy)]
struct Slice {
    data: *const c_void,
    len: usize,
}

type Bytes = *const c_void;
type Replied = *mut c_void;

/// The functions of `corecall.h` that are used here.
struct Native {
    open: unsafe extern "C" fn(Bytes, usize, *mut u64, *mut Replied) -> i32,
    call: unsafe extern "C" fn(u64, u64, Bytes, usize, *const Slice, usize, *mut Replied) -> i32,
    cancel: unsafe extern "C" fn(u64, u64) -> i32,
    close: unsafe extern "C" fn(u64) -> i32,
    json: unsafe extern "C" fn(Replied, *mut Slice) -> i32,
    attachment: unsafe extern "C" fn(Replied, usize, *mut Slice) -> i32,
    free: unsafe extern "C" fn(Replied),
    _library: Library,
}

/// What a call answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    pub status: i32,
    pub json: Vec<u8>,
    pub attachments: Vec<Vec<u8>>,
}

/// An open core. Every method may be called from any thread.
pub struct Core {
    native: Native,
    handle: u64,
}

impl Core {
    /// Loads the library and opens a core; the reply's JSON where it is refused.
    ///
    /// # Panics
    ///
    /// When the library can't be loaded.
    pub fn open(library: &Path, config: &[u8]) -> Result<Core, String> {
        let native = Native::load(library).expect("libcorecall can be loaded");
        let (mut handle, mut reply) = (0, ptr::null_mut());
        // SAFETY: the functions have the types of corecall.h, and the pointers live through the call.
        let status = unsafe { (native.open)(pointer(config), config.len(), &mut handle, &mut reply) };
        let opened = native.taken(status, reply);
        if status != 0 {
            return Err(String::from_utf8_lossy(&opened.json).into_owned());
        }
        Ok(Core { native, handle })
    }

    /// Sends a whole request.
    pub fn send(&self, request: &[u8], attachments: &[&[u8]], ticket: u64) -> Reply {
        let slices: Vec<Slice> =
            attachments.iter().map(|bytes| Slice { data: pointer(bytes), len: bytes.len() }).collect();
        let mut reply = ptr::null_mut();
        // SAFETY: as above; the attachments are borrowed until the call returns.
        let status = unsafe {
            let (request, len) = (pointer(request), request.len());
            (self.native.call)(self.handle, ticket, request, len, slices.as_ptr(), slices.len(), &mut reply)
        };
        self.native.taken(status, reply)
    }

    /// Runs one operation with a payload written as JSON.
    pub fn call(&self, operation: &str, payload: &str) -> Reply {
        self.send(request(operation, payload).as_bytes(), &[], 0)
    }

    /// Asks a running call to stop; the status.
    pub fn cancel(&self, ticket: u64) -> i32 {
        // SAFETY: numbers only.
        unsafe { (self.native.cancel)(self.handle, ticket) }
    }

    /// Ends running calls and the core; the status.
    pub fn close(&self) -> i32 {
        // SAFETY: numbers only.
        unsafe { (self.native.close)(self.handle) }
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        self.close();
    }
}

/// The envelope around a payload.
pub fn request(operation: &str, payload: &str) -> String {
    format!(r#"{{"schema_version":1,"request_id":"caller","operation":"{operation}","payload":{payload}}}"#)
}

/// Length 0 goes with NULL.
fn pointer(bytes: &[u8]) -> Bytes {
    if bytes.is_empty() {
        ptr::null()
    } else {
        bytes.as_ptr().cast()
    }
}

impl Native {
    fn load(path: &Path) -> Result<Native, Error> {
        // SAFETY: the library runs nothing when it is loaded; the types are those of corecall.h.
        unsafe {
            let library = Library::new(path)?;
            Ok(Native {
                open: *library.get(b"corecall_open\0")?,
                call: *library.get(b"corecall_call\0")?,
                cancel: *library.get(b"corecall_cancel\0")?,
                close: *library.get(b"corecall_close\0")?,
                json: *library.get(b"corecall_reply_json\0")?,
                attachment: *library.get(b"corecall_reply_attachment\0")?,
                free: *library.get(b"corecall_reply_free\0")?,
                _library: library,
            })
        }
    }

    /// Copies what a reply holds, and frees it.
    fn taken(&self, status: i32, reply: Replied) -> Reply {
        let mut view = Slice { data: ptr::null(), len: 0 };
        let mut attachments = Vec::new();
        // SAFETY: the reply is ours until it is freed, and its views live as long.
        unsafe {
            (self.json)(reply, &mut view);
            let json = copied(view);
            while (self.attachment)(reply, attachments.len(), &mut view) == 0 {
                attachments.push(copied(view));
            }
            (self.free)(reply);
            Reply { status, json, attachments }
        }
    }
}

/// # Safety
///
/// `data` points to `len` bytes, or `len` is 0.
unsafe fn copied(view: Slice) -> Vec<u8> {
    if view.len == 0 {
        return Vec::new();
    }
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(view.data.cast::<u8>(), view.len) }.to_vec()
}
