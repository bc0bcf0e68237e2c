//! The running XOR of bytes by bit matrices.
//!
//! `gf2p8affineqb` multiplies constants with eight bytes of data as the matrix (see
//! [`bits`](super::bits)). With single bits that transposes them; with the transpose as the matrix
//! and several bits, byte `j` of the product is the XOR of any of the eight: here of those up to
//! `j`. The last bytes of all eight lanes are multiplied likewise, which gives each lane the XOR of
//! all lanes before it, in all its bytes:
//!
//! ```text
//! folded pairs  --transpose, byte 0..=j-->  prefixes of every lane
//!   last bytes, one lane of eight  --transpose-->  --lanes 0..q-->   before lane q
//!                                                  --all lanes-->    for the next register
//! ```
//!
//! Two registers are folded to one of pairs, as in [`delta`](super::delta); sums at doubled
//! distances take 1.6 times as long. Eight pairs are interleaved, step by step: each step has a
//! latency of six cycles, and the scheduler holds waiting instructions of a few registers only.

use core::arch::x86_64::{
    __m512i, _mm512_gf2p8affine_epi64_epi8, _mm512_permutex2var_epi8, _mm512_permutexvar_epi8,
    _mm512_set1_epi64, _mm512_setzero_si512, _mm512_ternarylogic_epi64, _mm512_unpackhi_epi8,
    _mm512_unpacklo_epi8, _mm512_xor_si512,
};

use super::permute::{Index, byte, every_second_of_lane};
use super::{load, store};
use crate::filters::vector::window::{window, window_mut};

/// Byte `k` of every lane is `0x80 >> k`: element `k` of a lane becomes bit `7 - k` of the
/// transpose, and a row comes out where its bit belongs.
const UNIT: i64 = i64::from_be_bytes([1, 2, 4, 8, 16, 32, 64, 128]);

/// The bits of elements `..count` of a lane in its transpose.
const fn before(count: usize) -> u8 {
    let mut bits = 0;
    let mut k = 0;
    while k < count {
        bits |= 0x80 >> k;
        k += 1;
    }
    bits
}

/// The rank of lane `q` in a folded register, where the lanes of both sources alternate.
const fn rank(q: usize) -> usize {
    q % 2 * 4 + q / 2
}

/// Per byte of a lane: itself and those before it.
const fn up_to_here() -> i64 {
    let mut masks = [0; 8];
    let mut j = 0;
    while j < 8 {
        masks[j] = before(j + 1);
        j += 1;
    }
    i64::from_le_bytes(masks)
}

/// Every lane: the last byte of all lanes, in the order of the elements.
const fn lasts() -> Index {
    let mut index = [0; 64];
    let mut q = 0;
    while q < 64 {
        index[q / 8 * 8 + rank(q % 8)] = byte(q % 8 * 8 + 7);
        q += 1;
    }
    index
}

/// Masks of [`lasts`]: the lanes before a lane, in all its bytes.
const fn earlier() -> Index {
    let mut masks = [0; 64];
    let mut at = 0;
    while at < 64 {
        masks[at] = before(rank(at / 8));
        at += 1;
    }
    masks
}

/// The running XOR of the bytes in whole pairs of registers; returns their number of bytes.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
pub(super) fn running(block: &mut [u8]) -> usize {
    let mut carry = _mm512_setzero_si512();
    let (all, _) = block.as_chunks_mut::<128>();
    let done = all.len() * 128;
    let (eights, rest) = all.as_chunks_mut::<8>();
    for eight in eights {
        carry = pairs::<8>(carry, eight);
    }
    for pair in rest.as_chunks_mut::<1>().0 {
        carry = pairs::<1>(carry, pair);
    }
    done
}

/// `N` pairs of registers; `carry` is the result before them, broadcast, and so is the value
/// returned.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline]
fn pairs<const N: usize>(mut carry: __m512i, pairs: &mut [[u8; 128]; N]) -> __m512i {
    let unit = _mm512_set1_epi64(UNIT);
    let up_to_here = _mm512_set1_epi64(const { up_to_here() });
    let (lasts, earlier) = (load(&const { lasts() }), load(&const { earlier() }));
    let even = load(&const { every_second_of_lane(0) });
    let odd = load(&const { every_second_of_lane(1) });
    let [mut odds, mut sums, mut totals] = [[carry; N]; 3];
    for ((pair, sum), odds) in pairs.iter().zip(&mut sums).zip(&mut odds) {
        let (a, b) = (load(window(pair, 0)), load(window(pair, 64)));
        *odds = _mm512_permutex2var_epi8(a, odd, b);
        *sum = _mm512_xor_si512(_mm512_permutex2var_epi8(a, even, b), *odds);
        *sum = _mm512_gf2p8affine_epi64_epi8::<0>(unit, *sum);
    }
    for sum in &mut sums {
        *sum = _mm512_gf2p8affine_epi64_epi8::<0>(up_to_here, *sum);
    }
    for (total, sum) in totals.iter_mut().zip(sums) {
        *total = _mm512_permutexvar_epi8(lasts, sum);
    }
    for total in &mut totals {
        *total = _mm512_gf2p8affine_epi64_epi8::<0>(unit, *total);
    }
    for (((pair, sum), total), odds) in pairs.iter_mut().zip(sums).zip(totals).zip(odds) {
        let earlier = _mm512_gf2p8affine_epi64_epi8::<0>(earlier, total);
        let result = _mm512_ternarylogic_epi64::<0x96>(sum, earlier, carry);
        let all = _mm512_gf2p8affine_epi64_epi8::<0>(_mm512_set1_epi64(-1), total);
        carry = _mm512_xor_si512(carry, all);
        let evens = _mm512_xor_si512(result, odds);
        store(_mm512_unpacklo_epi8(evens, result), window_mut(pair, 0));
        store(_mm512_unpackhi_epi8(evens, result), window_mut(pair, 64));
    }
    carry
}
