//! Bytes and items across chunks: what every [`ChunkSource`] can do.

use std::ops::Range;

use super::{ChunkLayout, ChunkSink, ChunkSource, Sizes, StoredChunk, decode_special};
use crate::chunk::{ChunkDecoder, ChunkHeader};
use crate::error::{Error, Result};
use crate::params::DParams;

/// The size of a chunk, from the layout or else from its header.
pub(super) fn chunk_nbytes<C: ChunkSource + ?Sized>(source: &C, nchunk: u64) -> Result<u32> {
    let layout = source.layout();
    if nchunk >= layout.nchunks {
        return Err(Error::OutOfBounds {
            what: "chunk",
            index: nchunk,
            len: layout.nchunks,
        });
    }
    if let Some(nbytes) = Sizes::of(&layout).chunk_nbytes(nchunk) {
        return Ok(nbytes);
    }
    match source.chunk(nchunk)? {
        StoredChunk::Special { nbytes, .. } => Ok(nbytes),
        StoredChunk::Bytes(chunk) => {
            let header = ChunkHeader::parse(&chunk).map_err(|error| error.in_chunk(nchunk))?;
            Ok(header.nbytes)
        }
    }
}

/// Part of a chunk.
pub(super) fn decode_chunk_bytes_into<C: ChunkSource + ?Sized>(
    source: &C,
    decoder: &mut ChunkDecoder,
    nchunk: u64,
    bytes: Range<usize>,
    dst: &mut [u8],
) -> Result<usize> {
    match source.chunk(nchunk)? {
        StoredChunk::Special { special, nbytes } => {
            check_range(&bytes, nbytes)?;
            let layout = source.layout();
            let sizes = (layout.typesize, layout.blocksize);
            let range = (bytes.start, bytes.end);
            decode_special(decoder, special, sizes, nbytes, range, dst)
                .map_err(|error| error.in_chunk(nchunk))
        }
        StoredChunk::Bytes(chunk) => {
            decode_bytes_into(decoder, &chunk, bytes, dst).map_err(|error| error.in_chunk(nchunk))
        }
    }
}

