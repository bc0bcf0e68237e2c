//! The pages for users: the first code of the README is an example that runs, and copies of test
//! data are copies.

use std::fs;

use crate::root;

#[test]
fn the_first_code_of_the_readme_is_the_quickstart() {
    let page = fs::read_to_string(root().join("README.md")).unwrap();
    let (_, rest) = page.split_once("```rust\n").unwrap();
    let (code, _) = rest.split_once("```").unwrap();
    let example = fs::read_to_string(root().join("examples/quickstart.rs")).unwrap();
    let (_, example) = example.split_once("\n\n").unwrap();
    assert_eq!(code, example);
    let lines = code.lines().filter(|line| line.starts_with("    ")).count();
    assert!(lines <= 12, "{lines} lines of code");
}

/// The page about object stores shows an example that is compiled and, by
/// `ci/object-stores-cloud.sh`, run.
#[test]
fn the_code_over_s3_is_an_example() {
    let page = fs::read_to_string(root().join("docs/over-http-and-s3.md")).unwrap();
    let (_, rest) = page.split_once("```rust\n").unwrap();
    let (code, _) = rest.split_once("```").unwrap();
    let example = root().join("bindings/object_store/examples/s3.rs");
    let example = fs::read_to_string(example).unwrap();
    let (_, example) = example.split_once("\n\n").unwrap();
    assert_eq!(code, example);
}

/// The command is packaged without the data of the library.
#[test]
fn the_data_of_the_command_are_copies() {
    let folder = root().join("cli/tests/data");
    let mut count = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let name = entry.unwrap().file_name();
        let originals = ["stores", "old"].map(|of| root().join("tests/data").join(of).join(&name));
        let original = originals.iter().find(|path| path.exists()).unwrap();
        let same = fs::read(original).unwrap() == fs::read(folder.join(&name)).unwrap();
        assert!(same, "{}", original.display());
        count += 1;
    }
    assert!(count > 0);
}
