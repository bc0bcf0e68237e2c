//! Levels 1 and 2 of the high-ratio compressor: no chains, but two hashes per position.
//!
//! One table holds the last position of 7 bytes, one that of 4 bytes. A match found by 7 bytes is
//! taken at once; before one found by 4 bytes only is taken, the next position is searched for a
//! longer one by its 7 bytes: numbers often agree in all bytes but the first.
//! The steps grow while nothing is found.

use crate::Kernels;
use crate::codecs::lz::window::equal_bytes;
use crate::codecs::lz::{Lanes, Task, run};

use super::chains::Match;
use super::history::History;
use super::limits::{LAST_LITERALS, MATCH_START_MARGIN, MAX_DISTANCE};
use super::mid_tables::Tables;
use super::sequence::Sink;

/// After each 2^8 literals the step grows by one.
const SKIP_SHIFT: u32 = 8;
/// The longest step: after a plane of noise, another one may begin that repeats itself.
const MAX_SKIP: usize = 63;

/// Compresses `src`, which is the content of `history`, with tables that have its dictionary.
pub(super) fn encode<T: Tables, const DICT: bool>(
    kernels: Kernels,
    tables: T,
    history: History<'_, DICT>,
    src: &[u8],
    dst: &mut [u8],
) -> Option<usize> {
    let mid = Mid {
        tables,
        history,
        src,
        dst,
    };
    run(kernels, mid)
}

/// One call.
struct Mid<'a, T, const DICT: bool> {
    tables: T,
    history: History<'a, DICT>,
    src: &'a [u8],
    dst: &'a mut [u8],
}

impl<T: Tables, const DICT: bool> Task for Mid<'_, T, DICT> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Option<usize> {
        self.encode(lanes)
    }
}

impl<T: Tables, const DICT: bool> Mid<'_, T, DICT> {
    /// The match of `p` with the position `distance` before it; `LONG` if it is probably one of 8
    /// bytes and more.
    ///
    /// # Safety
    /// `p + 12` is within the content, `end` 5 before its end. The distance is that of a position
    /// before `p`, in the content or the dictionary, which 8 bytes follow, or one that the tables
    /// say is checked.
    #[inline(always)]
    unsafe fn compare<L: Lanes, const LONG: bool>(
        &self,
        lanes: L,
        p: usize,
        distance: usize,
        end: usize,
    ) -> Option<Match> {
        if T::CHECKS_DISTANCE && distance.wrapping_sub(1) >= MAX_DISTANCE {
            return None;
        }
        // Sixteen bytes at most by two words, if they are all in the content.
        let twice = LONG && p + 16 <= end && !History::<DICT>::in_dict(p, distance);
        for known in [0, 8] {
            // SAFETY: p + 12 is within the content, and if `known` is 8, p + 16.
            let here = unsafe { self.history.word_unchecked(p + known) };
            // SAFETY: a position before p, in the content or its dictionary, which 8 bytes follow,
            // and in the content, if `known` is 8, 16.
            let there = unsafe { self.history.load_before(p + known, distance) };
            let differ = here ^ u64::from_le_bytes(there);
            if known == 0 && differ.trailing_zeros() < 32 {
                return None;
            }
            if differ != 0 {
                return Some(Match {
                    start: p,
                    len: known + equal_bytes(differ),
                    distance,
                });
            }
            if !twice {
                break;
            }
        }
        let known = if twice { 16 } else { 0 };
        // SAFETY: the distance is that of an earlier position, and p + known <= end.
        let more = unsafe {
            self.history
                .forward_unchecked(lanes, p + known, distance, end)
        };
        Some(Match {
            start: p,
            len: known + more,
            distance,
        })
    }

    /// Compresses `src`. Its loads have no checks: with them levels 1 and 2 are 10 to 20 % slower.
    #[inline(always)]
    fn encode<L: Lanes>(mut self, lanes: L) -> Option<usize> {
        let src = self.src;
        let history = self.history;
        let mut sink = Sink::new(core::mem::take(&mut self.dst));
        let Some(last_start) = src.len().checked_sub(MATCH_START_MARGIN) else {
            return sink.finish(src);
        };
        let end = src.len() - LAST_LITERALS;
        let mut anchor = 0;
        // Position 0 is what empty entries mean where distances are not checked.
        let mut p = usize::from(!T::CHECKS_DISTANCE);
        while p <= last_start {
            // SAFETY: p <= last_start, 12 before the end.
            let word = unsafe { history.word_unchecked(p) };
            let of_7 = self.tables.swap_7(word, p);
            let of_4 = self.tables.swap_4(word, p);
            // SAFETY: p <= last_start, 12 before the end.
            let long = unsafe { self.compare::<_, true>(lanes, p, of_7, end) };
            let mut found = if let Some(long) = long {
                long
            } else {
                // SAFETY: p <= last_start, 12 before the end.
                let short = unsafe { self.compare::<_, false>(lanes, p, of_4, end) };
                match short {
                    Some(short) => short,
                    // A run of one byte needs no former probe in it, which large steps may not
                    // have made.
                    None if low_half(word ^ (word >> 8)) == 0 && p < last_start => Match {
                        start: p + 1,
                        // SAFETY: p + 1 <= last_start, 7 before `end`.
                        len: unsafe { history.forward_unchecked(lanes, p + 1, 1, end) },
                        distance: 1,
                    },
                    None => {
                        p += 1 + ((p - anchor) >> SKIP_SHIFT).min(MAX_SKIP);
                        continue;
                    }
                }
            };
            if long.is_none() && p < last_start {
                // SAFETY: p + 1 <= last_start, 12 before the end.
                let word = unsafe { history.word_unchecked(p + 1) };
                let of_7 = self.tables.swap_7(word, p + 1);
                // SAFETY: p + 1 <= last_start, 12 before the end.
                let next = unsafe { self.compare::<_, false>(lanes, p + 1, of_7, end) };
                if let Some(next) = next.filter(|next| next.len > found.len) {
                    found = next;
                }
            }
            let most = found.start - anchor;
            // SAFETY: the match's own start and distance.
            let back =
                unsafe { history.backward_unchecked(lanes, found.start, found.distance, most) };
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
                // A few positions inside the match, near both ends; two of them in both tables.
                let first = found.start.max(after.saturating_sub(5));
                for (at, both) in [
                    (first, false),
                    (after - 3, false),
                    (after - 1, false),
                    (found.start + 1, true),
                    (after - 2, true),
                ] {
                    // SAFETY: at < after <= last_start, 12 before the end.
                    let word = unsafe { history.word_unchecked(at) };
                    if both {
                        self.tables.swap_4(word, at);
                    }
                    self.tables.swap_7(word, at);
                }
            }
        }
        sink.finish(src.get(anchor..)?)
    }
}

#[inline(always)]
fn low_half(word: u64) -> u64 {
    word & 0xFFFF_FFFF
}
