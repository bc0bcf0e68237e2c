//! Bitunshuffle: bit rows to items.

use core::arch::x86_64::{
    __m512i, _mm256_setzero_si256, _mm512_castsi256_si512, _mm512_gf2p8affine_epi64_epi8,
    _mm512_inserti64x4, _mm512_mask_blend_epi8, _mm512_permutex2var_epi8, _mm512_permutexvar_epi8,
    _mm512_set1_epi64, _mm512_setzero_si512,
};

use super::indices::{PACK, PACK_FOUR, PACK_TWO};
use super::{Columns, LARGE, again, blocks, doubles, pieces};
use crate::filters::vector::scratch::Scratch;
use crate::filters::vector::window::{Rows, window_mut};
use crate::filters::x86::avx2;
use crate::filters::x86::avx512::bits::{UNIT, transpose_lanes};
use crate::filters::x86::avx512::permute::{Index, every_second};
use crate::filters::x86::avx512::{load, rotate, store, transpose};

/// Bitunshuffle to groups of eight items of 2 bytes or more, as many as [`pays`](super::pays) asks for.
///
/// Row `j` of `rows` is the eight bit rows of byte `j`.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
pub(crate) fn bitunshuffle<R: Rows>(typesize: usize, rows: R, dst: &mut [u8]) {
    macro_rules! backward {
        ($($t:literal: $w:literal $m:literal),+) => {
            match typesize {
                _ if dst.len() < 64 * 8 * typesize => match typesize {
                    ..=8 => backward::<R, 0, 1, 1, true>(typesize, rows, dst),
                    9..=16 => backward::<R, 0, 2, 1, true>(typesize, rows, dst),
                    17..=32 => backward::<R, 0, 4, 1, true>(typesize, rows, dst),
                    64 => backward::<R, 64, 8, 1, true>(typesize, rows, dst),
                    _ => backward::<R, 0, 8, 1, true>(typesize, rows, dst),
                },
                $($t => backward::<R, $t, $w, $m, false>(typesize, rows, dst),)+
                ..=32 => backward::<R, 0, 4, 1, false>(typesize, rows, dst),
                _ => backward::<R, 0, 8, 1, false>(typesize, rows, dst),
            }
        };
    }
    backward!(
        2: 1 4, 3: 1 2, 4: 1 2, 5: 1 1, 6: 1 1, 7: 1 1, 8: 1 1,
        9: 2 1, 10: 2 1, 11: 2 1, 12: 2 1, 13: 2 1, 14: 2 1, 15: 2 1, 16: 2 1,
        24: 4 1, 32: 4 1
    );
}

/// All blocks of items of `T` bytes, or of `typesize` if that is 0.
///
/// A block has 32 columns if `HALF`; a unit has `M` groups and is stored as `W` windows.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline(never)]
fn backward<R: Rows, const T: usize, const W: usize, const M: usize, const HALF: bool>(
    typesize: usize,
    rows: R,
    dst: &mut [u8],
) {
    let typesize = if T == 0 { typesize } else { T };
    let groups = dst.len() / 8 / typesize;
    let small = HALF || W > 1 || dst.len() <= LARGE || groups < 512;
    match (W, small, M) {
        (1, true, _) if !HALF && doubles(T, M, groups) => {
            backward_one::<R, T, W, M, HALF, 128>(typesize, rows, dst);
        }
        (8, ..) if typesize >= 64 => backward_eight::<R, T, HALF, 64>(typesize, rows, dst),
        (2, ..) => backward_two::<R, T, HALF, 64>(typesize, rows, dst),
        (4, ..) => backward_four::<R, T, HALF, 64>(typesize, rows, dst),
        (_, true, _) => backward_one::<R, T, W, M, HALF, 64>(typesize, rows, dst),
        (_, false, 1) => backward_one::<R, T, W, M, HALF, 512>(typesize, rows, dst),
        (_, false, 2) => backward_one::<R, T, W, M, HALF, 256>(typesize, rows, dst),
        (_, false, _) => backward_one::<R, T, W, M, HALF, 128>(typesize, rows, dst),
    }
}

