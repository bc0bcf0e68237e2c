//! The high-ratio compressor: chains of all positions with the same hash, and a parse that looks
//! ahead.
//!
//! ```text
//! heads[hash]  ->  newest position  - chain ->  the one before  - chain ->  ...
//!
//! A   |---------- match at hand ----------|
//! W             |----------- a wider one, found through A's last bytes --------|
//! ```
//!
//! Every position of the content is entered. A search follows the chain for as many candidates as
//! the level allows and keeps the longest match, extended to both sides; of the many candidates in
//! a run of one byte, it looks at the one from which the run is as long as the run searched for.
//! Before a match `A` is written, a second search at its last bytes looks for a longer one, `W`,
//! that begins inside `A` and ends behind it: when `W` begins (almost) where `A` does it replaces
//! it, until a third shows that `A` served better; otherwise `A` ends where `W` begins to pay, and
//! `W` is at hand next.
//!
//! Levels 1 and 2 do without chains, see `mid`. The heads are never cleared between streams:
//! positions are on a clock that each stream moves on by more than the largest distance, so
//! whatever a former stream left is too far away, exactly as an empty entry is.

use alloc::boxed::Box;
use alloc::vec;

use super::history::History;
use super::lanes::{Lanes, Portable};
use super::mid;
use super::sequence::Sink;
use super::{LAST_LITERALS, MATCH_START_MARGIN, MAX_DISTANCE, MAX_INPUT, MIN_MATCH};

pub(super) const HEAD_BITS: u32 = 15;
const WINDOW: usize = 1 << 16;
/// The step between clocks: an entry this old is out of reach.
const OUT_OF_REACH: u32 = 1 << 16;
/// The longest match whose length needs no extension byte.
const SHORT_MATCH: usize = MIN_MATCH + 14;
/// A search without result costs most where there is nothing to find: after each 2^6 literals the
/// step to the next search grows by one. A match found late is extended back over what was skipped.
const SKIP_SHIFT: u32 = 6;
/// And no further: behind a plane of noise, another one may begin that repeats itself.
const MAX_SKIP: usize = 63;
/// A wider match that begins this close to the one at hand replaces it.
const MIN_CUT: usize = 3;
/// How many candidates, or runs of one byte, the searches of levels 3 to 12 look at.
const ATTEMPTS: [Attempts; 10] = [
    Attempts::new(3, 4, 1),
    Attempts::new(6, 8, 1),
    Attempts::new(12, 18, 2),
    Attempts::new(24, 36, 4),
    Attempts::new(48, 72, 8),
    Attempts::new(96, 144, 8),
    Attempts::new(256, 256, 16),
    Attempts::new(512, 512, 32),
    Attempts::new(1024, 1024, 64),
    Attempts::new(2048, 2048, 128),
];
/// The distances and lengths of matches whose positions are entered period by period.
const MAX_PERIOD: usize = 16;
const MIN_PERIODIC: usize = 128;
/// So many literals cost less than a match between two others.
const CHEAP_LITERALS: usize = 2;
/// A match this long is taken as it is.
const LONG_ENOUGH: usize = 1 << 16;

/// The high-ratio compressor ("LZ4 HC"): tables of 256 KiB that serve any number of streams.
///
/// # Example
/// ```
/// use oxiblosc_kernels::lz4;
/// let mut encoder = lz4::HcEncoder::new();
/// let src = [7; 1000];
/// let mut dst = [0; 64];
/// let n = encoder.encode(9, &src, &mut dst).unwrap();
/// let mut back = [0; 1000];
/// assert_eq!(lz4::decode(&dst[..n], &mut back), Ok(1000));
/// assert_eq!(back, src);
/// ```
pub struct HcEncoder {
    heads: Box<[u32; 1 << HEAD_BITS]>,
    /// How far before a position the next one of its chain is; 65535 for the last.
    chain: Box<[u16; WINDOW]>,
    /// What the first position of the next stream is on the clock of the heads.
    clock: u32,
}

impl core::fmt::Debug for HcEncoder {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("HcEncoder").finish_non_exhaustive()
    }
}

impl Default for HcEncoder {
    fn default() -> Self {
        Self::new()
    }
}

