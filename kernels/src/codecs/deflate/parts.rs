//! Level 1: blocks of 64 KiB.
//!
//! Most blocks have the fixed codes, which are the fastest to write and to read; a block has its
//! own codes if it is less than five eighths as long with them, or less than seven where it has few
//! distinct literals, as masks have: short codes are decoded two at a time. With few distinct
//! values in random order, a literal takes two or three bits then, and a match of four bytes takes
//! twenty: such parts are parsed again, for matches that are shorter than their literals.
//!
//! ```text
//! most parts         parse, written with the fixed codes | sample of the symbols: fixed codes?
//!   if not                                               | count, codes, written again
//! few values,        parse, 2 KiB | count, codes         | parse, written with those codes
//!   the same all over                                    | or runs of equal bytes only
//! ```
//!
//! Writing while sequences are found is 1.05 to 1.1 times as fast as a separate pass, which
//! mispredicts the same branches once more, and a sample of the symbols instead of a count 1.1 to
//! 1.2 times.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::bits::BitWriter;
use super::codes::Codes;
use super::costs::block_bits;
use super::greedy::{Greedy, MIN_MATCH, Progress};
use super::histogram::Histogram;
use super::output::{Both, Coded, List};
use super::runs;
use super::sequence::Sequence;
use super::write;
use crate::Kernels;

/// Bytes of the source in one block.
const PART: usize = 64 << 10;
/// Literals per bit of decode-time penalty.
const LITERALS_PER_BIT: u64 = 16;
/// A block with at most this many distinct literals has its own codes if they gain an eighth.
const FEW_LITERALS: usize = 16;

/// Bytes at the front of a part with few values, whose symbols the codes are made for.
const FRONT: usize = 2048;
/// The length of the fixed code of the end of a block.
const END_BITS: u64 = 7;
/// Blocks with fewer sequences are not sampled.
const SAMPLED: usize = 512;

/// The encoder of level 1.
pub(super) struct Parts {
    kernels: Kernels,
    greedy: Greedy,
    sequences: Vec<Sequence>,
    histogram: Box<Histogram>,
}

/// The state of a block after the parse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parsed {
    /// The sequences are listed.
    Listed,
    /// They are also written with the fixed codes, without the end of the block.
    Fixed,
    /// The block is written.
    Done,
}

/// The codes of a part with few values, from the sequences at its front.
#[derive(Clone, Copy, Debug)]
struct Front {
    /// The end of the last sequence.
    end: usize,
    /// Whether runs of equal bytes are its only matches.
    runs: bool,
    /// The estimated number of bits up to `end`.
    bits: u64,
}

impl Front {
    /// Whether so many bits for the whole part are about as many per byte as at its front.
    fn is_like(&self, bits: u64, (start, end): (usize, usize)) -> bool {
        let whole = bits * (self.end - start) as u64;
        let front = self.bits * (end - start) as u64;
        5 * whole <= 8 * front && 2 * whole > front
    }
}

impl Parts {
    pub(super) fn new(kernels: Kernels) -> Self {
        Self {
            kernels,
            greedy: Greedy::new(kernels),
            sequences: Vec::with_capacity(PART / MIN_MATCH + 1),
            histogram: Box::default(),
        }
    }

    /// Writes the blocks of `src`, or returns `None` when they do not fit.
    #[inline(always)]
    pub(super) fn encode(
        &mut self,
        src: &[u8],
        codes: &mut Codes,
        out: &mut BitWriter<'_>,
    ) -> Option<()> {
        self.greedy.start(src);
        let mut start = 0;
        loop {
            let end = src.len().min(start + PART);
            self.block(src, (start, end), codes, out)?;
            start = end;
            if start == src.len() {
                return Some(());
            }
        }
    }

    /// Writes the block `src[start..end]`.
    #[inline(always)]
    fn block(
        &mut self,
        src: &[u8],
        (start, end): (usize, usize),
        codes: &mut Codes,
        out: &mut BitWriter<'_>,
    ) -> Option<()> {
        let last = end == src.len();
        let bytes = src.get(start..end)?;
        let (before, bits_before) = (out.state(), out.bits());
        let parsed = self.parse(src, (start, end), codes, out)?;
        if parsed == Parsed::Done {
            return out.fits();
        }
        let mut written = parsed == Parsed::Fixed;
        if written && self.is_fixed(src, (start, end), out.bits() + END_BITS - bits_before) {
            write::end(Codes::fixed(), out);
            return out.fits();
        }
        let mut fixed = self.count(src, start);
        if self.greedy.estimate_literals(bytes, fixed) {
            written = false;
            self.sequences.clear();
            let progress = &mut Progress::new(start);
            let list = List(&mut self.sequences);
            self.greedy.parse(src, (end, usize::MAX), progress, list);
            fixed = self.count(src, start);
        }
        let after = out.state();
        out.resume(before);
        let stored = write::stored_bits(bytes.len());
        // Without repeats, codes must save the time of decoding literals: a stored block is a
        // hundred times as fast. And own codes make a block slower.
        let penalty = self.histogram.literals() / LITERALS_PER_BIT;
        let estimate = block_bits(&self.histogram);
        let stores = stored <= fixed + penalty;
        if stores && estimate > stored / 4 * 3 {
            return write::stored(bytes, last, out);
        }
        let mut own = u64::MAX;
        let few = self.histogram.distinct_literals() <= FEW_LITERALS;
        if stores || estimate < fixed / 8 * if few { 7 } else { 5 } {
            own = codes.build(&self.histogram);
        }
        if stored <= own.min(fixed) {
            return write::stored(bytes, last, out);
        }
        if written && fixed <= own {
            out.reserve(fixed)?;
            out.resume(after);
            write::end(Codes::fixed(), out);
            return Some(());
        }
        write::coded(codes, (own, fixed), (bytes, last), &self.sequences, out)
    }

