//! The AVX-512 kernels: safe functions over arrays of 64 bytes.
//!
//! `load` and `store` are the only `unsafe` of this folder.

pub(crate) mod bit_blocks;
pub(crate) mod bits;
pub(crate) mod delta;
mod passes;
mod permute;
mod prefix;
pub(crate) mod repeat;
pub(crate) mod shuffle;
mod slide;
pub(crate) mod unshuffle;

use core::arch::x86_64::{
    __m512i, _mm512_loadu_si512, _mm512_setzero_si512, _mm512_storeu_si512, _mm512_unpackhi_epi8,
    _mm512_unpackhi_epi16, _mm512_unpackhi_epi32, _mm512_unpackhi_epi64, _mm512_unpacklo_epi8,
    _mm512_unpacklo_epi16, _mm512_unpacklo_epi32, _mm512_unpacklo_epi64,
};

use crate::filters::vector::network::network;

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
