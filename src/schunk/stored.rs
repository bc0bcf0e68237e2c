//! Chunks as they are stored: bytes, or a special value without bytes.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use super::layout::ChunkLayout;
use super::ranges::{check_range, decode_bytes_into, decode_ranges_into, fill_ranges};
use super::special::{decode_special, special_header};
use crate::chunk::{ChunkDecoder, ChunkHeader, Special};
use crate::error::Result;
use crate::num::saturating_usize;

/// A chunk as stored in a super-chunk.
#[non_exhaustive]
#[derive(Clone)]
pub enum StoredChunk<'a> {
    /// The bytes of a chunk.
    Bytes(Cow<'a, [u8]>),
    /// A special value that is stored without bytes: zeros, NaN or uninitialised.
    Special {
        /// The value.
        special: Special<'static>,
        /// The uncompressed size in bytes.
        nbytes: usize,
    },
}

impl fmt::Debug for StoredChunk<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(chunk) => write!(f, "Bytes({} bytes)", chunk.len()),
            Self::Special { special, nbytes } => f
                .debug_struct("Special")
                .field("special", special)
                .field("nbytes", nbytes)
                .finish(),
        }
    }
}

impl<'a> StoredChunk<'a> {
    /// The uncompressed size in bytes, from the header of the chunk.
    ///
    /// # Errors
    /// When the header is damaged.
    pub fn nbytes(&self) -> Result<usize> {
        match self {
            Self::Special { nbytes, .. } => Ok(*nbytes),
            Self::Bytes(chunk) => Ok(saturating_usize(ChunkHeader::parse(chunk)?.nbytes)),
        }
    }

    /// The bytes of the chunk; for a special value, those that C uses for it in a super-chunk of
    /// this layout.
    ///
    /// ```
    /// use oxiblosc::{CParams, ChunkSource, SChunk, Special, decompress};
    /// # fn main() -> oxiblosc::Result<()> {
    /// let mut schunk = SChunk::new(CParams::new(4), 400)?;
    /// schunk.append_special(Special::Zeros, 400)?;
    /// let bytes = schunk.chunk(0)?.into_bytes(&schunk.layout());
    /// assert_eq!((bytes.len(), decompress(&bytes)?), (32, vec![0; 400]));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn into_bytes(self, layout: &ChunkLayout) -> Cow<'a, [u8]> {
        match self {
            Self::Bytes(chunk) => chunk,
            Self::Special { special, nbytes } => {
                let header = special_header(special, layout.typesize, layout.blocksize, nbytes);
                Cow::Owned(header.to_vec())
            }
        }
    }

    /// Decodes bytes of the chunk into the front of `dst` and returns their number.
    pub(crate) fn decode_bytes_into(
        &self,
        decoder: &mut ChunkDecoder,
        layout: &ChunkLayout,
        bytes: Range<usize>,
        dst: &mut [u8],
    ) -> Result<usize> {
        match self {
            &Self::Special { special, nbytes } => {
                check_range(&bytes, nbytes)?;
                let sizes = (layout.typesize, layout.blocksize);
                let range = (bytes.start, bytes.end);
                decode_special(decoder, special, sizes, nbytes, range, dst)
            }
            Self::Bytes(chunk) => decode_bytes_into(decoder, chunk, bytes, dst),
        }
    }

    /// Decodes ranges of bytes of the chunk, in order, into the front of `dst` and returns their
    /// number.
    pub(crate) fn decode_ranges_into(
        &self,
        decoder: &mut ChunkDecoder,
        layout: &ChunkLayout,
        ranges: &[Range<usize>],
        dst: &mut [u8],
    ) -> Result<usize> {
        match self {
            &Self::Special { special, nbytes } => fill_ranges(ranges, nbytes, dst, |range, dst| {
                let sizes = (layout.typesize, layout.blocksize);
                let range = (range.start, range.end);
                decode_special(decoder, special, sizes, nbytes, range, dst)
            }),
            Self::Bytes(chunk) => decode_ranges_into(decoder, chunk, ranges, dst),
        }
    }
}
