//! The matches of a part.
//!
//! At each position the best match is the one that saves most bits: its bytes at what they would
//! cost as literals of this part, less the cost of its distance and lengths. So in planes of few
//! values only long strings are looked for, and near ones are preferred. A match waits for a better
//! one at the next position (lazily).

use alloc::vec::Vec;

use super::parts::Part;
use super::rows::{MAX_DISTANCE, Rows};
use crate::codecs::lz::Lanes;
use crate::codecs::lz::low_u32;
use crate::codecs::lz::window::{Source, Window, common_prefix, equal_bytes, word_at};

/// Literals, and then a match (none at the end of a part).
#[derive(Clone, Copy, Debug)]
pub(super) struct Sequence {
    pub(super) literals: u32,
    pub(super) len: u32,
    pub(super) distance: u32,
}

/// How hard matches are searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    /// Positions with the same hash to look at, at most 15.
    pub(super) depth: u32,
    /// Positions without a better match after which one is taken.
    pub(super) patience: u32,
    /// A match of this length is taken at once, in bytes.
    pub(super) nice_len: usize,
    /// After so many literals, as a power of two, the step between positions grows by one.
    pub(super) step_log: usize,
    /// The cost of literals, in sixteenths of a bit, from which on matches of four bytes pay.
    pub(super) four_from: u32,
}

impl Search {
    /// That of a level for a source of `len` bytes. In short ones more is searched, as libzstd
    /// does: there is less to find.
    pub(super) fn new(level: u8, len: usize) -> Self {
        let short = len <= 32 << 10;
        let (depth, patience, nice_len, step_log) = match level {
            ..=4 if short => (15, 1, 128, 8),
            ..=4 => (8, 1, 128, 7),
            5 if !short => (12, 1, 128, 7),
            _ => (15, 2, 256, 8),
        };
        Self {
            depth,
            patience,
            nice_len,
            step_log,
            four_from: if len <= 64 << 10 { 72 } else { 96 },
        }
    }
}

/// The cost of a match besides the bits of its distance, in sixteenths of a bit.
const MATCH: u32 = 120;
/// The same with the last distance.
const REPEAT: u32 = 100;
/// The least that a literal costs: those that are left between matches are the rarer ones.
const LEAST_LITERAL: u32 = 40;
/// Where literals are shorter than this, in sixteenths of a bit, a match must save more than two
/// bits: one that saves less takes more time than it is worth, both ways.
const SHORT_LITERAL: u32 = 64;
const LEAST_SAVING: u32 = 32;
const LONGEST_STEP: usize = 128;
/// Positions inside longer matches are not all inserted.
const LONG: usize = 256;

#[derive(Clone, Copy, Default)]
struct Match {
    len: usize,
    distance: usize,
    /// The sixteenths of a bit that it saves.
    saved: u32,
}

/// The state from part to part.
pub(super) struct Parse<'s> {
    source: Option<Source<'s>>,
    src: &'s [u8],
    /// The last two distances.
    repeats: [usize; 2],
    search: Search,
}

/// A part that is parsed.
struct Area<'p, 's, L> {
    lanes: L,
    parse: &'p Parse<'s>,
    source: Source<'s>,
    rows: &'p mut Rows,
    repeats: [usize; 2],
    /// The position after the part.
    end: usize,
    /// The cost of a literal.
    literal: u32,
    /// The length of the strings that are hashed.
    width: u32,
}

impl<'s> Parse<'s> {
    pub(super) fn new(src: &'s [u8], search: Search) -> Self {
        Self {
            source: Source::new(src, MAX_DISTANCE),
            src,
            repeats: [1, 4],
            search,
        }
    }

    /// Appends the sequences of the part that begins at `start`, next to those of the parts before
    /// it in its block.
    #[inline(always)]
    pub(super) fn part<L: Lanes>(
        &mut self,
        lanes: L,
        rows: &mut Rows,
        (start, part): (usize, Part),
        sequences: &mut Vec<Sequence>,
    ) {
        let literal = part.byte.max(LEAST_LITERAL);
        // The literals at the end of the part before belong to the first match.
        let before = sequences.pop().map_or(0, |last| last.literals as usize);
        let mut anchor = start - before;
        if let Some(source) = self.source {
            let mut area = Area {
                lanes,
                parse: self,
                source,
                rows,
                repeats: self.repeats,
                end: part.end,
                literal,
                width: match literal {
                    0..48 => 8,
                    _ if literal < self.search.four_from => 5,
                    _ => 4,
                },
            };
            anchor = area.run((anchor, start), sequences);
            self.repeats = area.repeats;
        }
        sequences.push(Sequence {
            literals: low_u32(part.end - anchor),
            len: 0,
            distance: 0,
        });
    }
}

