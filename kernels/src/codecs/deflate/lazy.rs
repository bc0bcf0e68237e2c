//! Lazy matching: the parse of levels 2 to 9, which compares the gain of a match with that of one
//! at the next position.
//!
//! A chosen match is extended backwards, over the match before it too if it covers nearly all of
//! that one.

use alloc::vec::Vec;

use super::chains::{Chains, Limits};
use super::config::{Config, Eights};
use super::costs::Costs;
use super::sequence::{Sequence, push_match};
use super::tuning::Tuning;
use crate::Kernels;
use crate::codecs::lz::low_u32;
use crate::codecs::lz::window::Source;
use crate::codecs::lz::{self, Lanes, Task};
use crate::codecs::zlib::{MAX_DISTANCE, MAX_MATCH};

/// Bytes after the last position that is searched.
const MARGIN: usize = 8;
/// Before a run of one byte this long, a literal pays: at a distance of 1 the run is cheapest.
const LONG_RUN: usize = 48;
/// The largest number of additional candidates after a long run or match, which has saved time.
const MAX_EXTRA: usize = 16;
/// The work of a match, in literals.
const MATCH_WORK: usize = 8;
/// The least gain of a later match over an earlier one, for the literal that it needs.
const LITERAL_GAIN: u32 = 16;

/// A match and its gain in sixteenths of a bit.
#[derive(Clone, Copy, Debug)]
struct Match {
    len: usize,
    distance: usize,
    gain: u32,
}

/// The match finder of levels 2 to 9.
pub(super) struct Lazy {
    kernels: Kernels,
    config: &'static Config,
    chains: Chains,
    tuning: Tuning,
}

impl Lazy {
    pub(super) fn new(kernels: Kernels, config: &'static Config) -> Self {
        Self {
            kernels,
            config,
            chains: Chains::new(),
            tuning: Tuning::new(config),
        }
    }

    /// Starts a stream of `len` bytes.
    pub(super) fn start(&mut self, len: usize) {
        self.chains.start(len);
        self.tuning = Tuning::new(self.config);
    }

    /// Adapts to the last piece: its length in bytes, its estimated size in bits, and whether it is
    /// noise.
    pub(super) fn update(&mut self, len: usize, bits: u64, noise: bool) {
        self.tuning.update(self.config, len, bits, noise);
    }

    /// Appends the sequences of a piece of `src` that begins at `start` and returns its end. The
    /// piece has about `work` literals, or fewer with matches.
    pub(super) fn parse(
        &mut self,
        src: &[u8],
        start: usize,
        work: usize,
        costs: &Costs,
        sequences: &mut Vec<Sequence>,
    ) -> usize {
        let kernels = self.kernels;
        let parse = Parse {
            lazy: self,
            src,
            start,
            work,
            costs,
            sequences,
        };
        if parse.lazy.config.eights == Eights::Chained {
            lz::run_256(kernels, Chained(parse))
        } else if parse.lazy.tuning.extra_chain > 0 {
            lz::run_256(kernels, Repetitive(parse))
        } else {
            lz::run_256(kernels, parse)
        }
    }

