//! Finite state entropy, writing: distributions from counts, their description, and the states of
//! an encoder.

use super::bits::Bits;
use crate::codecs::log2::log2_16;

/// The most symbols: those of match lengths.
const SYMBOLS: usize = 53;
/// The least accuracy, and the most.
const MIN_LOG: u32 = 5;
const MAX_STATES: usize = 1 << 9;

/// How many of the states each symbol has, and -1 for a symbol with less than one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Distribution {
    counts: [i16; SYMBOLS],
    log: u32,
}

impl Distribution {
    /// A distribution that the format defines.
    pub(super) const fn known(known: &[i16], log: u32) -> Self {
        let mut counts = [0; SYMBOLS];
        let mut at = 0;
        while at < known.len() {
            counts[at] = known[at];
            at += 1;
        }
        Self { counts, log }
    }

    /// The distribution of one symbol.
    pub(super) fn single(symbol: u8) -> Self {
        let mut counts = [0; SYMBOLS];
        counts[usize::from(symbol) % SYMBOLS] = 1;
        Self { counts, log: 0 }
    }

    /// A distribution for symbols that occur so often, two of them or more, with an accuracy of at
    /// most `max_log`.
    pub(super) fn of(occur: &[u32; SYMBOLS], max_log: u32) -> Self {
        let total: u32 = occur.iter().sum();
        let used = occur.iter().filter(|count| **count > 0).count();
        let least = (used.ilog2() + 1).max(MIN_LOG);
        let log = (total.ilog2().saturating_sub(2)).clamp(least, max_log);
        let size = 1_u32 << log;
        let mut counts = [0_i16; SYMBOLS];
        let mut left = i64::from(size);
        for (count, &occurs) in counts.iter_mut().zip(occur) {
            if occurs == 0 {
                continue;
            }
            *count = if occurs <= total >> log {
                -1
            } else {
                let exact = u64::from(occurs) * u64::from(size) / u64::from(total);
                i16::try_from(exact.max(1)).unwrap_or(1)
            };
            left -= i64::from(count.unsigned_abs());
        }
        // What rounding has left goes where it saves most, and what is missing comes from where it
        // costs least.
        while left != 0 {
            let worth = |&symbol: &usize| {
                let doubled = u64::from(counts[symbol].unsigned_abs()) * 2;
                let with = if left > 0 { doubled + 1 } else { doubled - 1 };
                (u64::from(occur[symbol]) << 20) / with
            };
            let symbols = (0..SYMBOLS).filter(|symbol| counts[*symbol] > 0);
            let best = if left > 0 {
                symbols.max_by_key(worth)
            } else {
                symbols
                    .filter(|symbol| counts[*symbol] > 1)
                    .min_by_key(worth)
            };
            // There are more states than symbols.
            let Some(best) = best else { break };
            let step = if left > 0 { 1 } else { -1 };
            counts[best] += step;
            left -= i64::from(step);
        }
        Self { counts, log }
    }

    /// The cost of symbols that occur so often, in sixteenths of a bit; `None` if one has no state.
    pub(super) fn cost(&self, occur: &[u32; SYMBOLS]) -> Option<u32> {
        let mut sum = 0;
        for (count, &occurs) in self.counts.iter().zip(occur) {
            if occurs > 0 {
                if *count == 0 {
                    return None;
                }
                sum += occurs * (16 * self.log - log2_16(u32::from(count.unsigned_abs())));
            }
        }
        Some(sum)
    }

    /// Writes the description and returns its length in bytes.
    pub(super) fn write(&self, dst: &mut [u8]) -> Option<usize> {
        let mut bits = Bits::new(dst);
        bits.put(self.log - MIN_LOG, 4);
        let mut left = 1_u32 << self.log;
        let mut counts = self.counts.iter();
        while left > 0 {
            let count = counts.next()?;
            // Values up to `left + 1`: the lowest ones have a bit less.
            let value = u32::try_from(i32::from(*count) + 1).unwrap_or(0);
            let width = (left + 1).ilog2() + 1;
            let short = (1 << width) - 1 - (left + 1);
            let half = 1 << (width - 1);
            if value < short {
                bits.put(value, width - 1);
            } else {
                bits.put(value + if value >= half { short } else { 0 }, width);
            }
            bits.flush()?;
            left = left.checked_sub(u32::from(count.unsigned_abs()))?;
            if *count == 0 {
                let mut zeros = counts.as_slice().iter().take_while(|n| **n == 0).count();
                counts = counts.as_slice().get(zeros..)?.iter();
                while zeros >= 3 {
                    bits.put(3, 2);
                    bits.flush()?;
                    zeros -= 3;
                }
                bits.put(u32::try_from(zeros).unwrap_or(0), 2);
            }
        }
        bits.finish()
    }
}

/// The way from a state to the next with a symbol.
#[derive(Clone, Copy, Debug, Default)]
struct Symbol {
    /// The upper half of its sum with a state is the number of bits to write.
    bits: u32,
    /// The place of the symbol's first state, less the number of its states.
    first: i32,
}

/// The states of an encoder: those of the decoder plus their number.
#[derive(Debug)]
pub(super) struct States {
    symbols: [Symbol; SYMBOLS],
    next: [u16; MAX_STATES],
    log: u32,
}

impl States {
    pub(super) const fn new() -> Self {
        Self {
            symbols: [Symbol { bits: 0, first: 0 }; SYMBOLS],
            next: [0; MAX_STATES],
            log: 0,
        }
    }

    /// Those of a distribution that the format defines.
    pub(super) const fn known(distribution: &Distribution) -> Self {
        let mut states = Self::new();
        states.build(distribution);
        states
    }

