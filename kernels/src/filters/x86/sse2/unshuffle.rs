//! Byte unshuffle: the networks of [`shuffle`](super::shuffle), inverted.

use core::arch::x86_64::{__m128i, _mm_setzero_si128};

use super::{BLOCK, load, store, transpose};
use crate::filters::vector::blocks::{exact_by_blocks, unshuffle_blocks};
use crate::filters::vector::network::unrolled;
use crate::filters::vector::pieces::unshuffle_pieces;
use crate::filters::vector::window::{Rows, RowsMut, window_mut};

unshuffle_blocks! {
    "sse2", __m128i, _mm_setzero_si128, 16, 16,
    [2 2] [3 16] [4 4] [5 16] [6 16] [7 16] [8 8] [9 16] [10 16] [11 16] [12 16] [13 16] [14 16]
    [15 16] [16 16]
}

exact_by_blocks!("sse2", exact_2 2);

unshuffle_pieces!("sse2", _mm_setzero_si128);

/// One vector per plane to `16 / P` items per vector.
#[target_feature(enable = "sse2")]
#[inline]
pub(crate) fn items<const T: usize, const P: usize>(x: [__m128i; P]) -> [__m128i; P] {
    transpose::<P, 1>(x)
}

/// Stores a block of items, each vector over the unused end of the one before.
#[target_feature(enable = "sse2")]
#[inline]
pub(crate) fn scatter<const T: usize, const P: usize>(x: [__m128i; P], items: &mut [u8]) {
    let items = &mut items[..(P - 1) * (16 / P) * T + 16];
    unrolled!(K => if K < P {
        store(x[K], window_mut(items, K * (16 / P) * T));
    });
}

/// Bytes `at..at + 16` of a block of items, one per vector.
#[target_feature(enable = "sse2")]
#[inline]
fn scatter_pieces(x: [__m128i; 16], mut items: RowsMut<'_>, at: usize) {
    unrolled!(K => {
        store(x[K], items.row(K, at));
    });
}
