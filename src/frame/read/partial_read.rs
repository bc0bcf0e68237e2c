//! Bytes of blocks that are consecutive in the storage, such as an item.
//!
//! ```text
//! on the storage   | header | bstarts | block 0 | block 1 | block 2 | block 3 |
//! in memory        | header | bstarts | block 1 | block 2 |      two reads
//! ```
//!
//! They are read to a buffer of the decoder: nothing is allocated once that is large enough. A
//! chunk of a few KiB takes one read. All other chunks take the path of
//! [`LazyChunk`](crate::frame::LazyChunk).

use std::ops::Range;

use crate::chunk::{ChunkDecoder, ChunkHeader, ChunkPart, bstarts, bstarts_end, needs_first};
use crate::error::Result;
use crate::frame::store::located::{Located, grow};
use crate::num::saturating_usize;
use crate::schunk::check_range;

/// A stored chunk, and the number of bytes to read first.
#[derive(Debug)]
pub(crate) struct Front<'l, 'a> {
    pub(crate) located: &'l Located<'a>,
    pub(crate) len: usize,
}

impl Front<'_, '_> {
    /// Decodes bytes of the chunk into the front of `dst` and returns their number; `None` when
    /// their blocks are not consecutive, or cannot be decoded alone. `check` checks the header.
    pub(crate) fn decode(
        &self,
        decoder: &mut ChunkDecoder,
        bytes: &Range<usize>,
        dst: &mut [u8],
        check: impl FnOnce(&ChunkHeader) -> Result<()>,
    ) -> Result<Option<usize>> {
        decoder.with_stored(|decoder, buf| {
            let room = saturating_usize(self.located.room());
            let known = self.len.min(room);
            grow(buf, known);
            let front = buf.get_mut(..known).unwrap_or_default();
            self.located.read_at(0, front)?;
            let header = self.located.header(front)?;
            check(&header)?;
            check_range(bytes, saturating_usize(header.nbytes))?;
            let base = self.located.base();
            if is_copy(&header).map_err(|error| error.rebase(base))?
                && decoder.dparams().postfilter.is_none()
            {
                return self.copy(&header, bytes, dst);
            }
            let blocks = blocks_of(&header, bytes).map_err(|error| error.rebase(base))?;
            let Some(blocks) = blocks else {
                return Ok(None);
            };
            let Some((table, place)) = self.find(&header, blocks, known, buf)? else {
                return Ok(None);
            };
            let start = place.start;
            let streams = if place.end <= known {
                place
            } else {
                let end = table.saturating_add(place.len());
                grow(buf, end);
                let streams = buf.get_mut(table..end).unwrap_or_default();
                self.located.read_at(start as u64, streams)?;
                table..end
            };
            let front = buf.get(..table).unwrap_or_default();
            let streams = buf.get(streams).unwrap_or_default();
            // Damaged blocks may use bytes of later ones when the whole chunk is decoded, so on
            // failure the caller falls back to the full read, which reports the error.
            let blocks = ChunkPart::new(start, streams);
            let done = decoder.decode_from_parts(front, blocks, bytes.clone(), dst);
            Ok(done.ok())
        })
    }

    /// Reads bytes of a chunk that is a copy of its data.
    fn copy(
        &self,
        header: &ChunkHeader,
        bytes: &Range<usize>,
        dst: &mut [u8],
    ) -> Result<Option<usize>> {
        let at = header.memcpyed_at();
        let end = at.saturating_add(bytes.end) as u64;
        let Some(dst) = dst.get_mut(..bytes.len()) else {
            return Ok(None);
        };
        if end > u64::from(header.cbytes) {
            return Ok(None);
        }
        self.located
            .read_at(at.saturating_add(bytes.start) as u64, dst)?;
        Ok(Some(bytes.len()))
    }

    /// Reads the missing offsets of blocks; returns the end of the offsets and the range of
    /// `blocks`, when no other block is between them.
    fn find(
        &self,
        header: &ChunkHeader,
        blocks: Range<usize>,
        known: usize,
        buf: &mut Vec<u8>,
    ) -> Result<Option<(usize, Range<usize>)>> {
        let cbytes = saturating_usize(header.cbytes);
        let nblocks = header.nbytes.div_ceil(header.blocksize.max(1));
        let nblocks = saturating_usize(nblocks);
        let Some(table) = bstarts_end(header.len(), nblocks).filter(|&end| end <= cbytes) else {
            return Ok(None);
        };
        if table > known {
            grow(buf, table);
            let rest = buf.get_mut(known..table).unwrap_or_default();
            self.located.read_at(known as u64, rest)?;
        }
        let starts = bstarts(buf.get(header.len()..table).unwrap_or_default());
        let wanted = starts.clone().skip(blocks.start).take(blocks.len());
        let (Some(first), Some(last)) = (wanted.clone().next(), wanted.clone().last()) else {
            return Ok(None);
        };
        let later = starts.clone().filter(|&start| start > last);
        let end = later.min().and_then(|end| usize::try_from(end).ok());
        let inside = starts.filter(|start| (first..=last).contains(start));
        let alone = wanted.len() == blocks.len()
            && wanted.clone().is_sorted()
            && inside.count() == wanted.len();
        let place = usize::try_from(first).unwrap_or(0)..end.unwrap_or(cbytes).min(cbytes);
        Ok((alone && place.start >= table && !place.is_empty()).then_some((table, place)))
    }
}

/// Whether a chunk is a copy of its data.
fn is_copy(header: &ChunkHeader) -> Result<bool> {
    let special = header.special_kind()?.is_some();
    Ok(header.is_memcpyed() && !header.is_vlblocks() && !special)
}

/// The blocks that hold `bytes`, when they can be found by their numbers and decoded without
/// anything else.
fn blocks_of(header: &ChunkHeader, bytes: &Range<usize>) -> Result<Option<Range<usize>>> {
    let blocksize = header.blocksize.min(header.nbytes);
    // C once wrote block sizes that are no whole items and cut differently (format §14).
    let whole = blocksize.checked_rem(u32::from(header.typesize)) == Some(0);
    let plain = whole
        && blocksize > 0
        && !header.is_memcpyed()
        && !header.is_vlblocks()
        && !header.has_dict()
        && !needs_first(header)
        && header.special_kind()?.is_none();
    let blocksize = saturating_usize(blocksize.max(1));
    let blocks = bytes.start / blocksize..bytes.end.div_ceil(blocksize);
    Ok(Some(blocks).filter(|_| plain && !bytes.is_empty()))
}
