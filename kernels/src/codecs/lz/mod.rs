//! The parts that the LZ codecs share.
//!
//! * [`run`]: runs a loop compiled for the instruction set of a [`Kernels`](crate::Kernels) value;
//! * [`Lanes`]: vectors of one instruction set, on the token that proves it;
//! * [`copy`]: copies of matches, which may overlap their own output;
//! * [`prefix`], [`suffix`]: the common bytes of two slices;
//! * [`GOLDEN_64`], [`GOLDEN_32`]: the multipliers of all hashes.

pub(crate) mod copy;
mod dispatch;
mod lanes;
mod prefix;
pub(crate) mod raw;
mod tables;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use dispatch::{Task, run, run_256};
pub(crate) use lanes::Lanes;
pub(crate) use prefix::{prefix, prefix_at, suffix, suffix_before};
pub(crate) use raw::{load, store};

/// 2^64 divided by the golden ratio, rounded to an odd number: the multiplier of hashes.
pub(crate) const GOLDEN_64: u64 = 0x9E37_79B9_7F4A_7C15;
/// 2^32 divided by the golden ratio, rounded to an odd number: the multiplier of 32-bit hashes.
pub(crate) const GOLDEN_32: u32 = 0x9E37_79B1;

/// The low 32 bits.
#[inline(always)]
pub(crate) const fn low_u32(value: usize) -> u32 {
    let [a, b, c, d, ..] = value.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}
