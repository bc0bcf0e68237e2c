//! Times oxiblosc beside the real library.
//!
//! [`capi`] loads `libblosc2` at run time, from the path in `OXIBLOSC_LIBBLOSC2`, so this crate
//! builds everywhere and links nothing. [`matrix`] times the two in turn.

pub mod harness;
pub mod matrix;

pub use oxiblosc_interop as capi;
pub use oxiblosc_interop::clocks;
