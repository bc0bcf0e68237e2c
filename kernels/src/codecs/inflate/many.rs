//! Up to four literals from one look-up, for blocks whose literals have very short codes.

use alloc::boxed::Box;
use core::hint::select_unpredictable;

use super::bits::Bits;
use super::entry::{LITERALS, Literals};
use super::table::{Counts, Table};
use crate::codecs::boxed::zeroed;

/// The bits of an index, as many as of the root of the table of literals and lengths.
pub(super) const BITS: u32 = 11;
const ENTRIES: usize = 1 << BITS;
/// The length of a literal that is not there: with any other it does not fit.
const NONE: u64 = 31;

/// The table.
pub(super) struct Many {
    entries: Box<[u64; ENTRIES]>,
}

impl Many {
    pub(super) fn new() -> Self {
        Self { entries: zeroed() }
    }

    /// The literals that come next.
    #[inline(always)]
    pub(super) fn next(&self, bits: &Bits<'_>) -> Literals {
        self.at(bits.peek(BITS))
    }

    #[inline(always)]
    #[expect(clippy::indexing_slicing, reason = "masked to the length")]
    fn at(&self, index: usize) -> Literals {
        Literals::from_raw(self.entries[index & (ENTRIES - 1)])
    }

    /// The number of entries with four literals, given the count of code lengths.
    pub(super) fn full(literals: &Counts) -> usize {
        // By length, the sequences of one literal, two, three, four.
        let mut sequences = [0_usize; BITS as usize + 1];
        sequences[0] = 1;
        for _ in 0..LITERALS {
            let before = sequences;
            sequences = [0; BITS as usize + 1];
            for (len, number) in before.into_iter().enumerate() {
                let longer = sequences.iter_mut().skip(len + 1);
                for (longer, &count) in longer.zip(literals.iter().skip(1)) {
                    *longer += number * usize::from(count);
                }
            }
        }
        let entries = sequences.iter().rev().enumerate();
        entries.map(|(free, number)| number << free).sum()
    }

    /// Builds the table from that of single literals and lengths.
    pub(super) fn build<const LEN: usize>(&mut self, litlens: &Table<BITS, LEN>) {
        // The bits after a code are a lower index, whose literals count here as far as all their
        // bits are in this one. Index 0 refers to itself, and has a literal more each time.
        const NO_LITERALS: u64 = NONE << 9 | NONE << 14 | NONE << 19;
        self.entries.fill(NO_LITERALS);
        for index in [0; LITERALS - 1].into_iter().chain(0..ENTRIES) {
            let first = litlens.root_at(index);
            let len = u64::from(first.len());
            let rest = self.at(index >> (first.len() & 15)).raw();
            let two = len + (rest >> 9 & 31);
            let three = len + (rest >> 14 & 31);
            let four = len + (rest >> 19 & 31);
            let most = u64::from(BITS);
            let (has_two, has_three, has_four) = (two <= most, three <= most, four <= most);
            let mut all = select_unpredictable(has_two, two, len);
            all = select_unpredictable(has_three, three, all);
            all = select_unpredictable(has_four, four, all);
            let count = 1 + u64::from(has_two) + u64::from(has_three) + u64::from(has_four);
            let lens = len
                | select_unpredictable(has_two, two, NONE) << 5
                | select_unpredictable(has_three, three, NONE) << 10;
            let literals = u64::from(first.byte()) << 32 | rest >> 32 << 40;
            let entry = literals | lens << 9 | count << 6 | all;
            let entry = select_unpredictable(first.is_literal(), entry, NO_LITERALS);
            if let Some(to) = self.entries.get_mut(index) {
                *to = entry;
            }
        }
    }
}
