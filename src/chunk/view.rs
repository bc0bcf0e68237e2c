//! A chunk looked at without decoding it.
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

#[cfg(feature = "frame")]
use super::fields::Fields;
use super::header::ChunkHeader;
use super::layout::{Body, Layout, truncated};
use super::special::{Special, SpecialKind};
use crate::error::{Part, Result};
use crate::limits::Limits;
use crate::stream::{Stream, StreamCursor};

/// A chunk that is taken apart: what decoding works on. Block offsets are looked at one by one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parsed<'a> {
    bytes: &'a [u8],
    layout: Layout,
    /// What streams are read from: the chunk itself, or those blocks of it that are there.
    streams: &'a [u8],
    /// Where that begins in the chunk.
    streams_at: usize,
}

impl<'a> Parsed<'a> {
    /// The chunk at the front of `bytes`, of which nothing is known before it is [read](Self::read).
    /// In two steps, as it stays where it is read to: see `Fields`.
    #[inline(always)]
    pub(crate) fn unread(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            layout: Layout::UNREAD,
            streams: &[],
            streams_at: 0,
        }
    }

    /// Takes the chunk apart.
    pub(crate) fn read(&mut self) -> Result<()> {
        // The header first: what is missing is better told by the sizes it states.
        self.layout.header.read(self.bytes)?;
        let cbytes = self.layout.header.cbytes as usize;
        let Some(bytes) = self.bytes.get(..cbytes) else {
            return Err(truncated(Part::Payload, 0, cbytes, self.bytes.len()));
        };
        self.bytes = bytes;
        self.streams = bytes;
        self.layout.read(bytes)
    }

    /// Takes apart a chunk of which only the front is there, up to the blocks, and some blocks: the
    /// bytes that begin at `at`. Streams that claim to go on behind these are cut off.
    #[cfg(feature = "frame")]
    pub(crate) fn in_parts(front: &'a [u8], blocks: &'a [u8], at: usize) -> Result<Self> {
        let mut layout = Layout::UNREAD;
        layout.header = Fields::parse(front)?;
        layout.read(front)?;
        Ok(Self {
            bytes: front,
            layout,
            streams: blocks,
            streams_at: at,
        })
    }

    /// The bytes of the chunk, exactly `cbytes` of them, or its front.
    pub(crate) fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Where the parts lie.
    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The uncompressed size in bytes.
    pub(crate) fn nbytes(&self) -> usize {
        self.layout.nbytes
    }

    /// The number of whole items of the stored typesize.
    pub(crate) fn nitems(&self) -> usize {
        self.layout
            .nbytes
            .checked_div(usize::from(self.layout.header.typesize))
            .unwrap_or(0)
    }

    /// The number of blocks.
    pub(crate) fn nblocks(&self) -> u32 {
        u32::try_from(self.layout.nblocks).unwrap_or(u32::MAX)
    }

    /// The special value that this chunk stands for, if it is one.
    pub(crate) fn special(&self) -> Option<Special<'a>> {
        let Body::Special(kind) = self.layout.body else {
            return None;
        };
        Some(match kind {
            SpecialKind::Zeros => Special::Zeros,
            SpecialKind::Nans => Special::Nans,
            SpecialKind::Uninit => Special::Uninit,
            SpecialKind::Repeat => {
                Special::Repeat(self.bytes.get(self.layout.header.len()..).unwrap_or(&[]))
            }
        })
    }

    /// The data of a memcpyed chunk.
    pub(crate) fn memcpyed(&self) -> Option<&'a [u8]> {
        let Body::Memcpyed(at) = self.layout.body else {
            return None;
        };
        self.bytes.get(at..at.saturating_add(self.layout.nbytes))
    }

    /// The dictionary that the streams are coded with, if there is one.
    pub(crate) fn dict(&self) -> Option<&'a [u8]> {
        self.layout.dict(self.bytes)
    }

    /// A cursor over the streams from byte `at` of the chunk on.
    pub(crate) fn cursor(&self, at: usize) -> StreamCursor<'a> {
        let streams = at
            .checked_sub(self.streams_at)
            .and_then(|skip| self.streams.get(skip..));
        StreamCursor::new(streams.unwrap_or(&[]), at as u64)
    }

    /// Walks the prefixes of the streams of a block, and returns where the last one ends.
    fn walk(&self, block: usize) -> Result<usize> {
        let layout = &self.layout;
        let mut cursor = self.cursor(layout.block_at(self.bytes, block)?);
        let len = layout.block_len(block);
        let nstreams = layout.nstreams(len);
        for _ in 0..nstreams {
            let len = len.checked_div(nstreams).unwrap_or(0);
            let _: Stream<'_> = cursor.next(len)?;
        }
        Ok(self.bytes.len().saturating_sub(cursor.left()))
    }

    /// Looks at the offset of every block.
    fn check_blocks(&self) -> Result<()> {
        let mut blocks = 0..self.layout.nblocks;
        match self.layout.body {
            Body::Special(_) | Body::Memcpyed(_) => Ok(()),
            Body::Blocks => {
                blocks.try_for_each(|block| self.layout.block_at(self.bytes, block).map(|_| ()))
            }
            Body::VlBlocks => {
                blocks.try_for_each(|block| self.layout.vlblock_span(self.bytes, block).map(|_| ()))
            }
        }
    }

    /// Walks the prefix of every stream.
    fn check_streams(&self) -> Result<()> {
        let layout = &self.layout;
        match layout.body {
            Body::Special(_) | Body::Memcpyed(_) => Ok(()),
            Body::Blocks => (0..layout.nblocks).try_for_each(|block| self.walk(block).map(|_| ())),
            Body::VlBlocks => super::vlblocks::lens(self).try_for_each(|len| len.map(|_| ())),
        }
    }
}

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
#[derive(Clone, Copy, Debug)]
pub struct ChunkView<'a> {
    chunk: Parsed<'a>,
    header: ChunkHeader,
}

