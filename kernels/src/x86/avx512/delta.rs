//! Delta: XOR of two blocks, the differences of one, and its running XOR.
//!
//! The running XOR `y[i] = y[i-1] ^ x[i]` looks serial. With `s[i]` the XOR of the last `n` elements
//! up to `x[i]`, `n` being the elements of a register, it is `y[i] = y[i-n] ^ s[i]`: one XOR per
//! register in the chain. `s` takes `log2(n)` doublings off the chain, each shifted in from the
//! register before, so that nothing is masked or broadcast.
//!
//! Only every second element goes that way. Two registers are folded to one of pairs, whose running
//! XOR is that of the odd elements; an XOR with those gives the even ones:
//!
//! ```text
//! a, b             a0 a1 a2 a3 ..  b0 b1 b2 b3 ..       per lane of 16 bytes
//! even, odd        a0 a2 .. b0 b2 ..   a1 a3 .. b1 b3 ..
//! even ^ odd  -->  doublings  -->  y   the odd results
//! y ^ odd, y       unpacked: the results of a and of b
//! ```
//!
//! Eight pairs go side by side, doubling by doubling: a doubling takes six cycles until its result
//! is there, and the scheduler holds no more than a few registers' worth of waiting instructions.

use core::arch::x86_64::{
    __m512i, _mm512_add_epi8, _mm512_castps_si512, _mm512_castsi512_ps, _mm512_permutex2var_epi8,
    _mm512_setzero_si512, _mm512_shuffle_ps, _mm512_sub_epi8, _mm512_unpackhi_epi8,
    _mm512_unpackhi_epi16, _mm512_unpackhi_epi32, _mm512_unpackhi_epi64, _mm512_unpacklo_epi8,
    _mm512_unpacklo_epi16, _mm512_unpacklo_epi32, _mm512_unpacklo_epi64, _mm512_xor_si512,
};

use super::permute::{Index, byte};
use super::{load, prefix, store};
use crate::scalar::delta as scalar;
use crate::vector::window::{window, window_mut};

crate::vector::xor::xor_kernels!("avx512f");

/// For two-source permutations: the element of `width` bytes before every one, the last of the
/// first source before the first of the second.
const fn one_back(width: usize) -> Index {
    let mut index = [0; 64];
    let mut at = 0;
    while at < 64 {
        index[at] = byte(64 + at - width);
        at += 1;
    }
    index
}

/// The even (0) or odd (1) elements of each lane of two sources, those of the first in the lower half.
pub(super) const fn every_second(width: usize, odd: usize) -> Index {
    let mut index = [0; 64];
    let mut at = 0;
    while at < 64 {
        let (lane, source, within) = (at / 16, at % 16 / 8, at % 8);
        let (element, part) = (within / width, within % width);
        index[at] = byte(64 * source + 16 * lane + (2 * element + odd) * width + part);
        at += 1;
    }
    index
}

/// For two-source permutations of folded registers: the pair `steps` before every one.
const fn pairs_back(width: usize, steps: usize) -> Index {
    let (in_half, in_source, all) = (8 / width, 32 / width, 64 / width);
    let mut index = [0; 64];
    let mut at = 0;
    while at < 64 {
        let (lane, source, within) = (at / 16, at % 16 / 8, at % 8);
        let pair = source * in_source + lane * in_half + within / width;
        let from = (pair + all - steps % all) % all;
        let lane = from % in_source / in_half;
        let place = 16 * lane + from / in_source * 8 + from % in_half * width + within % width;
        index[at] = byte(if pair < steps { place } else { 64 + place });
        at += 1;
    }
    index
}

/// The permutations for elements of one width.
struct Indices {
    one_back: Index,
    even: Index,
    odd: Index,
    doublings: [Index; 6],
}

const fn indices(width: usize) -> Indices {
    Indices {
        one_back: one_back(width),
        even: every_second(width, 0),
        odd: every_second(width, 1),
        doublings: [
            pairs_back(width, 1),
            pairs_back(width, 2),
            pairs_back(width, 4),
            pairs_back(width, 8),
            pairs_back(width, 16),
            pairs_back(width, 32),
        ],
    }
}

/// [`Indices`] of 1, 2, 4 and 8 bytes.
const INDICES: [Indices; 4] = [indices(1), indices(2), indices(4), indices(8)];

