//! An encoder of zlib streams (RFC 1950 and 1951).
//!
//! ```text
//! source   | part | part | ... |
//!   parse    literals, then a match of 3 to 258 bytes up to 32 KiB back; and so on
//!   codes    how often each literal, length and distance comes gives Huffman codes
//!   write    the part as the smallest of: stored, with the fixed codes, with its own codes
//! stream   | CMF FLG | block | block | ... | Adler-32 |
//! ```
//!
//! At level 1 parts are 64 KiB, and matches are found as LZ4 finds them: one newest position per
//! hash, greedily. Nearly all blocks have the fixed codes, which are the fastest to write and to
//! read; codes of its own has a block that is less than five eighths as long with them. Where few
//! values come in no order, a literal takes two or three bits then, and a match of four bytes at a
//! distance takes twenty: such parts are parsed anew, for matches that are worth their place.
//!
//! Levels 2 to 9 follow chains of positions (`chains`), weigh matches by what symbols cost so far,
//! and end a block where the content changes (`deep`).
//!
//! Speed of decoding counts: blocks in which little repeats and whose literals have nearly equal
//! frequencies are stored. That takes a little more room (at level 1 more than a little, where
//! zlib-ng's level 1 has no gain either), and decodes a hundred times as fast. From level 2 on, a
//! match must also save some bits before it is taken, the more the lower the level.
//!
//! The size of each block is known before it is written, so that a stream that does not fit is
//! given up before any bit of it is.

mod chains;
mod codes;
mod costs;
mod deep;
mod parse;
mod write;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use crate::Kernels;
#[cfg(target_arch = "x86_64")]
use crate::kernels::Proof;
use codes::{Codes, Histogram};
use deep::Deep;
use parse::{Parser, Sequence};
use write::BitWriter;

/// Bytes of the source in one block.
const PART: usize = 64 << 10;
/// At level 1, one bit for so many literals is what decoding them is worth.
const LITERALS_PER_BIT: u64 = 16;
/// Bytes around the blocks: two in front, the checksum behind.
const FRAMING: usize = 6;

/// An encoder of zlib streams: its tables, made once and reused from stream to stream.
///
/// # Example
/// ```
/// use oxiblosc_kernels::{Kernels, deflate::Deflate, inflate::Inflate};
/// let kernels = Kernels::best();
/// let src = [7; 1000];
/// let mut dst = [0; 64];
/// // The second number is the Adler-32 checksum of the source, which the caller computes.
/// let n = Deflate::new(kernels, 1).encode(&src, 0x5CE4_1B59, &mut dst).unwrap();
/// let mut back = [0; 1000];
/// assert_eq!(Inflate::new(kernels).decode(&dst[..n], &mut back), Ok((1000, 0x5CE4_1B59)));
/// assert_eq!(back, src);
/// ```
pub struct Deflate {
    kernels: Kernels,
    parser: Parser,
    sequences: Vec<Sequence>,
    histogram: Box<Histogram>,
    codes: Box<Codes>,
    /// At level 2 and up.
    deep: Option<Box<Deep>>,
}

impl fmt::Debug for Deflate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deflate").finish_non_exhaustive()
    }
}

impl Deflate {
    /// Makes an encoder of a level, 1 (the fastest) to 9 (the smallest streams); other numbers are
    /// taken as the nearest of these. Level 2 and up take about 1.2 MiB of memory, and more for
    /// sources in which little repeats.
    #[must_use]
    pub fn new(kernels: Kernels, level: u8) -> Self {
        let deep = (level > 1).then(|| Box::new(Deep::new(level)));
        // `deep` has sequences of its own.
        let room = deep.as_ref().map_or(PART / parse::MIN_MATCH + 1, |_| 0);
        Self {
            kernels,
            parser: Parser::new(),
            sequences: Vec::with_capacity(room),
            histogram: Box::default(),
            codes: Box::default(),
            deep,
        }
    }

