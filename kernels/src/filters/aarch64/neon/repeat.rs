//! The scan for a run of one byte.

use core::arch::aarch64::{
    uint8x16_t, vdupq_n_s8, vmaxvq_u32, vreinterpretq_u8_s8, vreinterpretq_u32_u8,
};

use super::shuffle::differ;
use super::{load, zero};
use crate::filters::vector::repeat::repeat;
use crate::filters::vector::window::window;

repeat!("neon", 16, zero, splat);

/// `byte` all over a vector.
#[target_feature(enable = "neon")]
#[inline]
fn splat(byte: i8) -> uint8x16_t {
    vreinterpretq_u8_s8(vdupq_n_s8(byte))
}

/// Whether all bits are 0. The maximum of four words is cheaper than that of 16 bytes.
#[target_feature(enable = "neon")]
#[inline]
pub(crate) fn is_zero(x: uint8x16_t) -> bool {
    vmaxvq_u32(vreinterpretq_u32_u8(x)) == 0
}
