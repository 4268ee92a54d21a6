//! Writes the header's cffi region where maturin looks for it, and tells the crate what it was built from.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const HEADER: &str = "include/corecall.h";

fn main() {
    write_cffi_header();
    println!("cargo::rustc-env=CORECALL_TARGET={}", variable("TARGET"));
    println!("cargo::rustc-env=CORECALL_COMMIT={}", commit());
    match variable("CARGO_CFG_TARGET_OS").as_str() {
        "linux" => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libcorecall.so");
            // A thread that called the library runs destructors of it when it ends. So the code stays where it is
            // when a host closes the library before its threads have ended, as JNA does when the JVM goes down.
            println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
        }
        "macos" => println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libcorecall.dylib"),
        _ => {}
    }
}

/// maturin's cffi mode reads `<target dir>/header.h`, and falls back to cbindgen without a word when it is
/// missing: so a deleted one makes this script run again.
fn write_cffi_header() {
    let source = fs::read_to_string(HEADER).expect("the header is part of the package");
    let (_, rest) = source.split_once("/* cffi: begin */").expect("the header marks where the cffi region begins");
    let (region, _) = rest.split_once("/* cffi: end */").expect("the header marks where the cffi region ends");
    let written = target_dir().join("header.h");
    if fs::read_to_string(&written).ok().as_deref() != Some(region) {
        fs::write(&written, region).expect("the target directory can be written");
        // As old as its source: a file younger than this script's run would make cargo run it once more.
        let age = fs::metadata(HEADER).and_then(|header| header.modified());
        let file = fs::File::options().append(true).open(&written);
        age.and_then(|age| file?.set_modified(age)).expect("a file just written can be dated");
    }
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={HEADER}");
    println!("cargo::rerun-if-changed={}", written.display());
}

/// `<target dir>` of `<target dir>/[<target>/]<profile>/build/<package>/out`.
///
/// With `--target` (or its setting) there is a folder of the target's name in between. A target directory that
/// itself has that name is told apart by `CARGO_TARGET_DIR`.
fn target_dir() -> PathBuf {
    let out = PathBuf::from(variable("OUT_DIR"));
    let build = out.ancestors().find(|folder| folder.file_name() == Some(OsStr::new("build")));
    let base =
        build.and_then(Path::parent).and_then(Path::parent).expect("OUT_DIR lies in <target dir>/<profile>/build");
    let is_named_so = env::var_os("CARGO_TARGET_DIR").is_some_and(|named| base.ends_with(named));
    if base.file_name() == Some(OsStr::new(&variable("TARGET"))) && !is_named_so {
        return base.parent().expect("a target's folder lies in the target directory").to_owned();
    }
    base.to_owned()
}

/// The commit this is built from: `CORECALL_COMMIT`, or what git says, or nothing (a source archive).
fn commit() -> String {
    println!("cargo::rerun-if-env-changed=CORECALL_COMMIT");
    if let Ok(commit) = env::var("CORECALL_COMMIT") {
        return commit;
    }
    // Not any repository that happens to lie around an unpacked archive: ours has its `.git` beside `abi`.
    if !Path::new("../.git").exists() {
        return String::new();
    }
    for name in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", name]).filter(|path| Path::new(path).exists()) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    git(&["rev-parse", "--verify", "HEAD"]).unwrap_or_default()
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("cargo sets {name} for build scripts"))
}
