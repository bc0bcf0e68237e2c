//! The scan for a run of one byte.

use core::arch::x86_64::{_mm256_set1_epi8, _mm256_setzero_si256};

use super::{differ, is_zero, load};
use crate::filters::vector::repeat::repeat;
use crate::filters::vector::window::window;

repeat!("avx2", 32, _mm256_setzero_si256, _mm256_set1_epi8);
