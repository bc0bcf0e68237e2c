//! `cat` and `convert`: parts of arrays, and arrays from one form to another.

use crate::common::{Bench, data, npy};

/// The elements of a C-order array with these indices per axis.
fn select(data: &[u8], shape: &[u64], typesize: usize, lists: &[Vec<u64>]) -> Vec<u8> {
    let indices = lists
        .iter()
        .zip(shape)
        .fold(vec![0], |prefixes: Vec<u64>, (list, len)| {
            prefixes
                .iter()
                .flat_map(|prefix| list.iter().map(move |index| prefix * len + index))
                .collect()
        });
    indices
        .iter()
        .flat_map(|&index| {
            let at = usize::try_from(index).unwrap() * typesize;
            data[at..at + typesize].to_vec()
        })
        .collect()
}

#[test]
fn cat_writes_what_the_slice_takes() {
    let bench = Bench::new();
    let shape = [30, 20, 10];
    let data = data(6000 * 4);
    bench.write("a.npy", &npy("'<i4'", false, &shape, 1, &data));
    bench.good(&[
        "compress", "a.npy", "--chunks", "7,8,10", "--blocks", "4,3,5",
    ]);
    assert_eq!(bench.good(&["cat", "a.b2nd"]), data);
    let range = |range: std::ops::Range<u64>, step: usize| range.step_by(step).collect::<Vec<_>>();
    for (slice, lists, left) in [
        (
            "0:10,5:7",
            [range(0..10, 1), range(5..7, 1), range(0..10, 1)],
            &[10, 2, 10][..],
        ),
        (
            "...,3",
            [range(0..30, 1), range(0..20, 1), vec![3]],
            &[30, 20],
        ),
        (
            "-1,...",
            [vec![29], range(0..20, 1), range(0..10, 1)],
            &[20, 10],
        ),
        (
            "-4:,::3,:-8",
            [range(26..30, 1), range(0..20, 3), range(0..2, 1)],
            &[4, 7, 2],
        ),
        ("5,6,7", [vec![5], vec![6], vec![7]], &[]),
        (
            "1:1",
            [vec![], range(0..20, 1), range(0..10, 1)],
            &[0, 20, 10],
        ),
        (
            "2:29:9,0:99,1::4",
            [range(2..29, 9), range(0..20, 1), range(1..10, 4)],
            &[3, 20, 3],
        ),
    ] {
        let expected = select(&data, &shape, 4, &lists);
        assert_eq!(
            bench.good(&["cat", "a.b2nd", "--slice", slice]),
            expected,
            "{slice}"
        );
        let npy = npy("'<i4'", false, left, 1, &expected);
        bench.good(&["cat", "a.b2nd", "--slice", slice, "-o", "b.npy", "-f"]);
        assert_eq!(bench.read("b.npy"), npy, "{slice}");
        assert_eq!(
            bench.good(&["cat", "a.b2nd", "-s", slice, "--format", "npy"]),
            npy
        );
    }
    let piped = bench.run_with(&["cat", "-", "--slice", "0,0"], &bench.read("a.b2nd"));
    assert_eq!(piped.stdout, data[..40]);
}

#[test]
fn cat_prints_numbers() {
    let bench = Bench::new();
    let numbers: Vec<u8> = [1_i16, -2, 300, 4, 5, -600]
        .iter()
        .flat_map(|number| number.to_be_bytes())
        .collect();
    bench.write("a.npy", &npy("'>i2'", false, &[2, 3], 1, &numbers));
    bench.good(&["compress", "a.npy"]);
    let text = |args: &[&str]| String::from_utf8(bench.good(args)).unwrap();
    assert_eq!(
        text(&["cat", "a.b2nd", "--format", "text"]),
        "1 -2 300\n4 5 -600\n"
    );
    assert_eq!(
        text(&["cat", "a.b2nd", "-s", ":,2", "--format", "text"]),
        "300\n-600\n"
    );
    assert_eq!(
        text(&["cat", "a.b2nd", "-s", "1,1", "--format", "text"]),
        "5\n"
    );
    bench.write("v.npy", &npy("'<f16'", false, &[2], 1, &[0; 32]));
    bench.good(&["compress", "v.npy"]);
    let line = bench.bad(&["cat", "v.b2nd", "--format", "text"], 1);
    assert!(line.contains("<f16"), "{line}");
    // The name of the output says how.
    for (name, expected) in [
        ("a.csv", "1,-2,300\n4,5,-600\n"),
        ("a.json", "[[1, -2, 300],\n[4, 5, -600]]\n"),
        ("a.txt", "1 -2 300\n4 5 -600\n"),
    ] {
        bench.good(&["cat", "a.b2nd", "-o", name]);
        assert_eq!(String::from_utf8(bench.read(name)).unwrap(), expected);
    }
}

