//! Frames byte for byte, against bytes that the C library wrote (format §15).
#![cfg(feature = "frame")]
#![expect(clippy::unwrap_used, reason = "a failing test may panic")]

use oxiblosc::frame::{Contiguous, FrameType, LEGACY_USERMETA};
use oxiblosc::schunk::VlMetalayers;
use oxiblosc::storage::{Memory, Window};
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, ChunkSink, ChunkSource, CodecId, DParams, FilterSlot,
    FrameParams, FrameReader, FrameWriter, Special, SplitMode,
};

fn unhex(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().filter(u8::is_ascii_hexdigit).collect();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.chunks(2).map(byte).collect()
}

/// Empty, typesize 4, zstd 7, AUTO split, 2 compression threads.
const EMPTY: &str =
    "9ea862326672616d6500 d200000061 cf0000000000000084 a412007502 d30000000000000000
    d30000000000000000 d200000004 d200000000 d2ffffffff d10002 d10001 c2
    d806000000000001 0500 000000000000 0000 93cd0007de0000dc0000
    940193cd0006de0000dc0000ce00000023d80000000000000000000000000000000000";

fn zstd7() -> CParams {
    CParams::new(4)
        .codec(CodecId::ZSTD)
        .clevel(7)
        .split_mode(SplitMode::Auto)
}

#[test]
fn empty_frame_is_read() {
    let bytes = unhex(EMPTY);
    assert_eq!(bytes.len(), 132);
    let reader = FrameReader::from_bytes(&bytes, DParams::new()).unwrap();
    let header = reader.header();
    assert_eq!(
        (header.version, header.frame_type),
        (2, FrameType::Contiguous)
    );
    assert_eq!((header.header_len, header.frame_len), (97, 132));
    assert_eq!((header.codec, header.clevel), (CodecId::ZSTD, 7));
    assert_eq!(header.split_mode, SplitMode::Auto);
    assert_eq!(
        (header.typesize, header.blocksize, header.chunksize),
        (4, 0, Some(0))
    );
    assert_eq!((header.compress_threads, header.decompress_threads), (2, 1));
    assert_eq!(header.filters[5], FilterSlot::SHUFFLE);
    assert_eq!(reader.layout().nchunks, 0);
    assert!(reader.metalayers().is_empty());
    assert!(reader.vlmetalayers().is_empty());
    reader.check().unwrap();
}

#[test]
fn empty_frame_is_written() {
    let mut expected = unhex(EMPTY);
    expected[0x40] = 1;
    let writer = FrameWriter::in_memory(FrameParams::new(zstd7(), 4000)).unwrap();
    assert_eq!(writer.into_bytes().unwrap(), expected);
}

#[test]
fn metalayers_are_written_and_read() {
    let mut expected = unhex(EMPTY);
    expected[0x40] = 1;
    expected[0x0E] = 0x81;
    expected[0x17] = 0xA4;
    let section = unhex(
        "93cd0017de0002a26d31d200000071a26d32d20000007cdc0002c600000006a568656c6c6fc600000000",
    );
    expected.splice(0x57..0x61, section);
    let params = FrameParams::new(zstd7(), 4000)
        .metalayer("m1", b"\xA5hello")
        .unwrap()
        .metalayer("m2", b"")
        .unwrap();
    let bytes = FrameWriter::in_memory(params)
        .unwrap()
        .into_bytes()
        .unwrap();
    assert_eq!(bytes.len(), 164);
    assert_eq!(bytes, expected);
    let reader = FrameReader::from_bytes(bytes, DParams::new()).unwrap();
    let metalayers: Vec<_> = reader.metalayers().iter().collect();
    assert_eq!(metalayers, [("m1", &b"\xA5hello"[..]), ("m2", b"")]);
}

#[test]
fn vlmetalayer_content_has_the_parameters_of_c() {
    let mut vlmetalayers = VlMetalayers::new();
    vlmetalayers.set("x", &[b'x'; 100]).unwrap();
    let expected = unhex(
        "0501150864000000600000003200000000000000000100000000000000000000 28000000 2d000000
         88ffffff01 88ffffff01",
    );
    assert_eq!(vlmetalayers.chunk("x"), Some(&expected[..]));
    assert_eq!(
        vlmetalayers.get("x", &DParams::new()).unwrap().unwrap(),
        [b'x'; 100]
    );
}

#[test]
fn filled_frame_has_a_repeated_index() {
    let params = FrameParams::new(CParams::new(8), 8000);
    let mut writer = FrameWriter::in_memory(params).unwrap();
    writer.append_special(Special::Zeros, 9 * 8000).unwrap();
    let bytes = writer.into_bytes().unwrap();
    let index =
        unhex("0501050848000000480000002800000000000000000000000000000000000030 0000000000000081");
    assert_eq!(bytes[97..bytes.len() - 35], index);
    let reader = FrameReader::from_bytes(bytes, DParams::new()).unwrap();
    assert_eq!(reader.layout().nchunks, 9);
    let mut chunk = [1; 8000];
    reader
        .decode_chunk_into(&mut ChunkDecoder::new(DParams::new()), 8, &mut chunk)
        .unwrap();
    assert_eq!(chunk, [0; 8000]);
}

