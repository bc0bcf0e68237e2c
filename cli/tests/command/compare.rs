//! `diff` and `meta`.

use serde_json::{Value, json};

use crate::common::{Bench, data, npy, stderr};

#[test]
fn the_same_data_are_found_in_any_form() {
    let bench = Bench::new();
    let content = data(8 * 35 * 50);
    bench.write("a.npy", &npy("'<f8'", false, &[35, 50], 1, &content));
    bench.good(&["compress", "a.npy"]);
    bench.good(&[
        "compress", "a.npy", "-o", "b.d", "--sparse", "--codec", "zstd", "--chunks", "10,9",
    ]);
    for other in ["a.npy", "a.b2nd", "b.d"] {
        let said = String::from_utf8(bench.good(&["diff", "b.d", other])).unwrap();
        assert!(said.contains("the same data"), "{said}");
    }
    let mut changed = content.clone();
    changed[8 * (50 * 3 + 4) + 7] ^= 0x80;
    changed[8 * (50 * 34 + 49)] ^= 1;
    bench.write("c.npy", &npy("'<f8'", false, &[35, 50], 1, &changed));
    for one in ["a.npy", "a.b2nd", "b.d"] {
        let line = bench.bad(&["diff", one, "c.npy"], 1);
        assert!(
            line.contains("2 of 1750 elements differ, first at [3, 4]: "),
            "{line}"
        );
    }
    bench.write("d.npy", &npy("'<f8'", false, &[50, 35], 1, &content));
    let line = bench.bad(&["diff", "a.npy", "d.npy"], 1);
    assert!(line.contains("[35, 50] and [50, 35]"), "{line}");
    bench.write("e.npy", &npy("'<i8'", false, &[35, 50], 1, &content));
    let line = bench.bad(&["diff", "a.npy", "e.npy"], 1);
    assert!(line.contains("<f8 and <i8"), "{line}");
    // In Fortran order: the transpose's rows are the array's columns.
    let turned: Vec<u8> = (0..50)
        .flat_map(|column| (0..35).map(move |row| (row * 50 + column) * 8))
        .flat_map(|at| content[at..at + 8].to_vec())
        .collect();
    bench.write("f.npy", &npy("'<f8'", true, &[35, 50], 1, &turned));
    bench.good(&["diff", "f.npy", "a.b2nd"]);
    // Frames and chunks of bytes.
    bench.write("bytes", &content);
    bench.good(&["compress", "bytes", "--chunk-size", "1000"]);
    bench.good(&[
        "compress",
        "bytes",
        "-o",
        "other",
        "--typesize",
        "8",
        "--codec",
        "lz4",
    ]);
    bench.good(&["diff", "bytes.b2frame", "other"]);
    let chunk = oxiblosc::compress(&content, &oxiblosc::CParams::new(8)).unwrap();
    bench.write("chunk", &chunk);
    bench.good(&["diff", "bytes.b2frame", "chunk"]);
    bench.bad(&["diff", "bytes.b2frame", "missing"], 1);
}

#[test]
fn metadata_is_listed_set_and_removed() {
    let bench = Bench::new();
    bench.write("a.npy", &npy("'<i4'", false, &[20, 30], 1, &data(2400)));
    for more in [&[][..], &["--sparse"]] {
        bench.good(&[&["compress", "a.npy", "-f", "-o", "a"], more].concat());
        let get = |name: &str| -> Value {
            serde_json::from_slice(&bench.good(&["meta", "get", "a", name])).unwrap()
        };
        for (value, expected) in [
            ("kelvin", json!("kelvin")),
            ("-3.5", json!(-3.5)),
            ("18446744073709551615", json!(u64::MAX)),
            ("[1, {\"a\": null}, true]", json!([1, {"a": null}, true])),
        ] {
            bench.good(&["meta", "set", "a", "m", value]);
            assert_eq!(get("m"), expected);
        }
        bench.good(&["meta", "set", "a", "t", "--text", "12"]);
        assert_eq!(get("t"), "12");
        bench.write("bytes", b"\xA1x");
        bench.good(&["meta", "set", "a", "f", "--from", "bytes"]);
        assert_eq!(get("f"), "x");
        assert_eq!(bench.good(&["meta", "get", "a", "f", "--raw"]), b"\xA1x");
        let list = String::from_utf8(bench.good(&["meta", "list", "a"])).unwrap();
        let names: Vec<&str> = list
            .lines()
            .filter_map(|line| line.split(' ').next())
            .collect();
        assert_eq!(names, ["b2nd", "m", "t", "f"], "{list}");
        bench.good(&["meta", "del", "a", "m"]);
        for args in [
            &["get", "a", "m"][..],
            &["del", "a", "m"],
            &["set", "none", "m", "1"],
        ] {
            bench.bad(&[&["meta"], args].concat(), 1);
        }
        bench.bad(&["meta", "set", "a", "m"], 2);
        // The data are as they were.
        bench.good(&["diff", "a", "a.npy"]);
        bench.good(&["verify", "a"]);
    }
    let long = "n".repeat(300);
    let output = bench.run(&["meta", "set", "a", &long, "1"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
}
