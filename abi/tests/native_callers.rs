//! C programs against the shared library, as they are and under Valgrind.
#![cfg(target_os = "linux")]

mod toolchain;

use std::path::{Path, PathBuf};
use std::process::Command;

use toolchain::{crate_dir, native_dir, program, scratch, succeeds};

fn today() -> PathBuf {
    crate_dir().join("include")
}

fn run(program: &Path, arguments: &[&str]) -> String {
    succeeds(Command::new(program).args(arguments))
}

/// No invalid access, nothing lost. What the library keeps for the process is reachable; the handle of the main
/// thread, which Rust keeps by a pointer into its middle, is only "possibly" lost to Valgrind.
fn run_under_valgrind(program: &Path, arguments: &[&str]) {
    let leaks =
        ["--leak-check=full", "--show-leak-kinds=definite,indirect", "--errors-for-leak-kinds=definite,indirect"];
    valgrind(&leaks, program, arguments);
}

fn valgrind(options: &[&str], program: &Path, arguments: &[&str]) {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--quiet", "--error-exitcode=99"]).args(options);
    succeeds(valgrind.arg(program).args(arguments));
}

fn library_file(name: &str) -> String {
    let path = scratch(name);
    for ending in ["", "-wal", "-shm"] {
        let file = PathBuf::from(format!("{}{ending}", path.display()));
        if file.exists() {
            std::fs::remove_file(file).unwrap();
        }
    }
    path.display().to_string()
}

#[test]
fn the_border_answers_every_misuse() {
    let boundary = program("boundary.c", &today());
    run(&boundary, &[]);
    run_under_valgrind(&boundary, &[]);
}

#[test]
fn a_forked_child_works_or_is_refused() {
    let fork = program("fork.c", &today());
    run(&fork, &[&library_file("forked.corecall"), "50"]);
    // What the parent's other threads had in hand is lost to a child, whoever wrote the library.
    valgrind(&["--leak-check=no"], &fork, &[&library_file("forked.corecall"), "4"]);
}

#[test]
fn the_example_remembers_replaces_and_recalls() {
    let example = program("example.c", &today());
    let printed = run(&example, &[]);
    assert!(printed.contains("\"relation\":\"see_also\""), "{printed}");
    assert!(printed.contains("\"type\":\"supersedes\""), "{printed}");
    assert!(printed.contains("\"superseded_by\":\""), "{printed}");
    run_under_valgrind(&example, &[]);
    let lines = std::fs::read_to_string(native_dir().join("example.c")).unwrap().lines().count();
    assert!(lines < 120, "the example has {lines} lines");
}

#[test]
fn the_c_of_the_readme_is_the_example() {
    let example = std::fs::read_to_string(native_dir().join("example.c")).unwrap();
    let readme = std::fs::read_to_string(crate_dir().join("../README.md")).unwrap();
    let blocks: Vec<&str> = readme.split("```c\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(blocks, [example], "copy tests/native/example.c into the README");
}

#[test]
fn callers_of_past_abis_still_build_and_run() {
    let frozen = native_dir().join("frozen");
    let mut versions = 0;
    for version in std::fs::read_dir(frozen).unwrap() {
        let folder = version.unwrap().path();
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let caller = program(&format!("frozen/{name}/caller.c"), &folder);
        run(&caller, &[]);
        run_under_valgrind(&caller, &[]);
        versions += 1;
    }
    assert!(versions >= 1);
}
