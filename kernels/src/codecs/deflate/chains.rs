//! Hash chains of positions.
//!
//! ```text
//! head[hash of 4]    ->  newest position  - prev ->  the one before  - prev ->  ...
//! threes[hash of 3]  ->  newest position, at levels 8 and 9 the newest two
//! eights[hash of 8]  ->  newest position: finds long matches without following a chain
//!                        - the last of prev ->  the one before, at levels 8 and 9
//! ```
//!
//! Entries are [`Indices`] of 16 bits. There are smaller tables for short streams, because those of
//! long ones take more time to allocate than such a stream to compress. Their sizes are known to
//! the compiler: checks of indices would take 4 to 12 % of the time of a long stream.

use alloc::boxed::Box;

use super::indices::Indices;
use crate::codecs::boxed::{filled, zeroed};
use crate::codecs::lz::window::{Window, common_prefix, equal_bytes, hash};
use crate::codecs::lz::{self, Lanes};
use crate::codecs::zlib::{MAX_DISTANCE, MAX_MATCH};

/// The tables below level 8: 160 KiB. More entries for three and eight bytes gain nothing.
pub(super) type Few = Chains<1, { 1 << 15 }, { 1 << 13 }, MAX_DISTANCE>;
/// The same for streams of up to [`SHORT`] bytes: 32 KiB.
pub(super) type FewShort = Chains<1, { 1 << 12 }, { 1 << 12 }, SHORT>;
/// The tables from level 8 on: 384 KiB. With twice as many entries for three and eight bytes,
/// streams take 1.03 times as long and are 0.05 % smaller.
pub(super) type Many = Chains<2, { 1 << 15 }, { 1 << 15 }, MAX_DISTANCE>;
/// The same for streams of up to [`SHORT`] bytes: 48 KiB.
pub(super) type ManyShort = Chains<2, { 1 << 12 }, { 1 << 12 }, SHORT>;

/// The longest stream for the smaller tables, in bytes.
pub(super) const SHORT: usize = 4 << 10;

/// Distances to the newest positions with the same four, three and eight bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidates {
    four: usize,
    three: [usize; 2],
    pub(super) eight: usize,
}

/// The limits of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Candidates with the same four bytes to compare.
    pub(super) chain: u32,
    /// Candidates with the same eight bytes to compare, where they are chained.
    pub(super) chain_eight: u32,
    /// A match of this length ends the search, in bytes.
    pub(super) nice_len: usize,
}

/// The hash tables and chains: of `FOURS` hashes of four bytes, `OTHERS` of three and eight, and as
/// many positions.
///
/// Positions with the same hash of three bytes are `WAYS`; if two, those with the same of eight
/// bytes are chained ([`Eights::Chained`](super::config::Eights::Chained)).
pub(super) struct Chains<
    const WAYS: usize,
    const FOURS: usize,
    const OTHERS: usize,
    const POSITIONS: usize,
> {
    head: Box<[u16; FOURS]>,
    threes: Box<[[u16; WAYS]; OTHERS]>,
    eights: Box<[u16; OTHERS]>,
    /// By position: the distance to the one before with the same hash of four bytes, and of eight.
    prev: [Box<[u16; POSITIONS]>; WAYS],
    indices: Indices,
}

/// A search for matches.
pub(super) trait Find {
    /// Whether positions with the same hash of eight bytes are chained.
    const CHAINED: bool;

    fn new() -> Self;

    /// Starts a stream of `len` bytes.
    fn start(&mut self, len: usize);

    /// Prepares the tables for the position `at` and the 4 KiB after it.
    fn make_room(&mut self, at: usize);

    /// Inserts the position `at`, whose bytes are `here`, and returns the newest positions before
    /// it. Hashes of three and eight bytes are used as `threes` and `eights` say.
    fn insert(&mut self, here: u64, at: usize, uses: (bool, bool)) -> Candidates;

    /// The length and distance of the longest match at the window's position. The distance is 0
    /// when no match is longer than `longest`, which is 2 or more.
    fn search<const WIDE: bool, L: Lanes>(
        &self,
        lanes: L,
        window: Window<'_>,
        candidates: Candidates,
        limits: Limits,
        longest: usize,
    ) -> (usize, usize);

    /// Gives the next stream the indices from here on.
    #[cfg(test)]
    fn skip_to(&mut self, next: usize);
}

