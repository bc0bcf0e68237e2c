//! The Huffman codes of literals: their description, and the tables to decode with.
//!
//! ```text
//! description    127 + the number of weights | weights in 4 bits each
//!                or length | distribution | weights by two interleaved states, read backwards
//! weight         0: no code; w: a code of (longest + 1 - w) bits; that of the last symbol follows
//! ```

use alloc::boxed::Box;
use core::hint::select_unpredictable;

use super::bits::Backward;
use super::fse::{Distribution, Entry, Table};
use super::input::{Input, invalid};
use crate::codecs::DecodeError;
use crate::codecs::boxed::zeroed;

/// The most bits of a code that libzstd accepts; it writes at most 11, which is the limit of RFC
/// 8878.
const MAX_BITS: u32 = 12;
/// The bits by which tables are indexed, unless there are longer codes.
pub(super) const ROOT_BITS: u32 = 11;
/// The most entries of a table of single symbols, and those that are overwritten after them.
pub(super) const SINGLES: usize = (1 << MAX_BITS) + 8;
/// The entries of the table of pairs.
const ENTRIES: usize = 1 << ROOT_BITS;
/// The same, and those that are overwritten after them.
pub(super) const PAIRS: usize = ENTRIES + 8;
/// The highest accuracy of the distribution of weights.
const WEIGHT_LOG: u32 = 6;
const UNMARKED: &str = "weights: expected a mark in the last byte, found none";
/// The symbols of weights: their values.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const WEIGHTS: [Entry; 256] = {
    let mut symbols = [Entry::symbol(0, 0); 256];
    let mut weight = 0;
    while weight < 256_u32 {
        symbols[weight as usize] = Entry::symbol(weight, 0);
        weight += 1;
    }
    symbols
};

/// The codes of literals.
pub(super) struct Huffman {
    /// By the next 11 bits (12 if a code has 12): length of the code, symbol << 8.
    singles: Box<[u16; SINGLES]>,
    /// By the next 11 bits: length of both codes, number of symbols << 8, two symbols from bit 16.
    pairs: Box<[u32; PAIRS]>,
    /// Whether `pairs` belongs to the codes.
    has_pairs: bool,
    /// The length of the longest code; 0 when there are no codes yet.
    longest: u32,
    weights: Table<64>,
}

impl Huffman {
    pub(super) fn new() -> Self {
        Self {
            singles: zeroed(),
            pairs: zeroed(),
            has_pairs: false,
            longest: 0,
            weights: Table::new(),
        }
    }

    /// The length of the longest code, at most 12; 0 when there are no codes yet.
    pub(super) fn longest(&self) -> u32 {
        self.longest
    }

    /// One symbol by the next 11 bits, 12 if the longest code has 12.
    pub(super) fn singles(&self) -> &[u16; SINGLES] {
        &self.singles
    }

    /// One or two symbols by the next 11 bits; not if the longest code has 12.
    pub(super) fn pairs(&self) -> &[u32; PAIRS] {
        &self.pairs
    }

    /// Reads the description of the codes.
    #[inline(always)]
    pub(super) fn read(&mut self, input: &mut Input<'_>) -> Result<(), DecodeError> {
        self.longest = 0;
        self.has_pairs = false;
        let offset = input.offset();
        let mut weights = [0; 256];
        let header = usize::from(input.byte()?);
        let len = if let Some(count) = header.checked_sub(127) {
            let bytes = input.take(count.div_ceil(2))?;
            let halves = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
            for (to, weight) in weights.iter_mut().zip(halves.take(count)) {
                *to = weight;
            }
            count
        } else {
            let mut part = input.part(header)?;
            self.read_coded(&mut part, &mut weights)?
        };
        self.build(&mut weights, len)
            .ok_or_else(|| invalid(offset, "literals: expected a complete code, found another"))
    }

    /// Reads weights that are coded themselves, and returns their number.
    #[inline(always)]
    fn read_coded(
        &mut self,
        part: &mut Input<'_>,
        weights: &mut [u8; 256],
    ) -> Result<usize, DecodeError> {
        let offset = part.offset();
        let distribution = Distribution::read(part, 256, WEIGHT_LOG)?;
        let built = self.weights.build::<256>(&distribution, &WEIGHTS);
        built.ok_or_else(|| invalid(offset, "weights: expected a distribution, found none"))?;
        let mut bits = Backward::new(part.all(), part.offset(), UNMARKED)?;
        let log = self.weights.log();
        // Both states take turns; when the bits for the next one are missing, the other is the
        // last.
        let mut state = self.weights.at(bits.take(log));
        let mut other = self.weights.at(bits.take(log));
        let mut len = 0;
        if bits.is_overrun() {
            return Err(invalid(
                offset,
                "weights: expected two states, found fewer bits",
            ));
        }
        // Eight at once, which have at most 48 bits, while those are there.
        while let Some(eight) = weights.get_mut(len..len + 8)
            && len + 8 <= 255
            && bits.has(48)
        {
            bits.refill();
            for pair in eight.as_chunks_mut().0 {
                let next = state.next().wrapping_add(bits.take(state.bits()));
                let after = other.next().wrapping_add(bits.take(other.bits()));
                *pair = [state, other].map(|state| state.value().to_le_bytes()[0]);
                state = self.weights.at(next);
                other = self.weights.at(after);
            }
            len += 8;
        }
        let mut push = |entry: Entry| -> Result<usize, DecodeError> {
            // The last symbol has no weight in the stream.
            let to = weights.get_mut(len).filter(|_| len < 255);
            let to = to.ok_or_else(|| {
                invalid(offset, "weights: expected at most 255 of them, found more")
            })?;
            *to = entry.value().to_le_bytes()[0];
            len += 1;
            Ok(len)
        };
        loop {
            bits.refill();
            push(state)?;
            let next = state.next().wrapping_add(bits.take(state.bits()));
            if bits.is_overrun() {
                return push(other);
            }
            state = core::mem::replace(&mut other, self.weights.at(next));
        }
    }

