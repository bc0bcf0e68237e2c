//! The tables of levels 1 and 2 of the high-ratio compressor: the last position of each hash.
//!
//! Two hashes per position, of 4 and of 7 bytes, in one half each. Seven entries are written per
//! match, so streams of up to 64 KiB have [`Near`], with entries of 16 bits and of as many as the
//! stream has positions; longer ones, and those with a dictionary, have [`Far`].

use crate::codecs::lz::{hash, low_u16, low_u32};

use super::chains::{HEAD_BITS, WINDOW};
use super::fast_tables::hash_bits;

/// Bits of a hash at most: half of a table for each hash.
const BITS: u32 = HEAD_BITS - 1;

/// The last position of each hash.
pub(super) trait Tables {
    /// Whether a distance may be any number: too large, or 0.
    const CHECKS_DISTANCE: bool;

    /// Makes `at` the last position of 4 bytes; returns its distance from the former one.
    fn swap_4(&mut self, word: u64, at: usize) -> usize;
    /// Makes `at` the last position of 7 bytes; returns its distance from the former one.
    fn swap_7(&mut self, word: u64, at: usize) -> usize;
}

/// For any stream: an entry is a position plus a [`BaseIndex`](crate::codecs::lz::BaseIndex), so
/// that the table is not cleared for each stream.
pub(super) struct Far<'a> {
    indices: &'a mut [u32; 1 << HEAD_BITS],
    /// The index of position 0.
    base: usize,
}

impl<'a> Far<'a> {
    /// Tables with a dictionary, whose first byte has the index `first`.
    pub(super) fn new(indices: &'a mut [u32; 1 << HEAD_BITS], first: usize, dict: &[u8]) -> Self {
        let mut tables = Self {
            indices,
            base: first,
        };
        for (at, bytes) in dict.windows(8).enumerate() {
            if let Ok(bytes) = bytes.try_into() {
                let word = u64::from_le_bytes(bytes);
                tables.swap_4(word, at);
                tables.swap_7(word, at);
            }
        }
        tables.base += dict.len();
        tables
    }

    #[inline(always)]
    fn swap(&mut self, entry: usize, at: usize) -> usize {
        let entry = &mut self.indices[entry & ((1 << HEAD_BITS) - 1)];
        let index = self.base + at;
        let former = core::mem::replace(entry, low_u32(index));
        index.wrapping_sub(former as usize)
    }
}

impl Tables for Far<'_> {
    const CHECKS_DISTANCE: bool = true;

    #[inline(always)]
    fn swap_4(&mut self, word: u64, at: usize) -> usize {
        self.swap(hash::<4>(word, BITS), at)
    }

    #[inline(always)]
    fn swap_7(&mut self, word: u64, at: usize) -> usize {
        self.swap((1 << BITS) | hash::<7>(word, BITS), at)
    }
}

/// For streams of up to 64 KiB without a dictionary: an entry is a position. One without is 0, the
/// first position, which is as good a candidate for the others as any: no distance is checked.
pub(super) struct Near<'a> {
    positions: &'a mut [u16; WINDOW],
    /// Bits of a hash.
    bits: u32,
}

impl<'a> Near<'a> {
    /// Tables for a stream of `len` bytes.
    pub(super) fn new(positions: &'a mut [u16; WINDOW], len: usize) -> Self {
        let bits = hash_bits(len, BITS);
        for half in positions.chunks_exact_mut(WINDOW / 2) {
            half[..1 << bits].fill(0);
        }
        Self { positions, bits }
    }

    #[inline(always)]
    fn swap(&mut self, entry: usize, at: usize) -> usize {
        let former = core::mem::replace(&mut self.positions[entry], low_u16(at));
        at.wrapping_sub(usize::from(former))
    }
}

impl Tables for Near<'_> {
    const CHECKS_DISTANCE: bool = false;

    #[inline(always)]
    fn swap_4(&mut self, word: u64, at: usize) -> usize {
        self.swap(hash::<4>(word, self.bits) % (WINDOW / 2), at)
    }

    #[inline(always)]
    fn swap_7(&mut self, word: u64, at: usize) -> usize {
        let entry = hash::<7>(word, self.bits) % (WINDOW / 2);
        self.swap(WINDOW / 2 + entry, at)
    }
}
