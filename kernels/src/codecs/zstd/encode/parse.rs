//! The matches of a part.
//!
//! At each position the best match is the one that saves most bits: its bytes at what they would
//! cost as literals of this part, less the cost of its distance and lengths. So in planes of few
//! values only long strings are looked for, and near ones are preferred. A match waits for a better
//! one at the next position (lazily).

use alloc::vec::Vec;

use super::costs::{BIT, Costs};
use super::matches::Match;
use super::parts::Part;
use super::rows::{MAX_DISTANCE, Rows};
use super::search::Search;
use super::sequences::{Sequence, offset};
use crate::codecs::lz::window::{Source, Window, common_prefix, equal_bytes, word_at};
use crate::codecs::lz::{Lanes, Task, low_u32};

/// A match must save so much: one that saves less takes more time than it is worth, both ways.
const LEAST_SAVING: u32 = 2 * BIT;
/// The same as `step_log` in a part without a match so far that is likely to be noise: it is left
/// sooner.
const NOISE_LOG: usize = 6;
/// Matches of a part are rare if there is less than one for so many bytes.
const RARE: usize = 512;
/// In streams of fewer bytes all parts are taken for noise at first: in some planes, matches by
/// chance were found in nine times the time, and saved nothing.
const LONG_STREAM: usize = 64 << 10;
/// So many pairs of equal strings of four bytes are to be there by chance, as a logarithm, if a
/// stream is not to begin like noise.
const PAIRS_LOG: u32 = 5;
const LONGEST_STEP: usize = 128;
/// A match of this length does not wait for a better one, in bytes: each position would compare as
/// many.
const MOST_LAZY: usize = 4096;
/// Positions inside longer matches are not all inserted.
const LONG: usize = 256;
/// So many positions before it is read, a row is asked for.
const AHEAD: usize = 3;

/// The state from part to part.
pub(super) struct Parse<'s> {
    source: Option<Source<'s>>,
    src: &'s [u8],
    /// The last three distances.
    repeats: [u32; 3],
    costs: Costs,
    search: Search,
    /// Whether matches were rare in the last part that was parsed.
    rare: Option<bool>,
}

/// A part that is parsed.
struct Area<'p, 's, L> {
    lanes: L,
    src: &'s [u8],
    source: Source<'s>,
    search: Search,
    rows: &'p mut Rows,
    costs: &'p mut Costs,
    repeats: [u32; 3],
    /// As `step_log`, before the first match of the part.
    first_log: usize,
    /// The position after the part.
    end: usize,
    /// The length of the strings that are hashed.
    width: u32,
}

/// Appends the sequences of a part: a function by itself, whose variables have registers.
pub(super) struct ParsePart<'t, 's> {
    pub(super) parse: &'t mut Parse<'s>,
    pub(super) rows: &'t mut Rows,
    /// The position at which the part begins.
    pub(super) start: usize,
    pub(super) part: Part,
    /// Those of the parts before it in its block.
    pub(super) sequences: &'t mut Vec<Sequence>,
}

impl Task for ParsePart<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self {
            parse,
            rows,
            start,
            part,
            sequences,
        } = self;
        parse.costs.begin(part.byte);
        let literal = parse.costs.literal();
        let first_log = parse.first_log(part, literal);
        let mut anchor = start;
        if let Some(source) = parse.source {
            let before = sequences.len();
            let mut area = Area {
                lanes,
                src: parse.src,
                source,
                search: parse.search,
                rows,
                costs: &mut parse.costs,
                repeats: parse.repeats,
                first_log,
                end: part.end,
                width: match literal {
                    0..48 => 8,
                    _ if literal < parse.search.four_from => 5,
                    _ => 4,
                },
            };
            anchor = area.run(start, sequences);
            parse.repeats = area.repeats;
            parse.rare = Some((sequences.len() - before) * RARE < part.end - start);
        }
        sequences.push(Sequence {
            literals: low_u32(part.end - anchor),
            len: 0,
            distance: 0,
        });
    }
}

impl<'s> Parse<'s> {
    pub(super) fn new(src: &'s [u8], search: Search, costs: Costs) -> Self {
        Self {
            source: Source::new(src, MAX_DISTANCE),
            src,
            repeats: [1, 4, 8],
            costs,
            search,
            rare: None,
        }
    }

