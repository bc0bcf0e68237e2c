//! Decoder of zlib streams (RFC 1950 and 1951).
//!
//! ```text
//! zlib stream    CMF FLG | block | block | ... | last block | Adler-32, big-endian
//! block          last? kind | stored bytes, or code lengths and codes, starting with low bits
//! code           a literal byte, or a length and then a distance, or the end of the block
//! ```
//!
//! Streams of shuffled numbers are often a hundred times shorter than their content, above all at
//! their ends, where the high bytes are: long consecutive matches at distances of a few bytes.
//! libdeflate copies those in steps of the distance, and byte by byte for the last 32 bytes of a
//! stream, which then represent many kilobytes. Here they are copied in steps of 32 bytes to the
//! end (`copy::copy_match`). And this decoder can stop at any byte, for readers that need only the
//! front of a stream.
//!
//! Decoding speed on streams of zlib-ng level 5, as a multiple of zlib-ng's own (medians of paired
//! runs on one core of a Zen 5, streams of 32 KiB and 256 KiB):
//!
//! | content | this | libdeflate |
//! |---|---|---|
//! | ramps and grids, shuffled, 18 to 220 times smaller | 0.98–1.24 | 0.08–0.77 |
//! | timestamps and images, shuffled, 4 to 6 times smaller | 0.97–1.05 | 0.12–0.99 |
//! | records, text, categories, 2 to 9 times smaller | 0.92–1.13 | 1.10–1.45 |
//!
//! An entry is looked up before its predecessor is written, and kinds are bits to test: 0.91 of
//! libdeflate's speed on literals and 0.88 on short matches, where looking up afterwards gave 0.85
//! and 0.80 (medians over planes of real and made arrays). Where literals have short codes, an
//! entry holds two of them: 1.2 to 1.4 times as fast on bytes that compress by their frequencies
//! alone (deltas, images), 1.03 in the mean over the streams of the matrix. Where they are very
//! short, a second table has up to four literals per entry: 1.7 times as fast on masks. Both tables
//! take time to build, and are for long blocks.
#![deny(clippy::indexing_slicing)]

mod bits;
mod codes;
pub(in crate::codecs) mod copy;
mod entry;
mod lens;
mod many;
mod run;
mod table;

use core::fmt;

use super::lz;
use super::{DecodeError, DecodeErrorKind};
use crate::Kernels;
use bits::Bits;
use codes::Codes;
use run::{DecodeSymbols, LONG};

const FORMAT: &str = "zlib";

/// A decoder of zlib streams. It owns its tables and reuses them from stream to stream.
///
/// ```
/// use oxiblosc_kernels::{Kernels, inflate::Inflate};
///
/// // A stored block of three bytes.
/// let stream = *b"\x78\x01\x01\x03\x00\xfc\xffabc\x02\x4d\x01\x27";
/// let mut dst = [0; 3];
/// assert_eq!(Inflate::new(Kernels::best()).decode(&stream, &mut dst), Ok((3, 0x024D_0127)));
/// assert_eq!(dst, *b"abc");
/// ```
pub struct Inflate {
    kernels: Kernels,
    codes: Codes,
}

impl fmt::Debug for Inflate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inflate").finish_non_exhaustive()
    }
}

impl Inflate {
    /// Makes a decoder. It allocates its tables, 20 KiB, and 16 KiB more for the first block
    /// with very short codes.
    #[must_use]
    pub fn new(kernels: Kernels) -> Self {
        Self {
            kernels,
            codes: Codes::new(),
        }
    }

    /// Decodes the whole stream into the front of `dst` and returns the length of the content in
    /// bytes and the Adler-32 checksum that the stream holds, which the caller compares with
    /// [`Kernels::adler32`]. Bytes after the stream are ignored.
    ///
    /// The length of `dst` is the output limit; bytes after the content may be overwritten.
    ///
    /// # Errors
    /// When the stream is invalid or truncated, needs a preset dictionary, or does not fit.
    pub fn decode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(usize, u32), DecodeError> {
        let mut bits = Bits::new(src);
        let decoded = self.content(&mut bits, dst);
        decoded.map_err(|kind| DecodeError::new(FORMAT, bits.offset(), kind))
    }

