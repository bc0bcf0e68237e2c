//! Bit shuffles of few groups: squares of 8 by 8 bits, two in a register.
//!
//! A plane of the byte shuffle has the same byte of eight items in each half of a register, which
//! is a square of bits. The transposed squares have a row of one column per byte; up to eight of
//! them are rotated (see [`network`](crate::filters::vector::network)) to rows of as many columns:
//!
//! ```text
//! plane, c: group, i: item   c2 c1 | c0 i2 i1 i0   --squares, 3 rotations-->   k2 k1 | k0 c2 c1 c0
//! ```

use core::arch::x86_64::{
    __m128i, _mm_and_si128, _mm_set_epi64x, _mm_set1_epi64x, _mm_setzero_si128, _mm_slli_epi64,
    _mm_srli_epi64, _mm_unpackhi_epi64, _mm_unpacklo_epi8, _mm_xor_si128,
};

use super::{load, rotate, store, transpose};
use crate::filters::plane::Plane;
use crate::filters::vector::bits::expand_constant;
use crate::filters::vector::window::{Adjacent, Rows as _, RowsMut, window, window_mut};

/// Swaps the bits under `mask` with those `SHIFT` places above.
#[target_feature(enable = "sse2")]
#[inline]
fn swap<const SHIFT: i32>(x: __m128i, mask: i64) -> __m128i {
    let differ = _mm_xor_si128(x, _mm_srli_epi64::<SHIFT>(x));
    let differ = _mm_and_si128(differ, _mm_set1_epi64x(mask));
    _mm_xor_si128(x, _mm_xor_si128(differ, _mm_slli_epi64::<SHIFT>(differ)))
}

/// Transposes both squares: bit `c` of byte `r` becomes bit `r` of byte `c`.
#[target_feature(enable = "sse2")]
#[inline]
fn squares(x: __m128i) -> __m128i {
    let x = swap::<7>(x, 0x00AA_00AA_00AA_00AA);
    let x = swap::<14>(x, 0x0000_CCCC_0000_CCCC);
    swap::<28>(x, 0x0000_0000_F0F0_F0F0)
}

/// [`rotate`] of a single register.
#[target_feature(enable = "sse2")]
#[inline]
fn rotate_one(x: __m128i) -> __m128i {
    _mm_unpacklo_epi8(x, _mm_unpackhi_epi64(x, x))
}

/// Squares of `2 * P` groups to rows, of which `8 / P` are in a register.
#[target_feature(enable = "sse2")]
#[inline]
fn to_rows<const P: usize>(x: [__m128i; P]) -> [__m128i; P] {
    if P == 1 {
        return x.map(|x| rotate_one(x));
    }
    let x = rotate::<P, 1>(rotate::<P, 1>(x));
    if P > 2 { rotate::<P, 1>(x) } else { x }
}

/// The inverse of [`to_rows`].
#[target_feature(enable = "sse2")]
#[inline]
fn from_rows<const P: usize>(x: [__m128i; P]) -> [__m128i; P] {
    if P == 1 {
        return x.map(|x| rotate_one(rotate_one(rotate_one(x))));
    }
    rotate::<P, 1>(rotate::<P, 1>(rotate::<P, 1>(x)))
}

/// Evaluates `$call` with `$P` half of the most columns, 2, 4 or 8, of which there are `$groups`.
macro_rules! with_columns {
    ($groups:expr, $P:ident => $call:expr) => {
        match $groups {
            8.. => with_columns!(@ $P = 4, $call),
            4.. => with_columns!(@ $P = 2, $call),
            _ => with_columns!(@ $P = 1, $call),
        }
    };
    (@ $P:ident = $number:literal, $call:expr) => {{
        const $P: usize = $number;
        $call
    }};
}

/// Planes of `8 * groups` bytes, two groups or more, to the eight rows of each.
#[target_feature(enable = "sse2")]
pub(crate) fn planes_to_rows(planes: &[u8], rows: &mut [u8], groups: usize) {
    with_columns!(groups, P => {
        let planes = planes.chunks_exact(8 * groups);
        for (plane, rows) in planes.zip(rows.chunks_exact_mut(8 * groups)) {
            plane_to_rows::<P>(plane, rows, groups);
        }
    });
}