    /// [`parse`](Self::parse), with chains of eight bytes or without.
    #[inline(always)]
    #[expect(
        clippy::too_many_lines,
        reason = "one loop, whose state stays in registers"
    )]
    fn parse_as<const CHAINED: bool, const WIDE: bool, L: Lanes>(
        &mut self,
        lanes: L,
        src: &[u8],
        start: usize,
        mut work: usize,
        costs: &Costs,
        sequences: &mut Vec<Sequence>,
    ) -> usize {
        let Self {
            config,
            chains,
            tuning,
            ..
        } = self;
        let config = **config;
        let min_gain_three = config.min_gain_three.unwrap_or(u32::MAX);
        let tables = tuning.in_use(&config);
        let limits = Limits {
            chain: config.max_chain,
            chain_eight: tuning.chain_eight,
            nice_len: config.nice_len,
        };
        let skip_trigger = match (tuning.improbable, CHAINED) {
            (true, true) => 7,
            (true, false) => 5,
            (false, _) => config.skip_trigger,
        };
        let Some(source) = Source::new(src, MAX_DISTANCE) else {
            sequences.push(Sequence::last(src.len() - start));
            return src.len();
        };
        let last = src.len() - MARGIN;
        let (mut anchor, mut at) = (start, start);
        let mut misses = 1 << skip_trigger;
        let mut extra = 0;
        let first = sequences.len();
        while at < last.min(anchor + work)
            && let Some(window) = source.window(at)
        {
            let here = window.word();
            let literals = at - anchor;
            if here == here.rotate_left(8) {
                let run = 8 + lz::prefix(lanes, &src[at + 7..], &src[at + 8..]);
                if run >= LONG_RUN {
                    if at > 0 && src[at - 1] == src[at] {
                        push_match(sequences, literals, run, 1);
                        at += run;
                        anchor = at;
                        work = work.saturating_sub(literals + MATCH_WORK);
                        extra = MAX_EXTRA;
                        misses = 1 << skip_trigger;
                    } else {
                        at += 1;
                    }
                    continue;
                }
            }
            let candidates = chains.insert::<CHAINED>(here, at, tables);
            let chain = limits.chain + low_u32(extra) + tuning.extra_chain;
            extra = 0;
            let limits_here = Limits { chain, ..limits };
            let (len, distance) =
                chains.search::<CHAINED, WIDE, L>(lanes, window, candidates, limits_here, 2);
            let gain = costs.gain(here, len, distance);
            let min_gain = if len == 3 {
                min_gain_three
            } else {
                config.min_gain
            };
            if gain <= min_gain {
                at += misses >> skip_trigger;
                misses += 1;
                continue;
            }
            let mut best = Match {
                len,
                distance,
                gain,
            };
            misses = 1 << skip_trigger;
            // A better match may begin at the next position.
            let mut next = at + 1;
            while best.len < config.max_lazy
                && next < last
                && let Some(window) = source.window(next)
            {
                let candidates = chains.insert::<CHAINED>(window.word(), next, tables);
                next += 1;
                let limits_here = Limits {
                    chain: limits.chain / 2,
                    ..limits
                };
                let (len, distance) = chains.search::<CHAINED, WIDE, L>(
                    lanes,
                    window,
                    candidates,
                    limits_here,
                    best.len - 1,
                );
                let gain = costs.gain(window.word(), len, distance);
                if gain <= best.gain + LITERAL_GAIN {
                    break;
                }
                at += 1;
                best = Match {
                    len,
                    distance,
                    gain,
                };
            }
            tuning.matches += 1;
            let by_eight = (CHAINED && best.len >= 8) || (!CHAINED && distance == candidates.eight);
            tuning.eight_matches += u32::from(by_eight);
            if best.len == 3 {
                tuning.three_gain += best.gain;
            }
            let literals = at - anchor;
            work = work.saturating_sub(literals + MATCH_WORK);
            let (literals, len) = extend_back(src, at, literals, best, costs, sequences, first);
            push_match(sequences, literals, len, best.distance);
            at += best.len;
            anchor = at;
            extra = (best.len / 8).min(MAX_EXTRA);
            for inner in next.max(at.saturating_sub(config.insert_tail))..at.min(last) {
                let Some(window) = source.window(inner) else {
                    break;
                };
                chains.insert::<CHAINED>(window.word(), inner, tables);
            }
        }
        // Not where a long step ended: planes of numbers, and pieces, begin at multiples of 8 KiB.
        let end = if at >= last {
            src.len()
        } else {
            at.min(anchor + work)
        };
        if end > anchor {
            sequences.push(Sequence::last(end - anchor));
        }
        end
    }
}

/// The arguments of [`Lazy::parse`].
struct Parse<'p> {
    lazy: &'p mut Lazy,
    src: &'p [u8],
    start: usize,
    work: usize,
    costs: &'p Costs,
    sequences: &'p mut Vec<Sequence>,
}

/// The same with chains of eight bytes.
struct Chained<'p>(Parse<'p>);

