//! Finite state entropy: distributions, and the tables that follow from them.
//!
//! ```text
//! distribution   accuracy (4 bits) | per symbol its count of states + 1, in as many bits as may
//!                still come | after a 0, in 2 bits each, how many zeros more
//! table          per state: a symbol, and from how many bits the next state follows
//! ```

use alloc::boxed::Box;

use super::bits::low_u32;
use super::input::{Input, invalid};
use crate::codecs::DecodeError;
use crate::codecs::boxed::zeroed;

/// The most symbols of a distribution.
const SYMBOLS: usize = 256;
/// The most states of a table.
const MOST_STATES: usize = 1 << 9;
/// The least accuracy.
const MIN_LOG: u32 = 5;

/// How many of the states each symbol has, and -1 for a symbol with less than one.
#[derive(Debug)]
pub(super) struct Distribution {
    counts: [i16; SYMBOLS],
    len: usize,
    log: u32,
}

/// A part that is read forwards, lowest bits first.
struct Forward<'a> {
    bytes: &'a [u8],
    /// The position in bits.
    at: usize,
}

impl Forward<'_> {
    /// The next 16 bits or more, without moving on; zeros after the end.
    #[inline(always)]
    fn word(&self) -> u32 {
        let bytes = self.bytes.get(self.at / 8..).unwrap_or_default();
        let word = bytes.first_chunk().copied().unwrap_or_else(|| {
            let mut word = [0; 4];
            for (to, from) in word.iter_mut().zip(bytes) {
                *to = *from;
            }
            word
        });
        u32::from_le_bytes(word) >> (self.at % 8)
    }

    /// The next `count` bits, at most 16.
    #[inline(always)]
    fn take(&mut self, count: u32) -> u32 {
        let value = self.word() & ((1 << count) - 1);
        self.skip(count);
        value
    }

    #[inline(always)]
    fn skip(&mut self, count: u32) {
        self.at += count as usize;
    }
}

impl Distribution {
    /// Reads a distribution over at most `most` symbols with an accuracy of at most `max_log`.
    #[inline(always)]
    pub(super) fn read(
        input: &mut Input<'_>,
        most: usize,
        max_log: u32,
    ) -> Result<Self, DecodeError> {
        let offset = input.offset();
        let mut bits = Forward {
            bytes: input.rest(),
            at: 0,
        };
        let log = bits.take(4) + MIN_LOG;
        if log > max_log {
            return Err(invalid(
                offset,
                "distribution: expected an accuracy up to 9 (offsets 8, weights 6), found more",
            ));
        }
        let mut this = Self {
            counts: [0; SYMBOLS],
            len: 0,
            log,
        };
        let too_many = || {
            invalid(
                offset,
                "distribution: expected the states of all symbols in its table, found more symbols",
            )
        };
        let mut left = 1_u32 << log;
        while left > 0 {
            // Values up to `left + 1`: the lowest ones have a bit less.
            let width = (left + 1).ilog2() + 1;
            let short = (1 << width) - 1 - (left + 1);
            let mask = (1 << (width - 1)) - 1;
            let word = bits.word() & (2 * mask + 1);
            let is_short = word & mask < short;
            bits.skip(width - u32::from(is_short));
            let value = if is_short {
                word & mask
            } else {
                word - if word > mask { short } else { 0 }
            };
            let slot = this.counts.get_mut(this.len).filter(|_| this.len < most);
            let slot = slot.ok_or_else(too_many)?;
            this.len += 1;
            let Some(count) = value.checked_sub(1) else {
                *slot = -1;
                left -= 1;
                continue;
            };
            *slot = i16::try_from(count).unwrap_or(0);
            left = left.checked_sub(count).ok_or_else(too_many)?;
            if count == 0 {
                loop {
                    let zeros = bits.take(2);
                    this.len += usize::from(zeros.to_le_bytes()[0]);
                    if this.len > most {
                        return Err(too_many());
                    }
                    if zeros < 3 {
                        break;
                    }
                }
            }
        }
        input.take(bits.at.div_ceil(8))?;
        Ok(this)
    }