/// Which of [`INDICES`] elements of `width` bytes take.
const fn place(width: usize) -> usize {
    match width {
        1 => 0,
        2 => 1,
        4 => 2,
        _ => 3,
    }
}

/// The XOR of each element of `src` with the one before; the first one is kept.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(crate) fn differences<const W: usize>(src: &[u8], dst: &mut [u8]) {
    let back = load(&INDICES[place(W)].one_back);
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

/// What [`join`] was given besides `b`.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn part<const SUM: bool>(joined: __m512i, b: __m512i) -> __m512i {
    if SUM {
        _mm512_sub_epi8(joined, b)
    } else {
        _mm512_xor_si512(joined, b)
    }
}

/// Elements of `W` bytes by turns from the lower and from the upper halves of all lanes.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
pub(super) fn by_turns<const W: usize>(a: __m512i, b: __m512i) -> (__m512i, __m512i) {
    match W {
        1 => (_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b)),
        2 => (_mm512_unpacklo_epi16(a, b), _mm512_unpackhi_epi16(a, b)),
        4 => (_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b)),
        _ => (_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b)),
    }
}

/// What earlier pairs leave to later ones.
struct Before {
    /// The last folded register before each doubling.
    doubled: [__m512i; 6],
    /// The results of the last folded register.
    last: __m512i,
}

/// `N` pairs of registers.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
#[inline]
fn pairs<const W: usize, const SUM: bool, const N: usize>(
    before: &mut Before,
    pairs: &mut [[u8; 128]; N],
) {
    const { assert!(matches!(W, 1 | 2 | 4 | 8)) }
    let indices = &INDICES[place(W)];
    let (even, odd) = (load(&indices.even), load(&indices.odd));
    let mut odds = [even; N];
    let mut sums = [even; N];
    for ((pair, sum), odds) in pairs.iter().zip(&mut sums).zip(&mut odds) {
        let (a, b) = (load(window(pair, 0)), load(window(pair, 64)));
        let evens;
        (evens, *odds) = match W {
            // These run four per cycle, permutations of bytes two.
            8 => by_turns::<8>(a, b),
            4 => {
                let (a, b) = (_mm512_castsi512_ps(a), _mm512_castsi512_ps(b));
                (
                    _mm512_castps_si512(_mm512_shuffle_ps::<0b10_00_10_00>(a, b)),
                    _mm512_castps_si512(_mm512_shuffle_ps::<0b11_01_11_01>(a, b)),
                )
            }
            _ => (
                _mm512_permutex2var_epi8(a, even, b),
                _mm512_permutex2var_epi8(a, odd, b),
            ),
        };
        *sum = join::<SUM>(evens, *odds);
    }
    for (d, index) in indices.doublings.iter().enumerate() {
        if W << d < 64 {
            let index = load(index);
            for sum in &mut sums {
                let shifted = _mm512_permutex2var_epi8(before.doubled[d], index, *sum);
                before.doubled[d] = *sum;
                *sum = join::<SUM>(*sum, shifted);
            }
        }
    }
    for ((pair, sum), odds) in pairs.iter_mut().zip(sums).zip(odds) {
        before.last = join::<SUM>(before.last, sum);
        let evens = part::<SUM>(before.last, odds);
        let (a, b) = by_turns::<W>(evens, before.last);
        store(a, window_mut(pair, 0));
        store(b, window_mut(pair, 64));
    }
}

/// The running XOR of the whole elements of `block`, or the running sum of its bytes (`W` is 1).
///
/// Sums are no product with a bit matrix: they and wider elements are doubled.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
pub(crate) fn running<const W: usize, const SUM: bool>(block: &mut [u8]) {
    if W <= 2 && !SUM {
        let done = prefix::running::<W>(block);
        return scalar::running_from::<SUM>(W, done / W, block);
    }
    let zero = _mm512_setzero_si512();
    let mut before = Before {
        doubled: [zero; 6],
        last: zero,
    };
    let (all, _) = block.as_chunks_mut::<128>();
    let done = all.len() * 128;
    let (eights, rest) = all.as_chunks_mut::<8>();
    for eight in eights {
        pairs::<W, SUM, 8>(&mut before, eight);
    }
    for pair in rest.as_chunks_mut::<1>().0 {
        pairs::<W, SUM, 1>(&mut before, pair);
    }
    scalar::running_from::<SUM>(W, done / W, block);
}
