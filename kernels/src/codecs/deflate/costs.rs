//! What symbols will cost, by estimate: in sixteenths of a bit.

use super::codes::{DISTS, Histogram, LITLENS, distance_symbol, length_symbol};

/// The most that a symbol is expected to cost: unseen ones.
const MOST: u32 = 16 * 12;
/// A symbol that came so often costs what that says; one that came less often, partly what was
/// guessed.
const CERTAIN: u32 = 16;
/// The guess of a length's code, and of a distance's: low, so that matches are tried.
const LENGTH: u32 = 16 * 4;
const DISTANCE: u32 = 16 * 3;
/// The most that the code of a distance is taken to cost where matches are wanted.
const EAGER_DISTANCE: u32 = 16 * 4;

/// The estimated costs of literals, lengths and distances, extra bits and all.
pub(super) struct Costs {
    literals: [u32; 256],
    /// By length - 3.
    lengths: [u32; 256],
    distances: [u32; DISTS],
    /// A literal's, on average.
    mean: u32,
    /// The most that the code of a distance is expected to cost, without extra bits. Codes that are
    /// rare because they are taken to be long stay rare: where most literals are long too, as in
    /// noise, streams are shorter with many far matches.
    distance_code: u32,
}

impl Default for Costs {
    fn default() -> Self {
        Self {
            literals: [0; 256],
            lengths: [0; 256],
            distances: [0; DISTS],
            mean: 0,
            distance_code: MOST,
        }
    }
}

impl Costs {
    /// For levels that look for small streams: codes of distances are never taken to be long.
    pub(super) fn eager() -> Self {
        Self {
            distance_code: EAGER_DISTANCE,
            ..Self::default()
        }
    }

    /// Before anything is known: from about `sample` of the bytes.
    pub(super) fn guess(&mut self, src: &[u8], sample: usize) {
        let mut counts = [0_u32; 256];
        let mut total = 0;
        // Odd: the bytes of a number in turn.
        for byte in src.iter().step_by((src.len() / sample) | 1) {
            counts[usize::from(*byte)] += 1;
            total += 1;
        }
        self.set_literals(&counts, total + total / 8);
        self.set_lengths(&[0; LITLENS], 0);
        self.set_distances(&[0; DISTS], 0);
    }

    /// From how often symbols came.
    pub(super) fn learn(&mut self, histogram: &Histogram) {
        let litlens = histogram.litlens();
        let total: u32 = litlens.iter().sum();
        if let Some(literals) = litlens.first_chunk() {
            self.set_literals(literals, total);
        }
        self.set_lengths(litlens, total);
        self.set_distances(histogram.dists(), histogram.dists().iter().sum());
    }

    fn set_literals(&mut self, counts: &[u32; 256], total: u32) {
        let all = log2_16(total + 1);
        let (mut sum, mut literals) = (0, 0);
        for (cost, count) in self.literals.iter_mut().zip(counts) {
            *cost = all.saturating_sub(log2_16(*count)).clamp(16, MOST);
            sum += u64::from(*cost) * u64::from(*count);
            literals += u64::from(*count);
        }
        self.mean = u32::try_from(sum / literals.max(1)).unwrap_or(MOST);
        if literals == 0 {
            self.mean = 8 * 16;
        }
    }

    fn set_lengths(&mut self, litlens: &[u32; LITLENS], total: u32) {
        let all = log2_16(total + 1);
        for (len, cost) in (3..=258_u16).zip(&mut self.lengths) {
            let symbol = length_symbol(len);
            let count = litlens[symbol];
            let code = blend(all, count, LENGTH);
            let extra = match symbol {
                265..285 => (symbol - 257) / 4 - 1,
                _ => 0,
            };
            *cost = code + 16 * u32::try_from(extra).unwrap_or(0);
        }
    }

