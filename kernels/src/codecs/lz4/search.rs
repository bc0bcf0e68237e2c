//! The two searches of the high-ratio compressor.

use crate::codecs::lz::Lanes;

use super::chains::{Finder, Match};
use super::history::History;
use super::limits::MIN_MATCH;

/// A match this long is taken as it is.
pub(super) const LONG_ENOUGH: usize = 1 << 16;

impl<const DICT: bool> Finder<'_, DICT> {
    /// The longest match at `p` of at least four bytes, extended back as far as `low`.
    ///
    /// Without checks: those of every load make levels 3 to 12 10 to 13 % slower at 4 KiB.
    ///
    /// # Safety
    /// `low <= p`, `p + 4 <= end`, and `end` is within the content.
    #[inline(always)]
    pub(super) unsafe fn search<L: Lanes>(
        &mut self,
        lanes: L,
        p: usize,
        low: usize,
        end: usize,
    ) -> Option<Match> {
        // SAFETY: p + 4 <= end.
        unsafe { self.enter_until(p) };
        // SAFETY: p + 4 <= end.
        let here = unsafe { self.history.half_word_unchecked(p) };
        let mut walk = self.walk(p, here, self.attempts.first);
        let mut best = Match {
            start: p,
            len: MIN_MATCH - 1,
            distance: 0,
        };
        // The last four of the bytes that a longer match must have.
        let mut wanted = here;
        // SAFETY: p + 4 <= end.
        while let Some(distance) = unsafe { self.candidate(lanes, &mut walk, p, end) } {
            if History::<DICT>::in_dict(p, distance) {
                // A candidate of another chain may begin where the dictionary has less than four
                // bytes left.
                if distance < p + MIN_MATCH {
                    continue;
                }
            } else {
                // SAFETY: the end of the best match is before `end`.
                let there = unsafe { self.history.load_before(p + best.len - 3, distance) };
                if wanted != u32::from_le_bytes(there) {
                    continue;
                }
            }
            // SAFETY: an entered position before p; 4 bytes follow it.
            let there = unsafe { self.history.load_before(p, distance) };
            if here != u32::from_le_bytes(there) {
                continue;
            }
            // SAFETY: an entered position before p, and p <= end <= src.len().
            let len = unsafe { self.history.forward_unchecked(lanes, p, distance, end) };
            if len > best.len {
                best.len = len;
                best.distance = distance;
                if p + len == end || len >= LONG_ENOUGH {
                    break;
                }
                // SAFETY: p + len < end.
                wanted = unsafe { self.history.half_word_unchecked(p + len - 3) };
                self.narrow(&mut walk, p, distance, len);
            }
        }
        if best.distance == 0 {
            return None;
        }
        let most = p - low;
        // SAFETY: an entered position before p.
        let back = unsafe {
            self.history
                .backward_unchecked(lanes, p, best.distance, most)
        };
        best.start -= back;
        best.len += back;
        Some(best)
    }

    /// The longest match that covers the last bytes of `last`, begins in it, and is longer.
    ///
    /// # Safety
    /// `last.end() + 2 <= end`, and `end` is within the content.
    #[inline(always)]
    pub(super) unsafe fn search_wider<L: Lanes>(
        &mut self,
        lanes: L,
        last: Match,
        end: usize,
    ) -> Option<Match> {
        let p = last.end() - 2;
        let most = p - last.start;
        // SAFETY: the match ends 2 after p.
        unsafe { self.enter_periods(last) };
        // SAFETY: p + 4 <= end.
        unsafe { self.enter_until(p) };
        // SAFETY: p + 4 <= end.
        let here = unsafe { self.history.half_word_unchecked(p) };
        let mut walk = self.walk(p, here, self.attempts.wider);
        let mut best = Match {
            distance: 0,
            ..last
        };
        // Eight bytes before `p` and the eight at it.
        let windows = if p >= 8 && p + 8 <= end {
            // SAFETY: 8 <= p <= end <= src.len().
            let before = unsafe { self.history.word_unchecked(p - 8) };
            // SAFETY: p + 8 <= end.
            let after = unsafe { self.history.word_unchecked(p) };
            Some((before, after))
        } else {
            None
        };
        // SAFETY: p + 4 <= end.
        while let Some(distance) = unsafe { self.candidate(lanes, &mut walk, p, end) } {
            let (mut back, mut ahead);
            if let Some((before, after)) = windows
                && distance + 8 <= p
            {
                // SAFETY: an entered position before p; 8 bytes follow it.
                let there = u64::from_le_bytes(unsafe { self.history.load_before(p, distance) });
                ahead = (after ^ there).trailing_zeros() as usize / 8;
                // SAFETY: distance <= p - 8.
                let there =
                    u64::from_le_bytes(unsafe { self.history.load_before(p - 8, distance) });
                back = (before ^ there).leading_zeros() as usize / 8;
                if ahead < MIN_MATCH {
                    continue;
                }
                let more_back = back == 8 && most > 8;
                back = back.min(most);
                if ahead < 8 {
                    if more_back {
                        let needed = best.len + 1 - ahead;
                        if needed > most || distance + needed > p {
                            continue;
                        }
                        if needed > 8 {
                            // SAFETY: 8 < needed <= p.
                            let ours = unsafe { self.history.word_unchecked(p - needed) };
                            // SAFETY: needed <= p - distance.
                            let there = unsafe { self.history.load_before(p - needed, distance) };
                            if ours != u64::from_le_bytes(there) {
                                continue;
                            }
                        }
                        // SAFETY: distance <= p - 8.
                        back += unsafe {
                            self.history
                                .backward_unchecked(lanes, p - 8, distance, most - 8)
                        };
                    }
                } else {
                    if more_back {
                        // SAFETY: distance <= p - 8.
                        back += unsafe {
                            self.history
                                .backward_unchecked(lanes, p - 8, distance, most - 8)
                        };
                    }
                    let needed = best.len + 1 - back;
                    if needed > 8 {
                        if p + needed > end {
                            continue;
                        }
                        // SAFETY: 8 < needed, p + needed <= end.
                        let ours = unsafe { self.history.word_unchecked(p + needed - 8) };
                        // SAFETY: before that, in the content.
                        let there = unsafe { self.history.load_before(p + needed - 8, distance) };
                        if ours != u64::from_le_bytes(there) {
                            continue;
                        }
                    }
                    // SAFETY: an entered position before p, p + 8 <= end <= src.len().
                    ahead += unsafe { self.history.forward_unchecked(lanes, p + 8, distance, end) };
                }
            } else {
                // Near an end of the content, or in the dictionary.
                // SAFETY: an entered position before p; 4 bytes follow it.
                let there = unsafe { self.history.load_before(p, distance) };
                if here != u32::from_le_bytes(there) {
                    continue;
                }
                ahead = self.history.forward(lanes, p, distance, end);
                back = self.history.backward(lanes, p, distance, most);
            }
            if ahead + back > best.len {
                best = Match {
                    start: p - back,
                    len: ahead + back,
                    distance,
                };
                if p + ahead == end || best.len >= LONG_ENOUGH {
                    break;
                }
            }
        }
        (best.distance != 0).then_some(best)
    }
}
