//! The parts that the LZ codecs share.
//!
//! * [`run`]: runs a loop compiled for the instruction set of a [`Kernels`](crate::Kernels) value;
//! * [`Lanes`]: vectors of one instruction set, on the token that proves it;
//! * [`copy`]: copies of matches, which may overlap their own output;
//! * [`prefix`], [`suffix`]: the common bytes of two slices;
//! * [`window`]: reads at a position of a source and before it;
//! * [`hash`]: the hash of up to 8 bytes; [`GOLDEN_64`], [`GOLDEN_32`]: the multipliers of all
//!   hashes;
//! * [`BaseIndex`]: the positions of one stream after another in tables that are not cleared.

mod base_index;
pub(crate) mod copy;
mod dispatch;
mod lanes;
#[cfg(target_arch = "aarch64")]
mod neon;
mod prefix;
pub(crate) mod raw;
mod tables;
pub(crate) mod window;
mod words;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use base_index::BaseIndex;
pub(crate) use dispatch::{Task, folds, run, run_256};
pub(crate) use lanes::Lanes;
pub(crate) use prefix::{prefix, prefix_at, suffix, suffix_before};
pub(crate) use raw::{load, move_bytes, store};

/// 2^64 divided by the golden ratio, rounded to an odd number: the multiplier of hashes.
pub(crate) const GOLDEN_64: u64 = 0x9E37_79B9_7F4A_7C15;
/// 2^32 divided by the golden ratio, rounded to an odd number: the multiplier of 32-bit hashes.
pub(crate) const GOLDEN_32: u32 = 0x9E37_79B1;

/// The hash of the first `BYTES` bytes of a word, in `bits` bits.
#[inline(always)]
pub(crate) fn hash<const BYTES: u32>(word: u64, bits: u32) -> usize {
    const { assert!(1 <= BYTES && BYTES <= 8) };
    let mixed = (word << (64 - 8 * BYTES)).wrapping_mul(GOLDEN_64);
    usize::try_from(mixed >> (64 - bits)).unwrap_or(0)
}

/// The low 16 bits.
#[inline(always)]
pub(crate) const fn low_u16(value: usize) -> u16 {
    let [a, b, ..] = value.to_le_bytes();
    u16::from_le_bytes([a, b])
}

/// The low 32 bits.
#[inline(always)]
pub(crate) const fn low_u32(value: usize) -> u32 {
    let [a, b, c, d, ..] = value.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}
