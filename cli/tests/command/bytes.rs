//! Raw bytes to frames and back, bare chunks, pipes, exit codes, damaged inputs.

use crate::common::{Bench, data, npy, stderr};
use oxiblosc::frame::{FrameParams, FrameWriter};
use oxiblosc::{CParams, Special};

/// A frame of several chunks, and what it holds.
fn frame(bench: &Bench, name: &str) -> Vec<u8> {
    let data = data(100_000);
    bench.write("input", &data);
    bench.good(&[
        "compress",
        "input",
        "-o",
        name,
        "--chunk-size",
        "30K",
        "--typesize",
        "4",
    ]);
    bench.remove("input");
    data
}

#[test]
fn bytes_come_back() {
    let bench = Bench::new();
    for len in [0, 1, 3, 1000, 100_000] {
        let data = data(len);
        bench.write("a.bin", &data);
        for codec in ["blosclz", "lz4", "lz4hc", "zlib", "zstd"] {
            for typesize in ["1", "4", "7"] {
                let output = bench.run(&[
                    "compress",
                    "a.bin",
                    "-f",
                    "--codec",
                    codec,
                    "--typesize",
                    typesize,
                    "--chunk-size",
                    "16K",
                    "--block-size",
                    "1K",
                    "--filters",
                    "delta,shuffle",
                ]);
                assert!(output.status.success(), "{}", stderr(&output));
                let line = stderr(&output);
                assert!(line.starts_with("a.bin -> a.bin.b2frame: "), "{line}");
                assert!(
                    line.contains(", ratio ") && line.ends_with("/s\n"),
                    "{line}"
                );
                bench.good(&["decompress", "a.bin.b2frame", "-o", "b.bin", "-f"]);
                assert_eq!(bench.read("b.bin"), data, "{codec} {typesize} {len}");
                bench.good(&["verify", "a.bin.b2frame"]);
            }
        }
    }
    bench.remove("a.bin");
    bench.good(&["decompress", "a.bin.b2frame"]);
    assert_eq!(bench.names(), ["a.bin", "a.bin.b2frame", "b.bin"]);
}

#[test]
fn chunks_are_whole_items() {
    let bench = Bench::new();
    bench.write("a", &data(100_000));
    bench.good(&["compress", "a", "--typesize", "7", "--chunk-size", "16K"]);
    let json = bench.good(&["info", "--json", "a.b2frame"]);
    let info: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(
        (&info["chunksize"], &info["typesize"]),
        (&16380.into(), &7.into())
    );
    assert_eq!(
        (&info["kind"], &info["nchunks"]),
        (&"frame".into(), &7.into())
    );
}

/// Numbers taken for bytes hardly shrink, and the command says what would help.
#[test]
fn raw_bytes_that_hardly_shrink_get_a_hint() {
    let bench = Bench::new();
    let numbers = (0..20_000_u32).map(|i| (f64::from(i) * 1e-3).sin() * 300.0);
    let bytes: Vec<u8> = numbers.flat_map(f64::to_le_bytes).collect();
    bench.write("a.raw", &bytes);
    let hint = "--typesize N is the size of an item";
    let said = |args: &[&str]| {
        let output = bench.run(args);
        assert!(output.status.success(), "{}", stderr(&output));
        stderr(&output).contains(hint)
    };
    assert!(said(&["compress", "a.raw", "-f"]));
    assert!(!said(&["compress", "a.raw", "-f", "-q"]));
    assert!(!said(&["compress", "a.raw", "-f", "--typesize", "8"]));
    assert!(!said(&["compress", "a.raw", "-f", "--auto"]));
    bench.write("zeros", &[0; 100_000]);
    assert!(!said(&["compress", "zeros"]));
}

#[test]
fn pipes_on_both_ends() {
    let bench = Bench::new();
    let data = data(300_000);
    let frame = bench.run_with(&["compress", "-", "-o", "-"], &data);
    assert!(frame.status.success(), "{}", stderr(&frame));
    let back = bench.run_with(&["decompress", "-", "-o", "-"], &frame.stdout);
    assert!(back.status.success(), "{}", stderr(&back));
    assert_eq!(back.stdout, data);
    let good = bench.run_with(&["verify", "-"], &frame.stdout);
    assert!(
        String::from_utf8(good.stdout)
            .unwrap()
            .starts_with("standard input: good, 1 chunk, ")
    );
    let info = bench.run_with(&["info", "-"], &frame.stdout);
    assert!(info.status.success());
    // From a pipe, too, an .npy file is an array unless it is to be taken as bytes.
    let array = npy("'<i4'", false, &[5], 1, &data[..20]);
    let frame = bench.run_with(&["compress", "-", "-o", "-"], &array);
    let back = bench.run_with(&["decompress", "-", "-o", "-"], &frame.stdout);
    assert_eq!(back.stdout, data[..20]);
    let frame = bench.run_with(&["compress", "-", "-o", "-", "--npy", "never"], &array);
    let back = bench.run_with(&["decompress", "-", "-o", "-"], &frame.stdout);
    assert_eq!(back.stdout, array);
    assert_eq!(bench.names(), [""; 0]);
    assert_eq!(
        bench.run_with(&["compress", "-"], &data).status.code(),
        Some(2)
    );
    assert_eq!(
        bench
            .run_with(&["decompress", "-"], &frame.stdout)
            .status
            .code(),
        Some(2)
    );
}

