//! Estimated costs of symbols, in sixteenths of a bit.

use super::histogram::Histogram;
use super::symbols::{FIRST_LENGTH, LENGTHS, distance_symbol, extra_bits, length_symbol};
use crate::codecs::huffman::code_lengths;
use crate::codecs::log2::log2_16;
use crate::codecs::zlib::{
    DIST_EXTRA_BITS, DISTS, END_OF_BLOCK, LITLEN_EXTRA_BITS, LITLENS, MAX_CODE_BITS,
};

/// The highest estimate, for symbols that have not occurred.
const MAX_COST: u32 = 16 * 12;
/// A symbol with at least this count has the cost that its count gives; with a lower count the
/// estimate leans towards the initial one.
const CERTAIN: u32 = 16;
/// Initial estimates of the codes of lengths and distances: low, so that matches are tried.
const LENGTH: u32 = 16 * 4;
const DISTANCE: u32 = 16 * 3;
/// The highest estimate of a distance's code at levels that favour matches.
const CHEAP_DISTANCE: u32 = 16 * 4;
/// Literals are compared with codes of whole bits where one in this many is the same.
const FREQUENT: u32 = 4;
/// The least gain of a later match over an earlier one, for the literal that it needs; and the same
/// where there are so few distinct literals: with many literals between matches, those become even
/// cheaper and matches longer, so that masks are 1 % larger at level 9 and slower to decode.
const LATER_GAIN: u32 = 16;
const FEW_LITERALS: usize = 4;
const LATER_GAIN_FEW: u32 = 16 * 5;
/// Less than this is the error of estimates that change from piece to piece.
const UNCERTAIN: u32 = 16 / 4;

/// The estimated costs of literals, lengths and distances, extra bits included.
pub(super) struct Costs {
    literals: [u32; 256],
    /// Costs by length - 3.
    lengths: [u32; 256],
    distances: [u32; DISTS],
    /// The mean cost of a literal.
    mean: u32,
    /// The least gain of a later match over an earlier one.
    later_gain: u32,
    /// The highest estimate of a distance's code, without extra bits. A code that is estimated as
    /// long is used rarely and then becomes long: where most literals are long too, as in noise,
    /// streams are shorter with many far matches.
    max_distance_code: u32,
}

impl Default for Costs {
    fn default() -> Self {
        Self {
            literals: [0; 256],
            lengths: [0; 256],
            distances: [0; DISTS],
            mean: 0,
            later_gain: LATER_GAIN,
            max_distance_code: MAX_COST,
        }
    }
}

impl Costs {
    /// Costs that never estimate the code of a distance as long.
    pub(super) fn with_cheap_distances() -> Self {
        Self {
            max_distance_code: CHEAP_DISTANCE,
            ..Self::default()
        }
    }

    /// Sets initial costs from a sample of about `sample` bytes of `src`.
    pub(super) fn estimate(&mut self, src: &[u8], sample: usize) {
        let mut counts = [0_u32; 256];
        let mut total = 0;
        // An odd step visits all bytes of multi-byte numbers.
        for byte in src.iter().step_by((src.len() / sample) | 1) {
            counts[usize::from(*byte)] += 1;
            total += 1;
        }
        self.set_literals(&counts, total + total / 8);
        let mut litlens = [0; LITLENS];
        litlens[..256].copy_from_slice(&counts);
        litlens[END_OF_BLOCK] = 1;
        self.add_redundancy(&litlens, total);
        for (cost, entry) in self.lengths.iter_mut().zip(&LENGTHS) {
            *cost = LENGTH + 16 * extra_bits(*entry);
        }
        self.set_distances(&[0; DISTS], 0);
    }

    /// Sets costs from symbol counts.
    pub(super) fn update(&mut self, histogram: &Histogram) {
        let litlens = histogram.litlens();
        let total: u32 = litlens.iter().sum();
        if let Some(literals) = litlens.first_chunk() {
            self.set_literals(literals, total);
            self.add_redundancy(litlens, total);
        }
        self.set_lengths(litlens, total);
        self.set_distances(histogram.dists(), histogram.dists().iter().sum());
    }

    fn set_literals(&mut self, counts: &[u32; 256], total: u32) {
        let all = log2_16(total + 1);
        let (mut sum, mut literals, mut distinct) = (0, 0, 0);
        for (cost, count) in self.literals.iter_mut().zip(counts) {
            *cost = all.saturating_sub(log2_16(*count)).clamp(16, MAX_COST);
            sum += u64::from(*cost) * u64::from(*count);
            literals += u64::from(*count);
            distinct += usize::from(*count > 0);
        }
        self.later_gain = if distinct <= FEW_LITERALS {
            LATER_GAIN_FEW
        } else {
            LATER_GAIN
        };
        self.mean = u32::try_from(sum / literals.max(1)).unwrap_or(MAX_COST);
        if literals == 0 {
            self.mean = 8 * 16;
        }
    }

