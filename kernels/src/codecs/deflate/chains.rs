//! The search through chains of all positions that begin with the same four bytes, and a parse that
//! looks ahead.
//!
//! ```text
//! heads[hash of 4]   ->  newest position  - links ->  the one before  - links ->  ...
//! threes[hash of 3]  ->  newest position, at levels 8 and 9 the newest two
//! eights[hash of 8]  ->  newest position: where chains are long, a long match without a search
//!                        - eight_links ->  the one before, at levels 8 and 9
//! ```
//!
//! A chosen match is widened backwards, over the match before too if nearly all of it lies in both.
//!
//! The tables are never cleared between streams: positions are on a clock that each stream moves on
//! by more than the largest distance, so whatever a former stream left is too far away, exactly as
//! an empty entry is.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::costs::Costs;
use super::parse::{MAX_DISTANCE, MAX_MATCH, Sequence, common, emit, load, low_u32};

const HEAD_BITS: u32 = 15;
/// Two positions each.
const THREE_BITS: u32 = 16;
/// Where only the newest counts: 32 KiB each. With 128 KiB text takes 1.07 times as long, and streams 0.05 % less.
const FEW_BITS: u32 = 13;
const EIGHT_BITS: u32 = 16;
/// Bytes behind a position that a search reads.
const MARGIN: usize = 8;
/// The step between clocks: an entry this old is out of reach.
const OUT_OF_REACH: u32 = 1 << 16;
/// A run of one byte this long is worth a literal that begins it: its distance is the cheapest.
const LONG_RUN: usize = 48;
/// Further candidates behind a long run or match, where the time for them was saved.
const CREDIT: usize = 16;
/// What a match counts against the size of a piece, in literals.
const MATCH_WORK: usize = 8;
/// Pieces for which something is not looked for, once it had hardly been found.
const REST: u32 = 7;
/// Looking up eight bytes rests when it finds fewer than one match of so many.
const IDLE_EIGHTS: u32 = 8;
/// How many candidates with the same eight bytes are looked at: so many times the square of how
/// many times shorter the last piece became, within bounds. Where little is left there is time.
const EIGHT_DEPTH: u64 = 4;
const EIGHT_LEAST: u64 = 16;
const EIGHT_MOST: u64 = 1200;

/// How hard a level searches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// How many candidates a search looks at.
    depth: u32,
    /// A match of this length is taken as it is.
    nice: usize,
    /// After a match shorter than this, the next position is searched too.
    lazy: usize,
    /// After `2^patience` positions without a match, the step between them grows by one.
    patience: u32,
    /// How many sixteenths of a bit a match must save, for whoever decodes it: a match takes the
    /// time of some literals.
    worth: u32,
    /// The same of a match of three bytes; `None` if those are not looked for.
    worth_of_three: Option<u32>,
    /// Matches of three bytes rest when they save less than one part of so many; 0 for never.
    idle: u64,
    /// Whether eight bytes are looked up at once. They, too, rest when they are of little use.
    eights: bool,
    /// Whether all positions with the same eight bytes are chained: long matches are then looked
    /// for among those alone.
    eight_chains: bool,
    /// How many positions at the end of a match are entered.
    entered: usize,
}

impl Effort {
    /// Of levels 2 to 9.
    pub(super) fn of(level: u8) -> Self {
        let (depth, nice, lazy, patience, worth, three, idle, eights, entered) = match level {
            ..=2 => (3, 24, 0, 6, 80, None, 0, false, 8),
            3 => (4, 32, 0, 6, 64, None, 0, false, 16),
            4 => (6, 32, 6, 7, 64, Some(128), 64, false, 16),
            5 => (8, 32, 8, 6, 64, Some(64), 128, true, 16),
            6 => (12, 48, 16, 8, 48, Some(96), 64, true, 32),
            7 => (32, 128, 32, 10, 32, Some(48), 128, true, 48),
            8 => (32, 258, 64, 9, 24, Some(16), 0, true, 128),
            _ => (48, 258, 128, 9, 24, Some(8), 0, true, 258),
        };
        Self {
            depth,
            nice,
            lazy,
            patience,
            worth,
            worth_of_three: three,
            idle,
            eights,
            eight_chains: level >= 8,
            entered,
        }
    }
}