    /// Decodes the front of the stream until `dst` is full, and returns the number of bytes, which
    /// is less than the length of `dst` only when the content is. The checksum is ignored.
    ///
    /// # Errors
    /// When the stream is invalid or truncated before that point.
    pub fn decode_prefix(&mut self, src: &[u8], dst: &mut [u8]) -> Result<usize, DecodeError> {
        let mut bits = Bits::new(src);
        match self.blocks(&mut bits, dst) {
            Ok((produced, _)) => Ok(produced),
            Err(kind) => Err(DecodeError::new(FORMAT, bits.offset(), kind)),
        }
    }

    /// Decodes the whole content and reads the checksum after it.
    fn content(
        &mut self,
        bits: &mut Bits<'_>,
        dst: &mut [u8],
    ) -> Result<(usize, u32), DecodeErrorKind> {
        let (produced, ended) = self.blocks(bits, dst)?;
        if !ended {
            return Err(DecodeErrorKind::Overflow {
                needed: 1,
                available: dst.len() - produced,
            });
        }
        let checksum = bits.take_bytes(4)?.iter();
        let checksum = checksum.fold(0, |sum, &byte| sum << 8 | u32::from(byte));
        Ok((produced, checksum))
    }

    /// Decodes until the last block ends (true) or `dst` is full and more follows (false).
    fn blocks(
        &mut self,
        bits: &mut Bits<'_>,
        dst: &mut [u8],
    ) -> Result<(usize, bool), DecodeErrorKind> {
        header(bits)?;
        let mut produced = 0;
        let mut long = false;
        loop {
            let start = bits.offset();
            bits.refill();
            let last = bits.take(1)? == 1;
            let kind = bits.take(2)?;
            let ended = if kind == 0 {
                stored(bits, dst, &mut produced)?
            } else {
                match kind {
                    1 => self.codes.set_fixed(),
                    2 => self.codes.read(bits, long)?,
                    _ => {
                        return Err(DecodeErrorKind::invalid(
                            "block header: expected kind 0 to 2, found kind 3",
                        ));
                    }
                }
                let symbols = DecodeSymbols {
                    codes: &mut self.codes,
                    bits,
                    dst,
                    produced: &mut produced,
                };
                lz::run_256(self.kernels, symbols)?
            };
            if !ended {
                return Ok((produced, false));
            }
            // The next block is probably as long.
            long = bits.offset() - start >= LONG;
            if last {
                bits.align();
                return Ok((produced, true));
            }
        }
    }
}

/// Reads the two bytes before the blocks.
fn header(bits: &mut Bits<'_>) -> Result<(), DecodeErrorKind> {
    bits.refill();
    let method = bits.take(8)?;
    let flags = bits.take(8)?;
    if (method * 256 + flags) % 31 != 0 {
        return Err(DecodeErrorKind::invalid(
            "header: expected a multiple of 31, found other check bits",
        ));
    }
    if method & 15 != 8 || method >> 4 > 7 {
        return Err(DecodeErrorKind::invalid(
            "header: expected deflate with a window of at most 32 KiB, found another method",
        ));
    }
    if flags & 32 != 0 {
        return Err(DecodeErrorKind::invalid(
            "header: expected no dictionary, found a preset dictionary",
        ));
    }
    Ok(())
}

/// Copies a stored block: true at its end, false when `dst` is full before.
fn stored(
    bits: &mut Bits<'_>,
    dst: &mut [u8],
    produced: &mut usize,
) -> Result<bool, DecodeErrorKind> {
    bits.align();
    bits.refill();
    let len = bits.take(16)?;
    if len ^ bits.take(16)? != 0xFFFF {
        return Err(DecodeErrorKind::invalid(
            "stored block: expected a length and its complement, found other two lengths",
        ));
    }
    let from = bits.take_bytes(len)?;
    let to = dst.get_mut(*produced..).unwrap_or_default();
    let fits = len.min(to.len());
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
    }
    *produced += fits;
    Ok(fits == len)
}
