//! Bit rows, 16 columns at a time: see [`across`](crate::filters::vector::across).

use core::arch::aarch64::{
    uint8x16_t, vbslq_u8, vdupq_n_u8, vshlq_n_u8, vshrq_n_u8, vsliq_n_u8, vsriq_n_u8,
};

use super::shuffle::{gather, planes};
use super::unshuffle::{items, scatter};
use super::{load, store};
use crate::filters::plane::Plane;
use crate::filters::vector::bits::bit_mask;
use crate::filters::vector::window::{Adjacent, Rows as _, RowsMut};

crate::filters::vector::across::transpose_across!("neon", 16, uint8x16_t);
crate::filters::vector::across::plane_across!("neon", 16);

/// Swaps the high `SHIFT` bits of every `2 * SHIFT` of `low` with the low ones of `high`.
///
/// Nibbles are swapped by shifts that insert; pairs and single bits by shifts and selects.
#[target_feature(enable = "neon")]
#[inline]
fn swap<const SHIFT: i32>(low: &mut uint8x16_t, high: &mut uint8x16_t) {
    let (a, b) = (*low, *high);
    (*low, *high) = match SHIFT {
        4 => (vsliq_n_u8::<4>(a, b), vsriq_n_u8::<4>(b, a)),
        2 => {
            let mask = vdupq_n_u8(0x33);
            (
                vbslq_u8(mask, a, vshlq_n_u8::<2>(b)),
                vbslq_u8(mask, vshrq_n_u8::<2>(a), b),
            )
        }
        _ => {
            let mask = vdupq_n_u8(0x55);
            (
                vbslq_u8(mask, a, vshlq_n_u8::<1>(b)),
                vbslq_u8(mask, vshrq_n_u8::<1>(a), b),
            )
        }
    };
}
