//! The AVX-512 kernels: safe functions over arrays of 64 bytes.
//!
//! `load`, `store` and the instruction that `slide` writes in assembly are the only unsafe code
//! here.

pub(crate) mod bit_blocks;
pub(crate) mod bits;
pub(crate) mod delta;
mod passes;
mod permute;
mod prefix;
pub(crate) mod repeat;
pub(crate) mod shuffle;
mod slide;
mod sums;
pub(crate) mod unshuffle;

use core::arch::x86_64::{
    __m512i, _mm512_loadu_si512, _mm512_setzero_si512, _mm512_storeu_si512, _mm512_sub_epi8,
    _mm512_ternarylogic_epi64, _mm512_test_epi64_mask, _mm512_unpackhi_epi8, _mm512_unpackhi_epi16,
    _mm512_unpackhi_epi32, _mm512_unpackhi_epi64, _mm512_unpacklo_epi8, _mm512_unpacklo_epi16,
    _mm512_unpacklo_epi32, _mm512_unpacklo_epi64,
};

use crate::filters::vector::network::network;

/// Items per block: as many as a vector has bytes.
pub(crate) const BLOCK: usize = 64;

network! {
    "avx512f,avx512bw,avx512vl,avx512vbmi", __m512i, _mm512_setzero_si512, 32,
    [1 _mm512_unpacklo_epi8 _mm512_unpackhi_epi8]
    [2 _mm512_unpacklo_epi16 _mm512_unpackhi_epi16]
    [4 _mm512_unpacklo_epi32 _mm512_unpackhi_epi32]
    [8 _mm512_unpacklo_epi64 _mm512_unpackhi_epi64]
}

/// The 64 bytes of `from`.
#[target_feature(enable = "avx512f")]
#[inline]
pub(crate) fn load(from: &[u8; 64]) -> __m512i {
    // SAFETY: `from` is 64 readable bytes; the load asks for no alignment.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

/// Writes `vector` to the 64 bytes of `to`.
#[target_feature(enable = "avx512f")]
#[inline]
pub(crate) fn store(vector: __m512i, to: &mut [u8; 64]) {
    // SAFETY: `to` is 64 writable bytes; the store asks for no alignment.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), vector) };
}

/// `seen | (a ^ b)`.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
#[inline]
pub(crate) fn differ(seen: __m512i, a: __m512i, b: __m512i) -> __m512i {
    _mm512_ternarylogic_epi64::<0xF6>(seen, a, b)
}

/// `a - b`, byte by byte.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
pub(crate) fn subtract(a: __m512i, b: __m512i) -> __m512i {
    _mm512_sub_epi8(a, b)
}

/// Whether all bits are 0.
#[target_feature(enable = "avx512f")]
#[inline]
pub(crate) fn is_zero(x: __m512i) -> bool {
    _mm512_test_epi64_mask(x, x) == 0
}
