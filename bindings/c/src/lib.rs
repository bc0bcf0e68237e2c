//! The C ABI of C-Blosc2 3.3.5 on [`oxiblosc`]: the library `libblosc2.so.9`.
//!
//! The functions have the names and signatures of `blosc2.h` and `b2nd.h`, and what their
//! documentation says of results, ownership and errors holds here. Structures that callers read
//! and write are in [`abi`]; what they point to belongs to libc's `malloc` and `free`.
//!
//! * No panic leaves a function ([`boundary`]): it becomes an error code.
//! * The state of the process (`blosc2_init`, `blosc2_set_nthreads`, the variables `BLOSC_*`)
//!   lives here alone; the library below has none.
//! * A context, a super-chunk or an array may be used by two threads at once: calls on it wait
//!   for each other where they must. The original does not allow it.

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

pub mod abi;
pub mod b2nd;
pub mod boundary;
pub mod chunk;
pub mod context;
pub mod global;
pub mod io;
pub mod memory;
pub mod registry;
pub mod schunk;
