//! A chunk inspected without decoding it.
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use std::fmt;

use super::header::ChunkHeader;
use super::layout::Payload;
use super::parsed::Parsed;
use super::special::Special;
use super::vlblocks;
use crate::error::Result;
use crate::limits::Limits;
use crate::num::to_u64;

/// A chunk whose header, sizes and block offsets are checked, borrowed from its bytes.
///
/// ```
/// use oxiblosc::{compress, CParams, ChunkView, Limits};
/// let chunk = compress(&[1, 2, 3, 4].repeat(1000), &CParams::new(4))?;
/// let view = ChunkView::parse(&chunk, &Limits::UNTRUSTED)?;
/// assert_eq!((view.nbytes(), view.nitems(), view.nblocks()), (4000, 1000, 1));
/// view.check_streams()?;
/// # Ok::<(), oxiblosc::Error>(())
/// ```
#[doc(alias = "blosc2_cbuffer_sizes")]
#[doc(alias = "blosc1_cbuffer_validate")]
#[derive(Clone, Copy)]
pub struct ChunkView<'a> {
    chunk: Parsed<'a>,
    header: ChunkHeader,
}

impl fmt::Debug for ChunkView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ChunkView").field(&self.header).finish()
    }
}

impl<'a> ChunkView<'a> {
    /// Checks the chunk at the front of `bytes`, which may continue after it
    /// ([format §2.1](crate::format#2.1)).
    ///
    /// # Errors
    /// [`Truncated`], [`Corrupt`] or [`Unsupported`](crate::Error::Unsupported) with the part and
    /// the place; [`LimitExceeded`](crate::Error::LimitExceeded) when it claims more than
    /// [`max_chunk_nbytes`](Limits::max_chunk_nbytes).
    ///
    /// [`Truncated`]: crate::Error::Truncated
    /// [`Corrupt`]: crate::Error::Corrupt
    pub fn parse(bytes: &'a [u8], limits: &Limits) -> Result<Self> {
        let mut chunk = Parsed::unread(bytes);
        chunk.read()?;
        limits.check_chunk(to_u64(chunk.nbytes()), Some(4))?;
        chunk.check_blocks()?;
        let header = chunk.header();
        Ok(Self { chunk, header })
    }

    /// A chunk that an encoder of this crate has just made: its header is read, and nothing is
    /// checked beyond it.
    #[cfg(feature = "frame")]
    pub(crate) fn of_encoded(bytes: &'a [u8]) -> Result<Self> {
        let mut chunk = Parsed::unread(bytes);
        chunk.read()?;
        let header = chunk.header();
        Ok(Self { chunk, header })
    }

    /// The header, as stored.
    pub fn header(&self) -> &ChunkHeader {
        &self.header
    }

    /// The bytes of the chunk, exactly `cbytes` of them.
    pub fn as_bytes(&self) -> &'a [u8] {
        self.chunk.as_bytes()
    }

    /// The uncompressed size in bytes.
    pub fn nbytes(&self) -> usize {
        self.chunk.nbytes()
    }

    /// The number of whole items of the stored typesize.
    pub fn nitems(&self) -> usize {
        self.chunk.nitems()
    }

    /// The number of blocks.
    #[doc(alias = "blosc2_vlchunk_get_nblocks")]
    pub fn nblocks(&self) -> usize {
        self.chunk.nblocks()
    }

    /// The size in bytes that the data is cut by, the last block possibly being shorter. `None`
    /// for variable-length blocks.
    pub fn blocksize(&self) -> Option<usize> {
        let layout = self.chunk.layout();
        (layout.payload != Payload::VlBlocks).then_some(layout.blocksize)
    }

    /// The uncompressed length in bytes of one variable-length block.
    ///
    /// # Errors
    /// [`OutOfBounds`](crate::Error::OutOfBounds) when there is no such block,
    /// [`Refused`](crate::Error::Refused) for a chunk of another kind,
    /// [`Corrupt`](crate::Error::Corrupt) when the block is damaged.
    pub fn vlblock_len(&self, index: usize) -> Result<usize> {
        vlblocks::len_of(&self.chunk, index)
    }

    /// The special value that this chunk stands for, if it is one ([format §4](crate::format#4)).
    pub fn special(&self) -> Option<Special<'a>> {
        self.chunk.special()
    }

    /// The dictionary that the streams are coded with, if there is one
    /// ([format §7.3](crate::format#7.3)).
    pub fn dict(&self) -> Option<&'a [u8]> {
        self.chunk.dict()
    }

    /// The data of a memcpyed chunk ([format §2.6](crate::format#2.6)).
    pub fn memcpyed(&self) -> Option<&'a [u8]> {
        self.chunk.memcpyed()
    }

    /// The end of the streams of a block, or of a variable-length block, by their prefixes.
    #[cfg(feature = "frame")]
    pub(crate) fn block_end(&self, block: usize) -> Result<usize> {
        match self.chunk.layout().payload {
            Payload::VlBlocks => {
                let span = self
                    .chunk
                    .layout()
                    .vlblock_span(self.chunk.as_bytes(), block);
                span.map(|span| span.end)
            }
            _ => self.chunk.walk(block),
        }
    }

    /// Walks the prefix of every stream without decoding one ([format §2.3](crate::format#2.3)).
    ///
    /// # Errors
    /// [`Truncated`](crate::Error::Truncated) or [`Corrupt`](crate::Error::Corrupt) for the first
    /// stream that is not whole.
    pub fn check_streams(&self) -> Result<()> {
        let layout = self.chunk.layout();
        match layout.payload {
            Payload::Special(_) | Payload::Memcpyed(_) => Ok(()),
            Payload::Blocks => {
                (0..layout.nblocks).try_for_each(|block| self.chunk.walk(block).map(|_| ()))
            }
            Payload::VlBlocks => vlblocks::lens(&self.chunk).try_for_each(|len| len.map(|_| ())),
        }
    }
}
