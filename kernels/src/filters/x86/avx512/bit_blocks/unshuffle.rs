//! Bitunshuffle: bit rows to items.
//!
//! The stages of [`bit_blocks`](super) in reverse. One block of columns goes through a tile in the
//! first-level cache:
//!
//! ```text
//! 8 rows of 64 columns --8x8 lanes--> tile: 8 columns of each row in turn        (columns)
//! 8 of the tile --3 rotations, affine--> units: byte i of a lane from item i     (units)
//! units --permutation, one per window--> items                                   (store_*)
//! ```
//!
//! The four forms differ in the stores of a unit. Items of up to 8 bytes fill one window. Items of
//! 9 to 16 bytes need the tiles of two pieces for their two windows, those of 17 to 32 bytes the
//! tiles of up to four. From 64 bytes on eight tiles make whole vectors of one item.

use core::arch::x86_64::{
    __m512i, _mm256_setzero_si256, _mm512_castsi256_si512, _mm512_gf2p8affine_epi64_epi8,
    _mm512_inserti64x4, _mm512_mask_blend_epi8, _mm512_permutex2var_epi8, _mm512_permutexvar_epi8,
    _mm512_set1_epi64, _mm512_setzero_si512,
};

use super::indices::{DEINTERLEAVE, DEINTERLEAVE_FOUR, DEINTERLEAVE_TWO, FourPieces};
use super::plan::{
    Columns, Exact, LARGE, Plan, Typesize, UpTo, blocks, pairs_of_lines, pieces, shared_bytes,
    with_typesize, with_width,
};
use crate::filters::vector::scratch::Scratch;
use crate::filters::vector::window::{Rows, window_mut};
use crate::filters::x86::avx2;
use crate::filters::x86::avx512::bits::{UNIT, transpose_lanes};
use crate::filters::x86::avx512::permute::{Index, every_second};
use crate::filters::x86::avx512::{load, rotate, store, transpose};

/// Bitunshuffle to groups of eight items of 2 bytes or more, as many as
/// [`inverse_pays`](super::inverse_pays) accepts.
///
/// Row `j` of `rows` is the eight bit rows of byte `j`.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
pub(crate) fn bitunshuffle<R: Rows>(typesize: usize, rows: R, dst: &mut [u8]) {
    let half = dst.len() < 64 * 8 * typesize;
    with_typesize!(
        typesize,
        half,
        [2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 24 32],
        run(rows, dst)
    );
}

/// All blocks, by the number of windows; each block has 32 columns if `HALF`.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline(never)]
fn run<S: Typesize, const HALF: bool>(size: S, rows: impl Rows, dst: &mut [u8]) {
    let groups = dst.len() / 8 / size.get();
    // Large blocks read longer runs of each row: 512 columns, in as many units as make them.
    let small = HALF || dst.len() <= LARGE || groups < 512;
    match (S::PLAN.windows, S::PLAN.groups) {
        (8, _) if size.get() >= 64 => eight_windows::<_, S, HALF, 64>(size, rows, dst),
        (2, _) => two_windows::<_, S, HALF, 64>(size, rows, dst),
        (4, _) => four_windows::<_, S, HALF, 64>(size, rows, dst),
        (8, _) => one_window::<_, S, HALF, 64>(size, rows, dst),
        _ if small && !HALF && pairs_of_lines::<S>(groups) => {
            one_window::<_, S, HALF, 128>(size, rows, dst);
        }
        _ if small => one_window::<_, S, HALF, 64>(size, rows, dst),
        (_, 1) => one_window::<_, S, HALF, 512>(size, rows, dst),
        (_, 2) => one_window::<_, S, HALF, 256>(size, rows, dst),
        _ => one_window::<_, S, HALF, 128>(size, rows, dst),
    }
}

/// All blocks, each of `N` units, of items of 9 to 16 bytes.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn two_windows<R: Rows, S: Typesize, const HALF: bool, const N: usize>(
    size: S,
    rows: R,
    dst: &mut [u8],
) {
    let typesize = size.get();
    let groups = dst.len() / 8 / typesize;
    let width = if HALF { 32 } else { N };
    // Both pieces of an item are needed at once: the windows of its group overlap both.
    let [mut lower, mut upper] = [Scratch::<N>::new(), Scratch::<N>::new()];
    let (lower, upper) = (lower.lines(), upper.lines());
    for Columns { first, half } in blocks(groups, width, !HALF && width == 64, 0) {
        let items = &mut dst[first * 8 * typesize..];
        with_width!(HALF || half, NARROW => {
            columns::<R, S, NARROW, false, N>(size, rows, groups, first, 0, lower);
            let last = typesize - 8;
            columns::<R, S, NARROW, { !NARROW }, N>(size, rows, groups, first, last, upper);
            store_two::<S, NARROW, N>(size, lower, upper, items);
        });
    }
}

