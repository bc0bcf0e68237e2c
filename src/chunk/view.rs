//! A chunk looked at without decoding it: the header, the table of blocks and where they lie.
//!
//! ```text
//! header | bstarts: nblocks x 4 | dictionary: 4 + n, if flagged | blocks, in any order
//! ```
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use std::ops::Range;

use super::fields::Fields;
use super::header::ChunkHeader;
use super::special::{Special, SpecialKind};
use crate::error::{Error, Missing, Part, Result};
use crate::limits::Limits;
use crate::stream::{CSIZE_LEN, Stream, StreamCursor};

/// The size of one block offset in bytes.
pub(crate) const BSTART_LEN: usize = 4;
/// The largest dictionary, in bytes (format §1.7).
pub(crate) const MAX_DICT: usize = 32_768;

/// What follows the header of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    /// At most the repeated value.
    Special(SpecialKind),
    /// The data itself, from this byte on.
    Memcpyed(usize),
    /// Blocks of one size, the last one possibly shorter.
    Blocks,
    /// Blocks with a size of their own each.
    VlBlocks,
}

/// Where the parts of a chunk lie. Made from the header, the block offsets and the dictionary;
/// the blocks themselves need not be there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    pub(crate) header: Fields,
    pub(crate) body: Body,
    /// The uncompressed size in bytes.
    pub(crate) nbytes: usize,
    /// The compressed size in bytes.
    pub(crate) cbytes: usize,
    /// The block size that the data is really cut by, in bytes, at least 1. Without a meaning
    /// for variable-length blocks.
    pub(crate) blocksize: usize,
    pub(crate) nblocks: usize,
    /// Whether whole blocks are split.
    pub(crate) split: bool,
    dict: Option<(usize, usize)>,
    /// The least offset that a block may have.
    blocks_at: usize,
}

impl Layout {
    /// Reads the front of a chunk with this header: `bytes` may end behind the dictionary.
    #[inline(always)]
    pub(crate) fn parse(bytes: &[u8], header: Fields) -> Result<Self> {
        let nbytes = header.nbytes as usize;
        let cbytes = header.cbytes as usize;
        let body = match header.special_kind()? {
            Some(kind) => Body::Special(kind),
            None if header.is_vlblocks() => Body::VlBlocks,
            None if header.is_memcpyed() => Body::Memcpyed(header.memcpyed_at()),
            None => Body::Blocks,
        };
        let blocksize = (header.blocksize as usize).min(nbytes.max(1));
        let nblocks = match body {
            Body::VlBlocks => header.blocksize as usize,
            _ => nbytes.div_ceil(blocksize),
        };
        let mut layout = Self {
            header,
            body,
            nbytes,
            cbytes,
            blocksize,
            nblocks,
            split: header.is_split(),
            dict: None,
            blocks_at: header.len(),
        };
        match body {
            Body::Blocks | Body::VlBlocks => {
                if header.is_instrumented() {
                    return Err(Error::Unsupported {
                        part: Part::ChunkHeader,
                        offset: 31,
                        what: Missing::Feature("the report of an instrumented codec"),
                    });
                }
                layout.repair(bytes);
                layout.find_blocks(bytes)?;
                layout.check_split()?;
            }
            Body::Special(_) | Body::Memcpyed(_) => {}
        }
        Ok(layout)
    }

    /// The block size that a chunk was really cut by, where its header says another.
    ///
    /// C-Blosc2 3.x cuts by whole items when a block size is asked for, but writes the size asked
    /// for (format §14, item 1). The number of block offsets tells: the first block begins right
    /// behind them.
    fn repair(&mut self, bytes: &[u8]) {
        let typesize = usize::from(self.header.typesize);
        let rest = remainder(self.blocksize, typesize);
        if rest == 0 || self.blocksize <= typesize || self.body != Body::Blocks {
            return;
        }
        let blocksize = self.blocksize.saturating_sub(rest);
        let cut = Self {
            blocksize,
            nblocks: self.nbytes.div_ceil(blocksize),
            ..*self
        };
        let begins_at_first_block = |layout: &Self| {
            let mut layout = *layout;
            layout.find_blocks(bytes).is_ok()
                && (0..layout.nblocks)
                    .filter_map(|block| layout.bstart(bytes, block).ok())
                    .min()
                    .is_some_and(|least| usize::try_from(least) == Ok(layout.blocks_at))
        };
        if begins_at_first_block(&cut) {
            *self = cut;
        }
    }

