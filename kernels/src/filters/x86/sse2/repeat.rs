//! The scan for a run of one byte.

use core::arch::x86_64::{_mm_set1_epi8, _mm_setzero_si128};

use super::{differ, is_zero, load};
use crate::filters::vector::repeat::repeat;
use crate::filters::vector::window::window;

repeat!("sse2", 16, _mm_setzero_si128, _mm_set1_epi8);
