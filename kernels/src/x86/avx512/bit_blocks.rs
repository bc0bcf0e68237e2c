//! Bitshuffle and its inverse as one transposition of 64 by 64 bytes.
//!
//! A unit is one vector: eight bytes of each of eight items (or two bytes of 32, four of 16).
//! Gathered so that the same byte of eight items fills a lane, `gf2p8affineqb` (see
//! [`bits`](super::bits)) turns it into one column of 64 bit rows. 64 units are 64 such columns:
//!
//! ```text
//! unit --vpermb--> lane j = byte j of 8 items --affine--> byte 8 * j + k = row k of byte j
//! 8 units --3 rotations of bytes--> tile: lanes of 8 columns, one row each
//! 8 of the tile --8x8 lanes--> rows of 64 columns
//! ```
//!
//! No byte is moved for the order of items alone: it is folded into the first permutation, and in
//! the inverse into the order in which rows are loaded. Larger items are cut into pieces of 8
//! bytes, the last one overlapping the one before.

use core::arch::x86_64::{
    __m512i, _mm512_add_epi8, _mm512_castsi256_si512, _mm512_castsi512_si256,
    _mm512_gf2p8affine_epi64_epi8, _mm512_mask_blend_epi8, _mm512_mask_set1_epi64,
    _mm512_permutex2var_epi8, _mm512_permutexvar_epi8, _mm512_set1_epi8, _mm512_set1_epi64,
    _mm512_setzero_si512, _mm512_unpackhi_epi8, _mm512_unpackhi_epi16, _mm512_unpacklo_epi8,
    _mm512_unpacklo_epi16,
};

use super::bit_indices::{PACK, PACK_FOUR, PACK_TWO, SPREAD, SPREAD_FOUR, SPREAD_TWO, byte};
use super::bits::{UNIT, transpose_lanes};
use super::permute::{Index, every_second};
use super::{load, rotate, store, transpose};
use crate::vector::scratch::Scratch;
use crate::vector::window::{Rows, RowsMut, window, window_mut};
use crate::x86::avx2;

/// Blocks of more bytes take several steps at once, for longer runs of each row.
const LARGE: usize = 64 << 10;

/// Whether the blocks are the faster way for `len` bytes, or the only one on this level.
///
/// The rows of large items in large blocks push each other out of the cache: then tiles of the
/// byte shuffle, with eight rows at a time, are better.
pub(crate) const fn pays(typesize: usize, len: usize) -> bool {
    let groups = len / typesize / 8;
    match typesize {
        0 | 1 => false,
        2 => groups >= 256,
        3 | 4 => groups >= 128,
        8 => groups >= 32,
        _ => groups >= 32 && len <= LARGE,
    }
}

/// [`pays`] for the inverse: items that are no power of two are slower to unshuffle as bytes.
pub(crate) const fn inverse_pays(typesize: usize, len: usize) -> bool {
    match typesize {
        9..=15 | 17..=32 => len / typesize / 8 >= 32,
        8.. => pays(typesize, len) && len <= LARGE,
        _ => pays(typesize, len),
    }
}

/// The first unit of round `q` of a block, chosen so that unpacking ends in order.
const fn round_start(groups: usize, q: usize) -> usize {
    match groups {
        1 => q * 8,
        2 => q % 2 * 32 + q / 2 * 8,
        _ => q % 2 * 32 + q / 2 * 4,
    }
}

/// Which unit from the round's first one on is its unit `v`.
const fn unit_in_round(groups: usize, v: usize) -> usize {
    if groups == 4 { v / 4 * 16 + v % 4 } else { v }
}

/// Where a block starts, and whether it has 32 columns.
struct Columns {
    first: usize,
    half: bool,
}

/// Blocks of `width` that cover `groups`, the last one moved back, and cut in `halves` where that
/// is enough.
fn blocks(groups: usize, width: usize, halves: bool) -> impl Iterator<Item = Columns> {
    (0..groups.div_ceil(width)).map(move |i| {
        let half = halves && groups - i * width <= 32;
        let width_here = if half { 32 } else { width };
        Columns {
            first: (i * width).min(groups - width_here),
            half,
        }
    })
}

/// Which bytes of its items a block takes.
#[derive(Clone, Copy)]
struct Piece {
    /// The place in the item.
    at: usize,
    /// How many bytes in front of each unit its window starts.
    shift: usize,
}

/// How many bytes of the piece at `at` the piece before has too.
const fn again<const T: usize, const LAST: bool>(at: usize) -> usize {
    let at = if T > 0 && LAST { T - 8 } else { at };
    at.wrapping_neg() % 8
}

/// Where the pieces of an item start.
fn pieces(typesize: usize) -> impl Iterator<Item = usize> {
    (0..typesize.div_ceil(8)).map(move |i| (8 * i).min(typesize.saturating_sub(8)))
}

