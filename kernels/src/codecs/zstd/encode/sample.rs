//! Whether matches pay at all, from a sample of a stream.
//!
//! In windows at regular distances the matches are taken that a fast search takes, long or not:
//! what they save and what they cost are added. Positions between the windows are only known to
//! the search, so that matches are met whatever their distance.

use alloc::vec::Vec;

use super::literals::MAX_BITS;
use super::parts::{bits, count, to_f32, to_u32};
use crate::codecs::huffman::code_lengths;
use crate::codecs::lz::window::{common_prefix, word_at};
use crate::codecs::lz::{GOLDEN_64, low_u32};

/// Shorter streams are not looked at.
const LEAST: usize = 1024;
/// So many bytes are looked at first, and of those so many may differ.
const FIRST: usize = 32;
const MOST_DIFFERENT: u32 = 20;
/// The words of eight bytes that the entropy is estimated by.
const WORDS: usize = 96;
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
const STEP: usize = 8;
/// The hash of six bytes: its entries, as a power of two.
const LOG: u32 = 12;
/// The cost of a match in bits: that of its lengths and of the code of its distance.
const MATCH: u32 = 11;
/// Costs are in units of so many to a bit.
const BIT: i64 = 16;
/// Matches pay that save so many bits more than the others lose; or so large a share, whatever the
/// others lose: a better search leaves those.
const SURPLUS: i64 = 40;
const SHARE: i64 = 6;

/// The positions of a stream by the bytes there.
pub(super) struct Sample {
    seen: Vec<u32>,
}

impl Sample {
    pub(super) const fn new() -> Self {
        Self { seen: Vec::new() }
    }

    /// Whether matches pay in `src`, or are found as fast as anything else.
    #[inline(always)]
    pub(super) fn matches_pay(&mut self, src: &[u8]) -> bool {
        if src.len() < LEAST || !(2..MOST_DIFFERENT).contains(&different(src)) {
            return true;
        }
        let mut counts = [0; 256];
        let len = count_some(src, &mut counts);
        let all = bits(&counts, len);
        let entropy = all / to_f32(len.max(1));
        !(LEAST_ENTROPY..MOST_ENTROPY).contains(&entropy)
            || self.pay(src, to_u32(entropy * 16.0).into())
            || coded(&counts) > all * LOSS
    }

    /// Whether matches save more than they cost, with literals at `literal`.
    #[inline(always)]
    fn pay(&mut self, src: &[u8], literal: i64) -> bool {
        let log = LOG.min((src.len() / 2).ilog2());
        self.seen.clear();
        self.seen.resize(1 << log, 0);
        let scale = if src.len() <= SHORT { 2 } else { 1 };
        let (mut all, mut saved, mut gained) = (0, 0, 0);
        let mut last = 0;
        for window in (0..src.len()).step_by(DISTANCE / scale) {
            let mut at = window;
            while at < window + WINDOW / scale {
                let Some((before, word)) = self.meet(src, at, log) else {
                    break;
                };
                let mut len = 1;
                let same = |earlier: u64| (earlier ^ word) << 16 == 0;
                if before < at && word_at(src, before).is_some_and(same) {
                    len = common_prefix(src, before, at, src.len());
                    let distance = at - before;
                    let far = if distance == last {
                        0
                    } else {
                        distance.ilog2()
                    };
                    last = distance;
                    let gain = i64::from(low_u32(len)) * literal - i64::from(MATCH + far) * BIT;
                    saved += gain;
                    gained += gain.max(0);
                }
                all += i64::from(low_u32(len)) * literal;
                at += len;
            }
            let surplus = SURPLUS * BIT;
            if saved > surplus || gained > all / SHARE + surplus {
                return true;
            }
            let next = src.len().min(window + DISTANCE / scale);
            for at in (at..next).step_by(STEP) {
                self.meet(src, at, log);
            }
        }
        false
    }

    /// The last position with the same hash as `at`, which it becomes, and the bytes there.
    #[inline(always)]
    fn meet(&mut self, src: &[u8], at: usize, log: u32) -> Option<(usize, u64)> {
        let word = word_at(src, at)?;
        let hash = (word << 16).wrapping_mul(GOLDEN_64) >> (64 - log);
        let seen = self.seen.get_mut(usize::try_from(hash).ok()?)?;
        let before = core::mem::replace(seen, low_u32(at));
        Some((before as usize, word))
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

/// Counts the bytes of some words of `src`, and returns their number.
#[inline(always)]
fn count_some(src: &[u8], counts: &mut [u32; 256]) -> usize {
    let mut sample = [0; 8 * WORDS];
    let (words, _) = sample.as_chunks_mut::<8>();
    let mut len = 0;
    for (word, from) in words.iter_mut().zip(src.chunks(src.len() / WORDS)) {
        let Some(from) = from.first_chunk() else {
            break;
        };
        *word = *from;
        len += 8;
    }
    *counts = count(&sample[..len]);
    len
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
