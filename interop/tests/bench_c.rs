//! The helper of `oxiblosc bench --against`: its answers are those of the library.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use oxiblosc_interop::{Library, PATH_VARIABLE, Params};

#[test]
fn the_helper_measures_what_the_library_does() {
    let Some(library) = Library::get() else {
        println!("SKIPPED: {PATH_VARIABLE} is not set");
        return;
    };
    let data: Vec<u8> = (0..30_000_u32)
        .flat_map(|i| (i * i / 9).to_le_bytes())
        .collect();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("data");
    std::fs::write(&path, &data).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_bench_c"))
        .arg(std::env::var_os(PATH_VARIABLE).unwrap())
        .arg(&path)
        .arg("50000")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut requests = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(
        answers.next().unwrap().unwrap(),
        format!("ok C-Blosc2 {}", library.version())
    );
    let mut ask = |request: &str| {
        writeln!(requests, "{request}").unwrap();
        answers.next().unwrap().unwrap()
    };
    assert!(ask("encode").starts_with("error "));
    for (codec, level) in [(0, 5), (1, 9), (5, 1)] {
        let request = format!("set {codec} {level} 4 4 1 0 0 0 0 0 1 0 0 0 0 0 0");
        assert_eq!(ask(&request), "ok 0");
        let params = Params {
            codec,
            clevel: level,
            typesize: 4,
            ..Params::default()
        };
        let sizes = data
            .chunks(50_000)
            .map(|chunk| library.compress(chunk, &params).unwrap().len());
        let expected: usize = sizes.sum();
        for _ in 0..2 {
            let answer = ask("encode");
            let words: Vec<&str> = answer.split(' ').collect();
            assert_eq!((words[0], words[2]), ("ok", expected.to_string().as_str()));
            assert!(words[1].parse::<u64>().unwrap() > 0);
            assert!(ask("decode").starts_with("ok "));
        }
    }
    for wrong in ["set 0", "set 0 5 4 4 1 0 0 0 0 0 300 0 0 0 0 0 0", "x"] {
        assert!(ask(wrong).starts_with("error "), "{wrong}");
    }
    drop(requests);
    assert!(child.wait().unwrap().success());
}
