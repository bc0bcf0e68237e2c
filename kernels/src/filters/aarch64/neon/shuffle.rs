//! Byte shuffle: `tbl` pads items to the next power of two, `vuzp` deinterleaves their bytes.
//!
//! A vector has `16 / P` items of up to `P` bytes. Items of 8 bytes take 24 `vuzp` per
//! 128 bytes. Items of 2, 3 and 4 bytes are for [`interleaved`](super::interleaved).

use core::arch::aarch64::{uint8x16_t, vqtbl1q_u8};

use super::interleaved::shuffle as interleaved;
use super::{BLOCK, differ, load, store, subtract, transpose, untranspose, zero};
use crate::filters::vector::blocks::{Report, exact_by_blocks, shuffle_blocks};
use crate::filters::vector::network::unrolled;
use crate::filters::vector::pieces::shuffle_pieces;
use crate::filters::vector::window::{Adjacent, RowsMut, window};

/// Whether a large block is written to its planes without a tile.
pub(crate) const fn direct(_: usize, _: usize) -> bool {
    false
}

shuffle_blocks! {
    "neon", uint8x16_t, zero, 16, 16,
    [5 8] [6 8] [7 8] [8 8] [9 16] [10 16] [11 16] [12 16] [13 16] [14 16] [15 16] [16 16];
    [2 interleaved] [3 interleaved] [4 interleaved]
}

shuffle_pieces!("neon", 16);

exact_by_blocks!("neon", exact_2 2, exact_16 16);

/// For `tbl`: items of `typesize` bytes to items of `p` bytes.
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
#[target_feature(enable = "neon")]
#[inline]
pub(crate) fn gather<const T: usize, const P: usize>(items: &[u8]) -> [uint8x16_t; P] {
    let items = &items[..(P - 1) * (16 / P) * T + 16];
    let mut x = [zero(); P];
    unrolled!(K => if K < P {
        x[K] = load(window(items, K * (16 / P) * T));
    });
    x
}

/// One vector per plane; those from plane `T` on are of no use.
#[target_feature(enable = "neon")]
#[inline]
pub(crate) fn planes<const T: usize, const P: usize>(mut x: [uint8x16_t; P]) -> [uint8x16_t; P] {
    if T < P && P < 16 {
        let index = load(&const { pad(T, P) });
        for x in &mut x {
            *x = vqtbl1q_u8(*x, index);
        }
    }
    untranspose(x)
}

/// Bytes `at..at + 16` of a block of items, one per vector.
#[target_feature(enable = "neon")]
#[inline]
fn gather_pieces(items: Adjacent<'_>, at: usize) -> [uint8x16_t; 16] {
    let mut x = [zero(); 16];
    let mut walk = items.walk(0, 16, at);
    unrolled!(K => x[K] = load(walk.step()));
    x
}
