//! A block that is not written yet: parts after it join it while codes of their own save little.
//!
//! What counts is what is left to code after the matches, literals and sequences, and not the bytes
//! by which parts are found.

use super::parts::{MAX_PART, Part, add, bits, count, to_f32};
use super::sequences::{Sequence, count_codes};

/// The least that codes of its own must save a block, in bits: its tables take microseconds to
/// decode. In short streams that is a sixteenth of a bit for each byte.
const LEAST_GAIN: f32 = 3000.0;
const LEAST_GAIN_PER_BYTE: f32 = 1.0 / 16.0;

/// The same for a stream of `len` bytes.
pub(super) fn least_gain(len: usize) -> f32 {
    LEAST_GAIN.min(to_f32(len) * LEAST_GAIN_PER_BYTE)
}

/// A block that is not written yet: the first sequences and literals of those that were found.
pub(super) struct Open {
    pub(super) start: usize,
    pub(super) end: usize,
    /// As that of its first part.
    pub(super) flat: bool,
    pub(super) sequences: usize,
    pub(super) literals: Content,
    codes: Content,
}

impl Open {
    /// A block of a part, which begins at `start`, whose last sequence has no match. One that is
    /// `alone` in its stream is never joined.
    #[inline(always)]
    pub(super) fn new(
        (start, part): (usize, Part),
        found: &[Sequence],
        literals: &[u8],
        alone: bool,
    ) -> Self {
        let matches = found.split_last().map_or(&[][..], |(_, matches)| matches);
        Self {
            start,
            end: part.end,
            flat: part.flat,
            sequences: found.len(),
            literals: Content::new(count(literals), literals.len(), alone),
            codes: if alone {
                Content::new([0; 256], 0, true)
            } else {
                Content::new(count_codes(matches), 3 * matches.len(), false)
            },
        }
    }

    /// Both as one block; `None` when codes of their own are better.
    #[inline(always)]
    pub(super) fn with(&self, next: &Self, least_gain: f32) -> Option<Self> {
        if next.end - self.start > MAX_PART {
            return None;
        }
        let literals = self.literals.with(&next.literals);
        let codes = self.codes.with(&next.codes);
        let apart = self.literals.bits + self.codes.bits + next.literals.bits + next.codes.bits;
        let gain = literals.bits + codes.bits - apart;
        (gain < least_gain).then_some(Self {
            start: self.start,
            end: next.end,
            flat: self.flat,
            sequences: self.sequences + next.sequences - 1,
            literals,
            codes,
        })
    }
}

/// How often each byte occurs in some, and the least bits that they take, unless they are `alone`.
/// Bytes of several kinds take more, in proportion to their number.
pub(super) struct Content {
    pub(super) counts: [u32; 256],
    pub(super) len: usize,
    pub(super) bits: f32,
}

impl Content {
    #[inline(always)]
    pub(super) fn new(counts: [u32; 256], len: usize, alone: bool) -> Self {
        let bits = if alone { 0.0 } else { bits(&counts, len) };
        Self { counts, len, bits }
    }

    #[inline(always)]
    pub(super) fn with(&self, other: &Self) -> Self {
        let mut counts = self.counts;
        add(&mut counts, &other.counts);
        Self::new(counts, self.len + other.len, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A part of 4 KiB, of such literals and of matches at such a distance.
    fn open(at: usize, literals: &[u8], distance: u32) -> Open {
        let part = Part {
            end: at + 4096,
            byte: 0,
            cost: 0,
            flat: false,
        };
        let found = |len| Sequence {
            literals: 1,
            len,
            distance,
        };
        let mut all = [found(8); 1000];
        all[999] = found(0);
        // So that not all of them repeat the distance before.
        for (n, found) in (0..).zip(&mut all) {
            found.distance += n;
        }
        Open::new((at, part), &all, literals, false)
    }

    #[test]
    fn parts_join_unless_codes_of_their_own_save_enough() {
        let [low, high] = [[1, 2, 3, 4], [5, 6, 7, 8]].map(|of: [u8; 4]| of.repeat(1000));
        let least = least_gain(1 << 20);
        let first = open(0, &low, 1000);
        let both = first.with(&open(4096, &low, 1000), least).unwrap();
        assert_eq!((both.start, both.end, both.sequences), (0, 8192, 1999));
        assert_eq!(both.literals.counts[1..5], [2000; 4]);
        // Other literals save 8,000 bits, and a block must not be too long.
        assert!(first.with(&open(4096, &high, 1000), least).is_none());
        assert!(first.with(&open(MAX_PART, &low, 1000), least).is_none());
        // Other distances save a bit for each match: enough in a short stream alone.
        let far = open(4096, &low, 100_000);
        assert!(first.with(&far, least).is_some());
        assert!(first.with(&far, least_gain(16 << 10)).is_none());
    }
}
