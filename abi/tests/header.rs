//! The header is plain C and C++, and says of every function what Rust exports.
#![cfg(target_os = "linux")]

mod toolchain;

use std::fs;
use std::process::Command;

use corecall::Status;
use toolchain::{crate_dir, declarations, header, header_functions, scratch, succeeds};

const TWICE: &str =
    "#include <corecall.h>\n#include <corecall.h>\nint main(void) { return (int)sizeof(corecall_slice) - 16; }\n";

#[test]
fn it_compiles_alone_and_twice_in_every_dialect() {
    for (compiler, dialect, ending) in [
        ("gcc", "c99", "c"),
        ("gcc", "c11", "c"),
        ("gcc", "c17", "c"),
        ("g++", "c++17", "cpp"),
        ("g++", "c++20", "cpp"),
    ] {
        let source = scratch(&format!("twice.{ending}"));
        fs::write(&source, TWICE).unwrap();
        let mut command = Command::new(compiler);
        command.args([&format!("-std={dialect}"), "-Wall", "-Wextra", "-Werror", "-pedantic-errors", "-fsyntax-only"]);
        command.args(["-Wstrict-prototypes", "-Wold-style-definition"].iter().filter(|_| compiler == "gcc"));
        succeeds(command.arg("-I").arg(crate_dir().join("include")).arg(&source));
    }
}

/// Prototypes as one line each, spaces where C wants one, names of arguments left out where they may differ.
fn prototypes(text: &str) -> Vec<String> {
    let mut found: Vec<String> = text
        .split(';')
        .map(|statement| statement.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|statement| {
            statement.contains("corecall_") && statement.ends_with(')') && !statement.contains("typedef")
        })
        .map(|statement| statement.replace("* ", "*").replace(" *", "*").replace("struct ", ""))
        .collect();
    found.sort();
    found
}

#[test]
fn cbindgen_sees_the_same_prototypes() {
    let config = cbindgen::Config {
        language: cbindgen::Language::C,
        usize_is_size_t: true,
        export: cbindgen::ExportConfig {
            rename: [("Handle", "corecall_handle"), ("Slice", "corecall_slice"), ("LogFn", "corecall_log_fn")]
                .map(|(rust, c)| (rust.to_owned(), c.to_owned()))
                .into(),
            ..cbindgen::ExportConfig::default()
        },
        ..cbindgen::Config::default()
    };
    let entry = crate_dir().join("src/entry.rs");
    let bindings = cbindgen::Builder::new().with_config(config).with_src(entry).generate().unwrap();
    let mut witness = Vec::new();
    bindings.write(&mut witness);
    let witness = String::from_utf8(witness).unwrap().replace("Reply", "corecall_reply");
    let (header, witness) = (declarations(&header()), declarations(&witness));
    let (declared, exported) = (prototypes(&header), prototypes(&witness));
    assert_eq!(declared.len(), header_functions().len());
    assert_eq!(declared, exported);
    let slice = "typedef struct corecall_slice { const void *data; size_t len; } corecall_slice;";
    let callback = "typedef void (*corecall_log_fn)(void *userdata, int32_t level, const char *text, size_t len);";
    let words = |text: &str| text.split_whitespace().collect::<String>();
    for declaration in [slice, callback, "typedef uint64_t corecall_handle;"] {
        assert!(words(&header).contains(&words(declaration)), "{declaration}");
        assert!(words(&witness).contains(&words(declaration)), "{declaration}\n{witness}");
    }
}

#[test]
fn its_numbers_are_the_librarys() {
    let header = header();
    let defined = |name: &str| -> Option<i32> {
        let line = header.lines().find_map(|line| line.strip_prefix(&format!("#define CORECALL_{name} ")))?;
        line.split_whitespace().next()?.parse().ok()
    };
    for status in Status::ALL {
        assert_eq!(defined(status.name()), Some(status as i32), "{}", status.name());
    }
    let (major, minor) = (defined("ABI_MAJOR").unwrap(), defined("ABI_MINOR").unwrap());
    assert_eq!(corecall::c::corecall_abi_version(), u32::try_from(major << 16 | minor).unwrap());
    for (name, level) in [("OFF", 0), ("ERROR", 1), ("WARN", 2), ("INFO", 3), ("DEBUG", 4)] {
        assert_eq!(defined(&format!("LOG_{name}")), Some(level));
    }
}

#[test]
fn the_cffi_region_is_written_beside_the_build() {
    let header = header();
    let (_, rest) = header.split_once("/* cffi: begin */").unwrap();
    let (region, _) = rest.split_once("/* cffi: end */").unwrap();
    assert!(!region.contains('#'), "cffi reads declarations only");
    let library = toolchain::library_dir();
    let written = library.ancestors().map(|folder| folder.join("header.h")).find(|file| file.exists());
    assert_eq!(fs::read_to_string(written.expect("build.rs wrote header.h")).unwrap(), region);
}

#[test]
fn every_function_says_since_when() {
    let header = header();
    for name in header_functions() {
        let is_declaration = |line: &str| {
            line.split_once(&format!("{name}("))
                .is_some_and(|(kind, _)| ["int32_t ", "uint32_t ", "void ", "const char *"].contains(&kind))
        };
        let lines: Vec<&str> = header.lines().collect();
        let at = lines.iter().position(|line| is_declaration(line)).unwrap();
        let begin = lines[..at].iter().rposition(|line| line.starts_with("/*")).unwrap();
        assert!(lines[begin..at].join(" ").contains("Since 1."), "{name}");
    }
}
