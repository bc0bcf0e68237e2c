//! oxiblosc beside the real library.
//!
//! [`capi`] loads `libblosc2` at run time, from the path in `OXIBLOSC_LIBBLOSC2`, so this crate builds everywhere and
//! links nothing. [`matrix`] times the two beside each other. The tests hand chunks, frames and arrays from one library to the other.

pub mod capi;
pub mod clocks;
pub mod matrix;
