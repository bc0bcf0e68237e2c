//! Ranges of bytes of a chunk in memory.

use std::ops::Range;

use crate::chunk::{ChunkDecoder, ChunkHeader};
use crate::error::{Error, Result};
use crate::num::{saturating_usize, to_u64};

/// Part of a chunk that lies in memory; chunks of variable-length blocks are decoded whole.
pub(crate) fn decode_bytes_into(
    decoder: &mut ChunkDecoder,
    chunk: &[u8],
    bytes: Range<usize>,
    dst: &mut [u8],
) -> Result<usize> {
    let header = ChunkHeader::parse(chunk)?;
    check_range(&bytes, saturating_usize(header.nbytes))?;
    if !header.is_vlblocks() {
        return decoder.decode_bytes_into(chunk, bytes, dst);
    }
    let all = decoder.decode(chunk)?;
    let part = all.get(bytes).unwrap_or_default();
    let available = dst.len();
    let too_small = Error::OutputTooSmall {
        needed: part.len(),
        available,
    };
    dst.get_mut(..part.len())
        .ok_or(too_small)?
        .copy_from_slice(part);
    Ok(part.len())
}

/// Refuses bytes beyond the end of a chunk of `nbytes` bytes.
pub(crate) fn check_range(bytes: &Range<usize>, nbytes: usize) -> Result<()> {
    if bytes.start > bytes.end || bytes.end > nbytes {
        return Err(Error::OutOfBounds {
            what: "byte of the chunk",
            index: to_u64(bytes.end.max(bytes.start)),
            len: to_u64(nbytes),
        });
    }
    Ok(())
}

/// Ranges of a chunk in memory; chunks of variable-length blocks are decoded whole.
pub(crate) fn decode_ranges_into(
    decoder: &mut ChunkDecoder,
    chunk: &[u8],
    ranges: &[Range<usize>],
    dst: &mut [u8],
) -> Result<usize> {
    let header = ChunkHeader::parse(chunk)?;
    if !header.is_vlblocks() {
        return decoder.decode_ranges_into(chunk, ranges, dst);
    }
    let all = decoder.decode(chunk)?;
    fill_ranges(
        ranges,
        saturating_usize(header.nbytes),
        dst,
        |range, dst| {
            dst.copy_from_slice(all.get(range.clone()).unwrap_or_default());
            Ok(range.len())
        },
    )
}

/// Fills the front of `dst` range by range.
pub(crate) fn fill_ranges(
    ranges: &[Range<usize>],
    nbytes: usize,
    dst: &mut [u8],
    mut fill: impl FnMut(&Range<usize>, &mut [u8]) -> Result<usize>,
) -> Result<usize> {
    let mut at = 0_usize;
    for range in ranges {
        check_range(range, nbytes)?;
        let (end, available) = (at.saturating_add(range.len()), dst.len());
        let part = dst.get_mut(at..end).ok_or(Error::OutputTooSmall {
            needed: end,
            available,
        })?;
        fill(range, part)?;
        at = end;
    }
    Ok(at)
}
