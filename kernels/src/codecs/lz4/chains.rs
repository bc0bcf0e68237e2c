//! The tables of the high-ratio compressor, and walks along the chains in them.
//!
//! Every position of the content is entered: `head` holds the newest one of each hash, and `prev`
//! the distance from each position to the one before it with the same hash. A walk visits them,
//! newest first, with two shortcuts. Of the many positions in a run of one byte it visits the one
//! from which the run is as long as the run searched for. And it may change to the chain of a later
//! position, for candidates that lie further back:
//!
//! ```text
//! searched for   a b c d e f g h        a match of 7 is known: any longer one
//!                |-----|                is on the chain of `abcd`
//!                        |-----|        and on that of `efgh`
//! ```

use crate::codecs::lz::{GOLDEN_32, Lanes, low_u32};

use super::history::History;
use super::limits::{MAX_DISTANCE, MIN_MATCH};

/// Bits of a hash.
pub(super) const HEAD_BITS: u32 = 15;
/// Positions that the chain table holds.
pub(super) const WINDOW: usize = 1 << 16;
/// The largest distance of a match whose positions are entered period by period.
const MAX_PERIOD: usize = 16;
/// Its least length, several periods.
const MIN_PERIODIC: usize = 128;

/// The hash of 4 bytes.
#[inline(always)]
fn hash(bytes: u32) -> usize {
    (bytes.wrapping_mul(GOLDEN_32) >> (32 - HEAD_BITS)) as usize
}

/// A match: where it begins, its length and its distance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Match {
    pub(super) start: usize,
    pub(super) len: usize,
    pub(super) distance: usize,
}

impl Match {
    pub(super) fn end(self) -> usize {
        self.start + self.len
    }

    /// The part from `start` on.
    pub(super) fn from(self, start: usize) -> Self {
        Self {
            start,
            len: self.end() - start,
            ..self
        }
    }
}

/// How many candidates a search looks at.
#[derive(Clone, Copy)]
pub(super) struct Attempts {
    /// In a search for the first match of a sequence.
    pub(super) first: u32,
    /// In a search for a wider match.
    pub(super) wider: u32,
    /// In a search for the first match, once it goes on along another chain.
    pub(super) narrowed: u32,
}

impl Attempts {
    pub(super) const fn new(first: u32, wider: u32, narrowed: u32) -> Self {
        Self {
            first,
            wider,
            narrowed,
        }
    }
}

/// The tables and the bytes that they index.
///
/// An index is a position plus the base index of the stream. Entries of this stream belong to
/// positions before the one searched for; older ones are further back than the largest distance,
/// so that every candidate within it is one of this stream or its dictionary.
pub(super) struct Finder<'a, const DICT: bool> {
    /// The index of the newest position, by hash.
    pub(super) head: &'a mut [u32; 1 << HEAD_BITS],
    /// The distance from a position to the one before it in its chain; 65535 for the last.
    pub(super) prev: &'a mut [u16; WINDOW],
    pub(super) history: History<'a, DICT>,
    /// The index of position 0.
    pub(super) base: usize,
    /// The first position that is not entered yet.
    pub(super) next: usize,
    pub(super) attempts: Attempts,
}

