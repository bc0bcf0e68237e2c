//! Delta: XOR of two blocks, and the running XOR of one.
//!
//! The running XOR takes `log2` XORs at doubled distances within a register; the last element,
//! broadcast to a register, carries over to the next one, so the chain is one XOR per register.

use core::arch::x86_64::{
    __m128i, _mm_add_epi8, _mm_setzero_si128, _mm_shuffle_epi32, _mm_shufflehi_epi16,
    _mm_slli_si128, _mm_unpackhi_epi8, _mm_xor_si128,
};

use super::{load, store};
use crate::filters::scalar::delta as scalar;

crate::filters::vector::xor::xor_kernels!("sse2");

/// Broadcasts the last element of `W` bytes.
#[target_feature(enable = "sse2")]
#[inline]
fn broadcast_last<const W: usize>(x: __m128i) -> __m128i {
    match W {
        1 => {
            let pairs = _mm_unpackhi_epi8(x, x);
            _mm_shuffle_epi32::<0xFF>(_mm_shufflehi_epi16::<0xFF>(pairs))
        }
        2 => _mm_shuffle_epi32::<0xFF>(_mm_shufflehi_epi16::<0xFF>(x)),
        4 => _mm_shuffle_epi32::<0xFF>(x),
        _ => _mm_shuffle_epi32::<0xEE>(x),
    }
}

/// `a ^ b`, or the sum byte by byte.
#[target_feature(enable = "sse2")]
#[inline]
fn join<const SUM: bool>(a: __m128i, b: __m128i) -> __m128i {
    if SUM {
        _mm_add_epi8(a, b)
    } else {
        _mm_xor_si128(a, b)
    }
}

/// The running XOR of the whole elements of `block`, or the running sum.
#[target_feature(enable = "sse2")]
pub(crate) fn running<const W: usize, const SUM: bool>(block: &mut [u8]) {
    let mut before = _mm_setzero_si128();
    let (vectors, _) = block.as_chunks_mut::<16>();
    let done = vectors.len() * 16;
    for vector in vectors {
        let mut x = load(vector);
        if W == 1 {
            x = join::<SUM>(x, _mm_slli_si128::<1>(x));
        }
        if W <= 2 {
            x = join::<SUM>(x, _mm_slli_si128::<2>(x));
        }
        if W <= 4 {
            x = join::<SUM>(x, _mm_slli_si128::<4>(x));
        }
        x = join::<SUM>(x, _mm_slli_si128::<8>(x));
        store(join::<SUM>(x, before), vector);
        before = join::<SUM>(before, broadcast_last::<W>(x));
    }
    scalar::running_from::<SUM>(W, done / W, block);
}

/// The running sum, byte by byte, of items of 16 bytes, which `block` is made of.
#[target_feature(enable = "sse2")]
pub(crate) fn sixteen(block: &mut [u8]) {
    let mut sum = _mm_setzero_si128();
    for item in block.as_chunks_mut::<16>().0 {
        sum = join::<true>(sum, load(item));
        store(sum, item);
    }
}
