//! Bit shuffles of blocks in the first-level cache, 32 columns at a time.
//!
//! On a Zen 3 the network of the bytes is bound by the two ports that permute, the transposition of
//! the bits by all four that compute. So the bytes of the next block are moved beside the bits of
//! this one: 16 bytes of each of its columns for every two bytes of an item. Two tiles of 32
//! columns are enough, in place of one that takes half of the cache.

use core::arch::x86_64::{
    _mm256_castsi128_si256, _mm256_inserti128_si256, _mm256_setzero_si256, _mm256_unpackhi_epi8,
    _mm256_unpacklo_epi8,
};

use super::bits::transpose;
use super::{BLOCK, load, store, transpose_8};
use crate::filters::plane::Plane;
use crate::filters::vector::bits::bit_mask;
use crate::filters::vector::network::unrolled;
use crate::filters::vector::scratch::Scratch;
use crate::filters::vector::window::{Adjacent, Rows as _, RowsMut, window};
use crate::filters::x86::sse2;

/// The largest item in bytes.
const MOST: usize = 16;

/// 32 columns of items of up to 16 bytes: byte `j` of item `i` of each is at `typesize * i + j`.
type Tile = [[u8; BLOCK]; 8 * MOST];

/// The lines of two tiles.
const LINES: usize = 2 * size_of::<Tile>() / 64;

/// Whether these loops serve items of `typesize` bytes in blocks of `len`.
///
/// Rows of large blocks are so far apart that they share sets of the cache: lines are left before
/// they are whole. There a tile of many columns is faster.
pub(crate) const fn serve(typesize: usize, len: usize) -> bool {
    match typesize {
        2 => len <= 32 << 10,
        4 | 8 | 16 => len <= 64 << 10,
        _ => false,
    }
}

/// [`serve`] for the inverse, whose pieces have 32 bytes.
pub(crate) const fn inverse_serves(typesize: usize, len: usize) -> bool {
    typesize > 2 && serve(typesize, len)
}

/// The first columns of the blocks that cover `groups`, at least [`BLOCK`]; the last one overlaps.
#[inline(always)]
fn blocks(groups: usize) -> impl Iterator<Item = usize> {
    (0..groups)
        .step_by(BLOCK)
        .map(move |first| first.min(groups - BLOCK))
}

/// Groups of eight items, at least [`BLOCK`] of them and nothing else, to rows.
#[target_feature(enable = "avx2")]
pub(crate) fn to_rows(typesize: usize, src: &[u8], dst: &mut [u8]) {
    match typesize {
        2 => items_to_rows::<2>(src, dst),
        4 => items_to_rows::<4>(src, dst),
        8 => items_to_rows::<8>(src, dst),
        _ => items_to_rows::<16>(src, dst),
    }
}

/// Rows to groups of eight items, at least [`BLOCK`] of them and nothing else.
#[target_feature(enable = "avx2")]
pub(crate) fn from_rows<'a>(typesize: usize, rows: impl Fn(usize) -> Plane<'a>, dst: &mut [u8]) {
    match typesize {
        4 => rows_to_items::<4>(rows, dst),
        8 => rows_to_items::<8>(rows, dst),
        _ => rows_to_items::<16>(rows, dst),
    }
}

/// [`to_rows`] for items of `T` bytes.
#[target_feature(enable = "avx2")]
#[inline(never)]
fn items_to_rows<const T: usize>(src: &[u8], dst: &mut [u8]) {
    let mut tiles = Scratch::<LINES>::new();
    let (mut this, mut other) = two_tiles(&mut tiles);
    let groups = src.len() / (8 * T);
    let mut rows = RowsMut::new(dst, 8 * T);
    let mut blocks = blocks(groups);
    let mut before = None;
    loop {
        let next = blocks.next();
        for k in 0..T / 2 {
            if let Some(first) = next {
                let items = &src[first * 8 * T..][..BLOCK * 8 * T];
                piece_to_tile(items, k, other);
            }
            if let Some(first) = before {
                tile_to_rows::<T>(this, 2 * k, &mut rows, first);
                tile_to_rows::<T>(this, 2 * k + 1, &mut rows, first);
            }
        }
        if next.is_none() {
            return;
        }
        before = next;
        (this, other) = (other, this);
    }
}

/// [`from_rows`] for items of `T` bytes.
#[target_feature(enable = "avx2")]
#[inline(never)]
fn rows_to_items<'a, const T: usize>(rows: impl Fn(usize) -> Plane<'a>, dst: &mut [u8]) {
    let mut tiles = Scratch::<LINES>::new();
    let (mut this, mut other) = two_tiles(&mut tiles);
    let mut blocks = blocks(dst.len() / (8 * T));
    let mut before = None;
    loop {
        let next = blocks.next();
        for k in 0..T / 2 {
            if let Some(first) = next {
                rows_to_tile::<T>(rows(2 * k), first, 2 * k, other);
                rows_to_tile::<T>(rows(2 * k + 1), first, 2 * k + 1, other);
            }
            if let Some(first) = before {
                let items = &mut dst[first * 8 * T..][..BLOCK * 8 * T];
                tile_to_piece(this, k, items);
            }
        }
        if next.is_none() {
            return;
        }
        before = next;
        (this, other) = (other, this);
    }
}

