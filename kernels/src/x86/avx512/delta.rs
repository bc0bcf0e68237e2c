//! Delta: XOR of two blocks, and the running XOR of one.
//!
//! The running XOR `y[i] = y[i-1] ^ x[i]` looks serial. With `s[i]` the XOR of the last `n` elements
//! up to `x[i]`, `n` being the elements of a register, it is `y[i] = y[i-n] ^ s[i]`: one XOR per
//! register in the chain. `s` takes `log2(n)` doublings off the chain, each shifted in from the
//! register before, so that nothing is masked or broadcast.

use core::arch::x86_64::{
    __m512i, _mm512_add_epi8, _mm512_alignr_epi32, _mm512_alignr_epi64, _mm512_permutex2var_epi8,
    _mm512_setzero_si512, _mm512_xor_si512,
};

use super::{load, store};
use crate::scalar::delta as scalar;
use crate::vector::window::{window, window_mut};

crate::vector::xor::xor_kernels!("avx512f", 64, _mm512_xor_si512);

/// The byte, or the two bytes, before every one: from the register before (0 to 63) and this one.
const BACK: [[u8; 64]; 2] = [back(1), back(2)];

const fn back(n: u8) -> [u8; 64] {
    let mut index = [0; 64];
    let mut at: u8 = 0;
    while at < 64 {
        index[at as usize] = 64 + at - n;
        at += 1;
    }
    index
}

/// `a ^ b`, or the sum byte by byte.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn join<const SUM: bool>(a: __m512i, b: __m512i) -> __m512i {
    if SUM {
        _mm512_add_epi8(a, b)
    } else {
        _mm512_xor_si512(a, b)
    }
}

/// The running XOR of the whole elements of `block`, or the running sum of its bytes (`W` is 1).
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(crate) fn running<const W: usize, const SUM: bool>(block: &mut [u8]) {
    let zero = _mm512_setzero_si512();
    let (back1, back2) = (load(&BACK[0]), load(&BACK[1]));
    // What the last round had before each doubling, and its result.
    let [mut b1, mut b2, mut b4, mut b8, mut b16, mut b32, mut last] = [zero; 7];
    let (vectors, _) = block.as_chunks_mut::<64>();
    let done = vectors.len() * 64;
    for vector in vectors {
        let mut sum = load(vector);
        if W == 1 {
            let shifted = _mm512_permutex2var_epi8(b1, back1, sum);
            b1 = sum;
            sum = join::<SUM>(sum, shifted);
        }
        if W <= 2 {
            let shifted = _mm512_permutex2var_epi8(b2, back2, sum);
            b2 = sum;
            sum = join::<SUM>(sum, shifted);
        }
        if W <= 4 {
            let shifted = _mm512_alignr_epi32::<15>(sum, b4);
            b4 = sum;
            sum = join::<SUM>(sum, shifted);
        }
        let shifted = _mm512_alignr_epi64::<7>(sum, b8);
        b8 = sum;
        sum = join::<SUM>(sum, shifted);
        let shifted = _mm512_alignr_epi64::<6>(sum, b16);
        b16 = sum;
        sum = join::<SUM>(sum, shifted);
        let shifted = _mm512_alignr_epi64::<4>(sum, b32);
        b32 = sum;
        last = join::<SUM>(last, join::<SUM>(sum, shifted));
        store(last, vector);
    }
    scalar::running_from::<SUM>(W, done / W, block);
}
