//! What every call gives back: a status, one JSON text, and attachments.

use corecall_types::{Error, Status};

use crate::envelope;

/// An immutable reply.
#[derive(Debug)]
pub struct Reply {
    status: Status,
    json: Vec<u8>,
    attachments: Vec<Attachment>,
}

impl Reply {
    pub(crate) fn new(status: Status, json: Vec<u8>, attachments: Vec<Attachment>) -> Self {
        Self { status, json, attachments }
    }

    /// The reply that holds `error`.
    pub(crate) fn refusal(request_id: &str, error: &Error) -> Self {
        Self::new(error.status(), envelope::error(request_id, error), Vec::new())
    }

    /// `Ok` exactly when the JSON holds a result.
    pub fn status(&self) -> Status {
        self.status
    }

    /// The envelope, UTF-8 on one line.
    pub fn json(&self) -> &[u8] {
        &self.json
    }

    /// The bytes of attachment `index`, aligned to 64 bytes.
    pub fn attachment(&self, index: usize) -> Option<&[u8]> {
        self.attachments.get(index).map(Attachment::bytes)
    }

    /// How many attachments there are.
    pub fn attachments(&self) -> usize {
        self.attachments.len()
    }
}

const ALIGNMENT: usize = 64;

/// Bytes at an address that any vector unit likes.
#[derive(Debug)]
pub struct Attachment {
    /// Longer than what is in it by what the alignment takes; never moved or grown once made.
    buffer: Box<[u8]>,
    start: usize,
    len: usize,
}

impl Attachment {
    /// A copy of `bytes`.
    pub fn new(bytes: &[u8]) -> Self {
        let mut buffer = vec![0; bytes.len() + ALIGNMENT].into_boxed_slice();
        let address = buffer.as_ptr().addr();
        let start = address.next_multiple_of(ALIGNMENT) - address;
        buffer[start..start + bytes.len()].copy_from_slice(bytes);
        Self { buffer, start, len: bytes.len() }
    }

    fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.start + self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attachments_are_aligned_and_whole() {
        for len in [0, 1, 63, 64, 65, 1536, 100_000] {
            let bytes: Vec<u8> = (0..=255).cycle().take(len).collect();
            let reply = Reply::new(Status::Ok, Vec::new(), vec![Attachment::new(&bytes)]);
            let attachment = reply.attachment(0).unwrap();
            assert_eq!(attachment, bytes);
            assert_eq!(attachment.as_ptr().addr() % ALIGNMENT, 0);
            assert_eq!(reply.attachment(1), None);
        }
    }
}
