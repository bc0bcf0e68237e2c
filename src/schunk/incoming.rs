//! Checking a chunk before a super-chunk takes it.

use std::fmt;

use crate::chunk::{ChunkHeader, ChunkView, Special};
use crate::error::{Error, Part, Result};
use crate::limits::{self, Limits};

/// The length of the shortest chunk that a frame can hold, in bytes.
pub(crate) const MIN_CHUNK_LEN: u64 = 32;

/// The origin of an incoming chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Anywhere: sizes and block offsets are checked.
    Any,
    /// An encoder of this crate, in this process: they are right.
    Encoder,
}

/// A chunk that comes from an encoder of this crate. Nothing else can make one, so sinks need not
/// check it again.
#[expect(
    unnameable_types,
    reason = "sinks of callers take such chunks as bytes"
)]
pub struct EncodedChunk(Vec<u8>);

impl fmt::Debug for EncodedChunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EncodedChunk({} bytes)", self.0.len())
    }
}

impl EncodedChunk {
    /// Wraps the result of an encoder.
    #[cfg(feature = "b2nd")]
    pub(crate) fn new(chunk: Vec<u8>) -> Self {
        Self(chunk)
    }

    /// The bytes of the chunk.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

/// Checks a whole chunk; returns its header and its special value. `vlblocks` is whether the chunks
/// of the super-chunk have variable-length blocks, `None` when there are no chunks.
pub(crate) fn check_incoming(
    chunk: &[u8],
    origin: Origin,
    vlblocks: Option<bool>,
) -> Result<(ChunkHeader, Option<Special<'_>>)> {
    let refused = |why| Error::Refused {
        what: "store the chunk",
        why,
    };
    let view = match origin {
        Origin::Any => ChunkView::parse(chunk, &Limits::FORMAT.max_chunk_nbytes(u64::MAX))?,
        Origin::Encoder => ChunkView::of_encoded(chunk)?,
    };
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

/// Refuses a fill of `nbytes` bytes in chunks of `chunksize` bytes after `present` chunks when the
/// format has no room for so many, or the machine no memory for `size` bytes each.
pub(crate) fn check_more_chunks(
    present: usize,
    nbytes: u64,
    chunksize: usize,
    size: usize,
) -> Result<()> {
    let more = nbytes.div_ceil((chunksize as u64).max(1));
    let nchunks = (present as u64).saturating_add(more);
    limits::check("max_nchunks", nchunks, Limits::FORMAT.max_nchunks, None)?;
    limits::check_memory(more.saturating_mul(size as u64), None)
}
