//! `tune` and `compress --auto`.

use serde_json::Value;

use crate::common::{Bench, data, npy, stderr};

/// A ramp of doubles with noise in the last digits.
fn ramp(len: u32) -> Vec<u8> {
    let mut state = 1_u32;
    let mut noise = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 16) * 1e-9
    };
    (0..len)
        .flat_map(|i| (f64::from(i) * 0.37 + noise()).to_le_bytes())
        .collect()
}

#[test]
fn what_tune_finds_is_what_auto_takes() {
    let bench = Bench::new();
    bench.write("a.npy", &npy("'<f8'", false, &[100, 300], 1, &ramp(30_000)));
    for goal in ["ratio", "balanced", "read", "speed"] {
        let json = bench.good(&["tune", "a.npy", "--for", goal, "--json"]);
        let json: Value = serde_json::from_slice(&json).unwrap();
        assert_eq!(
            (&json["goal"], &json["best"]["typesize"]),
            (&goal.into(), &8.into())
        );
        let auto = format!("--auto={goal}");
        bench.good(&["compress", "a.npy", "-f", &auto]);
        let info: Value =
            serde_json::from_slice(&bench.good(&["info", "a.b2nd", "--json"])).unwrap();
        for field in ["codec", "level"] {
            assert_eq!(info[field], json["best"][field], "{goal}");
        }
        // Without their numbers.
        let filters = info["filters"].as_array().unwrap().iter();
        let filters = filters.map(|name| name.as_str().unwrap().split(':').next().unwrap());
        let filters: Value = filters.collect();
        assert_eq!(filters, json["best"]["filters"], "{goal}");
        bench.good(&["diff", "a.npy", "a.b2nd"]);
        // The same bytes each time, and through a pipe, whose samples are the same here.
        let first = bench.read("a.b2nd");
        bench.good(&["compress", "a.npy", "-f", &auto, "-T", "1"]);
        assert!(bench.read("a.b2nd") == first, "{goal}");
        let piped = bench.run_with(
            &["compress", "-", "-o", "p", "-f", &auto],
            &bench.read("a.npy"),
        );
        assert!(piped.status.success(), "{}", stderr(&piped));
        assert!(bench.read("p") == first, "{goal}");
        let of_array = bench.good(&["tune", "a.b2nd", "--for", goal, "--json"]);
        assert!(!of_array.is_empty());
    }
}

#[test]
fn the_choice_is_explained_in_four_languages() {
    let bench = Bench::new();
    bench.write("raw", &ramp(30_000));
    let text = String::from_utf8(bench.good(&["tune", "raw"])).unwrap();
    for word in [
        "ratio",
        "--typesize 8",
        "CParams::new(8)",
        "blosc2.CParams(",
        "\"codec\"",
    ] {
        assert!(text.contains(word), "{word}: {text}");
    }
    // The options it prints are options that there are.
    let options = text
        .lines()
        .find_map(|line| line.strip_prefix("command  "))
        .unwrap();
    let args: Vec<&str> = options.split(' ').collect();
    bench.good(&[&["compress", "raw", "-o", "one"][..], &args].concat());
    bench.good(&["compress", "raw", "-o", "two", "--auto"]);
    assert_eq!(bench.read("one"), bench.read("two"));
    bench.bad(
        &["compress", "raw", "-o", "x", "--auto", "--codec", "lz4"],
        2,
    );
    bench.bad(&["compress", "raw", "-o", "x", "--auto=fast"], 2);
    bench.bad(&["tune", "missing"], 1);
    bench.write("empty", b"");
    bench.bad(&["tune", "empty"], 1);
    bench.good(&["compress", "empty", "--auto"]);
    bench.write("some", &data(9_000_000));
    bench.good(&["compress", "some", "--auto"]);
    bench.good(&["diff", "some.b2frame", "some.b2frame"]);
}
