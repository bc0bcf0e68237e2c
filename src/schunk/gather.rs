//! Single items from anywhere, and ranges of one chunk: each touched block is decoded once.

use std::ops::Range;

use super::{ChunkSource, StoredChunk, check_range, decode_special};
use crate::chunk::{ChunkDecoder, ChunkHeader};
use crate::error::{Error, Result};

/// Ranges of one chunk, one behind the other.
pub(super) fn decode_chunk_ranges_into<C: ChunkSource + ?Sized>(
    source: &C,
    decoder: &mut ChunkDecoder,
    nchunk: u64,
    ranges: &[Range<usize>],
    dst: &mut [u8],
) -> Result<usize> {
    let done = match source.chunk(nchunk)? {
        StoredChunk::Special { special, nbytes } => {
            fill_ranges(ranges, nbytes, dst, |range, dst| {
                let layout = source.layout();
                let sizes = (layout.typesize, layout.blocksize);
                let range = (range.start, range.end);
                decode_special(decoder, special, sizes, nbytes, range, dst)
            })
        }
        StoredChunk::Bytes(chunk) => decode_ranges_into(decoder, &chunk, ranges, dst),
    };
    done.map_err(|error| error.in_chunk(nchunk))
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
    fill_ranges(ranges, header.nbytes, dst, |range, dst| {
        dst.copy_from_slice(all.get(range.clone()).unwrap_or_default());
        Ok(range.len())
    })
}

/// Fills the front of `dst` range by range.
pub(crate) fn fill_ranges(
    ranges: &[Range<usize>],
    nbytes: u32,
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

/// Items of the whole super-chunk, in the order of the list.
pub(super) fn read_items_at_into<C: ChunkSource + ?Sized>(
    source: &C,
    decoder: &mut ChunkDecoder,
    items: &[u64],
    dst: &mut [u8],
) -> Result<usize> {
    let layout = source.layout();
    let typesize = u64::from(layout.typesize.max(1));
    let len = layout.nbytes.checked_div(typesize).unwrap_or(0);
    let size = usize::try_from(typesize).unwrap_or(usize::MAX);
    let needed = items.len().saturating_mul(size);
    let available = dst.len();
    let dst = dst
        .get_mut(..needed)
        .ok_or(Error::OutputTooSmall { needed, available })?;
    if let Some(&index) = items.iter().find(|&&item| item >= len) {
        let what = "item";
        return Err(Error::OutOfBounds { what, index, len });
    }
    // Ascending, so that each chunk is visited once; the order of the list is restored below.
    let mut order: Vec<usize> = (0..items.len()).collect();
    let item = |place: usize| items.get(place).copied().unwrap_or_default();
    order.sort_unstable_by_key(|&place| item(place));
    let (mut ranges, mut gathered) = (Vec::new(), Vec::new());
    let mut rest = order.as_slice();
    while let Some(&first) = rest.first() {
        let (nchunk, start) = source.find_chunk(item(first).saturating_mul(typesize))?;
        let end = start.saturating_add(source.chunk_nbytes(nchunk)?.into());
        let inside = |place: &usize| item(*place).saturating_add(1).saturating_mul(typesize) <= end;
        let (now, later) = rest.split_at(rest.partition_point(inside));
        if now.is_empty() {
            // An item that lies across two chunks, which uneven sizes allow.
            let from = item(first).saturating_mul(typesize);
            let at = first.saturating_mul(size);
            let part = dst.get_mut(at..at.saturating_add(size)).unwrap_or_default();
            source.read_bytes_into(decoder, from..from.saturating_add(typesize), part)?;
            rest = rest.get(1..).unwrap_or_default();
            continue;
        }
        ranges.clear();
        ranges.extend(now.iter().map(|&place| {
            let at = item(place).saturating_mul(typesize).saturating_sub(start);
            let at = usize::try_from(at).unwrap_or(usize::MAX);
            at..at.saturating_add(size)
        }));
        gathered.resize(now.len().saturating_mul(size), 0);
        source.decode_chunk_ranges_into(decoder, nchunk, &ranges, &mut gathered)?;
        for (&place, value) in now.iter().zip(gathered.chunks_exact(size)) {
            let at = place.saturating_mul(size);
            if let Some(part) = dst.get_mut(at..at.saturating_add(size)) {
                part.copy_from_slice(value);
            }
        }
        rest = later;
    }
    Ok(needed)
}