/// One plane of [`planes_to_rows`].
#[target_feature(enable = "sse2")]
#[inline]
fn plane_to_rows<const P: usize>(plane: &[u8], rows: &mut [u8], groups: usize) {
    for next in (0..groups).step_by(2 * P) {
        let first = next.min(groups - 2 * P);
        let mut x = [_mm_setzero_si128(); P];
        for (k, x) in x.iter_mut().enumerate() {
            *x = squares(load(window(plane, 8 * first + 16 * k)));
        }
        let x = to_rows(x);
        if groups == 2 * P {
            for (k, x) in x.into_iter().enumerate() {
                store(x, window_mut(rows, 16 * k));
            }
            return;
        }
        let mut bytes = [[0; 16]; P];
        for (x, bytes) in x.into_iter().zip(&mut bytes) {
            store(x, bytes);
        }
        for (k, columns) in bytes.as_flattened().chunks_exact(2 * P).enumerate() {
            rows[k * groups + first..][..2 * P].copy_from_slice(columns);
        }
    }
}

/// The inverse of [`planes_to_rows`]; `rows(j)` is the eight rows of plane `j`.
#[target_feature(enable = "sse2")]
pub(crate) fn rows_to_planes<'a>(
    rows: impl Fn(usize) -> Plane<'a>,
    planes: &mut [u8],
    groups: usize,
) {
    with_columns!(groups, P => {
        for (j, plane) in planes.chunks_exact_mut(8 * groups).enumerate() {
            match rows(j) {
                Plane::Bytes(rows) => rows_to_plane::<P>(rows, plane, groups),
                Plane::Constant(byte) => expand_constant(byte, plane),
            }
        }
    });
}

/// One plane of [`rows_to_planes`].
#[target_feature(enable = "sse2")]
#[inline]
fn rows_to_plane<const P: usize>(rows: &[u8], plane: &mut [u8], groups: usize) {
    for next in (0..groups).step_by(2 * P) {
        let first = next.min(groups - 2 * P);
        let mut x = [_mm_setzero_si128(); P];
        for (k, x) in x.iter_mut().enumerate() {
            *x = if groups == 2 * P {
                load(window(rows, 16 * k))
            } else {
                let half = |h| columns::<P>(rows, groups, first, 2 * k + h);
                _mm_set_epi64x(half(1), half(0))
            };
        }
        for (k, x) in from_rows(x).into_iter().enumerate() {
            store(squares(x), window_mut(plane, 8 * first + 16 * k));
        }
    }
}

/// Half a register of rows: `2 * P` columns from `first` on of each.
#[inline(always)]
fn columns<const P: usize>(rows: &[u8], groups: usize, first: usize, half: usize) -> i64 {
    let mut bytes = [0; 8];
    let row = half * 4 / P;
    for (i, columns) in bytes.chunks_exact_mut(2 * P).enumerate() {
        columns.copy_from_slice(&rows[(row + i) * groups + first..][..2 * P]);
    }
    i64::from_le_bytes(bytes)
}

/// A single group of items of 16 bytes or more.
///
/// Three rotations of 16 bytes of each item put two planes into a register, whose rows are single
/// bytes.
#[target_feature(enable = "sse2")]
pub(crate) fn group_to_rows(items: &[u8], rows: &mut [u8]) {
    let typesize = items.len() / 8;
    let items = Adjacent::new(items, 8);
    for next in (0..typesize).step_by(16) {
        let at = next.min(typesize - 16);
        let mut x = [_mm_setzero_si128(); 8];
        for (i, x) in x.iter_mut().enumerate() {
            *x = load(items.row(i, at));
        }
        for (m, x) in transpose::<8, 1>(x).into_iter().enumerate() {
            store(squares(x), window_mut(rows, 8 * at + 16 * m));
        }
    }
}

/// The inverse of [`group_to_rows`]; `rows(j)` is the eight rows of byte `j`.
#[target_feature(enable = "sse2")]
pub(crate) fn rows_to_group<'a>(rows: impl Fn(usize) -> Plane<'a>, items: &mut [u8]) {
    let typesize = items.len() / 8;
    let mut items = RowsMut::new(items, 8);
    let rows = |j| match rows(j) {
        Plane::Bytes(rows) => i64::from_le_bytes(*window(rows, 0)),
        Plane::Constant(byte) => i64::from_ne_bytes([byte; 8]),
    };
    for next in (0..typesize).step_by(16) {
        let at = next.min(typesize - 16);
        let mut x = [_mm_setzero_si128(); 8];
        for (m, x) in x.iter_mut().enumerate() {
            let j = at + 2 * m;
            *x = squares(_mm_set_epi64x(rows(j + 1), rows(j)));
        }
        // Seven rotations are the full circle.
        let x = rotate::<8, 1>(transpose::<8, 1>(x));
        for (i, x) in x.into_iter().enumerate() {
            store(x, items.row(i, at));
        }
    }
}
