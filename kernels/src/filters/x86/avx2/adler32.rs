//! Adler-32.

use core::arch::x86_64::{
    __m256i, _mm256_add_epi32, _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_sad_epu8,
    _mm256_set1_epi16, _mm256_setzero_si256,
};

use super::{load, store};
use crate::filters::vector::adler32::{adler32, lanes, weights};

static WEIGHTS: [u8; 32] = weights();

adler32!("avx2", 32, _mm256_setzero_si256(), _mm256_add_epi32);

#[target_feature(enable = "avx2")]
#[inline]
fn sum(bytes: __m256i) -> __m256i {
    _mm256_sad_epu8(bytes, _mm256_setzero_si256())
}

#[target_feature(enable = "avx2")]
#[inline]
fn weigh(bytes: __m256i) -> __m256i {
    // Pairs are at most 255 * (32 + 31).
    let pairs = _mm256_maddubs_epi16(bytes, load(&WEIGHTS));
    _mm256_madd_epi16(pairs, _mm256_set1_epi16(1))
}

#[target_feature(enable = "avx2")]
#[inline]
fn total(sums: __m256i) -> u64 {
    let mut bytes = [0; 32];
    store(sums, &mut bytes);
    lanes(&bytes)
}
