//! Frames, contiguous and sparse, damaged.

use super::chunks::{data, with};
use oxiblosc::frame::{Contiguous, Sparse};
use oxiblosc::storage::{Directory, Memory, MemoryDir};
use oxiblosc::{
    CParams, ChunkEncoder, ChunkSink, DParams, Error, FrameParams, FrameReader, FrameWriter, Part,
    Result,
};

pub(crate) fn params() -> FrameParams {
    FrameParams::new(CParams::new(4), 400)
        .metalayer("meta", b"content")
        .unwrap()
}

pub(crate) fn writer() -> FrameWriter<Contiguous<Memory<Vec<u8>>>> {
    let mut writer = FrameWriter::in_memory(params()).unwrap();
    writer.append(&data(800)).unwrap();
    writer
}

pub(crate) fn frame() -> Vec<u8> {
    writer().into_bytes().unwrap()
}

pub(crate) fn read(frame: &[u8]) -> Result<()> {
    FrameReader::from_bytes(frame, DParams::new())?.check()
}

pub(crate) fn frame_patched(at: usize, new: &[u8]) -> Result<()> {
    read(&frame()).unwrap();
    read(&with(&frame(), at, new))
}

pub(crate) fn header_len(frame: &[u8]) -> usize {
    usize::from(frame[13]) << 8 | usize::from(frame[14])
}

pub(crate) fn frame_chunk_patched(at: usize, new: &[u8]) -> Result<()> {
    frame_patched(header_len(&frame()) + at, new)
}

pub(crate) fn trailer_len(len: u32) -> Result<()> {
    frame_patched(frame().len() - 22, &len.to_be_bytes())
}

/// Where the index chunk of a frame begins, which is memcpyed.
pub(crate) fn index(frame: &[u8]) -> usize {
    let cbytes = u64::from_be_bytes(frame[0x27..0x2F].try_into().unwrap());
    let index = header_len(frame) + usize::try_from(cbytes).unwrap();
    assert_eq!(frame[index + 2] & 2, 2, "a memcpyed index");
    index
}

/// Writes over the second entry of the index.
pub(crate) fn index_entry(entry: i64) -> Result<()> {
    frame_patched(index(&frame()) + 32 + 8, &entry.to_le_bytes())
}

/// The entry of a special chunk: its kind in the top byte.
pub(crate) fn special_code(kind: u8) -> i64 {
    i64::from(kind.cast_signed()) << 56
}

pub(crate) fn varying_special() -> Result<()> {
    let mut writer = FrameWriter::in_memory(params()).unwrap();
    let mut encoder = ChunkEncoder::new(CParams::new(4)).unwrap();
    for len in [400, 800, 1200] {
        writer
            .append_chunk(&encoder.encode(&data(len)).unwrap())
            .unwrap();
    }
    let frame = writer.into_bytes().unwrap();
    read(&frame).unwrap();
    read(&with(
        &frame,
        index(&frame) + 32,
        &special_code(0x81).to_le_bytes(),
    ))
}

/// Where the offset of the metalayer is: behind its name of four letters and a marker.
pub(crate) fn metalayer(offset: &[u8]) -> Result<()> {
    let frame = frame();
    let name = frame.windows(4).position(|bytes| bytes == b"meta").unwrap();
    read(&with(&frame, name + 5, offset))
}

pub(crate) fn metalayer_content(len: &[u8]) -> Result<()> {
    let frame = frame();
    let content = frame
        .windows(7)
        .position(|bytes| bytes == b"content")
        .unwrap();
    read(&with(&frame, content - 4, len))
}

pub(crate) fn sparse_entry(entry: i64) -> Result<()> {
    let mut writer = FrameWriter::create(Sparse::new(MemoryDir::new()), params()).unwrap();
    writer.append(&data(800)).unwrap();
    let mut dir = writer.finish().unwrap().into_inner();
    let name = "chunks.b2frame";
    let bytes = dir.open(name).unwrap().0.to_vec();
    let index = header_len(&bytes);
    assert_eq!(bytes[index + 2] & 2, 2, "a memcpyed index");
    let bad = with(&bytes, index + 32 + 8, &entry.to_le_bytes());
    dir.replace(name, &bad, false).unwrap();
    FrameReader::new(Sparse::open(dir)?, DParams::new())?.check()
}

pub(crate) fn path_trick() -> Result<()> {
    let mut dir = MemoryDir::new();
    for name in ["../outside", "/outside", "a/b"] {
        assert!(dir.replace(name, b"", false).is_err(), "{name}");
    }
    let source = dir.replace("..", b"", false).unwrap_err();
    Err(Error::Io {
        part: Part::ChunkFile,
        offset: None,
        source,
    })
}

pub(crate) fn reorder(order: &[u64]) -> Result<()> {
    writer().reorder_chunks(order)
}
