//! Lazy matching: the parse of levels 2 to 9, which compares the gain of a match with that of one
//! at the next position.
//!
//! A chosen match is extended backwards, over the match before it too if it covers nearly all of
//! that one.

use alloc::vec::Vec;

use super::chains::{Few, FewShort, Find, Limits, Many, ManyShort, SHORT};
use super::config::{Config, Eights};
use super::costs::Costs;
use super::sequence::{Sequence, push_match};
use super::tuning::{Piece, Tuning};
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
    chains: Either<Pair<Few, FewShort>, Pair<Many, ManyShort>>,
    tuning: Tuning,
}

/// One kind of tables or the other, by the use of hashes of eight bytes.
enum Either<F, M> {
    Few(F),
    Many(M),
}

/// The tables of long and short streams, made for the first stream of each kind.
struct Pair<A, B> {
    long: Option<A>,
    short: Option<B>,
    /// Whether the stream is short.
    is_short: bool,
}

impl<A: Find, B: Find> Pair<A, B> {
    fn new() -> Self {
        Self {
            long: None,
            short: None,
            is_short: false,
        }
    }

    fn start(&mut self, len: usize) {
        self.is_short = len <= SHORT;
        if self.is_short {
            self.short.get_or_insert_with(B::new).start(len);
        } else {
            self.long.get_or_insert_with(A::new).start(len);
        }
    }

    fn parse(&mut self, kernels: Kernels, parse: Parse<'_>) -> usize {
        if self.is_short {
            parse.with(kernels, self.short.get_or_insert_with(B::new))
        } else {
            parse.with(kernels, self.long.get_or_insert_with(A::new))
        }
    }
}

impl Lazy {
    pub(super) fn new(kernels: Kernels, config: &'static Config) -> Self {
        Self {
            kernels,
            config,
            chains: if config.eights == Eights::Chained {
                Either::Many(Pair::new())
            } else {
                Either::Few(Pair::new())
            },
            tuning: Tuning::new(config),
        }
    }

    /// Starts a stream of `len` bytes.
    pub(super) fn start(&mut self, len: usize) {
        match &mut self.chains {
            Either::Few(chains) => chains.start(len),
            Either::Many(chains) => chains.start(len),
        }
        self.tuning = Tuning::new(self.config);
    }

    /// Adapts to the last piece.
    pub(super) fn update(&mut self, piece: Piece<'_>) {
        self.tuning.update(self.config, piece);
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
        let parse = Parse {
            config: self.config,
            tuning: &mut self.tuning,
            src,
            start,
            work,
            costs,
            sequences,
        };
        match &mut self.chains {
            Either::Few(chains) => chains.parse(self.kernels, parse),
            Either::Many(chains) => chains.parse(self.kernels, parse),
        }
    }
}

/// The arguments of [`Lazy::parse`].
struct Parse<'p> {
    config: &'static Config,
    tuning: &'p mut Tuning,
    src: &'p [u8],
    start: usize,
    work: usize,
    costs: &'p Costs,
    sequences: &'p mut Vec<Sequence>,
}

