//! Rules of the architecture, checked on the source text: file lengths, the direction of imports,
//! no import circles, `unsafe` in `kernels/` and `bindings/` only, one set of lints for all
//! members.

mod bounds;
mod c_names;
mod circles;
#[path = "../common/mod.rs"]
mod common;
mod format_references;
mod graph;
mod imports;
mod pages;
mod tokens;
mod widths;

use std::fs;
use std::path::{Path, PathBuf};

/// The folders of `src/` in the order in which a byte passes them.
const FOLDERS: [&str; 11] = [
    "filter", "stream", "codec", "chunk", "tune", "schunk", "storage", "frame", "b2nd", "remote",
    "store",
];

/// The folders with source files.
const FILES: [&str; 11] = [
    "src", "kernels", "derive", "cli", "npy", "interop", "bindings", "benches", "fuzz", "tests",
    "examples",
];

/// The most lines of a source file; tables and generated files say so in their first line.
const MAX_LINES: usize = 600;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// All `.rs` files below a folder, build outputs left out.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else {
        return found;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir() {
            if name != "target" && name != ".git" {
                found.extend(sources(&path));
            }
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    found
}

fn all_sources() -> Vec<PathBuf> {
    let files: Vec<_> = FILES
        .iter()
        .flat_map(|folder| sources(&root().join(folder)))
        .collect();
    assert!(files.len() > 30, "only {} source files found", files.len());
    files
}

/// The code of a line: what stands before a comment.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or("")
}

#[test]
fn no_file_is_longer_than_600_lines() {
    let mut long = Vec::new();
    for path in all_sources() {
        let text = fs::read_to_string(&path).unwrap();
        let first = text.lines().next().unwrap_or("");
        let lines = text.lines().count();
        if lines > MAX_LINES && !first.contains("table") && !first.contains("generated") {
            long.push(format!("{}: {lines} lines", path.display()));
        }
    }
    assert!(long.is_empty(), "{long:#?}");
}

#[test]
fn a_folder_imports_only_from_its_left() {
    let mut wrong = Vec::new();
    for (rank, folder) in FOLDERS.iter().enumerate() {
        for path in sources(&root().join("src").join(folder)) {
            let text = fs::read_to_string(&path).unwrap();
            for (number, line) in text.lines().enumerate() {
                for right in &FOLDERS[rank + 1..] {
                    let import = format!("crate::{right}");
                    if code(line).contains(&import) {
                        wrong.push(format!("{}:{}: {line}", path.display(), number + 1));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_side_files_know_only_ids_and_traits() {
    let mut wrong = Vec::new();
    for file in [
        "error.rs",
        "limits.rs",
        "params.rs",
        "threads.rs",
        "registry.rs",
    ] {
        let text = fs::read_to_string(root().join("src").join(file)).unwrap();
        for (number, line) in text.lines().enumerate() {
            for folder in &FOLDERS {
                let below = format!("crate::{folder}::");
                let allowed = ["filter", "codec"].contains(folder);
                if code(line).contains(&below) && !allowed {
                    wrong.push(format!("src/{file}:{}: {line}", number + 1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn unsafe_is_in_kernels_interop_and_bindings_only() {
    for (file, line) in [
        ("src/lib.rs", "#![forbid(unsafe_code)]"),
        ("derive/src/lib.rs", "#![forbid(unsafe_code)]"),
        ("npy/src/lib.rs", "#![forbid(unsafe_code)]"),
        ("cli/src/main.rs", "#![forbid(unsafe_code)]"),
        ("fuzz/bodies/src/lib.rs", "#![forbid(unsafe_code)]"),
    ] {
        let text = fs::read_to_string(root().join(file)).unwrap();
        assert!(text.contains(line), "{file} lacks {line}");
    }
    let word = concat!("uns", "afe");
    for folder in [
        "src", "derive", "npy", "cli", "fuzz", "benches", "tests", "examples",
    ] {
        for path in sources(&root().join(folder)) {
            let text = fs::read_to_string(&path).unwrap();
            for (number, line) in text.lines().enumerate() {
                let found = code(line)
                    .split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
                    .any(|token| token == word);
                assert!(!found, "{}:{}: {line}", path.display(), number + 1);
            }
        }
    }
}

#[test]
fn every_member_inherits_the_lints() {
    for manifest in [
        "Cargo.toml",
        "kernels/Cargo.toml",
        "derive/Cargo.toml",
        "npy/Cargo.toml",
        "cli/Cargo.toml",
        "interop/Cargo.toml",
        "fuzz/bodies/Cargo.toml",
    ] {
        let text = fs::read_to_string(root().join(manifest)).unwrap();
        assert!(text.contains("[lints]\nworkspace = true"), "{manifest}");
    }
}

/// The part of a manifest that holds lints: `[PREFIX.rust]`, `[PREFIX.rustdoc]`, `[PREFIX.clippy]`.
fn lints(manifest: &str, prefix: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut group = None;
    for line in manifest.lines() {
        if let Some(name) = line.strip_prefix('[') {
            let name = name.trim_end_matches(']');
            group = name
                .strip_prefix(prefix)
                .filter(|group| ["rust", "rustdoc", "clippy"].contains(group));
        } else if let Some(group) = group
            && line.contains('=')
            && !line.starts_with('#')
            && !line.contains("unexpected_cfgs")
        {
            found.push(format!("{group} {line}"));
        }
    }
    found
}

/// Crates outside of the workspace cannot inherit its lints.
#[test]
fn bindings_have_the_lints_of_the_workspace() {
    let text = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let ours = lints(&text, "workspace.lints.");
    assert!(ours.len() > 40, "{ours:#?}");
    let mut seen = 0;
    for entry in fs::read_dir(root().join("bindings")).unwrap() {
        let manifest = entry.unwrap().path().join("Cargo.toml");
        let Ok(text) = fs::read_to_string(&manifest) else {
            continue;
        };
        seen += 1;
        let theirs = lints(&text, "lints.");
        for lint in &ours {
            assert!(theirs.contains(lint), "{} lacks {lint}", manifest.display());
        }
    }
    assert!(seen > 0, "no crate found in bindings/");
}

#[test]
fn no_machine_path_or_placeholder_is_committed() {
    let places = [
        concat!("/ro", "ot/"),
        concat!("/ho", "me/"),
        concat!("/wo", "rk/"),
    ];
    let stubs = [concat!("tod", "o!("), concat!("unimple", "mented!(")];
    for path in all_sources() {
        let text = fs::read_to_string(&path).unwrap();
        for word in places.iter().chain(&stubs) {
            assert!(!text.contains(word), "{} contains {word}", path.display());
        }
    }
}
