//! The SSE2 kernels: safe functions over arrays of 16 bytes.
//!
//! `load` and `store` are the only unsafe code of this folder.

pub(crate) mod adler32;
pub(crate) mod bits;
pub(crate) mod delta;
pub(crate) mod few;
pub(crate) mod repeat;
pub(crate) mod shuffle;
pub(crate) mod unshuffle;

use core::arch::x86_64::{
    __m128i, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128, _mm_setzero_si128,
    _mm_storeu_si128, _mm_sub_epi8, _mm_unpackhi_epi8, _mm_unpackhi_epi16, _mm_unpackhi_epi32,
    _mm_unpackhi_epi64, _mm_unpacklo_epi8, _mm_unpacklo_epi16, _mm_unpacklo_epi32,
    _mm_unpacklo_epi64, _mm_xor_si128,
};

use crate::filters::vector::network::network;

/// Items per block: as many as a vector has bytes.
pub(crate) const BLOCK: usize = 16;

network! {
    "sse2", __m128i, _mm_setzero_si128, 16,
    [1 _mm_unpacklo_epi8 _mm_unpackhi_epi8]
    [2 _mm_unpacklo_epi16 _mm_unpackhi_epi16]
    [4 _mm_unpacklo_epi32 _mm_unpackhi_epi32]
    [8 _mm_unpacklo_epi64 _mm_unpackhi_epi64]
}

/// The 16 bytes of `from`.
#[target_feature(enable = "sse2")]
#[inline]
pub(crate) fn load(from: &[u8; 16]) -> __m128i {
    // SAFETY: `from` is 16 readable bytes; the load asks for no alignment.
    unsafe { _mm_loadu_si128(from.as_ptr().cast()) }
}

/// Writes `vector` to the 16 bytes of `to`.
#[target_feature(enable = "sse2")]
#[inline]
pub(crate) fn store(vector: __m128i, to: &mut [u8; 16]) {
    // SAFETY: `to` is 16 writable bytes; the store asks for no alignment.
    unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), vector) };
}

/// `seen | (a ^ b)`.
#[target_feature(enable = "sse2")]
#[inline]
pub(crate) fn differ(seen: __m128i, a: __m128i, b: __m128i) -> __m128i {
    _mm_or_si128(seen, _mm_xor_si128(a, b))
}

/// `a - b`, byte by byte.
#[target_feature(enable = "sse2")]
#[inline]
pub(crate) fn subtract(a: __m128i, b: __m128i) -> __m128i {
    _mm_sub_epi8(a, b)
}

/// Whether all bits are 0.
#[target_feature(enable = "sse2")]
#[inline]
pub(crate) fn is_zero(x: __m128i) -> bool {
    _mm_movemask_epi8(_mm_cmpeq_epi8(x, _mm_setzero_si128())) == 0xFFFF
}
