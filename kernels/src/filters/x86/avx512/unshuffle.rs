//! Byte unshuffle: the networks of [`shuffle`](super::shuffle), inverted.
//!
//! Items of 8 bytes take 8 permutations and 24 unpacks per 512 bytes. Items of other sizes than
//! powers of two are packed out of two or three vectors into whole ones, stored at the multiples of
//! 64 bytes of a block: nearly all stores of vectors with an unused end cross a line. Items of 17
//! to 31 bytes are packed four at a time, out of two vectors into their first and their last 64
//! bytes.

use core::arch::x86_64::{
    __m512i, _mm512_castsi256_si512, _mm512_castsi512_si256, _mm512_extracti64x4_epi64,
    _mm512_mask_permutexvar_epi8, _mm512_permutex2var_epi8, _mm512_permutex2var_epi64,
    _mm512_permutexvar_epi8, _mm512_setr_epi64, _mm512_setzero_si512, _mm512_unpackhi_epi64,
    _mm512_unpacklo_epi64,
};

use super::bits::transpose_quarters;
use super::permute::{four_packed, pack, pack_rest, pack_source, reorder_inverse, split_halves};
use super::{BLOCK, load, store, transpose};
use crate::filters::vector::blocks::{exact_by_blocks, unshuffle_blocks};
use crate::filters::vector::network::unrolled;
use crate::filters::vector::scratch::Scratch;
use crate::filters::vector::window::{Rows, RowsMut, window_mut};
use crate::filters::x86::avx2;

unshuffle_blocks! {
    "avx512f,avx512bw,avx512vl,avx512vbmi", __m512i, _mm512_setzero_si512, 64, 0,
    [2 2] [3 4] [4 4] [5 8] [6 8] [7 8] [8 8] [9 16] [10 16] [11 16] [12 16] [13 16] [14 16]
    [15 16] [16 16]
}

exact_by_blocks!("avx512f,avx512bw,avx512vl,avx512vbmi", exact_2 2);

/// One vector per plane to `64 / P` items per vector.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
#[inline]
fn items<const T: usize, const P: usize>(mut x: [__m512i; P]) -> [__m512i; P] {
    let index = load(&const { reorder_inverse(P) });
    for x in &mut x[..T] {
        *x = _mm512_permutexvar_epi8(index, *x);
    }
    transpose::<P, 1>(x)
}

/// Stores a block of items; items smaller than their vectors' slots are packed.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
#[inline]
fn scatter<const T: usize, const P: usize>(x: [__m512i; P], items: &mut [u8]) {
    let items = &mut items[..64 * T];
    unrolled!(K => if K < T {
        let out = if T < P { pack_vector::<T, P, K>(&x) } else { x[K] };
        store(out, window_mut(items, 64 * K));
    });
}

/// Vector `K` of items of `T` bytes, packed out of those with `P` bytes per item.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
#[inline]
fn pack_vector<const T: usize, const P: usize, const K: usize>(x: &[__m512i; P]) -> __m512i {
    let source = const { pack_source(T, P, K) };
    let index = load(&const { pack(T, P, K) });
    let out = _mm512_permutex2var_epi8(x[source], index, x[(source + 1).min(P - 1)]);
    let rest = const { pack_rest(T, P, K).0 };
    if rest == 0 || source + 2 >= P {
        return out;
    }
    let index = load(&const { pack_rest(T, P, K).1 });
    _mm512_mask_permutexvar_epi8(out, rest, index, x[source + 2])
}

/// Bytes of an item in a piece.
pub(crate) const PIECE: usize = 32;

/// Unshuffles up to 32 planes into bytes from `at` on of items `first..first + count`.
///
/// `items` is those items; they are at least [`BLOCK`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
pub(crate) fn unshuffle_pieces<R: Rows>(
    rows: R,
    first: usize,
    count: usize,
    at: usize,
    items: &mut [u8],
) {
    let typesize = items.len() / count;
    macro_rules! whole {
        ($block:literal: $blocks:expr) => {{
            $blocks(first, &mut *items);
            if !count.is_multiple_of($block) {
                let last = count - $block;
                $blocks(first + last, &mut items[last * typesize..]);
            }
        }};
    }
    macro_rules! narrow {
        ($($t:literal)+) => {
            match typesize {
                $($t => whole!(64: |first, items: &mut [u8]| fours::<R, $t>(rows, first, items)),)+
                PIECE if rows.len() > LONG => {
                    strip(rows, first, items);
                    if !count.is_multiple_of(BLOCK) {
                        let last = count - BLOCK;
                        pairs(rows, first + last, &mut items[last * PIECE..]);
                    }
                }
                PIECE => whole!(32: |first, items: &mut [u8]| pairs(rows, first, items)),
                _ => {
                    let mut next = 0;
                    while next < count {
                        let block = next.min(count - BLOCK);
                        let items = &mut items[block * typesize..];
                        halves(rows, typesize, first + block, at, items);
                        next += BLOCK;
                    }
                }
            }
        };
    }
    narrow!(17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);
}

/// Longer planes of items of 32 bytes are read eight at a time.
const LONG: usize = 2048;

