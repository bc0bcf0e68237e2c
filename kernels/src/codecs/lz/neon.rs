//! Vectors of 16 bytes with NEON.

use core::arch::aarch64::{uint8x16_t, vcombine_u8, vld1_u8, vld1q_u8, vqtbl1q_u8, vst1q_u8};

use super::Lanes;
use super::raw::steps;
use super::tables::{PATTERNS_16, STRIDES_16};
use crate::filters::aarch64::Neon;
use crate::filters::scalar::Scalar;

#[inline]
#[target_feature(enable = "neon")]
fn row(row: &[u8; 16]) -> uint8x16_t {
    // SAFETY: the row has 16 bytes.
    unsafe { vld1q_u8(row.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn repeat_8(bytes: [u8; 8], period: usize) -> uint8x16_t {
    // SAFETY: 8 bytes.
    let half = unsafe { vld1_u8(bytes.as_ptr()) };
    vqtbl1q_u8(vcombine_u8(half, half), row(&PATTERNS_16[period & 7]))
}

/// The pattern is one table look-up: two products of words take twice the cycles and more.
impl Lanes for Neon {
    const WIDTH: usize = 16;
    const WIDE: usize = <Scalar as Lanes>::WIDE;
    const BITS: usize = <Scalar as Lanes>::BITS;
    type Vector = uint8x16_t;

    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn load(self, from: *const u8) -> uint8x16_t {
        // SAFETY: `WIDTH` is 16; the load is unaligned.
        unsafe { vld1q_u8(from) }
    }

    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn store(self, to: *mut u8, bytes: uint8x16_t) {
        // SAFETY: `WIDTH` is 16; the store is unaligned.
        unsafe { vst1q_u8(to, bytes) }
    }

    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn repeat(self, from: *const u8, period: usize) -> uint8x16_t {
        // SAFETY: `WIDTH` is 16.
        let bytes = unsafe { vld1q_u8(from) };
        vqtbl1q_u8(bytes, row(&PATTERNS_16[period & 15]))
    }

    #[inline(always)]
    fn repeat_8(self, bytes: [u8; 8], period: usize) -> uint8x16_t {
        // SAFETY: `self` proves NEON.
        unsafe { repeat_8(bytes, period) }
    }

    /// In words: of a vector of flags a bit for each byte takes five instructions.
    #[inline(always)]
    unsafe fn differ(self, a: *const u8, b: *const u8) -> u64 {
        // SAFETY: `WIDE` is the same.
        unsafe { Scalar.differ(a, b) }
    }

    /// 16 bytes at once; distances below 16 by a table look-up.
    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn copy_match(self, to: *mut u8, distance: usize, len: usize) {
        if distance >= 16 {
            // SAFETY: the contract, and 16 bytes are at most `distance` and `SLACK`.
            unsafe { steps::<16>(to, distance, len) };
            return;
        }
        // SAFETY: `distance` bytes lie before `to`, and `SLACK` after it; 1 <= distance < 16.
        let pattern = unsafe { self.repeat(to.wrapping_sub(distance), distance) };
        let stride = usize::from(STRIDES_16[distance & 15]);
        let mut done = 0;
        while done < len {
            // SAFETY: `done < len`, and the store ends at most `SLACK` bytes after `len`.
            unsafe { self.store(to.wrapping_add(done), pattern) };
            done += stride;
        }
    }
}
