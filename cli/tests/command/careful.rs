//! Mistakes are not silent: names without a format, input that is compressed already, filters that
//! change values, readers and users that end early.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::common::{Bench, data, npy, stderr};

fn info(bench: &Bench, name: &str) -> serde_json::Value {
    serde_json::from_slice(&bench.good(&["info", name, "--json"])).unwrap()
}

#[test]
fn a_name_without_a_format_is_wrong_usage() {
    let bench = Bench::new();
    bench.write("a.npy", &npy("'<i4'", false, &[4, 5], 1, &data(80)));
    for name in ["a.h5", "a.csv", "a.zarrr", "a", "-"] {
        let line = bench.bad(&["convert", "a.npy", "-o", name], 2);
        assert!(line.contains("--to"), "{name}: {line}");
    }
    for name in ["a.raw", "a.bin", "a.RAW"] {
        bench.good(&["convert", "a.npy", "-o", name, "-f"]);
        assert_eq!(bench.read(name), data(80));
    }
    bench.good(&["convert", "a.npy", "-o", "a.h5", "--to", "raw"]);
    assert_eq!(bench.read("a.h5"), data(80));
}

#[test]
fn frames_and_chunks_are_compressed_again() {
    let bench = Bench::new();
    bench.write("bytes", &data(100_000));
    let how = [
        "--typesize",
        "4",
        "--chunk-size",
        "30K",
        "--codec",
        "lz4",
        "-7",
    ];
    bench.good(&[&["compress", "bytes", "-o", "a.b2frame"][..], &how].concat());
    bench.good(&["convert", "a.b2frame", "-o", "b.b2frame", "--codec", "zstd"]);
    let json = info(&bench, "b.b2frame");
    assert_eq!(
        (&json["codec"], &json["level"]),
        (&"zstd".into(), &7.into())
    );
    assert_eq!(
        (&json["typesize"], &json["chunksize"]),
        (&4.into(), &30_720.into())
    );
    assert_eq!(
        bench.good(&["decompress", "b.b2frame", "-o", "-"]),
        data(100_000)
    );
    bench.good(&[
        "convert",
        "a.b2frame",
        "-o",
        "c.d",
        "--to",
        "b2frame",
        "--sparse",
    ]);
    assert_eq!(bench.good(&["decompress", "c.d", "-o", "-"]), data(100_000));
    bench.good(&["convert", "a.b2frame", "-o", "c.raw"]);
    assert_eq!(bench.read("c.raw"), data(100_000));
    let line = bench.bad(&["convert", "a.b2frame", "-o", "c.b2nd"], 1);
    assert!(line.contains("no array"), "{line}");
    let params = oxiblosc::CParams::new(2);
    bench.write("chunk", &oxiblosc::compress(&data(5000), &params).unwrap());
    bench.good(&["convert", "chunk", "-o", "d.b2frame", "--codec", "zlib"]);
    assert_eq!(
        bench.good(&["decompress", "d.b2frame", "-o", "-"]),
        data(5000)
    );
    // An array keeps what is not given.
    bench.write("a.npy", &npy("'<i4'", false, &[4, 5], 1, &data(80)));
    bench.good(&[
        "compress",
        "a.npy",
        "--codec",
        "zstd",
        "-3",
        "--filters",
        "bitshuffle",
    ]);
    bench.good(&["convert", "a.b2nd", "-o", "b.b2nd", "--level", "8"]);
    let json = info(&bench, "b.b2nd");
    assert_eq!(
        (&json["codec"], &json["level"]),
        (&"zstd".into(), &8.into())
    );
    assert_eq!(json["filters"], serde_json::json!(["bitshuffle"]));
}

#[test]
fn what_is_compressed_is_not_compressed_again_by_mistake() {
    let bench = Bench::new();
    bench.write("a.npy", &npy("'<i4'", false, &[4, 5], 1, &data(80)));
    bench.good(&["compress", "a.npy"]);
    let line = bench.bad(&["compress", "a.b2nd"], 1);
    assert!(line.contains("--force-nested"), "{line}");
    let piped = bench.run_with(&["compress", "-", "-o", "n"], &bench.read("a.b2nd"));
    assert_eq!(piped.status.code(), Some(1), "{}", stderr(&piped));
    bench.good(&["compress", "a.b2nd", "-o", "n", "--force-nested"]);
    assert_eq!(
        bench.good(&["decompress", "n", "-o", "-"]),
        bench.read("a.b2nd")
    );
}

