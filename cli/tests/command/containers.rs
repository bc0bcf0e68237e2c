//! Conversion from and to archives of NumPy files and folders of Zarr.

use std::fs;

use serde_json::Value;

use crate::common::{Bench, data, npy};

/// The members of an archive that stores them uncompressed, by its local headers: an independent
/// reader for what is written here.
fn stored(archive: &[u8], name: &str) -> Option<Vec<u8>> {
    let directory = archive
        .windows(4)
        .rposition(|bytes| bytes == b"PK\x05\x06")
        .unwrap();
    let word = |at: usize| u32::from_le_bytes(archive[at..at + 4].try_into().unwrap()) as usize;
    let half = |at: usize| usize::from(u16::from_le_bytes(archive[at..at + 2].try_into().unwrap()));
    let mut at = word(directory + 16);
    for _ in 0..half(directory + 10) {
        assert_eq!(&archive[at..at + 4], b"PK\x01\x02");
        let (len, own) = (half(at + 28), at + 46);
        if &archive[own..own + len] == name.as_bytes() {
            assert_eq!(half(at + 10), 0, "stored");
            let (size, local) = (word(at + 24), word(at + 42));
            let start = local + 30 + half(local + 26) + half(local + 28);
            return Some(archive[start..start + size].to_vec());
        }
        at = own + len + half(at + 30) + half(at + 32);
    }
    None
}

#[test]
fn an_array_goes_through_npz() {
    let bench = Bench::new();
    let file = npy("'<i4'", false, &[20, 30], 1, &data(2400));
    bench.write("a.npy", &file);
    bench.good(&["compress", "a.npy"]);
    for input in ["a.npy", "a.b2nd"] {
        bench.good(&["convert", input, "-o", "a.npz", "-f"]);
        assert!(
            stored(&bench.read("a.npz"), "a.npy").unwrap() == file,
            "{input}"
        );
    }
    bench.bad(&["convert", "a.npy", "-o", "a.npz"], 1);
    bench.good(&["convert", "a.npz", "-o", "b.b2nd", "--chunks", "7,30"]);
    bench.good(&["diff", "b.b2nd", "a.npy"]);
    bench.good(&["convert", "a.npz:/a", "-o", "b.npy"]);
    assert!(bench.read("b.npy") == file);
    bench.good(&["convert", "a.npz", "-o", "s.b2z"]);
    bench.good(&["convert", "s.b2z:/a", "-o", "c.npy"]);
    assert!(bench.read("c.npy") == file);
    bench.good(&["convert", "s.b2z", "-o", "t.npz"]);
    assert!(stored(&bench.read("t.npz"), "a.npy").unwrap() == file);
    let line = bench.bad(&["convert", "a.npz:/b", "-o", "x.npy"], 1);
    assert!(line.contains("there is no b in it, but a"), "{line}");
    // The elements in the order of Fortran come from the member, not from the archive.
    let turned = npy("'<i4'", true, &[20, 30], 1, &data(2400));
    bench.write("f.npy", &turned);
    bench.good(&["convert", "f.npy", "-o", "plain.npy"]);
    bench.good(&["convert", "f.npy", "-o", "f.npz"]);
    assert!(stored(&bench.read("f.npz"), "f.npy").unwrap() == bench.read("plain.npy"));
    for wrong in ["--seal", "--sparse"] {
        bench.bad(&["convert", "a.npy", "-o", "x.npz", wrong], 2);
    }
}

#[test]
fn damaged_archives_are_bad_data() {
    let bench = Bench::new();
    bench.write("a.npy", &npy("'<i4'", false, &[20, 30], 1, &data(2400)));
    bench.good(&["convert", "a.npy", "-o", "a.npz"]);
    let whole = bench.read("a.npz");
    for at in (0..whole.len()).step_by(7) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x55;
        bench.write("b.npz", &damaged);
        let output = bench.run(&["convert", "b.npz", "-o", "b.npy", "-f"]);
        if output.status.success() {
            assert!(bench.read("b.npy") == bench.read("a.npy"), "{at}");
        } else {
            assert_eq!(output.status.code(), Some(1), "{at}");
        }
    }
    bench.write("b.npz", &whole[..whole.len() / 2]);
    bench.bad(&["convert", "b.npz", "-o", "x.npy"], 1);
    bench.write("b.npz", b"");
    bench.bad(&["convert", "b.npz", "-o", "x.npy"], 1);
}

#[test]
fn an_array_goes_through_zarr() {
    let bench = Bench::new();
    let file = npy("'<i4'", false, &[20, 31], 1, &data(2480));
    bench.write("a.npy", &file);
    bench.good(&["compress", "a.npy", "--filters", "shuffle,bytedelta"]);
    for (number, version) in ["2", "3"].into_iter().enumerate() {
        for (input, more) in [
            ("a.npy", &["--chunks", "7,8"][..]),
            (
                "a.b2nd",
                &[
                    "--codec",
                    "zstd",
                    "--chunks",
                    "6,31",
                    "--filters",
                    "bitshuffle",
                ],
            ),
            ("a.b2nd", &["--codec", "lz4", "--filters", "none", "-9"]),
        ] {
            let output = format!("{number}{input}{}.zarr", more.len());
            let args = ["convert", input, "-o", &output, "--zarr-format", version];
            bench.good(&[&args, more].concat());
            bench.good(&["diff", &format!("{output}:/"), "a.npy"]);
            bench.good(&["convert", &output, "-o", "b.npy", "-f"]);
            assert!(bench.read("b.npy") == file, "{output}");
            // Without the force to replace what is there.
            bench.bad(&args, 1);
            bench.bad(&[&args[..], &["-f"]].concat(), 1);
        }
    }
    let metadata = fs::read(bench.path("1a.npy2.zarr/zarr.json")).unwrap();
    let metadata: Value = serde_json::from_slice(&metadata).unwrap();
    assert_eq!(
        metadata["chunk_grid"]["configuration"]["chunk_shape"],
        serde_json::json!([7, 8])
    );
    assert_eq!(
        (&metadata["data_type"], &metadata["fill_value"]),
        (&"int32".into(), &0.into())
    );
    assert!(bench.path("1a.npy2.zarr/c/2/3").is_file());
    assert!(bench.path("0a.npy2.zarr/2.3").is_file());
    for wrong in [
        &["--filters", "shuffle,bytedelta"][..],
        &["--seal"],
        &["--blocks", "2,2"],
        &["--chunks", "7"],
    ] {
        bench.bad(&[&["convert", "a.npy", "-o", "x.zarr"], wrong].concat(), 2);
        assert!(!bench.path("x.zarr").exists());
    }
    bench.write("bytes", &data(100));
    bench.good(&["compress", "bytes"]);
    bench.bad(&["convert", "bytes.b2frame", "-o", "x.zarr"], 1);
    bench.write("short.npy", &file[..file.len() - 1]);
    bench.bad(&["convert", "short.npy", "-o", "x.zarr"], 1);
    assert!(!bench.path("x.zarr").exists());
}

#[test]
fn empty_and_scalar_arrays_go_through_zarr() {
    let bench = Bench::new();
    for (shape, len) in [(&[][..], 4), (&[0, 3], 0)] {
        let file = npy("'<f4'", false, shape, 1, &data(len));
        bench.write("a.npy", &file);
        for version in ["2", "3"] {
            let output = format!("{version}{len}.zarr");
            bench.good(&["convert", "a.npy", "-o", &output, "--zarr-format", version]);
            bench.good(&["convert", &output, "-o", "b.npy", "-f"]);
            assert!(bench.read("b.npy") == file, "{output}");
        }
    }
}
