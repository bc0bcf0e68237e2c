//! Adler-32.

use core::arch::aarch64::{
    uint8x16_t, uint32x4_t, vaddlvq_u32, vaddq_u32, vdupq_n_u32, vget_low_u8, vmlal_high_u8,
    vmull_u8, vpaddlq_u8, vpaddlq_u16,
};

use super::load;
use crate::filters::vector::adler32::{adler32, weights};

static WEIGHTS: [u8; 16] = weights();

adler32!("neon", 16, vdupq_n_u32(0), vaddq_u32);

#[target_feature(enable = "neon")]
#[inline]
fn sum(bytes: uint8x16_t) -> uint32x4_t {
    vpaddlq_u16(vpaddlq_u8(bytes))
}

#[target_feature(enable = "neon")]
#[inline]
fn weigh(bytes: uint8x16_t) -> uint32x4_t {
    let weights = load(&WEIGHTS);
    let low = vmull_u8(vget_low_u8(bytes), vget_low_u8(weights));
    vpaddlq_u16(vmlal_high_u8(low, bytes, weights))
}

#[target_feature(enable = "neon")]
#[inline]
fn total(sums: uint32x4_t) -> u64 {
    vaddlvq_u32(sums)
}
