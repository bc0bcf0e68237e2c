//! Blosc2 in Rust.
#![forbid(unsafe_code)]
