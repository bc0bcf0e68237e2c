//! Bit rows, 16 columns at a time: see [`across`](crate::filters::vector::across).

use core::arch::wasm32::{u8x16_splat, u64x2_shl, u64x2_shr, v128, v128_and, v128_xor};

use super::shuffle::{gather, planes};
use super::unshuffle::{items, scatter};
use super::{load, store};
use crate::filters::plane::Plane;
use crate::filters::vector::bits::bit_mask;
use crate::filters::vector::window::{Adjacent, Rows as _, RowsMut};

crate::filters::vector::across::transpose_across!("simd128", 16, v128);
crate::filters::vector::across::plane_across!("simd128", 16);

/// Swaps the high `SHIFT` bits of every `2 * SHIFT` of `low` with the low ones of `high`.
#[target_feature(enable = "simd128")]
#[inline]
fn swap<const SHIFT: u32>(low: &mut v128, high: &mut v128) {
    let mask = u8x16_splat(
        const {
            match SHIFT {
                4 => 0x0F,
                2 => 0x33,
                _ => 0x55,
            }
        },
    );
    let both = v128_xor(u64x2_shr(*low, SHIFT), *high);
    let differ = v128_and(both, mask);
    *high = v128_xor(*high, differ);
    *low = v128_xor(*low, u64x2_shl(differ, SHIFT));
}
