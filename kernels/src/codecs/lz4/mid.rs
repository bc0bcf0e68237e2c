//! Levels 1 and 2 of the high-ratio compressor: no chains, but two hashes per position.
//!
//! One table holds the last position of 7 bytes, one that of 4 bytes. A match found by 7 bytes is
//! taken at once; before one found by 4 bytes only is taken, the next position is searched for a
//! longer one by its 7 bytes: numbers often agree in all bytes but the first.
//! The steps grow while nothing is found.

use crate::codecs::lz::{Lanes, hash, low_u32};

use super::chains::{Finder, HEAD_BITS, Match};
use super::history::History;
use super::limits::{LAST_LITERALS, MATCH_START_MARGIN, MAX_DISTANCE, MIN_MATCH};
use super::sequence::Sink;

/// Half of the table for each hash.
const BITS: u32 = HEAD_BITS - 1;
/// After each 2^8 literals the step grows by one.
const SKIP_SHIFT: u32 = 8;
/// The longest step: after a plane of noise, another one may begin that repeats itself.
const MAX_SKIP: usize = 63;

#[inline(always)]
fn index_4(word: u64) -> usize {
    hash::<4>(word, BITS)
}

#[inline(always)]
fn index_7(word: u64) -> usize {
    (1 << BITS) | hash::<7>(word, BITS)
}

#[inline(always)]
fn low_half(word: u64) -> u64 {
    word & 0xFFFF_FFFF
}

impl<const DICT: bool> Finder<'_, DICT> {
    /// Enters the dictionary in both tables.
    pub(super) fn load_dict_twice(&mut self, dict: &[u8]) {
        for (i, bytes) in dict.windows(8).enumerate() {
            if let Ok(bytes) = bytes.try_into() {
                let word = u64::from_le_bytes(bytes);
                let at = self.base - dict.len() + i;
                self.swap(index_4(word), at);
                self.swap(index_7(word), at);
            }
        }
    }

    /// Replaces an entry by index `at`; returns its distance from the former one.
    #[inline(always)]
    fn swap(&mut self, index: usize, at: usize) -> usize {
        let entry = &mut self.head[index & ((1 << HEAD_BITS) - 1)];
        let former = core::mem::replace(entry, low_u32(at));
        at.wrapping_sub(former as usize)
    }

    /// Compares one candidate for `p`, whose 8 bytes are `word`, and enters `p`.
    ///
    /// # Safety
    /// `p + 12` is within the content, `end` 5 before its end.
    #[inline(always)]
    unsafe fn try_one<L: Lanes>(
        &mut self,
        lanes: L,
        (index, word): (usize, u64),
        p: usize,
        end: usize,
    ) -> Option<Match> {
        let distance = self.swap(index, self.base + p);
        if distance.wrapping_sub(1) >= MAX_DISTANCE {
            return None;
        }
        // SAFETY: an entered position before p, in this stream or its dictionary.
        let there = unsafe { self.history.load_before(p, distance) };
        if low_half(word) != u64::from(u32::from_le_bytes(there)) {
            return None;
        }
        // SAFETY: the distance is that of an entered position, and p <= end by the contract.
        let len = unsafe { self.history.forward_unchecked(lanes, p, distance, end) };
        Some(Match {
            start: p,
            len,
            distance,
        })
        .filter(|found| found.len >= MIN_MATCH)
    }
}

/// Compresses `src`. Its loads have no checks: with them levels 1 and 2 are 10 to 20 % slower.
#[inline(always)]
pub(super) fn encode<L: Lanes, const DICT: bool>(
    lanes: L,
    finder: &mut Finder<'_, DICT>,
    src: &[u8],
    dst: &mut [u8],
) -> Option<usize> {
    let mut sink = Sink::new(dst);
    let Some(last_start) = src.len().checked_sub(MATCH_START_MARGIN) else {
        return sink.finish(src);
    };
    let end = src.len() - LAST_LITERALS;
    let history: History<'_, DICT> = finder.history;
    let mut anchor = 0;
    let mut p = 0;
    while p <= last_start {
        // SAFETY: p <= last_start, 12 before the end.
        let word = unsafe { history.word_unchecked(p) };
        // SAFETY: p <= last_start, 12 before the end.
        let long = unsafe { finder.try_one(lanes, (index_7(word), word), p, end) };
        let short = if long.is_some() {
            finder.swap(index_4(word), finder.base + p);
            None
        } else {
            // SAFETY: p <= last_start, 12 before the end.
            unsafe { finder.try_one(lanes, (index_4(word), word), p, end) }
        };
        let mut found = match (long, short) {
            (Some(long), _) => long,
            (None, Some(short)) => short,
            // A run of one byte needs no former probe in it, which large steps may not have made.
            (None, None) if low_half(word ^ (word >> 8)) == 0 && p < last_start => Match {
                start: p + 1,
                // SAFETY: p + 1 <= last_start, 7 before `end`.
                len: unsafe { history.forward_unchecked(lanes, p + 1, 1, end) },
                distance: 1,
            },
            (None, None) => {
                p += 1 + ((p - anchor) >> SKIP_SHIFT).min(MAX_SKIP);
                continue;
            }
        };
        if long.is_none() && p < last_start {
            // SAFETY: p + 1 <= last_start, 12 before the end.
            let word = unsafe { history.word_unchecked(p + 1) };
            // SAFETY: p + 1 <= last_start, 12 before the end.
            let next = unsafe { finder.try_one(lanes, (index_7(word), word), p + 1, end) };
            if let Some(next) = next.filter(|next| next.len > found.len) {
                found = next;
            }
        }
        let most = found.start - anchor;
        // SAFETY: the match's own start and distance.
        let back = unsafe { history.backward_unchecked(lanes, found.start, found.distance, most) };
        let after = found.start + found.len;
        let start = found.start - back;
        sink.sequence(
            lanes,
            src,
            anchor,
            start - anchor,
            found.distance,
            after - start,
        )?;
        anchor = after;
        p = after;
        if after <= last_start {
            // A few positions inside the match, near both ends.
            for at in [
                found.start.max(after.saturating_sub(5)),
                after - 3,
                after - 1,
            ] {
                // SAFETY: at < after <= last_start, 12 before the end.
                let word = unsafe { history.word_unchecked(at) };
                finder.swap(index_7(word), finder.base + at);
            }
            for at in [found.start + 1, after - 2] {
                // SAFETY: at < after <= last_start, 12 before the end.
                let word = unsafe { history.word_unchecked(at) };
                finder.swap(index_4(word), finder.base + at);
                finder.swap(index_7(word), finder.base + at);
            }
        }
    }
    sink.finish(src.get(anchor..)?)
}
