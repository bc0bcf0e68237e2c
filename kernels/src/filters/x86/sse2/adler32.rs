//! Adler-32.

use core::arch::x86_64::{
    __m128i, _mm_add_epi32, _mm_madd_epi16, _mm_sad_epu8, _mm_setzero_si128, _mm_unpackhi_epi8,
    _mm_unpacklo_epi8,
};

use super::{load, store};
use crate::filters::vector::adler32::{adler32, lanes, weights};

static WEIGHTS: [u8; 16] = weights();

adler32!("sse2", 16, _mm_setzero_si128(), _mm_add_epi32);

#[target_feature(enable = "sse2")]
#[inline]
fn sum(bytes: __m128i) -> __m128i {
    _mm_sad_epu8(bytes, _mm_setzero_si128())
}

#[target_feature(enable = "sse2")]
#[inline]
fn weigh(bytes: __m128i) -> __m128i {
    let (zero, weights) = (_mm_setzero_si128(), load(&WEIGHTS));
    let low = _mm_madd_epi16(
        _mm_unpacklo_epi8(bytes, zero),
        _mm_unpacklo_epi8(weights, zero),
    );
    let high = _mm_madd_epi16(
        _mm_unpackhi_epi8(bytes, zero),
        _mm_unpackhi_epi8(weights, zero),
    );
    _mm_add_epi32(low, high)
}

#[target_feature(enable = "sse2")]
#[inline]
fn total(sums: __m128i) -> u64 {
    let mut bytes = [0; 16];
    store(sums, &mut bytes);
    lanes(&bytes)
}
