//! The 8x8 bit transpose with `gf2p8affineqb`, the data as the matrix.
//!
//! `gf2p8affineqb(x, A)` multiplies every byte of `x` with the 8x8 bit matrix in the same 64-bit
//! lane of `A`: bit `i` of the product is the parity of `x` AND byte `7 - i` of the lane. With
//! `x = 1 << k` in byte `k`, the product's byte `k` collects bit `k` of all eight bytes: the
//! transpose, except for the order of the bytes, which a byte permutation reverses beforehand.
//!
//! ```text
//! 8 registers of 64 items --reverse, transpose--> lane m = rows 0..8 of group m
//!   --4 rotations of bytes--> register k = row k of 64 groups --vpermb--> in order
//! ```
//!
//! The rotations (see [`network`](crate::filters::vector::network)) run four per cycle; products
//! and permutations between lanes share two ports.

use core::arch::x86_64::{
    __m512i, _mm512_gf2p8affine_epi64_epi8, _mm512_permutexvar_epi8, _mm512_set1_epi64,
    _mm512_shuffle_epi8, _mm512_shuffle_i64x2, _mm512_slli_epi64, _mm512_srli_epi64,
    _mm512_ternarylogic_epi64, _mm512_unpackhi_epi64, _mm512_unpacklo_epi64,
};

use super::{load, rotate, store, transpose as transpose_bytes};
use crate::filters::plane::Plane;
use crate::filters::vector::bits::bit_mask;
use crate::filters::vector::window::{Adjacent, Rows as _, RowsMut, window, window_mut};

/// Whether bits move between registers: for large items whose size
/// [`bit_blocks`](super::bit_blocks) does not know at compile time. All others gain from the matrix
/// product.
pub(crate) const fn across(typesize: usize) -> bool {
    typesize > 16 && !matches!(typesize, 24 | 32 | 64)
}

crate::filters::vector::across::transpose_across!("avx512f", 64, __m512i);

/// Swaps the high `SHIFT` bits of every `2 * SHIFT` of `low` with the low ones of `high`.
#[target_feature(enable = "avx512f")]
#[inline]
fn swap<const SHIFT: u32>(low: &mut __m512i, high: &mut __m512i) {
    let mask = _mm512_set1_epi64(
        const {
            match SHIFT {
                4 => 0x0F0F_0F0F_0F0F_0F0F,
                2 => 0x3333_3333_3333_3333,
                _ => 0x5555_5555_5555_5555,
            }
        },
    );
    let (a, b) = (*low, *high);
    // Where the mask is 1 the second, else the third.
    *low = _mm512_ternarylogic_epi64::<0xCA>(mask, a, _mm512_slli_epi64::<SHIFT>(b));
    *high = _mm512_ternarylogic_epi64::<0xCA>(mask, _mm512_srli_epi64::<SHIFT>(a), b);
}

/// The order of columns after four rotations of eight registers, to ascending order.
const REORDER: [u8; 64] = reorder(false);
/// The inverse of [`REORDER`].
const REORDER_INVERSE: [u8; 64] = reorder(true);
/// Reverses every eight bytes.
const REVERSE: [u8; 64] = reverse();

const fn reorder(inverse: bool) -> [u8; 64] {
    let mut index = [0; 64];
    let mut at: u8 = 0;
    while at < 64 {
        // Lane `at % 8 / 2`, byte `at % 2` of the pair that register `at / 8` left there.
        let from = 16 * (at % 8 / 2) + 2 * (at / 8) + at % 2;
        if inverse {
            index[from as usize] = at;
        } else {
            index[at as usize] = from;
        }
        at += 1;
    }
    index
}

const fn reverse() -> [u8; 64] {
    let mut index = [0; 64];
    let mut at: u8 = 0;
    while at < 64 {
        index[at as usize] = at % 16 / 8 * 8 + (7 - at % 8);
        at += 1;
    }
    index
}

/// Byte `k` of every lane is `1 << k`.
pub(super) const UNIT: i64 = i64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, 128]);

