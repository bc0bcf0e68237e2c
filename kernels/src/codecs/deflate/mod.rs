//! Encoder of zlib streams (RFC 1950 and 1951).
//!
//! ```text
//! source   | block | block | ... |
//!   parse    literals, then a match of 3 to 258 bytes up to 32 KiB back; and so on
//!   codes    Huffman codes from the number of occurrences of each literal, length and distance
//!   write    the block as the smallest of: stored, with the fixed codes, with its own codes
//! stream   | CMF FLG | block | block | ... | Adler-32 |
//! ```
//!
//! | level | blocks | matches |
//! |---|---|---|
//! | 1 | `parts`: 64 KiB each | `greedy`: one position per hash, as LZ4 does; or `runs` |
//! | 2 to 9 | `blocks`: a block ends where the content changes | `lazy`, on hash `chains` |
//!
//! Decoding speed counts: a block with few matches whose literals have nearly equal frequencies is
//! stored. That is slightly larger (at level 1 more than slightly, where zlib-ng's level 1 does not
//! gain either) and decodes a hundred times as fast. From level 2 on, a match must also save some
//! bits before it is taken, more at lower levels.
//!
//! The size of each block is known before it is written, so that a block that does not fit is given
//! up before any bit of it is written.

mod bits;
mod blocks;
mod chains;
mod codes;
mod config;
mod costs;
mod greedy;
mod histogram;
mod indices;
mod lazy;
mod output;
mod parts;
mod runs;
mod sequence;
mod symbols;
mod tuning;
mod write;

use alloc::boxed::Box;
use core::fmt;

use super::lz::{self, Lanes, Task};
use crate::Kernels;
use bits::BitWriter;
use blocks::Blocks;
use codes::Codes;
use parts::Parts;

/// Bytes around the blocks: a header of two, and the checksum.
const FRAMING: usize = 6;

/// An encoder of zlib streams. It owns its tables and reuses them from stream to stream; the output
/// does not depend on earlier streams or on the instruction set.
///
/// # Example
/// ```
/// use oxiblosc_kernels::{Kernels, deflate::Deflate, inflate::Inflate};
///
/// let kernels = Kernels::best();
/// let src = [7; 1000];
/// let mut dst = [0; 64];
/// let n = Deflate::new(kernels, 1).encode(&src, &mut dst).unwrap();
/// let mut back = [0; 1000];
/// // The second number is the Adler-32 checksum of the source.
/// assert_eq!(Inflate::new(kernels).decode(&dst[..n], &mut back), Ok((1000, 0x7C8F_1B59)));
/// assert_eq!(back, src);
/// ```
pub struct Deflate {
    kernels: Kernels,
    method: Method,
    codes: Box<Codes>,
}

/// The encoder of a level.
enum Method {
    /// Level 1.
    Parts(Box<Parts>),
    /// Levels 2 to 9.
    Blocks(Box<Blocks>),
}

impl fmt::Debug for Deflate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deflate").finish_non_exhaustive()
    }
}

impl Deflate {
    /// Makes an encoder of a level from 1 (the fastest) to 9 (the smallest streams); any other
    /// number is the nearest of these.
    ///
    /// Level 1 allocates about 180 KiB and never again; level 2 and up about 60 KiB for sources of
    /// up to 4 KiB and 190 KiB for longer ones (levels 8 and 9: 80 and 410 KiB), and more for
    /// sources with few repeats.
    #[must_use]
    pub fn new(kernels: Kernels, level: u8) -> Self {
        let method = if level > 1 {
            Method::Blocks(Box::new(Blocks::new(kernels, level)))
        } else {
            Method::Parts(Box::new(Parts::new(kernels)))
        };
        Self {
            kernels,
            method,
            codes: Box::default(),
        }
    }

    /// Compresses `src` into the front of `dst` and returns the length of the stream in bytes, or
    /// `None` when it does not fit.
    ///
    /// Bytes of `dst` after the stream may be overwritten.
    pub fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        let space = dst.len().checked_sub(FRAMING)?;
        let (header, body) = dst.split_at_mut(2);
        // Deflate with a window of 32 KiB; "fastest", which is a note only; no preset dictionary.
        header.copy_from_slice(&[0x78, 0x01]);
        let mut out = BitWriter::new(body.get_mut(..space)?);
        let blocks = WriteBlocks {
            method: &mut self.method,
            codes: &mut self.codes,
            src,
            out: &mut out,
        };
        lz::run_256(self.kernels, blocks)?;
        let len = out.finish()?;
        let trailer = body.get_mut(len..len + 4)?;
        trailer.copy_from_slice(&self.kernels.adler32(src).to_be_bytes());
        Some(len + FRAMING)
    }
}

/// Writes all blocks: with wide comparisons and shifts by any number of bits in one instruction.
struct WriteBlocks<'w, 'd> {
    method: &'w mut Method,
    codes: &'w mut Codes,
    src: &'w [u8],
    out: &'w mut BitWriter<'d>,
}

impl Task for WriteBlocks<'_, '_> {
    type Output = Option<()>;

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> Option<()> {
        match self.method {
            Method::Parts(parts) => parts.encode(self.src, self.codes, self.out),
            Method::Blocks(blocks) => blocks.encode(self.src, self.codes, self.out),
        }
    }
}