/// Part of a chunk that lies in memory; chunks of variable-length blocks are decoded whole.
pub(crate) fn decode_bytes_into(
    decoder: &mut ChunkDecoder,
    chunk: &[u8],
    bytes: Range<usize>,
    dst: &mut [u8],
) -> Result<usize> {
    let header = ChunkHeader::parse(chunk)?;
    check_range(&bytes, header.nbytes)?;
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

pub(crate) fn check_range(bytes: &Range<usize>, nbytes: u32) -> Result<()> {
    if bytes.start > bytes.end || bytes.end as u64 > u64::from(nbytes) {
        return Err(Error::OutOfBounds {
            what: "byte of the chunk",
            index: bytes.end.max(bytes.start) as u64,
            len: u64::from(nbytes),
        });
    }
    Ok(())
}

/// Where items lie, in bytes.
pub(super) fn item_bytes(layout: ChunkLayout, items: Range<u64>) -> Result<Range<u64>> {
    let typesize = u64::from(layout.typesize);
    let bytes = |item: u64| {
        item.checked_mul(typesize).ok_or(Error::OutOfBounds {
            what: "item",
            index: item,
            len: layout.nbytes.checked_div(typesize).unwrap_or(0),
        })
    };
    Ok(bytes(items.start)?..bytes(items.end)?)
}

/// Bytes across chunks.
pub(super) fn read_bytes_into<C: ChunkSource + ?Sized>(
    source: &C,
    decoder: &mut ChunkDecoder,
    bytes: Range<u64>,
    dst: &mut [u8],
) -> Result<usize> {
    let layout = source.layout();
    if bytes.start > bytes.end || bytes.end > layout.nbytes {
        let index = bytes.end.max(bytes.start);
        return Err(Error::OutOfBounds {
            what: "byte",
            index,
            len: layout.nbytes,
        });
    }
    let needed = usize::try_from(bytes.end - bytes.start).unwrap_or(usize::MAX);
    let available = dst.len();
    let mut dst = dst
        .get_mut(..needed)
        .ok_or(Error::OutputTooSmall { needed, available })?;
    let (mut nchunk, mut start) = source.find_chunk(bytes.start)?;
    let mut at = bytes.start;
    while !dst.is_empty() {
        let nbytes = source.chunk_nbytes(nchunk)?;
        let skip = usize::try_from(at.saturating_sub(start)).unwrap_or(usize::MAX);
        let whole = usize::try_from(nbytes).unwrap_or(usize::MAX);
        let len = whole.saturating_sub(skip).min(dst.len());
        let (now, later) = dst.split_at_mut(len);
        if len == whole {
            source.decode_chunk_into(decoder, nchunk, now)?;
        } else if len > 0 {
            let range = skip..skip.saturating_add(len);
            source.decode_chunk_bytes_into(decoder, nchunk, range, now)?;
        }
        dst = later;
        at = at.saturating_add(len as u64);
        start = start.saturating_add(u64::from(nbytes));
        nchunk = nchunk.saturating_add(1);
    }
    Ok(needed)
}

/// Overwrites items from item `start` on; `encode` compresses chunks anew. A chunk that is replaced
/// as a whole is not decoded before.
pub(crate) fn set_items<C: ChunkSink>(
    sink: &mut C,
    dparams: &DParams,
    start: u64,
    mut src: &[u8],
    mut encode: impl FnMut(&mut C, &[u8]) -> Result<Vec<u8>>,
) -> Result<()> {
    let layout = sink.layout();
    let mut at = item_bytes(layout, start..start)?.start;
    let end = at.saturating_add(src.len() as u64);
    if end > layout.nbytes {
        return Err(Error::OutOfBounds {
            what: "byte",
            index: end,
            len: layout.nbytes,
        });
    }
    let (mut nchunk, mut begin) = sink.find_chunk(at)?;
    let mut decoder = ChunkDecoder::new(dparams.clone());
    let mut data = Vec::new();
    while !src.is_empty() {
        let nbytes = sink.chunk_nbytes(nchunk)?;
        let whole = usize::try_from(nbytes).unwrap_or(usize::MAX);
        let skip = usize::try_from(at.saturating_sub(begin)).unwrap_or(usize::MAX);
        let (now, later) = src.split_at(src.len().min(whole.saturating_sub(skip)));
        let chunk = if now.len() == whole {
            encode(sink, now)?
        } else {
            dparams.limits.check_alloc(u64::from(nbytes), None)?;
            data.resize(whole, 0);
            sink.decode_chunk_into(&mut decoder, nchunk, &mut data)?;
            if let Some(part) = data
                .get_mut(skip..)
                .and_then(|rest| rest.get_mut(..now.len()))
            {
                part.copy_from_slice(now);
            }
            encode(sink, &data)?
        };
        sink.update_chunk(nchunk, &chunk)?;
        src = later;
        at = at.saturating_add(now.len() as u64);
        begin = begin.saturating_add(u64::from(nbytes));
        nchunk = nchunk.saturating_add(1);
    }
    Ok(())
}

/// The chunk that holds a byte, and where the chunk begins.
pub(super) fn find_chunk<C: ChunkSource + ?Sized>(source: &C, byte: u64) -> Result<(u64, u64)> {
    let layout = source.layout();
    if let Some(chunksize) = layout.chunksize.filter(|&size| size > 0) {
        let chunksize = u64::from(chunksize);
        let nchunk = byte.min(layout.nbytes) / chunksize;
        return Ok((nchunk, nchunk.saturating_mul(chunksize)));
    }
    let mut start = 0_u64;
    for nchunk in 0..layout.nchunks {
        let end = start.saturating_add(u64::from(source.chunk_nbytes(nchunk)?));
        if byte < end {
            return Ok((nchunk, start));
        }
        start = end;
    }
    Ok((layout.nchunks, start))
}
