//! The decoder and buffers of one reading thread.

use std::ops::Range;

use crate::b2nd::layout::region::Region;
use crate::chunk::{BlockPart, ChunkDecoder};
use crate::error::Result;
use crate::params::DParams;

/// What one thread needs to read.
pub(crate) struct Workspace {
    pub(crate) decoder: ChunkDecoder,
    /// A decoded chunk, or what of it is wanted.
    pub(crate) chunk: Vec<u8>,
    /// Blocks to decode, in groups: the parts of them that are wanted, the places that they hold,
    /// and where they lie in the chunk.
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