/// The two tiles of a scratch.
#[inline(always)]
fn two_tiles(scratch: &mut Scratch<LINES>) -> (&mut Tile, &mut Tile) {
    let (this, other) = scratch.lines().split_at_mut(LINES / 2);
    let [this, other] = [this, other].map(|lines| {
        let columns: &mut [[u8; BLOCK]] = lines.as_flattened_mut().as_chunks_mut().0;
        &mut columns.as_chunks_mut().0[0]
    });
    (this, other)
}

/// Transposes 16 vectors of two lanes each, in the order in which few of them are live.
///
/// `lanes` gives the two of vector `J`, and `to` takes each result.
macro_rules! exchange {
    ($j:ident => $lanes:expr; $result:ident => $to:expr) => {
        let (mut lower, mut upper) = ([_mm256_setzero_si256(); 8], [_mm256_setzero_si256(); 8]);
        let vector = |(first, second)| {
            let first = _mm256_castsi128_si256(sse2::load(first));
            _mm256_inserti128_si256::<1>(first, sse2::load(second))
        };
        unrolled!(@ I => {
            let a = { const $j: usize = I; vector($lanes) };
            let b = { const $j: usize = I + 8; vector($lanes) };
            (lower[I], upper[I]) = (_mm256_unpacklo_epi8(a, b), _mm256_unpackhi_epi8(a, b));
        }; 0 1 2 3 4 5 6 7);
        for $result in transpose_8::<1>(lower) {
            $to;
        }
        for $result in transpose_8::<1>(upper) {
            $to;
        }
    };
}

/// Bytes `16 * k..16 * (k + 1)` of 32 groups to as many planes of a tile.
#[target_feature(enable = "avx2")]
#[inline]
fn piece_to_tile(items: &[u8], k: usize, tile: &mut Tile) {
    let items = Adjacent::new(items, BLOCK);
    let mut planes = tile.as_chunks_mut::<16>().0[k].iter_mut();
    exchange!(
        J => (items.row(J, 16 * k), items.row(16 + J, 16 * k));
        x => if let Some(plane) = planes.next() { store(x, plane) }
    );
}

/// 32 planes of a tile, those from `32 * (k / 2)` on, to as many bytes of 16 groups.
///
/// A lane for each half of the bytes, so that the stores, of which one runs at a time, are whole.
#[target_feature(enable = "avx2")]
#[inline]
fn tile_to_piece(tile: &Tile, k: usize, items: &mut [u8]) {
    let (at, half) = (32 * (k / 2), 16 * (k % 2));
    let planes: &[[u8; BLOCK]; 32] = &tile.as_chunks().0[k / 2];
    let mut items = RowsMut::new(items, BLOCK);
    let mut to = items.walk(half, 16, at);
    exchange!(
        J => (window(&planes[J], half), window(&planes[16 + J], half));
        x => store(x, to.step())
    );
}

/// Byte `j` of all items of a tile to its eight rows.
#[target_feature(enable = "avx2")]
#[inline]
fn tile_to_rows<const T: usize>(tile: &Tile, j: usize, rows: &mut RowsMut<'_>, first: usize) {
    let items: &[[[u8; BLOCK]; T]; 8] = &tile.as_chunks().0.as_chunks().0[0];
    let mut r = [_mm256_setzero_si256(); 8];
    for (r, item) in r.iter_mut().zip(items) {
        *r = load(&item[j]);
    }
    transpose(&mut r);
    let mut to = rows.walk(8 * j, 8, first);
    for r in r {
        store(r, to.step());
    }
}

/// The eight rows of byte `j` to that byte of all items of a tile.
#[target_feature(enable = "avx2")]
#[inline]
fn rows_to_tile<const T: usize>(rows: Plane<'_>, first: usize, j: usize, tile: &mut Tile) {
    let items: &mut [[[u8; BLOCK]; T]; 8] = &mut tile.as_chunks_mut().0.as_chunks_mut().0[0];
    let rows = match rows {
        Plane::Bytes(rows) => Adjacent::new(rows, 8),
        Plane::Constant(byte) => {
            for (i, item) in items.iter_mut().enumerate() {
                item[j] = [bit_mask(byte, i); BLOCK];
            }
            return;
        }
    };
    let mut from = rows.walk(0, 8, first);
    let mut r = [_mm256_setzero_si256(); 8];
    for r in &mut r {
        *r = load(from.step());
    }
    transpose(&mut r);
    for (r, item) in r.into_iter().zip(items) {
        store(r, &mut item[j]);
    }
}
