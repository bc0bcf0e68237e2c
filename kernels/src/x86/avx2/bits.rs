//! Bit rows, 32 columns at a time: see [`across`](crate::x86::across).

use core::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_set1_epi8, _mm256_slli_epi64, _mm256_srli_epi64,
    _mm256_xor_si256,
};

use super::{load, store};
use crate::Plane;
use crate::bits::{Window, expand_constant, pick_rows, pick_tile, pick_tile_mut, split_rows};

crate::x86::across::transpose_across!(
    "avx2",
    32,
    __m256i,
    _mm256_xor_si256,
    _mm256_and_si256,
    _mm256_slli_epi64,
    _mm256_srli_epi64,
    _mm256_set1_epi8
);
