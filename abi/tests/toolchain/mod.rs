//! The C tools of the machine, and where this build's library lies.

#![allow(dead_code, reason = "each test uses what it needs of it")]

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The folder of this crate.
pub fn crate_dir() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder of the C test programs.
pub fn native_dir() -> PathBuf {
    crate_dir().join("../tests/native")
}

/// The public header.
pub fn header() -> String {
    fs::read_to_string(crate_dir().join("include/corecall.h")).expect("the header is there")
}

/// Names of the functions the header declares, sorted.
pub fn header_functions() -> Vec<String> {
    let header = declarations(&header());
    let mut names: Vec<String> = header
        .split(';')
        .filter(|statement| !statement.contains("typedef") && !statement.contains('}'))
        .filter_map(|statement| statement.split_once('(').map(|(head, _)| head))
        .filter_map(|head| head.rsplit([' ', '*', '\n']).next())
        .filter(|name| name.starts_with("corecall_"))
        .map(str::to_owned)
        .collect();
    names.sort();
    names
}

/// A header without comments, directives and what is there for C++.
pub fn declarations(text: &str) -> String {
    let plain = without_comments(text);
    let kept = plain.lines().filter(|line| !line.starts_with('#') && !line.contains("extern \"C\""));
    kept.collect::<Vec<_>>().join("\n")
}

/// The text without its C comments.
fn without_comments(text: &str) -> String {
    let mut rest = text;
    let mut plain = String::new();
    while let Some((before, comment)) = rest.split_once("/*") {
        plain.push_str(before);
        plain.push(' ');
        rest = comment.split_once("*/").expect("comments are closed").1;
    }
    plain + rest
}

/// `abi/symbols.txt`: what is exported, sorted.
pub fn listed_symbols() -> Vec<String> {
    let listed = fs::read_to_string(crate_dir().join("symbols.txt")).expect("the list of symbols is there");
    listed.lines().map(str::to_owned).collect()
}

/// Where this build's shared and static library lie: `CORECALL_LIBRARY_DIR`, or beside the test program, where
/// cargo puts the package's libraries when it builds its integration tests.
pub fn library_dir() -> PathBuf {
    let beside = || env::current_exe().expect("a test program knows its file").parent().map(Path::to_owned);
    let folder =
        env::var_os("CORECALL_LIBRARY_DIR").map(PathBuf::from).or_else(beside).expect("a file lies in a folder");
    assert!(folder.join("libcorecall.so").exists(), "no libcorecall.so in {}", folder.display());
    folder
}

/// A file for a test's own use.
pub fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(path.parent().expect("it has a folder")).expect("the folder for tests can be made");
    path
}

/// Builds a C program of `tests/native` against the shared library.
pub fn program(source: &str, include: &Path) -> PathBuf {
    let output = scratch(&source.replace(['/', '.'], "_"));
    let library = library_dir();
    let mut compiler = Command::new("gcc");
    compiler.args(["-std=c11", "-D_GNU_SOURCE", "-g", "-O1", "-Wall", "-Wextra", "-Werror"]);
    compiler.arg("-I").arg(include).arg(native_dir().join(source)).arg("-o").arg(&output);
    compiler.arg("-L").arg(&library).arg("-lcorecall").arg("-lpthread");
    compiler.arg(format!("-Wl,-rpath,{}", library.display()));
    succeeds(&mut compiler);
    output
}

/// Runs a command that must succeed and gives what it wrote.
pub fn succeeds(command: &mut Command) -> String {
    let (code, written) = runs(command);
    assert_eq!(code, Some(0), "{command:?}\n{written}");
    written
}

/// Runs a command and gives its exit code and what it wrote.
pub fn runs(command: &mut Command) -> (Option<i32>, String) {
    let name = command.get_program().to_owned();
    let output =
        command.output().unwrap_or_else(|error| panic!("{} must be installed: {error}", name.to_string_lossy()));
    let written = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&written).into_owned())
}

/// Global names a file defines, sorted.
pub fn defined_symbols(flag: &str, file: &Path) -> Vec<String> {
    let arguments = [OsStr::new(flag), OsStr::new("--defined-only"), OsStr::new("--format=posix"), file.as_os_str()];
    let written = succeeds(Command::new("nm").args(arguments));
    let mut names: Vec<String> = written.lines().filter_map(symbol).collect();
    names.sort();
    names
}

/// The name of a line `name type value size`; lines that head an archive's member are none.
fn symbol(line: &str) -> Option<String> {
    let mut words = line.split_whitespace();
    let name = words.next()?;
    words.next().filter(|kind| kind.len() == 1).map(|_| name.to_owned())
}

/// Compares with a golden file, or rewrites it when `UPDATE_GOLDEN=1`.
pub fn is_golden(path: &Path, actual: &str) {
    if env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        fs::write(path, actual).expect("golden files can be written");
    }
    let golden = fs::read_to_string(path).unwrap_or_default();
    assert!(golden == actual, "{} differs; UPDATE_GOLDEN=1 rewrites it:\n{actual}", path.display());
}