    /// Refuses split blocks that are no whole number of items: their streams would not hold the
    /// rest of the block.
    fn check_split(&self) -> Result<()> {
        let typesize = usize::from(self.header.typesize);
        if self.split && self.nblocks > 0 && remainder(self.blocksize, typesize) != 0 {
            let rule = "a block that is split must be a whole number of items";
            return Err(Error::broken(Part::ChunkHeader, 8, rule));
        }
        Ok(())
    }

    /// Checks that the block offsets and the dictionary are there, and finds the dictionary.
    fn find_blocks(&mut self, bytes: &[u8]) -> Result<()> {
        let at = self.header.len();
        let table = self.nblocks.saturating_mul(BSTART_LEN);
        let limit = self.cbytes.min(bytes.len());
        let end = at.saturating_add(table);
        if end > limit {
            return Err(truncated(Part::Bstarts, at, table, limit));
        }
        self.blocks_at = end;
        self.dict = None;
        if !self.header.has_dict() {
            return Ok(());
        }
        let Some(size) = bytes
            .get(end..limit)
            .and_then(|bytes| bytes.first_chunk::<4>())
        else {
            return Err(truncated(Part::Dictionary, end, 4, limit));
        };
        let size = i32::from_le_bytes(*size);
        let Some(len) = usize::try_from(size)
            .ok()
            .filter(|&len| len > 0 && len <= MAX_DICT)
        else {
            return Err(Error::out_of_range(
                Part::Dictionary,
                end as u64,
                "dictionary size",
                size,
                1,
                MAX_DICT,
            ));
        };
        let dict_at = end.saturating_add(4);
        let dict_end = dict_at.saturating_add(len);
        if dict_end > limit {
            return Err(truncated(Part::Dictionary, dict_at, len, limit));
        }
        self.dict = Some((dict_at, len));
        self.blocks_at = dict_end;
        Ok(())
    }

    /// The dictionary, where there is one.
    pub(crate) fn dict<'a>(&self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let (at, len) = self.dict?;
        bytes.get(at..at.saturating_add(len))
    }

    /// A block offset as stored.
    fn bstart(&self, bytes: &[u8], block: usize) -> Result<i64> {
        let at = self.bstart_at(block);
        match bytes.get(at..).and_then(|bytes| bytes.first_chunk::<4>()) {
            Some(start) => Ok(i32::from_le_bytes(*start).into()),
            None => Err(truncated(Part::Bstarts, at, BSTART_LEN, bytes.len())),
        }
    }

    /// Where the offset of a block is stored.
    fn bstart_at(&self, block: usize) -> usize {
        block
            .saturating_mul(BSTART_LEN)
            .saturating_add(self.header.len())
    }

    /// Where a block lies: behind the tables, with room for one stream prefix at least.
    pub(crate) fn block_at(&self, bytes: &[u8], block: usize) -> Result<usize> {
        let start = self.bstart(bytes, block)?;
        let max = self.cbytes.saturating_sub(CSIZE_LEN);
        match usize::try_from(start) {
            Ok(at) if at >= self.blocks_at && at <= max => Ok(at),
            _ => Err(Error::out_of_range(
                Part::Bstarts,
                self.bstart_at(block) as u64,
                "block offset",
                start,
                self.blocks_at,
                max,
            )),
        }
    }

    /// Where a variable-length block lies: up to the next one, or to the end of the chunk.
    pub(crate) fn vlblock_span(&self, bytes: &[u8], block: usize) -> Result<Range<usize>> {
        let at = self.block_at(bytes, block)?;
        let next = block.saturating_add(1);
        let end = if next < self.nblocks {
            self.block_at(bytes, next)?
        } else {
            self.cbytes
        };
        // The size of the block, and at least one byte of data.
        let min = at.saturating_add(CSIZE_LEN).saturating_add(1);
        if end < min {
            return Err(Error::out_of_range(
                Part::Bstarts,
                self.bstart_at(block) as u64,
                "block offset",
                at,
                self.blocks_at,
                end.saturating_sub(CSIZE_LEN).saturating_sub(1),
            ));
        }
        Ok(at..end)
    }

    /// The length of a block in bytes, uncompressed.
    pub(crate) fn block_len(&self, block: usize) -> usize {
        let start = block.saturating_mul(self.blocksize);
        self.nbytes.saturating_sub(start).min(self.blocksize)
    }

    /// The number of streams that a block of `len` bytes has.
    pub(crate) fn nstreams(&self, len: usize) -> usize {
        if self.split && len == self.blocksize {
            self.header.typesize.into()
        } else {
            1
        }
    }
}

