//! Bitshuffle: items to bit rows.
//!
//! The stages of [`bit_blocks`](super), block by block of columns, with a tile in the first-level
//! cache between the two transpositions:
//!
//! ```text
//! units --gather, affine--> lanes of 8 rows --3 rotations of bytes--> tile
//! 8 of the tile --8x8 lanes--> rows of 64 columns
//! ```
//!
//! A unit is gathered out of as many windows as its plan has: one load and one permutation for
//! items of up to 8 bytes, two loads for up to 16, four for up to 32, and eight loads of 8 bytes
//! else. Items of 64 bytes or more are cut into items of 8 bytes first.

use core::arch::x86_64::{
    __m512i, _mm512_add_epi8, _mm512_castsi512_si256, _mm512_extracti64x4_epi64,
    _mm512_gf2p8affine_epi64_epi8, _mm512_mask_blend_epi8, _mm512_mask_set1_epi64,
    _mm512_permutex2var_epi8, _mm512_permutexvar_epi8, _mm512_set1_epi8, _mm512_set1_epi64,
    _mm512_setzero_si512, _mm512_unpackhi_epi8, _mm512_unpackhi_epi16, _mm512_unpacklo_epi8,
    _mm512_unpacklo_epi16,
};

use super::indices::{INTERLEAVE, INTERLEAVE_FOUR, INTERLEAVE_TWO};
use super::plan::{
    Columns, Exact, LARGE, Plan, Typesize, UpTo, blocks, pairs_of_lines, pieces, shared_bytes,
    with_typesize, with_width,
};
use crate::filters::vector::blocks::{LONG, before_line};
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

/// The distance of unit `v` of a round from its first unit.
const fn unit_in_round(groups: usize, v: usize) -> usize {
    if groups == 4 { v / 4 * 16 + v % 4 } else { v }
}

/// The bytes of its items that a block takes.
#[derive(Clone, Copy)]
struct Piece {
    /// The offset in the item.
    at: usize,
    /// The distance in bytes from the start of a window to its unit.
    shift: usize,
}

/// Bitshuffle of groups of eight items of 2 bytes or more, as many as [`pays`](super::pays)
/// accepts.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
pub(crate) fn bitshuffle(typesize: usize, src: &[u8], dst: &mut [u8]) {
    let half = src.len() < 64 * 8 * typesize;
    with_typesize!(
        typesize,
        half,
        [2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 24 32 64],
        run(src, dst)
    );
}

/// All blocks; each has 32 columns if `HALF`.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline(never)]
fn run<S: Typesize, const HALF: bool>(size: S, src: &[u8], dst: &mut [u8]) {
    let groups = src.len() / 8 / size.get();
    if HALF || S::PLAN.windows > 1 || src.len() <= LARGE || groups < 512 {
        if !HALF && pairs_of_lines::<S>(groups) {
            return run_by::<S, HALF, 128>(size, src, dst);
        }
        return run_by::<S, HALF, 64>(size, src, dst);
    }
    match S::PLAN.groups {
        1 => run_by::<S, HALF, 512>(size, src, dst),
        2 => run_by::<S, HALF, 256>(size, src, dst),
        _ => run_by::<S, HALF, 128>(size, src, dst),
    }
}

/// All blocks, each of `N` units.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn run_by<S: Typesize, const HALF: bool, const N: usize>(size: S, src: &[u8], dst: &mut [u8]) {
    let typesize = size.get();
    let Plan {
        groups: per_unit,
        windows,
    } = S::PLAN;
    let groups = src.len() / 8 / typesize;
    let width = if HALF { 32 } else { N * per_unit };
    let mut tile = Scratch::<N>::new();
    let tile = tile.lines();
    let bytes = width * 8 * typesize;
    let reach = if windows == 1 {
        64 - per_unit * 8 * typesize
    } else {
        0
    };
    let mut skipped = 0;
    if src.len() > LONG {
        skipped = before_line(dst, 1, groups);
    }
    for Columns { first, half } in blocks(groups, width, !HALF && width == 64, skipped) {
        let bytes = if half { bytes / 2 } else { bytes };
        let start = first * 8 * typesize;
        // The last units end with the source: their windows start earlier, and the permutation
        // skips the bytes before the unit.
        let shift = if src.len() - start >= bytes + reach {
            0
        } else {
            reach
        };
        if start < shift {
            padded::<S, HALF, N>(size, &src[start..], tile, dst, first);
            continue;
        }
        let items = &src[start - shift..][..bytes + reach];
        with_width!(HALF || half, NARROW => {
            if windows == 8 && typesize >= 64 {
                eight_pieces::<NARROW, N>(typesize, items, tile, dst, groups, first);
                continue;
            }
            for at in pieces(typesize) {
                let rows = &mut dst[at * 8 * groups..][..typesize.min(8) * 8 * groups];
                let piece = Piece { at, shift };
                if !NARROW && windows == 2 && at > 0 {
                    block::<S, NARROW, true, N>(size, items, piece, tile, rows, first);
                } else {
                    block::<S, NARROW, false, N>(size, items, piece, tile, rows, first);
                }
            }
        });
    }
}

/// One block of items of 64 bytes or more: eight pieces of every item at a time.
///
/// Cut into whole vectors they are items of 8 bytes; a single piece takes eight loads per unit.
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
            block::<Exact<8>, HALF, false, N>(Exact, items, piece, tile, rows, first);
        }
    }
}

