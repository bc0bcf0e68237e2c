//! Delta: XOR of two blocks, and the running XOR of one.
//!
//! The running XOR takes `log2` XORs at doubled distances within half a register. The XOR of all
//! elements before a half is that before the half two halves earlier, which is the same half of the
//! register before, and the two halves in between: one XOR per register in the chain, everything
//! else off it.

use core::arch::x86_64::{
    __m256i, _mm256_add_epi8, _mm256_alignr_epi8, _mm256_permute2x128_si256, _mm256_set1_epi8,
    _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_slli_epi64, _mm256_xor_si256,
};

use super::{load, store};
use crate::filters::scalar::{bytedelta, delta as scalar};

crate::filters::vector::xor::xor_kernels!("avx2");

/// Per half: zeros for its low quarter, the last element of that quarter broadcast to the high one.
const fn to_high_quarter(width: u8) -> [u8; 32] {
    let mut index = [0x80; 32];
    let mut at: u8 = 0;
    while at < 32 {
        if at % 16 >= 8 {
            index[at as usize] = 8 - width + at % width;
        }
        at += 1;
    }
    index
}

/// Per half: the last element, broadcast.
const fn last_of_half(width: u8) -> [u8; 32] {
    let mut index = [0; 32];
    let mut at: u8 = 0;
    while at < 32 {
        index[at as usize] = 16 - width + at % width;
        at += 1;
    }
    index
}

/// The XOR of each element of `src` with the one before; the first one is kept.
#[target_feature(enable = "avx2")]
pub(crate) fn differences<const W: usize>(src: &[u8], dst: &mut [u8]) {
    let mut before = _mm256_setzero_si256();
    let (to, to_rest) = dst.as_chunks_mut::<32>();
    let (from, _) = src.as_chunks::<32>();
    let done = from.len() * 32;
    for (to, from) in to.iter_mut().zip(from) {
        let x = load(from);
        // The upper half of the register before, and the lower one of this.
        let halves = _mm256_permute2x128_si256::<0x21>(before, x);
        let shifted = match W {
            1 => _mm256_alignr_epi8::<15>(x, halves),
            2 => _mm256_alignr_epi8::<14>(x, halves),
            4 => _mm256_alignr_epi8::<12>(x, halves),
            _ => _mm256_alignr_epi8::<8>(x, halves),
        };
        store(_mm256_xor_si256(x, shifted), to);
        before = x;
    }
    scalar::differences_from(W, done, src, to_rest);
}

/// `a ^ b`, or the sum byte by byte.
#[target_feature(enable = "avx2")]
#[inline]
fn join<const SUM: bool>(a: __m256i, b: __m256i) -> __m256i {
    if SUM {
        _mm256_add_epi8(a, b)
    } else {
        _mm256_xor_si256(a, b)
    }
}

/// A running XOR or sum of elements of `W` bytes, register by register.
struct Running<const W: usize, const SUM: bool> {
    high: __m256i,
    last: __m256i,
    /// In each half of the last register, all elements before that half, joined.
    before: __m256i,
    /// In each half of the last register, its own elements, joined.
    total_before: __m256i,
}

impl<const W: usize, const SUM: bool> Running<W, SUM> {
    /// After elements that are `before`, joined.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn after(before: __m256i) -> Self {
        let (high, last) = const {
            match W {
                1 => (to_high_quarter(1), last_of_half(1)),
                2 => (to_high_quarter(2), last_of_half(2)),
                4 => (to_high_quarter(4), last_of_half(4)),
                _ => (to_high_quarter(8), last_of_half(8)),
            }
        };
        Self {
            high: load(&high),
            last: load(&last),
            before,
            total_before: _mm256_setzero_si256(),
        }
    }

    /// The results of one register.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn next(&mut self, mut x: __m256i) -> __m256i {
        if W == 1 {
            x = join::<SUM>(x, _mm256_slli_epi64::<8>(x));
        }
        if W <= 2 {
            x = join::<SUM>(x, _mm256_slli_epi64::<16>(x));
        }
        if W <= 4 {
            x = join::<SUM>(x, _mm256_slli_epi64::<32>(x));
        }
        x = join::<SUM>(x, _mm256_shuffle_epi8(x, self.high));
        let total = _mm256_shuffle_epi8(x, self.last);
        let one = _mm256_permute2x128_si256::<0x21>(self.total_before, total);
        self.before = join::<SUM>(self.before, join::<SUM>(one, self.total_before));
        self.total_before = total;
        join::<SUM>(x, self.before)
    }
}

/// The running XOR of the whole elements of `block`, or the running sum.
#[target_feature(enable = "avx2")]
pub(crate) fn running<const W: usize, const SUM: bool>(block: &mut [u8]) {
    let mut running = Running::<W, SUM>::after(_mm256_setzero_si256());
    let (vectors, _) = block.as_chunks_mut::<32>();
    let done = vectors.len() * 32;
    for vector in vectors {
        store(running.next(load(vector)), vector);
    }
    scalar::running_from::<SUM>(W, done / W, block);
}

/// The running sums of the bytes of `src`.
#[target_feature(enable = "avx2")]
pub(crate) fn sums(src: &[u8], dst: &mut [u8]) {
    sums_from(0, src, dst);
}

/// [`sums`] from place `first` on; those before are in `dst`.
#[target_feature(enable = "avx2")]
#[inline]
pub(crate) fn sums_from(first: usize, src: &[u8], dst: &mut [u8]) {
    let before = |dst: &[u8], at: usize| {
        let before = at.checked_sub(1).map_or(0, |last| dst[last]);
        _mm256_set1_epi8(before.cast_signed())
    };
    let mut running = Running::<1, true>::after(before(dst, first));
    let (from, rest) = src[first..].as_chunks::<32>();
    for (to, from) in dst[first..].as_chunks_mut::<32>().0.iter_mut().zip(from) {
        store(running.next(load(from)), to);
    }
    if rest.is_empty() {
        return;
    }
    let Some((front, last)) = src.split_last_chunk::<32>() else {
        return bytedelta::sums(src, dst);
    };
    // The last 32 bytes, of which some are done.
    let mut running = Running::<1, true>::after(before(dst, front.len()));
    if let Some(to) = dst.last_chunk_mut::<32>() {
        store(running.next(load(last)), to);
    }
}

/// The running sum, byte by byte, of items of 16 bytes, which `block` is made of.
#[target_feature(enable = "avx2")]
pub(crate) fn sixteen(block: &mut [u8]) {
    let mut before = _mm256_setzero_si256();
    let (pairs, rest) = block.as_chunks_mut::<32>();
    for pair in pairs {
        let x = load(pair);
        let lower = _mm256_permute2x128_si256::<0x08>(x, x);
        let upper = _mm256_permute2x128_si256::<0x11>(x, x);
        let lowers = _mm256_permute2x128_si256::<0x00>(x, x);
        store(join::<true>(join::<true>(x, lower), before), pair);
        before = join::<true>(before, join::<true>(upper, lowers));
    }
    if !rest.is_empty() {
        let mut last = [0; 32];
        last[..16].copy_from_slice(rest);
        let sum = join::<true>(load(&last), before);
        store(sum, &mut last);
        rest.copy_from_slice(&last[..16]);
    }
}
