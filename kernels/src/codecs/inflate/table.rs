//! Decoding tables: from the next bits of a stream to a symbol.
//!
//! ```text
//! root        2^n entries, indexed by the next n bits: codes of up to n bits, repeated
//! subtables   after the root, for longer codes: indexed by the bits after the first n
//! ```

use alloc::boxed::Box;
use core::hint::select_unpredictable;

use super::bits::Bits;
use super::entry::{Entry, LITERAL, PAIR, SUB};
use crate::codecs::DecodeErrorKind;
use crate::codecs::boxed::zeroed;
use crate::codecs::huffman::count_lens;
use crate::codecs::zlib::{LITLENS, MAX_CODE_BITS};

/// A table of `LEN` entries, a power of two: the root of `2^ROOT_BITS` entries and the subtables of
/// any complete code.
pub(super) struct Table<const ROOT_BITS: u32, const LEN: usize> {
    entries: Box<[u32; LEN]>,
}

impl<const ROOT_BITS: u32, const LEN: usize> Table<ROOT_BITS, LEN> {
    pub(super) fn new() -> Self {
        const { assert!(LEN.is_power_of_two() && LEN >= 1 << ROOT_BITS) };
        Self { entries: zeroed() }
    }

    /// Whether the table has space for any complete code of so many symbols.
    ///
    /// A subtable of `2^n` entries has a code with `n` bits after the root, and so at least `n + 1`
    /// codes: all have at most `symbols * 2^n / (n + 1)` entries together, `n` at its most.
    pub(super) const fn fits(symbols: usize) -> bool {
        let most = MAX_CODE_BITS - ROOT_BITS as usize;
        (1 << ROOT_BITS) + (symbols << most) / (most + 1) <= LEN
    }

    /// The entry of the next bits, which may be a subtable.
    #[inline(always)]
    pub(super) fn root(&self, bits: &Bits<'_>) -> Entry {
        self.at(bits.peek(ROOT_BITS))
    }

    /// The entry itself, or the one in the subtable that it refers to.
    #[inline(always)]
    pub(super) fn resolve(&self, entry: Entry, bits: &Bits<'_>) -> Entry {
        if entry.0 & SUB == 0 {
            return entry;
        }
        self.at(entry.value() + (bits.peek(ROOT_BITS + entry.code_len()) >> ROOT_BITS))
    }

    /// The entry of the next bits.
    #[inline(always)]
    pub(super) fn look_up(&self, bits: &Bits<'_>) -> Entry {
        self.resolve(self.root(bits), bits)
    }

    #[inline(always)]
    #[expect(clippy::indexing_slicing, reason = "masked to the length")]
    fn at(&self, index: usize) -> Entry {
        Entry(self.entries[index & (LEN - 1)])
    }

    /// Builds the table from the code lengths of the symbols, 0 for symbols without a code, their
    /// [`count`] and the entries of the symbols without their codes, 0 for reserved ones.
    ///
    /// Incomplete codes are refused, except for a single code of one bit and for no code at all, as
    /// in zlib.
    pub(super) fn build(
        &mut self,
        lens: &[u8],
        counts: &Counts,
        entries: &[u32],
    ) -> Result<(), DecodeErrorKind> {
        let [_, counts @ ..] = counts;
        let longest = counts
            .iter()
            .rposition(|&count| count > 0)
            .map_or(0, |at| at + 1);
        let mut left = 1_usize;
        for &count in counts.iter().take(longest) {
            left = (2 * left)
                .checked_sub(usize::from(count))
                .ok_or(DecodeErrorKind::invalid(
                    "block header: expected a complete code, found more codes than lengths allow",
                ))?;
        }
        if left > 0 && longest > 1 {
            return Err(DecodeErrorKind::invalid(
                "block header: expected a complete code, found fewer codes than lengths need",
            ));
        }

        // The symbols in order of their codes: by length, then by number.
        let mut starts = [0_u16; MAX_CODE_BITS + 1];
        let mut start = 0;
        for (to, count) in starts.iter_mut().skip(1).zip(counts) {
            *to = start;
            start += count;
        }
        // Those without a code come after all others.
        starts[0] = start;
        let mut sorted = [0_u32; LITLENS];
        for (&entry, &len) in entries.iter().zip(lens) {
            #[expect(clippy::indexing_slicing, reason = "masked to the length")]
            let start = &mut starts[usize::from(len & 15)];
            if let Some(to) = sorted.get_mut(usize::from(*start)) {
                *to = entry;
            }
            *start += 1;
        }
        self.fill(counts, &sorted, longest)
            .ok_or(DecodeErrorKind::invalid(
                "block header: expected a code inside its table, found one outside",
            ))
    }

