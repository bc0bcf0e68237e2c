//! The scan for a run of one byte.

use core::arch::x86_64::{_mm512_set1_epi8, _mm512_setzero_si512};

use super::{differ, is_zero, load};
use crate::filters::vector::repeat::repeat;
use crate::filters::vector::window::window;

repeat!(
    "avx512f,avx512bw,avx512vl,avx512vbmi",
    64,
    _mm512_setzero_si512,
    _mm512_set1_epi8
);