/// Whole blocks of items of 32 bytes, of 16 KiB at most, eight planes at a time.
///
/// The same offset of all planes of a large block maps to a few sets of the first-level cache.
/// Eight of them make 8 bytes of every item, which a tile keeps until all are there.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
#[inline(never)]
fn strip<R: Rows>(rows: R, first: usize, items: &mut [u8]) {
    rows.expect(PIECE);
    let mut tiles = [const { Scratch::<64>::new() }; 4];
    let mut tiles = tiles.each_mut().map(Scratch::lines);
    for (p, tile) in tiles.iter_mut().enumerate() {
        let blocks = items.len() / (BLOCK * PIECE);
        for (block, tile) in tile.as_chunks_mut::<8>().0[..blocks].iter_mut().enumerate() {
            let mut x = [_mm512_setzero_si512(); 8];
            for (j, x) in x.iter_mut().enumerate() {
                *x = load(rows.row(8 * p + j, first + BLOCK * block));
            }
            for (x, tile) in transpose::<8, 1>(x).into_iter().zip(tile) {
                store(x, tile);
            }
        }
    }
    let [a, b, c, d] = tiles;
    for (block, items) in items.chunks_exact_mut(BLOCK * PIECE).enumerate() {
        for k in 0..8 {
            let at = 8 * block + k;
            // Items `2k` and `2k + 1` of every lane.
            let (a, b, c, d) = (load(&a[at]), load(&b[at]), load(&c[at]), load(&d[at]));
            let out = transpose_quarters([
                _mm512_unpacklo_epi64(a, b),
                _mm512_unpacklo_epi64(c, d),
                _mm512_unpackhi_epi64(a, b),
                _mm512_unpackhi_epi64(c, d),
            ]);
            for (lane, out) in out.into_iter().enumerate() {
                store(out, window_mut(items, 64 * (8 * lane + k)));
            }
        }
    }
}

/// Whole halves of blocks of items of 32 bytes: two items per vector, two lanes each.
///
/// The vectors of a whole block would be spilled. Loads of 32 bytes cross a line half as often as
/// those of 64.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
#[inline(never)]
fn pairs<R: Rows>(rows: R, first: usize, items: &mut [u8]) {
    rows.expect(PIECE);
    let order = load(&const { split_halves() });
    for (half, items) in items
        .as_chunks_mut::<{ BLOCK / 2 * PIECE }>()
        .0
        .iter_mut()
        .enumerate()
    {
        let first = first + BLOCK / 2 * half;
        let row = |j| _mm512_castsi256_si512(avx2::load(rows.row(j, first)));
        let mut x = [_mm512_setzero_si512(); 16];
        unrolled!(J => x[J] = _mm512_permutex2var_epi8(row(J), order, row(16 + J)));
        let x = transpose::<16, 1>(x);
        unrolled!(K => store(x[K], window_mut(items, 64 * K)));
    }
}

/// Whole blocks of items of `T` bytes, 17 to 31: vectors with the first 16 bytes of four items, and
/// vectors with the others.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
#[inline(never)]
fn fours<R: Rows, const T: usize>(rows: R, first: usize, items: &mut [u8]) {
    rows.expect(T);
    let order = load(&const { reorder_inverse(16) });
    let starts = load(&const { four_packed(T, 0) });
    let ends = load(&const { four_packed(T, 4 * T - 64) });
    for (block, items) in items.chunks_exact_mut(BLOCK * T).enumerate() {
        let first = first + BLOCK * block;
        let row = |j| _mm512_permutexvar_epi8(order, load(rows.row(j, first)));
        let mut y = [_mm512_setzero_si512(); 16];
        unrolled!(J => if 16 + J < T {
            y[J] = row(16 + J);
        });
        let y = transpose::<16, 1>(y);
        let mut x = [_mm512_setzero_si512(); 16];
        unrolled!(J => x[J] = row(J));
        let x = transpose::<16, 1>(x);
        unrolled!(K => {
            let start = _mm512_permutex2var_epi8(x[K], starts, y[K]);
            store(start, window_mut(items, 4 * T * K));
            let end = _mm512_permutex2var_epi8(x[K], ends, y[K]);
            store(end, window_mut(items, 4 * T * (K + 1) - 64));
        });
    }
}

/// A block of 32 bytes from `at` on of larger items.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
#[inline(never)]
fn halves<R: Rows>(rows: R, typesize: usize, first: usize, at: usize, items: &mut [u8]) {
    rows.expect(PIECE);
    let (mut x, mut y) = ([_mm512_setzero_si512(); 16], [_mm512_setzero_si512(); 16]);
    unrolled!(J => {
        (x[J], y[J]) = part(load(rows.row(J, first)), load(rows.row(16 + J, first)));
    });
    let mut items = RowsMut::new(&mut items[..BLOCK * typesize], BLOCK);
    scatter_half::<0>(transpose::<16, 1>(x), &mut items, at);
    scatter_half::<1>(transpose::<16, 1>(y), &mut items, at);
}

/// Interleaves the lanes of two planes: of the first half of the items, and of the second.
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
