//! Bitshuffle, 64 items at a time, and its inverse.
//!
//! Eight items are one of eight times as many bytes. Of eight of these, a square of 8 by 8 bytes
//! after the other is transposed; then a word has the same byte of one item of each of the eight
//! groups, and bits move between the words of a group's eight items:
//!
//! ```text
//! byte j of item i of 8 groups --8x8 bits--> 8 columns of row 8 * j + k
//! ```
//!
//! Fewer than eight groups are transposed item by item, each square of bits in its own word.

use super::items::{PIECE, gather, pieces, reach, scatter, with_typesize};
use super::words::{
    items_of_2, items_of_4, load, planes_of_2, planes_of_4, store, transpose_bits, transpose_bytes,
};
use crate::filters::plane::Plane;
use crate::filters::scalar::bitshuffle as scalar;
use crate::filters::scalar::bitshuffle::transpose8;

/// Groups of eight items that are transposed at a time.
const COLUMNS: usize = 8;

/// The words of a tile: one for each byte of a piece of eight items.
const TILE: usize = 8 * PIECE;

/// The first groups of the squares that cover `groups`.
fn columns(groups: usize) -> impl Iterator<Item = usize> {
    (0..groups)
        .step_by(COLUMNS)
        .map(move |first| first.min(groups - COLUMNS))
}

/// The offset in a group of eight items of the bytes that fill line `line` of a tile.
///
/// A tile has `PIECE.min(typesize)` lines. Small items are read one after another, of larger ones
/// the bytes from `at` on.
#[inline(always)]
const fn line_offset(typesize: usize, at: usize, line: usize) -> usize {
    if typesize < PIECE {
        line * PIECE
    } else {
        line * typesize + at
    }
}

/// Turns items into bit rows.
pub(super) fn bitshuffle(typesize: usize, src: &[u8], dst: &mut [u8]) {
    let groups = src.len() / typesize / 8;
    let covered = groups * 8 * typesize;
    dst[covered..].copy_from_slice(&src[covered..]);
    let (src, dst) = (&src[..covered], &mut dst[..covered]);
    match groups {
        0 => {}
        1..COLUMNS => with_typesize!(typesize, T => few_to_rows::<T>(typesize, src, dst)),
        _ => with_typesize!(typesize, T => to_rows::<T>(typesize, src, dst)),
    }
}

/// Turns bit rows into items.
pub(super) fn bitunshuffle(typesize: usize, src: &[u8], dst: &mut [u8]) {
    let groups = src.len() / typesize / 8;
    let covered = groups * 8 * typesize;
    dst[covered..].copy_from_slice(&src[covered..]);
    let rows = |j: usize| Plane::Bytes(&src[8 * groups * j..8 * groups * (j + 1)]);
    from_planes(typesize, rows, &mut dst[..covered]);
}

/// As [`bitunshuffle`], out of separate planes.
pub(super) fn bitunshuffle_planes(planes: &[Plane<'_>], tail: &[u8], dst: &mut [u8]) {
    let typesize = planes.len();
    let items = dst.len() / typesize;
    if !items.is_multiple_of(8) {
        // The planes cut the rows anywhere.
        return scalar::bitunshuffle_planes_from(planes, 0, tail, dst);
    }
    let (dst, dst_tail) = dst.split_at_mut(items * typesize);
    dst_tail.copy_from_slice(tail);
    from_planes(typesize, |j| planes[j], dst);
}

/// `rows(j)` is the eight rows of byte `j`.
#[inline(always)]
fn from_planes<'a>(typesize: usize, rows: impl Fn(usize) -> Plane<'a>, dst: &mut [u8]) {
    match dst.len() / typesize / 8 {
        0 => {}
        1..COLUMNS => with_typesize!(typesize, T => few_from_rows::<T>(typesize, rows, dst)),
        _ => with_typesize!(typesize, T => from_rows::<T>(typesize, rows, dst)),
    }
}

/// Eight groups or more.
fn to_rows<const T: usize>(typesize: usize, src: &[u8], dst: &mut [u8]) {
    let typesize = if T > 0 { T } else { typesize };
    let groups = src.len() / typesize / 8;
    let width = PIECE.min(typesize);
    let mut tile = [0; TILE];
    for first in columns(groups) {
        let block = &src[first * 8 * typesize..][..64 * typesize];
        for at in pieces(typesize) {
            for (line, to) in tile.as_chunks_mut::<8>().0[..width].iter_mut().enumerate() {
                let mut words = [0; 8];
                for (g, word) in words.iter_mut().enumerate() {
                    *word = load(block, g * 8 * typesize + line_offset(typesize, at, line));
                }
                *to = transpose_bytes(words);
            }
            let rows = &mut dst[at * 8 * groups..][..width * 8 * groups];
            for (j, rows) in rows.chunks_exact_mut(8 * groups).enumerate() {
                let mut words = [0; 8];
                for (i, word) in words.iter_mut().enumerate() {
                    *word = tile[i * width + j];
                }
                for (k, word) in transpose_bits(words).into_iter().enumerate() {
                    store(word, rows, k * groups + first);
                }
            }
        }
    }
}

