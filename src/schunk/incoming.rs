//! Checking a chunk before a super-chunk takes it.

use crate::chunk::{ChunkHeader, ChunkView, Special};
use crate::error::{Error, Part, Result};
use crate::limits::Limits;

/// The length of the shortest chunk that a frame can hold, in bytes.
pub(crate) const MIN_CHUNK_LEN: u64 = 32;

/// Checks a whole chunk; returns its header and its special value. `vlblocks` is whether the chunks
/// of the super-chunk have variable-length blocks, `None` when there are no chunks.
pub(crate) fn check_incoming<'a>(
    chunk: &'a [u8],
    limits: &Limits,
    vlblocks: Option<bool>,
) -> Result<(ChunkHeader, Option<Special<'a>>)> {
    let refused = |why| Error::Refused {
        what: "store the chunk",
        why,
    };
    let view = ChunkView::parse(chunk, &limits.max_chunk_nbytes(u32::MAX))?;
    let header = *view.header();
    let (cbytes, len) = (u64::from(header.cbytes), chunk.len());
    if cbytes != len as u64 {
        return Err(Error::unequal(Part::ChunkHeader, 12, "cbytes", cbytes, len));
    }
    if cbytes < MIN_CHUNK_LEN {
        return Err(refused("frames hold no chunks below 32 bytes"));
    }
    if vlblocks.is_some_and(|vlblocks| vlblocks != header.is_vlblocks()) {
        let why = "chunks with and without variable-length blocks do not mix";
        return Err(refused(why));
    }
    Ok((header, view.special()))
}
