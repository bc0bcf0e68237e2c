//! Levels 2 to 9: blocks that end where the content changes.
//!
//! ```text
//! source   | piece | piece | piece | ...     of 8 KiB of literals, or fewer with matches
//!   parse    with what symbols cost in the block so far
//! block    | piece + piece + ...             as long as one set of codes is better than two
//! ```
//!
//! Where the planes of shuffled numbers meet, noise begins or ends. Noise is stored, and stored
//! bytes are decoded a hundred times as fast as literals; so it may take a little more room.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::chains::{Chains, Effort};
use super::codes::{Codes, Histogram};
use super::costs::{Costs, block_bits};
use super::parse::Sequence;
use super::write::{self, BitWriter};

/// Literals that are looked at together.
const PIECE: usize = 8 << 10;
/// Bytes of which the first costs are estimated.
const SAMPLE: usize = 4096;
/// Bytes after which a block ends.
const MOST: usize = 512 << 10;
/// Bits that a new block must save: a decoder takes the time of some thousand literals for its
/// codes.
const NEW_BLOCK: u64 = 1024;

/// An encoder of levels 2 to 9.
pub(super) struct Deep {
    chains: Chains,
    costs: Costs,
    /// Of the block so far and the piece at hand.
    sequences: Vec<Sequence>,
    block: Box<Histogram>,
    piece: Box<Histogram>,
    /// Both together.
    both: Box<Histogram>,
    /// One bit for so many literals is what decoding them is worth.
    literals_per_bit: u64,
}

/// What a block takes.
#[derive(Clone, Copy, Debug)]
struct Price {
    /// In bits, for whoever decodes it.
    bits: u64,
    /// Whether it is best stored.
    stored: bool,
}

impl Deep {
    pub(super) fn new(level: u8) -> Self {
        Self {
            chains: Chains::new(Effort::of(level)),
            costs: if level < 8 {
                Costs::default()
            } else {
                Costs::eager()
            },
            sequences: Vec::new(),
            block: Box::default(),
            piece: Box::default(),
            both: Box::default(),
            literals_per_bit: if level < 7 { 8 } else { 11 },
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

    /// Writes the blocks of `src`.
    #[inline(always)]
    pub(super) fn encode(
        &mut self,
        src: &[u8],
        codes: &mut Codes,
        out: &mut BitWriter<'_>,
    ) -> Option<()> {
        self.chains.start(src.len());
        self.sequences.clear();
        self.costs.guess(src, SAMPLE);
        self.block.count(src, 0, &[]);
        let (mut start, mut at) = (0, 0);
        let mut open = Price {
            bits: 0,
            stored: false,
        };
        while at < src.len() {
            let first = self.sequences.len();
            let (costs, sequences) = (&self.costs, &mut self.sequences);
            let end = self.chains.parse(src, at, PIECE, costs, sequences);
            self.piece.count(src, at, self.sequences.get(first..)?);
            let piece = self.price(&self.piece, end - at);
            self.chains.learn(end - at, piece.bits, piece.stored);
            self.both.sum(&self.block, &self.piece);
            let both = self.price(&self.both, end - start);
            // Stored bytes need no codes.
            let new_block = if piece.stored { 0 } else { NEW_BLOCK };
            let same =
                (open.stored && piece.stored) || both.bits <= open.bits + piece.bits + new_block;
            if at == start {
                core::mem::swap(&mut self.block, &mut self.piece);
                open = piece;
            } else if same && end - start <= MOST {
                core::mem::swap(&mut self.block, &mut self.both);
                open = both;
            } else {
                self.block((src, start, at), first, codes, out)?;
                self.sequences.drain(..first);
                start = at;
                core::mem::swap(&mut self.block, &mut self.piece);
                open = piece;
            }
            self.costs.learn(&self.block);
            at = end;
        }
        self.block((src, start, at), self.sequences.len(), codes, out)
    }

    /// Writes a block of `src` out of the first sequences.
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
        let worth = self.block.literals() / self.literals_per_bit;
        if write::stored_bits(bytes.len()) <= own.min(fixed) + worth {
            return out.stored(bytes, last);
        }
        write::coded(codes, (own, fixed), (bytes, last), sequences, out)
    }
}
