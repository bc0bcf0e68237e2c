// One side of the comparison. The including module provides the crate to measure as `library`.
//
// All calls of the library are here. When the API changes, copy this file to `side_REV.rs` first:
// `before_after.sh REV` uses the copy for the base.

use std::sync::Arc;

use library::b2nd::{Array, ArrayParams, Dtype};
use library::{
    CParams, ChunkDecoder, ChunkEncoder, ChunkSource, CodecId, DParams, FilterSlot, FrameParams,
    FrameReader, FrameWriter, SChunk, Threads,
};

use crate::cases::{ArrayShape, Cell, Decode, Encode, Failure, Read, Side};

/// The crate of the including module.
#[derive(Debug)]
pub(crate) struct Library;

fn threads(count: usize) -> Result<Threads, Failure> {
    if count == 1 {
        return Ok(Threads::Serial);
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build()?;
    Ok(Threads::Pool(Arc::new(pool)))
}

fn cparams(cell: &Cell) -> Result<CParams, Failure> {
    let codec = match cell.codec {
        "blosclz" => CodecId::BLOSCLZ,
        "lz4" => CodecId::LZ4,
        "lz4hc" => CodecId::LZ4HC,
        "zlib" => CodecId::ZLIB,
        _ => CodecId::ZSTD,
    };
    let filters = match cell.filters {
        "none" => vec![],
        "shuffle" => vec![FilterSlot::SHUFFLE],
        "bitshuffle" => vec![FilterSlot::BITSHUFFLE],
        "delta+shuffle" => vec![FilterSlot::DELTA, FilterSlot::SHUFFLE],
        _ => vec![FilterSlot::SHUFFLE, FilterSlot::BYTEDELTA],
    };
    Ok(CParams::new(cell.typesize)
        .codec(codec)
        .clevel(cell.clevel)
        .filters(filters)
        .threads(threads(cell.threads)?))
}

impl Encode for ChunkEncoder {
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<usize, Failure> {
        Ok(self.encode_into(src, dst)?)
    }
}

impl Decode for ChunkDecoder {
    fn decode(&mut self, chunk: &[u8], dst: &mut [u8]) -> Result<(), Failure> {
        self.decode_into(chunk, dst)?;
        Ok(())
    }

    fn item(&mut self, chunk: &[u8], item: usize, dst: &mut [u8]) -> Result<(), Failure> {
        self.decode_items_into(chunk, item..item + 1, dst)?;
        Ok(())
    }
}

/// A frame in memory, and the decoder that reads it.
struct Frame(
    FrameReader<library::frame::Contiguous<library::storage::Memory<Vec<u8>>>>,
    ChunkDecoder,
);

impl Read for Frame {
    fn chunk(&mut self, at: u64, dst: &mut [u8]) -> Result<(), Failure> {
        self.0.decode_chunk_into(&mut self.1, at, dst)?;
        Ok(())
    }

    fn bytes(&mut self, start: &[u64], len: &[u64], dst: &mut [u8]) -> Result<(), Failure> {
        let items = start[0]..start[0] + len[0];
        self.0.read_items_into(&mut self.1, items, dst)?;
        Ok(())
    }
}

impl Read for Array<SChunk> {
    fn chunk(&mut self, _at: u64, _dst: &mut [u8]) -> Result<(), Failure> {
        Err("arrays are read by boxes".into())
    }

    fn bytes(&mut self, start: &[u64], len: &[u64], dst: &mut [u8]) -> Result<(), Failure> {
        let ranges: Vec<_> = start.iter().zip(len).map(|(&a, &n)| a..a + n).collect();
        self.slice_bytes_into(&ranges, dst)?;
        Ok(())
    }
}

fn array(cell: &Cell, shape: &ArrayShape, bytes: &[u8]) -> Result<Array<SChunk>, Failure> {
    let dtype: Dtype = shape.dtype.parse()?;
    let params = ArrayParams::with_dtype(dtype, shape.shape)
        .chunkshape(shape.chunkshape)
        .blockshape(shape.blockshape)
        .cparams(cparams(cell)?);
    Ok(Array::from_bytes(bytes, &params)?)
}

impl Side for Library {
    fn encoder(&self, cell: &Cell) -> Result<Box<dyn Encode>, Failure> {
        Ok(Box::new(ChunkEncoder::new(cparams(cell)?)?))
    }

    fn decoder(&self, cell: &Cell) -> Result<Box<dyn Decode>, Failure> {
        let dparams = DParams::new().threads(threads(cell.threads)?);
        Ok(Box::new(ChunkDecoder::new(dparams)))
    }

    fn frame(&self, cell: &Cell, chunksize: usize, bytes: &[u8]) -> Result<Vec<u8>, Failure> {
        let mut writer = FrameWriter::in_memory(FrameParams::new(cparams(cell)?, chunksize))?;
        writer.append(bytes)?;
        Ok(writer.into_bytes()?)
    }

    fn open_frame(&self, frame: Vec<u8>) -> Result<Box<dyn Read>, Failure> {
        let reader = FrameReader::from_bytes(frame, DParams::new())?;
        Ok(Box::new(Frame(reader, ChunkDecoder::default())))
    }

    fn array(
        &self,
        cell: &Cell,
        shape: &ArrayShape,
        bytes: &[u8],
    ) -> Result<Box<dyn Read>, Failure> {
        Ok(Box::new(array(cell, shape, bytes)?))
    }
}
