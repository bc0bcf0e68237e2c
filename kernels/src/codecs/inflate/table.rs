//! Tables that turn the next bits of a stream into a symbol.
//!
//! ```text
//! root        2^n entries, indexed by the next n bits: codes of up to n bits, many times each
//! subtables   behind it, for longer codes: indexed by the bits behind the first n
//! ```

use alloc::boxed::Box;
use core::hint::select_unpredictable;

use super::bits::Bits;

/// The longest code, in bits.
const MAX_LEN: usize = 15;
/// The symbols that are bytes.
const LITERALS: usize = 256;
/// The most symbols of a table.
const MAX_SYMBOLS: usize = 288;

/// What an entry stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// No code begins so.
    None,
    /// A byte, or a symbol of the code lengths.
    Literal,
    /// The least length or distance; extra bits follow.
    Base,
    /// The end of the block.
    End,
    /// A subtable.
    Sub,
}

/// One entry: bits 0 to 7 the length of the code and of its extra bits, 8 to 11 that of the code
/// alone (or the width of the subtable), 12 to 15 the kind, 16 to 31 the value.
///
/// With two literals, which are marked as literal and base in one, bits 0 to 7 are the length of both
/// codes, 8 to 11 that of the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry(u32);

const LITERAL: u32 = 1 << 12;
const BASE: u32 = 2 << 12;
const END: u32 = 4 << 12;
const SUB: u32 = 8 << 12;
const PAIR: u32 = LITERAL | BASE;

impl Entry {
    #[inline(always)]
    pub(super) fn is_literal(self) -> bool {
        self.0 & LITERAL != 0
    }

    /// Whether it is a length or a distance. A bit to test, where `kind` would become a jump to a place
    /// out of a table.
    #[inline(always)]
    pub(super) fn is_base(self) -> bool {
        self.0 & BASE != 0
    }

    #[inline(always)]
    pub(super) fn kind(self) -> Kind {
        match self.0 & 0xF000 {
            LITERAL | PAIR => Kind::Literal,
            BASE => Kind::Base,
            END => Kind::End,
            SUB => Kind::Sub,
            _ => Kind::None,
        }
    }

    /// All of it; the lowest six bits are [`len`](Self::len).
    #[inline(always)]
    pub(super) fn raw(self) -> u32 {
        self.0
    }

    /// The bits of the code and behind it that belong to it, or of two literals.
    #[inline(always)]
    pub(super) fn len(self) -> u32 {
        self.0 & 0xFF
    }

    /// How many literals: one or two.
    #[inline(always)]
    pub(super) fn literals(self) -> usize {
        usize::from(self.0 & BASE != 0) + 1
    }

    /// The bits of the code alone, that of the first literal, or the width of the subtable.
    #[inline(always)]
    pub(super) fn code_len(self) -> u32 {
        (self.0 >> 8) & 15
    }

    /// The value that the table gives, without extra bits.
    #[inline(always)]
    pub(super) fn value(self) -> usize {
        let [.., low, high] = self.0.to_le_bytes();
        usize::from(u16::from_le_bytes([low, high]))
    }

    /// The first literal.
    #[inline(always)]
    pub(super) fn byte(self) -> u8 {
        let [.., low, _] = self.0.to_le_bytes();
        low
    }

    /// The literal, or both.
    #[inline(always)]
    pub(super) fn bytes(self) -> [u8; 2] {
        let [.., low, high] = self.0.to_le_bytes();
        [low, high]
    }

    /// The value with the extra bits, which are the next ones with their code.
    #[inline(always)]
    pub(super) fn with_extra(self, bits: &Bits<'_>) -> usize {
        self.value() + (bits.peek(self.len()) >> self.code_len())
    }
}

/// An entry without its code: value, extra bits, kind.
const fn entry(value: u32, extra: u32, kind: u32) -> u32 {
    value << 16 | kind | extra
}

/// The entry of a literal, of the end, or of a length.
pub(super) fn litlen(symbol: u32) -> u32 {
    match symbol {
        0..=255 => entry(symbol, 0, LITERAL),
        256 => entry(0, 0, END),
        257..=264 => entry(symbol - 254, 0, BASE),
        265..=284 => {
            let (step, extra) = ((symbol - 265) % 4, (symbol - 261) / 4);
            entry(3 + ((4 + step) << extra), extra, BASE)
        }
        285 => entry(258, 0, BASE),
        _ => 0,
    }
}

/// The entry of a distance.
pub(super) fn dist(symbol: u32) -> u32 {
    match symbol {
        0..=3 => entry(symbol + 1, 0, BASE),
        4..=29 => {
            let extra = symbol / 2 - 1;
            entry(1 + ((2 + symbol % 2) << extra), extra, BASE)
        }
        _ => 0,
    }
}

/// The entry of a symbol of the code lengths.
pub(super) fn code_length(symbol: u32) -> u32 {
    entry(symbol, 0, LITERAL)
}

