//! Refusals of a frame before it takes memory or time, and its use without a codec.

use oxiblosc::error::ErrorKind;
use oxiblosc::frame::FrameReader;
use oxiblosc::schunk::{Metalayers, VlMetalayers};
use oxiblosc::{
    CParams, ChunkEncoder, ChunkSink, ChunkSource, CodecId, DParams, Error, FrameParams,
    FrameWriter, Limits, Missing, SChunk, Special,
};

/// One chunk more than the index can list is refused at once, and the rest stays usable.
#[test]
fn fills_of_more_chunks_than_an_index_holds_are_refused() {
    let most = Limits::FORMAT.max_nchunks;
    let mut writer = FrameWriter::in_memory(FrameParams::new(CParams::new(1), 1)).unwrap();
    writer.append(&[7]).unwrap();
    for nbytes in [most, u64::MAX] {
        let error = writer.append_special(Special::Zeros, nbytes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::LimitExceeded, "{error}");
        assert_eq!(writer.layout().nchunks, 1);
    }
    writer.append_special(Special::Zeros, 5).unwrap();
    let frame = writer.into_bytes().unwrap();
    let reader = FrameReader::from_bytes(&frame, DParams::new()).unwrap();
    assert_eq!(reader.layout().nchunks, 6);

    let mut schunk = SChunk::new(CParams::new(1), 1).unwrap();
    let error = schunk.append_special(Special::Zeros, u64::MAX).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LimitExceeded, "{error}");
    assert_eq!(schunk.layout().nchunks, 0);
}

/// A file of something else is named as such, whatever its bytes would mean in a header.
#[test]
fn what_is_no_frame_is_said_to_be_none() {
    let text = b"PK\x03\x04 whatever an archive, or a picture, begins with".repeat(4);
    let error = FrameReader::from_bytes(&text, DParams::new()).unwrap_err();
    assert!(
        error.to_string().contains("this is no Blosc2 frame"),
        "{error}"
    );
    assert_eq!(error.offset(), Some(2));
}

/// The index is a chunk of 8 bytes per entry, and a chunk holds at most 2,147,483,615 bytes.
#[test]
fn the_limit_of_chunks_is_what_an_index_holds() {
    let most = Limits::FORMAT.max_chunk_nbytes / 8;
    assert_eq!(Limits::FORMAT.max_nchunks, most);
}

/// C-Blosc2 would cut such a name at the NUL byte.
#[test]
fn names_of_metalayers_with_nul_are_refused() {
    for name in ["\0", "a\0b", "name\0"] {
        assert!(Metalayers::new().insert(name, b"x").is_err(), "{name:?}");
        assert!(VlMetalayers::new().set(name, b"x").is_err(), "{name:?}");
    }
}

/// A frame of megabytes of zeros tells its size without decompressing them.
#[test]
fn sizes_of_vlmetalayers_are_known_without_their_content() {
    let mut vlmetalayers = VlMetalayers::new();
    vlmetalayers.set("zeros", &vec![0; 3_000_001]).unwrap();
    vlmetalayers.set("none", b"").unwrap();
    assert_eq!(vlmetalayers.nbytes("zeros").unwrap(), Some(3_000_001));
    assert_eq!(vlmetalayers.nbytes("none").unwrap(), Some(0));
    assert_eq!(vlmetalayers.nbytes("other").unwrap(), None);
}

/// Compacting and adding chunks that are compressed already need no codec; compressing does, and
/// says which.
#[test]
fn frames_of_unknown_codecs_are_compacted() {
    let mut writer = FrameWriter::in_memory(FrameParams::new(CParams::new(4), 4000)).unwrap();
    writer.append(&[1; 12_000]).unwrap();
    writer.delete_chunk(0).unwrap();
    let mut frame = writer.into_bytes().unwrap();
    let mut encoder = ChunkEncoder::new(CParams::new(4)).unwrap();
    let chunk = encoder.encode(&[2; 4000]).unwrap();
    // The header names a codec of a user: code 6 means "see 0x4D".
    frame[0x1B] = (frame[0x1B] & 0xF0) | 6;
    frame[0x4D] = 200;
    let open = |frame: &[u8]| {
        let store = oxiblosc::frame::Contiguous::new(oxiblosc::storage::Memory(frame.to_vec()));
        FrameWriter::open_in(store, DParams::new())
    };
    let mut writer = open(&frame).unwrap();
    assert!(writer.compact().unwrap().after > 0);
    writer.append_chunk(&chunk).unwrap();
    let error = writer
        .append(&[1; 4000])
        .and_then(|()| writer.commit())
        .unwrap_err();
    let Error::Unsupported { what, offset, .. } = error else {
        panic!("{error}");
    };
    assert_eq!((what, offset), (Missing::Codec(CodecId::new(200)), 0x4D));
    // A header that no encoder takes is damaged data, not a wrong parameter.
    frame[0x30..0x34].copy_from_slice(&2_130_706_440_u32.to_be_bytes());
    let kind = open(&frame).err().map(|error| error.kind());
    assert_eq!(kind, Some(ErrorKind::Corrupt));
}

/// Every writer fills the two bits with 1, for 64 bits.
#[test]
fn offsets_of_other_widths_are_refused_by_name() {
    let mut writer = FrameWriter::in_memory(FrameParams::new(CParams::new(4), 400)).unwrap();
    writer.append(&[7; 400]).unwrap();
    let frame = writer.into_bytes().unwrap();
    for code in [0, 2, 3] {
        let mut other = frame.clone();
        other[0x19] = (other[0x19] & !0x30) | (code << 4);
        let error = FrameReader::from_bytes(&other, DParams::new()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
        assert_eq!(error.offset(), Some(0x19));
        assert!(error.to_string().contains("64 bits"), "{error}");
    }
}

#[test]
fn chunks_of_lizard_and_of_instrumented_codecs_are_refused_by_name() {
    let src: Vec<u8> = (0..4000_u32).flat_map(|i| (i / 7).to_le_bytes()).collect();
    let chunk = ChunkEncoder::new(CParams::new(4))
        .unwrap()
        .encode(&src)
        .unwrap();
    let changes: [(usize, u8, u8, &str); 2] = [
        (2, 0x1F, 5 << 5, "Lizard"),
        (31, 0x7F, 0x80, "instrumented codec"),
    ];
    for (at, kept, set, name) in changes {
        let mut other = chunk.clone();
        other[at] = (other[at] & kept) | set;
        let error = oxiblosc::decompress(&other).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
        assert_eq!(error.offset(), Some(at as u64));
        assert!(error.to_string().contains(name), "{error}");
    }
}