/// A match, and how many sixteenths of a bit it is shorter than the literals it stands for.
#[derive(Clone, Copy, Debug)]
struct Match {
    len: usize,
    far: usize,
    saves: u32,
}

/// How far back the newest positions with the same four, three and eight bytes are.
#[derive(Clone, Copy, Debug)]
struct Candidates {
    four: usize,
    three: [usize; 2],
    eight: usize,
}

/// The chains.
pub(super) struct Chains {
    heads: Box<[u32; 1 << HEAD_BITS]>,
    threes: Box<[u32; 2 << THREE_BITS]>,
    eights: Box<[u32; 1 << EIGHT_BITS]>,
    /// By position: how far back the one before with the same hash is.
    links: Box<[u16; MAX_DISTANCE]>,
    /// The same by the hash of eight bytes.
    eight_links: Box<[u16; MAX_DISTANCE]>,
    /// The time of the first byte of the stream.
    clock: u32,
    /// The length of the stream.
    len: usize,
    effort: Effort,
    /// How many sixteenths of a bit matches of three bytes saved in the last piece, and for how
    /// many pieces they rest.
    threes_saved: u32,
    threes_rest: u32,
    /// How many matches there were, how many of them were found by eight bytes, and for how many
    /// pieces those rest.
    matches: u32,
    eights_found: u32,
    eights_rest: u32,
    /// How many candidates with the same eight bytes a search looks at.
    eight_depth: u32,
    /// Further candidates of every search, where the last piece became very short.
    more: u32,
    /// Whether the last piece was noise.
    noise: bool,
}

/// The low `bits` of what depends on all bytes of `word`; shift those out to the left that do not
/// count.
#[inline(always)]
fn hash(word: u64, bits: u32) -> usize {
    /// 2^64 divided by the golden ratio, made odd.
    const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
    let mixed = word.wrapping_mul(MULTIPLIER) >> (64 - bits);
    usize::try_from(mixed).unwrap_or(0) & ((1 << bits) - 1)
}

impl Chains {
    pub(super) fn new(effort: Effort) -> Self {
        Self {
            heads: Box::new([0; 1 << HEAD_BITS]),
            threes: Box::new([0; 2 << THREE_BITS]),
            eights: Box::new([0; 1 << EIGHT_BITS]),
            links: Box::new([0; MAX_DISTANCE]),
            eight_links: Box::new([0; MAX_DISTANCE]),
            clock: OUT_OF_REACH,
            len: 0,
            effort,
            threes_saved: 0,
            threes_rest: 0,
            matches: 0,
            eights_found: 0,
            eights_rest: 0,
            noise: false,
            eight_depth: 1,
            more: 0,
        }
    }

    /// Forgets the former stream; the next is of `len` bytes.
    pub(super) fn start(&mut self, len: usize) {
        let clock = u64::from(self.clock) + self.len as u64 + u64::from(OUT_OF_REACH);
        self.clock = OUT_OF_REACH;
        if let Ok(clock) = u32::try_from(clock)
            && u32::try_from(u64::from(clock) + len as u64).is_ok()
        {
            self.clock = clock;
        } else {
            self.heads.fill(0);
            self.threes.fill(0);
            self.eights.fill(0);
        }
        self.len = len;
        (self.threes_saved, self.threes_rest, self.noise) = (0, 0, false);
        (self.matches, self.eights_found, self.eights_rest) = (0, 0, 0);
        self.more = 0;
        self.eight_depth = if self.effort.eight_chains { 64 } else { 1 };
    }

    /// Takes note of the last piece: its lengths in bytes and in bits, and whether it was noise.
    pub(super) fn learn(&mut self, len: usize, bits: u64, noise: bool) {
        self.noise = noise;
        let ratio = 8 * len as u64 / bits.max(1);
        if self.effort.eight_chains {
            let depth = EIGHT_DEPTH * ratio * ratio;
            self.eight_depth = u32::try_from(depth.clamp(EIGHT_LEAST, EIGHT_MOST)).unwrap_or(1);
            self.eights_rest *= u32::from(ratio <= 3);
        } else {
            self.more = u32::from(ratio >= 8) * 3 * self.effort.depth;
        }
        if self.threes_rest > 0 {
            self.threes_rest -= 1;
        } else if self.effort.idle > 0
            && u64::from(self.threes_saved / 16) < bits / self.effort.idle
        {
            self.threes_rest = REST;
        }
        if self.eights_rest > 0 {
            self.eights_rest -= 1;
        } else if self.effort.eights && self.eights_found < self.matches / IDLE_EIGHTS {
            self.eights_rest = REST;
        }
        (self.threes_saved, self.matches, self.eights_found) = (0, 0, 0);
    }

