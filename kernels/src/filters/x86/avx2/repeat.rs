//! The scan for a run of one byte.

use core::arch::x86_64::{__m256i, _mm256_set1_epi8, _mm256_setzero_si256, _mm256_testz_si256};

use super::load;
use super::shuffle::differ;
use crate::filters::vector::repeat::repeat;
use crate::filters::vector::window::window;

repeat!("avx2", 32, _mm256_setzero_si256, _mm256_set1_epi8);

#[target_feature(enable = "avx2")]
#[inline]
fn is_zero(x: __m256i) -> bool {
    _mm256_testz_si256(x, x) == 1
}