    /// Finds the sequences of a part, and writes them as long as their codes seem right.
    #[inline(always)]
    fn parse(
        &mut self,
        src: &[u8],
        (start, end): (usize, usize),
        codes: &mut Codes,
        out: &mut BitWriter<'_>,
    ) -> Option<Parsed> {
        let (state, block) = (out.state(), (start, out.bits()));
        let mut progress = Progress::new(start);
        let mut listed = false;
        self.sequences.clear();
        if end - start >= 4 * FRONT && runs::are_probable(src.get(start..end)?, FRONT) {
            let list = List(&mut self.sequences);
            let stop = start + FRONT;
            let (ended, _) = self.greedy.parse(src, (end, stop), &mut progress, list);
            if ended {
                return Some(Parsed::Listed);
            }
            if let Some(front) = self.front(src, start, progress.anchor) {
                self.histogram.extrapolate();
                codes.build(&self.histogram);
                codes.write_header(end == src.len(), out);
                let part = (start, end);
                let complete = self.rest(src, part, &front, &mut progress, codes, out)?;
                let bits = out.bits() - block.1;
                if complete && front.is_like(bits, part) {
                    return Some(Parsed::Done);
                }
                out.resume(state);
                if !front.runs {
                    return Some(Parsed::Listed);
                }
            }
            listed = true;
        }
        write::start_fixed(end == src.len(), out);
        let list = &mut self.sequences;
        let mut both = Both::new(list, Codes::fixed(), out.local(), block);
        both.complete = !listed;
        let (_, both) = self
            .greedy
            .parse(src, (end, usize::MAX), &mut progress, both);
        let (complete, state) = (both.complete, both.coded.out.state());
        out.resume(state);
        Some(if complete {
            Parsed::Fixed
        } else {
            Parsed::Listed
        })
    }

    /// Counts the symbols of the sequences up to `end`, or of runs instead if those are shorter and
    /// fewer. `None` when the fixed codes are nearly as good.
    fn front(&mut self, src: &[u8], start: usize, end: usize) -> Option<Front> {
        let fixed = self.count(src, start);
        let bits = block_bits(&self.histogram);
        let number = self.sequences.len();
        let list = List(&mut self.sequences);
        runs::parse(self.kernels, src, (start, end), list);
        let (_, runs) = self.sequences.split_at(number);
        let fewer = runs.len() <= number / 2;
        self.histogram.count(src, start, runs);
        self.sequences.truncate(number);
        let runs_bits = block_bits(&self.histogram);
        if fewer && runs_bits <= bits + bits / 8 && runs_bits <= fixed / 8 * 7 {
            return Some(Front {
                end,
                runs: true,
                bits: runs_bits,
            });
        }
        self.count(src, start);
        (bits <= fixed / 8 * 7).then_some(Front {
            end,
            runs: false,
            bits,
        })
    }

    /// Writes the sequences of a part, which are known up to the end of the front, and the end of
    /// the block. False when that was given up.
    #[inline(always)]
    fn rest(
        &mut self,
        src: &[u8],
        (start, end): (usize, usize),
        front: &Front,
        progress: &mut Progress,
        codes: &Codes,
        out: &mut BitWriter<'_>,
    ) -> Option<bool> {
        let tables = codes.tables();
        let (complete, state) = if front.runs {
            let out = out.local();
            let coded = runs::parse(self.kernels, src, (start, end), Coded { out, tables });
            (true, coded.out.state())
        } else {
            let block = (start, out.bits());
            write::sequences(tables, src.get(start..end)?, &self.sequences, out);
            let both = Both::new(&mut self.sequences, tables, out.local(), block);
            let (_, both) = self.greedy.parse(src, (end, usize::MAX), progress, both);
            (both.complete, both.coded.out.state())
        };
        out.resume(state);
        write::end(tables, out);
        Some(complete)
    }

    /// Whether a sample of the sequences suffices to tell that a block has the fixed codes; `fixed`
    /// is its size with them.
    #[inline(always)]
    fn is_fixed(&mut self, src: &[u8], (start, end): (usize, usize), fixed: u64) -> bool {
        // A longer one may be better stored.
        if fixed > 7 * (end - start) as u64 || self.sequences.len() < SAMPLED {
            return false;
        }
        self.histogram.sample(src, start, &self.sequences);
        let fixed = Codes::fixed_bits(&self.histogram);
        let estimate = block_bits(&self.histogram);
        // With few literals, a smaller gain suffices for own codes.
        estimate
            > fixed / 32
                * if self.has_few_literals(src, start) {
                    32
                } else {
                    21
                }
    }

    /// Whether the sequences have few distinct literals.
    fn has_few_literals(&self, src: &[u8], start: usize) -> bool {
        if self.histogram.distinct_literals() > FEW_LITERALS {
            return false;
        }
        let (mut seen, mut at) = ([0_u64; 4], start);
        for sequence in &self.sequences {
            let end = at + sequence.literals as usize;
            for byte in src.get(at..end).unwrap_or(&[]) {
                seen[usize::from(byte >> 6)] |= 1 << (byte & 63);
            }
            at = end + usize::from(sequence.len);
        }
        seen.iter()
            .map(|seen| seen.count_ones() as usize)
            .sum::<usize>()
            <= FEW_LITERALS
    }

    /// Counts the symbols of a part, and returns the size in bits of a block with the fixed codes.
    #[inline(always)]
    fn count(&mut self, src: &[u8], start: usize) -> u64 {
        self.histogram.count(src, start, &self.sequences);
        Codes::fixed_bits(&self.histogram)
    }
}
