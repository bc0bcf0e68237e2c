//! The scan for a run of one byte.

use core::arch::wasm32::i8x16_splat;

use super::{differ, is_zero, load, zero};
use crate::filters::vector::repeat::repeat;
use crate::filters::vector::window::window;

repeat!("simd128", 16, zero, i8x16_splat);
