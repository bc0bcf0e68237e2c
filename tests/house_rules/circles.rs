//! No file imports itself through others.
#![expect(clippy::unwrap_used, reason = "a failing test may panic")]

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use crate::graph::circles;
use crate::imports::Crate;
use crate::root;

/// The root files of the crates that are checked.
const ROOTS: [&str; 7] = [
    "src/lib.rs",
    "kernels/src/lib.rs",
    "npy/src/lib.rs",
    "cli/src/main.rs",
    "interop/src/lib.rs",
    "fuzz/bodies/src/lib.rs",
    "benches/vs_c/src/lib.rs",
];

/// Files that are part of a circle, with the reason; a file that leaves its circle must leave
/// this list.
const KNOWN: &[(&[&str], &str)] = &[];

fn known() -> BTreeSet<String> {
    let files = KNOWN.iter().flat_map(|(files, _)| files.iter());
    files.map(|&file| file.to_owned()).collect()
}

/// The files in circles of one crate; writes the imports that close the circles to `report`.
fn check(file: &str, report: &mut String) -> BTreeSet<String> {
    let all = Crate::open(&root().join(file));
    let imports = all.imports();
    let mut edges = vec![Vec::new(); all.files.len()];
    for import in &imports {
        edges[import.from].push(import.to);
    }
    let name = |file: usize| {
        let path: &Path = &all.files[file];
        let path = path.strip_prefix(root()).unwrap_or(path);
        path.display().to_string()
    };
    let mut found = BTreeSet::new();
    for group in circles(&edges) {
        writeln!(report, "a circle of {} files:", group.len()).unwrap();
        found.extend(group.iter().map(|&file| name(file)));
        for import in &imports {
            if group.contains(&import.from) && group.contains(&import.to) {
                let (from, to) = (name(import.from), name(import.to));
                writeln!(report, "    {from}:{} imports {to}", import.line).unwrap();
            }
        }
    }
    found
}

#[test]
fn no_file_imports_itself_through_others() {
    let mut report = String::new();
    let mut found = BTreeSet::new();
    for file in ROOTS {
        found.append(&mut check(file, &mut report));
    }
    let known = known();
    let new: Vec<_> = found.difference(&known).collect();
    assert!(new.is_empty(), "{new:#?} in circles:\n{report}");
    let gone: Vec<_> = known.difference(&found).collect();
    assert!(
        gone.is_empty(),
        "no longer in a circle, remove from KNOWN: {gone:#?}"
    );
}
