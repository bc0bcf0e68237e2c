//! Arrays, damaged.

use super::chunks::{data, with};
use oxiblosc::b2nd::{Array, ArrayParams, B2ndMeta};
use oxiblosc::{ChunkSink, DParams, FrameReader, FrameWriter, Result};

pub(crate) fn meta() -> Vec<u8> {
    B2ndMeta::new(&[5, 5], &[5, 5], &[5, 5], "<f4")
        .to_bytes()
        .unwrap()
}

pub(crate) fn meta_patched(at: usize, new: &[u8]) -> Result<()> {
    B2ndMeta::parse(&meta()).unwrap();
    B2ndMeta::parse(&with(&meta(), at, new)).map(drop)
}

pub(crate) fn dtype_len() -> Result<()> {
    let at = meta().iter().rposition(|&byte| byte == 0xDB).unwrap();
    meta_patched(at + 1, &[0xFF; 4])
}

/// An array whose metalayer says these shapes.
pub(crate) fn grid(shape: &[u64], chunkshape: &[u64], blockshape: &[u64]) -> Result<()> {
    let params = ArrayParams::new::<f32>(&[5, 5])
        .chunkshape(&[5, 5])
        .blockshape(&[5, 5]);
    let frame = FrameWriter::in_memory(params.frame_params().unwrap()).unwrap();
    let array = Array::from_bytes_in(frame, &data(100), &params).unwrap();
    let mut writer = array.into_inner().unwrap();
    let bad = B2ndMeta::new(shape, chunkshape, blockshape, "<f4").to_bytes()?;
    writer.update_metalayer("b2nd", &bad)?;
    let reader = FrameReader::from_bytes(writer.into_bytes()?, DParams::new())?;
    Array::open_in(reader).map(drop)
}