/// Lane `k` of register `m` becomes lane `m` of register `k`.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn transpose_lanes(r: [__m512i; 8]) -> [__m512i; 8] {
    // Pairs of lanes, then quarters of registers.
    let lo = [
        _mm512_unpacklo_epi64(r[0], r[1]),
        _mm512_unpacklo_epi64(r[2], r[3]),
        _mm512_unpacklo_epi64(r[4], r[5]),
        _mm512_unpacklo_epi64(r[6], r[7]),
    ];
    let hi = [
        _mm512_unpackhi_epi64(r[0], r[1]),
        _mm512_unpackhi_epi64(r[2], r[3]),
        _mm512_unpackhi_epi64(r[4], r[5]),
        _mm512_unpackhi_epi64(r[6], r[7]),
    ];
    let [r0, r2, r4, r6] = transpose_quarters(lo);
    let [r1, r3, r5, r7] = transpose_quarters(hi);
    [r0, r1, r2, r3, r4, r5, r6, r7]
}

/// Quarter `k` of register `m` becomes quarter `m` of register `k`.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn transpose_quarters(r: [__m512i; 4]) -> [__m512i; 4] {
    let a = _mm512_shuffle_i64x2::<0b01_00_01_00>(r[0], r[1]);
    let b = _mm512_shuffle_i64x2::<0b11_10_11_10>(r[0], r[1]);
    let c = _mm512_shuffle_i64x2::<0b01_00_01_00>(r[2], r[3]);
    let d = _mm512_shuffle_i64x2::<0b11_10_11_10>(r[2], r[3]);
    [
        _mm512_shuffle_i64x2::<0b10_00_10_00>(a, c),
        _mm512_shuffle_i64x2::<0b11_01_11_01>(a, c),
        _mm512_shuffle_i64x2::<0b10_00_10_00>(b, d),
        _mm512_shuffle_i64x2::<0b11_01_11_01>(b, d),
    ]
}

/// Plane bytes, eight per column, into columns of eight rows from `first` on.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
pub(crate) fn plane_to_rows(plane: &[u8], rows: &mut [u8], first: usize) {
    let unit = _mm512_set1_epi64(UNIT);
    let (reorder, reverse) = (load(&REORDER), load(&REVERSE));
    let mut rows = RowsMut::new(rows, 8);
    for (step, bytes) in plane.as_chunks::<512>().0.iter().enumerate() {
        let mut r = [unit; 8];
        for (k, r) in r.iter_mut().enumerate() {
            let reversed = _mm512_shuffle_epi8(load(window(bytes, 64 * k)), reverse);
            *r = _mm512_gf2p8affine_epi64_epi8::<0>(unit, reversed);
        }
        let r = rotate::<8, 1>(transpose_bytes::<8, 1>(r));
        let mut walk = rows.walk(0, 8, first + 64 * step);
        for r in r {
            store(_mm512_permutexvar_epi8(reorder, r), walk.step());
        }
    }
}

/// Columns of eight rows from `first` on into plane bytes.
///
/// The rows are read in reverse, as the bit transpose expects.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
pub(crate) fn rows_to_plane(rows: &[u8], first: usize, plane: &mut [u8]) {
    let unit = _mm512_set1_epi64(UNIT);
    let reorder_inverse = load(&REORDER_INVERSE);
    let rows = Adjacent::new(rows, 8);
    for (step, to) in plane.as_chunks_mut::<512>().0.iter_mut().enumerate() {
        let mut r = [unit; 8];
        for (k, r) in r.iter_mut().enumerate() {
            let row = load(rows.row(7 - k, first + 64 * step));
            *r = _mm512_permutexvar_epi8(reorder_inverse, row);
        }
        for (k, r) in transpose_bytes::<8, 1>(r).into_iter().enumerate() {
            store(
                _mm512_gf2p8affine_epi64_epi8::<0>(unit, r),
                window_mut(to, 64 * k),
            );
        }
    }
}
