//! Bit rows, 16 columns at a time: see [`across`](crate::x86::across).

use core::arch::x86_64::{
    __m128i, _mm_and_si128, _mm_set1_epi8, _mm_slli_epi64, _mm_srli_epi64, _mm_xor_si128,
};

use super::{load, store};
use crate::Plane;
use crate::bits::{Window, expand_constant, pick_rows, pick_tile, pick_tile_mut, split_rows};

crate::x86::across::transpose_across!(
    "sse2",
    16,
    __m128i,
    _mm_xor_si128,
    _mm_and_si128,
    _mm_slli_epi64,
    _mm_srli_epi64,
    _mm_set1_epi8
);