impl<'a> ChunkView<'a> {
    /// Checks the chunk at the front of `bytes`, which may go on behind it (format §2.1).
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
        limits.check_chunk(chunk.nbytes() as u64, Some(4))?;
        chunk.check_blocks()?;
        let header = ChunkHeader::of(&chunk.layout.header, bytes);
        Ok(Self { chunk, header })
    }

    /// The header, as stored.
    pub fn header(&self) -> &ChunkHeader {
        &self.header
    }

    /// The bytes of the chunk, exactly `cbytes` of them.
    pub fn as_bytes(&self) -> &'a [u8] {
        self.chunk.bytes
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
    pub fn nblocks(&self) -> u32 {
        self.chunk.nblocks()
    }

    /// The size in bytes that the data is cut by, the last block possibly being shorter. `None`
    /// for variable-length blocks.
    pub fn blocksize(&self) -> Option<usize> {
        let layout = &self.chunk.layout;
        (layout.body != Body::VlBlocks).then_some(layout.blocksize)
    }

    /// The uncompressed length in bytes of one variable-length block.
    ///
    /// # Errors
    /// [`OutOfBounds`](crate::Error::OutOfBounds) when there is no such block,
    /// [`Refused`](crate::Error::Refused) for a chunk of another kind,
    /// [`Corrupt`](crate::Error::Corrupt) when the block is damaged.
    pub fn vlblock_len(&self, index: u32) -> Result<usize> {
        super::vlblocks::len_of(&self.chunk, index)
    }

    /// The special value that this chunk stands for, if it is one (format §4).
    pub fn special(&self) -> Option<Special<'a>> {
        self.chunk.special()
    }

    /// The dictionary that the streams are coded with, if there is one (format §7.3).
    pub fn dict(&self) -> Option<&'a [u8]> {
        self.chunk.dict()
    }

    /// The data of a memcpyed chunk (format §2.6).
    pub fn memcpyed(&self) -> Option<&'a [u8]> {
        self.chunk.memcpyed()
    }

    /// Where the streams of a block end, or a block of variable length, by what they say.
    #[cfg(feature = "frame")]
    pub(crate) fn block_end(&self, block: usize) -> Result<usize> {
        match self.chunk.layout.body {
            Body::VlBlocks => {
                let span = self.chunk.layout.vlblock_span(self.chunk.bytes, block);
                span.map(|span| span.end)
            }
            _ => self.chunk.walk(block),
        }
    }

    /// Walks the prefix of every stream without decoding one (format §2.3).
    ///
    /// # Errors
    /// [`Truncated`](crate::Error::Truncated) or [`Corrupt`](crate::Error::Corrupt) for the first
    /// stream that is not whole.
    pub fn check_streams(&self) -> Result<()> {
        self.chunk.check_streams()
    }
}