/// The same where the last piece became very short: long matches are compared by vectors, which is
/// slower where matches are short.
struct Repetitive<'p>(Parse<'p>);

impl Task for Parse<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> usize {
        let (src, costs, sequences) = (self.src, self.costs, self.sequences);
        self.lazy
            .parse_as::<false, false, L>(lanes, src, self.start, self.work, costs, sequences)
    }
}

impl Task for Chained<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> usize {
        let Self(parse) = self;
        let (src, costs, sequences) = (parse.src, parse.costs, parse.sequences);
        parse
            .lazy
            .parse_as::<true, true, L>(lanes, src, parse.start, parse.work, costs, sequences)
    }
}

impl Task for Repetitive<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> usize {
        let Self(parse) = self;
        let (src, costs, sequences) = (parse.src, parse.costs, parse.sequences);
        parse
            .lazy
            .parse_as::<false, true, L>(lanes, src, parse.start, parse.work, costs, sequences)
    }
}

/// Extends a match at `at` backwards over the literals before it, and over the match before those
/// if this one covers nearly all of it. Returns the number of literals and the length.
#[inline(always)]
fn extend_back(
    src: &[u8],
    at: usize,
    mut literals: usize,
    best: Match,
    costs: &Costs,
    sequences: &mut Vec<Sequence>,
    first: usize,
) -> (usize, usize) {
    let Match {
        mut len, distance, ..
    } = best;
    let mut from = at - distance;
    let mut start = at;
    let mut saved = 0;
    while start > at - literals && from > 0 && src[start - 1] == src[from - 1] {
        (start, from) = (start - 1, from - 1);
        saved += costs.literal(src[start]);
    }
    if start < at {
        let extended = len + at - start;
        if saved + costs.length(len) < costs.length(extended) {
            return (literals, len);
        }
        len = extended;
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
    let uncovered = whole - shared;
    if uncovered > 2 {
        return (literals, len);
    }
    if uncovered > 0 {
        let mut cost = costs.match_cost(len + shared, distance);
        for byte in &src[start - whole..start - shared] {
            cost += costs.literal(*byte);
        }
        let two_matches =
            costs.match_cost(whole, usize::from(before.distance)) + costs.match_cost(len, distance);
        if cost > two_matches {
            return (literals, len);
        }
    }
    literals = before.literals as usize + uncovered;
    sequences.pop();
    (literals, len + shared)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codecs::lz::OUT_OF_REACH;

    /// Records of 23 bytes that differ in a few: matches of all lengths, at several distances.
    fn records() -> Vec<u8> {
        (0..3000_usize)
            .map(|i| match i % 23 {
                0 | 11 => i / 23 % 7 * 31,
                5 => i * i / 23,
                byte => byte * 37,
            })
            .map(|value| value.to_le_bytes()[0])
            .collect()
    }

    #[test]
    fn parses_are_the_same_when_the_base_index_wraps() {
        let src = records();
        for level in 2..=9 {
            let config = Config::of(level);
            let parse = |lazy: &mut Lazy| {
                let (mut costs, mut sequences) = (Costs::default(), Vec::new());
                costs.estimate(&src, 2048);
                lazy.start(src.len());
                let mut end = 0;
                while end < src.len() {
                    end = lazy.parse(&src, end, 1 << 13, &costs, &mut sequences);
                }
                sequences
            };
            let expected = parse(&mut Lazy::new(Kernels::best(), config));
            assert!(expected.iter().any(|sequence| sequence.distance == 23));
            let mut lazy = Lazy::new(Kernels::best(), config);
            // Four streams reach up to the end of the range, the next ones begin at its start.
            lazy.chains
                .skip_to_end(4 * (low_u32(src.len()) + OUT_OF_REACH));
            let mut bases = Vec::new();
            for stream in 0..7 {
                assert_eq!(parse(&mut lazy), expected, "level {level}, stream {stream}");
                bases.push(lazy.chains.base());
            }
            let wraps = bases.windows(2).filter(|pair| pair[1] < pair[0]);
            assert_eq!(wraps.count(), 1, "{bases:?}");
        }
    }
}