    /// Builds the table of single symbols from the first `len` weights, after which that of the
    /// last symbol follows.
    #[inline(always)]
    #[expect(clippy::indexing_slicing, reason = "masked to the length")]
    fn build(&mut self, weights: &mut [u8; 256], len: usize) -> Option<()> {
        if weights.iter().fold(0, |all, weight| all | weight) > 15 {
            return None;
        }
        // Four parts of the symbols with counts for each, because a count of one symbol waits for
        // that of the symbol before.
        let part = len / 4 + 1;
        let mut counts = [[0_usize; 16]; 4];
        for at in 0..part {
            for (count, part) in counts.iter_mut().zip([0, part, 2 * part, 3 * part]) {
                count[usize::from(weights[(part + at) & 255] & 15)] += 1;
            }
        }
        let all: [usize; 16] =
            core::array::from_fn(|weight| counts.iter().map(|counts| counts[weight & 15]).sum());
        let sum: usize = all
            .iter()
            .zip(0_u32..)
            .map(|(count, weight)| count * ((1 << weight) >> 1))
            .sum();
        let longest = sum.checked_ilog2()? + 1;
        // The last symbol completes a power of two, by one itself.
        let last = (1_usize << longest) - sum;
        if longest > MAX_BITS || !last.is_power_of_two() {
            return None;
        }
        let last = last.ilog2().to_le_bytes()[0] + 1;
        *weights.get_mut(len)? = last;
        // The longest codes come in pairs; libzstd wants one.
        if all[1] + usize::from(last == 1) < 2 {
            return None;
        }
        let extra = ROOT_BITS.saturating_sub(longest);
        // Lower weights have longer codes, and those are first: symbols in the order of the table,
        // and after them those without a code.
        let counted = len / part;
        counts[counted & 3][usize::from(last & 15)] += 1;
        counts[counted & 3][0] -= 1;
        let mut starts = [[0_usize; 16]; 4];
        let mut start = 256;
        let mut totals = [0; 16];
        for weight in 0..16 {
            let before = start;
            for (to, counts) in starts.iter_mut().zip(&counts) {
                to[weight] = start;
                start += counts[weight];
            }
            totals[weight] = start - before;
            if weight == 0 {
                start = 0;
            }
        }
        let mut order = [0_u8; 512];
        for at in 0..part {
            for (start, part) in starts.iter_mut().zip([0, part, 2 * part, 3 * part]) {
                let symbol = part + at;
                let start = &mut start[usize::from(weights[symbol & 255] & 15)];
                order[*start & 511] = symbol.to_le_bytes()[0];
                *start += 1;
            }
        }
        let mut symbols = order.iter();
        let mut at = 0;
        for (weight, &count) in (1_u16..).zip(totals.iter().skip(1)) {
            let width = 1_usize << (u32::from(weight) - 1 + extra);
            let code = u16::try_from(longest + 1).ok()?.wrapping_sub(weight);
            for &symbol in symbols.by_ref().take(count) {
                // Entries beyond belong to the symbols after, which come later.
                let entries = [u16::from(symbol) << 8 | code; 8];
                let to = self.singles.get_mut(at..)?.as_chunks_mut().0;
                for to in to.iter_mut().take(width.div_ceil(8)) {
                    *to = entries;
                }
                at += width;
            }
        }
        self.longest = longest;
        Some(())
    }

    /// Builds the table of one or two symbols, for codes of at most 11 bits.
    #[inline(always)]
    #[expect(clippy::indexing_slicing, reason = "masked to the length")]
    pub(super) fn build_pairs(&mut self) {
        if self.has_pairs {
            return;
        }
        // What may follow a symbol depends on the length of its code only, and symbols of the same
        // length are consecutive: the longest are first.
        let mut follows = [0; ENTRIES];
        let mut len = 0;
        let mut at = 0;
        while at < ENTRIES {
            let first = single(self.singles[at]);
            let count = ENTRIES >> (first & 15);
            if len != first & 15 {
                len = first & 15;
                for (index, to) in follows.iter_mut().enumerate().take(count) {
                    let second = u32::from(self.singles[follow(index, len)]);
                    let both = 0x100 | second & 15 | (second >> 8) << 24;
                    let fits = len + (second & 15) <= ROOT_BITS;
                    *to = select_unpredictable(fits, both, 0);
                }
            }
            // Entries beyond belong to the symbols after, which come later.
            let to = self.pairs[at..].as_chunks_mut::<8>().0;
            for (to, more) in to
                .iter_mut()
                .zip(follows.as_chunks().0)
                .take(count.div_ceil(8))
            {
                *to = more.map(|more: u32| first + more);
            }
            at += count;
        }
        self.has_pairs = true;
    }
}

/// The index of the symbol that follows `len` bits at the front of `index`.
#[inline(always)]
fn follow(index: usize, len: u32) -> usize {
    (index << (len & 31)) & (ENTRIES - 1)
}

/// An entry of the table of pairs with one symbol.
#[inline(always)]
fn single(entry: u16) -> u32 {
    let entry = u32::from(entry);
    entry & 0xFF | 1 << 8 | (entry >> 8) << 16
}
