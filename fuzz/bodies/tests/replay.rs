//! Every committed input of every target, on every machine: what the fuzzer once reached stays
//! right, without a fuzzer.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failing test may panic"
)]

use std::collections::BTreeSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use oxiblosc_fuzz_bodies::{LIBRARY, TARGETS};

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The files of a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn every_corpus_is_replayed() {
    let mut failed = Vec::new();
    let mut all = 0;
    for (target, run) in TARGETS {
        let files = files(&fuzz().join("corpus").join(target));
        assert!(files.len() >= 10, "{target}: {} inputs", files.len());
        for file in &files {
            let input = fs::read(file).unwrap();
            if catch_unwind(AssertUnwindSafe(|| run(&input))).is_err() {
                failed.push(format!("{target}: {}", file.display()));
            }
        }
        all += files.len();
    }
    assert!(failed.is_empty(), "{failed:#?}");
    println!("fuzz: {all} inputs of {} targets", TARGETS.len());
    if std::env::var_os(LIBRARY).is_none() {
        let required = std::env::var("OXIBLOSC_REQUIRE").is_ok_and(|list| {
            list.split(',')
                .map(str::trim)
                .any(|of| of == "c" || of == "all")
        });
        assert!(!required, "{LIBRARY} does not name the C library");
        println!("SKIPPED: vs_c_decode ran without the C library: {LIBRARY} is not set");
    }
}

/// Inputs of nothing, of one byte, and of much too much: every target takes them.
#[test]
fn any_bytes_are_taken() {
    for (target, run) in TARGETS {
        run(&[]);
        for byte in 0..=255 {
            run(&[byte]);
        }
        for byte in [0, 1, 0x7F, 0xFF] {
            run(&[byte; 300]);
        }
        println!("{target}: takes anything");
    }
}

/// A target without a binary would never run, and a header without its parts does not
/// say what it is for.
#[test]
fn every_target_has_a_binary_that_says_what_it_is_for() {
    let manifest = fs::read_to_string(fuzz().join("Cargo.toml")).unwrap();
    let readme = fs::read_to_string(fuzz().join("README.md")).unwrap();
    let mut expected = BTreeSet::new();
    for (target, _) in TARGETS {
        let path = format!("fuzz_targets/{target}.rs");
        assert!(
            manifest.contains(&format!("name = \"{target}\"\npath = \"{path}\"")),
            "{target}"
        );
        assert!(
            readme.contains(&format!("`{target}`")),
            "{target} in the README"
        );
        let text = fs::read_to_string(fuzz().join(&path)).unwrap();
        for part in ["//! Intent:", "Oracle:", "Seeds:"] {
            assert!(text.contains(part), "{path} lacks {part}");
        }
        assert!(text.contains(&format!("bodies::{target}(data)")), "{path}");
        expected.insert(fuzz().join(path));
    }
    let there: BTreeSet<_> = files(&fuzz().join("fuzz_targets")).into_iter().collect();
    assert_eq!(there, expected);
}
