//! Each function of C-Blosc2 is found by its name, with its counterpart.
//!
//! `data/c_functions.txt` holds the names that libblosc2 3.3.5 exports; the table of
//! `src/guide/from_c.md` those without a counterpart, each with the reason.
#![expect(clippy::unwrap_used, reason = "a failing test may panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::{root, sources};

fn data(name: &str) -> String {
    fs::read_to_string(root().join("tests/data").join(name)).unwrap()
}

fn exported() -> BTreeSet<String> {
    data("c_functions.txt").lines().map(String::from).collect()
}

/// The names without a counterpart and the reasons, as the guide gives them.
fn not_offered() -> BTreeMap<String, String> {
    let page = fs::read_to_string(root().join("src/guide/from_c.md")).unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    rows.flat_map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let reason = cells[2];
        assert!(reason.len() > 10, "{row}");
        let names = cells[1].split(", ").map(|name| name.trim_matches('`'));
        names.map(|name| (name.to_owned(), reason.to_owned()))
    })
    .collect()
}

/// Calls `work` with the text of every source file of the library and the kernels.
fn all_texts(mut work: impl FnMut(&Path, &str)) {
    for folder in ["src", "kernels/src"] {
        for path in sources(&root().join(folder)) {
            work(&path, &fs::read_to_string(&path).unwrap());
        }
    }
}

fn aliases() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    all_texts(|_, text| {
        for rest in text.split("#[doc(alias = \"").skip(1) {
            found.extend(rest.split('"').next().map(String::from));
        }
    });
    found
}

#[test]
fn every_c_function_has_an_alias_or_a_reason_why_not() {
    let (exported, aliases, not_offered) = (exported(), aliases(), not_offered());
    assert_eq!(exported.len(), 164);
    for name in &exported {
        match (aliases.contains(name), not_offered.get(name)) {
            (true, Some(reason)) => {
                panic!("{name} is a doc alias and said not to be offered: {reason}")
            }
            (false, None) => panic!("{name} is neither a doc alias nor said not to be offered"),
            _ => {}
        }
    }
    for name in not_offered.keys() {
        assert!(exported.contains(name), "{name} is no function of C");
    }
    for alias in &aliases {
        let of_c = ["blosc2_", "b2nd_", "blosc1_"]
            .iter()
            .any(|prefix| alias.starts_with(prefix));
        let type_or_field = [
            "b2nd_array_t",
            "blosc2_cparams",
            "blosc2_dparams",
            "blosc2_frame",
            "blosc2_meta_get",
            "blosc2_postfilter_fn",
            "blosc2_prefilter_fn",
            "blosc2_schunk",
            "blosc2_set_prefilter",
            "blosc2_storage",
        ];
        assert!(
            !of_c || exported.contains(alias) || type_or_field.contains(&alias.as_str()),
            "{alias} is no name of C"
        );
    }
}

/// The library that tests against C use exports those names and no others.
#[test]
fn the_list_is_what_the_library_exports() {
    let Some(path) = std::env::var_os("OXIBLOSC_LIBBLOSC2") else {
        assert!(
            !crate::common::is_required("c"),
            "OXIBLOSC_REQUIRE lists c, but OXIBLOSC_LIBBLOSC2 is not set"
        );
        println!("SKIPPED: OXIBLOSC_LIBBLOSC2 is not set");
        return;
    };
    // The names of dynamic symbols are in the file as text, each after a zero byte.
    let bytes = fs::read(path).unwrap();
    let mut names = BTreeSet::new();
    for word in bytes.split(|&byte| byte == 0) {
        if let Ok(word) = std::str::from_utf8(word) {
            names.insert(word);
        }
    }
    for name in exported() {
        assert!(names.contains(name.as_str()), "{name}");
    }
}

/// The files whose public functions make or read bytes of the format.
const OF_THE_FORMAT: [&str; 7] = [
    "chunk/encode/blosc1.rs",
    "chunk/decode/decoder.rs",
    "chunk/encode/encoder.rs",
    "chunk/decode/items.rs",
    "chunk/encode/vlblocks.rs",
    "frame/write/cframe.rs",
    "lib.rs",
];

#[test]
fn public_functions_are_documented_and_name_their_section() {
    let mut seen = 0;
    all_texts(|path, text| {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let tests = lines.iter().position(|line| *line == "#[cfg(test)]");
        for (at, line) in lines[..tests.unwrap_or(lines.len())].iter().enumerate() {
            let declared = line
                .strip_prefix("pub fn ")
                .or_else(|| line.strip_prefix("pub const fn "));
            let Some(declared) = declared else { continue };
            let name = declared.split(['(', '<']).next().unwrap();
            // From the end of the item before to the declaration.
            let start = lines[..at]
                .iter()
                .rposition(|line| {
                    let end = line.is_empty() || line.ends_with('{') || *line == "}";
                    end && !line.starts_with("///")
                })
                .map_or(0, |before| before + 1);
            let above = &lines[start..at];
            let doc = above.iter().any(|line| line.starts_with("///"));
            assert!(doc, "{}: {name} has no doc", path.display());
            let of_the_format = OF_THE_FORMAT
                .iter()
                .any(|file| path.ends_with(file) && path.starts_with(root().join("src")));
            let codes = ["encode", "decode", "compress", "decompress", "to_", "from_"]
                .iter()
                .any(|verb| name.starts_with(verb));
            if of_the_format && codes {
                seen += 1;
                let section =
                    text.contains("format §") && above.iter().any(|line| line.contains("format §"));
                assert!(section, "{}: {name} names no section", path.display());
            }
        }
    });
    assert!(seen >= 25, "only {seen} functions found");
}