/// All blocks, each of `N` units, of items of 9 to 16 bytes.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn backward_two<R: Rows, const T: usize, const HALF: bool, const N: usize>(
    typesize: usize,
    rows: R,
    dst: &mut [u8],
) {
    let typesize = if T == 0 { typesize } else { T };
    let groups = dst.len() / 8 / typesize;
    let width = if HALF { 32 } else { N };
    let [mut lower, mut upper] = [Scratch::<N>::new(), Scratch::<N>::new()];
    let (lower, upper) = (lower.lines(), upper.lines());
    for Columns { first, half } in blocks(groups, width, !HALF && width == 64) {
        let items = &mut dst[first * 8 * typesize..];
        if half {
            columns::<R, T, 2, 1, true, false, N>(typesize, rows, groups, first, 0, lower);
            columns::<R, T, 2, 1, true, false, N>(
                typesize,
                rows,
                groups,
                first,
                typesize - 8,
                upper,
            );
            items_of_two::<T, true, N>(typesize, lower, upper, items);
        } else {
            columns::<R, T, 2, 1, HALF, false, N>(typesize, rows, groups, first, 0, lower);
            columns::<R, T, 2, 1, HALF, true, N>(
                typesize,
                rows,
                groups,
                first,
                typesize - 8,
                upper,
            );
            items_of_two::<T, HALF, N>(typesize, lower, upper, items);
        }
    }
}

/// All blocks, each of `N` units, of items of 17 to 32 bytes.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn backward_four<R: Rows, const T: usize, const HALF: bool, const N: usize>(
    typesize: usize,
    rows: R,
    dst: &mut [u8],
) {
    let typesize = if T == 0 { typesize } else { T };
    let groups = dst.len() / 8 / typesize;
    let width = if HALF { 32 } else { N };
    let mut tiles = [const { Scratch::<N>::new() }; 4];
    let mut tiles = tiles.each_mut().map(Scratch::lines);
    for Columns { first, half } in blocks(groups, width, !HALF && width == 64) {
        let items = &mut dst[first * 8 * typesize..];
        for (tile, at) in tiles.iter_mut().zip(pieces(typesize)) {
            if half {
                columns::<R, T, 4, 1, true, false, N>(typesize, rows, groups, first, at, tile);
            } else {
                columns::<R, T, 4, 1, HALF, false, N>(typesize, rows, groups, first, at, tile);
            }
        }
        let tiles = tiles.each_ref().map(|tile| &**tile);
        if half {
            items_of_four::<T, true, N>(typesize, tiles, items);
        } else {
            items_of_four::<T, HALF, N>(typesize, tiles, items);
        }
    }
}

/// All blocks, each of `N` units, of items of 64 bytes or more: eight pieces at a time.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn backward_eight<R: Rows, const T: usize, const HALF: bool, const N: usize>(
    typesize: usize,
    rows: R,
    dst: &mut [u8],
) {
    let typesize = if T == 0 { typesize } else { T };
    let groups = dst.len() / 8 / typesize;
    let width = if HALF { 32 } else { N };
    let mut tiles = [const { Scratch::<N>::new() }; 8];
    let mut tiles = tiles.each_mut().map(Scratch::lines);
    for Columns { first, .. } in blocks(groups, width, false) {
        let items = &mut dst[first * 8 * typesize..][..width * 8 * typesize];
        for span in 0..typesize.div_ceil(64) {
            let span = (64 * span).min(typesize - 64);
            for (p, tile) in tiles.iter_mut().enumerate() {
                let at = span + 8 * p;
                columns::<R, T, 8, 1, HALF, false, N>(typesize, rows, groups, first, at, tile);
            }
            let tiles = tiles.each_ref().map(|tile| &**tile);
            items_of_eight::<HALF, N>(typesize, tiles, span, items);
        }
    }
}

/// All blocks, each of `N` units, of items that are no [`backward_two`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn backward_one<
    R: Rows,
    const T: usize,
    const W: usize,
    const M: usize,
    const HALF: bool,
    const N: usize,
>(
    typesize: usize,
    rows: R,
    dst: &mut [u8],
) {
    let typesize = if T == 0 { typesize } else { T };
    let groups = dst.len() / 8 / typesize;
    let width = if HALF { 32 } else { N * M };
    let mut tile = Scratch::<N>::new();
    let tile = tile.lines();
    for Columns { first, half } in blocks(groups, width, !HALF && width == 64) {
        let items = &mut dst[first * 8 * typesize..];
        for at in pieces(typesize) {
            if half {
                columns::<R, T, W, M, true, false, N>(typesize, rows, groups, first, at, tile);
                items_of_one::<T, W, M, true, N>(typesize, tile, at, items);
            } else {
                columns::<R, T, W, M, HALF, false, N>(typesize, rows, groups, first, at, tile);
                items_of_one::<T, W, M, HALF, N>(typesize, tile, at, items);
            }
        }
    }
}

