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
use crate::codecs::zlib::{END_OF_BLOCK, LITLENS, MAX_CODE_BITS};

/// A table of `LEN` entries, a power of two: the root of `2^ROOT_BITS` entries and the subtables of
/// any complete code, which are at most half as many as there are symbols, each for 15 bits.
pub(super) struct Table<const ROOT_BITS: u32, const LEN: usize> {
    entries: Box<[u32; LEN]>,
}

impl<const ROOT_BITS: u32, const LEN: usize> Table<ROOT_BITS, LEN> {
    pub(super) fn new() -> Self {
        const { assert!(LEN.is_power_of_two() && LEN >= 1 << ROOT_BITS) };
        Self { entries: zeroed() }
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

    /// Builds the table from the code lengths of the symbols, 0 for symbols without a code.
    ///
    /// Incomplete codes are refused, except for a single code of one bit and for no code at all, as
    /// in zlib.
    pub(super) fn build(
        &mut self,
        lens: &[u8],
        entry_of: impl Fn(u32) -> u32,
    ) -> Result<(), DecodeErrorKind> {
        let counts = count(lens).ok_or(DecodeErrorKind::invalid(
            "block header: expected codes of at most 15 bits, found a longer one",
        ))?;
        let [_, counts @ ..] = counts;
        let longest = counts
            .iter()
            .rposition(|&count| count > 0)
            .map_or(0, |at| at + 1);
        let mut left = 1_usize;
        for &count in counts.iter().take(longest) {
            left = (2 * left)
                .checked_sub(count)
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
        let mut starts = [0_usize; MAX_CODE_BITS];
        let mut start = 0;
        for (to, count) in starts.iter_mut().zip(counts) {
            *to = start;
            start += count;
        }
        let mut sorted = [0_u32; LITLENS];
        for (symbol, &len) in (0_u32..).zip(lens) {
            if let Some(start) = usize::from(len)
                .checked_sub(1)
                .and_then(|at| starts.get_mut(at))
            {
                if let Some(to) = sorted.get_mut(*start) {
                    *to = symbol;
                }
                *start += 1;
            }
        }
        self.fill(&counts, &sorted, longest, entry_of)
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

    /// The number of root entries that hold the bits of two literals, given the code lengths.
    pub(super) fn pairs(lens: &[u8]) -> usize {
        let literals = lens.get(..END_OF_BLOCK).unwrap_or(lens);
        let counts = count(literals).unwrap_or_default();
        let [_, counts @ ..] = counts;
        let mut pairs = 0;
        for (first, count) in (1..ROOT_BITS).zip(counts) {
            for (both, next) in (first + 1..=ROOT_BITS).zip(counts) {
                pairs += (count * next) << (ROOT_BITS - both);
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
        counts: &[usize; MAX_CODE_BITS],
        sorted: &[u32; LITLENS],
        longest: usize,
        entry_of: impl Fn(u32) -> u32,
    ) -> Option<()> {
        let root_len = 1_usize << ROOT_BITS;
        let sub_bits = u32::try_from(longest).ok()?.saturating_sub(ROOT_BITS);
        *self.entries.first_mut()? = 0;
        let mut next_subtable = root_len;
        let mut symbols = sorted.iter();
        let mut code = 0_u32;
        for (len, &count) in (1_u32..).zip(counts) {
            if len <= ROOT_BITS {
                let half = 1 << (len - 1);
                let (low, high) = self.entries.split_at_mut_checked(half)?;
                high.get_mut(..half)?.copy_from_slice(low);
            } else if usize::try_from(len).ok()? > longest {
                break;
            }
            code <<= 1;
            for &symbol in symbols.by_ref().take(count) {
                let reversed = usize::try_from(code.reverse_bits() >> (32 - len)).ok()?;
                code += 1;
                let entry = match entry_of(symbol) {
                    // Reserved symbols have codes, but no meaning.
                    0 => 0,
                    entry => entry + (len << 8 | len),
                };
                if len <= ROOT_BITS {
                    *self.entries.get_mut(reversed)? = entry;
                    continue;
                }
                let pointer = self.entries.get_mut(reversed & (root_len - 1))?;
                if *pointer & SUB == 0 {
                    *pointer = u32::try_from(next_subtable).ok()? << 16 | SUB | sub_bits << 8;
                    next_subtable += 1 << sub_bits;
                }
                let at = Entry(*pointer).value();
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
}

/// The number of symbols with each code length; `None` when one is too long.
pub(super) fn count(lens: &[u8]) -> Option<[usize; MAX_CODE_BITS + 1]> {
    Some(count_lens(lens)?.map(usize::from))
}
