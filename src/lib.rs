//! Blosc2 in Rust: chunks, frames and n-dimensional arrays on hand-written SIMD kernels.
#![forbid(unsafe_code)]

#[cfg(feature = "b2nd")]
pub mod b2nd;
pub mod chunk;
pub mod codec;
pub mod error;
pub mod filter;
#[cfg(feature = "frame")]
pub mod frame;
pub mod limits;
pub mod params;
pub mod registry;
#[cfg(feature = "frame")]
pub mod schunk;
#[cfg(feature = "frame")]
pub mod storage;
mod stream;
pub mod threads;

pub use oxiblosc_kernels as kernels;

pub use chunk::{ChunkDecoder, ChunkEncoder, ChunkHeader, ChunkView, Special, max_chunk_len};
pub use codec::CodecId;
pub use error::{Error, ErrorKind, Fault, Missing, Part, Result};
pub use filter::{FilterId, FilterSlot};
#[cfg(feature = "frame")]
pub use frame::{FrameParams, FrameReader, FrameWriter};
pub use limits::Limits;
pub use params::{CParams, DParams, SplitMode};
pub use registry::Registry;
#[cfg(feature = "frame")]
pub use schunk::{ChunkSink, ChunkSource, SChunk};
pub use threads::Threads;

/// Compresses `src` into a chunk.
///
/// ```
/// use oxiblosc::{compress, decompress, CParams};
/// let chunk = compress(b"so it goes, so it goes, so it goes", &CParams::new(1))?;
/// assert_eq!(decompress(&chunk)?, b"so it goes, so it goes, so it goes");
/// # Ok::<(), oxiblosc::Error>(())
/// ```
///
/// # Errors
/// As [`ChunkEncoder::new`] and [`ChunkEncoder::encode`].
#[doc(alias = "blosc2_compress")]
pub fn compress(src: &[u8], cparams: &CParams) -> Result<Vec<u8>> {
    ChunkEncoder::new(cparams.clone())?.encode(src)
}

/// Compresses `src` into the front of `dst` and returns the length of the chunk;
/// [`max_chunk_len`] bytes always suffice.
///
/// # Errors
/// As [`ChunkEncoder::new`] and [`ChunkEncoder::encode_into`].
#[doc(alias = "blosc2_compress")]
pub fn compress_into(src: &[u8], dst: &mut [u8], cparams: &CParams) -> Result<usize> {
    ChunkEncoder::new(cparams.clone())?.encode_into(src, dst)
}

/// Compresses `src` behind what `dst` holds and returns the length of the chunk.
///
/// # Errors
/// As [`ChunkEncoder::new`] and [`ChunkEncoder::encode_append`].
#[doc(alias = "blosc2_compress")]
pub fn compress_append(src: &[u8], dst: &mut Vec<u8>, cparams: &CParams) -> Result<usize> {
    ChunkEncoder::new(cparams.clone())?.encode_append(src, dst)
}

/// Decompresses a chunk of at most 1 GiB ([`Limits::UNTRUSTED`]).
///
/// # Errors
/// As [`ChunkDecoder::decode`].
#[doc(alias = "blosc2_decompress")]
pub fn decompress(chunk: &[u8]) -> Result<Vec<u8>> {
    ChunkDecoder::default().decode(chunk)
}

/// Decompresses a chunk into the front of `dst` and returns its size in bytes.
///
/// # Errors
/// As [`ChunkDecoder::decode_into`].
#[doc(alias = "blosc2_decompress")]
pub fn decompress_into(chunk: &[u8], dst: &mut [u8]) -> Result<usize> {
    ChunkDecoder::default().decode_into(chunk, dst)
}

/// Decompresses a chunk behind what `dst` holds and returns its size in bytes.
///
/// # Errors
/// As [`ChunkDecoder::decode_append`].
#[doc(alias = "blosc2_decompress")]
pub fn decompress_append(chunk: &[u8], dst: &mut Vec<u8>) -> Result<usize> {
    ChunkDecoder::default().decode_append(chunk, dst)
}
