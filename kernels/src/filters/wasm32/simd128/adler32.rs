//! Adler-32.

use core::arch::wasm32::{
    u16x8_add, u16x8_extadd_pairwise_u8x16, u16x8_extmul_high_u8x16, u16x8_extmul_low_u8x16,
    u32x4_add, u32x4_extadd_pairwise_u16x8, u32x4_extract_lane, u32x4_splat, v128,
};

use super::load;
use crate::filters::vector::adler32::{adler32, weights};

static WEIGHTS: [u8; 16] = weights();

adler32!("simd128", 16, u32x4_splat(0), u32x4_add);

#[target_feature(enable = "simd128")]
#[inline]
fn sum(bytes: v128) -> v128 {
    u32x4_extadd_pairwise_u16x8(u16x8_extadd_pairwise_u8x16(bytes))
}

#[target_feature(enable = "simd128")]
#[inline]
fn weigh(bytes: v128) -> v128 {
    let weights = load(&WEIGHTS);
    // A product is at most 255 * 16, so that two of them fit in a lane.
    let products = u16x8_add(
        u16x8_extmul_low_u8x16(bytes, weights),
        u16x8_extmul_high_u8x16(bytes, weights),
    );
    u32x4_extadd_pairwise_u16x8(products)
}

#[target_feature(enable = "simd128")]
#[inline]
fn total(sums: v128) -> u64 {
    u64::from(u32x4_extract_lane::<0>(sums))
        + u64::from(u32x4_extract_lane::<1>(sums))
        + u64::from(u32x4_extract_lane::<2>(sums))
        + u64::from(u32x4_extract_lane::<3>(sums))
}
