//! The SIMD filters and LZ codecs of oxiblosc, on byte slices.
//!
//! * **Filters**, the methods of [`Kernels`]: shuffle, bitshuffle, delta, bytedelta, truncation,
//!   scans for repeats, and the checksum of zlib. Each exists as plain safe Rust, which defines it,
//!   and once more on words of 64 bits and per instruction set where that pays.
//! * **Codecs**: [`blosclz`], [`lz4`] with LZ4 HC, zlib as [`deflate`] and [`inflate`], and
//!   [`zstd`] (three levels of which are written). They know their stream formats and keep tables
//!   on the heap. Each takes a [`Kernels`] value as its first argument. [`ndlz`] and [`zfp`], for
//!   blocks of arrays, are plain safe Rust and take the shape instead.
//! * [`BoxGrid`] and [`StridedCopy`]: copies of boxes in arrays; [`pod`]: elements that Rust
//!   has no type for.
//! * [`unwritten`]: memory for results that is not zeroed first.
//! * [`lend`]: a closure on the stack, for threads that may never come (feature `std`).
//!
//! All `unsafe` code of the library is in this crate.
//!
//! ```text
//!             Kernels (one byte, proof of a level)
//!                 |  checks lengths, then `match`
//!   Scalar  <  Portable  <  Sse2  <  Avx2  <  Avx2Gfni  <  Avx512
//!                        <  Neon
//!                          each level uses the next lower one for the kernels it lacks and for
//!                          its remainder
//! ```
//!
//! # The contract of every filter
//!
//! * `dst.len() == src.len()`. Other lengths panic and the message carries both numbers; nothing is
//!   ever cut short silently.
//! * An item is `typesize` bytes. Bytes after the last whole item are copied unchanged.
//! * Every input is accepted: any length (also none), any alignment, any content.
//! * No allocation, no global state; the output depends on the input alone, not on the level.
//! * Source and destination are distinct by type; only [`Kernels::delta_decode`] works in place.
//!
//! # The contract of every codec
//!
//! * A decoder accepts any bytes: damaged ones give a [`DecodeError`] with the offset and the
//!   numbers, and nothing outside the slices is read or written.
//! * The bytes an encoder writes depend on its parameters and the input, not on the level or on
//!   earlier streams. `None` means that the output is too short.
//! * `decode` reads a whole stream, `decode_prefix` until `dst` is full, `decode_front` until the
//!   wanted number of bytes is produced.
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
#[cfg(feature = "std")]
mod lend;
pub mod pod;
pub mod unwritten;

pub use boxes::{BoxGrid, BoxMut, MAX_AXES, StridedCopy};
pub use codecs::{DecodeError, DecodeErrorKind, blosclz, deflate, inflate, lz4, ndlz, zfp, zstd};
pub use filters::{
    Plane, fuses_bytedelta, int_trunc_zeroed_bits, repeated, trunc_prec_zeroed_bits,
};
pub use isa::Isa;
#[cfg(feature = "std")]
pub use isa::UnknownIsa;
pub use kernel::Kernel;
pub use kernels::Kernels;
#[cfg(feature = "std")]
pub use lend::{Helper, lend};
