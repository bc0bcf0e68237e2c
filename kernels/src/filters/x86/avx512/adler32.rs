//! Adler-32.

use core::arch::x86_64::{
    __m512i, _mm512_add_epi32, _mm512_madd_epi16, _mm512_maddubs_epi16, _mm512_sad_epu8,
    _mm512_set1_epi16, _mm512_setzero_si512,
};

use super::{load, store};
use crate::filters::vector::adler32::{adler32, lanes, weights};

static WEIGHTS: [u8; 64] = weights();

adler32!(
    "avx512f,avx512bw",
    64,
    _mm512_setzero_si512(),
    _mm512_add_epi32
);

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn sum(bytes: __m512i) -> __m512i {
    _mm512_sad_epu8(bytes, _mm512_setzero_si512())
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn weigh(bytes: __m512i) -> __m512i {
    // Pairs are at most 255 * (64 + 63), which still fits.
    let pairs = _mm512_maddubs_epi16(bytes, load(&WEIGHTS));
    _mm512_madd_epi16(pairs, _mm512_set1_epi16(1))
}

#[target_feature(enable = "avx512f")]
#[inline]
fn total(sums: __m512i) -> u64 {
    let mut bytes = [0; 64];
    store(sums, &mut bytes);
    lanes(&bytes)
}