    /// Makes literals longer by what codes of whole bits waste, in the mean: entropies are too low
    /// where few values are frequent. Two equally frequent literals take a bit and a half each,
    /// since the end of the block and the matches need codes as well.
    fn add_redundancy(&mut self, litlens: &[u32; LITLENS], total: u32) {
        let (literals, _) = litlens.split_at(END_OF_BLOCK);
        let most = literals.iter().max().copied().unwrap_or(0);
        // What is wasted is at most the share of the most frequent symbol and 0.09 bits.
        if most < total / FREQUENT {
            return;
        }
        let lens = code_lengths(litlens, MAX_CODE_BITS);
        let (mut coded, mut all) = (0, 0);
        for (count, len) in literals.iter().zip(&lens) {
            coded += u64::from(*count) * u64::from(*len);
            all += u64::from(*count);
        }
        let coded = u32::try_from(16 * coded / all.max(1)).unwrap_or(MAX_COST);
        let redundancy = coded.saturating_sub(self.mean);
        if redundancy < UNCERTAIN {
            return;
        }
        for cost in &mut self.literals {
            *cost = (*cost + redundancy).min(MAX_COST);
        }
        self.mean += redundancy;
    }

    fn set_lengths(&mut self, litlens: &[u32; LITLENS], total: u32) {
        let all = log2_16(total + 1);
        // A power of two, so that indices need no check.
        let mut costs = [0; 32];
        let symbols = litlens.iter().zip(&LITLEN_EXTRA_BITS).skip(FIRST_LENGTH);
        for (cost, (count, extra)) in costs.iter_mut().zip(symbols) {
            *cost = blend(all, *count, LENGTH) + 16 * u32::from(*extra);
        }
        for (len, cost) in (3..=258_u16).zip(&mut self.lengths) {
            *cost = costs[(length_symbol(len) - FIRST_LENGTH) & 31];
        }
    }

    fn set_distances(&mut self, counts: &[u32; DISTS], total: u32) {
        let all = log2_16(total + 1);
        let codes = counts.iter().zip(&DIST_EXTRA_BITS);
        for (cost, (count, extra)) in self.distances.iter_mut().zip(codes) {
            let code = blend(all, *count, DISTANCE).min(self.max_distance_code);
            *cost = code + 16 * u32::from(*extra);
        }
    }

    /// The gain of a match: the cost of the `len` literals that it replaces, of which `word` holds
    /// the first eight, minus its own cost; 0 if negative, and for a distance of 0.
    #[inline(always)]
    pub(super) fn gain(&self, word: u64, len: usize, distance: usize) -> u32 {
        if distance == 0 {
            return 0;
        }
        let literals = if len > 3 {
            self.literals(word, len)
        } else {
            self.three(word)
        };
        literals.saturating_sub(self.length(len) + self.distance(distance))
    }

    /// The gain that a match at the next position must have over one at this.
    #[inline(always)]
    pub(super) fn later_gain(&self) -> u32 {
        self.later_gain
    }

    /// The cost of a literal.
    #[inline(always)]
    pub(super) fn literal(&self, byte: u8) -> u32 {
        self.literals[usize::from(byte)]
    }

    /// The cost of a match.
    #[inline(always)]
    pub(super) fn match_cost(&self, len: usize, distance: usize) -> u32 {
        self.length(len) + self.distance(distance)
    }

    /// The cost of the first three bytes of `word` as literals.
    #[inline(always)]
    fn three(&self, word: u64) -> u32 {
        let [a, b, c, ..] = word.to_le_bytes();
        self.literals[usize::from(a)]
            + self.literals[usize::from(b)]
            + self.literals[usize::from(c)]
    }

    /// The cost of at least four literals: the first four from `word`, the others at the mean.
    #[inline(always)]
    fn literals(&self, word: u64, len: usize) -> u32 {
        let [.., d, _, _, _, _] = word.to_le_bytes();
        let others = u32::try_from(len.wrapping_sub(4)).unwrap_or(1 << 16);
        self.three(word) + self.literals[usize::from(d)] + self.mean * others.min(1 << 16)
    }

    /// The cost of a match length; of 258 for a longer one, which is split.
    #[inline(always)]
    pub(super) fn length(&self, len: usize) -> u32 {
        self.lengths[len.clamp(3, 258) - 3]
    }

    /// The cost of a distance.
    #[inline(always)]
    fn distance(&self, distance: usize) -> u32 {
        let distance = u16::try_from(distance).unwrap_or(u16::MAX);
        self.distances[distance_symbol(distance).0]
    }
}

/// The cost of a symbol with this count in a total with the logarithm `all`.
fn blend(all: u32, count: u32, initial: u32) -> u32 {
    let code = all.saturating_sub(log2_16(count)).clamp(16, MAX_COST);
    let weight = count.min(CERTAIN);
    (code * weight + initial.max(code) * (CERTAIN - weight)) / CERTAIN
}

/// The estimated size in bits of a block with the best codes for these counts, header included.
pub(super) fn block_bits(histogram: &Histogram) -> u64 {
    let (mut used, mut sum) = (0, 0);
    let mut add = |counts: &[u32]| {
        let all = log2_16(counts.iter().sum());
        for count in counts.iter().filter(|count| **count > 0) {
            sum += u64::from(*count) * u64::from(all.saturating_sub(log2_16(*count)).max(16));
            used += 1;
        }
    };
    add(histogram.litlens());
    add(histogram.dists());
    sum / 16 + histogram.extra_bits() + 60 + 4 * used
}
