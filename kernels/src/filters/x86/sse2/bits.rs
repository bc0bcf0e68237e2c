//! Bit rows, 16 columns at a time: see [`across`](crate::filters::vector::across).

use core::arch::x86_64::{
    __m128i, _mm_and_si128, _mm_set1_epi8, _mm_slli_epi64, _mm_srli_epi64, _mm_xor_si128,
};

use super::shuffle::{gather, planes};
use super::unshuffle::{items, scatter};
use super::{load, store};
use crate::filters::plane::Plane;
use crate::filters::vector::bits::bit_mask;
use crate::filters::vector::window::{Adjacent, Rows as _, RowsMut};

crate::filters::vector::across::transpose_across!("sse2", 16, __m128i);
crate::filters::vector::across::plane_across!("sse2", 16);

/// Swaps the high `SHIFT` bits of every `2 * SHIFT` of `low` with the low ones of `high`.
#[target_feature(enable = "sse2")]
#[inline]
fn swap<const SHIFT: i32>(low: &mut __m128i, high: &mut __m128i) {
    let mask = _mm_set1_epi8(
        const {
            match SHIFT {
                4 => 0x0F,
                2 => 0x33,
                _ => 0x55,
            }
        },
    );
    let both = _mm_xor_si128(_mm_srli_epi64::<SHIFT>(*low), *high);
    let differ = _mm_and_si128(both, mask);
    *high = _mm_xor_si128(*high, differ);
    *low = _mm_xor_si128(*low, _mm_slli_epi64::<SHIFT>(differ));
}
