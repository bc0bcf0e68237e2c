//! Stores: `info --tree`, objects by address, and frames that are recipes.

use std::fs;
use std::path::PathBuf;

use crate::common::Bench;

fn bench(files: &[&str]) -> Bench {
    let bench = Bench::new();
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    for file in files {
        let name = file.rsplit('/').next().unwrap();
        bench.write(name, &fs::read(folder.join(file)).unwrap());
    }
    bench
}

/// Exit code, standard output and standard error.
fn run(bench: &Bench, args: &[&str]) -> (Option<i32>, String, String) {
    let done = bench.run_with(args, b"");
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (done.status.code(), text(done.stdout), text(done.stderr))
}

#[test]
fn a_recipe_is_named_and_never_data() {
    let bench = bench(&["lazyexpr.b2nd", "proxy_part.b2nd"]);
    for (file, named) in [
        ("lazyexpr.b2nd", "lazy expression"),
        ("proxy_part.b2nd", "proxy"),
    ] {
        for args in [
            &["verify", file][..],
            &["cat", file, "-o", "out.raw"],
            &["decompress", file, "-o", "out.npy"],
            &["convert", file, "-o", "out.b2nd"],
        ] {
            let (code, _, err) = run(&bench, args);
            assert_eq!(code, Some(1), "{args:?}");
            assert!(err.contains(named) && err.contains(file), "{err}");
        }
        let (code, out, _) = run(&bench, &["info", file]);
        assert_eq!(code, Some(0));
        assert!(out.contains("recipe") && out.contains(named), "{out}");
    }
    assert_eq!(bench.names(), ["lazyexpr.b2nd", "proxy_part.b2nd"]);
}

#[test]
fn objects_of_a_store_have_addresses() {
    let bench = bench(&["dict.b2z", "v3_groups.zarr.zip", "numbers.blp"]);
    let (code, out, _) = run(&bench, &["info", "--tree", "dict.b2z"]);
    assert_eq!(code, Some(0));
    assert!(
        out.contains("/group/long  array  [10000] <i8 in chunks of [10000]\n"),
        "{out}"
    );
    assert!(out.contains("/group  group\n"), "{out}");
    let (code, out, _) = run(&bench, &["cat", "dict.b2z:/grid", "--format", "text"]);
    assert_eq!(
        (code, out.as_str()),
        (Some(0), "0 1 2 3\n4 5 6 7\n8 9 10 11\n")
    );
    let (_, out, _) = run(
        &bench,
        &["cat", "dict.b2z:/grid", "-s", "1,::2", "--format", "text"],
    );
    assert_eq!(out, "4\n6\n");
    let (_, out, _) = run(&bench, &["cat", "dict.b2z:/objects"]);
    assert_eq!(out.lines().nth(1), Some("\"text\""));
    let args = [
        "decompress",
        "v3_groups.zarr.zip:/inner/data",
        "-o",
        "data.npy",
    ];
    assert_eq!(run(&bench, &args).0, Some(0));
    assert!(bench.read("data.npy").len() > 77 * 53 * 4);
    assert_eq!(
        run(&bench, &["convert", "dict.b2z:/grid", "-o", "grid.b2nd"]).0,
        Some(0)
    );
    assert_eq!(run(&bench, &["verify", "grid.b2nd"]).0, Some(0));
    assert_eq!(
        run(&bench, &["decompress", "numbers.blp", "-o", "numbers.raw"]).0,
        Some(0)
    );
    let numbers: Vec<u8> = (0..600_i32).flat_map(i32::to_le_bytes).collect();
    assert_eq!(bench.read("numbers.raw"), numbers);

    for (args, named) in [
        (&["cat", "dict.b2z:/absent"][..], "/absent"),
        (&["cat", "dict.b2z:/group"], "a group"),
        (
            &["cat", "dict.b2z:/objects", "--format", "raw"],
            "text only",
        ),
        (
            &["cat", "dict.b2z:/group/bytes", "--format", "npy"],
            "without a dtype",
        ),
        (&["info", "--tree", "numbers.blp"], "cannot open as a store"),
    ] {
        let (code, out, err) = run(&bench, args);
        assert_eq!((code, out.as_str()), (Some(1), ""), "{args:?}");
        assert!(err.contains(named), "{err}");
    }
    let (code, _, err) = run(&bench, &["decompress", "dict.b2z:/grid"]);
    assert_eq!(code, Some(2), "{err}");
}

#[test]
fn a_store_becomes_an_archive() {
    let bench = bench(&["v3_groups.zarr.zip"]);
    assert_eq!(
        run(&bench, &["convert", "v3_groups.zarr.zip", "-o", "out.b2z"]).0,
        Some(0)
    );
    let (_, before, _) = run(
        &bench,
        &["cat", "v3_groups.zarr.zip:/inner/data", "--format", "text"],
    );
    let (code, after, _) = run(&bench, &["cat", "out.b2z:/inner/data", "--format", "text"]);
    assert_eq!((code, before), (Some(0), after));
    let (_, out, _) = run(&bench, &["info", "--tree", "out.b2z"]);
    assert!(out.contains("metadata: title"), "{out}");
}
