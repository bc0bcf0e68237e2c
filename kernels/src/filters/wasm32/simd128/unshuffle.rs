//! Byte unshuffle: unpacks interleave the planes, a swizzle packs items of other sizes than powers
//! of two.

use core::arch::wasm32::{u8x16_swizzle, v128};

use super::{BLOCK, load, store, transpose, zero};
use crate::filters::vector::blocks::{exact_by_blocks, unshuffle_blocks};
use crate::filters::vector::network::unrolled;
use crate::filters::vector::pieces::unshuffle_pieces;
use crate::filters::vector::window::{Rows, RowsMut, window_mut};

unshuffle_blocks! {
    "simd128", v128, zero, 16, 16,
    [2 2] [3 4] [4 4] [5 8] [6 8] [7 8] [8 8] [9 16] [10 16] [11 16] [12 16] [13 16] [14 16]
    [15 16] [16 16]
}

exact_by_blocks!("simd128", exact_2 2);

unshuffle_pieces!("simd128", zero);

/// For a swizzle: items of `p` bytes to items of `typesize` bytes.
#[expect(clippy::cast_possible_truncation, reason = "at most 15")]
const fn pack(typesize: usize, p: usize) -> [u8; 16] {
    let mut index = [0x80; 16];
    let mut o = 0;
    while o < 16 / p * typesize {
        index[o] = (o / typesize * p + o % typesize) as u8;
        o += 1;
    }
    index
}

/// One vector per plane to `16 / P` items per vector.
#[target_feature(enable = "simd128")]
#[inline]
pub(crate) fn items<const T: usize, const P: usize>(x: [v128; P]) -> [v128; P] {
    let mut x = transpose::<P, 1>(x);
    if T < P && P < 16 {
        let index = load(&const { pack(T, P) });
        for x in &mut x {
            *x = u8x16_swizzle(*x, index);
        }
    }
    x
}

/// Stores a block of items, each vector over the unused end of the one before.
#[target_feature(enable = "simd128")]
#[inline]
pub(crate) fn scatter<const T: usize, const P: usize>(x: [v128; P], items: &mut [u8]) {
    let items = &mut items[..(P - 1) * (16 / P) * T + 16];
    unrolled!(K => if K < P {
        store(x[K], window_mut(items, K * (16 / P) * T));
    });
}

/// Bytes `at..at + 16` of a block of items, one per vector.
#[target_feature(enable = "simd128")]
#[inline]
fn scatter_pieces(x: [v128; 16], mut items: RowsMut<'_>, at: usize) {
    unrolled!(K => {
        store(x[K], items.row(K, at));
    });
}
