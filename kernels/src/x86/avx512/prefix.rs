//! The running XOR of bytes and of pairs of bytes by bit matrices.
//!
//! `gf2p8affineqb` multiplies constants with eight bytes of data as the matrix (see
//! [`bits`](super::bits)). With single bits that transposes them; with the transpose as the matrix
//! and several bits, byte `j` of the product is the XOR of any of the eight: here of those up to
//! `j`. The last ones of all eight lanes go the same way, and what lies before a lane comes out in
//! all bytes of it:
//!
//! ```text
//! folded pairs  --transpose, byte 0..=j-->  prefixes of every lane
//!   last bytes, one lane of eight  --transpose-->  --lanes 0..q-->   before lane q
//!                                                  --all lanes-->    for the next register
//! ```
//!
//! Elements of 2 bytes have their bytes by turns, so that masks take every second one, and the
//! totals are of two kinds, each in lanes of its own. Two registers are folded to one of pairs, as in
//! [`delta`](super::delta); doublings take 1.6 times as long for bytes, and 1.1 times for pairs.

use core::arch::x86_64::{
    __m512i, _mm512_gf2p8affine_epi64_epi8, _mm512_permutex2var_epi8, _mm512_permutexvar_epi8,
    _mm512_set1_epi64, _mm512_setzero_si512, _mm512_ternarylogic_epi64, _mm512_xor_si512,
};

use super::delta::{by_turns, every_second};
use super::permute::{Index, byte};
use super::{load, store};
use crate::vector::window::{window, window_mut};

/// Byte `k` of every lane is `0x80 >> k`: element `k` of a lane becomes bit `7 - k` of the transpose,
/// and a row comes out where its bit belongs.
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

/// Which eighth of a folded register lane `q` is: the lanes of both sources by turns.
const fn rank(q: usize) -> usize {
    q % 2 * 4 + q / 2
}

/// Per byte of a lane: itself and those before it that are the same byte of an element.
const fn up_to_here(width: usize) -> i64 {
    let mut masks = [0; 8];
    let mut j = 0;
    while j < 8 {
        let mut k = j % width;
        while k <= j {
            masks[j] |= 0x80 >> k;
            k += width;
        }
        j += 1;
    }
    i64::from_le_bytes(masks)
}

/// Lane `r`: byte `r % width` of the last element of every lane, in the order of the elements.
const fn lasts(width: usize) -> Index {
    let mut index = [0; 64];
    let mut r = 0;
    while r < 8 {
        let mut q = 0;
        while q < 8 {
            index[8 * r + rank(q)] = byte(8 * q + 8 - width + r % width);
            q += 1;
        }
        r += 1;
    }
    index
}

/// Masks of [`lasts`], for bytes: what lies before a lane, in all its bytes; else what lies before
/// every lane, a byte each.
const fn earlier(width: usize) -> Index {
    let mut masks = [0; 64];
    let mut at = 0;
    while at < 64 {
        masks[at] = before(if width == 1 { rank(at / 8) } else { at % 8 });
        at += 1;
    }
    masks
}

/// For elements of several bytes: what lies before a lane, to all its bytes.
const fn deal(width: usize) -> Index {
    let mut index = [0; 64];
    let mut at = 0;
    while at < 64 {
        index[at] = byte(at % width * 8 + rank(at / 8));
        at += 1;
    }
    index
}

/// The last element all over.
const fn last(width: usize) -> Index {
    let mut index = [0; 64];
    let mut at = 0;
    while at < 64 {
        index[at] = byte(64 - width + at % width);
        at += 1;
    }
    index
}

/// The running XOR of elements of `W` bytes, 1 or 2, in whole pairs of registers; how many bytes
/// these are.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
pub(super) fn running<const W: usize>(block: &mut [u8]) -> usize {
    let mut carry = _mm512_setzero_si512();
    let (all, _) = block.as_chunks_mut::<128>();
    let done = all.len() * 128;
    let (eights, rest) = all.as_chunks_mut::<8>();
    for eight in eights {
        carry = pairs::<W, 8>(carry, eight);
    }
    for pair in rest.as_chunks_mut::<1>().0 {
        carry = pairs::<W, 1>(carry, pair);
    }
    done
}

/// `N` pairs of registers; the answer is the last result all over, as `carry` is that before them.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline]
fn pairs<const W: usize, const N: usize>(
    mut carry: __m512i,
    pairs: &mut [[u8; 128]; N],
) -> __m512i {
    let unit = _mm512_set1_epi64(UNIT);
    let up_to_here = _mm512_set1_epi64(const { up_to_here(W) });
    let lasts = load(&const { lasts(W) });
    let earlier = load(&const { earlier(W) });
    let (deal, last) = (load(&const { deal(W) }), load(&const { last(W) }));
    let even = load(&const { every_second(W, 0) });
    let odd = load(&const { every_second(W, 1) });
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
        let (result, total) = if W == 1 {
            let all = _mm512_gf2p8affine_epi64_epi8::<0>(_mm512_set1_epi64(-1), total);
            (_mm512_ternarylogic_epi64::<0x96>(sum, earlier, carry), all)
        } else {
            let sum = _mm512_xor_si512(sum, _mm512_permutexvar_epi8(deal, earlier));
            (
                _mm512_xor_si512(sum, carry),
                _mm512_permutexvar_epi8(last, sum),
            )
        };
        carry = _mm512_xor_si512(carry, total);
        let (a, b) = by_turns::<W>(_mm512_xor_si512(result, odds), result);
        store(a, window_mut(pair, 0));
        store(b, window_mut(pair, 64));
    }
    carry
}
