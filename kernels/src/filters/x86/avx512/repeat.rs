//! The scan for a run of one byte.

use core::arch::x86_64::{__m512i, _mm512_set1_epi8, _mm512_setzero_si512, _mm512_test_epi64_mask};

use super::load;
use super::shuffle::differ;
use crate::filters::vector::repeat::repeat;
use crate::filters::vector::window::window;

repeat!(
    "avx512f,avx512bw,avx512vl,avx512vbmi",
    64,
    _mm512_setzero_si512,
    _mm512_set1_epi8
);

#[target_feature(enable = "avx512f")]
#[inline]
fn is_zero(x: __m512i) -> bool {
    _mm512_test_epi64_mask(x, x) == 0
}
