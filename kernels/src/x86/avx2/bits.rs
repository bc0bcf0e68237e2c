//! The 8x8 bit transpose across eight registers.
//!
//! Register `i` holds a byte of items `i`, `i + 8`, ...; bits move straight up and down between the
//! registers, in three rounds that swap nibbles, pairs and single bits across the diagonal:
//!
//! ```text
//! high half of register i  <-->  low half of register i + 4     (then i + 2, then i + 1)
//! ```

use core::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_set1_epi8, _mm256_slli_epi64, _mm256_srli_epi64,
    _mm256_xor_si256,
};

use super::{load, store};
use crate::Plane;
use crate::bits::{Window, expand_constant, pick_rows, pick_tile, pick_tile_mut, split_rows};

/// Swaps the bits of `low` under `mask << SHIFT` with the bits of `high` under `mask`.
#[target_feature(enable = "avx2")]
#[inline]
fn swap<const SHIFT: i32>(low: &mut __m256i, high: &mut __m256i, mask: i8) {
    let mask = _mm256_set1_epi8(mask);
    let both = _mm256_xor_si256(_mm256_srli_epi64::<SHIFT>(*low), *high);
    let differ = _mm256_and_si256(both, mask);
    *high = _mm256_xor_si256(*high, differ);
    *low = _mm256_xor_si256(*low, _mm256_slli_epi64::<SHIFT>(differ));
}

/// Bit `k` of register `i` becomes bit `i` of register `k`, in every byte.
#[target_feature(enable = "avx2")]
#[inline]
fn transpose(r: &mut [__m256i; 8]) {
    let [a, b, c, d, e, f, g, h] = r;
    for (low, high) in [
        (&mut *a, &mut *e),
        (&mut *b, &mut *f),
        (&mut *c, &mut *g),
        (&mut *d, &mut *h),
    ] {
        swap::<4>(low, high, 0x0F);
    }
    for (low, high) in [
        (&mut *a, &mut *c),
        (&mut *b, &mut *d),
        (&mut *e, &mut *g),
        (&mut *f, &mut *h),
    ] {
        swap::<2>(low, high, 0x33);
    }
    for (low, high) in [(a, b), (c, d), (e, f), (g, h)] {
        swap::<1>(low, high, 0x55);
    }
}

/// Rows `i * typesize + j` of a tile into the eight bit rows of byte `j`.
#[target_feature(enable = "avx2")]
pub(crate) fn to_rows(typesize: usize, j: usize, tile: &[u8], rows: &mut [u8], window: Window) {
    let from = pick_tile(typesize, j, tile, window);
    let mut to = split_rows(rows, window);
    transpose_all(from, &mut to);
}

/// The eight bit rows of byte `j` into rows `i * typesize + j` of a tile.
#[target_feature(enable = "avx2")]
pub(crate) fn from_rows(
    typesize: usize,
    j: usize,
    rows: Plane<'_>,
    tile: &mut [u8],
    window: Window,
) {
    let mut to = pick_tile_mut(typesize, j, tile, window);
    match rows {
        Plane::Bytes(bytes) => transpose_all(pick_rows(bytes, window), &mut to),
        Plane::Constant(byte) => expand_constant(byte, &mut to),
    }
}

/// Transposes whole columns of eight rows.
#[target_feature(enable = "avx2")]
#[inline]
fn transpose_all(from: [&[u8]; 8], to: &mut [&mut [u8]; 8]) {
    let from = from.map(|row| row.as_chunks::<32>().0);
    let [a, b, c, d, e, f, g, h] = to;
    let to = [a, b, c, d, e, f, g, h].map(|row| row.as_chunks_mut::<32>().0);
    let steps = from[0].len();
    let from = from.map(|row| &row[..steps]);
    let mut to = to.map(|row| &mut row[..steps]);
    for step in 0..steps {
        let mut r = from.map(|row| load(&row[step]));
        transpose(&mut r);
        for (row, r) in to.iter_mut().zip(r) {
            store(r, &mut row[step]);
        }
    }
}
