//! Level 1: blocks of 64 KiB.
//!
//! Most blocks have the fixed codes, which are the fastest to write and to read; a block has its
//! own codes if it is less than five eighths as long with them, or less than seven where it has few
//! distinct literals, as masks have: short codes are decoded two at a time. With few distinct
//! values in random order, a literal takes two or three bits then, and a match of four bytes takes
//! twenty: such parts are parsed again, for matches that are shorter than their literals.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::bits::BitWriter;
use super::codes::Codes;
use super::costs::block_bits;
use super::greedy::{Greedy, MIN_MATCH};
use super::histogram::Histogram;
use super::sequence::Sequence;
use super::write;
use crate::Kernels;

/// Bytes of the source in one block.
const PART: usize = 64 << 10;
/// Literals per bit of decode-time penalty.
const LITERALS_PER_BIT: u64 = 16;
/// A block with at most this many distinct literals has its own codes if they gain an eighth.
const FEW_LITERALS: usize = 16;

/// The encoder of level 1.
pub(super) struct Parts {
    greedy: Greedy,
    sequences: Vec<Sequence>,
    histogram: Box<Histogram>,
}

impl Parts {
    pub(super) fn new(kernels: Kernels) -> Self {
        Self {
            greedy: Greedy::new(kernels),
            sequences: Vec::with_capacity(PART / MIN_MATCH + 1),
            histogram: Box::default(),
        }
    }

    /// Writes the blocks of `src`, or returns `None` when they do not fit.
    #[inline(always)]
    pub(super) fn encode(
        &mut self,
        src: &[u8],
        codes: &mut Codes,
        out: &mut BitWriter<'_>,
    ) -> Option<()> {
        self.greedy.start(src);
        let mut start = 0;
        loop {
            let end = src.len().min(start + PART);
            self.block(src, (start, end), codes, out)?;
            start = end;
            if start == src.len() {
                return Some(());
            }
        }
    }

    /// Writes the block `src[start..end]`.
    #[inline(always)]
    fn block(
        &mut self,
        src: &[u8],
        (start, end): (usize, usize),
        codes: &mut Codes,
        out: &mut BitWriter<'_>,
    ) -> Option<()> {
        let last = end == src.len();
        let bytes = src.get(start..end)?;
        let mut fixed = self.parse(src, (start, end));
        if self.greedy.estimate_literals(bytes, fixed) {
            fixed = self.parse(src, (start, end));
        }
        let stored = write::stored_bits(bytes.len());
        // Without repeats, codes must save the time of decoding literals: a stored block is a
        // hundred times as fast. And own codes make a block slower.
        let penalty = self.histogram.literals() / LITERALS_PER_BIT;
        let estimate = block_bits(&self.histogram);
        let stores = stored <= fixed + penalty;
        if stores && estimate > stored / 4 * 3 {
            return write::stored(bytes, last, out);
        }
        let mut own = u64::MAX;
        let few = self.histogram.distinct_literals() <= FEW_LITERALS;
        if stores || estimate < fixed / 8 * if few { 7 } else { 5 } {
            own = codes.build(&self.histogram);
        }
        if stored <= own.min(fixed) {
            return write::stored(bytes, last, out);
        }
        write::coded(codes, (own, fixed), (bytes, last), &self.sequences, out)
    }

    /// Finds the sequences of a part, counts their symbols, and returns the size in bits of a block
    /// with the fixed codes.
    #[inline(always)]
    fn parse(&mut self, src: &[u8], part: (usize, usize)) -> u64 {
        self.sequences.clear();
        self.greedy.parse(src, part, &mut self.sequences);
        self.histogram.count(src, part.0, &self.sequences);
        Codes::fixed_bits(&self.histogram)
    }
}
