//! Chunk builders: the state that writes keep between calls.

use oxiblosc_kernels::Kernels;

use crate::chunk::{ChunkEncoder, Special};
use crate::error::Result;

/// The encoder and buffers of one writing thread.
#[derive(Debug)]
pub(crate) struct ChunkBuilder {
    pub(crate) encoder: ChunkEncoder,
    /// The elements of a chunk in C order.
    pub(crate) bytes: Vec<u8>,
    /// The number of the thread, when others build chunks at the same time.
    pub(crate) thread: Option<usize>,
}

/// Whether a chunk is new or replaces a stored one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Store {
    /// The next chunk at the end.
    Append,
    /// A stored chunk.
    Update,
}

/// Encodes chunk number `nchunk`. At level 0 the encoder copies all data, but zeros take no space
/// here even then: a new array is zeros before it is written.
pub(crate) fn encode(encoder: &mut ChunkEncoder, nchunk: u64, chunk: &[u8]) -> Result<Vec<u8>> {
    let cparams = encoder.cparams();
    if cparams.clevel == 0
        && cparams.prefilter.is_none()
        && Kernels::best().repeated_byte(chunk) == Some(0)
    {
        return encoder.encode_special(Special::Zeros, chunk.len());
    }
    encoder.in_chunk(nchunk, |encoder| encoder.encode(chunk))
}