    #[cfg(test)]
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.counts == other.counts && self.log == other.log
    }

    /// A distribution that the format defines.
    pub(super) fn known(counts: &[i16], log: u32) -> Self {
        let mut this = Self {
            counts: [0; SYMBOLS],
            len: counts.len(),
            log,
        };
        for (to, from) in this.counts.iter_mut().zip(counts) {
            *to = *from;
        }
        this
    }
}

/// The meaning of a state.
///
/// | bits | |
/// |---|---|
/// | 0 to 7 | number of bits from which the next state follows, at most 9 |
/// | 8 to 15 | the same and the number of extra bits of the symbol |
/// | 16 to 23 | number of extra bits, at most 31 |
/// | 24 to 32 | the next state, if its bits are 0 |
/// | 40 to 63 | the symbol's value, if the extra bits are 0; for offsets 0 |
///
/// The loop of sequences uses the low byte of a shifted entry as a count without masking it, and
/// the second byte of the sum of three entries is the number of bits of a sequence.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entry(pub(super) u64);

impl Entry {
    /// A symbol: its value and the number of its extra bits.
    pub(super) const fn symbol(value: u32, extra: u32) -> Self {
        debug_assert!(value < 1 << 24);
        Self((value as u64) << 40 | (extra as u64) << 16 | (extra as u64) << 8)
    }

    /// The same symbol without a next state.
    #[inline(always)]
    pub(super) fn last(self) -> Self {
        let bits = self.0 & 0xFF;
        Self(self.0 - bits * 0x101)
    }

    #[inline(always)]
    pub(super) const fn extra(self) -> u32 {
        low_u32(self.0 >> 16) & 0xFF
    }

    #[inline(always)]
    pub(super) fn bits(self) -> u32 {
        low_u32(self.0) & 0xFF
    }

    /// The next state, below other bits.
    #[inline(always)]
    pub(super) fn next(self) -> u32 {
        low_u32(self.0 >> 24)
    }

    #[inline(always)]
    pub(super) const fn value(self) -> u32 {
        low_u32(self.0 >> 40)
    }
}

/// A table of up to `LEN` states, a power of two.
#[derive(Debug)]
pub(super) struct Table<const LEN: usize> {
    entries: Box<[Entry; LEN]>,
    /// The number of bits of a state.
    log: u32,
    /// How many of 256 states are of the symbols 0 and 1.
    first_two: u32,
}

impl<const LEN: usize> Table<LEN> {
    /// A table of one state, whose value is 0.
    pub(super) fn new() -> Self {
        const { assert!(LEN.is_power_of_two() && LEN <= MOST_STATES) };
        Self {
            entries: zeroed(),
            log: 0,
            first_two: 256,
        }
    }

    /// How many of 256 states are of the symbols 0 and 1.
    pub(super) fn first_two(&self) -> u32 {
        self.first_two
    }

    /// The number of bits of a state.
    pub(super) fn log(&self) -> u32 {
        self.log
    }

    /// The meaning of the state in the low bits of `state`.
    #[inline(always)]
    #[expect(clippy::indexing_slicing, reason = "masked to the length")]
    pub(super) fn at(&self, state: u32) -> Entry {
        self.entries[state as usize & (LEN - 1)]
    }

    /// Sets a table of one state.
    pub(super) fn set_single(&mut self, symbol: Entry, is_of_first_two: bool) {
        if let Some(first) = self.entries.first_mut() {
            *first = symbol;
        }
        self.log = 0;
        self.first_two = if is_of_first_two { 256 } else { 0 };
    }

