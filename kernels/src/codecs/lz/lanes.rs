//! Loads, stores and comparisons of whole vectors.
//!
//! Everything here works on pointers: the loops of the codecs prove the bounds once per sequence.
//! [`Lanes`] is the part that differs between instruction sets: the width of one move, and how a
//! vector is filled with a repeating pattern. Results never depend on it. A value is the token of
//! its level, so that having one is the proof of the instructions; the obligations left are those
//! of the pointers.

use super::raw::{load, store};
use super::words::{repeat_word, repeat_words};
use crate::filters::scalar::Scalar;

/// The vectors of one instruction set.
pub(crate) trait Lanes: Copy {
    /// Bytes per move.
    const WIDTH: usize;
    /// Bytes that [`Self::differ`] compares.
    const WIDE: usize;
    /// Bits of its result for each of them: together at most 64.
    const BITS: usize;
    /// Whether the second of two words of a short match of LZ4 goes to the first one's place where
    /// one is enough. On a Zen 5 LZ4 reads records of 12 bytes in 0.6 of the time with it; a Zen 3,
    /// which stands for all processors with AVX2 alone, reads most streams 1.07 to 1.15 times as
    /// fast without. An Emerald Rapids reads most streams of LZ4 HC without a filter 1.1 times as
    /// fast without, so Intel's processors with AVX-512 do, too. BloscLZ has it everywhere: on a
    /// Zen 3 records are at 1.07 of C with it and at 0.75 without, and all else is the same.
    const FOLDS: bool = true;
    /// The vector.
    type Vector: Copy;

    /// Reads `WIDTH` bytes.
    ///
    /// # Safety
    /// They are readable.
    unsafe fn load(self, from: *const u8) -> Self::Vector;

    /// Writes `WIDTH` bytes.
    ///
    /// # Safety
    /// They are writable.
    unsafe fn store(self, to: *mut u8, bytes: Self::Vector);

    /// A vector whose byte `i` is byte `i % period` at `from`.
    ///
    /// # Safety
    /// `WIDTH` bytes are readable at `from`, and `1 <= period < WIDTH`.
    unsafe fn repeat(self, from: *const u8, period: usize) -> Self::Vector;

    /// A vector whose byte `i` is `bytes[i % period]`, for a period of 1 to 7.
    fn repeat_8(self, bytes: [u8; 8], period: usize) -> Self::Vector;

    /// `BITS` bits for each of the first `WIDE` bytes at `a` and `b`: 0 where they agree, any other
    /// number where they differ.
    ///
    /// # Safety
    /// `WIDE` bytes are readable at both.
    unsafe fn differ(self, a: *const u8, b: *const u8) -> u64;

    /// Appends `len` bytes at `to`, each the one `distance` before it.
    ///
    /// # Safety
    /// `distance` (1 or more) bytes before `to` are readable; `len` and
    /// [`SLACK`](super::raw::SLACK) bytes from `to` on are readable and writable.
    unsafe fn copy_match(self, to: *mut u8, distance: usize, len: usize);

    /// The low bits of a word, as many as the lowest byte of `count` says, at most 31.
    #[inline(always)]
    fn low_bits(self, word: u32, count: u32) -> u32 {
        word & ((1_u32 << (count & 31)) - 1)
    }

    /// Asks for a row that is read soon.
    #[inline(always)]
    fn prefetch(self, _: &[u32; 16]) {}

    /// Puts `new` in front of `row`, whose last entry is lost, and returns a bit for each of the
    /// others that agrees with it in the bits of `mask`: bit 1 for the first of them, and so on.
    #[inline(always)]
    fn push(self, row: &mut [u32; 16], new: u32, mask: u32) -> u32 {
        row.copy_within(..15, 1);
        row[0] = new;
        let mut bits = 0;
        for (n, entry) in row.iter().enumerate() {
            bits |= u32::from((entry ^ new) & mask == 0) << n;
        }
        bits & !1
    }
}

/// 16-byte moves with the instructions of every target.
impl Lanes for Scalar {
    const WIDTH: usize = 16;
    const WIDE: usize = compare::WIDE;
    const BITS: usize = compare::BITS;
    type Vector = [u8; 16];

    #[inline(always)]
    unsafe fn load(self, from: *const u8) -> [u8; 16] {
        // SAFETY: `WIDTH` is 16.
        unsafe { load(from) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8, bytes: [u8; 16]) {
        // SAFETY: `WIDTH` is 16.
        unsafe { store(to, bytes) }
    }

    #[inline(always)]
    unsafe fn repeat(self, from: *const u8, period: usize) -> [u8; 16] {
        // SAFETY: `WIDTH` is 16.
        let bytes = unsafe { load(from) };
        repeat_words(u128::from_le_bytes(bytes), period)
    }

    #[inline(always)]
    fn repeat_8(self, bytes: [u8; 8], period: usize) -> [u8; 16] {
        repeat_word(u64::from_le_bytes(bytes), period)
    }

    #[inline(always)]
    unsafe fn differ(self, a: *const u8, b: *const u8) -> u64 {
        // SAFETY: `WIDE` bytes by the contract.
        let a = unsafe { load(a) };
        // SAFETY: `WIDE` bytes by the contract.
        let b = unsafe { load(b) };
        compare::differ(a, b)
    }

    #[inline(always)]
    unsafe fn copy_match(self, to: *mut u8, distance: usize, len: usize) {
        // SAFETY: the contract is the same.
        unsafe { super::raw::copy_words(to, distance, len) }
    }
}

/// Comparisons of 16 bytes with SSE2, which every x86-64 has: the compiler does not vectorise a
/// loop over bytes, which takes up to six times as long.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod compare {
    use core::arch::x86_64::{__m128i, _mm_cmpeq_epi8, _mm_movemask_epi8, _mm_set_epi64x};

    pub(super) const WIDE: usize = 16;
    pub(super) const BITS: usize = 1;

    #[inline(always)]
    pub(super) fn differ(a: [u8; WIDE], b: [u8; WIDE]) -> u64 {
        // SAFETY: the target has SSE2: this module is compiled for no other.
        unsafe { differ_sse2(a, b) }
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn differ_sse2(a: [u8; WIDE], b: [u8; WIDE]) -> u64 {
        let equal = _mm_movemask_epi8(_mm_cmpeq_epi8(vector(a), vector(b)));
        u64::from(!equal.cast_unsigned() & 0xFFFF)
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn vector(bytes: [u8; WIDE]) -> __m128i {
        let half = |half: Option<&[u8; 8]>| half.map_or(0, |half| i64::from_le_bytes(*half));
        _mm_set_epi64x(half(bytes.last_chunk()), half(bytes.first_chunk()))
    }
}

/// Comparisons of words.
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
mod compare {
    pub(super) const WIDE: usize = 8;
    pub(super) const BITS: usize = 8;

    #[inline(always)]
    pub(super) fn differ(a: [u8; WIDE], b: [u8; WIDE]) -> u64 {
        u64::from_le_bytes(a) ^ u64::from_le_bytes(b)
    }
}
