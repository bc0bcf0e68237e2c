//! Bit rows, 32 columns at a time: see [`across`](crate::filters::vector::across).

use core::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_set1_epi8, _mm256_slli_epi64, _mm256_srli_epi64,
    _mm256_xor_si256,
};

use super::shuffle::{gather, planes};
use super::unshuffle::{items, scatter};
use super::{load, store};
use crate::filters::plane::Plane;
use crate::filters::vector::bits::bit_mask;
use crate::filters::vector::window::{Adjacent, Rows as _, RowsMut};

crate::filters::vector::across::transpose_across!("avx2", 32, __m256i);
crate::filters::vector::across::plane_across!("avx2", 32);

/// Swaps the high `SHIFT` bits of every `2 * SHIFT` of `low` with the low ones of `high`.
#[target_feature(enable = "avx2")]
#[inline]
fn swap<const SHIFT: i32>(low: &mut __m256i, high: &mut __m256i) {
    let mask = _mm256_set1_epi8(
        const {
            match SHIFT {
                4 => 0x0F,
                2 => 0x33,
                _ => 0x55,
            }
        },
    );
    let both = _mm256_xor_si256(_mm256_srli_epi64::<SHIFT>(*low), *high);
    let differ = _mm256_and_si256(both, mask);
    *high = _mm256_xor_si256(*high, differ);
    *low = _mm256_xor_si256(*low, _mm256_slli_epi64::<SHIFT>(differ));
}