#[test]
fn filled_frame_that_is_opened_again_keeps_its_index() {
    let params = FrameParams::new(CParams::new(8), 8000);
    let mut writer = FrameWriter::in_memory(params).unwrap();
    // The place of a deleted chunk stays, so that there is something to compact.
    writer.append(&[7; 8000]).unwrap();
    writer.commit().unwrap();
    writer.delete_chunk(0).unwrap();
    writer.append_special(Special::Zeros, 3 * 8000).unwrap();
    let bytes = writer.into_bytes().unwrap();
    let index =
        unhex("0501050818000000180000002800000000000000000000000000000000000030 0000000000000081");
    assert_eq!(bytes[bytes.len() - 75..bytes.len() - 35], index);

    let mut writer = FrameWriter::open_in(Contiguous::new(Memory(bytes)), DParams::new()).unwrap();
    let done = writer.compact().unwrap();
    assert!(done.after < done.before);
    writer.set_vlmetalayer("x", b"1").unwrap();
    let bytes = writer.into_bytes().unwrap();
    // As in C, which does not write the index again for a metalayer.
    assert_eq!(bytes[97..137], index);

    let mut writer = FrameWriter::open_in(Contiguous::new(Memory(bytes)), DParams::new()).unwrap();
    writer.append_special(Special::Zeros, 8000).unwrap();
    let bytes = writer.into_bytes().unwrap();
    let reader = FrameReader::from_bytes(bytes.clone(), DParams::new()).unwrap();
    assert_eq!(reader.layout().nchunks, 4);
    let at = 97 + usize::try_from(reader.header().cbytes).unwrap();
    // What C writes for a frame that was filled with three chunks, when a fourth is appended.
    let appended =
        unhex("0501170820000000200000004000000000000000000100000000000000000000 0000000000000081");
    assert_eq!(bytes[at..at + 40], appended);
}

#[test]
fn index_of_equal_chunks_compresses_as_in_c() {
    let chunk = ChunkEncoder::new(CParams::new(1))
        .unwrap()
        .encode(&[7; 70])
        .unwrap();
    let mut memcpyed = ChunkEncoder::new(CParams::new(1).clevel(0)).unwrap();
    let chunk70 = memcpyed.encode(&[7; 70]).unwrap();
    assert!(chunk.len() < chunk70.len());
    assert_eq!(chunk70.len(), 102);
    let mut writer = FrameWriter::in_memory(FrameParams::new(CParams::new(1), 70)).unwrap();
    for _ in 0..5000 {
        writer.append_chunk(&chunk70).unwrap();
    }
    let bytes = writer.into_bytes().unwrap();
    let index = &bytes[97 + 5000 * 102..bytes.len() - 35];
    assert_eq!(index.len(), 4292);
    assert_eq!(index[8..12], 16384_u32.to_le_bytes());
}

#[test]
fn trailing_bytes_are_tolerated_in_files_and_windows_only() {
    let mut bytes = unhex(EMPTY);
    bytes.extend_from_slice(b"more");
    let error = FrameReader::from_bytes(&bytes, DParams::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "frame header: frame length is 132, expected 136, at offset 16"
    );
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("frame");
    std::fs::write(&path, [b"before", bytes.as_slice()].concat()).unwrap();
    assert!(FrameReader::open(&path, DParams::new()).is_err());
    let reader = FrameReader::open_at(&path, 6, DParams::new()).unwrap();
    assert_eq!(reader.header().frame_len, 132);
    assert!(FrameReader::open_at(&path, 1000, DParams::new()).is_err());
    let window = Window::new(Memory(&bytes), 0, 136).unwrap();
    assert!(FrameReader::open_in(Contiguous::new(window), DParams::new()).is_ok());
    assert_eq!(LEGACY_USERMETA, "usermeta");
}

/// The frames of the C library, from `tests/data/README.md`.
#[test]
#[cfg(all(feature = "lz4", feature = "zlib", feature = "zstd"))]
fn golden_frames_are_rebuilt_byte_for_byte() {
    let bytes = include_bytes!("../data/golden_frames.bin");
    let table = include_str!("../data/golden_frames.tsv");
    let mut count = 0;
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let (offset, len): (usize, usize) = (cells[0].parse().unwrap(), cells[1].parse().unwrap());
        let frame = &bytes[offset..offset + len];
        let reader = FrameReader::from_bytes(frame, DParams::new()).unwrap();
        reader.check().unwrap();
        let schunk = oxiblosc::SChunk::from_cframe(frame, DParams::new()).unwrap();
        let again = schunk.to_cframe().unwrap();
        assert!(
            again == frame,
            "{}: {} and {len} bytes",
            cells[2],
            again.len()
        );
        count += 1;
    }
    assert!(count >= 34);
}