#[test]
fn wrong_slices_and_files_are_refused() {
    let bench = Bench::new();
    bench.write("a.npy", &npy("'<i4'", false, &[4, 5], 1, &data(80)));
    bench.good(&["compress", "a.npy"]);
    for slice in ["4", "0:1,0:1,0:1", "x", "::0", "::-1", "...,..."] {
        bench.bad(&["cat", "a.b2nd", "--slice", slice], 2);
    }
    bench.write("bytes", b"so it goes");
    bench.good(&["compress", "bytes"]);
    for (args, code) in [
        (&["cat", "bytes.b2frame"][..], 1),
        (&["cat", "missing"], 1),
        (&["cat", "a.b2nd", "-o", "a.npy"], 1),
        (&["convert", "a.npy"], 2),
        (&["convert", "bytes", "-o", "c.b2nd"], 1),
        (&["convert", "bytes.b2frame", "-o", "c.b2nd"], 1),
        (&["convert", "bytes", "-o", "c.b2nd", "--dtype", "<i4"], 2),
        (
            &[
                "convert", "bytes", "-o", "c.b2nd", "--dtype", "<q9", "--shape", "5",
            ],
            2,
        ),
        (
            &[
                "convert", "bytes", "-o", "c.b2nd", "--dtype", "<i2", "--shape", "6",
            ],
            1,
        ),
        (&["convert", "a.npy", "-o", "c.raw", "--chunks", "2,2"], 2),
        (&["convert", "a.npy", "-o", "c.b2nd", "--typesize", "4"], 2),
        (&["convert", "a.npy", "-o", "c.b2nd", "--chunks", "2"], 2),
    ] {
        bench.bad(args, code);
    }
    let mut damaged = bench.read("a.b2nd");
    let middle = damaged.len() / 2;
    damaged.truncate(middle);
    bench.write("short.b2nd", &damaged);
    bench.bad(&["convert", "short.b2nd", "-o", "c.npy"], 1);
    bench.remove("short.b2nd");
    assert!(
        !bench
            .names()
            .iter()
            .any(|name| name.starts_with("c.") || name.contains("tmp"))
    );
}

#[test]
fn every_form_becomes_every_other() {
    let bench = Bench::new();
    let data = data(35 * 50 * 8);
    let array = npy("'<f8'", false, &[35, 50], 1, &data);
    bench.write("a.npy", &array);
    bench.write("a.raw", &data);
    bench.good(&["convert", "a.npy", "-o", "a.b2nd"]);
    bench.good(&["convert", "a.npy", "-o", "a.d", "--to", "b2nd", "--sparse"]);
    let raw = ["--dtype", "<f8", "--shape", "35,50"];
    for input in ["a.npy", "a.raw", "a.b2nd", "a.d"] {
        let given: &[&str] = if input == "a.raw" { &raw } else { &[] };
        for (name, expected) in [("b.npy", &array), ("b.bin", &data)] {
            bench.good(&[&["convert", input, "-o", name, "-f"], given].concat());
            assert_eq!(&bench.read(name), expected, "{input} to {name}");
        }
        let encoding = [
            "--codec", "zstd", "--chunks", "10,20", "--blocks", "5,20", "--seal",
        ];
        for threads in ["1", "3"] {
            let how = ["-f", "--threads", threads];
            let args: Vec<&str> = [
                &["convert", input, "-o", "b.b2nd"][..],
                given,
                &encoding,
                &how,
            ]
            .concat();
            bench.good(&args);
            bench.good(&["verify", "b.b2nd"]);
            assert_eq!(bench.good(&["cat", "b.b2nd"]), data, "{input}");
            let info = bench.good(&["info", "b.b2nd", "--json", "--chunks"]);
            let info: serde_json::Value = serde_json::from_slice(&info).unwrap();
            assert_eq!(info["chunkshape"], serde_json::json!([10, 20]));
            assert_eq!(info["codec"], "zstd");
            assert_eq!(info["chunks"].as_array().unwrap().len(), 12);
        }
    }
    // From a pipe, and to one.
    let args = [&["convert", "-", "-o", "-", "--to", "npy"][..], &raw].concat();
    assert_eq!(bench.run_with(&args, &data).stdout, array);
    let piped = bench.run_with(&["convert", "-", "-o", "c.npy"], &bench.read("a.b2nd"));
    assert!(piped.status.success());
    assert_eq!(bench.read("c.npy"), array);
}

#[test]
fn conversions_keep_the_partition_and_turn_fortran_order() {
    let bench = Bench::new();
    let data = data(60 * 4);
    bench.write("a.npy", &npy("'<u4'", false, &[6, 10], 1, &data));
    bench.good(&["compress", "a.npy", "--chunks", "4,5", "--blocks", "2,5"]);
    bench.good(&["convert", "a.b2nd", "-o", "b.b2nd", "--codec", "lz4"]);
    let info = bench.good(&["info", "b.b2nd", "--json"]);
    let info: serde_json::Value = serde_json::from_slice(&info).unwrap();
    assert_eq!(info["chunkshape"], serde_json::json!([4, 5]));
    assert_eq!(info["blockshape"], serde_json::json!([2, 5]));
    assert_eq!(info["dtype"], "<u4");
    // Column by column is the transposed array row by row.
    let turned: Vec<u8> = (0..10)
        .flat_map(|column| (0..6).map(move |row| (row * 10 + column) * 4))
        .flat_map(|at| data[at..at + 4].to_vec())
        .collect();
    bench.write("f.npy", &npy("'<u4'", true, &[6, 10], 1, &turned));
    bench.good(&["convert", "f.npy", "-o", "c.npy"]);
    assert_eq!(bench.read("c.npy"), bench.read("a.npy"));
    bench.good(&["convert", "f.npy", "-o", "c.raw"]);
    assert_eq!(bench.read("c.raw"), data);
}