impl<const DICT: bool> Finder<'_, DICT> {
    /// Enters the dictionary, at the indices before the base.
    pub(super) fn load_dict(&mut self, dict: &[u8]) {
        for (i, bytes) in dict.windows(4).enumerate() {
            if let Ok(bytes) = bytes.try_into() {
                self.enter(self.base - dict.len() + i, u32::from_le_bytes(bytes));
            }
        }
    }

    #[inline(always)]
    fn enter(&mut self, index: usize, bytes: u32) {
        let distance = index.wrapping_sub(self.newest(bytes)).min(MAX_DISTANCE);
        self.prev[index % WINDOW] = u16::try_from(distance).unwrap_or(u16::MAX);
        self.set_newest(index, bytes);
    }

    /// The index of the newest position with the hash of `bytes`.
    #[inline(always)]
    fn newest(&self, bytes: u32) -> usize {
        self.head[hash(bytes) & ((1 << HEAD_BITS) - 1)] as usize
    }

    /// Makes the position the newest one with its hash.
    #[inline(always)]
    fn set_newest(&mut self, index: usize, bytes: u32) {
        self.head[hash(bytes) & ((1 << HEAD_BITS) - 1)] = low_u32(index);
    }

    /// Enters all positions before `p`.
    ///
    /// # Safety
    /// `p + 3` is within the content.
    #[inline(always)]
    pub(super) unsafe fn enter_until(&mut self, p: usize) {
        while self.next < p {
            // SAFETY: next < p, so that four bytes follow it.
            let bytes = unsafe { self.history.half_word_unchecked(self.next) };
            self.enter(self.base + self.next, bytes);
            self.next += 1;
        }
    }

    /// Enters the positions of a match of a short distance: from its second period on, every
    /// position has the same distance to the one before it in its chain as the position a period
    /// earlier.
    ///
    /// # Safety
    /// The match ends within the content.
    #[inline(always)]
    pub(super) unsafe fn enter_periods(&mut self, it: Match) {
        let period = it.distance;
        if it.len < MIN_PERIODIC || period > MAX_PERIOD {
            return;
        }
        let from = it.start + 2 * period;
        // The first position whose four bytes are not all in the match.
        let to = it.end() - (MIN_MATCH - 1);
        // SAFETY: before `to`, as a periodic match is longer than three periods.
        unsafe { self.enter_until(from) };
        if self.next >= to - period {
            return;
        }
        let mut at = self.base + self.next;
        let stop = self.base + to;
        while at < stop {
            let slot = at % WINDOW;
            let count = (stop - at).min(WINDOW - slot);
            at += count;
            if period == 1 {
                self.prev[slot..slot + count].fill(1);
            } else {
                // The first period one by one, the others as copies of it.
                let first = count.min(period);
                for i in slot..slot + first {
                    self.prev[i] = self.prev[i.wrapping_sub(period) % WINDOW];
                }
                let mut done = first;
                while done < count {
                    let more = done.min(count - done);
                    self.prev.copy_within(slot..slot + more, slot + done);
                    done += more;
                }
            }
        }
        for p in to - period..to {
            let bytes = self.history.half_word(p);
            self.set_newest(self.base + p, bytes);
        }
        self.next = to;
    }

    /// Continues on another chain where that reaches further back: a match longer than the `len`
    /// bytes of the one at `distance` has the last three of them and the byte after, which are four
    /// with a chain of their own. Few of its candidates are compared.
    #[inline(always)]
    pub(super) fn narrow(&self, walk: &mut Walk, p: usize, distance: usize, len: usize) {
        let offset = len - (MIN_MATCH - 1);
        // Positions from `p` on are not entered.
        if offset >= distance || History::<DICT>::in_dict(p, distance) {
            return;
        }
        let bytes = self.history.half_word(p + offset);
        let newest = self.newest(bytes);
        let now = walk.base + offset;
        if now.wrapping_sub(newest) > walk.now.wrapping_sub(walk.index)
            && bytes != bytes.rotate_left(8)
        {
            walk.now = now;
            walk.index = newest;
            // A candidate begins before its position on the chain, but not before all history.
            walk.furthest = (p + self.history.dict_len()).min(MAX_DISTANCE);
            walk.left = walk.left.min(self.attempts.narrowed);
            walk.in_run = false;
        }
    }

    /// The walk along the chain of `p`, whose four bytes are `here`.
    #[inline(always)]
    pub(super) fn walk(&self, p: usize, here: u32, attempts: u32) -> Walk {
        Walk {
            index: self.newest(here),
            base: self.base + p,
            now: self.base + p,
            furthest: MAX_DISTANCE,
            left: attempts,
            in_run: here == here.rotate_left(8),
            run: 0,
        }
    }

    /// The distance of the next candidate for `p`.
    ///
    /// # Safety
    /// `p + 4 <= end`, and `end` is within the content.
    #[inline(always)]
    pub(super) unsafe fn candidate<L: Lanes>(
        &self,
        lanes: L,
        walk: &mut Walk,
        p: usize,
        end: usize,
    ) -> Option<usize> {
        let distance = walk.now.wrapping_sub(walk.index);
        if distance > walk.furthest || walk.left == 0 {
            return None;
        }
        walk.left -= 1;
        let prev = usize::from(self.prev[walk.index % WINDOW]);
        if prev == 1 && walk.in_run && !History::<DICT>::in_dict(p, distance) {
            // SAFETY: an entered position before p in the content; the rest by the contract.
            return Some(unsafe { self.candidate_in_run(lanes, walk, p, distance, end) });
        }
        walk.index = walk.index.wrapping_sub(prev);
        Some(distance)
    }

    /// The distance of the one candidate that matters of those in a run of one byte; the walk goes
    /// on before the run.
    ///
    /// # Safety
    /// `1 <= distance <= p`, `p + 4 <= end`, and `end` is within the content.
    #[inline(always)]
    unsafe fn candidate_in_run<L: Lanes>(
        &self,
        lanes: L,
        walk: &mut Walk,
        p: usize,
        distance: usize,
        end: usize,
    ) -> usize {
        if walk.run == 0 {
            // SAFETY: p + 1 <= end.
            walk.run = 1 + unsafe { self.history.forward_unchecked(lanes, p + 1, 1, end) };
        }
        let at = p - distance;
        // SAFETY: at < p.
        let there = 1 + unsafe { self.history.forward_unchecked(lanes, at + 1, 1, end) };
        let most = (MAX_DISTANCE - distance).min(at);
        // SAFETY: at < p.
        let back = unsafe { self.history.backward_unchecked(lanes, at + 1, 1, most) };
        // Where the run begins, or the window.
        let first = walk.now - (p - (at - back));
        walk.index = first.wrapping_sub(usize::from(self.prev[first % WINDOW]));
        // The candidate whose run ends as this one does, or the run's first.
        distance + walk.run.saturating_sub(there).min(back)
    }
}

/// A walk along a chain.
pub(super) struct Walk {
    /// The index of the next candidate.
    index: usize,
    /// The index of the position searched for.
    base: usize,
    /// The index of the position whose chain is followed, that one or a later one.
    now: usize,
    /// The largest distance of a candidate.
    furthest: usize,
    /// Candidates left.
    left: u32,
    /// Whether the position is in a run of one byte.
    in_run: bool,
    /// The length of that run from the position on, once it is known.
    run: usize,
}
