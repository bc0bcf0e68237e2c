//! Filters of blocks: shuffle, bitshuffle, delta, truncation and scans for repeats.
//!
//! `scalar` defines every kernel in safe code, `portable` works on words; `x86`, `aarch64` and
//! `wasm32` hold the instruction sets, and `vector` the parts that they share.

pub(crate) mod contract;
pub(crate) mod fused;
pub(crate) mod level;
pub(crate) mod plane;
pub(crate) mod portable;
pub(crate) mod scalar;

#[cfg(target_arch = "aarch64")]
pub(crate) mod aarch64;
#[cfg(target_arch = "x86_64")]
mod auto;
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod vector;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) mod wasm32;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86;

pub use contract::{int_trunc_zeroed_bits, trunc_prec_zeroed_bits};
pub use fused::fuses_bytedelta;
pub use plane::{Plane, repeated};