/// All blocks, each of `N` units, of items of 17 to 32 bytes.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn four_windows<R: Rows, S: Typesize, const HALF: bool, const N: usize>(
    size: S,
    rows: R,
    dst: &mut [u8],
) {
    let typesize = size.get();
    let groups = dst.len() / 8 / typesize;
    let width = if HALF { 32 } else { N };
    let mut tiles = [const { Scratch::<N>::new() }; 4];
    let mut tiles = tiles.each_mut().map(Scratch::lines);
    for Columns { first, half } in blocks(groups, width, !HALF && width == 64, 0) {
        let items = &mut dst[first * 8 * typesize..];
        with_width!(HALF || half, NARROW => {
            for (tile, at) in tiles.iter_mut().zip(pieces(typesize)) {
                columns::<R, S, NARROW, false, N>(size, rows, groups, first, at, tile);
            }
            let tiles = tiles.each_ref().map(|tile| &**tile);
            store_four::<S, NARROW, N>(size, tiles, items);
        });
    }
}

/// All blocks, each of `N` units, of items of 64 bytes or more: eight pieces at a time.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn eight_windows<R: Rows, S: Typesize, const HALF: bool, const N: usize>(
    size: S,
    rows: R,
    dst: &mut [u8],
) {
    let typesize = size.get();
    let groups = dst.len() / 8 / typesize;
    let width = if HALF { 32 } else { N };
    let mut tiles = [const { Scratch::<N>::new() }; 8];
    let mut tiles = tiles.each_mut().map(Scratch::lines);
    for Columns { first, .. } in blocks(groups, width, false, 0) {
        let items = &mut dst[first * 8 * typesize..][..width * 8 * typesize];
        // 64 bytes of every item at a time; the last span overlaps the one before.
        for span in 0..typesize.div_ceil(64) {
            let span = (64 * span).min(typesize - 64);
            for (p, tile) in tiles.iter_mut().enumerate() {
                let at = span + 8 * p;
                columns::<R, S, HALF, false, N>(size, rows, groups, first, at, tile);
            }
            let tiles = tiles.each_ref().map(|tile| &**tile);
            store_eight::<HALF, N>(typesize, tiles, span, items);
        }
    }
}

/// All blocks, each of `N` units, of items of up to 8 bytes, and of others piece by piece.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn one_window<R: Rows, S: Typesize, const HALF: bool, const N: usize>(
    size: S,
    rows: R,
    dst: &mut [u8],
) {
    let typesize = size.get();
    let groups = dst.len() / 8 / typesize;
    let width = if HALF { 32 } else { N * S::PLAN.groups };
    let mut tile = Scratch::<N>::new();
    let tile = tile.lines();
    for Columns { first, half } in blocks(groups, width, !HALF && width == 64, 0) {
        let items = &mut dst[first * 8 * typesize..];
        with_width!(HALF || half, NARROW => for at in pieces(typesize) {
            columns::<R, S, NARROW, false, N>(size, rows, groups, first, at, tile);
            store_one::<S, NARROW, N>(size, tile, at, items);
        });
    }
}

