//! Bitshuffle: items to bit rows.

use core::arch::x86_64::{
    __m512i, _mm512_add_epi8, _mm512_castsi512_si256, _mm512_extracti64x4_epi64,
    _mm512_gf2p8affine_epi64_epi8, _mm512_mask_blend_epi8, _mm512_mask_set1_epi64,
    _mm512_permutex2var_epi8, _mm512_permutexvar_epi8, _mm512_set1_epi8, _mm512_set1_epi64,
    _mm512_setzero_si512, _mm512_unpackhi_epi8, _mm512_unpackhi_epi16, _mm512_unpacklo_epi8,
    _mm512_unpacklo_epi16,
};

use super::indices::{SPREAD, SPREAD_FOUR, SPREAD_TWO};
use super::{Columns, LARGE, again, blocks, doubles, pieces};
use crate::filters::vector::scratch::Scratch;
use crate::filters::vector::window::{RowsMut, window};
use crate::filters::x86::avx2;
use crate::filters::x86::avx512::bits::{UNIT, transpose_lanes};
use crate::filters::x86::avx512::permute::{Index, byte};
use crate::filters::x86::avx512::{load, store, transpose};

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

/// Which bytes of its items a block takes.
#[derive(Clone, Copy)]
struct Piece {
    /// The place in the item.
    at: usize,
    /// How many bytes in front of each unit its window starts.
    shift: usize,
}

/// Bitshuffle of groups of eight items of 2 bytes or more, as many as [`pays`](super::pays) asks for.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
pub(crate) fn bitshuffle(typesize: usize, src: &[u8], dst: &mut [u8]) {
    macro_rules! forward {
        ($($t:literal: $w:literal $m:literal),+) => {
            match typesize {
                _ if src.len() < 64 * 8 * typesize => match typesize {
                    ..=8 => forward::<0, 1, 1, true>(typesize, src, dst),
                    9..=16 => forward::<0, 2, 1, true>(typesize, src, dst),
                    17..=32 => forward::<0, 4, 1, true>(typesize, src, dst),
                    64 => forward::<64, 8, 1, true>(typesize, src, dst),
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
        if !HALF && doubles(T, M, groups) {
            return forward_by::<T, W, M, HALF, 128>(typesize, src, dst);
        }
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
        if W == 8 && typesize >= 64 {
            if half {
                eight_pieces::<true, N>(typesize, items, tile, dst, groups, first);
            } else {
                eight_pieces::<HALF, N>(typesize, items, tile, dst, groups, first);
            }
            continue;
        }
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

/// One block of items of 64 bytes or more: eight pieces of every item at a time.
///
/// Cut by whole vectors they are items of 8 bytes; each piece alone takes eight loads per unit.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn eight_pieces<const HALF: bool, const N: usize>(
    typesize: usize,
    items: &[u8],
    tile: &mut [Index; N],
    dst: &mut [u8],
    groups: usize,
    first: usize,
) {
    let width = if HALF { 32 } else { 64 };
    let mut cut = Scratch::<512>::new();
    let cut = &mut cut.lines()[..8 * width];
    for span in 0..typesize.div_ceil(64) {
        let span = (64 * span).min(typesize - 64);
        for (group, items) in items.chunks_exact(8 * typesize).enumerate() {
            let mut x = [_mm512_setzero_si512(); 8];
            for (i, x) in x.iter_mut().enumerate() {
                *x = load(window(items, i * typesize + span));
            }
            for (p, x) in transpose_lanes(x).into_iter().enumerate() {
                store(x, &mut cut[p * width + group]);
            }
        }
        for (p, items) in cut.chunks_exact(width).enumerate() {
            let rows = &mut dst[(span + 8 * p) * 8 * groups..][..64 * groups];
            let piece = Piece { at: 0, shift: 0 };
            let items = items.as_flattened();
            block::<8, 1, 1, HALF, false, N>(8, items, piece, tile, rows, first);
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
    if HALF && T == 8 {
        // Four columns of eight each: the rows of two bytes share a vector.
        let (lower, upper) = tile.split_at(N / 2);
        let both = lower
            .as_chunks::<8>()
            .0
            .iter()
            .zip(upper.as_chunks::<8>().0);
        for (w, (lower, upper)) in both.enumerate() {
            let mut x = [_mm512_setzero_si512(); 8];
            for (x, tile) in x.iter_mut().zip(lower[..4].iter().chain(&upper[..4])) {
                *x = load(tile);
            }
            for (lane, x) in transpose_lanes(x).into_iter().enumerate() {
                let (j, at) = (lane / 2 * 2, (2 * w + lane % 2) * groups + first);
                avx2::store(_mm512_castsi512_si256(x), rows.row(j, at));
                avx2::store(_mm512_extracti64x4_epi64::<1>(x), rows.row(j + 1, at));
            }
        }
        return;
    }
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
