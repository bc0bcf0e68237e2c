//! The costs of literals and matches, by those of the stream so far.
//!
//! A part begins with an estimate: its literals at the entropy of its bytes, matches at that of
//! some assumed ones. As literals and matches are found, they are counted, and the costs of those
//! that follow are those of codes for such counts. So in a plane where matches save nothing, masks
//! for one, no more of them are taken, and where the literals left are the rare ones, a match that
//! saves one of them is worth it.

use super::parts::{bits, log2, to_f32, to_u32};
use super::sequences::len_code;
use crate::codecs::lz::low_u32;
use crate::codecs::zstd::codes::MATCH_LENGTHS;

/// Costs are in units of so many to a bit.
pub(super) const BIT: u32 = 16;
/// The least estimate of a literal: matches are looked for at first, whose literals then count.
const LEAST_LITERAL: u32 = 40;
/// The weight of the estimate, in literals.
const ESTIMATED: u32 = 64;
/// Of literals next to each other, so many are counted.
const MOST_COUNTED: usize = 1024;
/// A literal length, in bits: a match more costs less than the mean, as those around get shorter.
const LITERAL_LENGTH: f32 = 2.0;
/// The counts of the assumed matches: of each code of an offset, of the last offset, and of the
/// shortest length, where longer ones are rarer.
const OFFSET: u32 = 2;
const REPEATED: u32 = 8;
const SHORTEST: u32 = 40;
/// After so many matches of a part the costs are those of what was counted, and again whenever
/// their number has doubled.
const FIRST_UPDATE: u32 = 32;
/// Lengths of fewer bytes have their costs in a table.
const LONG: usize = 131;

/// Costs and counts.
#[derive(Clone)]
pub(super) struct Costs {
    /// A literal.
    literal: u32,
    /// Of the code of an offset, with its bits and a literal length.
    offsets: [u32; 32],
    /// Of the code of a match length, with its bits.
    lens: [u32; 64],
    /// The same by length, less three.
    short_lens: [u32; LONG - 3],
    offset_counts: [u32; 32],
    len_counts: [u32; 64],
    literal_counts: [u32; 256],
    /// The estimate.
    estimated: u32,
    /// Matches of the part, and how many of them there are to be at the next update.
    matches: u32,
    due: u32,
}

impl Costs {
    /// Those with which a stream begins.
    pub(super) fn new() -> Self {
        let mut this = Self {
            literal: 0,
            offsets: [0; 32],
            lens: [0; 64],
            short_lens: [0; LONG - 3],
            offset_counts: [0; 32],
            len_counts: [0; 64],
            literal_counts: [0; 256],
            estimated: 0,
            matches: 0,
            due: 0,
        };
        // The codes of all distances within reach.
        this.offset_counts[..24].fill(OFFSET);
        this.offset_counts[0] = REPEATED;
        for (count, n) in this.len_counts[..53].iter_mut().zip(2..) {
            *count = (SHORTEST / n).max(1);
        }
        this.update_matches();
        this
    }

    /// Begins a part, of which a byte by itself costs so much.
    pub(super) fn begin(&mut self, byte: u32) {
        self.estimated = byte.max(LEAST_LITERAL);
        self.literal = self.estimated;
        self.literal_counts = [0; 256];
        self.matches = 0;
        self.due = FIRST_UPDATE;
    }

    /// The cost of a literal.
    #[inline(always)]
    pub(super) fn literal(&self) -> u32 {
        self.literal
    }

    /// The cost of as many literals less that of a match, or 0. A value stands for its distance.
    #[inline(always)]
    pub(super) fn saved(&self, len: usize, value: u32) -> u32 {
        let cost = match self.short_lens.get(len.wrapping_sub(3)) {
            Some(cost) => *cost,
            None => self.lens[usize::from(len_code(low_u32(len))) & 63],
        };
        let cost = cost + self.offsets[value.ilog2() as usize & 31];
        (low_u32(len) * self.literal).saturating_sub(cost)
    }

    /// Counts a match, and the literals before it.
    #[inline(always)]
    pub(super) fn add(&mut self, literals: &[u8], len: usize, value: u32) {
        for literal in literals.iter().take(MOST_COUNTED) {
            self.literal_counts[usize::from(*literal)] += 1;
        }
        self.offset_counts[value.ilog2() as usize & 31] += 1;
        self.len_counts[usize::from(len_code(low_u32(len))) & 63] += 1;
        self.matches += 1;
        if self.matches == self.due {
            self.update();
        }
    }

    #[cold]
    #[inline(never)]
    fn update(&mut self) {
        self.due *= 2;
        let count: u32 = self.literal_counts.iter().sum();
        let all = bits(&self.literal_counts, count as usize) * to_f32(BIT as usize);
        let mean = (to_u32(all) + self.estimated * ESTIMATED) / (count + ESTIMATED);
        // Codes take more than the entropy, and their description something too.
        self.literal = mean + mean / 16;
        self.update_matches();
    }

    fn update_matches(&mut self) {
        let cost = |log: f32, extra: f32| to_u32((log + extra) * to_f32(BIT as usize));
        let all = log2(self.offset_counts.iter().sum());
        for ((to, count), code) in self.offsets.iter_mut().zip(&self.offset_counts).zip(0..) {
            *to = cost(all - log2(*count), LITERAL_LENGTH + to_f32(code));
        }
        let all = log2(self.len_counts.iter().sum());
        let codes = self.len_counts.iter().zip(&MATCH_LENGTHS);
        for (to, (count, code)) in self.lens.iter_mut().zip(codes) {
            *to = cost(all - log2(*count), to_f32(code.extra() as usize));
        }
        for (to, len) in self.short_lens.iter_mut().zip(3..) {
            *to = self.lens[usize::from(len_code(len)) & 63];
        }
    }
}