/// The step to the next position without a match. The longest ones differ, so that copies are met
/// whatever their distance.
#[inline(always)]
fn step(at: usize, step: usize) -> usize {
    match step {
        0..LONGEST_STEP => 1 + step,
        _ => LONGEST_STEP - (at >> 3 & 15),
    }
}

impl<L: Lanes> Area<'_, '_, L> {
    /// Appends all matches from `start` on, whose first has literals from `anchor` on, and returns
    /// the position after the last.
    #[inline(always)]
    fn run(&mut self, (mut anchor, start): (usize, usize), sequences: &mut Vec<Sequence>) -> usize {
        let src = self.parse.src;
        let Search {
            patience,
            nice_len,
            step_log,
            ..
        } = self.parse.search;
        // Matches end inside the part, and strings of 12 bytes inside the source.
        let last = self.end.min(src.len().saturating_sub(4)).saturating_sub(8);
        let least = if self.literal < SHORT_LITERAL {
            LEAST_SAVING
        } else {
            0
        };
        let mut at = start;
        while at < last
            && let Some(window) = self.source.window(at)
        {
            let mut found = self.best(window, 0);
            if found.saved <= least {
                at += step(at, (at - anchor.max(start)) >> step_log);
                continue;
            }
            let (mut from, mut next, mut tries) = (at, at + 1, 0);
            while tries < patience
                && found.len < nice_len
                && next < last
                && let Some(window) = self.source.window(next)
            {
                let better = self.best(window, found.len);
                tries += 1;
                if better.saved > found.saved {
                    (found, from, tries) = (better, next, 0);
                }
                next += 1;
            }
            while from > anchor
                && from > found.distance
                && src[from - 1] == src[from - 1 - found.distance]
            {
                from -= 1;
                found.len += 1;
            }
            sequences.push(Sequence {
                literals: low_u32(from - anchor),
                len: low_u32(found.len),
                distance: low_u32(found.distance),
            });
            if found.distance != self.repeats[0] {
                self.repeats = [found.distance, self.repeats[0]];
            }
            anchor = from + found.len;
            let covered = anchor.min(last);
            if found.len > LONG {
                self.cover(next, covered.min(next + LONG / 4));
                next = next.max(covered.saturating_sub(LONG / 8));
            }
            self.cover(next, covered);
            at = anchor;
        }
        anchor
    }

    /// Inserts the positions of a match, of runs the first and the last.
    #[inline(always)]
    fn cover(&mut self, from: usize, to: usize) {
        let (mut before, mut in_run) = (0, false);
        for at in from..to {
            let Some(word) = word_at(self.parse.src, at) else {
                return;
            };
            let repeats = word == before && at > from;
            if !repeats {
                if in_run {
                    self.rows.insert(self.lanes, (before, self.width), at - 1);
                }
                self.rows.insert(self.lanes, (word, self.width), at);
            }
            (before, in_run) = (word, repeats);
        }
    }

    /// The best match at the window's position. Of new distances, one that is not longer than
    /// `longer` bytes, less one, is not looked for.
    #[inline(always)]
    fn best(&mut self, window: Window<'_>, longer: usize) -> Match {
        let (src, at, here) = (window.src(), window.at(), window.word());
        let candidates = self.rows.insert(self.lanes, (here, self.width), at);
        let candidates = candidates.newest(self.parse.search.depth);
        let mut found = Match::default();
        for (distance, cost) in self.repeats.into_iter().zip([REPEAT, MATCH]) {
            if let Some(candidate) = window.candidate(distance)
                && (candidate.word() ^ here) << 32 == 0
            {
                let len = common_prefix(src, candidate.at(), at, self.end);
                let saved = (low_u32(len) * self.literal).saturating_sub(cost);
                if saved > found.saved {
                    found = Match {
                        len,
                        distance,
                        saved,
                    };
                }
            }
        }
        let nice_len = self.parse.search.nice_len;
        if found.len >= nice_len {
            return found;
        }
        let mut longest = found.len.max(longer.saturating_sub(1)).max(3);
        let Some(mut window) = window.with_tail_of(longest) else {
            return found;
        };
        let mut tail = window.tail();
        for distance in candidates {
            let Some(candidate) = window.candidate(distance) else {
                continue;
            };
            if candidate.tail() != tail || distance == 0 {
                continue;
            }
            let differ = candidate.word() ^ here;
            let len = if differ == 0 {
                common_prefix(src, candidate.at(), at, self.end)
            } else {
                equal_bytes(differ)
            };
            if len <= longest || at + len > self.end {
                continue;
            }
            let cost = MATCH + 16 * low_u32(distance).ilog2();
            let saved = (low_u32(len) * self.literal).saturating_sub(cost);
            if saved > found.saved {
                found = Match {
                    len,
                    distance,
                    saved,
                };
            }
            longest = len;
            if len >= nice_len {
                break;
            }
            let Some(longer) = window.with_tail_of(len) else {
                break;
            };
            window = longer;
            tail = window.tail();
        }
        found
    }
}