/// Bitshuffle of groups of eight items of 2 bytes or more, as many as [`pays`] asks for.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
pub(crate) fn bitshuffle(typesize: usize, src: &[u8], dst: &mut [u8]) {
    macro_rules! forward {
        ($($t:literal: $w:literal $m:literal),+) => {
            match typesize {
                _ if src.len() < 64 * 8 * typesize => match typesize {
                    ..=8 => forward::<0, 1, 1, true>(typesize, src, dst),
                    9..=16 => forward::<0, 2, 1, true>(typesize, src, dst),
                    17..=32 => forward::<0, 4, 1, true>(typesize, src, dst),
                    _ => forward::<0, 8, 1, true>(typesize, src, dst),
                },
                $($t => forward::<$t, $w, $m, false>(typesize, src, dst),)+
                ..=32 => forward::<0, 4, 1, false>(typesize, src, dst),
                _ => forward::<0, 8, 1, false>(typesize, src, dst),
            }
        };
    }
    forward!(
        2: 1 4, 3: 1 2, 4: 1 2, 5: 1 1, 6: 1 1, 7: 1 1, 8: 1 1,
        9: 2 1, 10: 2 1, 11: 2 1, 12: 2 1, 13: 2 1, 14: 2 1, 15: 2 1, 16: 2 1,
        24: 4 1, 32: 4 1, 64: 8 1
    );
}

/// All blocks of items of `T` bytes, or of `typesize` if that is 0.
///
/// A block has 32 columns if `HALF`; a unit has `M` groups and is gathered from `W` windows.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline(never)]
fn forward<const T: usize, const W: usize, const M: usize, const HALF: bool>(
    typesize: usize,
    src: &[u8],
    dst: &mut [u8],
) {
    let typesize = if T == 0 { typesize } else { T };
    let groups = src.len() / 8 / typesize;
    if HALF || W > 1 || src.len() <= LARGE || groups < 512 {
        return forward_by::<T, W, M, HALF, 64>(typesize, src, dst);
    }
    match M {
        1 => forward_by::<T, W, M, HALF, 512>(typesize, src, dst),
        2 => forward_by::<T, W, M, HALF, 256>(typesize, src, dst),
        _ => forward_by::<T, W, M, HALF, 128>(typesize, src, dst),
    }
}

/// All blocks, each of `N` units.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn forward_by<const T: usize, const W: usize, const M: usize, const HALF: bool, const N: usize>(
    typesize: usize,
    src: &[u8],
    dst: &mut [u8],
) {
    let typesize = if T == 0 { typesize } else { T };
    let groups = src.len() / 8 / typesize;
    let width = if HALF { 32 } else { N * M };
    let mut tile = Scratch::<N>::new();
    let tile = tile.lines();
    let bytes = width * 8 * typesize;
    let unit = M * 8 * typesize;
    let reach = if W == 1 { 64 - unit } else { 0 };
    for Columns { first, half } in blocks(groups, width, !HALF && width == 64) {
        let bytes = if half { bytes / 2 } else { bytes };
        let start = first * 8 * typesize;
        // The last units end with the source: their windows start earlier.
        let shift = if src.len() - start >= bytes + reach {
            0
        } else {
            reach
        };
        if start < shift {
            padded::<T, M, HALF, N>(typesize, &src[start..], tile, dst, first);
            continue;
        }
        let items = &src[start - shift..][..bytes + reach];
        for at in pieces(typesize) {
            let rows = &mut dst[at * 8 * groups..][..typesize.min(8) * 8 * groups];
            let piece = Piece { at, shift };
            if half {
                block::<T, W, M, true, false, N>(typesize, items, piece, tile, rows, first);
            } else if W == 2 && at > 0 {
                block::<T, W, M, HALF, true, N>(typesize, items, piece, tile, rows, first);
            } else {
                block::<T, W, M, HALF, false, N>(typesize, items, piece, tile, rows, first);
            }
        }
    }
}

/// The only block of items of up to 8 bytes, beside which nothing can be read.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline(never)]
fn padded<const T: usize, const M: usize, const HALF: bool, const N: usize>(
    typesize: usize,
    items: &[u8],
    tile: &mut [Index; N],
    dst: &mut [u8],
    first: usize,
) {
    let mut padded = Scratch::<N>::new();
    let padded = padded.bytes();
    padded[..items.len()].copy_from_slice(items);
    let padded = &padded[..items.len() + 64 - M * 8 * typesize];
    let piece = Piece { at: 0, shift: 0 };
    block::<T, 1, M, HALF, false, N>(typesize, padded, piece, tile, dst, first);
}

/// One block of a piece of every item; `rows` are the bit rows of that piece.
///
/// `LAST` tells that the piece is the last one, so that what overlaps is known beforehand.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn block<
    const T: usize,
    const W: usize,
    const M: usize,
    const HALF: bool,
    const LAST: bool,
    const N: usize,
