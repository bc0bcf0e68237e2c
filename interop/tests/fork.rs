//! The child of a fork, in which the threads of a pool are gone, works alone.
#![cfg(unix)]

use std::process::Command;

#[test]
fn a_child_writes_and_reads_with_the_pool_of_its_parent() {
    let output = Command::new(env!("CARGO_BIN_EXE_fork"))
        .env("RAYON_NUM_THREADS", "4")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{output:?}");
    assert_eq!(text.matches(": ok").count(), 3, "{text}");
}
