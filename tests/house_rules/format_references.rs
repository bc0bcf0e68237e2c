//! Every "format §x.y" names a section of `oxiblosc::format`, and is a link in doc comments.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::root;

/// Text files below a folder, build outputs and binary files left out.
fn texts(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else {
        return found;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir() {
            if !["target", ".git", "corpus", "data"]
                .iter()
                .any(|skip| name == *skip)
            {
                found.extend(texts(&path));
            }
        } else if let Ok(text) = fs::read_to_string(&path) {
            found.push((path, text));
        }
    }
    found
}

/// The numbers of all sections, from the anchors of the headings.
fn sections() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (path, text) in texts(&root().join("src/format")) {
        for line in text.lines().filter(|line| line.starts_with('#')) {
            let anchor = line.split("<a id=\"").nth(1);
            let Some((number, title)) = anchor.and_then(|rest| rest.split_once("\"></a>")) else {
                assert!(line.starts_with("#!"), "{}: {line}", path.display());
                continue;
            };
            assert!(
                title.starts_with(&format!("{number} ")),
                "{}: {line}",
                path.display()
            );
            assert!(found.insert(number.to_owned()), "{number} occurs twice");
        }
    }
    found
}

/// The number after a section sign: digits, and one more group after a dot.
fn number(after: &str) -> &str {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let chapter = digits(after);
    let section = after[chapter..].strip_prefix('.').map_or(0, digits);
    match section {
        0 => &after[..chapter],
        _ => &after[..chapter + 1 + section],
    }
}

/// The numbers that a line refers to, with the text before and after each section sign.
fn references(line: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    line.match_indices('§').map(|(at, sign)| {
        let after = &line[at + sign.len()..];
        (&line[..at], number(after), after)
    })
}

#[test]
fn every_reference_names_a_section() {
    let sections = sections();
    assert!(sections.len() > 70, "{} sections", sections.len());
    let mut seen = 0;
    for folder in [
        "src", "kernels", "cli", "npy", "tests", "benches", "fuzz", "interop", "examples", "ci",
        "docs",
    ] {
        for (path, text) in texts(&root().join(folder)) {
            if path.ends_with("format_references.rs") {
                continue;
            }
            for (at, line) in text.lines().enumerate() {
                for (_, number, _) in references(line) {
                    let place = format!("{}:{}", path.display(), at + 1);
                    // `§x` stands for any section.
                    assert!(
                        number.is_empty() || sections.contains(number),
                        "{place}: {line}"
                    );
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 250, "only {seen} references found");
}

/// `[format §2.5](crate::format#2.5)`; rustdoc checks the path, the test above the number.
#[test]
fn references_in_docs_are_links() {
    let mut wrong = Vec::new();
    for (path, text) in texts(&root().join("src")) {
        if path.starts_with(root().join("src/format")) {
            continue;
        }
        for (at, line) in text.lines().enumerate() {
            let doc = line.trim_start();
            if !doc.starts_with("///") && !doc.starts_with("//!") {
                continue;
            }
            for (before, number, after) in references(line) {
                let opened = ["[", "[format ", "[Format "]
                    .iter()
                    .any(|text| before.ends_with(text));
                let link = format!("{number}](crate::format#{number})");
                if !opened || !after.starts_with(&link) {
                    wrong.push(format!("{}:{}: {line}", path.display(), at + 1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