>(
    typesize: usize,
    items: &[u8],
    piece: Piece,
    tile: &mut [Index; N],
    rows: &mut [u8],
    first: usize,
) {
    let typesize = if T == 0 { typesize } else { T };
    let bits = _mm512_set1_epi64(UNIT);
    let at = piece.at;
    let index = match W {
        1 => _mm512_add_epi8(
            load(&SPREAD[typesize - 1]),
            _mm512_set1_epi8(byte(piece.shift).cast_signed()),
        ),
        2 => load(&SPREAD_TWO[typesize - 9][usize::from(at > 0)]),
        4 => _mm512_add_epi8(
            load(&SPREAD_FOUR[typesize - 17]),
            _mm512_set1_epi8(byte(at).cast_signed()),
        ),
        _ => load(&SPREAD[7]),
    };
    let unit = M * 8 * typesize;
    let span = unit_in_round(M, 7) * unit + unit.max(64);
    let steps = N / 64;
    for round in 0..if HALF { 4 } else { 8 * steps } {
        let (step, q) = (round / 8, round % 8);
        let items = &items[(64 * step + round_start(M, q)) * unit..][..span];
        let mut x = [bits; 8];
        for (v, x) in x.iter_mut().enumerate() {
            let items = &items[unit_in_round(M, v) * unit..];
            let spread = gather::<W>(typesize, items, at, index);
            *x = _mm512_gf2p8affine_epi64_epi8::<0>(bits, spread);
        }
        for (w, x) in transpose::<8, 1>(x).into_iter().enumerate() {
            store(x, &mut tile[8 * steps * w + round]);
        }
    }
    let lanes = if W == 1 { typesize } else { 8 };
    let groups = rows.len() / lanes / 8;
    let mut rows = RowsMut::new(rows, lanes);
    let again = again::<T, LAST>(at);
    for (number, tile) in tile.as_chunks::<8>().0.iter().enumerate() {
        let (w, first) = (number / steps, first + 64 * M * (number % steps));
        let mut x = [_mm512_setzero_si512(); 8];
        for (x, tile) in x.iter_mut().zip(&tile[..if HALF { 4 } else { 8 }]) {
            *x = load(tile);
        }
        // Lane `p`: the group of the unit, the byte but for its lowest bit, and the bit's lowest.
        let x = transpose_lanes(x);
        let (low_byte, bit) = (w / 4, w % 4 * 2);
        for b in 0..2 {
            let at = (bit + b) * groups + first;
            if M == 4 {
                let j = low_byte;
                let (a0, a1) = unpack_bytes(x[b], x[2 + b]);
                let (b0, b1) = unpack_bytes(x[4 + b], x[6 + b]);
                store(_mm512_unpacklo_epi16(a0, b0), rows.row(j, at));
                store(_mm512_unpackhi_epi16(a0, b0), rows.row(j, at + 64));
                store(_mm512_unpacklo_epi16(a1, b1), rows.row(j, at + 128));
                store(_mm512_unpackhi_epi16(a1, b1), rows.row(j, at + 192));
                continue;
            }
            for l in 0..4 / M {
                let j = 2 * l + low_byte;
                if (W == 1 && j >= typesize) || (W > 1 && j < again) {
                    continue;
                }
                let x0 = x[2 * l + b];
                if M == 2 {
                    let (a, b) = unpack_bytes(x0, x[4 + 2 * l + b]);
                    store(a, rows.row(j, at));
                    store(b, rows.row(j, at + 64));
                } else if HALF {
                    avx2::store(_mm512_castsi512_si256(x0), rows.row(j, at));
                } else {
                    store(x0, rows.row(j, at));
                }
            }
        }
    }
}

/// Bytes by turns from the lower and from the upper halves of all lanes.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn unpack_bytes(a: __m512i, b: __m512i) -> (__m512i, __m512i) {
    (_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b))
}

/// The unit at the front of `items`: its piece at `at`, spread over the lanes.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn gather<const W: usize>(typesize: usize, items: &[u8], at: usize, index: __m512i) -> __m512i {
    match W {
        1 => _mm512_permutexvar_epi8(index, load(window(items, 0))),
        2 => {
            let group = &items[..8 * typesize];
            let last = load(window(group, 8 * typesize - 64));
            _mm512_permutex2var_epi8(load(window(group, 0)), index, last)
        }
        4 => {
            let group = &items[..8 * typesize];
            let (a, b) = (load(window(group, 0)), load(window(group, 64)));
            let c = load(window(group, 8 * typesize - 128));
            let d = load(window(group, 8 * typesize - 64));
            let lower = _mm512_permutex2var_epi8(a, index, b);
            let upper = _mm512_permutex2var_epi8(c, index, d);
            _mm512_mask_blend_epi8(0xF0F0_F0F0_F0F0_F0F0, upper, lower)
        }
        _ => {
            let group = &items[..8 * typesize];
            // A load that leaves the other lanes alone, eight times.
            let mut x = index;
            for i in 0..8 {
                let part = i64::from_le_bytes(*window(group, i * typesize + at));
                x = _mm512_mask_set1_epi64(x, 1 << i, part);
            }
            _mm512_permutexvar_epi8(index, x)
        }
    }
}

/// Bitunshuffle to groups of eight items of 2 bytes or more, as many as [`pays`] asks for.
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
            if HALF {
                x[p] = _mm512_castsi256_si512(avx2::load(rows.row(j, from)));
            } else {
                x[p] = load(rows.row(j, from));
            }
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
            let mut parts = [0; 64];
            store(x, &mut parts);
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