    fn set_distances(&mut self, counts: &[u32; DISTS], total: u32) {
        let all = log2_16(total + 1);
        for ((symbol, cost), count) in (0_u32..).zip(&mut self.distances).zip(counts) {
            *cost = blend(all, *count, DISTANCE).min(self.distance_code)
                + 16 * (symbol / 2).saturating_sub(1);
        }
    }

    /// How much less a match costs than the literals it stands for, of which a word has the first;
    /// nothing at a distance of 0, which is none.
    #[inline(always)]
    pub(super) fn saves(&self, word: u64, len: usize, far: usize) -> u32 {
        if far == 0 {
            return 0;
        }
        let literals = if len > 3 {
            self.literals(word, len)
        } else {
            self.three(word)
        };
        literals.saturating_sub(self.length(len) + self.distance(far))
    }

    /// The cost of a literal.
    #[inline(always)]
    pub(super) fn literal(&self, byte: u8) -> u32 {
        self.literals[usize::from(byte)]
    }

    /// The cost of a match.
    #[inline(always)]
    pub(super) fn match_bits(&self, len: usize, far: usize) -> u32 {
        self.length(len) + self.distance(far)
    }

    /// The cost of the first three bytes as literals.
    #[inline(always)]
    fn three(&self, word: u64) -> u32 {
        let [a, b, c, ..] = word.to_le_bytes();
        self.literals[usize::from(a)]
            + self.literals[usize::from(b)]
            + self.literals[usize::from(c)]
    }

    /// The cost of `len` literals, at least four, of which a word has the first.
    #[inline(always)]
    fn literals(&self, word: u64, len: usize) -> u32 {
        let [.., d, _, _, _, _] = word.to_le_bytes();
        let rest = u32::try_from(len.wrapping_sub(4)).unwrap_or(1 << 16);
        self.three(word) + self.literals[usize::from(d)] + self.mean * rest.min(1 << 16)
    }

    /// The cost of a match; of the first piece if it is longer than a code stands for.
    #[inline(always)]
    pub(super) fn length(&self, len: usize) -> u32 {
        self.lengths[len.clamp(3, 258) - 3]
    }

    /// The cost of a distance.
    #[inline(always)]
    fn distance(&self, far: usize) -> u32 {
        let far = u16::try_from(far).unwrap_or(u16::MAX);
        self.distances[distance_symbol(far).0]
    }
}

/// What a symbol costs that came so often, of a number with the logarithm `all`.
fn blend(all: u32, count: u32, guess: u32) -> u32 {
    let code = all.saturating_sub(log2_16(count)).clamp(16, MOST);
    let weight = count.min(CERTAIN);
    (code * weight + guess.max(code) * (CERTAIN - weight)) / CERTAIN
}

/// The estimated size in bits of a block with the best codes for these counts, description and all.
pub(super) fn block_bits(histogram: &Histogram) -> u64 {
    let litlens = histogram.litlens();
    let dists = histogram.dists();
    let (mut used, mut sum) = (0, 0);
    let mut add = |counts: &[u32]| {
        let all = log2_16(counts.iter().sum());
        for count in counts.iter().filter(|count| **count > 0) {
            sum += u64::from(*count) * u64::from(all.saturating_sub(log2_16(*count)).max(16));
            used += 1;
        }
    };
    add(litlens);
    add(dists);
    sum / 16 + histogram.extra_bits() + 60 + 4 * used
}

/// What the four bits behind the leading one add to a logarithm, in the middle of what they stand for.
const BEND: [u32; 16] = [1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 13, 14, 15, 16];

/// The logarithm to base 2 in sixteenths, to about one of them; 0 of 0.
pub(super) fn log2_16(value: u32) -> u32 {
    let Some(whole) = value.checked_ilog2() else {
        return 0;
    };
    let behind = (u64::from(value) << 4 >> whole) & 15;
    16 * whole + BEND[usize::try_from(behind).unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms() {
        for value in 1..100_000_u32 {
            let exact = 16.0 * f64::from(value).log2();
            assert!((f64::from(log2_16(value)) - exact).abs() < 1.1, "{value}");
        }
    }
}