#[test]
fn partitions_that_do_not_fit_are_wrong_usage() {
    let bench = Bench::new();
    bench.write("a.npy", &npy("'<i4'", false, &[40, 50], 1, &data(8000)));
    for (args, words) in [
        (
            &["--chunks", "10,10", "--blocks", "5,20"][..],
            &["axis 1", "20", "10"][..],
        ),
        (&["--chunks", "10,10,10"], &["2", "3"]),
        (&["--chunks", "10"], &["2", "1"]),
        (&["--chunks", "10,10", "--blocks", "5"], &["2", "1"]),
    ] {
        let line = bench.bad(&[&["compress", "a.npy", "-o", "b.b2nd"], args].concat(), 2);
        let missing: Vec<_> = words.iter().filter(|word| !line.contains(**word)).collect();
        assert!(missing.is_empty(), "{args:?}: {line}");
    }
    assert!(!bench.path("b.b2nd").exists());
}

#[test]
fn an_open_length_is_computed() {
    let bench = Bench::new();
    bench.write("raw", &data(24 * 10));
    let args = |shape| {
        [
            "convert", "raw", "-o", "a.npy", "-f", "--dtype", "<f8", "--shape", shape,
        ]
    };
    for (shape, expected) in [("-1", "(30,)"), ("-1,5", "(6, 5)"), ("3,-1,5", "(3, 2, 5)")] {
        bench.good(&args(shape));
        let file = bench.read("a.npy");
        let header = String::from_utf8_lossy(&file[..128]).into_owned();
        assert!(header.contains(expected), "{shape}: {header}");
    }
    for shape in ["-1,7", "-1,-1", "-2", "0,-1"] {
        bench.bad(&args(shape), 2);
    }
    let piped = bench.run_with(
        &[
            "convert", "-", "-o", "b.npy", "--dtype", "<f8", "--shape", "-1",
        ],
        &data(240),
    );
    assert_eq!(piped.status.code(), Some(2));
}

#[test]
fn filters_that_change_values_say_so_and_keep_the_shuffle() {
    let bench = Bench::new();
    bench.write("a.npy", &npy("'<f4'", false, &[1000], 1, &data(4000)));
    for (given, kept) in [
        ("trunc_prec:10", &["trunc_prec:10", "shuffle"][..]),
        ("trunc_prec:10,none", &["trunc_prec:10"]),
        ("trunc_prec:10,bitshuffle", &["trunc_prec:10", "bitshuffle"]),
        ("none", &[]),
    ] {
        let output = bench.run(&["compress", "a.npy", "-f", "--filters", given]);
        assert!(output.status.success());
        let said = stderr(&output);
        assert_eq!(said.contains("10 of 23 bits"), !kept.is_empty(), "{said}");
        assert_eq!(
            info(&bench, "a.b2nd")["filters"],
            serde_json::json!(kept),
            "{given}"
        );
    }
}

/// `| head`: the reader has enough, which is no failure of the writer.
#[test]
fn a_reader_that_ends_early_is_no_error() {
    let bench = Bench::new();
    bench.write(
        "a.npy",
        &npy("'|u1'", false, &[4_000_000], 1, &data(4_000_000)),
    );
    bench.good(&["compress", "a.npy"]);
    for args in [
        &["cat", "a.b2nd"][..],
        &["decompress", "a.b2nd", "-o", "-"],
        &["cat", "a.b2nd", "--format", "text"],
        &["convert", "a.b2nd", "-o", "-", "--to", "raw"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_oxiblosc"))
            .args(args)
            .current_dir(bench.path(""))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", stderr(&output));
        assert!(
            !stderr(&output).contains("oxiblosc:"),
            "{args:?}: {}",
            stderr(&output)
        );
    }
}

/// Ctrl-C in the middle: no temporary file is left, and the target is as it was.
#[test]
fn ctrl_c_leaves_nothing() {
    let bench = Bench::new();
    bench.write("out", b"as it was");
    for args in [
        &["compress", "-", "-o", "out", "-f"][..],
        &["compress", "-", "-o", "folder", "--sparse"],
    ] {
        let before = bench.names();
        let mut child = Command::new(env!("CARGO_BIN_EXE_oxiblosc"))
            .args(args)
            .current_dir(bench.path(""))
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(&data(1000)).unwrap();
        while bench.names() == before {
            assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let killed = Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status();
        assert!(killed.unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(130), "{args:?}");
        assert_eq!(bench.names(), before, "{args:?}");
        assert_eq!(bench.read("out"), b"as it was");
    }
}