    /// How long each position of a part is looked at before its first match: long if there are
    /// likely to be some, so that enough positions are remembered to find them.
    fn first_log(&self, part: Part, literal: u32) -> usize {
        let log = (self.src.len() | 1).ilog2();
        let likely = match self.rare {
            // Of `len` strings of four bytes there are len^2 / 2^(4 bits a byte) pairs.
            None => 4 * literal + PAIRS_LOG * BIT < 2 * log * BIT,
            Some(rare) => !rare,
        };
        if likely && !part.flat && self.src.len() >= LONG_STREAM {
            log as usize / 2
        } else {
            NOISE_LOG
        }
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
    /// Appends all matches from `start` on, and returns the position after the last.
    #[inline(always)]
    fn run(&mut self, start: usize, sequences: &mut Vec<Sequence>) -> usize {
        let src = self.src;
        let Search {
            patience, step_log, ..
        } = self.search;
        // Matches end inside the part, and strings of 12 bytes inside the source.
        let last = self.end.min(src.len().saturating_sub(4)).saturating_sub(8);
        let (mut anchor, mut at) = (start, start);
        // The step to this position: 1 from a match on.
        let mut pace = 1;
        // The best match so far, where it begins, and the positions after it without a better one.
        let (mut found, mut from, mut tries) = (Match::default(), 0, 0);
        loop {
            let window = if at < last {
                self.source.window(at)
            } else {
                None
            };
            if let Some(window) = window {
                self.prefetch(at + AHEAD * pace);
                let better = self.best(window, found.len);
                let bar = match found.len {
                    0 => LEAST_SAVING,
                    _ => found.bar(better, self.costs.literal(), at - from),
                };
                if better.saved > bar {
                    (found, from, tries) = (better, at, 0);
                    pace = 1;
                    at += 1;
                    if found.len < MOST_LAZY {
                        continue;
                    }
                } else if found.len == 0 {
                    let log = if anchor == start {
                        self.first_log
                    } else {
                        step_log
                    };
                    pace = step(at, (at - anchor) >> log);
                    at += pace;
                    continue;
                } else {
                    tries += 1;
                    at += 1;
                    if tries < patience {
                        continue;
                    }
                }
            } else if found.len == 0 {
                return anchor;
            }
            while from > anchor
                && from > found.distance
                && src[from - 1] == src[from - 1 - found.distance]
            {
                from -= 1;
                found.len += 1;
            }
            let literals = &src[anchor..from];
            let (before, distance) = (low_u32(literals.len()), low_u32(found.distance));
            sequences.push(Sequence {
                literals: before,
                len: low_u32(found.len),
                distance,
            });
            let value = offset(&mut self.repeats, before, distance);
            self.costs.add(literals, found.len, value);
            anchor = from + found.len;
            for next in anchor..anchor + AHEAD {
                self.prefetch(next);
            }
            let covered = anchor.min(last);
            if found.len > LONG {
                self.cover(at, covered.min(at + LONG / 4));
                at = at.max(covered.saturating_sub(LONG / 8));
            }
            self.cover(at, covered);
            at = anchor;
            found = Match::default();
        }
    }

    /// Inserts the positions of a match, of runs the first and the last.
    #[inline(always)]
    fn cover(&mut self, from: usize, to: usize) {
        let (mut before, mut in_run) = (0, false);
        for at in from..to {
            let Some(word) = word_at(self.src, at) else {
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

    /// Asks for the row of a position that is looked up soon.
    #[inline(always)]
    fn prefetch(&self, at: usize) {
        if self.rows.are_many()
            && let Some(word) = word_at(self.src, at)
        {
            self.rows.prefetch(self.lanes, (word, self.width));
        }
    }

    /// The best match at the window's position. Of new distances, one that is not longer than
    /// `longer` bytes, less one, is not looked for.
    #[inline(always)]
    fn best(&mut self, window: Window<'_>, longer: usize) -> Match {
        let (src, at, here) = (window.src(), window.at(), window.word());
        let candidates = self.rows.insert(self.lanes, (here, self.width), at);
        let candidates = candidates.newest(self.search.depth);
        let mut found = Match::default();
        let is_at = |distance: u32| match window.candidate(distance as usize) {
            Some(candidate) => u32::from((candidate.word() ^ here) << 32 == 0),
            None => 0,
        };
        // A bit for each, as nearly always there is none.
        let [first, second, third] = self.repeats.map(is_at);
        let mut near = first | second << 1 | third << 2;
        while near != 0 {
            let n = near.trailing_zeros();
            near &= near - 1;
            let distance = self.repeats[n as usize] as usize;
            let len = common_prefix(src, at - distance, at, self.end);
            found.take_better(self.costs, (len, distance), n + 1);
        }
        // Runs are too frequent for the rows.
        if here == here.rotate_left(8)
            && let Some(candidate) = window.candidate(1)
            && candidate.word() == here
        {
            let len = common_prefix(src, candidate.at(), at, self.end);
            found.take_better(self.costs, (len, 1), 4);
        }
        let nice_len = self.search.nice_len;
        if found.len >= nice_len || candidates.are_none() {
            return found;
        }
        let mut longest = found.len.max(longer.saturating_sub(1)).max(3);
        let Some(mut window) = window.with_tail_of(longest) else {
            return found;
        };
        let mut tail = window.tail();
        for distance in candidates {
            // The others are farther away.
            let Some(candidate) = window.candidate(distance) else {
                break;
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
            found.take_better(self.costs, (len, distance), low_u32(distance) + 3);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_begin_like_noise_unless_strings_of_four_bytes_are_there_twice() {
        let first_log = |len: usize, rare, bits: u32, flat| {
            let src = alloc::vec![0; len];
            let mut parse = Parse::new(&src, Search::new(5, len), Costs::new());
            parse.rare = rare;
            let part = Part {
                end: len,
                byte: bits * BIT,
                cost: 0,
                flat,
            };
            parse.first_log(part, bits * BIT)
        };
        assert_eq!(first_log(64 << 10, None, 6, false), 8);
        assert_eq!(first_log(64 << 10, None, 7, false), NOISE_LOG);
        assert_eq!(first_log(256 << 10, None, 7, false), 9);
        assert_eq!(first_log(256 << 10, None, 8, false), NOISE_LOG);
        assert_eq!(first_log(256 << 10, None, 7, true), NOISE_LOG);
        assert_eq!(first_log(32 << 10, None, 5, false), NOISE_LOG);
        // Later parts begin as the one before was.
        assert_eq!(first_log(256 << 10, Some(true), 5, false), NOISE_LOG);
        assert_eq!(first_log(64 << 10, Some(false), 7, false), 8);
    }
}
