//! oxiblosc and the real library on the same data, both ways.
#![expect(clippy::unwrap_used, reason = "a failing test panics")]

mod cases;
mod chunk_kinds;
mod chunks;
#[path = "../../../../tests/golden/content.rs"]
mod content;
mod frames;
mod model;

use vs_c::capi::Library;

/// The real library, when one is named.
fn library() -> Option<&'static Library> {
    let library = Library::get();
    if library.is_none() {
        println!("skipped: OXIBLOSC_LIBBLOSC2 is not set");
    }
    library
}