/// A table. `LEN`, a power of two, has room for the root of `2^ROOT_BITS` entries and for the
/// subtables of every complete code: half as many as there are symbols, each for 15 bits.
pub(super) struct Table<const ROOT_BITS: u32, const LEN: usize> {
    entries: Box<[u32; LEN]>,
}

impl<const ROOT_BITS: u32, const LEN: usize> Table<ROOT_BITS, LEN> {
    pub(super) fn new() -> Self {
        const { assert!(LEN.is_power_of_two() && LEN >= 1 << ROOT_BITS) };
        Self {
            entries: Box::new([0; LEN]),
        }
    }

    /// The entry of the next bits, which may be a subtable.
    #[inline(always)]
    pub(super) fn root(&self, bits: &Bits<'_>) -> Entry {
        self.at(bits.peek(ROOT_BITS))
    }

    /// The entry itself, or the one in the subtable that it stands for.
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

    /// Sets the table up from the code lengths of the symbols, 0 for symbols without a code.
    ///
    /// Codes that leave bit patterns over are refused, except for a single code of one bit and for
    /// no code at all: that is what zlib takes.
    pub(super) fn build(
        &mut self,
        lens: &[u8],
        entry_of: impl Fn(u32) -> u32,
    ) -> Result<(), &'static str> {
        let mut counts = [0_usize; MAX_LEN + 1];
        for &len in lens {
            *counts
                .get_mut(usize::from(len))
                .ok_or("a code of more than 15 bits")? += 1;
        }
        let [_, counts @ ..] = counts;
        let longest = counts
            .iter()
            .rposition(|&count| count > 0)
            .map_or(0, |at| at + 1);
        let mut left = 1_usize;
        for &count in counts.iter().take(longest) {
            left = (2 * left)
                .checked_sub(count)
                .ok_or("more codes than their lengths allow")?;
        }
        if left > 0 && longest > 1 {
            return Err("fewer codes than their lengths need");
        }

        // The symbols in the order of their codes: by length, then by number.
        let mut starts = [0_usize; MAX_LEN];
        let mut start = 0;
        for (to, count) in starts.iter_mut().zip(counts) {
            *to = start;
            start += count;
        }
        let mut sorted = [0_u32; MAX_SYMBOLS];
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
            .ok_or("a code beyond its table")
    }

    /// How many entries of the root have the bits of two literals, if these are the lengths of the codes.
    pub(super) fn pairs(lens: &[u8]) -> usize {
        let mut counts = [0_usize; MAX_LEN + 1];
        for &len in lens.iter().take(LITERALS) {
            if let Some(count) = counts.get_mut(usize::from(len)) {
                *count += 1;
            }
        }
        let [_, counts @ ..] = counts;
        let mut pairs = 0;
        for (first, count) in (1..ROOT_BITS).zip(counts) {
            for (both, next) in (first + 1..=ROOT_BITS).zip(counts) {
                pairs += (count * next) << (ROOT_BITS - both);
            }
        }
        pairs
    }

    /// Puts two literals into each entry of the root that has the bits of both: one look-up for two.
    pub(super) fn pair(&mut self) {
        // Downwards: what follows a code stands at a lower index, and is not paired yet.
        for index in (0..1 << ROOT_BITS).rev() {
            let first = self.at(index);
            let second = self.at(index >> first.code_len());
            let len = first.len() + second.len();
            let fits = first.0 & second.0 & LITERAL != 0 && len <= ROOT_BITS;
            let paired = second.0 << 8 & 0xFF00_0000 | first.0 & 0x00FF_FF00 | PAIR | len;
            // Kinds follow one another in no order that a branch could learn.
            let entry = select_unpredictable(fits, paired, first.0);
            if let Some(to) = self.entries.get_mut(index) {
                *to = entry;
            }
        }
    }

    /// Enters the codes, shortest first. Whenever codes become one bit longer, what is entered so
    /// far is doubled: a code stands at every index that begins with its bits.
    fn fill(
        &mut self,
        counts: &[usize; MAX_LEN],
        sorted: &[u32; MAX_SYMBOLS],
        longest: usize,
        entry_of: impl Fn(u32) -> u32,
    ) -> Option<()> {
        let root_len = 1_usize << ROOT_BITS;
        let sub_bits = u32::try_from(longest).ok()?.saturating_sub(ROOT_BITS);
        *self.entries.first_mut()? = 0;
        let mut behind = root_len;
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
                    // Symbols that the format reserves have codes, but no meaning.
                    0 => 0,
                    entry => entry + (len << 8 | len),
                };
                if len <= ROOT_BITS {
                    *self.entries.get_mut(reversed)? = entry;
                    continue;
                }
                let pointer = self.entries.get_mut(reversed & (root_len - 1))?;
                if *pointer & SUB == 0 {
                    *pointer = u32::try_from(behind).ok()? << 16 | SUB | sub_bits << 8;
                    behind += 1 << sub_bits;
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
