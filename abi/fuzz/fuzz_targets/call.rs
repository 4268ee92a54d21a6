//! Any bytes as a request with attachments: no crash, no hang, no panic inside, always a whole reply.
#![no_main]

#[path = "../src/body.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    body::run(data);
});
