//! Seals: any damaged byte that matters is found and named; changes take the seal away.
#![cfg(feature = "frame")]
#![expect(clippy::unwrap_used, reason = "a failing test may panic")]

use oxiblosc::frame::{SEAL, Sparse, Verified};
use oxiblosc::schunk::ChunkSink;
use oxiblosc::storage::{Directory, MemoryDir};
use oxiblosc::{
    CParams, ChunkSource, DParams, Error, FrameParams, FrameReader, FrameWriter, Special,
};

fn data(n: u32) -> Vec<u8> {
    (0..n)
        .flat_map(|i| (i.wrapping_mul(99_991) >> 5).to_le_bytes())
        .collect()
}

fn params() -> FrameParams {
    let params = FrameParams::new(CParams::new(4), 400)
        .metalayer("m", b"content")
        .unwrap();
    params.vlmetalayer("v", b"more content").unwrap()
}

fn sealed() -> Vec<u8> {
    let mut writer = FrameWriter::in_memory(params()).unwrap();
    writer.append(&data(200)).unwrap();
    writer.append_special(Special::Zeros, 400).unwrap();
    writer.append(&data(50)).unwrap();
    writer.seal().unwrap();
    writer.into_bytes().unwrap()
}

fn verify(frame: &[u8]) -> oxiblosc::Result<Verified> {
    FrameReader::from_bytes(frame, DParams::new())?.verify()
}

/// A change that no seal survives.
type Edit = fn(&mut dyn ChunkSink);

#[test]
fn every_damaged_byte_is_found() {
    let frame = sealed();
    assert_eq!(verify(&frame).unwrap(), Verified::Sealed);
    let reader = FrameReader::from_bytes(&frame, DParams::new()).unwrap();
    assert_eq!(
        reader.vlmetalayer(SEAL).unwrap().unwrap().len(),
        5 + 8 + 4 * 8
    );
    assert_ne!(reader.fingerprint().value, [0; 16]);
    let own = own_bytes(&frame);
    for at in 0..frame.len() {
        for bit in 0..8 {
            let mut bad = frame.clone();
            bad[at] ^= 1 << bit;
            match verify(&bad) {
                Ok(found) => {
                    assert_eq!((found, own(at)), (Verified::Updated, true), "byte {at}");
                }
                Err(error) => assert!(!own(at), "byte {at}: {error}"),
            }
        }
    }
}

/// The bytes of a frame that C changes without taking the seal away: the numbers of threads, and
/// the contents of metalayers.
fn own_bytes(frame: &[u8]) -> impl Fn(usize) -> bool {
    let content = frame.windows(7).position(|bytes| bytes == b"content");
    let content = content.unwrap();
    move |at| [0x3F, 0x40, 0x42, 0x43].contains(&at) || (content..content + 7).contains(&at)
}

#[test]
fn the_damaged_chunk_is_named() {
    let frame = sealed();
    let reader = FrameReader::from_bytes(&frame, DParams::new()).unwrap();
    let oxiblosc::schunk::StoredChunk::Bytes(chunk) = reader.chunk(1).unwrap() else {
        unreachable!("chunk 1 is stored")
    };
    let start = frame
        .windows(chunk.len())
        .position(|bytes| bytes == &*chunk)
        .unwrap();
    let mut bad = frame.clone();
    bad[start + chunk.len() - 1] ^= 4;
    let error = verify(&bad).unwrap_err();
    assert!(matches!(error, Error::InChunk { nchunk: 1, .. }), "{error}");
    assert_eq!(error.offset(), Some(start as u64));
    assert_eq!(
        error.to_string(),
        format!("chunk 1: chunks section: the bytes do not fit their checksum, at offset {start}")
    );
}

#[test]
fn changes_take_the_seal_away() {
    let path = tempfile::tempdir().unwrap();
    let path = path.path().join("frame");
    let edits: [Edit; 4] = [
        |frame| frame.delete_chunk(0).unwrap(),
        |frame| frame.set_vlmetalayer("v", b"other").unwrap(),
        |frame| frame.update_metalayer("m", b"C").unwrap(),
        |frame| assert!(frame.remove_vlmetalayer("v").unwrap()),
    ];
    for edit in edits {
        std::fs::write(&path, sealed()).unwrap();
        let mut writer = FrameWriter::open(&path, DParams::new()).unwrap();
        writer.commit().unwrap();
        assert_eq!(writer.reader().verify().unwrap(), Verified::Sealed);
        edit(&mut writer);
        writer.finish().unwrap();
        let reader = FrameReader::open(&path, DParams::new()).unwrap();
        assert_eq!(reader.verify().unwrap(), Verified::Unsealed);
        assert_eq!(reader.vlmetalayer(SEAL).unwrap(), None);
        let mut writer = FrameWriter::open(&path, DParams::new()).unwrap();
        writer.seal().unwrap();
        writer.compact().unwrap();
        assert_eq!(writer.reader().verify().unwrap(), Verified::Sealed);
        writer.finish().unwrap();
        let reader = FrameReader::open(&path, DParams::new()).unwrap();
        assert_eq!(reader.verify().unwrap(), Verified::Sealed);
    }
}

#[test]
fn sparse_frames_have_seals() {
    let mut writer = FrameWriter::create_in(Sparse::new(MemoryDir::new()), params()).unwrap();
    writer.append(&data(250)).unwrap();
    writer.seal().unwrap();
    let dir = writer.finish().unwrap().into_inner();
    let verify = |dir: MemoryDir| {
        FrameReader::open_in(Sparse::open(dir)?, DParams::new()).and_then(|reader| reader.verify())
    };
    assert_eq!(verify(dir.clone()).unwrap(), Verified::Sealed);
    for name in dir.names().unwrap() {
        let good = dir.open(&name).unwrap().0.to_vec();
        let is_frame = name == "chunks.b2frame";
        let own = is_frame.then(|| own_bytes(&good));
        for at in 0..good.len() {
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[at] ^= 1 << bit;
                let mut broken = dir.clone();
                broken.replace(&name, &bad, false).unwrap();
                let own = own.as_ref().is_some_and(|own| own(at));
                match verify(broken) {
                    Ok(found) => {
                        assert_eq!((found, own), (Verified::Updated, true), "{name}, byte {at}");
                    }
                    Err(error) => {
                        assert!(!own, "{name}, byte {at}: {error}");
                        let chunk = name.strip_suffix(".chunk");
                        let chunk =
                            chunk.map(|hex| format!("chunk {}: ", hex.trim_start_matches('0')));
                        let chunk = chunk.map(|chunk| chunk.replace("chunk :", "chunk 0:"));
                        let named = chunk.is_none_or(|chunk| error.to_string().starts_with(&chunk));
                        assert!(named, "{name}, byte {at}: {error}");
                    }
                }
            }
        }
    }
}

#[test]
fn an_empty_frame_can_be_sealed() {
    let mut writer = FrameWriter::in_memory(params()).unwrap();
    writer.seal().unwrap();
    let frame = writer.into_bytes().unwrap();
    assert_eq!(verify(&frame).unwrap(), Verified::Sealed);
    let plain = FrameWriter::in_memory(params())
        .unwrap()
        .into_bytes()
        .unwrap();
    assert_eq!(verify(&plain).unwrap(), Verified::Unsealed);
}
