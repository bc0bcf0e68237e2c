//! `.npy` arrays to array frames and back.

use crate::common::{Bench, data, npy};
use oxiblosc::DParams;
use oxiblosc::b2nd::Array;
use oxiblosc::frame::FrameReader;

const DTYPES: &[(&str, usize)] = &[
    ("'|u1'", 1),
    ("'|b1'", 1),
    ("'<i2'", 2),
    ("'<f4'", 4),
    ("'>f8'", 8),
    ("'<c16'", 16),
    ("'|S5'", 5),
    ("'<U3'", 12),
    ("'<M8[ns]'", 8),
    ("'|V300'", 300),
    ("[('a', '<i4'), ('b', '>f8', (2,)), ('c', '|S3')]", 23),
];

const SHAPES: &[&[u64]] = &[
    &[],
    &[1],
    &[17],
    &[0],
    &[5, 7],
    &[3, 0, 2],
    &[4, 5, 6],
    &[2, 3, 2, 3],
    &[1, 2, 1, 2, 1, 2, 3],
];

fn len(shape: &[u64], typesize: usize) -> usize {
    usize::try_from(shape.iter().product::<u64>()).unwrap() * typesize
}

/// The elements of a C-order array in Fortran order.
fn to_fortran(data: &[u8], shape: &[u64], typesize: usize) -> Vec<u8> {
    let mut fortran = vec![0; data.len()];
    for (n, element) in data.chunks(typesize).enumerate() {
        let (mut rest, mut at, mut stride) = (n as u64, 0, shape.iter().product::<u64>());
        for &len in shape.iter().rev() {
            stride /= len;
            at += (rest % len) * stride;
            rest /= len;
        }
        let at = usize::try_from(at).unwrap() * typesize;
        fortran[at..at + typesize].copy_from_slice(element);
    }
    fortran
}

#[test]
fn every_dtype_and_shape_comes_back_byte_for_byte() {
    let bench = Bench::new();
    for &(descr, typesize) in DTYPES {
        for &shape in SHAPES {
            let data = data(len(shape, typesize));
            let file = npy(descr, false, shape, 1, &data);
            bench.write("a.npy", &file);
            bench.good(&["compress", "a.npy", "-f"]);
            bench.good(&["decompress", "a.b2nd", "-o", "b.npy", "-f"]);
            assert_eq!(bench.read("b.npy"), file, "{descr} {shape:?}");
            bench.good(&["decompress", "a.b2nd", "-o", "raw", "-f"]);
            assert_eq!(bench.read("raw"), data, "{descr} {shape:?}");
            bench.good(&["verify", "a.b2nd"]);
        }
    }
}

#[test]
fn fortran_order_and_header_versions_are_read() {
    let bench = Bench::new();
    for (n, &(descr, typesize)) in DTYPES.iter().enumerate() {
        for (version, &shape) in [1, 2, 3].iter().cycle().zip(SHAPES) {
            let data = data(len(shape, typesize));
            let fortran = to_fortran(&data, shape, typesize);
            bench.write("a.npy", &npy(descr, true, shape, *version, &fortran));
            let chunks: Vec<String> = shape
                .iter()
                .map(|&len| (len.div_ceil(1 + n as u64 % 3)).max(1).to_string())
                .collect();
            let chunks = chunks.join(",");
            let mut args = vec!["compress", "a.npy", "-f"];
            if !shape.is_empty() {
                args.extend(["--chunks", &chunks]);
            }
            bench.good(&args);
            bench.good(&["decompress", "a.b2nd", "-o", "b.npy", "-f"]);
            assert_eq!(
                bench.read("b.npy"),
                npy(descr, false, shape, 1, &data),
                "{descr} {shape:?}"
            );
        }
    }
}

