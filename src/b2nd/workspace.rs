//! Workspaces: the state that reads keep between calls.

use std::ops::Range;

use crate::b2nd::layout::region::Region;
use crate::chunk::{BlockPart, ChunkDecoder};
use crate::error::Result;
use crate::params::DParams;

/// The decoder and buffers of one reading thread.
pub(crate) struct Workspace {
    pub(crate) decoder: ChunkDecoder,
    /// A decoded chunk, or the requested part of it.
    pub(crate) chunk: Vec<u8>,
    /// A group of blocks to decode: the requested part of each, the positions of the result that it
    /// holds, and its bytes in the chunk.
    pub(crate) parts: Vec<BlockPart>,
    pub(crate) pieces: Vec<Region>,
    pub(crate) ranges: Vec<Range<usize>>,
}

impl Workspace {
    pub(crate) fn new(dparams: DParams) -> Self {
        Self {
            decoder: ChunkDecoder::new(dparams),
            chunk: Vec::new(),
            parts: Vec::new(),
            pieces: Vec::new(),
            ranges: Vec::new(),
        }
    }

    /// The decoder, and the first `len` bytes of the chunk buffer.
    pub(crate) fn chunk_buffer(&mut self, len: usize) -> Result<(&mut ChunkDecoder, &mut [u8])> {
        let chunk = Self::buffer(&self.decoder, &mut self.chunk, len)?;
        Ok((&mut self.decoder, chunk))
    }

    /// The first `len` bytes of the chunk buffer, within the limits of the decoder.
    pub(crate) fn buffer<'b>(
        decoder: &ChunkDecoder,
        chunk: &'b mut Vec<u8>,
        len: usize,
    ) -> Result<&'b mut [u8]> {
        if chunk.len() < len {
            decoder.dparams().limits.check_alloc(len as u64, None)?;
            chunk.resize(len, 0);
        }
        Ok(&mut chunk[..len])
    }
}
