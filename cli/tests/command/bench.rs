//! `bench`: the grid, the numbers, and the forms of the report. No speed is asserted.

use serde_json::Value;

use crate::common::{Bench, data, npy};

/// A small grid, and no repetitions.
const SMALL: [&str; 8] = [
    "--codecs",
    "lz4,zstd",
    "--levels",
    "1,5",
    "--filters",
    "none,shuffle+bytedelta",
    "--time",
    "0",
];

fn json(bench: &Bench, args: &[&str]) -> Value {
    let all = [&["bench"], args, &["--format", "json"]].concat();
    serde_json::from_slice(&bench.good(&all)).unwrap()
}

#[test]
fn sizes_are_those_of_compress() {
    let bench = Bench::new();
    bench.write("a", &data(90_000));
    let options = ["a", "--typesize", "4", "--chunk-size", "20000"];
    let report = json(&bench, &[&options[..], &SMALL, &["-T", "1,2"]].concat());
    assert_eq!(
        (&report["nbytes"], &report["typesize"]),
        (&90_000.into(), &4.into())
    );
    let cells = report["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 16);
    for cell in cells {
        let filters = cell["filters"].as_str().unwrap().replace('+', ",");
        let level = cell["level"].to_string();
        bench.good(
            &[
                &[
                    "compress",
                    "-o",
                    "b",
                    "-f",
                    "--filters",
                    &filters,
                    "--level",
                    &level,
                ][..],
                &["--codec", cell["codec"].as_str().unwrap()],
                &options,
            ]
            .concat(),
        );
        let info: Value = serde_json::from_slice(&bench.good(&["info", "b", "--json"])).unwrap();
        assert_eq!(cell["cbytes"], info["chunks_cbytes"], "{cell}");
        let ratio = 90_000.0 / cell["cbytes"].as_f64().unwrap();
        assert!(
            (cell["ratio"].as_f64().unwrap() - ratio).abs() < 0.001,
            "{cell}"
        );
        assert!(
            cell["compress_best_mb_per_s"].as_f64() >= cell["compress_median_mb_per_s"].as_f64()
        );
    }
}

#[test]
fn the_default_grid_has_five_codecs_three_levels_and_five_pipelines() {
    let bench = Bench::new();
    bench.write("a.npy", &npy("'<u2'", false, &[500, 30], 1, &data(30_000)));
    bench.good(&["compress", "a.npy"]);
    for input in ["a.npy", "a.b2nd"] {
        let report = json(&bench, &[input, "--time", "0", "-T", "1"]);
        assert_eq!(report["typesize"], 2);
        let cells = report["cells"].as_array().unwrap();
        assert_eq!(cells.len(), 75);
        for (field, count) in [("codec", 5), ("level", 3), ("filters", 5)] {
            let mut values: Vec<String> =
                cells.iter().map(|cell| cell[field].to_string()).collect();
            values.sort();
            values.dedup();
            assert_eq!(values.len(), count, "{values:?}");
        }
        let smallest = cells
            .iter()
            .max_by_key(|cell| u64::MAX - cell["cbytes"].as_u64().unwrap());
        let fronts = smallest.unwrap()["front"].as_str().unwrap();
        // Nothing that is as small may be faster both ways, so one of the smallest is on a front.
        let least = &smallest.unwrap()["cbytes"];
        let mut equal = cells.iter().filter(|cell| cell["cbytes"] == *least);
        assert!(equal.any(|cell| cell["front"] != ""), "{fronts}");
    }
}

#[test]
fn every_form_has_every_cell() {
    let bench = Bench::new();
    for (form, cells) in [
        ("r.csv", "\noxiblosc "),
        ("r.md", "| oxiblosc "),
        ("r.html", "</td></tr>"),
    ] {
        bench.good(
            &[
                &[
                    "bench",
                    "--synthetic",
                    "--sample",
                    "100K",
                    "-T",
                    "1,2",
                    "-o",
                    form,
                ][..],
                &SMALL,
            ]
            .concat(),
        );
        let text = String::from_utf8(bench.read(form)).unwrap();
        assert_eq!(text.matches(cells).count(), 16, "{form}: {text}");
        assert!(
            !text.contains("NaN") && !text.contains("inf"),
            "{form}: {text}"
        );
        if form == "r.csv" {
            let columns: Vec<usize> = text.lines().map(|line| line.split(',').count()).collect();
            assert!(columns.iter().all(|&count| count == 17), "{columns:?}");
        }
        if form == "r.html" {
            assert_eq!(text.matches("<svg").count(), 3, "two speeds, and threads");
            for outside in ["<script", "http", "src=", "@import", "url("] {
                assert!(!text.contains(outside), "{outside}");
            }
        }
        bench.bad(&["bench", "--synthetic", "--time", "0", "-o", form], 1);
    }
    let text = bench.good(
        &[
            &["bench", "--synthetic=noise", "--sample", "64K", "-T", "1"][..],
            &SMALL,
        ]
        .concat(),
    );
    let text = String::from_utf8(text).unwrap();
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    assert_eq!(text.matches("zstd").count(), 4, "{text}");
}

#[test]
fn made_data_are_measured() {
    let bench = Bench::new();
    for (kind, typesize) in [
        ("temperatures", 4),
        ("timestamps", 8),
        ("counts", 2),
        ("text", 1),
    ] {
        let made = format!("--synthetic={kind}");
        let report = json(
            &bench,
            &[&[&made, "--sample", "50001", "-T", "1"][..], &SMALL].concat(),
        );
        assert_eq!(report["typesize"], typesize, "{kind}");
        assert_eq!(report["nbytes"], 50_001 - 50_001 % typesize, "{kind}");
        let ratios = report["cells"].as_array().unwrap().iter();
        assert!(
            ratios
                .map(|cell| cell["ratio"].as_f64().unwrap())
                .fold(0.0, f64::max)
                > 1.3
        );
    }
}

#[test]
fn wrong_usage_is_refused() {
    let bench = Bench::new();
    bench.write("a", &data(100));
    bench.write("empty", &[]);
    for args in [
        &["a", "--synthetic"][..],
        &[],
        &["a", "--filters", "trunc_prec:10"],
        &["a", "--filters", "zip"],
        &["a", "--helper", "x"],
        &["a", "--codecs", "zip"],
        &["a", "--typesize", "0"],
        &["a", "--against", "a", "--helper", "missing/program/a"],
    ] {
        let code = if args.contains(&"--against") { 1 } else { 2 };
        bench.bad(&[&["bench"], args].concat(), code);
    }
    bench.bad(&["bench", "missing"], 1);
    bench.bad(&["bench", "empty"], 1);
    let line = bench.bad(&["bench", "a", "--against", "missing"], 1);
    assert!(line.contains("missing"), "{line}");
    let line = bench.bad(&["bench", "a", "--against", "a", "--helper", "a"], 1);
    assert!(line.starts_with("oxiblosc: a: "), "{line}");
}
