//! Habits from other compressors: several files, levels as digits, standard output, removing the
//! input, quiet runs.

use crate::common::{Bench, data, npy, stderr};

#[test]
fn several_files_go_through_one_call() {
    let bench = Bench::new();
    bench.write("a.npy", &npy("'<i4'", false, &[20, 30], 1, &data(2400)));
    bench.write("b.npy", &npy("'<i4'", false, &[600], 1, &data(2400)));
    bench.write("c", &data(3000));
    bench.good(&["compress", "a.npy", "b.npy", "c", "-o", "out/"]);
    for name in ["a.b2nd", "b.b2nd", "c.b2frame"] {
        assert!(bench.path("out").join(name).is_file(), "{name}");
    }
    bench.good(&["verify", "out/a.b2nd", "out/b.b2nd", "out/c.b2frame"]);
    bench.good(&["decompress", "out/a.b2nd", "out/c.b2frame", "-o", "back/"]);
    assert_eq!(bench.read("back/a.npy"), bench.read("a.npy"));
    assert_eq!(bench.read("back/c"), data(3000));
    bench.good(&[
        "convert",
        "out/a.b2nd",
        "b.npy",
        "--to",
        "raw",
        "-o",
        "raw/",
    ]);
    assert_eq!(bench.read("raw/a.raw"), data(2400));
    bench.bad(&["compress", "a.npy", "b.npy", "-o", "one.b2nd"], 2);
    bench.bad(&["convert", "a.npy", "-o", "raw/"], 2);
    // One that is missing does not keep the others.
    let output = bench.run(&["compress", "missing", "a.npy", "gone", "-o", "more/"]);
    assert_eq!(output.status.code(), Some(1));
    let lines = stderr(&output);
    assert!(
        lines.contains("missing") && lines.contains("gone"),
        "{lines}"
    );
    assert!(bench.path("more/a.b2nd").is_file());
}

#[test]
fn inputs_are_removed_only_when_asked_and_done() {
    let bench = Bench::new();
    bench.write("a", &data(3000));
    bench.good(&["compress", "a", "-k"]);
    bench.bad(&["compress", "a", "--rm"], 1);
    assert_eq!(
        bench.names(),
        ["a", "a.b2frame"],
        "the output exists: nothing is removed"
    );
    bench.good(&["compress", "a", "--rm", "-f"]);
    assert_eq!(bench.names(), ["a.b2frame"]);
    bench.good(&["decompress", "a.b2frame", "--rm"]);
    assert_eq!(bench.names(), ["a"]);
    // An output in the place of its input is not removed with it, nor is a directory.
    let line = bench.bad(&["compress", "a", "-o", "a", "-f", "-q", "--rm"], 1);
    assert!(line.contains("not removed"), "{line}");
    assert_eq!(bench.good(&["decompress", "a", "-o", "-"]), data(3000));
    bench.write("b", &data(300));
    bench.good(&["compress", "b", "-o", "d", "--sparse"]);
    bench.bad(&["decompress", "d", "-o", "e", "--rm"], 2);
    assert!(bench.path("d/chunks.b2frame").is_file());
    for wrong in [&["--rm", "-k"][..], &["--rm", "-c"], &["-c", "-o", "b"]] {
        bench.bad(&[&["compress", "a"], wrong].concat(), 2);
    }
    let piped = bench.run_with(&["compress", "-", "--rm", "-o", "b"], b"x");
    assert_eq!(piped.status.code(), Some(2));
}

#[test]
fn short_options_mean_what_they_do_elsewhere() {
    let bench = Bench::new();
    bench.write("a", &data(30_000));
    let long = bench.good(&["compress", "a", "-o", "-", "--level", "9", "--threads", "2"]);
    let short = bench.good(&["compress", "a", "-c9T2"]);
    assert!(!long.is_empty() && long == short);
    bench.bad(&["compress", "a", "-c", "-9", "--level", "3"], 2);
    bench.bad(&["compress", "a", "-c19"], 2);
    for (given, lines) in [(&["-q"][..], 0), (&[], 1), (&["-v"], 2)] {
        let output = bench.run(&[&["compress", "a", "-f"], given].concat());
        assert!(output.status.success());
        assert_eq!(
            stderr(&output).lines().count(),
            lines,
            "{}",
            stderr(&output)
        );
    }
    // An error is printed all the same.
    let output = bench.run(&["compress", "missing", "-q"]);
    assert_eq!(
        (output.status.code(), stderr(&output).lines().count()),
        (Some(1), 1)
    );
}

/// The environment gives a default; the command line has the last word.
#[test]
fn threads_come_from_the_environment_unless_given() {
    let bench = Bench::new();
    bench.write("a", &data(1000));
    let run = |value: &str, args: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_oxiblosc"));
        command.args(["compress", "a", "-f"]).args(args);
        command
            .current_dir(bench.path(""))
            .env("OXIBLOSC_THREADS", value);
        command.output().unwrap().status.code()
    };
    assert_eq!(run("2", &[]), Some(0));
    assert_eq!(run("0", &[]), Some(2));
    assert_eq!(run("0", &["-T", "1"]), Some(0));
}

#[test]
fn completions_and_pages_name_every_command() {
    let bench = Bench::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = String::from_utf8(bench.good(&["completions", shell])).unwrap();
        assert!(
            text.contains("decompress") && text.contains("salvage"),
            "{shell}"
        );
    }
    bench.good(&["man", "pages"]);
    let page = String::from_utf8(bench.read("pages/oxiblosc-compress.1")).unwrap();
    assert!(page.contains("chunk\\-size"), "{page}");
}

#[test]
fn colors_are_for_terminals_and_those_who_ask() {
    let bench = Bench::new();
    bench.write("a", &data(3000));
    bench.good(&["compress", "a"]);
    let runs = [
        &["ls", "a.b2frame"][..],
        &["tune", "a"],
        &["info", "a.b2frame"],
        &["info", "missing"],
        &["diff", "a.b2frame", "missing"],
        &[
            "bench",
            "a",
            "--codecs",
            "lz4",
            "--levels",
            "1",
            "--filters",
            "none",
            "--time",
            "0",
        ],
    ];
    for args in runs {
        for (when, colored) in [("always", true), ("never", false), ("auto", false)] {
            let output = bench.run(&[args, &["--color", when]].concat());
            let text = [output.stdout, output.stderr].concat();
            assert_eq!(text.contains(&0x1B), colored, "{args:?} {when}");
        }
    }
}