fn boxed<T: Copy, const N: usize>(value: T) -> Box<[T; N]> {
    // By way of a vector: an array this large must not pass through the stack.
    match vec![value; N].into_boxed_slice().try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("N values make an array of N"),
    }
}

impl HcEncoder {
    /// An encoder with empty tables; the only allocations it makes.
    #[must_use]
    pub fn new() -> Self {
        Self {
            heads: boxed(0),
            chain: boxed(0),
            clock: OUT_OF_REACH,
        }
    }

    /// Compresses `src` into `dst`; returns the stream's length, or `None` when it does not fit.
    ///
    /// `level` is 1 (fastest) to 12, 0 counts as 1 and more as 12; from 3 on each level looks at more
    /// candidates than the one before, mostly twice as many. [`max_stream_len`](super::max_stream_len) bytes always
    /// suffice for inputs up to `0x7E00_0000` bytes, longer ones never fit.
    #[doc(alias = "LZ4_compress_HC")]
    pub fn encode(&mut self, level: u8, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        self.run::<false>(level, src, &[], dst)
    }

    /// [`Self::encode`] with a dictionary: `dict` is history before `src`, up to 64 KiB back.
    ///
    /// The stream needs the same dictionary to be decoded ([`decode_with_dict`]); it is loaded
    /// anew for each stream.
    ///
    /// [`decode_with_dict`]: super::decode_with_dict
    #[doc(alias = "LZ4_loadDictHC")]
    pub fn encode_with_dict(
        &mut self,
        level: u8,
        dict: &[u8],
        src: &[u8],
        dst: &mut [u8],
    ) -> Option<usize> {
        let dict = dict.get(dict.len().saturating_sub(MAX_DISTANCE)..)?;
        if dict.is_empty() {
            return self.encode(level, src, dst);
        }
        self.run::<true>(level, src, dict, dst)
    }

    fn run<const DICT: bool>(
        &mut self,
        level: u8,
        src: &[u8],
        dict: &[u8],
        dst: &mut [u8],
    ) -> Option<usize> {
        let origin = self.advance(dict.len(), src.len())?;
        let mut finder = Finder::<DICT> {
            heads: &mut self.heads,
            chain: &mut self.chain,
            history: History::new(src, dict),
            origin,
            next: 0,
            attempts: match level {
                0..=2 => Attempts::new(0, 0, 0),
                _ => ATTEMPTS[usize::from(level.min(12) - 3)],
            },
        };
        if level <= 2 {
            finder.load_dict_twice(dict);
        } else {
            finder.load_dict(dict);
        }
        by_level(finder, src, dst)
    }

    /// Takes the clock of the content's first byte, for `history` bytes before it and `len` of it,
    /// and moves the clock on; clears the heads when it is at its end, about once in 4 GiB.
    fn advance(&mut self, history: usize, len: usize) -> Option<usize> {
        if len > MAX_INPUT {
            return None;
        }
        let len = u32::try_from(len).ok()?;
        let history = u32::try_from(history).ok()?;
        let next = |clock: u32| {
            let origin = clock.checked_add(history)?;
            let end = origin.checked_add(len)?.checked_add(OUT_OF_REACH)?;
            Some((origin, end))
        };
        let (origin, end) = match next(self.clock) {
            Some(times) => times,
            None => {
                self.heads.fill(0);
                next(OUT_OF_REACH)?
            }
        };
        self.clock = end;
        usize::try_from(origin).ok()
    }
}

fn by_level<const DICT: bool>(
    finder: Finder<'_, DICT>,
    src: &[u8],
    dst: &mut [u8],
) -> Option<usize> {
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    {
        use super::level::{Level, level};
        match level() {
            // SAFETY: detected.
            Level::Avx512 => return unsafe { encode_avx512(finder, src, dst) },
            // SAFETY: detected.
            Level::Avx2 => return unsafe { encode_avx2(finder, src, dst) },
            Level::Portable => {}
        }
    }
    encode::<Portable, DICT>(finder, src, dst)
}

#[cfg(all(target_arch = "x86_64", feature = "std"))]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn encode_avx512<const DICT: bool>(
    finder: Finder<'_, DICT>,
    src: &[u8],
    dst: &mut [u8],
) -> Option<usize> {
    encode::<super::lanes::Avx512, DICT>(finder, src, dst)
}

