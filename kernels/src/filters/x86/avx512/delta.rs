//! Delta: XOR of two blocks, the differences of one, its running XOR, and the running sum of bytes.
//!
//! The running sum `y[i] = y[i-1] + x[i]` looks serial. With `s[i]` the sum of the last `n`
//! elements up to `x[i]`, `n` being the elements of a register, it is `y[i] = y[i-n] + s[i]`: one
//! addition per register in the dependency chain. `s` takes `log2(n)` additions at doubled
//! distances off the chain, each shifted in from the previous register, without masks or
//! broadcasts. The running XOR of wider elements works alike (see [`slide`]), that of bytes is a
//! product with a bit matrix (see [`prefix`]).
//!
//! Only pairs of bytes are summed. Two registers are folded to one of pairs, whose running sums are
//! the results of the odd bytes; minus the odd bytes they are the results of the even ones:
//!
//! ```text
//! a, b             a0 a1 a2 a3 ..  b0 b1 b2 b3 ..       per lane of 16 bytes
//! even, odd        a0 a2 .. b0 b2 ..   a1 a3 .. b1 b3 ..
//! even + odd  -->  additions  -->  y   the odd results
//! y - odd, y       unpacked: the results of a and of b
//! ```
//!
//! Eight pairs are interleaved, distance by distance: each addition has a latency of six cycles,
//! and the scheduler holds waiting instructions of a few registers only.

use core::arch::x86_64::{
    __m512i, _mm512_add_epi8, _mm512_permutex2var_epi8, _mm512_setzero_si512, _mm512_sub_epi8,
    _mm512_unpackhi_epi8, _mm512_unpacklo_epi8, _mm512_xor_si512,
};

use super::super::avx2;
use super::permute::{Index, byte, every_second_of_lane};
use super::{load, prefix, slide, store, sums};
use crate::filters::scalar::delta as scalar;
use crate::filters::vector::window::{window, window_mut};

crate::filters::vector::xor::xor_kernels!("avx512f");

/// For two-source permutations: the element of `width` bytes before every one, the last of the
/// first source before the first of the second.
const fn previous_element(width: usize) -> Index {
    let mut index = [0; 64];
    let mut at = 0;
    while at < 64 {
        index[at] = byte(64 + at - width);
        at += 1;
    }
    index
}

/// For two-source permutations of folded registers: the pair `steps` before every one.
const fn pairs_before(steps: usize) -> Index {
    let mut index = [0; 64];
    let mut at = 0;
    while at < 64 {
        let (lane, source, within) = (at / 16, at % 16 / 8, at % 8);
        let pair = 32 * source + 8 * lane + within;
        let from = (pair + 64 - steps) % 64;
        let slot = 16 * (from % 32 / 8) + 8 * (from / 32) + from % 8;
        index[at] = byte(if pair < steps { slot } else { 64 + slot });
        at += 1;
    }
    index
}

/// [`pairs_before`] by 1, 2, 4, 8, 16 and 32.
const DISTANCES: [Index; 6] = [
    pairs_before(1),
    pairs_before(2),
    pairs_before(4),
    pairs_before(8),
    pairs_before(16),
    pairs_before(32),
];

/// The XOR of each element of `src` with the one before; the first one is kept.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(crate) fn differences<const W: usize>(src: &[u8], dst: &mut [u8]) {
    let back = load(&const { previous_element(W) });
    let mut before = _mm512_setzero_si512();
    let (to, to_rest) = dst.as_chunks_mut::<64>();
    let (from, _) = src.as_chunks::<64>();
    let done = from.len() * 64;
    for (to, from) in to.iter_mut().zip(from) {
        let x = load(from);
        let shifted = _mm512_permutex2var_epi8(before, back, x);
        store(_mm512_xor_si512(x, shifted), to);
        before = x;
    }
    scalar::differences_from(W, done, src, to_rest);
}