    /// Enters the position `at`, whose bytes are `here`.
    #[inline(always)]
    fn enter<const DEEP: bool>(
        &mut self,
        here: u64,
        at: usize,
        (threes, eights): (bool, bool),
    ) -> Candidates {
        let now = self.clock.wrapping_add(low_u32(at));
        let since = |then: &mut u32| now.wrapping_sub(core::mem::replace(then, now)) as usize;
        let four = since(&mut self.heads[hash(here << 32, HEAD_BITS)]);
        self.links[at & (MAX_DISTANCE - 1)] = u16::try_from(four).unwrap_or(u16::MAX);
        let (mut three, mut eight) = ([usize::MAX; 2], usize::MAX);
        if threes {
            if DEEP {
                let place = 2 * hash(here << 40, THREE_BITS);
                let then = [self.threes[place], self.threes[place + 1]];
                three = then.map(|then| now.wrapping_sub(then) as usize);
                self.threes[place + 1] = then[0];
                self.threes[place] = now;
            } else {
                three[0] = since(&mut self.threes[hash(here << 40, FEW_BITS)]);
            }
        }
        if eights {
            let bits = if DEEP { EIGHT_BITS } else { FEW_BITS };
            eight = since(&mut self.eights[hash(here, bits)]);
            if DEEP {
                self.eight_links[at & (MAX_DISTANCE - 1)] =
                    u16::try_from(eight).unwrap_or(u16::MAX);
            }
        }
        Candidates { four, three, eight }
    }

    /// The longest match at `at`, if it is longer than `longest`, which is 2 or more; else the
    /// distance is 0.
    ///
    /// # Safety
    ///
    /// `here` are the eight bytes at `at`.
    #[inline(always)]
    unsafe fn search<const DEEP: bool>(
        &self,
        src: &[u8],
        at: usize,
        here: u64,
        candidates: Candidates,
        (mut depth, mut depth8): (u32, u32),
        mut longest: usize,
    ) -> (usize, usize) {
        let end = src.len().min(at + MAX_MATCH);
        let nice = self.effort.nice.min(end - at);
        let reach = MAX_DISTANCE.min(at);
        let mut found = 0;
        if longest >= nice {
            return (longest, 0);
        }
        if longest < 3 {
            if DEEP {
                // Without branches: in noise, whether there is a candidate is a matter of chance.
                for three in candidates.three.into_iter().rev() {
                    let near = if three <= reach { three } else { 0 };
                    // SAFETY: not behind `at`, behind which eight bytes are.
                    let there: [u8; 4] = unsafe { load(src, at - near) };
                    let same = (u32::from_le_bytes(there) ^ low_half(here)) << 8 == 0;
                    found = if same && near > 0 { near } else { found };
                }
            } else if candidates.three[0] <= reach {
                // SAFETY: not behind `at`, behind which eight bytes are.
                let there: [u8; 4] = unsafe { load(src, at - candidates.three[0]) };
                if (u32::from_le_bytes(there) ^ low_half(here)) << 8 == 0 {
                    found = candidates.three[0];
                }
            }
            longest = 3;
        }
        if DEEP {
            let mut far = candidates.eight;
            while far <= reach && depth8 > 0 {
                let from = at - far;
                depth8 -= 1;
                far += usize::from(self.eight_links[from & (MAX_DISTANCE - 1)]);
                // SAFETY: not behind `at`, behind which eight bytes are.
                let there: [u8; 8] = unsafe { load(src, from) };
                if u64::from_le_bytes(there) == here && src[from + longest] == src[at + longest] {
                    let len = 8 + common(src, from + 8, at + 8, end);
                    if len > longest {
                        (longest, found) = (len, at - from);
                        if len >= nice {
                            return (longest, found);
                        }
                    }
                }
            }
            if longest >= 8 {
                return (longest, found);
            }
        } else if candidates.eight <= reach {
            let from = at - candidates.eight;
            // SAFETY: not behind `at`, behind which eight bytes are.
            let there: [u8; 8] = unsafe { load(src, from) };
            if u64::from_le_bytes(there) == here {
                let len = 8 + common(src, from + 8, at + 8, end);
                if len > longest {
                    (longest, found) = (len, candidates.eight);
                    if len >= nice {
                        return (longest, found);
                    }
                }
            }
        }
        // SAFETY: `longest` is less than `nice`, which reaches to the end at most.
        let mut probe: [u8; 4] = unsafe { load(src, at + longest - 3) };
        let mut far = candidates.four;
        while far <= reach {
            let from = at - far;
            far += usize::from(self.links[from & (MAX_DISTANCE - 1)]);
            // SAFETY: not behind `at + longest - 3`, as above.
            let last: [u8; 4] = unsafe { load(src, from + longest - 3) };
            if last == probe {
                // SAFETY: not behind `at`.
                let there: [u8; 8] = unsafe { load(src, from) };
                let differ = u64::from_le_bytes(there) ^ here;
                let len = if differ == 0 {
                    8 + common(src, from + 8, at + 8, end)
                } else {
                    usize::try_from(differ.trailing_zeros() / 8).unwrap_or(0)
                };
                if len > longest {
                    (longest, found) = (len, at - from);
                    if len >= nice {
                        break;
                    }
                    // SAFETY: shorter than `nice`.
                    probe = unsafe { load(src, at + len - 3) };
                }
            }
            depth -= 1;
            if depth == 0 {
                break;
            }
        }
        (longest, found)
    }

