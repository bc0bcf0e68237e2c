//! The match finder of level 1: the newest position of each hash, greedily.

use alloc::boxed::Box;

use super::output::{Found, Output};
use crate::Kernels;
use crate::codecs::boxed::zeroed;
use crate::codecs::log2::log2_16;
use crate::codecs::lz::low_u32;
use crate::codecs::lz::window::{Source, equal_bytes, hash, word_at};
use crate::codecs::lz::{self, Lanes, Task};
use crate::codecs::zlib::MAX_DISTANCE;

/// The shortest match that is searched for, in bytes.
pub(super) const MIN_MATCH: usize = 4;
const HASH_BITS: u32 = 13;
const SLOTS: usize = 1 << HASH_BITS;
/// A match ends at least this many bytes after the last position that is searched.
const MARGIN: usize = 9;
/// The length of a literal without codes, in sixteenths of a bit.
const UNCODED: usize = 16 * 8;
/// After this many positions without a match, the step between them grows by one.
const SKIP_TRIGGER: usize = 128;

/// The newest position of each hash, and the cost of a literal.
pub(super) struct Greedy {
    kernels: Kernels,
    head: Box<[u32; SLOTS]>,
    /// The number of bits of a hash: fewer for short sources.
    bits: u32,
    /// The estimated length of a literal in sixteenths of a bit.
    literal: usize,
    counts: Box<[u32; 256]>,
}

/// Whether a match is shorter than the literals that it replaces, by estimate.
#[inline(always)]
fn is_shorter(literal: usize, len: usize, distance: usize) -> bool {
    let distance_bits = (usize::BITS - distance.leading_zeros()) as usize;
    len * literal >= 16 * (7 + distance_bits)
}

impl Greedy {
    pub(super) fn new(kernels: Kernels) -> Self {
        Self {
            kernels,
            head: zeroed(),
            bits: HASH_BITS,
            literal: UNCODED,
            counts: zeroed(),
        }
    }

    /// Starts a stream with the content `src`.
    pub(super) fn start(&mut self, src: &[u8]) {
        self.bits = (usize::BITS - src.len().leading_zeros()).clamp(9, HASH_BITS);
        self.head[..1 << self.bits].fill(0);
        self.literal = UNCODED;
    }

    /// Compares the size in bits of a part with an estimate of its size without matches. If the
    /// estimate is smaller, literals are assumed to be that short from now on, and true says that
    /// the part must be parsed again.
    pub(super) fn estimate_literals(&mut self, part: &[u8], bits: u64) -> bool {
        let len = part.len() as u64;
        if self.literal < UNCODED || bits < len * 3 / 2 {
            return false;
        }
        let literal = self.entropy(part);
        if literal as u64 * len / 8 >= bits {
            return false;
        }
        self.literal = literal;
        // Positions of this part must not be found while it is parsed again.
        self.head[..1 << self.bits].fill(0);
        true
    }

    /// The entropy of a sample of the bytes, in sixteenths of a bit per byte.
    fn entropy(&mut self, src: &[u8]) -> usize {
        self.counts.fill(0);
        // An odd step visits all bytes of multi-byte numbers.
        let step = (src.len() / 2048) | 1;
        let mut sampled = 0_u32;
        for byte in src.iter().step_by(step) {
            self.counts[usize::from(*byte)] += 1;
            sampled += 1;
        }
        // Sum of n log2(total / n), with logarithms in sixteenths.
        let total = log2_16(sampled);
        let sum: u64 = self
            .counts
            .iter()
            .filter(|count| **count > 0)
            .map(|&count| u64::from(count) * u64::from(total - log2_16(count)))
            .sum();
        // A code has at least one bit.
        usize::try_from(sum / u64::from(sampled.max(1))).map_or(128, |bits| bits.max(16))
    }

    /// Finds the sequences of a part of `src` from `progress` on, whose matches may begin before
    /// the part, until one ends at `stop` or after it: false then, true at the end of the part.
    #[inline(always)]
    pub(super) fn parse<O: Output>(
        &mut self,
        src: &[u8],
        (end, stop): (usize, usize),
        progress: &mut Progress,
        out: O,
    ) -> (bool, O) {
        let parse = Parse {
            greedy: self,
            src,
            end,
            stop,
            progress,
            out,
        };
        lz::run_256(parse.greedy.kernels, parse)
    }
}

/// The progress of a parse.
pub(super) struct Progress {
    /// The next position to search.
    at: usize,
    /// The end of the last match.
    pub(super) anchor: usize,
}

impl Progress {
    /// The start of a part.
    pub(super) fn new(start: usize) -> Self {
        Self {
            at: start,
            anchor: start,
        }
    }
}

/// The arguments of [`Greedy::parse`].
struct Parse<'p, O> {
    greedy: &'p mut Greedy,
    src: &'p [u8],
    end: usize,
    stop: usize,
    progress: &'p mut Progress,
    out: O,
}

impl<O: Output> Task for Parse<'_, O> {
    type Output = (bool, O);

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> (bool, O) {
        let Self {
            greedy,
            src,
            end,
            stop,
            progress,
            mut out,
        } = self;
        let (bits, literal) = (greedy.bits, greedy.literal);
        let slot = |word: u64| hash::<4, SLOTS>(word, bits);
        let head = &mut *greedy.head;
        // Every position with a word in here is searched.
        let searched = Source::new(&src[..end.saturating_sub(MARGIN - 8)], MAX_DISTANCE);
        let mut anchor = progress.anchor;
        // An empty slot holds 0, which is before every position but the first.
        let mut at = progress.at.max(1);
        let mut misses = SKIP_TRIGGER;
        while let Some(window) = searched.and_then(|searched| searched.window(at)) {
            let here = window.word();
            let from = core::mem::replace(&mut head[slot(here)], low_u32(at)) as usize;
            let distance = at.wrapping_sub(from);
            let differ = window
                .candidate(distance)
                .map_or(u64::MAX, |candidate| candidate.word() ^ here);
            // Fewer than `MIN_MATCH` bytes: the one branch that is unpredictable without matches.
            if differ << 32 != 0 {
                at += misses / SKIP_TRIGGER;
                misses += 1;
                continue;
            }
            let len = if differ == 0 {
                8 + lz::prefix(lanes, &src[from + 8..], &src[at + 8..end])
            } else {
                equal_bytes(differ)
            };
            // Without codes, four literals are always longer than a match.
            if literal < UNCODED && !is_shorter(literal, len, distance) {
                at += misses / SKIP_TRIGGER;
                misses += 1;
                continue;
            }
            // The match may begin earlier, among the literals before it.
            let mut back = 0;
            while at - back > anchor && from > back && src[at - back - 1] == src[from - back - 1] {
                back += 1;
            }
            let literals = at - back - anchor;
            out.add(Found {
                src,
                at: anchor,
                literals,
                len: back + len,
                distance,
            });
            at += len;
            anchor = at;
            misses = SKIP_TRIGGER;
            if let Some(inner) = word_at(src, at - 2) {
                head[slot(inner)] = low_u32(at - 2);
            }
            if at >= stop {
                *progress = Progress { at, anchor };
                return (false, out);
            }
        }
        out.add(Found {
            src,
            at: anchor,
            literals: end - anchor,
            len: 0,
            distance: 0,
        });
        (true, out)
    }
}
