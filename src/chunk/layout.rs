//! The positions of the parts of a chunk.
//!
//! ```text
//! header | bstarts: nblocks x 4 | dictionary: 4 + n, if flagged | blocks, in any order
//! ```
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use std::ops::Range;

use super::header::ChunkHeader;
use super::special::SpecialKind;
use super::tune::remainder;
use crate::error::{Error, Missing, Part, Result};
use crate::stream::CSIZE_LEN;

/// The size of one block offset in bytes.
pub(crate) const BSTART_LEN: usize = 4;

/// The block offsets in the bytes of their table, as stored.
#[inline]
pub(crate) fn bstarts(table: &[u8]) -> impl ExactSizeIterator<Item = i32> + Clone {
    let (entries, _) = table.as_chunks::<BSTART_LEN>();
    entries.iter().map(|&entry| i32::from_le_bytes(entry))
}

/// The end of the table of `nblocks` block offsets, which follows a header of `header_len` bytes.
#[inline]
pub(crate) fn bstarts_end(header_len: usize, nblocks: usize) -> Option<usize> {
    nblocks.checked_mul(BSTART_LEN)?.checked_add(header_len)
}

/// The largest dictionary, in bytes ([format §1.7](crate::format#1.7)).
const MAX_DICT: usize = 32_768;

/// The content after the header of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Payload {
    /// At most the repeated value.
    Special(SpecialKind),
    /// The data itself, from this byte on.
    Memcpyed(usize),
    /// Blocks of one size, the last one possibly shorter.
    Blocks,
    /// Blocks with individual lengths.
    VlBlocks,
}

/// The positions of the parts of a chunk, computed from the header, the block offsets and the
/// dictionary; the blocks themselves are not needed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// The header without its filters: see [`ChunkHeader::stored_filters`].
    pub(crate) header: ChunkHeader,
    pub(crate) payload: Payload,
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
    /// No header yet.
    pub(crate) const UNREAD: Self = Self {
        header: ChunkHeader::UNREAD,
        payload: Payload::Blocks,
        nbytes: 0,
        cbytes: 0,
        blocksize: 1,
        nblocks: 0,
        split: false,
        dict: None,
        blocks_at: 0,
    };

    /// Reads the front of a chunk whose header is read: `bytes` may end after the dictionary.
    #[inline(always)]
    pub(crate) fn read(&mut self, bytes: &[u8]) -> Result<()> {
        self.nbytes = self.header.nbytes as usize;
        self.cbytes = self.header.cbytes as usize;
        self.blocksize = (self.header.blocksize as usize).min(self.nbytes.max(1));
        self.nblocks = if self.nbytes <= self.blocksize {
            usize::from(self.nbytes > 0)
        } else {
            self.nbytes.div_ceil(self.blocksize)
        };
        self.split = self.header.is_split();
        self.blocks_at = self.header.len();
        if self.header.special_bits() != 0
            && let Some(kind) = self.header.special_kind()?
        {
            self.payload = Payload::Special(kind);
            return Ok(());
        }
        if self.header.is_vlblocks() {
            self.payload = Payload::VlBlocks;
            self.nblocks = self.header.blocksize as usize;
        } else if self.header.is_memcpyed() {
            self.payload = Payload::Memcpyed(self.header.memcpyed_at());
            return Ok(());
        }
        if self.header.is_instrumented() {
            return Err(Error::Unsupported {
                part: Part::ChunkHeader,
                offset: 31,
                what: Missing::Feature("the report of an instrumented codec"),
            });
        }
        let typesize = usize::from(self.header.typesize);
        let rest = remainder(self.blocksize, typesize);
        if rest != 0 && self.blocksize > typesize && self.payload == Payload::Blocks {
            self.repair(bytes, self.blocksize.saturating_sub(rest));
        }
        self.find_blocks(bytes)?;
        self.check_split()
    }

    /// Sets the block size that a chunk was really cut by, where its header says another: perhaps
    /// `blocksize`, the next whole number of items.
    ///
    /// C-Blosc2 3.x cuts by whole items when a block size is asked for, but writes the size asked
    /// for ([format §14](crate::format#14), item 1). The number of block offsets decides: the first
    /// block begins directly after them.
    #[cold]
    fn repair(&mut self, bytes: &[u8], blocksize: usize) {
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
        match bstarts(bytes.get(at..).unwrap_or_default()).next() {
            Some(start) => Ok(start.into()),
            None => Err(truncated(Part::Bstarts, at, BSTART_LEN, bytes.len())),
        }
    }

    /// Position at which the offset of a block is stored.
    fn bstart_at(&self, block: usize) -> usize {
        block
            .saturating_mul(BSTART_LEN)
            .saturating_add(self.header.len())
    }

    /// Start of a block: after the tables, with space for one stream prefix at least.
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

    /// Range of a variable-length block: up to the next one, or to the end of the chunk.
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

#[cold]
pub(crate) fn truncated(part: Part, offset: usize, needed: usize, limit: usize) -> Error {
    Error::Truncated {
        part,
        offset: offset as u64,
        needed: needed as u64,
        available: limit.saturating_sub(offset) as u64,
    }
}
