//! Byte shuffle: a swizzle pads items to the next power of two, unpacks transpose them.
//!
//! A vector has `16 / P` items of up to `P` bytes.

use core::arch::wasm32::{u8x16_swizzle, v128};

use super::{BLOCK, differ, load, rotate, store, subtract, transpose, zero};
use crate::filters::vector::blocks::{Report, exact_by_blocks, shuffle_blocks};
use crate::filters::vector::network::unrolled;
use crate::filters::vector::pieces::shuffle_pieces;
use crate::filters::vector::window::{Adjacent, Rows, RowsMut, window};

/// Whether a large block is written to its planes without a tile.
pub(crate) const fn direct(_: usize, _: usize) -> bool {
    false
}

shuffle_blocks! {
    "simd128", v128, zero, 16, 16,
    [2 2] [3 4] [4 4] [5 8] [6 8] [7 8] [8 8] [9 16] [10 16] [11 16] [12 16] [13 16] [14 16]
    [15 16] [16 16]
}

shuffle_pieces!("simd128", 16);

exact_by_blocks!("simd128", exact_2 2, exact_16 16);

/// For a swizzle: items of `typesize` bytes to items of `p` bytes.
#[expect(clippy::cast_possible_truncation, reason = "at most 15")]
const fn pad(typesize: usize, p: usize) -> [u8; 16] {
    let mut index = [0x80; 16];
    let mut o = 0;
    while o < 16 {
        if o % p < typesize {
            index[o] = (o / p * typesize + o % p) as u8;
        }
        o += 1;
    }
    index
}

/// A block of items: `16 / P` in each vector.
#[target_feature(enable = "simd128")]
#[inline]
pub(crate) fn gather<const T: usize, const P: usize>(items: &[u8]) -> [v128; P] {
    let items = &items[..(P - 1) * (16 / P) * T + 16];
    let mut x = [zero(); P];
    unrolled!(K => if K < P {
        x[K] = load(window(items, K * (16 / P) * T));
    });
    x
}

/// One vector per plane; those from plane `T` on are of no use.
#[target_feature(enable = "simd128")]
#[inline]
pub(crate) fn planes<const T: usize, const P: usize>(mut x: [v128; P]) -> [v128; P] {
    if T < P && P < 16 {
        let index = load(&const { pad(T, P) });
        for x in &mut x {
            *x = u8x16_swizzle(*x, index);
        }
    }
    // Always four rotations: the planes are the low bits of the address.
    let x = transpose::<P, 1>(x);
    let x = if P < 16 { rotate::<P, 1>(x) } else { x };
    let x = if P < 8 { rotate::<P, 1>(x) } else { x };
    if P < 4 { rotate::<P, 1>(x) } else { x }
}

/// Bytes `at..at + 16` of a block of items, one per vector.
#[target_feature(enable = "simd128")]
#[inline]
fn gather_pieces(items: Adjacent<'_>, at: usize) -> [v128; 16] {
    let mut x = [zero(); 16];
    unrolled!(K => {
        x[K] = load(items.row(K, at));
    });
    x
}