    /// Appends the sequences of a piece of `src` from `start` on, of about `work` literals or so
    /// many fewer with matches; returns where it ends.
    #[inline(always)]
    pub(super) fn parse(
        &mut self,
        src: &[u8],
        start: usize,
        work: usize,
        costs: &Costs,
        sequences: &mut Vec<Sequence>,
    ) -> usize {
        if self.effort.eight_chains {
            self.parse_as::<true>(src, start, work, costs, sequences)
        } else {
            self.parse_as::<false>(src, start, work, costs, sequences)
        }
    }

    /// [`parse`](Self::parse), with chains of eight bytes or without.
    #[inline(always)]
    fn parse_as<const DEEP: bool>(
        &mut self,
        src: &[u8],
        start: usize,
        mut work: usize,
        costs: &Costs,
        sequences: &mut Vec<Sequence>,
    ) -> usize {
        let Effort {
            depth, lazy, worth, ..
        } = self.effort;
        let depth8 = self.eight_depth;
        let worth_of_three = self.effort.worth_of_three.unwrap_or(u32::MAX);
        let threes = self.effort.worth_of_three.is_some() && self.threes_rest == 0;
        let tables = (threes, self.effort.eights && self.eights_rest == 0);
        let noisy = if DEEP { 7 } else { 6 };
        let patience = if self.noise {
            noisy
        } else {
            self.effort.patience
        };
        let last = src.len().saturating_sub(MARGIN);
        let (mut anchor, mut at) = (start, start);
        let mut misses = 1 << patience;
        let mut credit = 0;
        let first = sequences.len();
        while at < last.min(anchor + work) {
            // SAFETY: before `last`.
            let here = u64::from_le_bytes(unsafe { load(src, at) });
            let literals = at - anchor;
            if here == here.rotate_left(8) {
                let run = 8 + common(src, at + 7, at + 8, src.len());
                if run >= LONG_RUN {
                    if at > 0 && src[at - 1] == src[at] {
                        emit(sequences, literals, run, 1);
                        at += run;
                        anchor = at;
                        work = work.saturating_sub(literals + MATCH_WORK);
                        credit = CREDIT;
                        misses = 1 << patience;
                    } else {
                        at += 1;
                    }
                    continue;
                }
            }
            let candidates = self.enter::<DEEP>(here, at, tables);
            let depth_here = depth + low_u32(credit) + self.more;
            credit = 0;
            // SAFETY: these are the bytes at `at`.
            let (len, far) =
                unsafe { self.search::<DEEP>(src, at, here, candidates, (depth_here, depth8), 2) };
            let saves = costs.saves(here, len, far);
            if saves <= if len == 3 { worth_of_three } else { worth } {
                at += misses >> patience;
                misses += 1;
                continue;
            }
            let mut best = Match { len, far, saves };
            misses = 1 << patience;
            // A better one may begin a byte later.
            let mut next = at + 1;
            while best.len < lazy && next < last {
                // SAFETY: before `last`.
                let here = u64::from_le_bytes(unsafe { load(src, next) });
                let candidates = self.enter::<DEEP>(here, next, tables);
                next += 1;
                // SAFETY: these are the bytes at `at + 1`.
                let (len, far) = unsafe {
                    self.search::<DEEP>(
                        src,
                        at + 1,
                        here,
                        candidates,
                        (depth / 2, depth8),
                        best.len - 1,
                    )
                };
                let saves = costs.saves(here, len, far);
                // For the literal that comes first.
                if saves <= best.saves + 16 {
                    break;
                }
                at += 1;
                best = Match { len, far, saves };
            }
            self.matches += 1;
            let by_eight = (DEEP && best.len >= 8) || (!DEEP && far == candidates.eight);
            self.eights_found += u32::from(by_eight);
            if best.len == 3 {
                self.threes_saved += best.saves;
            }
            let literals = at - anchor;
            work = work.saturating_sub(literals + MATCH_WORK);
            let (literals, len) = widen(src, at, literals, best, costs, sequences, first);
            emit(sequences, literals, len, best.far);
            at += best.len;
            anchor = at;
            credit = (best.len / 8).min(CREDIT);
            for inner in next.max(at.saturating_sub(self.effort.entered))..at.min(last) {
                // SAFETY: before `last`.
                let here = u64::from_le_bytes(unsafe { load(src, inner) });
                self.enter::<DEEP>(here, inner, tables);
            }
        }
        let end = if at >= last { src.len() } else { at };
        if end > anchor {
            sequences.push(Sequence {
                literals: low_u32(end - anchor),
                len: 0,
                distance: 0,
            });
        }
        end
    }
}