    /// Builds the table. `symbols` are entries of [`Entry::symbol`], at most `MOST` of them, which
    /// is a power of two; `None` when one is missing.
    #[inline(always)]
    #[expect(clippy::indexing_slicing, reason = "masked to the length")]
    pub(super) fn build<const MOST: usize>(
        &mut self,
        distribution: &Distribution,
        symbols: &[Entry],
    ) -> Option<()> {
        const { assert!(MOST.is_power_of_two()) };
        let log = distribution.log;
        let size = 1_usize << log;
        let counts = distribution.counts.get(..distribution.len)?;
        if counts.len() > symbols.len() || symbols.len() > MOST {
            return None;
        }
        let entries = self.entries.get_mut(..size)?;
        // The `count` states of a symbol are numbered from `count` to `2 * count - 1`. State `n`
        // has as many bits as bring it to at least `size`, and what it then has above is the next
        // state: `n << bits` less `size`. The numbers are those of the next states, at the place of
        // [`Entry::next`], so that `bits` is the number of leading zeros less `zeros`.
        let zeros = 63 - 24 - log;
        let mut numbers = [0_u64; MOST];
        // The rest of the sum, with the terms that are the same for all states.
        let mut rest = [0_u64; MOST];
        let same = ((size as u64) << 24) + u64::from(zeros) * 0x101;
        // The symbols, each as often as it has states, in their order.
        let mut in_order = [0_u8; MOST_STATES + 8];
        let mut at = 0;
        let mut rare = 0;
        let to = numbers.iter_mut().zip(&mut rest).zip(0_u8..=255);
        for (((number, rest), value), (symbol, &count)) in to.zip(symbols.iter().zip(counts)) {
            *number = u64::from(count.unsigned_abs()) << 24;
            *rest = symbol.0.wrapping_sub(same);
            rare += usize::from(count < 0);
            let count = usize::try_from(count).unwrap_or(0);
            // Most are few, and those after the last are overwritten by the next symbol.
            let mut done = 0;
            loop {
                *in_order.get_mut(at + done..)?.first_chunk_mut()? = [value; 8];
                done += 8;
                if done >= count {
                    break;
                }
            }
            at += count;
        }
        let mut entry = |symbol: u8| {
            let at = usize::from(symbol) & (MOST - 1);
            let number = numbers[at];
            numbers[at] = number + (1 << 24);
            let leading = u64::from(number.leading_zeros());
            let next = number.wrapping_shl(low_u32(leading).wrapping_sub(zeros));
            Entry(rest[at].wrapping_add(next).wrapping_add(leading * 0x101))
        };
        // The symbols are spread over the states in steps: state 0 has the first, and the next one
        // is `step` states further on.
        let step = (size >> 1) + (size >> 3) + 3;
        if rare == 0 {
            // So the symbol of the next state is `inverse` further on.
            let inverse = inverse(step);
            let mut at = 0_usize;
            for to in entries {
                *to = entry(in_order[at & (MOST_STATES - 1)]);
                at = at.wrapping_add(inverse) & (size - 1);
            }
        } else {
            // Symbols with less than one state have the last ones, which the steps leave out.
            let end = size.checked_sub(rare)?;
            let mut spread = [0_u8; LEN];
            let (mut at, mut next) = (0, 0);
            for _ in 0..size {
                // What the last states receive here is overwritten.
                spread[at & (LEN - 1)] = in_order[next & (MOST_STATES - 1)];
                next += usize::from(at < end);
                at = (at + step) & (size - 1);
            }
            let low = (0_u8..=255).zip(counts).filter(|(_, count)| **count < 0);
            for (to, (symbol, _)) in spread.get_mut(end..size)?.iter_mut().rev().zip(low) {
                *to = symbol;
            }
            for (to, &symbol) in entries.iter_mut().zip(&spread) {
                *to = entry(symbol);
            }
        }
        self.log = log;
        let first_two: u16 = counts
            .iter()
            .take(2)
            .map(|count| count.unsigned_abs())
            .sum();
        self.first_two = u32::from(first_two) << 8 >> log;
        Some(())
    }
}

/// The number that gives 1 times the odd number `of`, modulo 512.
fn inverse(of: usize) -> usize {
    // Three bits at first, and twice as many with each step.
    let mut inverse = of;
    for _ in 0..2 {
        inverse = inverse.wrapping_mul(2_usize.wrapping_sub(of.wrapping_mul(inverse)));
    }
    inverse
}
