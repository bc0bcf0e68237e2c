//! Levels 2 to 9: blocks that end where the content changes.
//!
//! ```text
//! source   | piece | piece | piece | ...     8 KiB of literals each, or fewer with matches
//!   parse    with the costs of symbols in the block so far
//! block    | piece + piece + ...             as long as one set of codes is better than two
//! ```
//!
//! Noise begins or ends where the planes of shuffled numbers meet. Noise is stored, because stored
//! bytes are decoded a hundred times as fast as literals, even where codes are slightly smaller.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::bits::BitWriter;
use super::codes::Codes;
use super::config::Config;
use super::costs::{Costs, block_bits};
use super::histogram::Histogram;
use super::lazy::Lazy;
use super::sequence::Sequence;
use super::tuning::Piece;
use super::write;
use crate::Kernels;

/// The size of a piece, in literals.
const PIECE: usize = 8 << 10;
/// The number of bytes sampled for the initial costs.
const SAMPLE: usize = 4096;
/// A block ends after this many bytes.
const MAX_BLOCK: usize = 512 << 10;
/// The number of bits that a new block must save: reading its codes takes a decoder the time of
/// some thousand literals.
const NEW_BLOCK: u64 = 1024;

/// The encoder of levels 2 to 9.
pub(super) struct Blocks {
    lazy: Lazy,
    costs: Costs,
    /// The sequences of the block so far and of the current piece.
    sequences: Vec<Sequence>,
    /// The counts of the block so far.
    block: Box<Histogram>,
    /// The counts of the current piece.
    piece: Box<Histogram>,
    /// The counts of both.
    both: Box<Histogram>,
    /// Literals per bit of decode-time penalty.
    literals_per_bit: u64,
    /// The size of the first piece, in literals.
    first_piece: usize,
}

/// The estimated size of a block.
#[derive(Clone, Copy, Debug)]
struct Price {
    /// Bits, with the penalty for the decode time of literals.
    bits: u64,
    /// Whether the block is best stored.
    stored: bool,
}

impl Blocks {
    pub(super) fn new(kernels: Kernels, level: u8) -> Self {
        let config = Config::of(level);
        Self {
            lazy: Lazy::new(kernels, config),
            costs: if config.cheap_distances {
                Costs::with_cheap_distances()
            } else {
                Costs::default()
            },
            sequences: Vec::new(),
            block: Box::default(),
            piece: Box::default(),
            both: Box::default(),
            literals_per_bit: config.literals_per_bit,
            first_piece: config.first_piece,
        }
    }

    fn price(&self, histogram: &Histogram, len: usize) -> Price {
        let coded = block_bits(histogram) + histogram.literals() / self.literals_per_bit;
        let stored = write::stored_bits(len);
        Price {
            bits: coded.min(stored),
            stored: stored <= coded,
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
        self.lazy.start(src.len());
        self.sequences.clear();
        self.costs.estimate(src, SAMPLE);
        self.block.count(src, 0, &[]);
        let (mut start, mut at) = (0, 0);
        let mut open = Price {
            bits: 0,
            stored: false,
        };
        while at < src.len() {
            let first = self.sequences.len();
            let (costs, sequences) = (&self.costs, &mut self.sequences);
            let work = if at == 0 { self.first_piece } else { PIECE };
            let end = self.lazy.parse(src, at, work, costs, sequences);
            self.piece.count(src, at, self.sequences.get(first..)?);
            let piece = self.price(&self.piece, end - at);
            if end < src.len() {
                self.lazy.update(Piece {
                    len: end - at,
                    bits: piece.bits,
                    noise: piece.stored,
                    counts: &self.piece,
                });
            }
            if at == start {
                core::mem::swap(&mut self.block, &mut self.piece);
                open = piece;
            } else if let Some(both) = self.together((start, end), open, piece) {
                core::mem::swap(&mut self.block, &mut self.both);
                open = both;
            } else {
                self.block((src, start, at), first, codes, out)?;
                self.sequences.drain(..first);
                start = at;
                core::mem::swap(&mut self.block, &mut self.piece);
                open = piece;
            }
            if end < src.len() {
                self.costs.update(&self.block);
            }
            at = end;
        }
        self.block((src, start, at), self.sequences.len(), codes, out)
    }

    /// The price of the block so far and the piece as one block with this content, counted in
    /// `both`, if that is better than two.
    #[inline(always)]
    fn together(
        &mut self,
        (start, end): (usize, usize),
        open: Price,
        piece: Price,
    ) -> Option<Price> {
        self.both.sum(&self.block, &self.piece);
        let both = self.price(&self.both, end - start);
        // A stored block needs no codes.
        let new_block = if piece.stored { 0 } else { NEW_BLOCK };
        let same = (open.stored && piece.stored) || both.bits <= open.bits + piece.bits + new_block;
        (same && end - start <= MAX_BLOCK).then_some(both)
    }

    /// Writes the block `src[start..end]`, which has the first `sequences` sequences.
    #[inline(always)]
    fn block(
        &self,
        (src, start, end): (&[u8], usize, usize),
        sequences: usize,
        codes: &mut Codes,
        out: &mut BitWriter<'_>,
    ) -> Option<()> {
        let last = end == src.len();
        let bytes = src.get(start..end)?;
        let sequences = self.sequences.get(..sequences)?;
        let fixed = Codes::fixed_bits(&self.block);
        let own = codes.build(&self.block);
        let penalty = self.block.literals() / self.literals_per_bit;
        if write::stored_bits(bytes.len()) <= own.min(fixed) + penalty {
            return write::stored(bytes, last, out);
        }
        write::coded(codes, (own, fixed), (bytes, last), sequences, out)
    }
}