/// The inverse of [`to_rows`].
#[inline(always)]
fn from_rows<'a, const T: usize>(
    typesize: usize,
    rows: impl Fn(usize) -> Plane<'a>,
    dst: &mut [u8],
) {
    let typesize = if T > 0 { T } else { typesize };
    let groups = dst.len() / typesize / 8;
    let width = PIECE.min(typesize);
    let mut tile = [0; TILE];
    for first in columns(groups) {
        let block = &mut dst[first * 8 * typesize..][..64 * typesize];
        for at in pieces(typesize) {
            for j in 0..width {
                let mut words = [0; 8];
                match rows(at + j) {
                    Plane::Bytes(rows) => {
                        let rows = &rows[..8 * groups];
                        for (k, word) in words.iter_mut().enumerate() {
                            *word = load(rows, k * groups + first);
                        }
                    }
                    Plane::Constant(byte) => words = [u64::from_ne_bytes([byte; 8]); 8],
                }
                for (i, word) in transpose_bits(words).into_iter().enumerate() {
                    tile[i * width + j] = word;
                }
            }
            for (line, from) in tile.as_chunks::<8>().0[..width].iter().enumerate() {
                for (g, word) in transpose_bytes(*from).into_iter().enumerate() {
                    store(
                        word,
                        block,
                        g * 8 * typesize + line_offset(typesize, at, line),
                    );
                }
            }
        }
    }
}

/// One to seven groups.
fn few_to_rows<const T: usize>(typesize: usize, src: &[u8], dst: &mut [u8]) {
    let typesize = if T > 0 { T } else { typesize };
    let groups = src.len() / typesize / 8;
    let width = PIECE.min(typesize);
    // Word `g` of square `j`: byte `j` of the items of group `g`, transposed.
    let mut squares = [[0; COLUMNS]; PIECE];
    for at in pieces(typesize) {
        for (g, items) in src.chunks_exact(8 * typesize).enumerate() {
            let planes = gather_padded::<T>(typesize, items, at);
            for (square, plane) in squares[..width].iter_mut().zip(planes) {
                square[g] = transpose8(plane);
            }
        }
        let rows = &mut dst[at * 8 * groups..][..width * 8 * groups];
        for (square, rows) in squares.iter().zip(rows.chunks_exact_mut(8 * groups)) {
            interleave(square, rows);
        }
    }
}

/// The inverse of [`few_to_rows`].
#[inline(always)]
fn few_from_rows<'a, const T: usize>(
    typesize: usize,
    rows: impl Fn(usize) -> Plane<'a>,
    dst: &mut [u8],
) {
    let typesize = if T > 0 { T } else { typesize };
    let groups = dst.len() / typesize / 8;
    let width = PIECE.min(typesize);
    let mut squares = [[0; COLUMNS]; PIECE];
    for at in pieces(typesize) {
        for (j, square) in squares[..width].iter_mut().enumerate() {
            *square = match rows(at + j) {
                Plane::Bytes(rows) => deinterleave(&rows[..8 * groups]),
                Plane::Constant(byte) => [u64::from_ne_bytes([byte; 8]); COLUMNS],
            };
        }
        for (g, items) in dst.chunks_exact_mut(8 * typesize).enumerate() {
            let mut planes = [0; PIECE];
            for (plane, square) in planes.iter_mut().zip(&squares[..width]) {
                *plane = transpose8(square[g]);
            }
            scatter_padded::<T>(typesize, planes, items, at);
        }
    }
}

/// [`gather`] of exactly eight items.
#[inline(always)]
fn gather_padded<const T: usize>(typesize: usize, items: &[u8], at: usize) -> [u64; PIECE] {
    if items.len() < reach(typesize, at) {
        let mut padded = [0; 8 * PIECE];
        padded[..items.len()].copy_from_slice(items);
        return gather::<T>(typesize, &padded, at);
    }
    gather::<T>(typesize, items, at)
}

/// [`scatter`] to exactly eight items.
#[inline(always)]
fn scatter_padded<const T: usize>(
    typesize: usize,
    planes: [u64; PIECE],
    items: &mut [u8],
    at: usize,
) {
    if items.len() < reach(typesize, at) {
        let mut padded = [0; 8 * PIECE];
        scatter::<T>(typesize, planes, &mut padded, at);
        items.copy_from_slice(&padded[..items.len()]);
    } else {
        scatter::<T>(typesize, planes, items, at);
    }
}

/// Byte `k` of word `g` of the square becomes column `g` of row `k`.
///
/// The rows are as long as there are groups, up to seven; words after that are of no use.
#[inline(always)]
fn interleave(square: &[u64; COLUMNS], rows: &mut [u8]) {
    let [a, b, c, d, ..] = *square;
    match rows.len() / 8 {
        1 => store(a, rows, 0),
        2 => {
            for (k, word) in items_of_2([a, b]).into_iter().enumerate() {
                store(word, &mut rows[..16], 8 * k);
            }
        }
        4 => {
            for (k, word) in items_of_4([a, b, c, d]).into_iter().enumerate() {
                store(word, &mut rows[..32], 8 * k);
            }
        }
        groups => {
            // Every row over the unused end of the one before.
            let mut all = [0; 8 * COLUMNS];
            for (k, word) in transpose_bytes(*square).into_iter().enumerate() {
                store(word, &mut all, k * groups);
            }
            rows.copy_from_slice(&all[..8 * groups]);
        }
    }
}

/// The inverse of [`interleave`].
#[inline(always)]
fn deinterleave(rows: &[u8]) -> [u64; COLUMNS] {
    let mut square = [0; COLUMNS];
    match rows.len() / 8 {
        1 => square[0] = load(rows, 0),
        2 => square[..2].copy_from_slice(&planes_of_2([load(rows, 0), load(rows, 8)])),
        4 => {
            let words = [load(rows, 0), load(rows, 8), load(rows, 16), load(rows, 24)];
            square[..4].copy_from_slice(&planes_of_4(words));
        }
        groups => {
            let mut all = [0; 8 * COLUMNS];
            all[..rows.len()].copy_from_slice(rows);
            for (k, word) in square.iter_mut().enumerate() {
                *word = load(&all, k * groups);
            }
            square = transpose_bytes(square);
        }
    }
    square
}
