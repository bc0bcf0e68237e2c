//! Frozen bytes of other writers decode to known data, and ours are the same bytes where the format
//! leaves no choice.
//!
//! The files and how they were made: `tests/data/README.md`.
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a failing test panics, and what was compared or skipped is printed"
)]

#[cfg(feature = "b2nd")]
mod arrays;
mod chunks;
#[path = "../common/mod.rs"]
mod common;
mod compat;
mod content;
#[cfg(feature = "frame")]
mod frames;
mod table;
