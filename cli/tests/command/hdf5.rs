//! HDF5 files as input; `cli/tests/hdf5/datasets.py` wrote them with the HDF5 library.

use crate::common::{Bench, npy};

/// Elements that count to 112 and begin again.
fn counted<const N: usize>(len: u64, bytes: impl Fn(u8) -> [u8; N]) -> Vec<u8> {
    (0..len)
        .flat_map(|n| bytes(u8::try_from(n % 113).unwrap()))
        .collect()
}

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("all.h5", include_bytes!("../hdf5/datasets.h5"));
    bench.write("one.h5", include_bytes!("../hdf5/one.h5"));
    bench
}

/// Converts a dataset and compares the whole file.
fn check(bench: &Bench, name: &str, descr: &str, shape: &[u64], data: &[u8]) {
    let (input, descr) = (format!("all.h5:/{name}"), format!("'{descr}'"));
    bench.good(&["convert", &input, "-o", "x.npy", "-f"]);
    let expected = npy(&descr, false, shape, 1, data);
    assert!(bench.read("x.npy") == expected, "{name}");
}

#[test]
fn datasets_of_all_kinds_are_arrays() {
    let bench = bench();
    let f8 = |n: u8| f64::from(n).to_le_bytes();
    check(
        &bench,
        "plain/contiguous",
        "<f8",
        &[5, 30],
        &counted(150, f8),
    );
    let i4 = |n: u8| i32::from(n).to_be_bytes();
    check(&bench, "plain/big", ">i4", &[40], &counted(40, i4));
    check(&bench, "plain/scalar", "<f4", &[], &42_f32.to_le_bytes());
    check(&bench, "plain/empty", "<u2", &[0, 3], &[]);
    let unwritten = (-5_i32).to_le_bytes().repeat(42);
    check(&bench, "plain/unwritten", "<i4", &[6, 7], &unwritten);
    let truth = counted(50, |n| [u8::from(n % 2 == 0)]);
    check(&bench, "plain/truth", "|b1", &[50], &truth);
    let complex = |n: u8| {
        let parts = [f64::from(n), f64::from(n) * 2.0].map(f64::to_le_bytes);
        parts.concat().try_into().unwrap()
    };
    check(
        &bench,
        "plain/complex",
        "<c16",
        &[4, 4],
        &counted::<16>(16, complex),
    );
    let text = |n: u8| {
        let mut text = n.to_string().into_bytes();
        text.resize(5, 0);
        text.try_into().unwrap()
    };
    check(&bench, "plain/text", "|S5", &[21], &counted::<5>(21, text));
    let days = counted(12, |n| i64::from(n).to_le_bytes());
    check(&bench, "plain/days", "<M8[D]", &[12], &days);
}

#[test]
fn records_keep_the_gaps_between_their_fields() {
    let bench = bench();
    bench.good(&["convert", "all.h5:/plain/record", "-o", "x.npy"]);
    let file = bench.read("x.npy");
    let header = String::from_utf8_lossy(&file[10..128]).into_owned();
    let descr = "[('a', '<i2'), ('', '|V6'), ('b', '<f8')]";
    assert!(header.contains(descr), "{header}");
    let row = file[file.len() - 16..].to_vec();
    assert_eq!(row[..2], 9_i16.to_le_bytes());
    assert_eq!(row[8..], 9_f64.to_le_bytes());
}

#[test]
fn chunks_pass_through_their_filters() {
    let bench = bench();
    let data = counted(660, |n| i32::from(n).to_le_bytes());
    for name in ["deflate", "blosc", "blosc_zlib", "blosc2", "blosc2_lz4"] {
        check(&bench, &format!("chunked/{name}"), "<i4", &[33, 20], &data);
    }
    let f4 = |n: u8| f32::from(n).to_le_bytes();
    check(&bench, "chunked/one", "<f4", &[100], &counted(100, f4));
    check(&bench, "chunked/again", "<f4", &[100], &counted(100, f4));
    let part = counted(100, |n| i16::from(n).to_le_bytes());
    let sparse = [part.clone(), 3_i16.to_le_bytes().repeat(100), part].concat();
    check(&bench, "chunked/sparse", "<i2", &[30, 10], &sparse);
}

#[test]
fn elements_may_be_longer_than_a_typesize() {
    let bench = Bench::new();
    bench.write("all.h5", include_bytes!("../hdf5/long.h5"));
    let text = |n: u8| {
        let mut text = n.to_string().into_bytes();
        text.resize(300, 0);
        text.try_into().unwrap()
    };
    for (name, shape) in [
        ("line", &[50][..]),
        ("one_block", &[9, 8]),
        ("blocks", &[45, 20]),
    ] {
        let len = shape.iter().product();
        check(&bench, name, "|S300", shape, &counted::<300>(len, text));
    }
}

#[test]
fn a_file_with_one_dataset_needs_no_name() {
    let bench = bench();
    bench.good(&["convert", "one.h5", "-o", "x.b2nd"]);
    bench.good(&["decompress", "x.b2nd", "-o", "x.npy"]);
    let data = counted(77, |n| i16::from(n).to_le_bytes());
    assert!(bench.read("x.npy") == npy("'<i2'", false, &[7, 11], 1, &data));
    let line = bench.bad(&["convert", "all.h5", "-o", "y.npy"], 1);
    assert!(line.contains("holds 20 arrays: chunked/again, "), "{line}");
    let line = bench.bad(&["convert", "all.h5:/none", "-o", "y.npy"], 1);
    assert!(line.contains("there is no none in it"), "{line}");
}

#[test]
fn a_whole_file_becomes_a_store() {
    let bench = bench();
    let output = bench.run(&["convert", "all.h5", "-o", "all.b2z"]);
    let said = crate::common::stderr(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("plain/names: HDF5: "), "{said}");
    assert!(said.contains("19 objects"), "{said}");
    bench.good(&["convert", "all.b2z:/chunked/blosc2", "-o", "x.npy"]);
    bench.good(&["convert", "all.h5:/chunked/blosc2", "-o", "y.npy"]);
    assert!(bench.read("x.npy") == bench.read("y.npy"));
}

#[test]
fn damage_is_bad_data_and_never_more() {
    let bench = bench();
    let whole = bench.read("all.h5");
    for n in 0..120 {
        let mut damaged = whole.clone();
        let at = (n * 251 + 8) % damaged.len();
        damaged[at] ^= 0xff;
        bench.write("bad.h5", &damaged);
        let output = bench.run(&["convert", "bad.h5", "-o", "bad.b2z", "-f"]);
        assert!(matches!(output.status.code(), Some(0 | 1)), "byte {at}");
    }
    for len in [0, 8, 500, whole.len() / 2] {
        bench.write("bad.h5", &whole[..len]);
        let line = bench.bad(&["convert", "bad.h5", "-o", "bad.b2z", "-f"], 1);
        assert!(line.contains("bad.h5"), "{line}");
    }
}