    /// Builds the table of a distribution. The compiler evaluates it for the known ones.
    #[inline(always)]
    pub(super) const fn build(&mut self, distribution: &Distribution) {
        let Distribution { counts, log } = distribution;
        let size = 1_usize << *log;
        let mask = size - 1;
        // The symbol of each state: those with less than one have the last ones.
        let mut of = [0_u8; MAX_STATES];
        let mut places = [0_u16; SYMBOLS];
        let (mut end, mut first, mut symbol) = (size, 0, 0_u8);
        while (symbol as usize) < SYMBOLS {
            let n = symbol as usize;
            let count = counts[n].unsigned_abs();
            places[n] = first;
            if count > 0 {
                // From a state in [count, 2 count), after so many bits or one less.
                let most = *log - count.ilog2();
                self.symbols[n] = Symbol {
                    bits: (most << 16).wrapping_sub((count as u32) << most),
                    first: first as i32 - count as i32,
                };
                if counts[n] < 0 {
                    end -= 1;
                    of[end & (MAX_STATES - 1)] = symbol;
                }
            }
            first += count;
            symbol += 1;
        }
        let step = (size >> 1) + (size >> 3) + 3;
        let (mut at, mut symbol) = (0, 0_u8);
        while (symbol as usize) < SYMBOLS {
            let mut left = counts[symbol as usize];
            while left > 0 {
                of[at & (MAX_STATES - 1)] = symbol;
                at = (at + step) & mask;
                while at >= end {
                    at = (at + step) & mask;
                }
                left -= 1;
            }
            symbol += 1;
        }
        let (mut at, mut state) = (0, 1_u16 << *log);
        while at < size {
            let place = &mut places[of[at & (MAX_STATES - 1)] as usize];
            self.next[*place as usize & (MAX_STATES - 1)] = state;
            *place += 1;
            at += 1;
            state += 1;
        }
        self.log = *log;
    }

    /// The state of the last symbol: the one from which a decoder would read on, so that it sees
    /// the end.
    #[inline(always)]
    pub(super) fn last(&self, symbol: u8) -> u32 {
        let Symbol { bits, first } = self.symbols[usize::from(symbol)];
        let most = bits.wrapping_add(0xFFFF) >> 16;
        let count = (most << 16).wrapping_sub(bits) >> most;
        self.at(first, count)
    }

    /// Writes the bits between the state of a symbol and that of the one after it.
    #[inline(always)]
    pub(super) fn step(&self, state: u32, symbol: u8, bits: &mut Bits<'_>) -> u32 {
        let next = self.symbols[usize::from(symbol)];
        let count = state.wrapping_add(next.bits) >> 16;
        bits.put(state & ((1 << count) - 1), count);
        self.at(next.first, state >> count)
    }

    #[inline(always)]
    fn at(&self, first: i32, number: u32) -> u32 {
        let place = first.wrapping_add_unsigned(number).cast_unsigned() as usize;
        u32::from(self.next[place & (MAX_STATES - 1)])
    }

    /// Writes the state of the first symbol.
    #[inline(always)]
    pub(super) fn finish(&self, state: u32, bits: &mut Bits<'_>) {
        bits.put(state & ((1 << self.log) - 1), self.log);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codecs::zstd::fse::Distribution as Read;
    use crate::codecs::zstd::input::Input;

    /// Counts of symbols by a rule, for many rules.
    fn rules() -> impl Iterator<Item = [u32; SYMBOLS]> {
        (0..3000_u32).map(|rule| {
            let mut state = rule.wrapping_mul(0x9E37_79B9) | 1;
            let mut counts = [0; SYMBOLS];
            let used = 2 + rule as usize % (SYMBOLS - 1);
            for count in counts.iter_mut().take(used) {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                // Rare ones, frequent ones, and one that has nearly all.
                *count = match state >> 24 {
                    0..60 => 0,
                    60..180 => (state >> 16) & 7,
                    180..250 => (state >> 16) & 511,
                    _ => 10_000 << (rule % 4),
                };
            }
            counts[0] += 1;
            counts[used - 1] += 1;
            counts
        })
    }

    #[test]
    fn descriptions_are_read_as_they_were_written() {
        for occur in rules() {
            for max_log in [8, 9] {
                let distribution = Distribution::of(&occur, max_log);
                let states: u32 = distribution
                    .counts
                    .iter()
                    .map(|n| u32::from(n.unsigned_abs()))
                    .sum();
                assert_eq!(states, 1 << distribution.log, "{occur:?}");
                for (count, occurs) in distribution.counts.iter().zip(occur) {
                    assert_eq!(*count != 0, occurs > 0, "{occur:?}");
                }
                let mut dst = [0; 200];
                let len = distribution.write(&mut dst).unwrap();
                let mut input = Input::new(&dst[..len]);
                let read = Read::read(&mut input, SYMBOLS, max_log).unwrap();
                assert!(input.is_empty(), "{occur:?}");
                let known = Read::known(&distribution.counts, distribution.log);
                assert!(read.is_like(&known), "{occur:?}");
            }
        }
    }

    /// A distribution costs at most a little more than the entropy.
    #[test]
    fn costs_are_close_to_the_best_ones() {
        for occur in rules() {
            let distribution = Distribution::of(&occur, 9);
            let total = f64::from(occur.iter().sum::<u32>());
            let best: f64 = occur
                .iter()
                .filter(|count| **count > 0)
                .map(|count| f64::from(*count) * (total / f64::from(*count)).log2())
                .sum();
            let cost = f64::from(distribution.cost(&occur).unwrap()) / 16.0;
            // Counts of few sequences are rounded to 32 states.
            assert!(
                cost < best * 1.1 + total * 0.2 + 8.0,
                "{cost} {best} {occur:?}"
            );
        }
    }
}
