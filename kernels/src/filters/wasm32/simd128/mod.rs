//! The simd128 kernels: safe functions over arrays of 16 bytes.
//!
//! Nothing here is unsafe: a vector is its bytes, to the compiler as well. The networks are those
//! of SSE2, from unpacks alone: engines translate these to one instruction on x86 and on ARM, other
//! shuffles of two vectors to three or more on x86.

pub(crate) mod adler32;
pub(crate) mod bits;
pub(crate) mod delta;
pub(crate) mod repeat;
pub(crate) mod shuffle;
pub(crate) mod unshuffle;

use core::arch::wasm32::{
    i8x16_shuffle, u8x16_splat, u8x16_sub, v128, v128_any_true, v128_or, v128_xor,
};

use crate::filters::vector::network::network;

/// Items per block: as many as a vector has bytes.
pub(crate) const BLOCK: usize = 16;

network! { "simd128", v128, zero, 16, [1 lower upper] }

/// 16 zeros.
#[target_feature(enable = "simd128")]
#[inline]
pub(crate) fn zero() -> v128 {
    u8x16_splat(0)
}

/// The first eight bytes of `a` and `b`, in turn.
#[target_feature(enable = "simd128")]
#[inline]
fn lower(a: v128, b: v128) -> v128 {
    i8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a, b)
}

/// The last eight bytes of `a` and `b`, in turn.
#[target_feature(enable = "simd128")]
#[inline]
fn upper(a: v128, b: v128) -> v128 {
    i8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a, b)
}

/// The 16 bytes of `from`.
#[target_feature(enable = "simd128")]
#[inline]
pub(crate) fn load(from: &[u8; 16]) -> v128 {
    bytemuck::cast(*from)
}

/// Writes `vector` to the 16 bytes of `to`.
#[target_feature(enable = "simd128")]
#[inline]
pub(crate) fn store(vector: v128, to: &mut [u8; 16]) {
    *to = bytemuck::cast(vector);
}

/// `seen | (a ^ b)`.
#[target_feature(enable = "simd128")]
#[inline]
pub(crate) fn differ(seen: v128, a: v128, b: v128) -> v128 {
    v128_or(seen, v128_xor(a, b))
}

/// `a - b`, byte by byte.
#[target_feature(enable = "simd128")]
#[inline]
pub(crate) fn subtract(a: v128, b: v128) -> v128 {
    u8x16_sub(a, b)
}

/// Whether all bits are 0.
#[target_feature(enable = "simd128")]
#[inline]
pub(crate) fn is_zero(x: v128) -> bool {
    !v128_any_true(x)
}
