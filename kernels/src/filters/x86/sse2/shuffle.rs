//! Byte shuffle, by unpacking alone: SSE2 has no byte permutation.
//!
//! Items of 2, 4, 8 and 16 bytes fill their vectors. Of other sizes each vector holds one item, and
//! the compiler drops the parts of the network for planes they lack.

use core::arch::x86_64::{__m128i, _mm_setzero_si128};

use super::{BLOCK, differ, load, rotate, store, subtract, transpose};
use crate::filters::vector::blocks::{Report, exact_by_blocks, shuffle_blocks};
use crate::filters::vector::network::unrolled;
use crate::filters::vector::pieces::shuffle_pieces;
use crate::filters::vector::window::{Adjacent, Rows, RowsMut, window};

/// Whether a large block is written to its planes without a tile.
pub(crate) const fn direct(_: usize, _: usize) -> bool {
    false
}

shuffle_blocks! {
    "sse2", __m128i, _mm_setzero_si128, 16, 16,
    [2 2] [3 16] [4 4] [5 16] [6 16] [7 16] [8 8] [9 16] [10 16] [11 16] [12 16] [13 16] [14 16]
    [15 16] [16 16]
}

shuffle_pieces!("sse2", 16);

exact_by_blocks!("sse2", exact_2 2, exact_16 16);

/// A block of items: `16 / P` in each vector.
#[target_feature(enable = "sse2")]
#[inline]
pub(crate) fn gather<const T: usize, const P: usize>(items: &[u8]) -> [__m128i; P] {
    let items = &items[..(P - 1) * (16 / P) * T + 16];
    let mut x = [_mm_setzero_si128(); P];
    unrolled!(K => if K < P {
        x[K] = load(window(items, K * (16 / P) * T));
    });
    x
}

/// One vector per plane; those from plane `T` on are unused.
#[target_feature(enable = "sse2")]
#[inline]
pub(crate) fn planes<const T: usize, const P: usize>(x: [__m128i; P]) -> [__m128i; P] {
    // Always four rotations: the planes are the low bits of the address in a lane.
    let x = transpose::<P, 1>(x);
    let x = if P < 16 { rotate::<P, 1>(x) } else { x };
    let x = if P < 8 { rotate::<P, 1>(x) } else { x };
    if P < 4 { rotate::<P, 1>(x) } else { x }
}

/// Bytes `at..at + 16` of a block of items, one per vector.
#[target_feature(enable = "sse2")]
#[inline]
fn gather_pieces(items: Adjacent<'_>, at: usize) -> [__m128i; 16] {
    let mut x = [_mm_setzero_si128(); 16];
    unrolled!(K => {
        x[K] = load(items.row(K, at));
    });
    x
}
