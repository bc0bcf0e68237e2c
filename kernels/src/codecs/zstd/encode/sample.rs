//! Whether matches pay at all, from a sample of a stream.
//!
//! In windows at regular distances the matches are taken that a fast search takes, long or not, and
//! their gains and losses are added. Between the windows some positions are remembered, so that
//! matches are met whatever their distance. Where six bytes are few bits, the same ones are always
//! near: there longer strings are looked up first.

use alloc::vec::Vec;

use super::literals::MAX_BITS;
use super::parts::{bits, count, to_f32, to_u32};
use crate::codecs::huffman::code_lengths;
use crate::codecs::lz::window::{common_prefix, word_at};
use crate::codecs::lz::{GOLDEN_64, low_u32};

/// Shorter streams are not looked at, nor longer ones than Blosc has.
pub(super) const LEAST: usize = 1024;
const MOST: usize = 1 << 31;
/// So many bytes are looked at first, and of those so many may differ, if the search is fast.
const FIRST: usize = 32;
const MOST_DIFFERENT: u32 = 19;
/// The words of eight bytes that the entropy is estimated by.
const WORDS: usize = 96;
/// If so many of them are one byte eight times, there are runs: fewer occur by chance where the
/// entropy is within the limits.
const MOST_RUNS: usize = 16;
/// If more bytes are those of the word before, and more than two are different, one is the most
/// frequent by far, and the fastest search takes long strings of it: 1.1 bits.
const MOST_EQUAL: usize = 8 * (WORDS - 1) * 466 / 1000;
/// The entropies, in bits, between which a search takes time and may be in vain: with less, most
/// bytes are in long matches, and with more few are in any, which is soon noticed.
const LEAST_ENTROPY: f32 = 0.9;
const MOST_ENTROPY: f32 = 3.75;
/// Codes of whole bits may take so much more than the entropy: what matches save besides it.
const LOSS: f32 = 1.06;
/// A window, and the distance from one to the next; in streams up to [`SHORT`] half of both.
const WINDOW: usize = 256;
const DISTANCE: usize = 4096;
const SHORT: usize = 32 << 10;
/// Between the windows so many bytes are from one position to the next.
const STEP: usize = 16;
/// The most entries of a table of hashes, as a power of two: 512 KiB, for streams of 512 KiB and
/// more. One for four bytes of the stream remembers most of the positions that are met.
const MAX_LOG: u32 = 17;
/// The bits that a string has which hardly occurs twice by chance in a stream.
const RARE: i64 = 20;
/// The cost of a match in bits: that of its lengths and of the code of its distance.
const MATCH: u32 = 11;
/// Costs are in units of so many to a bit.
const BIT: i64 = 16;
/// Matches pay that save so many bits more than the others lose.
const SURPLUS: i64 = 40;
/// Of all bits, one in so many is saved by the good matches: then those pay, whatever the others
/// lose.
const SHARE: i64 = 6;
/// The same for a search that leaves the others, and finds more than a sample shows but in streams
/// of two different bytes.
const WELL_SHARE: i64 = 64;

/// A search that could be saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Searched {
    /// By libzstd's level 1, which is done soon with what has no matches.
    Fastest,
    /// By its other low levels.
    Fast,
    /// By the levels here.
    Well,
}

/// The positions of a stream by six bytes there, and by a longer string.
///
/// They are not cleared for each stream: positions count on from those of the streams before, whose
/// entries stand for the first position, as those that are not set do.
pub(super) struct Sample {
    seen: [Vec<u32>; 2],
    /// The first position of the stream, and of the next one.
    base: u32,
    next: u32,
}

/// The last positions with the same six bytes and with the same string, and eight bytes there.
struct Met {
    before: [usize; 2],
    word: u64,
}

impl Sample {
    pub(super) const fn new() -> Self {
        Self {
            seen: [Vec::new(), Vec::new()],
            base: 0,
            next: 0,
        }
    }