#[test]
fn bare_chunks_are_recognised() {
    let bench = Bench::new();
    let data = data(5000);
    bench.write("c", &oxiblosc::compress(&data, &CParams::new(4)).unwrap());
    bench.good(&["decompress", "c"]);
    assert_eq!(bench.read("c.out"), data);
    bench.good(&["verify", "c"]);
    let info: serde_json::Value =
        serde_json::from_slice(&bench.good(&["info", "c", "--json"])).unwrap();
    assert_eq!(
        (&info["kind"], &info["data_nbytes"]),
        (&"chunk".into(), &5000.into())
    );
    bench.good(&["decompress", "c", "-o", "c.npy"]);
    assert_eq!(bench.read("c.npy"), npy("'|V4'", false, &[1250], 1, &data));

    // A Blosc1 chunk: version 2, 16-byte header, stored as it is.
    let mut blosc1 = vec![2, 1, 2, 1];
    for size in [100_u32, 100, 116] {
        blosc1.extend(size.to_le_bytes());
    }
    blosc1.extend(&data[..100]);
    bench.write("one", &blosc1);
    bench.good(&["decompress", "one", "-o", "one.npy"]);
    assert_eq!(
        bench.read("one.npy"),
        npy("'|u1'", false, &[100], 1, &data[..100])
    );
}

#[test]
fn sparse_frames_are_read() {
    let bench = Bench::new();
    let data = data(10_000);
    let params = FrameParams::new(CParams::new(2), 3000);
    let mut writer = FrameWriter::create_sparse(bench.path("s.b2frame"), params).unwrap();
    writer.append(&data).unwrap();
    writer.append_special(Special::Zeros, 500).unwrap();
    writer.finish().unwrap();
    bench.good(&["decompress", "s.b2frame", "-o", "s.bin"]);
    assert_eq!(bench.read("s.bin"), [data.as_slice(), &[0; 500]].concat());
    bench.good(&["verify", "s.b2frame"]);
    let text = String::from_utf8(bench.good(&["info", "s.b2frame"])).unwrap();
    assert!(text.contains("sparse"), "{text}");
    bench.remove("s.b2frame/00000001.chunk");
    let line = bench.bad(&["verify", "s.b2frame"], 1);
    assert!(
        line.contains("s.b2frame") && line.contains("chunk 1"),
        "{line}"
    );
    std::fs::create_dir(bench.path("plain")).unwrap();
    bench.bad(&["info", "plain"], 1);
}

#[test]
fn wrong_usage_is_exit_code_2() {
    let bench = Bench::new();
    bench.write("a", &data(1000));
    bench.write("a.npy", &npy("'<i4'", false, &[5, 5], 1, &data(100)));
    for args in [
        &[][..],
        &["pack", "a"],
        &["compress"],
        &["compress", "a", "--codec", "rar"],
        &["compress", "a", "--level", "10"],
        &["compress", "a", "--filters", "sharpen"],
        &[
            "compress",
            "a",
            "--filters",
            "delta,delta,delta,delta,delta,delta,shuffle",
        ],
        &["compress", "a", "--typesize", "0"],
        &["compress", "a", "--chunk-size", "3T"],
        &["compress", "a", "--chunks", "2,2"],
        &["compress", "a", "--threads", "0"],
        &["compress", "a.npy", "--typesize", "4"],
        &["compress", "a.npy", "--chunks", "2"],
        &["compress", "a.npy", "--chunks", "0,2"],
        &["compress", "a.npy", "--chunks", "2,2", "--blocks", "2,0"],
    ] {
        bench.bad(args, 2);
        assert_eq!(bench.names(), ["a", "a.npy"], "{args:?}");
    }
    assert!(bench.run(&["--help"]).status.success());
    assert!(bench.run(&["--version"]).status.success());
}

