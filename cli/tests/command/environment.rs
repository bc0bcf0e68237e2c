//! The environment variable `OXIBLOSC_ISA`.

use std::process::Command;

fn with_isa(name: &str) -> (Option<i32>, String) {
    let run = Command::new(env!("CARGO_BIN_EXE_oxiblosc"))
        .args(["info", "absent.b2frame"])
        .env("OXIBLOSC_ISA", name)
        .output()
        .unwrap();
    (run.status.code(), String::from_utf8(run.stderr).unwrap())
}

#[test]
fn an_unknown_instruction_set_is_a_usage_error() {
    let (code, line) = with_isa("avx3");
    assert_eq!(code, Some(2), "{line}");
    assert!(line.starts_with("oxiblosc: OXIBLOSC_ISA: "), "{line}");
    assert!(line.contains("avx3") && line.lines().count() == 1, "{line}");
}

#[test]
fn a_known_instruction_set_is_used() {
    // The file is missing: the command got as far as opening it.
    let (code, line) = with_isa("scalar");
    assert_eq!(code, Some(1), "{line}");
    assert!(line.contains("absent.b2frame"), "{line}");
}