#[test]
fn options_reach_the_frame() {
    let bench = Bench::new();
    bench.write("a.npy", &npy("'<f4'", false, &[40, 50], 1, &data(8000)));
    bench.good(&[
        "compress",
        "a.npy",
        "-o",
        "b.b2nd",
        "--codec",
        "zstd",
        "--level",
        "3",
        "--filters",
        "trunc_prec:-3,bitshuffle",
        "--chunks",
        "20,25",
        "--blocks",
        "10,5",
        "--split",
        "never",
        "--threads",
        "2",
    ]);
    let json = bench.good(&["info", "b.b2nd", "--json", "--chunks"]);
    let info: serde_json::Value = serde_json::from_slice(&json).unwrap();
    for (name, value) in [
        ("kind", serde_json::json!("array")),
        ("codec", serde_json::json!("zstd")),
        ("level", serde_json::json!(3)),
        (
            "filters",
            serde_json::json!(["trunc_prec:-3", "bitshuffle"]),
        ),
        ("split", serde_json::json!("never")),
        ("shape", serde_json::json!([40, 50])),
        ("chunkshape", serde_json::json!([20, 25])),
        ("blockshape", serde_json::json!([10, 5])),
        ("dtype", serde_json::json!("<f4")),
        ("nchunks", serde_json::json!(4)),
        ("chunksize", serde_json::json!(2000)),
        ("blocksize", serde_json::json!(200)),
        ("metalayers", serde_json::json!({"b2nd": 53})),
    ] {
        assert_eq!(info[name], value, "{name}");
    }
    assert_eq!(info["chunks"].as_array().unwrap().len(), 4);
    assert_eq!(info["chunks"][0]["nbytes"], 2000);

    let text = String::from_utf8(bench.good(&["info", "b.b2nd", "--chunks"])).unwrap();
    assert!(
        text.lines()
            .any(|line| line.starts_with("shape ") && line.ends_with(" 40, 50"))
    );
    assert!(
        text.lines()
            .any(|line| line.starts_with("chunk 3: offset ") && line.contains(" nbytes 2000 ")),
        "{text}"
    );

    let array =
        Array::open_in(FrameReader::open(bench.path("b.b2nd"), DParams::new()).unwrap()).unwrap();
    assert_eq!(array.shape(), [40, 50]);
}

/// Filters over n-dimensional cells learn the blockshape from the metalayer.
#[test]
fn cell_filters_work_on_arrays() {
    let bench = Bench::new();
    let file = npy("'<i4'", false, &[40, 50], 1, &data(8000));
    bench.write("a.npy", &file);
    let shapes = ["--chunks", "20,25", "--blocks", "8,10"];
    bench.good(
        &[
            &["compress", "a.npy", "--filters", "ndcell:4,shuffle"][..],
            &shapes,
        ]
        .concat(),
    );
    bench.good(&["verify", "a.b2nd"]);
    bench.good(&["decompress", "a.b2nd", "-o", "b.npy"]);
    assert_eq!(bench.read("b.npy"), file);
}

#[test]
fn the_number_of_threads_does_not_show() {
    let bench = Bench::new();
    bench.write(
        "a.npy",
        &npy("'<i4'", false, &[300, 500], 1, &data(600_000)),
    );
    let args = [
        "compress", "a.npy", "--chunks", "100,100", "--blocks", "20,50",
    ];
    bench.good(&[&args[..], &["-o", "one.b2nd", "--threads", "1"]].concat());
    bench.good(&[&args[..], &["-o", "four.b2nd", "--threads", "4"]].concat());
    assert_eq!(bench.read("one.b2nd"), bench.read("four.b2nd"));
    bench.good(&["decompress", "one.b2nd", "-o", "one.npy", "--threads", "1"]);
    bench.good(&["decompress", "one.b2nd", "-o", "four.npy", "--threads", "4"]);
    assert_eq!(bench.read("one.npy"), bench.read("a.npy"));
    assert_eq!(bench.read("four.npy"), bench.read("a.npy"));
}

#[test]
fn files_that_lie_are_refused() {
    let bench = Bench::new();
    let good = npy("'<f8'", false, &[10, 10], 1, &data(800));
    let huge = npy("'<f8'", false, &[1 << 40, 1 << 20], 1, &data(800));
    let objects = npy("'|O'", false, &[3], 1, &data(24));
    for (name, bytes) in [
        ("short.npy", &good[..900]),
        ("header.npy", &good[..60]),
        ("magic.npy", &good[..8]),
        ("objects.npy", &objects),
    ] {
        bench.write(name, bytes);
        let line = bench.bad(&["compress", name], 1);
        assert!(line.contains(name), "{line}");
        bench.remove(name);
        assert_eq!(bench.names(), [""; 0], "{name}");
    }
    // Its chunks would be more than a frame can hold, or the file is too short: either way, no.
    bench.write("huge.npy", &huge);
    assert_ne!(bench.run(&["compress", "huge.npy"]).status.code(), Some(0));
    assert_eq!(bench.names(), ["huge.npy"]);
}