    /// Sets the root, which has no subtables.
    pub(super) fn set_root<const ROOT: usize>(&mut self, root: &[u32; ROOT]) {
        const { assert!(ROOT == 1 << ROOT_BITS) };
        for (to, from) in self.entries.iter_mut().zip(root) {
            *to = *from;
        }
    }

    /// The number of root entries that hold the bits of two literals, given their [`count`].
    pub(super) fn pairs(literals: &Counts) -> usize {
        let [_, counts @ ..] = literals;
        let mut pairs = 0;
        for (first, &count) in (1..ROOT_BITS).zip(counts) {
            for (both, &next) in (first + 1..=ROOT_BITS).zip(counts) {
                pairs += (usize::from(count) * usize::from(next)) << (ROOT_BITS - both);
            }
        }
        pairs
    }

    /// Puts two literals into each root entry that has the bits of both: one look-up for two.
    pub(super) fn pair(&mut self) {
        // Downwards: the bits after a code are a lower index, whose entry is not paired yet.
        for index in (0..1 << ROOT_BITS).rev() {
            let first = self.at(index);
            let second = self.at(index >> first.code_len());
            let len = first.len() + second.len();
            let fits = first.0 & second.0 & LITERAL != 0 && len <= ROOT_BITS;
            let paired = second.0 << 8 & 0xFF00_0000 | first.0 & 0x00FF_FF00 | PAIR | len;
            // The order of kinds is unpredictable.
            let entry = select_unpredictable(fits, paired, first.0);
            if let Some(to) = self.entries.get_mut(index) {
                *to = entry;
            }
        }
    }

    /// The entry at an index of the root.
    #[inline(always)]
    pub(super) fn root_at(&self, index: usize) -> Entry {
        self.at(index & ((1 << ROOT_BITS) - 1))
    }

    /// Inserts the codes, shortest first. Whenever codes become one bit longer, the entries so far
    /// are doubled: a code is stored at every index that begins with its bits.
    fn fill(
        &mut self,
        counts: &[u16; MAX_CODE_BITS],
        sorted: &[u32; LITLENS],
        longest: usize,
    ) -> Option<()> {
        let root_len = 1_usize << ROOT_BITS;
        let longest = u32::try_from(longest).ok()?;
        *self.entries.first_mut()? = 0;
        let mut next_subtable = root_len;
        let mut entries = sorted.iter();
        let mut code = 0_u32;
        for (len, &count) in (1_u32..).zip(counts) {
            if len <= ROOT_BITS {
                let half = 1 << (len - 1);
                let (low, high) = self.entries.split_at_mut_checked(half)?;
                high.get_mut(..half)?.copy_from_slice(low);
            } else if len > longest {
                break;
            }
            code <<= 1;
            for (before, &entry) in (0..count).zip(entries.by_ref()) {
                let reversed = usize::try_from(code.reverse_bits() >> (32 - len)).ok()?;
                code += 1;
                // Reserved symbols have codes, but no meaning.
                let entry = select_unpredictable(entry == 0, 0, entry + (len << 8 | len));
                if len <= ROOT_BITS {
                    *self.entries.get_mut(reversed)? = entry;
                    continue;
                }
                let pointer = self.entries.get_mut(reversed & (root_len - 1))?;
                if *pointer & SUB == 0 {
                    let sub_bits = Self::subtable_bits(counts, len, before, longest)?;
                    *pointer = u32::try_from(next_subtable).ok()? << 16 | SUB | sub_bits << 8;
                    next_subtable += 1 << sub_bits;
                }
                let (at, sub_bits) = (Entry(*pointer).value(), Entry(*pointer).code_len());
                let subtable = self.entries.get_mut(at..at + (1 << sub_bits))?;
                let step = 1 << (len - ROOT_BITS);
                for to in subtable
                    .iter_mut()
                    .skip(reversed >> ROOT_BITS)
                    .step_by(step)
                {
                    *to = entry;
                }
            }
        }
        Some(())
    }

