//! The 8x8 bit transpose with `gf2p8affineqb`, the data as the matrix, on 32 bytes.
//!
//! As in [`avx512::bits`](crate::filters::x86::avx512::bits), but each of the two lanes has 16
//! columns of its own, those of the second one 16 columns later, so that no byte moves between
//! them:
//!
//! ```text
//! 8 registers of 32 items --reverse, transpose--> half of a lane = rows 0..8 of a group
//!   --4 rotations of bytes--> register k = row k of 32 groups
//! ```

use core::arch::x86_64::{
    __m256i, _mm256_castsi128_si256, _mm256_castsi256_si128, _mm256_extracti128_si256,
    _mm256_gf2p8affine_epi64_epi8, _mm256_inserti128_si256, _mm256_set1_epi64x,
    _mm256_setzero_si256, _mm256_shuffle_epi8,
};

use crate::filters::vector::window::{Adjacent, RowsMut, window, window_mut};
use crate::filters::x86::avx2::{load, rotate, store, transpose};
use crate::filters::x86::sse2;

// Tiles as of AVX2: bits of large items move between registers.
pub(crate) use crate::filters::x86::avx2::bits::{rows_to_tile, tile_to_rows};

/// Whether bits move between registers: from this size on the product gains nothing.
pub(crate) const fn across(typesize: usize) -> bool {
    typesize > 16
}

/// Byte `k` of every half of a lane is `1 << k`.
const UNIT: i64 = i64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, 128]);

/// Reverses every eight bytes.
const REVERSE: [u8; 32] = {
    let mut index = [0; 32];
    let mut at: u8 = 0;
    while at < 32 {
        index[at as usize] = at % 16 / 8 * 8 + (7 - at % 8);
        at += 1;
    }
    index
};

/// Plane bytes, eight per column, into columns of eight rows from `first` on.
#[target_feature(enable = "avx2,gfni")]
pub(crate) fn plane_to_rows(plane: &[u8], rows: &mut [u8], first: usize) {
    let (unit, reverse) = (_mm256_set1_epi64x(UNIT), load(&REVERSE));
    let mut rows = RowsMut::new(rows, 8);
    for (step, bytes) in plane.as_chunks::<256>().0.iter().enumerate() {
        let mut r: [__m256i; 8] = [_mm256_setzero_si256(); 8];
        for (k, r) in r.iter_mut().enumerate() {
            let low = _mm256_castsi128_si256(sse2::load(window(bytes, 16 * k)));
            let x = _mm256_inserti128_si256::<1>(low, sse2::load(window(bytes, 128 + 16 * k)));
            *r = _mm256_gf2p8affine_epi64_epi8::<0>(unit, _mm256_shuffle_epi8(x, reverse));
        }
        let r = rotate::<8, 1>(transpose::<8, 1>(r));
        let mut walk = rows.walk(0, 8, first + 32 * step);
        for r in r {
            store(r, walk.step());
        }
    }
}

/// Columns of eight rows from `first` on into plane bytes.
///
/// The rows are read in reverse, as the bit transpose expects.
#[target_feature(enable = "avx2,gfni")]
pub(crate) fn rows_to_plane(rows: &[u8], first: usize, plane: &mut [u8]) {
    let unit = _mm256_set1_epi64x(UNIT);
    let rows = Adjacent::new(rows, 8);
    for (step, to) in plane.as_chunks_mut::<256>().0.iter_mut().enumerate() {
        let mut r: [__m256i; 8] = [_mm256_setzero_si256(); 8];
        let mut walk = rows.walk(0, 8, first + 32 * step);
        for r in r.iter_mut().rev() {
            *r = load(walk.step());
        }
        for (k, r) in transpose::<8, 1>(r).into_iter().enumerate() {
            let x = _mm256_gf2p8affine_epi64_epi8::<0>(unit, r);
            sse2::store(_mm256_castsi256_si128(x), window_mut(to, 16 * k));
            sse2::store(
                _mm256_extracti128_si256::<1>(x),
                window_mut(to, 128 + 16 * k),
            );
        }
    }
}
