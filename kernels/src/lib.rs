//! The SIMD kernels and LZ codecs of oxiblosc: bytes in, bytes out.
//!
//! A kernel is a pure function over byte slices: it rearranges a block (shuffle, bitshuffle), takes
//! differences inside it (delta, bytedelta), clears bits of it (`trunc_prec`, `int_trunc`) or scans it
//! (repeats). Every kernel exists as plain safe Rust, which defines it, and once more per
//! instruction set where that pays:
//!
//! ```text
//!             Kernels (one byte, proof of a level)
//!                 |  checks lengths, then `match`
//!   Scalar  <  Sse2  <  Avx2  <  Avx512          Neon
//!     ^----------'--------'---------'--------------'   each level uses the next lower one
//!                                                      for what it lacks and for its remainder
//! ```
//!
//! # The contract of every kernel
//!
//! * `dst.len() == src.len()`. Other lengths panic and the message carries both numbers; nothing is
//!   ever cut short silently.
//! * An item is `typesize` bytes. Bytes after the last whole item are copied unchanged.
//! * Every input is accepted: any length (also none), any alignment, any content.
//! * No allocation, no global state; the output depends on the input alone, not on the level.
//! * Source and destination are distinct by type; only [`Kernels::delta_decode`] works in place.
//!
//! # Example
//!
//! ```
//! use oxiblosc_kernels::Kernels;
//!
//! let kernels = Kernels::best();
//! let src = [0x01, 0x02, 0x03, 0x04, 0x11, 0x12, 0x13, 0x14]; // two items of 4 bytes
//! let mut dst = [0; 8];
//! kernels.shuffle(4, &src, &mut dst);
//! assert_eq!(dst, [0x01, 0x11, 0x02, 0x12, 0x03, 0x13, 0x04, 0x14]);
//! ```
#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod boxes;
mod codecs;
mod filters;
mod isa;
mod kernel;
mod kernels;
pub mod pod;

pub use boxes::{BoxGrid, BoxMut, MAX_AXES, StridedCopy};
pub use codecs::{DecodeError, DecodeErrorKind, blosclz, deflate, inflate, lz4};
pub use filters::{Plane, int_trunc_zeroed_bits, trunc_prec_zeroed_bits};
pub use isa::Isa;
#[cfg(feature = "std")]
pub use isa::UnknownIsa;
pub use kernel::Kernel;
pub use kernels::Kernels;