/// What is left of `len` behind whole items; most typesizes are powers of two.
#[inline]
fn remainder(len: usize, typesize: usize) -> usize {
    let mask = typesize.wrapping_sub(1);
    if typesize & mask == 0 {
        len & mask
    } else {
        len.checked_rem(typesize).unwrap_or(0)
    }
}

#[cold]
fn truncated(part: Part, offset: usize, needed: usize, limit: usize) -> Error {
    Error::Truncated {
        part,
        offset: offset as u64,
        needed: needed as u64,
        available: limit.saturating_sub(offset) as u64,
    }
}

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
    /// Takes the chunk at the front of `bytes` apart.
    #[inline(always)]
    pub(crate) fn open(bytes: &'a [u8]) -> Result<Self> {
        // The header first: what is missing is better told by the sizes it states.
        let header = Fields::parse(bytes)?;
        let cbytes = header.cbytes as usize;
        let Some(bytes) = bytes.get(..cbytes) else {
            return Err(truncated(Part::Payload, 0, cbytes, bytes.len()));
        };
        let layout = Layout::parse(bytes, header)?;
        Ok(Self {
            bytes,
            layout,
            streams: bytes,
            streams_at: 0,
        })
    }

    /// Takes apart a chunk of which only the front is there, up to the blocks, and some blocks: the
    /// bytes that begin at `at`. Streams that claim to go on behind these are cut off.
    #[cfg(feature = "frame")]
    pub(crate) fn in_parts(front: &'a [u8], blocks: &'a [u8], at: usize) -> Result<Self> {
        let layout = Layout::parse(front, Fields::parse(front)?)?;
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
            Body::Blocks => {
                for block in 0..layout.nblocks {
                    let at = layout.block_at(self.bytes, block)?;
                    let mut cursor = self.cursor(at);
                    let len = layout.block_len(block);
                    let nstreams = layout.nstreams(len);
                    for _ in 0..nstreams {
                        let len = len.checked_div(nstreams).unwrap_or(0);
                        let _: Stream<'_> = cursor.next(len)?;
                    }
                }
                Ok(())
            }
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
    /// [`Error::Truncated`], [`Error::Corrupt`] or [`Error::Unsupported`] with the part and the
    /// place; [`Error::LimitExceeded`] when it claims more than
    /// [`max_chunk_nbytes`](Limits::max_chunk_nbytes).
    pub fn parse(bytes: &'a [u8], limits: &Limits) -> Result<Self> {
        let chunk = Parsed::open(bytes)?;
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
    /// [`Error::OutOfBounds`] when there is no such block, [`Error::Refused`] for a chunk of
    /// another kind, [`Error::Corrupt`] when the block is damaged.
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

    /// Walks the prefix of every stream without decoding one (format §2.3).
    ///
    /// # Errors
    /// [`Error::Truncated`] or [`Error::Corrupt`] for the first stream that is not whole.
    pub fn check_streams(&self) -> Result<()> {
        self.chunk.check_streams()
    }
}