impl<const WAYS: usize, const FOURS: usize, const OTHERS: usize, const POSITIONS: usize> Find
    for Chains<WAYS, FOURS, OTHERS, POSITIONS>
{
    const CHAINED: bool = WAYS == 2;

    fn new() -> Self {
        Self {
            head: zeroed(),
            threes: filled([0; WAYS]),
            eights: zeroed(),
            prev: core::array::from_fn(|_| zeroed()),
            indices: Indices::new(),
        }
    }

    fn start(&mut self, len: usize) {
        self.indices.start(len);
    }

    #[cfg(test)]
    fn skip_to(&mut self, next: usize) {
        self.indices.skip_to(next);
    }

    #[inline(always)]
    fn make_room(&mut self, at: usize) {
        if self.indices.are_full(at) {
            let by = self.indices.make_room(at);
            move_back(&mut *self.head, by);
            move_back(self.threes.as_flattened_mut(), by);
            move_back(&mut *self.eights, by);
        }
    }

    #[inline(always)]
    fn insert(&mut self, here: u64, at: usize, (threes, eights): (bool, bool)) -> Candidates {
        let now = self.indices.of(at);
        let since = |then: &mut u16| now.wrapping_sub(core::mem::replace(then, now));
        let four = since(&mut self.head[hash::<4, FOURS>(here, FOURS.ilog2())]);
        let place = at & (POSITIONS - 1);
        self.prev[0][place] = four;
        let (mut three, mut eight) = ([usize::MAX; 2], usize::MAX);
        if threes {
            let slot = &mut self.threes[hash::<3, OTHERS>(here, OTHERS.ilog2())];
            for (three, then) in three.iter_mut().zip(&*slot) {
                *three = usize::from(now.wrapping_sub(*then));
            }
            if Self::CHAINED {
                slot[WAYS - 1] = slot[0];
            }
            slot[0] = now;
        }
        if eights {
            let newest = since(&mut self.eights[hash::<8, OTHERS>(here, OTHERS.ilog2())]);
            if Self::CHAINED {
                self.prev[WAYS - 1][place] = newest;
            }
            eight = usize::from(newest);
        }
        Candidates {
            four: usize::from(four),
            three,
            eight,
        }
    }

    #[inline(always)]
    #[expect(
        clippy::too_many_lines,
        reason = "one search, whose state stays in registers"
    )]
    fn search<const WIDE: bool, L: Lanes>(
        &self,
        lanes: L,
        window: Window<'_>,
        candidates: Candidates,
        mut limits: Limits,
        mut longest: usize,
    ) -> (usize, usize) {
        let (src, at, here) = (window.src(), window.at(), window.word());
        let end = src.len().min(at + MAX_MATCH);
        let equal_from_eight = |from: usize| {
            8 + if WIDE {
                lz::prefix(lanes, &src[from + 8..], &src[at + 8..end])
            } else {
                common_prefix(src, from + 8, at + 8, end)
            }
        };
        let nice_len = limits.nice_len.min(end - at);
        let mut found = 0;
        if longest >= nice_len {
            return (longest, 0);
        }
        if longest < 3 {
            if Self::CHAINED {
                // Without branches: in noise, whether there is a candidate is unpredictable.
                for three in candidates.three.into_iter().rev() {
                    let candidate = window.candidate_or_here(three);
                    let same = (candidate.word() ^ here) << 40 == 0 && candidate.at() < at;
                    found = if same { candidate.distance() } else { found };
                }
            } else if let Some(candidate) = window.candidate(candidates.three[0])
                && (candidate.word() ^ here) << 40 == 0
            {
                found = candidate.distance();
            }
            longest = 3;
        }
        if Self::CHAINED {
            // A longer match has the same four bytes up to the first one after `longest`. They are
            // compared first: nearly all candidates have the same eight bytes.
            let Some(mut window) = window.with_tail_of(longest) else {
                return (longest, found);
            };
            let mut tail = window.tail();
            let mut distance = candidates.eight;
            while let Some(candidate) = window.candidate(distance)
                && limits.chain_eight > 0
            {
                let from = candidate.at();
                limits.chain_eight -= 1;
                distance += usize::from(self.prev[WAYS - 1][from & (POSITIONS - 1)]);
                if candidate.tail() == tail && candidate.word() == here {
                    let len = equal_from_eight(from);
                    if len > longest {
                        (longest, found) = (len, at - from);
                        if len >= nice_len {
                            return (longest, found);
                        }
                        let Some(longer) = window.with_tail_of(len) else {
                            break;
                        };
                        window = longer;
                        tail = window.tail();
                    }
                }
            }
            if longest >= 8 {
                return (longest, found);
            }
        } else if let Some(candidate) = window.candidate(candidates.eight)
            && candidate.word() == here
        {
            let len = equal_from_eight(candidate.at());
            if len > longest {
                (longest, found) = (len, candidates.eight);
                if len >= nice_len {
                    return (longest, found);
                }
            }
        }
        // A longer match has the same four bytes up to the first one after `longest`.
        let Some(mut window) = window.with_tail_of(longest) else {
            return (longest, found);
        };
        let mut tail = window.tail();
        let prev = &*self.prev[0];
        let mut distance = candidates.four;
        loop {
            // A tight loop: few candidates have the same tail.
            let candidate = loop {
                let Some(candidate) = window.candidate(distance) else {
                    return (longest, found);
                };
                distance += usize::from(prev[candidate.at() & (POSITIONS - 1)]);
                if candidate.tail() == tail {
                    break candidate;
                }
                limits.chain -= 1;
                if limits.chain == 0 {
                    return (longest, found);
                }
            };
            let from = candidate.at();
            let differ = candidate.word() ^ here;
            let len = if differ == 0 {
                equal_from_eight(from)
            } else {
                equal_bytes(differ)
            };
            if len > longest {
                (longest, found) = (len, at - from);
                if len >= nice_len {
                    break;
                }
                let Some(longer) = window.with_tail_of(len) else {
                    break;
                };
                window = longer;
                tail = window.tail();
            }
            limits.chain -= 1;
            if limits.chain == 0 {
                break;
            }
        }
        (longest, found)
    }
}

