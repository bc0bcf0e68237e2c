//! Running sums of items of 2, 4, 8 and 16 bytes, byte by byte.
//!
//! ```text
//! items of a quarter word   log2 shifts and additions     sums within every 8 bytes
//! + the sum of the first half of a lane                   within every lane
//! + the sum of lane 0 and of lane 2, + that of lane 1     within the register
//! + the sums of all registers before                      the result
//! ```
//!
//! The last step alone is in the dependency chain. Sixteen registers are interleaved, step by step.

use core::arch::x86_64::{
    __m512i, _mm512_add_epi8, _mm512_bslli_epi128, _mm512_maskz_permutexvar_epi8,
    _mm512_maskz_shuffle_epi8, _mm512_permutexvar_epi8, _mm512_setzero_si512, _mm512_slli_epi64,
};

use super::permute::{Index, byte};
use super::{load, store};

/// The last item of `w` bytes of the `span` bytes before the `span` a byte is in.
const fn last_before(w: usize, span: usize) -> Index {
    let mut index = [0; 64];
    let mut at = 0;
    while at < 64 {
        index[at] = byte((at / span * span + 64 - w + at % w) % 64);
        at += 1;
    }
    index
}

/// The last item of the register, everywhere.
const fn last(w: usize) -> Index {
    let mut index = [0; 64];
    let mut at = 0;
    while at < 64 {
        index[at] = byte(64 - w + at % w);
        at += 1;
    }
    index
}

/// The last item of `w` bytes of the first half of every lane, for its second half.
const fn last_of_half(w: usize) -> Index {
    let mut index = [0; 64];
    let mut at = 0;
    while at < 64 {
        index[at] = byte(8 - w + at % w);
        at += 1;
    }
    index
}

/// The second half of every lane.
const SECOND_HALVES: u64 = 0xFF00_FF00_FF00_FF00;
/// Lanes 1 and 3.
const ODD_LANES: u64 = 0xFFFF_0000_FFFF_0000;
/// Lanes 2 and 3.
const SECOND_LANES: u64 = 0xFFFF_FFFF_0000_0000;

/// `N` registers; `before` is the last item of the results so far, everywhere, and so is the value
/// returned.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
#[inline]
fn registers<const W: usize, const N: usize>(
    mut before: __m512i,
    block: &mut [[u8; 64]; N],
) -> __m512i {
    let mut x = [before; N];
    for (x, from) in x.iter_mut().zip(&*block) {
        *x = load(from);
    }
    if W <= 2 {
        for x in &mut x {
            *x = _mm512_add_epi8(*x, _mm512_slli_epi64::<16>(*x));
        }
    }
    if W <= 4 {
        for x in &mut x {
            *x = _mm512_add_epi8(*x, _mm512_slli_epi64::<32>(*x));
        }
    }
    if W == 8 {
        for x in &mut x {
            *x = _mm512_add_epi8(*x, _mm512_bslli_epi128::<8>(*x));
        }
    } else if W < 8 {
        let index = load(&const { last_of_half(if W < 8 { W } else { 4 }) });
        for x in &mut x {
            let half = _mm512_maskz_shuffle_epi8(SECOND_HALVES, *x, index);
            *x = _mm512_add_epi8(*x, half);
        }
    }
    let index = load(&const { last_before(W, 16) });
    for x in &mut x {
        let lane = _mm512_maskz_permutexvar_epi8(ODD_LANES, index, *x);
        *x = _mm512_add_epi8(*x, lane);
    }
    let index = load(&const { last_before(W, 32) });
    for x in &mut x {
        let lanes = _mm512_maskz_permutexvar_epi8(SECOND_LANES, index, *x);
        *x = _mm512_add_epi8(*x, lanes);
    }
    let index = load(&const { last(W) });
    for (x, to) in x.iter().zip(block) {
        store(_mm512_add_epi8(*x, before), to);
        before = _mm512_add_epi8(before, _mm512_permutexvar_epi8(index, *x));
    }
    before
}

/// The running sum of items of `W` bytes in whole registers; returns their number of bytes.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn items<const W: usize>(block: &mut [u8]) -> usize {
    const { assert!(matches!(W, 2 | 4 | 8 | 16)) }
    let mut before = _mm512_setzero_si512();
    let (all, _) = block.as_chunks_mut::<64>();
    let done = all.len() * 64;
    let (many, rest) = all.as_chunks_mut::<16>();
    for some in many {
        before = registers::<W, 16>(before, some);
    }
    for one in rest.as_chunks_mut::<1>().0 {
        before = registers::<W, 1>(before, one);
    }
    done
}
