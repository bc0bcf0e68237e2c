//! Frames, contiguous and sparse, damaged.

use super::chunks::{data, with};
use oxiblosc::frame::{Contiguous, Sparse};
use oxiblosc::storage::{Directory, Memory, MemoryDir, ReadAt};
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, ChunkSink, DParams, Error, FrameParams, FrameReader,
    FrameWriter, Part, Result, Special,
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

/// The offset of the index chunk of a frame, which is memcpyed.
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

/// The position of the metalayer's offset: after its name of four letters and a marker.
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
    let mut writer = FrameWriter::create_in(Sparse::new(MemoryDir::new()), params()).unwrap();
    writer.append(&data(800)).unwrap();
    let mut dir = writer.finish().unwrap().into_inner();
    let name = "chunks.b2frame";
    let bytes = dir.open(name).unwrap().0.to_vec();
    let index = header_len(&bytes);
    assert_eq!(bytes[index + 2] & 2, 2, "a memcpyed index");
    let bad = with(&bytes, index + 32 + 8, &entry.to_le_bytes());
    dir.replace(name, &bad, false).unwrap();
    FrameReader::open_in(Sparse::open(dir)?, DParams::new())?.check()
}

pub(crate) fn path_trick() -> Result<()> {
    let mut dir = MemoryDir::new();
    for name in ["../outside", "/outside", "a/b"] {
        assert!(dir.replace(name, b"", false).is_err(), "{name}");
    }
    let source = dir.replace("..", b"", false).unwrap_err();
    Err(Error::io(Part::ChunkFile, None, source))
}

pub(crate) fn reorder(order: &[u64]) -> Result<()> {
    writer().reorder_chunks(order)
}

/// Two metalayers of one name.
pub(crate) fn same_name() -> Result<()> {
    let params = params().metalayer("atem", b"other").unwrap();
    let frame = FrameWriter::in_memory(params).unwrap().into_bytes()?;
    read(&frame)?;
    let name = frame.windows(4).position(|bytes| bytes == b"atem").unwrap();
    read(&with(&frame, name, b"meta"))
}

/// A frame of varying chunks that has four bytes and an index of none.
pub(crate) fn no_chunks() -> Result<()> {
    let mut frame = FrameWriter::in_memory(params()).unwrap().into_bytes()?;
    read(&frame)?;
    let header_len = header_len(&frame);
    let index = oxiblosc::compress(&[], &CParams::new(8))?;
    let trailer = frame.split_off(header_len);
    frame.extend_from_slice(&index);
    frame.extend_from_slice(&trailer);
    let len = frame.len() as u64;
    frame[0x10..0x18].copy_from_slice(&len.to_be_bytes());
    frame[0x19] = 0x53;
    frame[0x1E..0x26].copy_from_slice(&4_u64.to_be_bytes());
    frame[0x27..0x2F].fill(0);
    frame[0x3A..0x3E].fill(0);
    read(&frame)
}

/// A storage without borrowed bytes: chunks in it are read block by block.
#[derive(Debug)]
struct Plain(Vec<u8>);

impl ReadAt for Plain {
    fn len(&self) -> std::io::Result<u64> {
        Ok(self.0.len() as u64)
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> std::io::Result<()> {
        Memory(self.0.as_slice()).read_exact_at(buf, offset)
    }
}

/// Bytes of the first chunk, block by block, after these bytes of the chunk were written over.
pub(crate) fn lazily(patches: &[(usize, &[u8])]) -> Result<()> {
    let mut frame = frame();
    let chunk = header_len(&frame);
    for (at, new) in patches {
        frame = with(&frame, chunk + at, new);
    }
    let reader = FrameReader::open_in(Contiguous::new(Plain(frame)), DParams::new())?;
    let mut chunk = reader.lazy_chunk(0)?;
    chunk
        .decode_bytes_into(&mut ChunkDecoder::default(), 4..20, &mut [0; 16])
        .map(drop)
}

/// A block of a chunk that has none, and of a special one.
pub(crate) fn lazy_vlblock(special: bool) -> Result<()> {
    let mut writer = FrameWriter::in_memory(params()).unwrap();
    if special {
        writer.append_special(Special::Zeros, 400)?;
    } else {
        writer.append(&data(400))?;
    }
    let reader =
        FrameReader::open_in(Contiguous::new(Plain(writer.into_bytes()?)), DParams::new())?;
    let mut chunk = reader.lazy_chunk(0)?;
    chunk
        .decode_vlblock(&mut ChunkDecoder::default(), 0)
        .map(drop)
}
