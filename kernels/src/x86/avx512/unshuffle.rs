//! Byte unshuffle: the networks of [`shuffle`](super::shuffle) backwards.
//!
//! For 8 bytes 8 permutations and 24 unpacks per 512 bytes. Items whose size is no power of two are
//! packed by one more permutation and stored 64 bytes at a time, each store over the unused end of the one before.

use core::arch::x86_64::{
    __m512i, _mm512_castsi512_si256, _mm512_extracti64x4_epi64, _mm512_permutex2var_epi8,
    _mm512_permutex2var_epi64, _mm512_permutexvar_epi8, _mm512_setr_epi64, _mm512_setzero_si512,
};

use super::permute::{deal, pack, unsettle};
use super::shuffle::BLOCK;
use super::{load, store, transpose};
use crate::vector::blocks::unshuffle_blocks;
use crate::vector::double_pieces::{EXACT, NARROW, WIDE, unshuffle_double_pieces};
use crate::vector::network::unrolled;
use crate::vector::window::{Rows, RowsMut, window_mut};
use crate::x86::avx2;

unshuffle_blocks! {
    "avx512f,avx512bw,avx512vl,avx512vbmi", __m512i, _mm512_setzero_si512, 64, 64,
    [2 2] [3 4] [4 4] [5 8] [6 8] [7 8] [8 8] [9 16] [10 16] [11 16] [12 16] [13 16] [14 16] [15 16] [16 16]
}

unshuffle_double_pieces!("avx512f,avx512bw,avx512vl,avx512vbmi");

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

/// One block of [`unshuffle_pieces`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
#[inline(never)]
fn unshuffle_double<R: Rows, const WIDTH: u8>(
    rows: R,
    typesize: usize,
    first: usize,
    at: usize,
    items: &mut [u8],
) {
    let reach = if WIDTH == NARROW { 32 - typesize } else { 0 };
    let items = &mut items[..BLOCK * typesize + reach];
    if WIDTH == EXACT {
        // The planes are read twice: spilled vectors would cost more.
        scatter_pairs::<0>(transpose::<16, 1>(gather_pairs::<R, 0>(rows, first)), items);
        scatter_pairs::<1>(transpose::<16, 1>(gather_pairs::<R, 1>(rows, first)), items);
        return;
    }
    let (mut x, mut y) = ([_mm512_setzero_si512(); 16], [_mm512_setzero_si512(); 16]);
    unrolled!(J => {
        let lower = load(rows.row(J, first));
        let upper = if WIDTH != NARROW || 16 + J < typesize {
            load(rows.row(16 + J, first))
        } else {
            _mm512_setzero_si512()
        };
        (x[J], y[J]) = part(lower, upper);
    });
    let mut items = RowsMut::new(items, BLOCK);
    scatter_half::<0>(transpose::<16, 1>(x), &mut items, at);
    scatter_half::<1>(transpose::<16, 1>(y), &mut items, at);
}

/// Half `H` of a block of 32 planes, two items per vector.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
#[inline]
fn gather_pairs<R: Rows, const H: usize>(rows: R, first: usize) -> [__m512i; 16] {
    let mut x = [_mm512_setzero_si512(); 16];
    let index = load(&const { deal(H) });
    unrolled!(J => {
        let (lower, upper) = (load(rows.row(J, first)), load(rows.row(16 + J, first)));
        x[J] = _mm512_permutex2var_epi8(lower, index, upper);
    });
    x
}

/// Half `H` of a block of items of 32 bytes, two per vector.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
#[inline]
fn scatter_pairs<const H: usize>(x: [__m512i; 16], items: &mut [u8]) {
    let mut pairs = RowsMut::new(items, BLOCK / 2);
    let mut walk = pairs.walk(16 * H, 16, 0);
    unrolled!(K => store(x[K], walk.step()));
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