/// Subtracts from all entries of a table.
#[inline(always)]
fn move_back(table: &mut [u16], by: u16) {
    for entry in table {
        *entry = entry.saturating_sub(by);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{vec, vec::Vec};

    /// The newest positions of each hash, by definition.
    struct Naive(Vec<Vec<usize>>);

    impl Naive {
        fn new(slots: usize) -> Self {
            Self(vec![Vec::new(); slots])
        }

        /// Checks distances to the newest positions of a slot, and inserts another one there.
        fn check(&mut self, slot: usize, at: usize, distances: &[usize]) {
            for (age, &distance) in distances.iter().enumerate() {
                let then = self.0[slot].iter().rev().nth(age);
                match then.map(|then| at - then) {
                    Some(expected) if expected <= MAX_DISTANCE => assert_eq!(distance, expected),
                    _ => assert!(distance > at.min(MAX_DISTANCE), "{distance} at {at}"),
                }
            }
            self.0[slot].push(at);
        }
    }

    fn candidates_are_the_newest<const W: usize, const F: usize, const O: usize>() {
        let mut chains = Chains::<W, F, O, MAX_DISTANCE>::new();
        let mut state = 3_u64;
        for (stream, len) in [5000, 300_000, 20_000, 41_000, 70_000]
            .into_iter()
            .enumerate()
        {
            let mut naive = [F, O, O].map(Naive::new);
            chains.start(len);
            let mut at = 0;
            while at < len {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                // Some words come often, and some were last seen long ago.
                let word = (state >> 40 & state >> 50).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                chains.make_room(at);
                let found = chains.insert(word, at, (true, true));
                naive[0].check(hash::<4, F>(word, F.ilog2()), at, &[found.four]);
                naive[1].check(hash::<3, O>(word, O.ilog2()), at, &found.three[..W]);
                naive[2].check(hash::<8, O>(word, O.ilog2()), at, &[found.eight]);
                // In the last stream, a run longer than all indices.
                at += if stream == 4 && at == 0 { 66_000 } else { 1 };
            }
        }
    }

    #[test]
    fn candidates_are_the_newest_of_the_stream_wherever_the_indices_are() {
        candidates_are_the_newest::<1, { 1 << 15 }, { 1 << 13 }>();
        candidates_are_the_newest::<2, { 1 << 15 }, { 1 << 15 }>();
    }
}
