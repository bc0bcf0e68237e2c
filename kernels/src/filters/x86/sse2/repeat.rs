//! The scan for a run of one byte.

use core::arch::x86_64::{
    __m128i, _mm_cmpeq_epi8, _mm_movemask_epi8, _mm_set1_epi8, _mm_setzero_si128,
};

use super::load;
use super::shuffle::differ;
use crate::filters::vector::repeat::repeat;
use crate::filters::vector::window::window;

repeat!("sse2", 16, _mm_setzero_si128, _mm_set1_epi8);

#[target_feature(enable = "sse2")]
#[inline]
fn is_zero(x: __m128i) -> bool {
    _mm_movemask_epi8(_mm_cmpeq_epi8(x, _mm_setzero_si128())) == 0xFFFF
}
