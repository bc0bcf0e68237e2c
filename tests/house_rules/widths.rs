//! Numbers of the public interface are `u64` for what is stored and `usize` for what is in memory
//! (docs/architecture.md, "Widths").

use std::fs;

use crate::tokens::tokens;
use crate::{root, sources};

/// Other widths than those of lengths, positions and counts.
const OTHERS: [&str; 4] = ["u16", "u32", "i32", "isize"];

/// Functions and fields that have one, with the reason.
const ALLOWED: [(&str, &str); 4] = [
    // The header of a chunk, field by field.
    ("src/chunk/header.rs", "nbytes"),
    ("src/chunk/header.rs", "blocksize"),
    ("src/chunk/header.rs", "cbytes"),
    // An error code of C.
    ("src/error.rs", "c_code"),
];

/// The names of the public functions and fields whose types have another width, with their lines.
fn found(source: &str) -> Vec<(String, usize)> {
    let tokens = tokens(source);
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let rest: Vec<&str> = tokens[at..]
            .iter()
            // No signature is longer.
            .take(if token.text == "pub" { 200 } else { 0 })
            .map(|token| token.text.as_str())
            .collect();
        let (name, stop) = match rest.as_slice() {
            ["pub", "fn", name, ..] | ["pub", "const", "fn", name, ..] => (name, ["{", ";"]),
            ["pub", name, ":", ..] => (name, [",", "}"]),
            _ => continue,
        };
        let declared = rest.iter().take_while(|text| !stop.contains(text));
        if declared.clone().any(|text| OTHERS.contains(text)) {
            found.push(((*name).to_owned(), token.line));
        }
    }
    found
}

#[test]
fn public_numbers_have_one_of_two_widths() {
    let mut wrong = Vec::new();
    let mut used = Vec::new();
    for folder in [
        "b2nd", "chunk", "filter", "frame", "schunk", "storage", "store", "tune", "error",
    ] {
        let mut files = sources(&root().join("src").join(folder));
        files.push(root().join(format!("src/{folder}.rs")));
        for path in files.iter().filter(|path| path.is_file()) {
            let file = path
                .strip_prefix(root())
                .unwrap()
                .to_string_lossy()
                .replace('\\', "/");
            for (name, line) in found(&fs::read_to_string(path).unwrap()) {
                match ALLOWED.iter().find(|&&allowed| allowed == (&*file, &*name)) {
                    Some(allowed) => used.push(allowed),
                    None => wrong.push(format!("{file}:{line}: {name}")),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(
        used.len(),
        ALLOWED.len(),
        "exceptions that are none: {used:?}"
    );
}

#[test]
fn the_rule_sees_functions_and_fields() {
    let names = |source| {
        found(source)
            .into_iter()
            .map(|(name, _)| name)
            .collect::<Vec<_>>()
    };
    assert_eq!(names("pub fn nblocks(&self) -> u32 { 0 }"), ["nblocks"]);
    assert_eq!(
        names("pub const fn new(size: u32) -> Self { todo() }"),
        ["new"]
    );
    assert_eq!(
        names("pub struct A { pub len: Option<u32>, pub all: u64 }"),
        ["len"]
    );
    assert!(names("pub fn len(&self) -> u64 { let x: u32 = 1; x.into() }").is_empty());
    assert!(names("pub(crate) fn len(&self) -> u32 { 0 }").is_empty());
}