/// Lets a match at `at`, which so many literals come before, begin earlier: over literals, and over the
/// match before those if nearly all of it is in this one too. Returns the literals and the length.
#[inline(always)]
fn widen(
    src: &[u8],
    at: usize,
    mut literals: usize,
    best: Match,
    costs: &Costs,
    sequences: &mut Vec<Sequence>,
    first: usize,
) -> (usize, usize) {
    let Match { mut len, far, .. } = best;
    let mut from = at - far;
    let mut start = at;
    let mut saves = 0;
    while start > at - literals && from > 0 && src[start - 1] == src[from - 1] {
        (start, from) = (start - 1, from - 1);
        saves += costs.literal(src[start]);
    }
    if start < at {
        let wide = len + at - start;
        if saves + costs.length(len) < costs.length(wide) {
            return (literals, len);
        }
        len = wide;
        literals -= at - start;
    }
    if literals > 0 || sequences.len() <= first {
        return (literals, len);
    }
    let Some(before) = sequences.last() else {
        return (literals, len);
    };
    let whole = usize::from(before.len);
    let most = whole.min(from).min(MAX_MATCH.saturating_sub(len));
    if most + 2 < whole {
        return (literals, len);
    }
    let mut shared = 0;
    while shared < most && src[start - shared - 1] == src[from - shared - 1] {
        shared += 1;
    }
    let rest = whole - shared;
    if rest > 2 {
        return (literals, len);
    }
    if rest > 0 {
        let mut cost = costs.match_bits(len + shared, far);
        for byte in &src[start - whole..start - shared] {
            cost += costs.literal(*byte);
        }
        if cost > costs.match_bits(whole, usize::from(before.distance)) + costs.match_bits(len, far)
        {
            return (literals, len);
        }
    }
    literals = before.literals as usize + rest;
    sequences.pop();
    (literals, len + shared)
}

#[inline(always)]
fn low_half(word: u64) -> u32 {
    let [a, b, c, d, ..] = word.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_starts_again_before_it_overflows() {
        let src = [7; 300];
        let mut chains = Chains::new(Effort::of(5));
        chains.clock = u32::MAX - (2 << 16);
        let mut ends = Vec::new();
        for _ in 0..5 {
            let mut sequences = Vec::new();
            chains.start(src.len());
            let end = chains.parse(&src, 0, 1 << 13, &Costs::default(), &mut sequences);
            assert_eq!(end, src.len());
            ends.push((chains.clock, sequences.len()));
        }
        assert!(ends.iter().any(|(clock, _)| *clock == OUT_OF_REACH));
        assert!(ends.iter().all(|(_, sequences)| *sequences == ends[0].1));
    }
}