#[test]
fn missing_and_foreign_inputs_are_exit_code_1() {
    let bench = Bench::new();
    bench.write(
        "text",
        b"not compressed at all, just a line of text that goes on",
    );
    bench.write("empty", b"");
    bench.write("a.npy", &npy("'<i4'", false, &[5], 1, &data(20)));
    for command in ["decompress", "verify", "info"] {
        for input in ["missing", "text", "empty", "a.npy"] {
            let line = bench.bad(&[command, input], 1);
            assert!(line.starts_with(&format!("oxiblosc: {input}: ")), "{line}");
        }
    }
    bench.bad(&["compress", "missing"], 1);
    bench.bad(&["compress", "."], 1);
    assert_eq!(bench.names(), ["a.npy", "empty", "text"]);
}

#[test]
fn damage_is_reported_with_its_place_and_leaves_nothing() {
    let bench = Bench::new();
    frame(&bench, "f.b2frame");
    let good = bench.read("f.b2frame");
    let chunk_at = 97;
    assert_eq!(good[chunk_at], 5, "the first chunk begins here");
    for (what, offset, byte) in [
        ("the frame's length", 0x17, 0xFF),
        ("a chunk's version", chunk_at, 99),
        ("a chunk's nbytes", chunk_at + 7, 0x7F),
        ("a block offset", chunk_at + 35, 0x7F),
        ("the trailer", good.len() - 23, 0),
    ] {
        let mut bytes = good.clone();
        bytes[offset] = byte;
        bench.write("f.b2frame", &bytes);
        for args in [
            &["verify", "f.b2frame"][..],
            &["decompress", "f.b2frame", "-o", "out"],
        ] {
            let line = bench.bad(args, 1);
            assert!(line.starts_with("oxiblosc: f.b2frame: "), "{what}: {line}");
            assert!(line.contains("offset "), "{what}: {line}");
            assert_eq!(bench.names(), ["f.b2frame"], "{what}");
        }
    }
    for len in [0, 1, 50, 131, good.len() - 1] {
        bench.write("f.b2frame", &good[..len]);
        bench.bad(&["verify", "f.b2frame"], 1);
        bench.bad(&["decompress", "f.b2frame", "-o", "out"], 1);
        assert_eq!(bench.names(), ["f.b2frame"], "cut at {len}");
    }
}

#[test]
fn nothing_is_overwritten_unasked() {
    let bench = Bench::new();
    let data = frame(&bench, "f.b2frame");
    bench.write("out", b"precious");
    let line = bench.bad(&["decompress", "f.b2frame", "-o", "out"], 1);
    assert!(line.contains("out: exists already"), "{line}");
    assert_eq!(bench.read("out"), b"precious");
    // A failing run with -f keeps what was there, too.
    bench.write("broken", &bench.read("f.b2frame")[..2000]);
    bench.bad(&["decompress", "broken", "-o", "out", "-f"], 1);
    assert_eq!(bench.read("out"), b"precious");
    bench.good(&["decompress", "f.b2frame", "-o", "out", "-f"]);
    assert_eq!(bench.read("out"), data);
    bench.bad(&["compress", "out", "-o", "f.b2frame"], 1);
    bench.good(&["compress", "out", "-o", "f.b2frame", "-f"]);
    bench.bad(&["compress", "out", "-o", "no/such/folder"], 1);
    assert_eq!(bench.names(), ["broken", "f.b2frame", "out"]);
}

#[cfg(unix)]
#[test]
fn new_files_look_like_any_new_file() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let bench = Bench::new();
    let data = frame(&bench, "f.b2frame");
    bench.write("plain", b"");
    let mode = |name: &str| {
        std::fs::metadata(bench.path(name))
            .unwrap()
            .permissions()
            .mode()
            & 0o7777
    };
    assert_eq!(mode("f.b2frame"), mode("plain"));
    // A link stays a link.
    symlink("plain", bench.path("link")).unwrap();
    bench.good(&["decompress", "f.b2frame", "-o", "link", "-f"]);
    assert!(
        std::fs::symlink_metadata(bench.path("link"))
            .unwrap()
            .is_symlink()
    );
    assert_eq!(bench.read("plain"), data);
    // A device is written to, not replaced.
    bench.good(&["decompress", "f.b2frame", "-o", "/dev/null"]);
    bench.good(&["compress", "plain", "-o", "/dev/null"]);
    assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn large_claims_meet_a_limit() {
    let bench = Bench::new();
    let mut encoder = oxiblosc::ChunkEncoder::new(CParams::new(1)).unwrap();
    let bomb = encoder.encode_special(Special::Zeros, 0x7FFF_FF00).unwrap();
    bench.write("bomb", &bomb);
    let line = bench.bad(&["decompress", "bomb", "-o", "out"], 1);
    assert!(
        line.contains("limit") && line.contains("--no-limits"),
        "{line}"
    );
    assert_eq!(bench.names(), ["bomb"]);
}
