//! The NEON kernels: safe functions over arrays of 16 bytes.
//!
//! The loads and stores of this file are the only unsafe code of this folder. `vzip` rotates
//! addresses to the left as the unpacks of x86 do (see
//! [`network`](crate::filters::vector::network)); `vuzp` rotates them to the right, for which x86
//! has no instruction. So unshuffle is `log2(P)` rotations of `P` vectors and shuffle as many in
//! the other direction, where SSE2 has to complete the full circle.

pub(crate) mod adler32;
pub(crate) mod bits;
pub(crate) mod delta;
mod interleaved;
pub(crate) mod repeat;
pub(crate) mod shuffle;
pub(crate) mod unshuffle;

use core::arch::aarch64::{
    uint8x16_t, uint8x16x2_t, uint8x16x3_t, uint8x16x4_t, vdupq_n_u8, veorq_u8, vld1q_u8, vld2q_u8,
    vld3q_u8, vld4q_u8, vmaxvq_u32, vorrq_u8, vreinterpretq_u32_u8, vst1q_u8, vst2q_u8, vst3q_u8,
    vst4q_u8, vsubq_u8, vuzp1q_u8, vuzp2q_u8, vzip1q_u8, vzip2q_u8,
};

use crate::filters::vector::network::network;

/// Items per block: as many as a vector has bytes.
pub(crate) const BLOCK: usize = 16;

network! { "neon", uint8x16_t, zero, 32, [1 vzip1q_u8 vzip2q_u8] }

/// 16 zeros.
#[target_feature(enable = "neon")]
#[inline]
pub(crate) fn zero() -> uint8x16_t {
    vdupq_n_u8(0)
}

/// Undoes [`rotate`] in units of a byte.
#[target_feature(enable = "neon")]
#[inline]
fn unrotate<const P: usize>(x: [uint8x16_t; P]) -> [uint8x16_t; P] {
    let mut y = [zero(); P];
    for i in 0..P / 2 {
        let (a, b) = (x[2 * i], x[2 * i + 1]);
        (y[i], y[i + P / 2]) = (vuzp1q_u8(a, b), vuzp2q_u8(a, b));
    }
    y
}

/// Undoes [`transpose`] in units of a byte.
#[target_feature(enable = "neon")]
#[inline]
pub(crate) fn untranspose<const P: usize>(x: [uint8x16_t; P]) -> [uint8x16_t; P] {
    let x = unrotate(x);
    let x = if P > 2 { unrotate(x) } else { x };
    let x = if P > 4 { unrotate(x) } else { x };
    if P > 8 { unrotate(x) } else { x }
}

/// The 16 bytes of `from`.
#[target_feature(enable = "neon")]
#[inline]
pub(crate) fn load(from: &[u8; 16]) -> uint8x16_t {
    // SAFETY: `from` is 16 readable bytes; the load asks for no alignment.
    unsafe { vld1q_u8(from.as_ptr()) }
}

/// 16 items of 2 bytes, a vector per byte.
#[target_feature(enable = "neon")]
#[inline]
pub(crate) fn load_2(from: &[u8; 32]) -> uint8x16x2_t {
    // SAFETY: `from` is 32 readable bytes; the load asks for no alignment.
    unsafe { vld2q_u8(from.as_ptr()) }
}

/// 16 items of 3 bytes, a vector per byte.
#[target_feature(enable = "neon")]
#[inline]
pub(crate) fn load_3(from: &[u8; 48]) -> uint8x16x3_t {
    // SAFETY: `from` is 48 readable bytes; the load asks for no alignment.
    unsafe { vld3q_u8(from.as_ptr()) }
}

/// 16 items of 4 bytes, a vector per byte.
#[target_feature(enable = "neon")]
#[inline]
pub(crate) fn load_4(from: &[u8; 64]) -> uint8x16x4_t {
    // SAFETY: `from` is 64 readable bytes; the load asks for no alignment.
    unsafe { vld4q_u8(from.as_ptr()) }
}

/// Writes `vector` to the 16 bytes of `to`.
#[target_feature(enable = "neon")]
#[inline]
pub(crate) fn store(vector: uint8x16_t, to: &mut [u8; 16]) {
    // SAFETY: `to` is 16 writable bytes; the store asks for no alignment.
    unsafe { vst1q_u8(to.as_mut_ptr(), vector) }
}

/// Writes 16 items of 2 bytes, a vector per byte.
#[target_feature(enable = "neon")]
#[inline]
pub(crate) fn store_2(planes: uint8x16x2_t, to: &mut [u8; 32]) {
    // SAFETY: `to` is 32 writable bytes; the store asks for no alignment.
    unsafe { vst2q_u8(to.as_mut_ptr(), planes) }
}

/// Writes 16 items of 3 bytes, a vector per byte.
#[target_feature(enable = "neon")]
#[inline]
pub(crate) fn store_3(planes: uint8x16x3_t, to: &mut [u8; 48]) {
    // SAFETY: `to` is 48 writable bytes; the store asks for no alignment.
    unsafe { vst3q_u8(to.as_mut_ptr(), planes) }
}

/// Writes 16 items of 4 bytes, a vector per byte.
#[target_feature(enable = "neon")]
#[inline]
pub(crate) fn store_4(planes: uint8x16x4_t, to: &mut [u8; 64]) {
    // SAFETY: `to` is 64 writable bytes; the store asks for no alignment.
    unsafe { vst4q_u8(to.as_mut_ptr(), planes) }
}

/// `seen | (a ^ b)`.
#[target_feature(enable = "neon")]
#[inline]
pub(crate) fn differ(seen: uint8x16_t, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
    vorrq_u8(seen, veorq_u8(a, b))
}

/// `a - b`, byte by byte.
#[target_feature(enable = "neon")]
#[inline]
pub(crate) fn subtract(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
    vsubq_u8(a, b)
}

/// Whether all bits are 0. The maximum of four words is cheaper than that of 16 bytes.
#[target_feature(enable = "neon")]
#[inline]
pub(crate) fn is_zero(x: uint8x16_t) -> bool {
    vmaxvq_u32(vreinterpretq_u32_u8(x)) == 0
}
