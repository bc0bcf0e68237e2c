//! The C ABI of C-Blosc 1.21 on [`oxiblosc`]: the library `libblosc.so.1`.
//!
//! Chunks have the 16-byte header of Blosc1, which every version of C-Blosc from 1.11 on reads. No
//! panic leaves a function. The state of the process (`blosc_set_*`, the variables `BLOSC_*`) lives
//! here alone.

/// The symbol of a function.
#[cfg(not(feature = "prefixed"))]
macro_rules! symbol {
    ($name:literal) => {
        $name
    };
}
/// The symbol of a function, for programs that are linked to the original, too.
#[cfg(feature = "prefixed")]
macro_rules! symbol {
    ($name:literal) => {
        concat!("oxiblosc_", $name)
    };
}

mod boundary;
mod calls;
mod info;
mod names;
mod settings;

pub use calls::*;
pub use info::*;
pub use names::*;
pub use settings::*;
