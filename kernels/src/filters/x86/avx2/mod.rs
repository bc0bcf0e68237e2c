//! The AVX2 kernels: safe functions over arrays of 32 bytes.
//!
//! `load` and `store` are the only unsafe code of this folder.

pub(crate) mod adler32;
pub(crate) mod bit_blocks;
pub(crate) mod bits;
pub(crate) mod delta;
mod halves;
pub(crate) mod repeat;
pub(crate) mod shuffle;
pub(crate) mod unshuffle;

use core::arch::x86_64::{
    __m256i, _mm256_loadu_si256, _mm256_or_si256, _mm256_setzero_si256, _mm256_storeu_si256,
    _mm256_sub_epi8, _mm256_testz_si256, _mm256_unpackhi_epi8, _mm256_unpackhi_epi16,
    _mm256_unpackhi_epi32, _mm256_unpackhi_epi64, _mm256_unpacklo_epi8, _mm256_unpacklo_epi16,
    _mm256_unpacklo_epi32, _mm256_unpacklo_epi64, _mm256_xor_si256,
};

use crate::filters::vector::network::network;

/// Items per block: as many as a vector has bytes.
pub(crate) const BLOCK: usize = 32;

network! {
    "avx2", __m256i, _mm256_setzero_si256, 16,
    [1 _mm256_unpacklo_epi8 _mm256_unpackhi_epi8]
    [2 _mm256_unpacklo_epi16 _mm256_unpackhi_epi16]
    [4 _mm256_unpacklo_epi32 _mm256_unpackhi_epi32]
    [8 _mm256_unpacklo_epi64 _mm256_unpackhi_epi64]
}

/// The 32 bytes of `from`.
#[target_feature(enable = "avx2")]
#[inline]
pub(crate) fn load(from: &[u8; 32]) -> __m256i {
    // SAFETY: `from` is 32 readable bytes; the load asks for no alignment.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

/// Writes `vector` to the 32 bytes of `to`.
#[target_feature(enable = "avx2")]
#[inline]
pub(crate) fn store(vector: __m256i, to: &mut [u8; 32]) {
    // SAFETY: `to` is 32 writable bytes; the store asks for no alignment.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), vector) };
}

/// `seen | (a ^ b)`.
#[target_feature(enable = "avx2")]
#[inline]
pub(crate) fn differ(seen: __m256i, a: __m256i, b: __m256i) -> __m256i {
    _mm256_or_si256(seen, _mm256_xor_si256(a, b))
}

/// `a - b`, byte by byte.
#[target_feature(enable = "avx2")]
#[inline]
pub(crate) fn subtract(a: __m256i, b: __m256i) -> __m256i {
    _mm256_sub_epi8(a, b)
}

/// Whether all bits are 0.
#[target_feature(enable = "avx2")]
#[inline]
pub(crate) fn is_zero(x: __m256i) -> bool {
    _mm256_testz_si256(x, x) == 1
}
