//! `salvage` of damaged frames, and `verify` of stores.

use std::fs;

use crate::common::{Bench, data, npy, stderr};

/// An array of 10 chunks in one file and in a folder.
fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("a.npy", &npy("'<i4'", false, &[100, 50], 1, &data(20_000)));
    let args = ["compress", "a.npy", "--chunks", "10,50", "--codec", "lz4"];
    bench.good(&[&args[..], &["-o", "a.b2nd"]].concat());
    bench.good(&[&args[..], &["-o", "folder", "--sparse"]].concat());
    bench
}

fn elements(bench: &Bench, name: &str) -> Vec<u8> {
    bench.good(&["cat", name])
}

#[test]
fn whole_frames_are_saved_whole() {
    let bench = bench();
    for (from, to, more) in [
        ("a.b2nd", "new.b2nd", None),
        ("folder", "from_folder.b2nd", None),
        ("a.b2nd", "new_folder", Some("--sparse")),
    ] {
        let mut args = vec!["salvage", from, "-o", to];
        args.extend(more);
        let line = String::from_utf8(bench.good(&args)).unwrap();
        assert_eq!(line, format!("{from}: 10 of 10 chunks saved in {to}\n"));
        bench.good(&["verify", to]);
        assert_eq!(elements(&bench, to), data(20_000));
        let line = bench.bad(&args, 1);
        assert!(line.contains("-f replaces it"), "{line}");
    }
}

#[test]
fn the_rest_of_a_damaged_frame_is_saved_and_the_losses_are_listed() {
    let bench = bench();
    let whole = bench.read("a.b2nd");
    let (lost, kept) = (8000..10_000, data(20_000));
    let mut expected = kept.clone();
    expected[lost].fill(0);
    // The fifth chunk: the header, and what the bytes are in the listing.
    let json = bench.good(&["info", "a.b2nd", "--chunks", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    let offset = json["chunks"][4]["offset"].as_u64().unwrap();
    let offset = usize::try_from(offset).unwrap();
    let mut bytes = whole.clone();
    bytes[offset..offset + 16].fill(0xFF);
    bench.write("bad.b2nd", &bytes);
    // Without header and index, too.
    let mut lone = bytes.clone();
    let index = whole.len() - 60;
    lone[index..].fill(0);
    bench.write("lone.b2nd", &lone);
    fs::remove_file(bench.path("folder/00000004.chunk")).unwrap();

    for name in ["bad.b2nd", "lone.b2nd", "folder"] {
        let before = bench.path(name).is_file().then(|| bench.read(name));
        let output = bench.run(&["salvage", name, "-o", "new"]);
        let (lines, error) = (
            String::from_utf8(output.stdout.clone()).unwrap(),
            stderr(&output),
        );
        assert_eq!(output.status.code(), Some(1), "{lines}{error}");
        assert!(lines.contains("chunk 4 is lost"), "{lines}");
        assert!(
            lines.contains(&format!("{name}: 9 of 10 chunks saved in new")),
            "{lines}"
        );
        assert!(
            error.starts_with(&format!("oxiblosc: {name}: not whole: 1 chunks")),
            "{error}"
        );
        assert_eq!(error.lines().count(), 1, "{error}");
        bench.good(&["verify", "new"]);
        assert_eq!(elements(&bench, "new"), expected, "{name}");
        bench.remove("new");
        let after = bench.path(name).is_file().then(|| bench.read(name));
        assert_eq!(before, after);
    }
}

#[test]
fn what_cannot_be_salvaged_leaves_no_file() {
    let bench = bench();
    bench.write("noise", &data(500));
    let names = bench.names();
    let line = {
        let output = bench.run(&["salvage", "noise", "-o", "new"]);
        assert_eq!(output.status.code(), Some(1));
        stderr(&output)
    };
    assert!(line.contains("no chunk of it is whole"), "{line}");
    assert_eq!(bench.names(), names);
    let line = bench.bad(&["salvage", "a.b2nd", "-f", "-o", "a.b2nd"], 2);
    assert!(line.contains("keeps its input"), "{line}");
    bench.bad(&["salvage", "-", "-o", "new"], 2);
    bench.bad(&["salvage", "absent", "-o", "new"], 1);
}

#[test]
fn verify_checks_every_object_of_a_store() {
    let bench = Bench::new();
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
    for name in [
        "dict.b2z",
        "embed.b2e",
        "tree_embedded.b2z",
        "table_dictionary.b2z",
        "v2.zarr.zip",
        "v3_groups.zarr.zip",
        "v3_shards.zarr.zip",
    ] {
        fs::copy(format!("{data}/{name}"), bench.path(name)).unwrap();
        let lines = String::from_utf8(bench.good(&["verify", name])).unwrap();
        let objects = lines.lines().filter(|line| line.contains(":/"));
        let (good, elsewhere): (Vec<&str>, Vec<&str>) =
            objects.partition(|line| line.contains(": good, "));
        let number = if good.len() == 1 { "object" } else { "objects" };
        let last = format!("{name}: good, {} {number}", good.len());
        assert_eq!(lines.lines().last(), Some(last.as_str()), "{lines}");
        assert!(
            elsewhere
                .iter()
                .all(|line| line.contains("reference, its data")),
            "{lines}"
        );
    }
    let lines = String::from_utf8(bench.good(&["verify", "dict.b2z:/group"])).unwrap();
    assert_eq!(
        lines.lines().last(),
        Some("dict.b2z: good, 3 objects"),
        "{lines}"
    );
}

#[test]
fn verify_names_each_damaged_object_of_a_store() {
    let bench = bench();
    fs::create_dir(bench.path("folder.zarr")).unwrap();
    let zarr = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/v2.zarr.zip");
    let mut bytes = fs::read(zarr).unwrap();
    // Blosc1 chunks with the header of version 2 in members that are stored as they are.
    let places: Vec<usize> = (0..bytes.len() - 4)
        .filter(|&at| bytes[at] == 2 && bytes[at + 1] == 1 && at % 7 == 0)
        .collect();
    assert!(!places.is_empty());
    for at in places {
        bytes[at + 4..at + 8].fill(0xFF);
    }
    bench.write("bad.zip", &bytes);
    let output = bench.run(&["verify", "bad.zip"]);
    let lines = String::from_utf8(output.stdout.clone()).unwrap();
    let error = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{lines}{error}");
    assert!(error.contains("objects are not good"), "{error}");
    let bad = lines
        .lines()
        .filter(|line| !line.contains(": good, "))
        .count();
    assert!(
        bad > 0 && error.contains(&format!(" {bad} of ")),
        "{lines}{error}"
    );
    assert!(
        lines.lines().all(|line| line.starts_with("bad.zip:/")),
        "{lines}"
    );
}