/// The state that earlier pairs pass to later ones.
struct Before {
    /// The last folded register before the addition at each distance.
    doubled: [__m512i; 6],
    /// The results of the last folded register.
    last: __m512i,
}

/// The running sum of the bytes in `N` pairs of registers.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
#[inline]
fn sums_of_pairs<const N: usize>(
    before: &mut Before,
    from: &[[u8; 128]; N],
    to: &mut [[u8; 128]; N],
) {
    let even = load(&const { every_second_of_lane(0) });
    let odd = load(&const { every_second_of_lane(1) });
    let mut odds = [even; N];
    let mut sums = [even; N];
    for ((pair, sum), odds) in from.iter().zip(&mut sums).zip(&mut odds) {
        let (a, b) = (load(window(pair, 0)), load(window(pair, 64)));
        *odds = _mm512_permutex2var_epi8(a, odd, b);
        *sum = _mm512_add_epi8(_mm512_permutex2var_epi8(a, even, b), *odds);
    }
    for (doubled, index) in before.doubled.iter_mut().zip(&DISTANCES) {
        let index = load(index);
        for sum in &mut sums {
            let shifted = _mm512_permutex2var_epi8(*doubled, index, *sum);
            *doubled = *sum;
            *sum = _mm512_add_epi8(*sum, shifted);
        }
    }
    for ((pair, sum), odds) in to.iter_mut().zip(sums).zip(odds) {
        before.last = _mm512_add_epi8(before.last, sum);
        let evens = _mm512_sub_epi8(before.last, odds);
        store(
            _mm512_unpacklo_epi8(evens, before.last),
            window_mut(pair, 0),
        );
        store(
            _mm512_unpackhi_epi8(evens, before.last),
            window_mut(pair, 64),
        );
    }
}

/// Shorter planes are summed up by registers of 32 bytes.
const SHORT: usize = 1024;

/// The running sums of the bytes of `src`.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(crate) fn sums(src: &[u8], dst: &mut [u8]) {
    if src.len() < SHORT {
        return avx2::delta::sums_from(0, src, dst);
    }
    let zero = _mm512_setzero_si512();
    let mut before = Before {
        doubled: [zero; 6],
        last: zero,
    };
    let (from, _) = src.as_chunks::<128>();
    let (to, _) = dst.as_chunks_mut::<128>();
    let (eights, rest) = from.as_chunks::<8>();
    let (to_eights, to_rest) = to.as_chunks_mut::<8>();
    for (from, to) in eights.iter().zip(to_eights) {
        sums_of_pairs::<8>(&mut before, from, to);
    }
    let rest = rest.as_chunks::<1>().0.iter();
    for (from, to) in rest.zip(to_rest.as_chunks_mut::<1>().0) {
        sums_of_pairs::<1>(&mut before, from, to);
    }
    let done = from.len() * 128;
    if done < src.len() {
        avx2::delta::sums_from(done, src, dst);
    }
}

/// The running XOR of the whole elements of `block`, or the running sum.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
pub(crate) fn running<const W: usize, const SUM: bool>(block: &mut [u8]) {
    const { assert!(matches!(W, 1 | 2 | 4 | 8)) }
    if W == 1 && SUM {
        return avx2::delta::running::<1, true>(block);
    }
    let done = match W {
        2 if SUM => sums::items::<2>(block),
        4 if SUM => sums::items::<4>(block),
        8 if SUM => sums::items::<8>(block),
        1 => prefix::running(block),
        2 => slide::running::<2>(block),
        4 => slide::running::<4>(block),
        _ => slide::running::<8>(block),
    };
    if done < block.len() {
        scalar::running_from::<SUM>(W, done / W, block);
    }
}

/// The running sum, byte by byte, of items of 16 bytes, which `block` is made of.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(crate) fn sixteen(block: &mut [u8]) {
    let done = sums::items::<16>(block);
    if done < block.len() {
        scalar::running::<16, true>(done / 16, block);
    }
}