/// One block of the rows of the piece at `at`, to the tile: eight columns of each row in turn.
///
/// The eight rows of a byte are read in reverse, as the bit transpose expects.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn columns<R: Rows, S: Typesize, const HALF: bool, const LAST: bool, const N: usize>(
    size: S,
    rows: R,
    groups: usize,
    first: usize,
    at: usize,
    tile: &mut [Index; N],
) {
    let typesize = size.get();
    let (even, odd) = (
        load(&const { every_second(0) }),
        load(&const { every_second(1) }),
    );
    let steps = N / 64;
    let shared = shared_bytes::<S, LAST>(at);
    let Plan {
        groups: per_unit,
        windows,
    } = S::PLAN;
    if HALF {
        // Four columns of eight each: the rows of two bytes share a vector.
        for w in 0..4 {
            let mut x = [_mm512_setzero_si512(); 8];
            for (lane, x) in x.iter_mut().enumerate() {
                let (j, bit) = (lane / 2 * 2, 2 * w + lane % 2);
                let from = (7 - bit) * groups + first;
                let part = |j: usize| {
                    if (windows > 1 || at + j < typesize)
                        && (!matches!(windows, 2 | 4) || j >= shared)
                    {
                        avx2::load(rows.row(at + j, from))
                    } else {
                        _mm256_setzero_si256()
                    }
                };
                *x = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(part(j)), part(j + 1));
            }
            for (lane, x) in transpose_lanes(x).into_iter().enumerate() {
                store(x, &mut tile[lane % 4 * 8 + lane / 4 * 4 + w]);
            }
        }
        return;
    }
    for number in 0..8 * steps {
        let (w, step) = (number / steps, number % steps);
        let first = first + 64 * per_unit * step;
        let mut x = [_mm512_setzero_si512(); 8];
        for p in 0..8 / per_unit {
            // The row of lane `p`: units of several groups have fewer bytes of more items.
            let row = if per_unit == 4 {
                2 * w + p
            } else {
                p / 2 * 16 + 2 * w + p % 2
            };
            let (j, from) = (at + row / 8, (7 - row % 8) * groups + first);
            if (windows == 1 && j >= typesize) || (matches!(windows, 2 | 4) && row / 8 < shared) {
                continue;
            }
            x[p] = load(rows.row(j, from));
            if per_unit > 1 {
                // Columns of the same unit are interleaved: even and odd ones are separated.
                let (a, b) = (x[p], load(rows.row(j, from + 64)));
                let (evens, odds) = (
                    _mm512_permutex2var_epi8(a, even, b),
                    _mm512_permutex2var_epi8(a, odd, b),
                );
                if per_unit == 2 {
                    (x[p], x[4 + p]) = (evens, odds);
                } else {
                    let (a, b) = (load(rows.row(j, from + 128)), load(rows.row(j, from + 192)));
                    let c = _mm512_permutex2var_epi8(a, even, b);
                    let d = _mm512_permutex2var_epi8(a, odd, b);
                    x[p] = _mm512_permutex2var_epi8(evens, even, c);
                    x[2 + p] = _mm512_permutex2var_epi8(odds, even, d);
                    x[4 + p] = _mm512_permutex2var_epi8(evens, odd, c);
                    x[6 + p] = _mm512_permutex2var_epi8(odds, odd, d);
                }
            }
        }
        for (q, x) in transpose_lanes(x).into_iter().enumerate() {
            store(x, &mut tile[64 * step + 8 * q + w]);
        }
    }
}

/// Eight units of a tile: byte `i` of a lane is one byte of item `i`.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn units(tile: &[[u8; 64]; 8]) -> [__m512i; 8] {
    let bits = _mm512_set1_epi64(UNIT);
    let mut x = [bits; 8];
    for (x, tile) in x.iter_mut().zip(tile) {
        *x = load(tile);
    }
    let mut x = rotate::<8, 1>(transpose::<8, 1>(x));
    for x in &mut x {
        *x = _mm512_gf2p8affine_epi64_epi8::<0>(bits, *x);
    }
    x
}

/// Stores a tile as the piece at `at` of the items.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn store_one<S: Typesize, const HALF: bool, const N: usize>(
    size: S,
    tile: &[Index; N],
    at: usize,
    items: &mut [u8],
) {
    let typesize = size.get();
    let Plan {
        groups: per_unit,
        windows,
    } = S::PLAN;
    let index = load(&DEINTERLEAVE[if windows == 1 { typesize - 1 } else { 7 }]);
    let unit = per_unit * 8 * typesize;
    let rounds = if HALF { 4 } else { tile.len() / 8 };
    for (q, tile) in tile.as_chunks().0[..rounds].iter().enumerate() {
        let items = &mut items[8 * q * unit..];
        for (v, x) in units(tile).into_iter().enumerate() {
            let x = _mm512_permutexvar_epi8(index, x);
            let items = &mut items[v * unit..];
            // A store of 64 bytes may reach into the next unit, which is stored later.
            if windows == 1 && items.len() >= 64 {
                store(x, window_mut(items, 0));
                continue;
            }
            // The last unit of the slice.
            if windows == 1 {
                let mut last = [0; 64];
                store(x, &mut last);
                items[..unit].copy_from_slice(&last[..unit]);
                continue;
            }
            // One window of 8 bytes per item.
            let mut parts = Scratch::<1>::new();
            let [parts] = parts.lines();
            store(x, parts);
            let items = &mut items[..8 * typesize];
            for (i, part) in parts.as_chunks::<8>().0.iter().enumerate() {
                *window_mut(items, i * typesize + at) = *part;
            }
        }
    }
}

