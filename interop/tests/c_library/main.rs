//! oxiblosc and the real library on the same data, in both directions.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::needless_pass_by_value,
    reason = "a failing test may panic, and prints what it compared or skipped"
)]

mod binding;
mod cases;
mod chunk_kinds;
mod chunks;
#[path = "../../../tests/golden/content.rs"]
mod content;
mod crash;
mod frames;
mod model;
mod plugins;

use oxiblosc_interop::{Library, PATH_VARIABLE};

/// The real library; prints that the test is skipped when none is named.
fn library() -> Option<&'static Library> {
    let library = Library::get();
    if library.is_none() {
        println!("SKIPPED: {PATH_VARIABLE} is not set");
    }
    library
}
