//! Filters of blocks: shuffle, bitshuffle, delta, truncation and scans for repeats.
//!
//! `scalar` defines every kernel in safe code, `portable` works on words; `x86` and `aarch64` hold
//! the instruction sets, and `vector` the parts that they share.

pub(crate) mod contract;
pub(crate) mod level;
pub(crate) mod plane;
pub(crate) mod portable;
pub(crate) mod scalar;

#[cfg(target_arch = "aarch64")]
pub(crate) mod aarch64;
#[cfg(target_arch = "x86_64")]
mod auto;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod vector;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86;

pub use contract::{int_trunc_zeroed_bits, trunc_prec_zeroed_bits};
pub use plane::Plane;
