//! Byte unshuffle: the networks of [`shuffle`](super::shuffle) backwards.
//!
//! For 8 bytes 8 permutations and 24 unpacks per 512 bytes. Items whose size is no power of two are
//! packed by one more permutation and stored 64 bytes at a time, each store over the unused end of the one before.

use core::arch::x86_64::{
    __m512i, _mm512_castsi512_si256, _mm512_extracti64x4_epi64, _mm512_permutex2var_epi64,
    _mm512_permutexvar_epi8, _mm512_setr_epi64, _mm512_setzero_si512,
};

use super::permute::{pack, unsettle};
use super::shuffle::BLOCK;
use super::{load, store, transpose};
use crate::vector::blocks::unshuffle_blocks;
use crate::vector::double_pieces::unshuffle_double_pieces;
use crate::vector::network::unrolled;
use crate::vector::window::{Rows, RowsMut, window_mut};
use crate::x86::avx2;

unshuffle_blocks! {
    "avx512f,avx512bw,avx512vl,avx512vbmi", __m512i, _mm512_setzero_si512, 64, 64,
    [2 2] [3 4] [4 4] [5 8] [6 8] [7 8] [8 8] [9 16] [10 16] [11 16] [12 16] [13 16] [14 16] [15 16] [16 16]
}

unshuffle_double_pieces!("avx512f,avx512bw,avx512vl,avx512vbmi", _mm512_setzero_si512);

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

/// The lanes of two planes by turns: of the first half of the items, and of the second.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
#[inline]
fn part(lower: __m512i, upper: __m512i) -> (__m512i, __m512i) {
    let first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    let second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    (
        _mm512_permutex2var_epi64(lower, first, upper),
        _mm512_permutex2var_epi64(lower, second, upper),
    )
}

/// Bytes `at..at + 32` of the items of half `H` of a block; vector `k` has items `k` and `16 + k`.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
#[inline]
fn scatter_half<const H: usize>(x: [__m512i; 16], items: &mut RowsMut<'_>, at: usize) {
    let mut firsts = items.walk(32 * H, 16, at);
    unrolled!(K => avx2::store(_mm512_castsi512_si256(x[K]), firsts.step()));
    let mut seconds = items.walk(32 * H + 16, 16, at);
    unrolled!(K => avx2::store(_mm512_extracti64x4_epi64::<1>(x[K]), seconds.step()));
}