#[cfg(all(target_arch = "x86_64", feature = "std"))]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn encode_avx2<const DICT: bool>(
    finder: Finder<'_, DICT>,
    src: &[u8],
    dst: &mut [u8],
) -> Option<usize> {
    encode::<super::lanes::Avx2, DICT>(finder, src, dst)
}

/// The hash of 4 bytes.
#[inline(always)]
fn hash(bytes: u32) -> usize {
    (bytes.wrapping_mul(0x9E37_79B1) >> (32 - HEAD_BITS)) as usize
}

/// A match: where it begins, its length and its distance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Match {
    pub(super) start: usize,
    pub(super) len: usize,
    pub(super) distance: usize,
}

impl Match {
    fn end(self) -> usize {
        self.start + self.len
    }

    /// The part from `start` on.
    fn from(self, start: usize) -> Self {
        Self {
            start,
            len: self.end() - start,
            ..self
        }
    }
}

/// How many candidates a search looks at; 0 for the levels without chains.
#[derive(Clone, Copy)]
struct Attempts {
    /// In a search for the first match of a sequence.
    first: u32,
    /// In a search for a wider match.
    wider: u32,
    /// In a search for the first match, once it goes on along another chain.
    narrowed: u32,
}

impl Attempts {
    const fn new(first: u32, wider: u32, narrowed: u32) -> Self {
        Self {
            first,
            wider,
            narrowed,
        }
    }
}

/// The tables and what they index.
pub(super) struct Finder<'a, const DICT: bool> {
    pub(super) heads: &'a mut [u32; 1 << HEAD_BITS],
    chain: &'a mut [u16; WINDOW],
    pub(super) history: History<'a, DICT>,
    /// The clock of position 0.
    pub(super) origin: usize,
    /// The first position that is not entered yet.
    next: usize,
    attempts: Attempts,
}

