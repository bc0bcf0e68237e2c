//! Symbol counts of a block.

use super::sequence::{FIRST_LITERALS, Sequence, four_at, literals_are_rare};
use super::symbols::{FIRST_LENGTH, distance_symbol, length_symbol};
use crate::codecs::zlib::{DIST_EXTRA_BITS, DISTS, END_OF_BLOCK, LITLEN_EXTRA_BITS, LITLENS};

/// One sequence in `SAMPLE` is counted by [`Histogram::sample`], in groups of `GROUP`.
const SAMPLE: usize = 8;
const GROUP: usize = 32;

/// The number of occurrences of each symbol in a block.
pub(super) struct Histogram {
    litlens: [u32; LITLENS],
    dists: [u32; DISTS],
    /// Separate counts of every second, third and fourth literal: equal neighbours would wait for
    /// each other's store.
    interleaved: [[u32; 256]; 3],
}

impl Default for Histogram {
    fn default() -> Self {
        Self {
            litlens: [0; LITLENS],
            dists: [0; DISTS],
            interleaved: [[0; 256]; 3],
        }
    }
}

impl Histogram {
    /// Counts the symbols of the block whose content begins at `start` of `src`.
    #[inline(always)]
    pub(super) fn count(&mut self, src: &[u8], start: usize, sequences: &[Sequence]) {
        *self = Self::default();
        self.add(src, start, sequences);
        self.finish();
    }

    /// Counts the symbols of one sequence in `SAMPLE`, in groups, of the block whose content begins
    /// at `start` of `src`.
    #[inline(always)]
    pub(super) fn sample(&mut self, src: &[u8], start: usize, sequences: &[Sequence]) {
        *self = Self::default();
        let mut at = start;
        for groups in sequences.chunks(SAMPLE * GROUP) {
            let (counted, skipped) = groups.split_at(groups.len().min(GROUP));
            at = self.add(src, at, counted);
            let lens = skipped
                .iter()
                .map(|sequence| sequence.literals + u32::from(sequence.len));
            at += lens.sum::<u32>() as usize;
        }
        self.finish();
    }

    /// Counts the symbols of the sequences whose content begins at `at`, and returns its end.
    #[inline(always)]
    fn add(&mut self, src: &[u8], mut at: usize, sequences: &[Sequence]) -> usize {
        let rare = literals_are_rare(sequences);
        for sequence in sequences {
            let mut literals = sequence.literals;
            let end = at + literals as usize;
            while literals > 4
                && let Some(four) = four_at(src, at)
            {
                self.count_four(four, [1; 4]);
                (at, literals) = (at + 4, literals - 4);
            }
            if rare && literals == 0 {
                // The predictable case.
            } else if let Some(four) = four_at(src, at) {
                let masks = FIRST_LITERALS[literals as usize & 7];
                self.count_four(four, masks.map(|mask| mask & 1));
            } else {
                for byte in src.get(at..end).unwrap_or(&[]) {
                    self.litlens[usize::from(*byte)] += 1;
                }
            }
            if sequence.len > 0 {
                self.litlens[length_symbol(sequence.len)] += 1;
                self.dists[distance_symbol(sequence.distance).0] += 1;
            }
            at = end + usize::from(sequence.len);
        }
        at
    }

    /// Counts the end of the block, and adds up the interleaved counts.
    #[inline(always)]
    fn finish(&mut self) {
        self.litlens[END_OF_BLOCK] = 1;
        for counts in &self.interleaved {
            for (sum, count) in self.litlens.iter_mut().zip(counts) {
                *sum += count;
            }
        }
    }

    /// Becomes an estimate of the counts of a block of which this is a sample: every symbol may
    /// occur.
    pub(super) fn extrapolate(&mut self) {
        // Two symbols exist in the fixed codes only.
        for count in self.litlens.iter_mut().take(LITLENS - 2) {
            *count = 32 * *count + 1;
        }
        for count in self.dists.iter_mut().take(DISTS - 2) {
            *count = 32 * *count + 1;
        }
    }

    /// Adds to the counts of four literals, each in its own table.
    #[inline(always)]
    fn count_four(&mut self, [a, b, c, d]: &[u8; 4], by: [u32; 4]) {
        self.litlens[usize::from(*a)] += by[0];
        self.interleaved[0][usize::from(*b)] += by[1];
        self.interleaved[1][usize::from(*c)] += by[2];
        self.interleaved[2][usize::from(*d)] += by[3];
    }

    /// The counts of literals, the end of the block, and lengths.
    pub(super) fn litlens(&self) -> &[u32; LITLENS] {
        &self.litlens
    }

    /// The counts of distances.
    pub(super) fn dists(&self) -> &[u32; DISTS] {
        &self.dists
    }

    /// The number of literals.
    pub(super) fn literals(&self) -> u64 {
        let literals = self.litlens.iter().take(END_OF_BLOCK);
        literals.map(|count| u64::from(*count)).sum()
    }

    /// The number of different literals.
    pub(super) fn distinct_literals(&self) -> usize {
        let literals = self.litlens.iter().take(END_OF_BLOCK);
        literals.filter(|count| **count > 0).count()
    }

    /// The number of extra bits of all symbols.
    pub(super) fn extra_bits(&self) -> u64 {
        let extra = |counts: &[u32], extra: &[u8]| -> u64 {
            let counts = counts.iter().zip(extra);
            counts
                .map(|(count, bits)| u64::from(*count) * u64::from(*bits))
                .sum()
        };
        let lengths = extra(
            &self.litlens[FIRST_LENGTH..],
            &LITLEN_EXTRA_BITS[FIRST_LENGTH..],
        );
        lengths + extra(&self.dists, &DIST_EXTRA_BITS)
    }

    /// Becomes the histogram of two consecutive blocks written as one.
    pub(super) fn sum(&mut self, a: &Self, b: &Self) {
        let litlens = a.litlens.iter().zip(&b.litlens);
        for (sum, (a, b)) in self.litlens.iter_mut().zip(litlens) {
            *sum = a + b;
        }
        self.litlens[END_OF_BLOCK] = 1;
        let dists = a.dists.iter().zip(&b.dists);
        for (sum, (a, b)) in self.dists.iter_mut().zip(dists) {
            *sum = a + b;
        }
    }

    /// The size in bits of the block's content with codes of these lengths.
    pub(super) fn bits(&self, litlens: &[u8; LITLENS], dists: &[u8; DISTS]) -> u64 {
        let litlens = weighted_sum(&self.litlens, litlens, &LITLEN_EXTRA_BITS);
        litlens + weighted_sum(&self.dists, dists, &DIST_EXTRA_BITS)
    }
}

/// The sum of the counts, each times the bits of its code and its extra bits.
fn weighted_sum<const N: usize>(counts: &[u32; N], codes: &[u8; N], extra: &[u8; N]) -> u64 {
    let bits = codes.iter().zip(extra).map(|(code, extra)| code + extra);
    counts
        .iter()
        .zip(bits)
        .map(|(count, bits)| u64::from(*count) * u64::from(bits))
        .sum()
}
