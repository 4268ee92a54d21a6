//! The names the libraries export are those of the header, and no others.
#![cfg(target_os = "linux")]

mod toolchain;

use std::process::Command;

use toolchain::{
    crate_dir, defined_symbols, header_functions, library_dir, listed_symbols, native_dir, scratch, succeeds,
};

#[test]
fn the_header_the_list_and_the_shared_library_agree() {
    assert_eq!(header_functions(), listed_symbols());
    assert_eq!(defined_symbols("-D", &library_dir().join("libcorecall.so")), listed_symbols());
}

#[test]
fn the_localised_static_library_has_the_same_names_and_links() {
    let (input, output) = (library_dir().join("libcorecall.a"), scratch("localised.a"));
    succeeds(Command::new("sh").arg(crate_dir().join("localise.sh")).args([&input, &output]));
    assert_eq!(defined_symbols("-g", &output), listed_symbols());
    let program = scratch("example_static");
    let mut compiler = Command::new("gcc");
    compiler.args(["-std=c11", "-Wall", "-Wextra", "-Werror"]).arg("-I").arg(crate_dir().join("include"));
    compiler.arg(native_dir().join("example.c")).arg(&output).arg("-o").arg(&program).args([
        "-lpthread",
        "-ldl",
        "-lm",
    ]);
    succeeds(&mut compiler);
    let printed = succeeds(&mut Command::new(program));
    assert!(printed.contains("\"relation\":\"see_also\""), "{printed}");
}