/// Stores the tiles of the first and of the last piece as items of 9 to 16 bytes.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn store_two<S: Typesize, const HALF: bool, const N: usize>(
    size: S,
    lower: &[Index; N],
    upper: &[Index; N],
    items: &mut [u8],
) {
    let typesize = size.get();
    let [first, last] = &DEINTERLEAVE_TWO[typesize - 9];
    let (first, last) = (load(first), load(last));
    let (lower, upper) = (lower.as_chunks().0, upper.as_chunks().0);
    let rounds = if HALF { 4 } else { lower.len() };
    for (q, (lower, upper)) in lower[..rounds].iter().zip(upper).enumerate() {
        let (lower, upper) = (units(lower), units(upper));
        let items = &mut items[8 * q * 8 * typesize..][..64 * typesize];
        for v in 0..8 {
            let (lower, upper) = (lower[v], upper[v]);
            let group = &mut items[v * 8 * typesize..][..8 * typesize];
            let bytes = _mm512_permutex2var_epi8(lower, first, upper);
            store(bytes, window_mut(group, 0));
            let bytes = _mm512_permutex2var_epi8(lower, last, upper);
            store(bytes, window_mut(group, 8 * typesize - 64));
        }
    }
}

/// Stores the tiles of the pieces as items of 17 to 32 bytes; up to 24 bytes have three pieces.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn store_four<S: Typesize, const HALF: bool, const N: usize>(
    size: S,
    tiles: [&[Index; N]; 4],
    items: &mut [u8],
) {
    let typesize = size.get();
    let deinterleave = &DEINTERLEAVE_FOUR[typesize - 17];
    let tiles = tiles.map(|tile| tile.as_chunks::<8>().0);
    let rounds = if HALF { 4 } else { N / 8 };
    for q in 0..rounds {
        let [a, b, c] = [
            units(&tiles[0][q]),
            units(&tiles[1][q]),
            units(&tiles[2][q]),
        ];
        let d = if typesize > 24 {
            units(&tiles[3][q])
        } else {
            c
        };
        let items = &mut items[8 * q * 8 * typesize..][..64 * typesize];
        for v in 0..8 {
            let group = &mut items[v * 8 * typesize..][..8 * typesize];
            for (k, FourPieces { index, others }) in deinterleave.iter().enumerate() {
                let index = load(index);
                let bytes = _mm512_mask_blend_epi8(
                    *others,
                    _mm512_permutex2var_epi8(a[v], index, b[v]),
                    _mm512_permutex2var_epi8(c[v], index, d[v]),
                );
                // Three windows cover groups of up to 24 bytes per item, four all others.
                let at = (64 * k).min(8 * typesize - 64);
                if k < 3 || typesize > 24 {
                    store(bytes, window_mut(group, at));
                }
            }
        }
    }
}

/// Stores the tiles of eight pieces as the 64 bytes from `at` on of every item.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn store_eight<const HALF: bool, const N: usize>(
    typesize: usize,
    tiles: [&[Index; N]; 8],
    at: usize,
    items: &mut [u8],
) {
    let index = load(&DEINTERLEAVE[7]);
    let mut parts = Scratch::<64>::new();
    let parts = parts.lines();
    let rounds = if HALF { 4 } else { N / 8 };
    for q in 0..rounds {
        for (tile, parts) in tiles.iter().zip(parts.as_chunks_mut::<8>().0) {
            for (x, part) in units(&tile.as_chunks::<8>().0[q]).into_iter().zip(parts) {
                store(_mm512_permutexvar_epi8(index, x), part);
            }
        }
        for v in 0..8 {
            let mut x = [index; 8];
            for (x, parts) in x.iter_mut().zip(parts.as_chunks::<8>().0) {
                *x = load(&parts[v]);
            }
            let group = &mut items[(8 * q + v) * 8 * typesize..][..8 * typesize];
            for (i, x) in transpose_lanes(x).into_iter().enumerate() {
                store(x, window_mut(group, i * typesize + at));
            }
        }
    }
}