    /// Whether matches pay in `src`, or are found as fast as anything else.
    #[inline(always)]
    pub(super) fn matches_pay(&mut self, src: &[u8], by: Searched) -> bool {
        let (most, share) = match by {
            Searched::Fastest | Searched::Fast => (MOST_DIFFERENT, SHARE),
            Searched::Well => (2, WELL_SHARE),
        };
        if !(LEAST..MOST).contains(&src.len()) {
            return true;
        }
        let different = different(src);
        if !(2..=most).contains(&different) {
            return true;
        }
        let words = take_some(src);
        if runs(&words) > MOST_RUNS {
            return true;
        }
        if by == Searched::Fastest && different > 2 && equal_pairs(&words) > MOST_EQUAL {
            return true;
        }
        let counts = count(words.as_flattened());
        if by == Searched::Well && counts.iter().filter(|count| **count > 0).count() > 2 {
            return true;
        }
        if by == Searched::Fastest && are_rarely_equal(&counts) {
            return true;
        }
        let all = bits(&counts, 8 * WORDS);
        let entropy = all / to_f32(8 * WORDS);
        !(LEAST_ENTROPY..MOST_ENTROPY).contains(&entropy)
            || self.pay(src, to_u32(entropy * 16.0).into(), share)
            || coded(&counts) > all * LOSS
    }

    /// Whether matches save more than they cost, with literals at `literal`.
    #[inline(always)]
    fn pay(&mut self, src: &[u8], literal: i64, share: i64) -> bool {
        let log = MAX_LOG.min((src.len() / 4).ilog2());
        // Of at most 24 bytes, as literals have 0.9 bits at least; 0 for none.
        let long = match RARE * BIT / literal {
            ..6 => 0,
            bytes => usize::try_from(bytes).unwrap_or(0).max(7) + 1,
        };
        self.start(low_u32(src.len()), 1 << log);
        let scale = if src.len() <= SHORT { 2 } else { 1 };
        let (mut all, mut saved, mut gained) = (0, 0, 0);
        let mut last = 0;
        for window in (0..src.len()).step_by(DISTANCE / scale) {
            let mut at = window;
            while at < window + WINDOW / scale {
                let Some(Met { before, word }) = self.meet(src, at, long, log) else {
                    break;
                };
                let [near, far] = before;
                let is_same = |before: usize, shift: u32| {
                    let same = |earlier: u64| (earlier ^ word) << shift == 0;
                    before < at && word_at(src, before).is_some_and(same)
                };
                let before = if long > 0 && is_same(far, 0) {
                    Some(far)
                } else {
                    Some(near).filter(|near| is_same(*near, 16))
                };
                let mut len = 1;
                if let Some(before) = before {
                    len = common_prefix(src, before, at, src.len());
                    let distance = at - before;
                    let repeats = distance == last;
                    last = distance;
                    let cost = MATCH + if repeats { 0 } else { distance.ilog2() };
                    let gain = i64::from(low_u32(len)) * literal - i64::from(cost) * BIT;
                    saved += gain;
                    gained += gain.max(0);
                }
                all += i64::from(low_u32(len)) * literal;
                at += len;
            }
            let surplus = SURPLUS * BIT;
            if saved > surplus || gained > all / share + surplus {
                return true;
            }
            let next = src.len().min(window + DISTANCE / scale);
            for at in (at..next).step_by(STEP) {
                self.meet(src, at, long, log);
            }
        }
        false
    }

    /// Starts a stream of `len` bytes, whose tables have so many entries.
    fn start(&mut self, len: u32, entries: usize) {
        self.base = self.next;
        if self.base.checked_add(len).is_none() {
            self.seen.iter_mut().for_each(|seen| seen.fill(0));
            self.base = 0;
        }
        self.next = self.base.saturating_add(len);
        for seen in &mut self.seen {
            if seen.len() < entries {
                seen.resize(entries, 0);
            }
        }
    }

    /// The last positions with the hashes of `at`, which it becomes; `long` is the length of a
    /// string, if it is not 0.
    #[inline(always)]
    fn meet(&mut self, src: &[u8], at: usize, long: usize, log: u32) -> Option<Met> {
        let word = word_at(src, at)?;
        let [near, far] = &mut self.seen;
        let (base, position) = (self.base, self.base + low_u32(at));
        let last = |seen: &mut [u32], mixed: u64| {
            let seen = seen.get_mut(usize::try_from(mixed >> (64 - log)).ok()?)?;
            Some(core::mem::replace(seen, position).saturating_sub(base) as usize)
        };
        let mut before = [last(near, (word << 16).wrapping_mul(GOLDEN_64))?; 2];
        if long > 0 {
            let mut mixed = word.wrapping_mul(GOLDEN_64).rotate_left(29);
            if long > 16 {
                mixed ^= word_at(src, at + 8)?;
                mixed = mixed.wrapping_mul(GOLDEN_64).rotate_left(29);
            }
            mixed ^= word_at(src, at + long - 8)?;
            before[1] = last(far, mixed.wrapping_mul(GOLDEN_64))?;
        }
        Some(Met { before, word })
    }
}

