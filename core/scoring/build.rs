//! Tells the kernels whether this compiler has the AVX-512 intrinsics, which are stable since Rust 1.89.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(has_avx512)");
    if minor_version().is_some_and(|minor| minor >= 89) {
        println!("cargo::rustc-cfg=has_avx512");
    }
}

/// The 95 of `rustc 1.95.0 (…)`; `None` when the compiler says something else.
fn minor_version() -> Option<u32> {
    let output = Command::new(std::env::var_os("RUSTC")?).arg("--version").output().ok()?;
    let version = String::from_utf8(output.stdout).ok()?;
    let mut parts = version.split_whitespace().nth(1)?.split('.');
    (parts.next()? == "1").then(|| parts.next()?.parse().ok())?
}
