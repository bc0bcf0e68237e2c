//! A codec of your own, for chunks, frames and arrays.

use std::sync::Arc;

use oxiblosc::codec::{Codec, CodecContext, StreamDecoder, StreamEncoder};
use oxiblosc::error::BoxError;
use oxiblosc::{CParams, ChunkDecoder, CodecId, DParams, Registry, compress};

/// Runs of equal bytes, as pairs of a length and a byte. Ids from 160 on are the user's.
#[derive(Debug)]
struct Runs;

impl Codec for Runs {
    fn id(&self) -> CodecId {
        CodecId::new(200)
    }
    fn name(&self) -> &str {
        "runs"
    }
    fn encoder(&self, _: &CodecContext<'_>) -> Result<Box<dyn StreamEncoder>, BoxError> {
        Ok(Box::new(Self))
    }
    fn decoder(&self, _: &CodecContext<'_>) -> Result<Box<dyn StreamDecoder>, BoxError> {
        Ok(Box::new(Self))
    }
}

impl StreamEncoder for Runs {
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, BoxError> {
        let runs = src.chunk_by(|a, b| a == b).flat_map(|run| run.chunks(255));
        let coded: Vec<[u8; 2]> = runs
            .map(|run| [run.len().to_le_bytes()[0], run[0]])
            .collect();
        // `None` when it does not fit: the stream is stored raw.
        let dst = dst.get_mut(..2 * coded.len());
        Ok(dst
            .map(|dst| dst.copy_from_slice(coded.as_flattened()))
            .map(|()| 2 * coded.len()))
    }
}

impl StreamDecoder for Runs {
    fn decode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        let runs = src.chunks_exact(2);
        let bytes: Vec<u8> = runs.flat_map(|run| vec![run[1]; run[0].into()]).collect();
        let fits = bytes.len() == dst.len();
        fits.then(|| dst.copy_from_slice(&bytes))
            .ok_or("runs: another length".into())
    }
}

fn main() -> oxiblosc::Result<()> {
    let registry = Arc::new(Registry::new().with_codec(Runs)?);
    let data = [[7; 4000], [9; 4000]].concat();
    let cparams = CParams::new(4)
        .codec(CodecId::new(200))
        .registry(registry.clone());
    let chunk = compress(&data, &cparams)?;
    let mut decoder = ChunkDecoder::new(DParams::new().registry(registry));
    assert!(decoder.decode(&chunk)? == data && chunk.len() < 200);
    Ok(())
}
