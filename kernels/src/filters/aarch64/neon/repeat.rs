//! The scan for a run of one byte.

use core::arch::aarch64::{uint8x16_t, vdupq_n_s8, vreinterpretq_u8_s8};

use super::{differ, is_zero, load, zero};
use crate::filters::vector::repeat::repeat;
use crate::filters::vector::window::window;

repeat!("neon", 16, zero, splat);

/// Broadcasts `byte`.
#[target_feature(enable = "neon")]
#[inline]
fn splat(byte: i8) -> uint8x16_t {
    vreinterpretq_u8_s8(vdupq_n_s8(byte))
}
