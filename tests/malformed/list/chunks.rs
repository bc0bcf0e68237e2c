//! Chunks, damaged.

use oxiblosc::b2nd::B2ndMeta;
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, CodecId, DParams, FilterId, FilterSlot, Limits, Result,
    Special, compress, decompress,
};
use oxiblosc_kernels::{Kernels, blosclz, lz4};

/// A ramp of numbers of four bytes.
pub(crate) fn data(len: usize) -> Vec<u8> {
    let numbers = (0..1_000_000_u32).flat_map(|i| (3 * i).to_le_bytes());
    numbers.take(len).collect()
}

/// Two split blocks of a chunk: typesize 4, shuffle.
pub(crate) fn regular() -> Vec<u8> {
    compress(&data(1200), &CParams::new(4).blocksize(Some(800))).unwrap()
}

pub(crate) fn with(bytes: &[u8], at: usize, new: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at..at + new.len()].copy_from_slice(new);
    bytes
}

pub(crate) fn le32(bytes: &[u8], at: usize) -> i32 {
    i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

pub(crate) fn patched(patches: &[(usize, &[u8])]) -> Result<()> {
    let mut chunk = regular();
    for (at, new) in patches {
        chunk = with(&chunk, *at, new);
    }
    let limits = Limits::FORMAT.max_alloc(1 << 20);
    let decoded = ChunkDecoder::new(DParams::new().limits(limits)).decode(&chunk);
    decoded.map(drop)
}

pub(crate) fn stream_prefix(csize: i32) -> Result<()> {
    let chunk = regular();
    let at = usize::try_from(le32(&chunk, 32)).unwrap();
    decompress(&with(&chunk, at, &csize.to_le_bytes())).map(drop)
}

pub(crate) fn items(start: usize, end: usize) -> Result<()> {
    ChunkDecoder::default()
        .decode_items(&regular(), start..end)
        .map(drop)
}

/// A chunk of one stream of this codec, which stands for 64 bytes.
pub(crate) fn one_stream(compformat: u8, stream: &[u8]) -> Result<()> {
    let mut chunk = vec![0; 40];
    chunk[..4].copy_from_slice(&[5, 1, 0x15 | compformat << 5, 1]);
    chunk[4] = 64;
    chunk[8] = 64;
    chunk[12] = u8::try_from(40 + stream.len()).unwrap();
    chunk[32] = 36;
    chunk[36] = u8::try_from(stream.len()).unwrap();
    chunk.extend_from_slice(stream);
    decompress(&chunk).map(drop)
}

pub(crate) fn blosclz_chunk(stream: &[u8]) -> Result<()> {
    assert!(!blosclz::decode(Kernels::best(), stream, &mut [0; 64]).is_ok_and(|len| len == 64));
    one_stream(0, stream)
}

pub(crate) fn lz4_chunk(stream: &[u8]) -> Result<()> {
    assert!(lz4::decode(Kernels::best(), stream, &mut [0; 64]).is_err());
    one_stream(1, stream)
}

pub(crate) fn special_chunk(special: Special<'_>) -> Vec<u8> {
    let mut encoder = ChunkEncoder::new(CParams::new(4)).unwrap();
    encoder.encode_special(special, 160).unwrap()
}

pub(crate) fn special(special: Special<'_>, at: usize, new: &[u8]) -> Result<()> {
    decompress(&with(&special_chunk(special), at, new)).map(drop)
}

pub(crate) fn vlblocks() -> Vec<u8> {
    let mut encoder = ChunkEncoder::new(CParams::new(4)).unwrap();
    encoder.encode_vlblocks(&[data(90), data(200)]).unwrap()
}

/// Writes over the length of a block.
pub(crate) fn vlblock(block: usize, new: &[u8]) -> Result<()> {
    let chunk = vlblocks();
    let at = usize::try_from(le32(&chunk, 32 + 4 * block)).unwrap();
    decompress(&with(&chunk, at, new)).map(drop)
}

/// Copies one bstart over another.
pub(crate) fn vlblocks_patched(to: usize, from: usize) -> Result<()> {
    let chunk = vlblocks();
    let start = le32(&chunk, from).to_le_bytes();
    decompress(&with(&chunk, to, &start)).map(drop)
}

pub(crate) fn dict(size: i32) -> Result<()> {
    let cparams = CParams::new(4)
        .codec(CodecId::LZ4)
        .use_dict(true)
        .blocksize(Some(4000));
    let chunk = compress(&data(20_000), &cparams).unwrap();
    assert_eq!(chunk[31] & 1, 1);
    decompress(&with(&chunk, 32 + 4 * 5, &size.to_le_bytes())).map(drop)
}

pub(crate) fn filter(id: FilterId, meta: u8) -> Result<()> {
    patched(&[(21, &[id.get()]), (29, &[meta])])
}

/// The metalayer says other blocks than the chunk has.
pub(crate) fn ndcell_of_another_shape() -> Result<()> {
    let meta = B2ndMeta::new(&[30, 30], &[30, 30], &[7, 9], "<i4").to_bytes()?;
    let chunk = with(&with(&regular(), 21, &[FilterId::NDCELL.get()]), 29, &[4]);
    let mut decoder = ChunkDecoder::new(DParams::new().b2nd(meta));
    let refused = CParams::new(4).filters([FilterSlot::new(FilterId::NDCELL, 0)]);
    assert!(
        ChunkEncoder::new(refused)
            .and_then(|mut encoder| encoder.encode(&data(4000)))
            .is_err()
    );
    decoder.decode(&chunk).map(drop)
}