impl Parse<'_> {
    fn with<F: Find>(self, kernels: Kernels, chains: &mut F) -> usize {
        let parse = self;
        if F::CHAINED || parse.tuning.extra_chain > 0 {
            lz::run_256(kernels, With::<F, true> { parse, chains })
        } else {
            lz::run_256(kernels, With::<F, false> { parse, chains })
        }
    }

    /// The parse, with these tables.
    #[inline(always)]
    #[expect(
        clippy::too_many_lines,
        reason = "one loop, whose state stays in registers"
    )]
    fn run<const WIDE: bool, F: Find, L: Lanes>(self, lanes: L, chains: &mut F) -> usize {
        let Self {
            config,
            tuning,
            src,
            start,
            mut work,
            costs,
            sequences,
        } = self;
        let config = *config;
        let min_gain_three = config.min_gain_three.unwrap_or(u32::MAX);
        let tables = tuning.in_use(&config);
        let limits = Limits {
            chain: config.max_chain,
            chain_eight: tuning.chain_eight,
            nice_len: config.nice_len,
        };
        let skip_trigger = match (tuning.improbable, F::CHAINED) {
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
            chains.make_room(at);
            let candidates = chains.insert(here, at, tables);
            let chain = limits.chain + low_u32(extra) + tuning.extra_chain;
            extra = 0;
            let limits_here = Limits { chain, ..limits };
            let (len, distance) =
                chains.search::<WIDE, L>(lanes, window, candidates, limits_here, 2);
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
                let candidates = chains.insert(window.word(), next, tables);
                next += 1;
                let limits_here = Limits {
                    chain: limits.chain / 2,
                    ..limits
                };
                let (len, distance) =
                    chains.search::<WIDE, L>(lanes, window, candidates, limits_here, best.len - 1);
                let gain = costs.gain(window.word(), len, distance);
                if gain <= best.gain + costs.later_gain() {
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
            let by_eight =
                (F::CHAINED && best.len >= 8) || (!F::CHAINED && distance == candidates.eight);
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
                chains.insert(window.word(), inner, tables);
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

/// A parse with tables. If `WIDE`, long matches are compared by vectors, which is slower where
/// matches are short: below level 8 where the last piece became very short.
struct With<'p, 'c, F, const WIDE: bool> {
    parse: Parse<'p>,
    chains: &'c mut F,
}

impl<F: Find, const WIDE: bool> Task for With<'_, '_, F, WIDE> {
    type Output = usize;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> usize {
        self.parse.run::<WIDE, F, L>(lanes, self.chains)
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

    /// Records of 23 bytes that differ in a few: matches of all lengths, at several distances.
    fn records(len: usize) -> Vec<u8> {
        (0..len)
            .map(|i| match i % 23 {
                0 | 11 => i / 23 % 7 * 31,
                5 => i * i / 23,
                byte => byte * 37,
            })
            .map(|value| value.to_le_bytes()[0])
            .collect()
    }

    impl<A: Find, B: Find> Pair<A, B> {
        /// Calls one of two functions with the tables in use.
        fn with<R>(&mut self, on: (impl FnOnce(&mut A) -> R, impl FnOnce(&mut B) -> R)) -> R {
            if self.is_short {
                on.1(self.short.as_mut().unwrap())
            } else {
                on.0(self.long.as_mut().unwrap())
            }
        }
    }

    impl Lazy {
        fn skip_to(&mut self, next: usize) {
            match &mut self.chains {
                Either::Few(chains) => chains.with((|c| c.skip_to(next), |c| c.skip_to(next))),
                Either::Many(chains) => chains.with((|c| c.skip_to(next), |c| c.skip_to(next))),
            }
        }
    }

    #[test]
    fn parses_are_the_same_at_all_indices() {
        for (level, len) in (2..=9).flat_map(|level| [(level, 3000), (level, 3 * SHORT)]) {
            let src = records(len);
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
            for next in (0..64).map(|i| (1 << 16) - 333 * i) {
                let mut lazy = Lazy::new(Kernels::best(), config);
                lazy.start(src.len());
                // As if streams of so many bytes had come before.
                lazy.skip_to(next);
                for stream in 0..3 {
                    let sequences = parse(&mut lazy);
                    assert_eq!(sequences, expected, "level {level}, {stream} after {next}");
                }
            }
        }
    }

    #[test]
    fn streams_of_both_kinds_do_not_disturb_each_other() {
        for level in [5, 9] {
            let config = Config::of(level);
            let parse = |lazy: &mut Lazy, src: &[u8]| {
                let (mut costs, mut sequences) = (Costs::default(), Vec::new());
                costs.estimate(src, 2048);
                lazy.start(src.len());
                lazy.parse(src, 0, src.len(), &costs, &mut sequences);
                sequences
            };
            let mut lazy = Lazy::new(Kernels::best(), config);
            for len in [SHORT - 1, SHORT + 1, SHORT, 2 * SHORT, 100, SHORT, 9] {
                let src = records(len);
                let expected = parse(&mut Lazy::new(Kernels::best(), config), &src);
                assert_eq!(
                    parse(&mut lazy, &src),
                    expected,
                    "level {level}, {len} bytes"
                );
            }
        }
    }
}
