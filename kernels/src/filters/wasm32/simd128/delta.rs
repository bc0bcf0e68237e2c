//! Delta: XOR of two blocks, and the running XOR of one.
//!
//! The running XOR takes `log2` XORs at doubled distances within a register; the last element,
//! broadcast to a register, carries over to the next one, so the chain is one XOR per register.

use core::arch::wasm32::{i8x16_shuffle, u8x16_add, v128, v128_xor};

use super::{load, store, zero};
use crate::filters::scalar::delta as scalar;

crate::filters::vector::xor::xor_kernels!("simd128");

/// Broadcasts the last element of `W` bytes.
#[target_feature(enable = "simd128")]
#[inline]
fn broadcast_last<const W: usize>(x: v128) -> v128 {
    match W {
        1 => i8x16_shuffle::<15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15>(x, x),
        2 => i8x16_shuffle::<14, 15, 14, 15, 14, 15, 14, 15, 14, 15, 14, 15, 14, 15, 14, 15>(x, x),
        4 => i8x16_shuffle::<12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15>(x, x),
        _ => i8x16_shuffle::<8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15>(x, x),
    }
}

/// Moves the bytes up by `BY` places, a power of two; zeros come in.
#[target_feature(enable = "simd128")]
#[inline]
fn up<const BY: usize>(x: v128) -> v128 {
    let zero = zero();
    match BY {
        1 => {
            i8x16_shuffle::<15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30>(zero, x)
        }
        2 => {
            i8x16_shuffle::<14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29>(zero, x)
        }
        4 => {
            i8x16_shuffle::<12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27>(zero, x)
        }
        _ => i8x16_shuffle::<8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23>(zero, x),
    }
}

/// `a ^ b`, or the sum byte by byte.
#[target_feature(enable = "simd128")]
#[inline]
fn join<const SUM: bool>(a: v128, b: v128) -> v128 {
    if SUM { u8x16_add(a, b) } else { v128_xor(a, b) }
}

/// The running XOR of the whole elements of `block`, or the running sum.
#[target_feature(enable = "simd128")]
pub(crate) fn running<const W: usize, const SUM: bool>(block: &mut [u8]) {
    let mut before = zero();
    let (vectors, _) = block.as_chunks_mut::<16>();
    let done = vectors.len() * 16;
    for vector in vectors {
        let mut x = load(vector);
        if W == 1 {
            x = join::<SUM>(x, up::<1>(x));
        }
        if W <= 2 {
            x = join::<SUM>(x, up::<2>(x));
        }
        if W <= 4 {
            x = join::<SUM>(x, up::<4>(x));
        }
        x = join::<SUM>(x, up::<8>(x));
        store(join::<SUM>(x, before), vector);
        before = join::<SUM>(before, broadcast_last::<W>(x));
    }
    scalar::running_from::<SUM>(W, done / W, block);
}

/// The running sum, byte by byte, of items of 16 bytes, which `block` is made of.
#[target_feature(enable = "simd128")]
pub(crate) fn sixteen(block: &mut [u8]) {
    let mut sum = zero();
    for item in block.as_chunks_mut::<16>().0 {
        sum = join::<true>(sum, load(item));
        store(sum, item);
    }
}