/// The different bytes among the first of some words of `src`, at most [`FIRST`].
#[inline(always)]
fn different(src: &[u8]) -> u32 {
    let mut seen = [0_u64; 4];
    for from in src.chunks(src.len() / FIRST).take(FIRST) {
        let byte = from.first().copied().unwrap_or(0);
        seen[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }
    seen.iter().map(|bits| bits.count_ones()).sum()
}

/// Some words of `src`, which has [`LEAST`] bytes.
#[inline(always)]
fn take_some(src: &[u8]) -> [[u8; 8]; WORDS] {
    let mut words = [[0; 8]; WORDS];
    for (word, from) in words.iter_mut().zip(src.chunks(src.len() / WORDS)) {
        if let Some(from) = from.first_chunk() {
            *word = *from;
        }
    }
    words
}

/// How many of the words are one byte, eight times.
#[inline(always)]
fn runs(words: &[[u8; 8]; WORDS]) -> usize {
    let is_run = |word: &&[u8; 8]| {
        let word = u64::from_le_bytes(**word);
        word == word.rotate_left(8)
    };
    words.iter().filter(is_run).count()
}

/// How many bytes are those at the same place of the word before.
#[inline(always)]
fn equal_pairs(words: &[[u8; 8]; WORDS]) -> usize {
    let bytes = words.as_flattened();
    let pairs = bytes.iter().zip(&bytes[8..]);
    pairs.filter(|(before, byte)| before == byte).count()
}

/// Whether two bytes are hardly ever equal by chance: strings of six then occur once, or nearly so,
/// in the tables of the fastest search.
#[inline(always)]
fn are_rarely_equal(counts: &[u32; 256]) -> bool {
    let equal: u32 = counts.iter().map(|count| count * count).sum();
    // 3.1 bits.
    equal < low_u32(8 * WORDS * 8 * WORDS) / 1000 * 117
}

/// The bits of bytes with such counts, in the codes for them.
fn coded(counts: &[u32; 256]) -> f32 {
    let lens = code_lengths(counts, MAX_BITS);
    let bits = counts
        .iter()
        .zip(lens)
        .map(|(count, len)| count * u32::from(len));
    to_f32(bits.sum::<u32>() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_on_and_start_again() {
        let mut state = 1_u32;
        let mut dice = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24 & 3) + (state >> 28 & 3)
        };
        let content: Vec<u8> = (0..5000).map(|_| dice().to_le_bytes()[0]).collect();
        let copy = [&content[..], &content].concat();
        let mut sample = Sample::new();
        for first in [0, 7, u32::MAX - 5000, u32::MAX - 4999, u32::MAX] {
            sample.next = first;
            for (content, pay) in [(&content, false), (&copy, true), (&content, false)] {
                assert_eq!(sample.matches_pay(content, Searched::Fast), pay, "{first}");
            }
        }
        assert_eq!((sample.base, sample.next), (15_000, 20_000));
    }

    #[test]
    fn runs_and_bytes_of_which_one_is_frequent_are_left_to_a_search() {
        let mut state = 1_u32;
        // The byte 0 so many times in four, and else as many bits by chance.
        let mut content = |frequent: u32, bits: u32| -> Vec<u8> {
            let bytes = (0..5000).map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let is_frequent = state >> 24 & 3 < frequent;
                let byte = if is_frequent { 0 } else { state >> (32 - bits) };
                byte.to_le_bytes()[0]
            });
            bytes.collect()
        };
        let mut with_runs = content(0, 3);
        with_runs
            .chunks_mut(64)
            .step_by(2)
            .for_each(|run| run.fill(0));
        for (content, by, is_looked_at) in [
            (with_runs, Searched::Fast, false),
            (content(3, 3), Searched::Fastest, false),
            (content(3, 3), Searched::Fast, true),
            (content(1, 3), Searched::Fastest, true),
            // Equal as often, but a mask.
            (content(0, 1), Searched::Fastest, true),
        ] {
            let mut sample = Sample::new();
            sample.matches_pay(&content, by);
            assert_eq!(sample.next > 0, is_looked_at, "{by:?}");
        }
    }
}