impl<const DICT: bool> Finder<'_, DICT> {
    /// Enters the dictionary, at the clocks before the origin.
    fn load_dict(&mut self, dict: &[u8]) {
        for (i, bytes) in dict.windows(4).enumerate() {
            if let Ok(bytes) = bytes.try_into() {
                self.enter(self.origin - dict.len() + i, u32::from_le_bytes(bytes));
            }
        }
    }

    #[inline(always)]
    fn enter(&mut self, clock: usize, bytes: u32) {
        let head = &mut self.heads[hash(bytes) & ((1 << HEAD_BITS) - 1)];
        let delta = clock.wrapping_sub(*head as usize).min(MAX_DISTANCE);
        self.chain[clock % WINDOW] = u16::try_from(delta).unwrap_or(u16::MAX);
        let [a, b, c, d, ..] = clock.to_le_bytes();
        *head = u32::from_le_bytes([a, b, c, d]);
    }

    #[inline(always)]
    fn set_head(&mut self, clock: usize, bytes: u32) {
        let [a, b, c, d, ..] = clock.to_le_bytes();
        self.heads[hash(bytes) & ((1 << HEAD_BITS) - 1)] = u32::from_le_bytes([a, b, c, d]);
    }

    /// Enters all positions before `p`.
    ///
    /// # Safety
    /// `p + 3` is within the content.
    #[inline(always)]
    unsafe fn enter_until(&mut self, p: usize) {
        while self.next < p {
            // SAFETY: next < p.
            let bytes = unsafe { self.history.half_word(self.next) };
            self.enter(self.origin + self.next, bytes);
            self.next += 1;
        }
    }

    /// Enters the positions of a match of a short distance: from its second period on, every
    /// position is as far from the one before it in its chain as the position a period earlier.
    ///
    /// # Safety
    /// The match is one, and ends within the content.
    #[inline(always)]
    unsafe fn enter_periods(&mut self, it: Match) {
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
        let mut at = self.origin + self.next;
        let stop = self.origin + to;
        while at < stop {
            let slot = at % WINDOW;
            let count = (stop - at).min(WINDOW - slot);
            if period == 1 {
                self.chain[slot..slot + count].fill(1);
                at += count;
            } else {
                // The first period one by one, the others as copies of it.
                let first = count.min(period);
                for i in slot..slot + first {
                    self.chain[i] = self.chain[i.wrapping_sub(period) % WINDOW];
                }
                let mut done = first;
                while done < count {
                    let more = done.min(count - done);
                    self.chain.copy_within(slot..slot + more, slot + done);
                    done += more;
                }
                at += count;
            }
        }
        for p in to - period..to {
            // SAFETY: p + 4 <= the match's end.
            let bytes = unsafe { self.history.half_word(p) };
            self.set_head(self.origin + p, bytes);
        }
        self.next = to;
    }

    /// The longest match at `p` of at least four bytes, extended back as far as `low`.
    ///
    /// # Safety
    /// `low <= p <= end - 4`, and `end` is at least 5 before the end of the content.
    #[inline(always)]
    unsafe fn search<L: Lanes>(&mut self, p: usize, low: usize, end: usize) -> Option<Match> {
        // SAFETY: p + 4 <= end.
        unsafe { self.enter_until(p) };
        // SAFETY: p + 4 <= end.
        let here = unsafe { self.history.half_word(p) };
        let mut walk = self.walk(p, here, self.attempts.first);
        let mut best = Match {
            start: p,
            len: MIN_MATCH - 1,
            distance: 0,
        };
        // The last four of the bytes that a longer match must have.
        let mut wanted = here;
        // SAFETY: the caller's promise.
        while let Some(distance) = unsafe { self.candidate::<L>(&mut walk, p, end) } {
            if !History::<DICT>::in_dict(p, distance) {
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
            // SAFETY: 1 <= distance, p <= end <= src.len().
            let len = unsafe { self.history.forward::<L>(p, distance, end) };
            if len > best.len {
                best.len = len;
                best.distance = distance;
                if p + len == end || len >= LONG_ENOUGH {
                    break;
                }
                // SAFETY: p + len < end.
                wanted = unsafe { self.history.half_word(p + len - 3) };
                // SAFETY: p + len < end.
                unsafe { self.narrow(&mut walk, p, distance, len) };
            }
        }
        if best.distance == 0 {
            return None;
        }
        // SAFETY: p - low <= p.
        let back = unsafe { self.history.backward::<L>(p, best.distance, p - low) };
        best.start -= back;
        best.len += back;
        Some(best)
    }

    /// The longest match that covers the last bytes of `last`, begins in it, and is longer.
    ///
    /// # Safety
    /// `last.end() - 2 <= end - 4`, and `end` is at least 5 before the end of the content.
    #[inline(always)]
    unsafe fn search_wider<L: Lanes>(&mut self, last: Match, end: usize) -> Option<Match> {
        let p = last.end() - 2;
        let most = p - last.start;
        // SAFETY: the caller's promise.
        unsafe { self.enter_periods(last) };
        // SAFETY: p + 4 <= end.
        unsafe { self.enter_until(p) };
        // SAFETY: p + 4 <= end.
        let here = unsafe { self.history.half_word(p) };
        let mut walk = self.walk(p, here, self.attempts.wider);
        let mut best = Match { distance: 0, ..last };
        // Eight bytes before `p` and the eight at it.
        let windows = if p >= 8 && p + 8 <= end {
            // SAFETY: p + 8 <= end.
            Some(unsafe { (self.history.word(p - 8), self.history.word(p)) })
        } else {
            None
        };
        // SAFETY: the caller's promise.
        while let Some(distance) = unsafe { self.candidate::<L>(&mut walk, p, end) } {
            let (mut back, mut ahead);
            if let Some((before, after)) = windows
                && distance + 8 <= p
            {
                // SAFETY: an entered position before p; 8 bytes follow it.
                let there = u64::from_le_bytes(unsafe { self.history.load_before(p, distance) });
                ahead = (after ^ there).trailing_zeros() as usize / 8;
                // SAFETY: distance <= p - 8.
                let there = u64::from_le_bytes(unsafe { self.history.load_before(p - 8, distance) });
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
                            // SAFETY: needed <= p - distance.
                            let far = unsafe { self.history.word(p - needed) };
                            // SAFETY: as above.
                            let there = unsafe { self.history.load_before(p - needed, distance) };
                            if far != u64::from_le_bytes(there) {
                                continue;
                            }
                        }
                        // SAFETY: most - 8 <= p - 8.
                        back += unsafe { self.history.backward::<L>(p - 8, distance, most - 8) };
                    }
                } else {
                    if more_back {
                        // SAFETY: most - 8 <= p - 8.
                        back += unsafe { self.history.backward::<L>(p - 8, distance, most - 8) };
                    }
                    let needed = best.len + 1 - back;
                    if needed > 8 {
                        if p + needed > end {
                            continue;
                        }
                        // SAFETY: 8 < needed, p + needed <= end.
                        let far = unsafe { self.history.word(p + needed - 8) };
                        // SAFETY: before that, in the content.
                        let there = unsafe { self.history.load_before(p + needed - 8, distance) };
                        if far != u64::from_le_bytes(there) {
                            continue;
                        }
                    }
                    // SAFETY: 1 <= distance, p + 8 <= end <= src.len().
                    ahead += unsafe { self.history.forward::<L>(p + 8, distance, end) };
                }
            } else {
                // Near an end of the content, or in the dictionary.
                // SAFETY: an entered position before p; 4 bytes follow it.
                let there = unsafe { self.history.load_before(p, distance) };
                if here != u32::from_le_bytes(there) {
                    continue;
                }
                // SAFETY: 1 <= distance, p <= end <= src.len().
                ahead = unsafe { self.history.forward::<L>(p, distance, end) };
                // SAFETY: most <= p.
                back = unsafe { self.history.backward::<L>(p, distance, most) };
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

    /// Goes on along another chain where that leads further back: a match longer than the `len` bytes
    /// of the one at `distance` has the last three of them and the byte behind, which are four with a
    /// chain of their own. Few of its candidates are looked at.
    ///
    /// # Safety
    /// `p + len` is before `end`, within the content.
    #[inline(always)]
    unsafe fn narrow(&self, walk: &mut Walk, p: usize, distance: usize, len: usize) {
        let offset = len - (MIN_MATCH - 1);
        // Positions from `p` on are not entered.
        if offset >= distance || History::<DICT>::in_dict(p, distance) {
            return;
        }
        // SAFETY: p + len + 1 <= end.
        let bytes = unsafe { self.history.half_word(p + offset) };
        let head = self.heads[hash(bytes) & ((1 << HEAD_BITS) - 1)] as usize;
        let now = walk.base + offset;
        if now.wrapping_sub(head) > walk.now.wrapping_sub(walk.clock)
            && bytes != bytes.rotate_left(8)
        {
            walk.now = now;
            walk.clock = head;
            // A candidate begins before the position that is on the chain: not before the content.
            walk.furthest = p.min(MAX_DISTANCE);
            walk.left = walk.left.min(self.attempts.narrowed);
            walk.in_run = false;
        }
    }

    /// The walk along the chain of `p`, whose four bytes are `here`.
    #[inline(always)]
    fn walk(&self, p: usize, here: u32, attempts: u32) -> Walk {
        Walk {
            clock: self.heads[hash(here) & ((1 << HEAD_BITS) - 1)] as usize,
            base: self.origin + p,
            now: self.origin + p,
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
    unsafe fn candidate<L: Lanes>(&self, walk: &mut Walk, p: usize, end: usize) -> Option<usize> {
        let distance = walk.now.wrapping_sub(walk.clock);
        if distance > walk.furthest || walk.left == 0 {
            return None;
        }
        walk.left -= 1;
        let delta = usize::from(self.chain[walk.clock % WINDOW]);
        if delta == 1 && walk.in_run && !History::<DICT>::in_dict(p, distance) {
            // SAFETY: the caller's promise.
            return Some(unsafe { self.candidate_in_run::<L>(walk, p, distance, end) });
        }
        walk.clock = walk.clock.wrapping_sub(delta);
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
        walk: &mut Walk,
        p: usize,
        distance: usize,
        end: usize,
    ) -> usize {
        if walk.run == 0 {
            // SAFETY: 1 <= p + 1 <= end <= src.len().
            walk.run = 1 + unsafe { self.history.forward::<L>(p + 1, 1, end) };
        }
        let at = p - distance;
        // SAFETY: at < p; the run's bytes are counted up to the content's end.
        let there = 1 + unsafe { self.history.forward::<L>(at + 1, 1, end) };
        let most = (MAX_DISTANCE - distance).min(at);
        // SAFETY: most <= at.
        let back = unsafe { self.history.backward::<L>(at + 1, 1, most) };
        // Where the run begins, or the window.
        let first = walk.now - (p - (at - back));
        walk.clock = first.wrapping_sub(usize::from(self.chain[first % WINDOW]));
        // The candidate whose run ends as this one does, or the run's first.
        distance + walk.run.saturating_sub(there).min(back)
    }
}

/// A walk along a chain.
struct Walk {
    /// The clock of the next candidate.
    clock: usize,
    /// The clock of the position searched for.
    base: usize,
    /// The clock of the position whose chain is followed, that one or a later one.
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

/// Where `first` ends when `wider`, which begins inside it, follows: its own end, or where its
/// length would begin to cost a byte, but such that a match remains for `wider`.
#[inline(always)]
fn split(first: Match, wider: Match, last_start: usize) -> usize {
    let gain = wider.start - first.start;
    let len = first.len.min(SHORT_MATCH.max(gain));
    (first.start + len)
        .min(wider.end() - MIN_MATCH)
        .min(last_start)
}

#[inline(always)]
fn encode<L: Lanes, const DICT: bool>(
    mut finder: Finder<'_, DICT>,
    src: &[u8],
    dst: &mut [u8],
) -> Option<usize> {
    if finder.attempts.first == 0 {
        return mid::encode::<L, DICT>(&mut finder, src, dst);
    }
    let mut sink = Sink::new(dst);
    let Some(last_start) = src.len().checked_sub(MATCH_START_MARGIN) else {
        return sink.finish(src);
    };
    let end = src.len() - LAST_LITERALS;
    let mut anchor = 0;
    let mut p = 0;
    while p <= last_start {
        // SAFETY: anchor <= p <= last_start, which is 7 before `end`.
        let Some(mut first) = (unsafe { finder.search::<L>(p, anchor, end) }) else {
            p += 1 + ((p - anchor) >> SKIP_SHIFT).min(MAX_SKIP);
            continue;
        };
        let mut second = None;
        // What the match at hand replaced, to be taken after all where the next begins inside it.
        let mut shadow: Option<Match> = None;
        loop {
            let last = second.unwrap_or(first);
            let wider = if last.end() - 2 <= last_start && last.len < LONG_ENOUGH {
                // SAFETY: last_start is 7 before `end`.
                unsafe { finder.search_wider::<L>(last, end) }
            } else {
                None
            };
            match (second, wider) {
                (None, None) => {
                    emit::<L>(&mut sink, src, &mut anchor, first, first.end())?;
                    break;
                }
                (None, Some(wider)) => {
                    if let Some(former) = shadow.take()
                        && wider.start < former.end()
                        && wider.start >= former.start + MIN_MATCH
                    {
                        first = former;
                    }
                    let cut = split(first, wider, last_start);
                    if wider.start - first.start < MIN_CUT || cut - first.start < MIN_MATCH {
                        if wider.start > first.start {
                            shadow = Some(first);
                        }
                        first = wider;
                    } else {
                        second = Some(wider.from(cut));
                    }
                }
                (Some(next), None) => {
                    emit::<L>(&mut sink, src, &mut anchor, first, next.start)?;
                    first = next;
                    emit::<L>(&mut sink, src, &mut anchor, first, first.end())?;
                    break;
                }
                (Some(next), Some(third)) => {
                    let cut = split(next, third, last_start);
                    if third.start > first.end() + CHEAP_LITERALS && cut >= next.start + MIN_MATCH {
                        // Room for all three.
                        emit::<L>(&mut sink, src, &mut anchor, first, next.start)?;
                        first = next;
                        second = Some(third.from(cut));
                    } else if third.start >= first.end() {
                        // The second falls away.
                        emit::<L>(&mut sink, src, &mut anchor, first, first.end())?;
                        first = third;
                        second = None;
                    } else {
                        second = Some(third.from(split(first, third, last_start)));
                    }
                }
            }
        }
        p = anchor;
    }
    sink.finish(src.get(anchor..)?)
}

/// Writes a match up to `end`, or its own end if that is earlier.
#[inline(always)]
fn emit<L: Lanes>(
    sink: &mut Sink<'_>,
    src: &[u8],
    anchor: &mut usize,
    it: Match,
    end: usize,
) -> Option<()> {
    let len = it.len.min(end - it.start);
    sink.sequence::<L>(src, *anchor, it.start - *anchor, it.distance, len)?;
    *anchor = it.start + len;
    Some(())
}
