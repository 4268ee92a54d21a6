//! Types and symbols are those of the baseline, held by libabigail through a C library made of the header.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod toolchain;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use toolchain::{crate_dir, header, native_dir, runs, scratch, succeeds};

fn probe(name: &str, include: &Path) -> PathBuf {
    let output = scratch(name);
    let mut compiler = Command::new("gcc");
    compiler.args(["-g", "-O0", "-fPIC", "-shared", "-Wl,-soname,libprobe.so", "-I"]).arg(include);
    // By its bare name, so that no machine's folders get into the baseline.
    succeeds(compiler.current_dir(native_dir()).arg("probe.c").arg("-o").arg(&output));
    output
}

fn baseline() -> PathBuf {
    crate_dir().join("baseline/linux-x86_64.abi")
}

/// A lost `const` counts as well, though callers would go on working.
fn abidiff() -> Command {
    let mut abidiff = Command::new("abidiff");
    abidiff.arg("--harmless");
    abidiff
}

#[test]
fn the_header_has_the_baselines_types() {
    let probe = probe("probe.so", &crate_dir().join("include"));
    if env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        let mut abidw = Command::new("abidw");
        abidw.args(["--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--out-file"]);
        succeeds(abidw.arg(baseline()).arg(&probe));
    }
    succeeds(abidiff().arg(baseline()).arg(&probe));
}

#[test]
fn a_changed_type_is_noticed() {
    for (name, from, to) in [
        (
            "argument",
            "corecall_cancel(corecall_handle handle, uint64_t ticket)",
            "corecall_cancel(corecall_handle handle, uint32_t ticket)",
        ),
        ("order", "    const void *data;\n    size_t len;\n", "    size_t len;\n    const void *data;\n"),
        ("handle", "typedef uint64_t corecall_handle;", "typedef uint32_t corecall_handle;"),
        ("callback", "(void *userdata, int32_t level, const", "(void *userdata, uint32_t level, const"),
        ("constant", "corecall_reply_json(const corecall_reply *reply", "corecall_reply_json(corecall_reply *reply"),
    ] {
        let changed = header().replace(from, to);
        assert_ne!(changed, header(), "{name}");
        let include = scratch(&format!("changed_{name}/corecall.h"));
        fs::write(&include, changed).unwrap();
        let probe = probe(&format!("probe_{name}.so"), include.parent().unwrap());
        let (code, written) = runs(abidiff().arg(baseline()).arg(&probe));
        assert!(code.is_some_and(|code| code != 0), "{name} was not noticed\n{written}");
    }
}
