//! Delta: XOR of two blocks, and the running XOR of one.
//!
//! The running XOR takes `log2` XORs at doubled distances within a register; the last element,
//! broadcast to a register, carries over to the next one, so the chain is one XOR per register.

use core::arch::aarch64::{
    uint8x16_t, vaddq_u8, vdupq_laneq_u8, vdupq_laneq_u16, vdupq_laneq_u32, vdupq_laneq_u64,
    vdupq_n_u8, veorq_u8, vextq_u8, vreinterpretq_u8_u16, vreinterpretq_u8_u32,
    vreinterpretq_u8_u64, vreinterpretq_u16_u8, vreinterpretq_u32_u8, vreinterpretq_u64_u8,
};

use super::{load, store};
use crate::filters::scalar::delta as scalar;

crate::filters::vector::xor::xor_kernels!("neon");

/// `a ^ b`, or the sum byte by byte.
#[target_feature(enable = "neon")]
#[inline]
fn join<const SUM: bool>(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
    if SUM { vaddq_u8(a, b) } else { veorq_u8(a, b) }
}

/// Broadcasts the last element of `W` bytes.
#[target_feature(enable = "neon")]
#[inline]
fn broadcast_last<const W: usize>(x: uint8x16_t) -> uint8x16_t {
    match W {
        1 => vdupq_laneq_u8::<15>(x),
        2 => vreinterpretq_u8_u16(vdupq_laneq_u16::<7>(vreinterpretq_u16_u8(x))),
        4 => vreinterpretq_u8_u32(vdupq_laneq_u32::<3>(vreinterpretq_u32_u8(x))),
        _ => vreinterpretq_u8_u64(vdupq_laneq_u64::<1>(vreinterpretq_u64_u8(x))),
    }
}

/// The running XOR of the whole elements of `block`, or the running sum.
#[target_feature(enable = "neon")]
pub(crate) fn running<const W: usize, const SUM: bool>(block: &mut [u8]) {
    let zero = vdupq_n_u8(0);
    let mut before = zero;
    let (vectors, _) = block.as_chunks_mut::<16>();
    let done = vectors.len() * 16;
    for vector in vectors {
        let mut x = load(vector);
        if W == 1 {
            x = join::<SUM>(x, vextq_u8::<15>(zero, x));
        }
        if W <= 2 {
            x = join::<SUM>(x, vextq_u8::<14>(zero, x));
        }
        if W <= 4 {
            x = join::<SUM>(x, vextq_u8::<12>(zero, x));
        }
        x = join::<SUM>(x, vextq_u8::<8>(zero, x));
        store(join::<SUM>(x, before), vector);
        before = join::<SUM>(before, broadcast_last::<W>(x));
    }
    scalar::running_from::<SUM>(W, done / W, block);
}

/// The running sum, byte by byte, of items of 16 bytes, which `block` is made of.
#[target_feature(enable = "neon")]
pub(crate) fn sixteen(block: &mut [u8]) {
    let mut sum = vdupq_n_u8(0);
    for item in block.as_chunks_mut::<16>().0 {
        sum = join::<true>(sum, load(item));
        store(sum, item);
    }
}
