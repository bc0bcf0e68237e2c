//! Counts that may fall and not rise, and rules of form: line length, first words of docstrings.
#![expect(clippy::unwrap_used, reason = "a failing test may panic")]

use std::fs;
use std::path::Path;

use crate::tokens::{Token, tokens};
use crate::{all_sources, root, sources};

/// The most columns of a line.
const MAX_COLUMNS: usize = 100;

/// Lines longer than [`MAX_COLUMNS`].
const MOST_LONG_LINES: usize = 62;

/// Unsafe blocks in the kernels, as written; a macro body counts once. The last one is that of
/// `lend` (scopes of thread pools never return in the child of a fork), and seven of `unwritten`
/// (results need not be zeroed first). The 32 of the Zstandard decoder are loads of words before a
/// position, stores of literals in four streams at once, and copies in whole steps, of which five
/// read records 1.16 to 1.24 times as fast; nine are NEON's vectors of the LZ codecs. Three of the
/// Zstandard encoder move the rows of its table with AVX2 and AVX-512, 1.5 times as fast as loops,
/// and ask for them early, 1.09 times as fast where there are many.
const MOST_UNSAFE_BLOCKS: usize = 258;

/// Unsafe blocks of each crate in `bindings/`, which call or are called by foreign code.
const MOST_UNSAFE_IN_BINDINGS: usize = 900;

/// Places that ask for the `rayon` feature.
const MOST_RAYON_CFGS: usize = 12;

/// Docstrings that begin with one of [`VAGUE`].
const MOST_VAGUE_DOCS: usize = 0;

/// First words that avoid naming the noun.
const VAGUE: [&str; 5] = ["What", "Who", "Whoever", "Where", "The way of"];

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

/// Fails when more than `most` were found.
#[track_caller]
fn bounded(found: &[String], most: usize) {
    let count = found.len();
    assert!(count <= most, "{count} found, at most {most}: {found:#?}");
}

#[test]
fn lines_have_at_most_100_columns() {
    let mut long = Vec::new();
    for path in all_sources() {
        for (number, line) in read(&path).lines().enumerate() {
            if line.chars().count() > MAX_COLUMNS {
                long.push(format!("{}:{}", path.display(), number + 1));
            }
        }
    }
    bounded(&long, MOST_LONG_LINES);
}

#[test]
fn unsafe_blocks_do_not_increase() {
    bounded(
        &unsafe_blocks(&root().join("kernels/src")),
        MOST_UNSAFE_BLOCKS,
    );
    for entry in fs::read_dir(root().join("bindings")).unwrap() {
        bounded(
            &unsafe_blocks(&entry.unwrap().path().join("src")),
            MOST_UNSAFE_IN_BINDINGS,
        );
    }
}

fn unsafe_blocks(folder: &Path) -> Vec<String> {
    let word = concat!("uns", "afe");
    let mut found = Vec::new();
    for path in sources(folder) {
        let all = tokens(&read(&path));
        let is_block = |pair: &[Token]| pair[0].text == word && pair[1].text == "{";
        for pair in all.windows(2).filter(|pair| is_block(pair)) {
            found.push(format!("{}:{}", path.display(), pair[0].line));
        }
    }
    found
}

#[test]
fn rayon_is_named_in_few_places() {
    let mut found = Vec::new();
    for path in sources(&root().join("src")) {
        for (number, line) in read(&path).lines().enumerate() {
            if line.contains("feature = \"rayon\"") {
                found.push(format!("{}:{}", path.display(), number + 1));
            }
        }
    }
    bounded(&found, MOST_RAYON_CFGS);
}

/// The text of a documentation comment.
fn doc(line: &str) -> Option<&str> {
    let line = line.trim_start();
    line.strip_prefix("///")
        .or_else(|| line.strip_prefix("//!"))
}

#[test]
fn docstrings_begin_with_a_noun_or_a_verb() {
    let mut found = Vec::new();
    for path in all_sources() {
        let text = read(&path);
        let mut before = None;
        for (number, line) in text.lines().enumerate() {
            let words = doc(line).map(str::trim_start);
            let vague = |words: &str| {
                VAGUE.iter().any(|first| {
                    let rest = words.strip_prefix(first);
                    rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
                })
            };
            if before.is_none() && words.is_some_and(vague) {
                found.push(format!("{}:{}: {line}", path.display(), number + 1));
            }
            before = words;
        }
    }
    bounded(&found, MOST_VAGUE_DOCS);
}