    /// Compresses `src` into the front of `dst` and returns the stream's length, or `None` when it
    /// does not fit. `checksum` is the Adler-32 of `src`.
    ///
    /// Bytes of `dst` behind the stream may be overwritten.
    pub fn encode(&mut self, src: &[u8], checksum: u32, dst: &mut [u8]) -> Option<usize> {
        let room = dst.len().checked_sub(FRAMING)?;
        let (head, body) = dst.split_at_mut(2);
        // Deflate with a window of 32 KiB; "fastest", which is a note only; no preset dictionary.
        head.copy_from_slice(&[0x78, 0x01]);
        let mut out = BitWriter::new(body.get_mut(..room)?);
        if self.deep.is_some() {
            self.deep(src, &mut out)?;
        } else {
            self.parser.start(src);
            let mut start = 0;
            loop {
                let end = src.len().min(start + PART);
                self.block(src, (start, end), &mut out)?;
                start = end;
                if start == src.len() {
                    break;
                }
            }
        }
        let len = out.finish()?;
        let tail = body.get_mut(len..len + 4)?;
        tail.copy_from_slice(&checksum.to_be_bytes());
        Some(len + FRAMING)
    }

    /// Writes all blocks, at level 2 and up.
    fn deep(&mut self, src: &[u8], out: &mut BitWriter<'_>) -> Option<()> {
        #[cfg(target_arch = "x86_64")]
        if let Proof::Avx2(_) | Proof::Avx512(_) = self.kernels.proof() {
            // SAFETY: the token proves the instructions.
            return unsafe { self.deep_avx2(src, out) };
        }
        self.deep.as_mut()?.encode(src, &mut self.codes, out)
    }

    /// With wide comparisons, and shifts of any number of bits in one step.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
    fn deep_avx2(&mut self, src: &[u8], out: &mut BitWriter<'_>) -> Option<()> {
        self.deep.as_mut()?.encode(src, &mut self.codes, out)
    }

    /// Writes the block of `src[part.0..part.1]`; the last one if that is the end of `src`.
    fn block(&mut self, src: &[u8], part: (usize, usize), out: &mut BitWriter<'_>) -> Option<()> {
        #[cfg(target_arch = "x86_64")]
        if let Proof::Avx2(_) | Proof::Avx512(_) = self.kernels.proof() {
            // SAFETY: the token proves the instructions.
            return unsafe { self.block_avx2(src, part, out) };
        }
        self.block_portable(src, part, out)
    }

    /// With wide comparisons, and shifts of any number of bits in one step.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
    fn block_avx2(
        &mut self,
        src: &[u8],
        part: (usize, usize),
        out: &mut BitWriter<'_>,
    ) -> Option<()> {
        self.block_portable(src, part, out)
    }

    #[inline(always)]
    fn block_portable(
        &mut self,
        src: &[u8],
        (start, end): (usize, usize),
        out: &mut BitWriter<'_>,
    ) -> Option<()> {
        let last = end == src.len();
        let bytes = src.get(start..end)?;
        let mut fixed = self.parse(src, (start, end));
        // Where few values come in no order, matches are worth less than short codes.
        if self.parser.guess_literals(bytes, fixed) {
            fixed = self.parse(src, (start, end));
        }
        let stored = write::stored_bits(bytes.len());
        // Without repeats, shorter literals have to be worth the time of whoever decodes them: a
        // stored block is a hundred times as fast. And codes of its own make a block slower.
        let slow = self.histogram.literals() / LITERALS_PER_BIT;
        let guess = costs::block_bits(&self.histogram);
        let stores = stored <= fixed + slow;
        if stores && guess > stored / 4 * 3 {
            return out.stored(bytes, last);
        }
        let mut own = u64::MAX;
        if stores || guess < fixed / 8 * 5 {
            own = self.codes.build(&self.histogram);
        }
        if stored <= own.min(fixed) {
            return out.stored(bytes, last);
        }
        let sequences = &self.sequences;
        write::coded(&mut self.codes, (own, fixed), (bytes, last), sequences, out)
    }

    /// Finds the sequences of a part, counts their symbols, and returns the size in bits of a block
    /// with the fixed codes.
    #[inline(always)]
    fn parse(&mut self, src: &[u8], part: (usize, usize)) -> u64 {
        self.sequences.clear();
        self.parser.parse(src, part, &mut self.sequences);
        self.histogram.count(src, part.0, &self.sequences);
        Codes::fixed_bits(&self.histogram)
    }
}
