//! The NEON kernels: safe functions over arrays of 16 bytes.
//!
//! `load` and `store` are the only `unsafe` of this folder.

pub(crate) mod bits;
pub(crate) mod delta;

use core::arch::aarch64::{uint8x16_t, vld1q_u8, vst1q_u8};

/// The 16 bytes of `from`.
#[target_feature(enable = "neon")]
#[inline]
pub(crate) fn load(from: &[u8; 16]) -> uint8x16_t {
    // SAFETY: `from` is 16 readable bytes; the load asks for no alignment.
    unsafe { vld1q_u8(from.as_ptr()) }
}

/// Writes `vector` to the 16 bytes of `to`.
#[target_feature(enable = "neon")]
#[inline]
pub(crate) fn store(vector: uint8x16_t, to: &mut [u8; 16]) {
    // SAFETY: `to` is 16 writable bytes; the store asks for no alignment.
    unsafe { vst1q_u8(to.as_mut_ptr(), vector) }
}
