//! The manual pages and completions in the package are those of the command.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::Bench;

const SHELLS: [(&str, &str); 5] = [
    ("bash", "oxiblosc.bash"),
    ("elvish", "oxiblosc.elv"),
    ("fish", "oxiblosc.fish"),
    ("powershell", "_oxiblosc.ps1"),
    ("zsh", "_oxiblosc"),
];

/// The files of a folder and their contents.
fn files(folder: &Path) -> BTreeMap<PathBuf, String> {
    let entries = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .map(Result::unwrap);
    let file = |entry: fs::DirEntry| {
        (
            entry.file_name().into(),
            fs::read_to_string(entry.path()).unwrap(),
        )
    };
    entries.map(file).collect()
}

fn check(folder: &str, made: &BTreeMap<PathBuf, String>) {
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    if std::env::var_os("UPDATE").is_some() {
        let _ = fs::remove_dir_all(&stored);
        fs::create_dir_all(&stored).unwrap();
        for (name, text) in made {
            fs::write(stored.join(name), text).unwrap();
        }
    }
    let found = files(&stored);
    let names = |files: &BTreeMap<PathBuf, String>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(
        names(&found),
        names(made),
        "UPDATE=1 writes {folder}/ again"
    );
    for (name, text) in made {
        let same = found.get(name) == Some(text);
        assert!(
            same,
            "{folder}/{}: UPDATE=1 writes it again",
            name.display()
        );
    }
}

#[test]
fn manual_pages_are_up_to_date() {
    let bench = Bench::new();
    bench.good(&["man", "man"]);
    let made = files(&bench.path("man"));
    assert!(made.len() > 15, "a page per command");
    check("man", &made);
}

#[test]
fn completions_are_up_to_date() {
    let bench = Bench::new();
    let made = SHELLS.map(|(shell, name)| {
        let text = bench.good(&["completions", shell]);
        (name.into(), String::from_utf8(text).unwrap())
    });
    check("completions", &made.into_iter().collect());
}