/// One block of the rows of the piece at `at`, to the tile: eight columns of every row by turns.
///
/// The eight rows of a byte are taken in reverse, as the bit transpose wants them.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn columns<
    R: Rows,
    const T: usize,
    const W: usize,
    const M: usize,
    const HALF: bool,
    const LAST: bool,
    const N: usize,
>(
    typesize: usize,
    rows: R,
    groups: usize,
    first: usize,
    at: usize,
    tile: &mut [Index; N],
) {
    let typesize = if T == 0 { typesize } else { T };
    let (even, odd) = (
        load(&const { every_second(0) }),
        load(&const { every_second(1) }),
    );
    let steps = N / 64;
    let again = again::<T, LAST>(at);
    if HALF {
        // Four columns of eight each: the rows of two bytes share a vector.
        for w in 0..4 {
            let mut x = [_mm512_setzero_si512(); 8];
            for (lane, x) in x.iter_mut().enumerate() {
                let (j, bit) = (lane / 2 * 2, 2 * w + lane % 2);
                let from = (7 - bit) * groups + first;
                let part = |j: usize| {
                    if (W > 1 || at + j < typesize) && (!matches!(W, 2 | 4) || j >= again) {
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
        let first = first + 64 * M * step;
        let mut x = [_mm512_setzero_si512(); 8];
        for p in 0..8 / M {
            let row = if M == 4 {
                2 * w + p
            } else {
                p / 2 * 16 + 2 * w + p % 2
            };
            let (j, from) = (at + row / 8, (7 - row % 8) * groups + first);
            if (W == 1 && j >= typesize) || (matches!(W, 2 | 4) && row / 8 < again) {
                continue;
            }
            x[p] = load(rows.row(j, from));
            if M > 1 {
                let (a, b) = (x[p], load(rows.row(j, from + 64)));
                let (evens, odds) = (
                    _mm512_permutex2var_epi8(a, even, b),
                    _mm512_permutex2var_epi8(a, odd, b),
                );
                if M == 2 {
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

/// A tile to the piece at `at` of the items.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn items_of_one<
    const T: usize,
    const W: usize,
    const M: usize,
    const HALF: bool,
    const N: usize,
>(
    typesize: usize,
    tile: &[Index; N],
    at: usize,
    items: &mut [u8],
) {
    let typesize = if T == 0 { typesize } else { T };
    let index = load(&PACK[if W == 1 { typesize - 1 } else { 7 }]);
    let unit = M * 8 * typesize;
    let rounds = if HALF { 4 } else { tile.len() / 8 };
    for (q, tile) in tile.as_chunks().0[..rounds].iter().enumerate() {
        let items = &mut items[8 * q * unit..];
        for (v, x) in units(tile).into_iter().enumerate() {
            let x = _mm512_permutexvar_epi8(index, x);
            let items = &mut items[v * unit..];
            if W == 1 && items.len() >= 64 {
                store(x, window_mut(items, 0));
                continue;
            }
            if W == 1 {
                let mut last = [0; 64];
                store(x, &mut last);
                items[..unit].copy_from_slice(&last[..unit]);
                continue;
            }
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

/// The tiles of the first and of the last piece to items of 9 to 16 bytes.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn items_of_two<const T: usize, const HALF: bool, const N: usize>(
    typesize: usize,
    lower: &[Index; N],
    upper: &[Index; N],
    items: &mut [u8],
) {
    let typesize = if T == 0 { typesize } else { T };
    let [first, last] = &PACK_TWO[typesize - 9];
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

/// The tiles of the pieces to items of 17 to 32 bytes; of up to 24 bytes there are three.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn items_of_four<const T: usize, const HALF: bool, const N: usize>(
    typesize: usize,
    tiles: [&[Index; N]; 4],
    items: &mut [u8],
) {
    let typesize = if T == 0 { typesize } else { T };
    let pack = &PACK_FOUR[typesize - 17];
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
            for (k, (index, upper)) in pack.iter().enumerate() {
                let index = load(index);
                let bytes = _mm512_mask_blend_epi8(
                    *upper,
                    _mm512_permutex2var_epi8(a[v], index, b[v]),
                    _mm512_permutex2var_epi8(c[v], index, d[v]),
                );
                let at = (64 * k).min(8 * typesize - 64);
                if k < 3 || typesize > 24 {
                    store(bytes, window_mut(group, at));
                }
            }
        }
    }
}

/// The tiles of eight pieces to the 64 bytes from `at` on of every item.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn items_of_eight<const HALF: bool, const N: usize>(
    typesize: usize,
    tiles: [&[Index; N]; 8],
    at: usize,
    items: &mut [u8],
) {
    let index = load(&PACK[7]);
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
