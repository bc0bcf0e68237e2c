//! Frozen bytes of other writers decode to known data, and ours are the same bytes where the format leaves no choice.
//!
//! The files and how they were made: `tests/data/README.md`.
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot read its own tables has nothing better to do"
)]

mod chunks;
mod compat;
mod content;
#[cfg(feature = "frame")]
mod frames;
mod table;
