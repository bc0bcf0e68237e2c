//! Byte unshuffle: the networks of [`shuffle`](super::shuffle) backwards.
//!
//! For 8 bytes 8 permutations and 24 unpacks per 512 bytes. Items whose size is no power of two are
//! packed by one more permutation and stored 64 bytes at a time, each store over the unused end of the one before.

use core::arch::x86_64::{
    __m512i, _mm512_castsi512_si128, _mm512_extracti32x4_epi32, _mm512_permutexvar_epi8,
    _mm512_setzero_si512,
};

use super::permute::{pack, unsettle};
use super::shuffle::BLOCK;
use super::{load, store, transpose};
use crate::window::{Rows, RowsMut, window_mut};
use crate::x86::blocks::unshuffle_blocks;
use crate::x86::network::unrolled;
use crate::x86::sse2;

unshuffle_blocks! {
    "avx512f,avx512bw,avx512vl,avx512vbmi", __m512i, _mm512_setzero_si512, 64, 64,
    [2 2] [3 4] [4 4] [5 8] [6 8] [7 8] [8 8] [9 16] [10 16] [11 16] [12 16] [13 16] [14 16] [15 16] [16 16]
}

/// One vector per plane to `64 / P` items per vector.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
#[inline]
fn items<const T: usize, const P: usize>(mut x: [__m512i; P]) -> [__m512i; P] {
    let index = load(&const { unsettle(P) });
    for x in &mut x[..T] {
        *x = _mm512_permutexvar_epi8(index, *x);
    }
    let mut x = transpose::<P, 1>(x);
    if T < P {
        let index = load(&const { pack(T, P) });
        for x in &mut x {
            *x = _mm512_permutexvar_epi8(index, *x);
        }
    }
    x
}

/// Stores a block of items, each vector over the unused end of the one before.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
#[inline]
fn scatter<const T: usize, const P: usize>(x: [__m512i; P], items: &mut [u8]) {
    let items = &mut items[..(P - 1) * (64 / P) * T + 64];
    unrolled!(K => if K < P {
        store(x[K], window_mut(items, K * (64 / P) * T));
    });
}

/// Bytes `at..at + 16` of a block of items; vector `k` has items `k`, `16 + k` and so on.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
#[inline]
fn scatter_pieces(x: [__m512i; 16], mut items: RowsMut<'_>, at: usize) {
    unrolled!(K => {
        sse2::store(_mm512_castsi512_si128(x[K]), items.row(K, at));
        sse2::store(_mm512_extracti32x4_epi32::<1>(x[K]), items.row(16 + K, at));
        sse2::store(_mm512_extracti32x4_epi32::<2>(x[K]), items.row(32 + K, at));
        sse2::store(_mm512_extracti32x4_epi32::<3>(x[K]), items.row(48 + K, at));
    });
}
