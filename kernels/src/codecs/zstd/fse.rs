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

    /// A symbol in a state.
    #[inline(always)]
    const fn state(symbol: Self, bits: u32, next: u32) -> Self {
        Self((symbol.0 + (bits as u64 * 0x101)) | (next as u64 & 0x1FF) << 24)
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
}

impl<const LEN: usize> Table<LEN> {
    /// A table of one state, whose value is 0.
    pub(super) fn new() -> Self {
        const { assert!(LEN.is_power_of_two() && LEN <= 1 << 9) };
        Self {
            entries: zeroed(),
            log: 0,
        }
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
    pub(super) fn set_single(&mut self, symbol: Entry) {
        if let Some(first) = self.entries.first_mut() {
            *first = symbol;
        }
        self.log = 0;
    }

    /// Builds the table. `symbols` are entries of [`Entry::symbol`]; `None` when one is missing.
    #[inline(always)]
    pub(super) fn build(&mut self, distribution: &Distribution, symbols: &[Entry]) -> Option<()> {
        let size = 1_usize << distribution.log;
        let mask = size - 1;
        let counts = distribution.counts.get(..distribution.len)?;
        // The symbol of each state.
        let mut spread = [0_u8; LEN];
        let mut numbers = [0_u16; SYMBOLS];
        // Symbols with less than one state have the last ones.
        let mut end = size;
        for ((symbol, &count), number) in (0_u8..=255).zip(counts).zip(&mut numbers) {
            if count < 0 {
                end = end.checked_sub(1)?;
                *spread.get_mut(end)? = symbol;
            }
            *number = count.unsigned_abs();
        }
        let step = (size >> 1) + (size >> 3) + 3;
        let mut at = 0;
        for (symbol, &count) in (0_u8..=255).zip(counts) {
            for _ in 0..count {
                *spread.get_mut(at & (LEN - 1))? = symbol;
                at = (at + step) & mask;
                while at >= end {
                    at = (at + step) & mask;
                }
            }
        }
        if counts.len() > symbols.len() {
            return None;
        }
        for (to, &symbol) in self.entries.iter_mut().zip(&spread).take(size) {
            let number = numbers.get_mut(usize::from(symbol))?;
            let bits = distribution.log - u32::from(*number).checked_ilog2()?;
            let next = (u32::from(*number) << bits).wrapping_sub(1 << distribution.log);
            *number += 1;
            let symbol = symbols.get(usize::from(symbol))?;
            *to = Entry::state(*symbol, bits, next);
        }
        self.log = distribution.log;
        Some(())
    }
}
