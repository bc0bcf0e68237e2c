//! Copies from one super-chunk to another, as they are or with other parameters.

use super::sink::ChunkSink;
use super::source::ChunkSource;
use crate::chunk::{ChunkDecoder, ChunkEncoder, ChunkView};
use crate::error::Result;

/// Appends all chunks of `source` to `sink` as they are, without decompressing them: a frame in
/// memory to a directory, a part of a file to a file. Metalayers are not copied.
///
/// ```
/// use oxiblosc::schunk::{ChunkSource, copy_chunks};
/// use oxiblosc::{CParams, FrameParams, FrameWriter, SChunk};
/// # fn main() -> oxiblosc::Result<()> {
/// let mut schunk = SChunk::new(CParams::new(4), 4000)?;
/// schunk.append(&[1, 2, 3, 4].repeat(2500))?;
/// let mut writer = FrameWriter::in_memory(FrameParams::new(CParams::new(4), 4000))?;
/// copy_chunks(&schunk, &mut writer)?;
/// assert_eq!(writer.layout().nchunks, 3);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// When a chunk cannot be read or does not fit the sink; those before it are appended.
#[doc(alias = "blosc2_schunk_copy")]
pub fn copy_chunks(
    source: &(impl ChunkSource + ?Sized),
    sink: &mut (impl ChunkSink + ?Sized),
) -> Result<()> {
    let layout = source.layout();
    for nchunk in 0..layout.nchunks {
        sink.append_chunk(&source.chunk(nchunk)?.into_bytes(&layout))?;
    }
    Ok(())
}

/// Appends all chunks of `source` to `sink`, decompressed and compressed again by `encoder`.
/// Chunks keep their sizes, special values stay special, and variable-length blocks keep
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
        let chunk = source.chunk(nchunk)?.into_bytes(&layout);
        let view = ChunkView::parse(&chunk, &limits);
        let view = view.map_err(|error| error.in_chunk(nchunk))?;
        if view.special().is_some() {
            sink.append_chunk(&chunk)?;
            continue;
        }
        let next = sink.layout().nchunks;
        let chunk = if view.header().is_vlblocks() {
            let blocks = decoder.in_chunk(nchunk, |decoder| {
                (0..view.nblocks())
                    .map(|block| decoder.decode_vlblock(&chunk, block))
                    .collect::<Result<Vec<_>>>()
            });
            let blocks = blocks.map_err(|error| error.in_chunk(nchunk))?;
            encoder.in_chunk(next, |encoder| encoder.encode_vlblocks(&blocks))?
        } else {
            let data = decoder.in_chunk(nchunk, |decoder| decoder.decode(&chunk));
            let data = data.map_err(|error| error.in_chunk(nchunk))?;
            encoder.in_chunk(next, |encoder| encoder.encode(&data))?
        };
        sink.append_chunk(&chunk)?;
    }
    Ok(())
}
