//! Copies with other parameters.

use std::borrow::Cow;

use super::{ChunkSink, ChunkSource, StoredChunk, special_header};
use crate::chunk::{ChunkDecoder, ChunkEncoder, ChunkView};
use crate::error::Result;

/// Appends all chunks of `source` to `sink`, decompressed and compressed anew by `encoder`.
/// Chunks keep their sizes, special values stay what they are, and variable-length blocks keep
/// theirs. Metalayers are not copied.
///
/// ```
/// use oxiblosc::schunk::{ChunkSource, recode};
/// use oxiblosc::{CParams, ChunkDecoder, ChunkEncoder, CodecId, SChunk};
/// # fn main() -> oxiblosc::Result<()> {
/// let mut fast = SChunk::new(CParams::new(4).codec(CodecId::LZ4), 40_000)?;
/// fast.append(&[1, 2, 3, 4].repeat(50_000))?;
/// let small = CParams::new(4).codec(CodecId::ZSTD).clevel(9);
/// let mut copy = SChunk::new(small.clone(), 40_000)?;
/// recode(&fast, &mut ChunkDecoder::default(), &mut ChunkEncoder::new(small)?, &mut copy)?;
/// assert_eq!(copy.layout().nbytes, 200_000);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// When a chunk cannot be read, decoded, compressed or stored; those before it are appended.
#[doc(alias = "blosc2_schunk_copy")]
pub fn recode(
    source: &(impl ChunkSource + ?Sized),
    decoder: &mut ChunkDecoder,
    encoder: &mut ChunkEncoder,
    sink: &mut (impl ChunkSink + ?Sized),
) -> Result<()> {
    let layout = source.layout();
    let limits = decoder.dparams().limits;
    for nchunk in 0..layout.nchunks {
        let chunk: Cow<'_, [u8]> = match source.chunk(nchunk)? {
            StoredChunk::Special { special, nbytes } => {
                let header = special_header(special, layout.typesize, layout.blocksize, nbytes);
                Cow::Owned(header.to_vec())
            }
            StoredChunk::Bytes(chunk) => {
                let view = ChunkView::parse(&chunk, &limits);
                let view = view.map_err(|error| error.in_chunk(nchunk))?;
                if view.special().is_some() {
                    chunk
                } else if view.header().is_vlblocks() {
                    let blocks = (0..view.nblocks())
                        .map(|block| decoder.decode_vlblock(&chunk, block))
                        .collect::<Result<Vec<_>>>()
                        .map_err(|error| error.in_chunk(nchunk))?;
                    Cow::Owned(encoder.encode_vlblocks(&blocks)?)
                } else {
                    let data = decoder.decode(&chunk);
                    let data = data.map_err(|error| error.in_chunk(nchunk))?;
                    Cow::Owned(encoder.encode(&data)?)
                }
            }
        };
        sink.append_chunk(&chunk)?;
    }
    Ok(())
}