    /// The bits of the index into the subtable whose first code has the length `len` and comes
    /// after `before` codes of that length.
    fn subtable_bits(
        counts: &[u16; MAX_CODE_BITS],
        len: u32,
        mut before: u16,
        longest: u32,
    ) -> Option<u32> {
        let (first, most) = (len - ROOT_BITS, longest - ROOT_BITS);
        // The number of codes of a length that there is space for.
        let mut space = 1_usize << first;
        let counts = counts.iter().skip(usize::try_from(len - 1).ok()?);
        for (bits, count) in (first..most).zip(counts) {
            let used = usize::from(count - core::mem::take(&mut before));
            if used >= space {
                return Some(bits);
            }
            space = 2 * (space - used);
        }
        Some(most)
    }
}

/// The number of symbols with each code length.
pub(super) type Counts = [u16; MAX_CODE_BITS + 1];

/// Counts the code lengths.
pub(super) fn count(lens: &[u8]) -> Result<Counts, DecodeErrorKind> {
    count_lens(lens).ok_or(DecodeErrorKind::invalid(
        "block header: expected codes of at most 15 bits, found a longer one",
    ))
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a panic is a failed test")]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// The lengths of a random complete code: leaves of a tree, split at random. `deep` prefers the
    /// deepest, with which subtables are largest.
    fn lens(symbols: usize, deep: u64, state: &mut u64) -> Vec<u8> {
        let mut random = |below: usize| {
            *state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            usize::try_from(*state >> 33).unwrap() % below
        };
        let mut lens = [0_u8].to_vec();
        while lens.len() < symbols {
            let mut at = random(lens.len());
            for _ in 0..deep {
                let other = random(lens.len());
                if lens[other] > lens[at] && lens[other] < 15 {
                    at = other;
                }
            }
            if lens[at] < 15 {
                lens[at] += 1;
                let to = random(lens.len() + 1);
                lens.insert(to, lens[at]);
            }
        }
        lens
    }

    /// Builds 300 tables and looks up each symbol with only ones and only zeros after it.
    fn look_up_all<const ROOT_BITS: u32, const LEN: usize>(symbols: usize) {
        let mut table = Table::<ROOT_BITS, LEN>::new();
        let mut state = 7;
        for turn in 0..300 {
            let lens = lens(
                symbols - turn % 9,
                u64::try_from(turn % 5).unwrap(),
                &mut state,
            );
            let entries: Vec<u32> = (1..=288).map(|value| value << 16).collect();
            let counts = count(&lens).unwrap();
            table.build(&lens, &counts, &entries).unwrap();
            let mut order: Vec<_> = (0..lens.len()).collect();
            order.sort_by_key(|&symbol| (lens[symbol], symbol));
            // Codes count up, with a zero at their end for each bit that they become longer.
            let (mut code, mut len_before) = (0_u32, 0);
            let mut widths = [0].repeat(1 << ROOT_BITS);
            for symbol in order {
                let len = u32::from(lens[symbol]);
                code <<= len - len_before;
                len_before = len;
                let reversed = code.reverse_bits() >> (32 - len);
                code += 1;
                if let Some(width) = len.checked_sub(ROOT_BITS).filter(|&width| width > 0) {
                    let root = usize::try_from(reversed).unwrap() & ((1 << ROOT_BITS) - 1);
                    widths[root] = width.max(widths[root]);
                }
                for after in [0, u32::MAX << len] {
                    let bytes = (reversed | after).to_le_bytes();
                    let mut bits = Bits::new(&bytes);
                    bits.refill();
                    let entry = table.look_up(&bits);
                    assert_eq!((entry.value(), entry.len()), (symbol + 1, len));
                }
            }
            // No subtable is larger than its longest code needs.
            for (root, width) in widths
                .into_iter()
                .enumerate()
                .filter(|(_, width)| *width > 0)
            {
                assert_eq!(table.root_at(root).code_len(), width);
            }
        }
    }

    #[test]
    fn all_codes_of_complete_trees_are_found() {
        look_up_all::<11, 4096>(286);
        look_up_all::<8, 1024>(30);
    }
}