/// The only block of items of up to 8 bytes: reads past its ends go to a padded copy.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline(never)]
fn padded<S: Typesize, const HALF: bool, const N: usize>(
    size: S,
    items: &[u8],
    tile: &mut [Index; N],
    dst: &mut [u8],
    first: usize,
) {
    let mut padded = Scratch::<N>::new();
    let padded = padded.bytes();
    padded[..items.len()].copy_from_slice(items);
    let padded = &padded[..items.len() + 64 - S::PLAN.groups * 8 * size.get()];
    let piece = Piece { at: 0, shift: 0 };
    block::<S, HALF, false, N>(size, padded, piece, tile, dst, first);
}

/// One block of a piece of every item; `rows` are the bit rows of that piece.
///
/// `LAST` says that the piece is the last one, so that its overlap is a constant.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn block<S: Typesize, const HALF: bool, const LAST: bool, const N: usize>(
    size: S,
    items: &[u8],
    piece: Piece,
    tile: &mut [Index; N],
    rows: &mut [u8],
    first: usize,
) {
    let typesize = size.get();
    let Plan {
        groups: per_unit,
        windows,
    } = S::PLAN;
    let bits = _mm512_set1_epi64(UNIT);
    let at = piece.at;
    let index = match windows {
        1 => _mm512_add_epi8(
            load(&INTERLEAVE[typesize - 1]),
            _mm512_set1_epi8(byte(piece.shift).cast_signed()),
        ),
        2 => load(&INTERLEAVE_TWO[typesize - 9][usize::from(at > 0)]),
        4 => _mm512_add_epi8(
            load(&INTERLEAVE_FOUR[typesize - 17]),
            _mm512_set1_epi8(byte(at).cast_signed()),
        ),
        _ => load(&INTERLEAVE[7]),
    };
    let unit = per_unit * 8 * typesize;
    let span = unit_in_round(per_unit, 7) * unit + unit.max(64);
    let steps = N / 64;
    // First half: eight units per round, transposed into the tile.
    for round in 0..if HALF { 4 } else { 8 * steps } {
        let (step, q) = (round / 8, round % 8);
        let items = &items[(64 * step + round_start(per_unit, q)) * unit..][..span];
        let mut x = [bits; 8];
        for (v, x) in x.iter_mut().enumerate() {
            let items = &items[unit_in_round(per_unit, v) * unit..];
            let lanes = gather::<S>(size, items, at, index);
            *x = _mm512_gf2p8affine_epi64_epi8::<0>(bits, lanes);
        }
        for (w, x) in transpose::<8, 1>(x).into_iter().enumerate() {
            store(x, &mut tile[8 * steps * w + round]);
        }
    }
    let lanes = if windows == 1 { typesize } else { 8 };
    let groups = rows.len() / lanes / 8;
    let mut rows = RowsMut::new(rows, lanes);
    let shared = shared_bytes::<S, LAST>(at);
    if HALF && matches!(S::KNOWN, Some(8)) {
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
    // Second half: eight vectors of the tile are eight columns each of the same rows.
    for (number, tile) in tile.as_chunks::<8>().0.iter().enumerate() {
        let (w, first) = (number / steps, first + 64 * per_unit * (number % steps));
        let mut x = [_mm512_setzero_si512(); 8];
        for (x, tile) in x.iter_mut().zip(&tile[..if HALF { 4 } else { 8 }]) {
            *x = load(tile);
        }
        // Lane `p`: the group of the unit, the byte but for its lowest bit, and the bit's lowest.
        let x = transpose_lanes(x);
        let (low_byte, bit) = (w / 4, w % 4 * 2);
        for b in 0..2 {
            let at = (bit + b) * groups + first;
            // Units of several groups have columns of several runs: unpacking joins them.
            if per_unit == 4 {
                let j = low_byte;
                let (a0, a1) = unpack_bytes(x[b], x[2 + b]);
                let (b0, b1) = unpack_bytes(x[4 + b], x[6 + b]);
                store(_mm512_unpacklo_epi16(a0, b0), rows.row(j, at));
                store(_mm512_unpackhi_epi16(a0, b0), rows.row(j, at + 64));
                store(_mm512_unpacklo_epi16(a1, b1), rows.row(j, at + 128));
                store(_mm512_unpackhi_epi16(a1, b1), rows.row(j, at + 192));
                continue;
            }
            for l in 0..4 / per_unit {
                let j = 2 * l + low_byte;
                if (windows == 1 && j >= typesize) || (windows > 1 && j < shared) {
                    continue;
                }
                let x0 = x[2 * l + b];
                if per_unit == 2 {
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

/// Interleaves bytes of the lower, and of the upper halves of all lanes.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn unpack_bytes(a: __m512i, b: __m512i) -> (__m512i, __m512i) {
    (_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b))
}

/// The first unit of `items`: its piece at `at`, interleaved in the lanes.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
#[inline]
fn gather<S: Typesize>(size: S, items: &[u8], at: usize, index: __m512i) -> __m512i {
    let typesize = size.get();
    match S::PLAN.windows {
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
            // Eight loads, each into one lane.
            let mut x = index;
            for i in 0..8 {
                let part = i64::from_le_bytes(*window(group, i * typesize + at));
                x = _mm512_mask_set1_epi64(x, 1 << i, part);
            }
            _mm512_permutexvar_epi8(index, x)
        }
    }
}
