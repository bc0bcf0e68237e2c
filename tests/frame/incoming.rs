//! Chunks on their way into a super-chunk: those of callers are checked at every door, those of its
//! own encoder are stored as they are.
#![cfg(feature = "frame")]
#![expect(clippy::unwrap_used, reason = "a failing test may panic")]

use oxiblosc::schunk::{ChunkSink, ChunkSource, StoredChunk};
use oxiblosc::{CParams, ChunkDecoder, ChunkEncoder, ErrorKind, FrameParams, FrameWriter, SChunk};

const CHUNKSIZE: usize = 4096;

fn cparams() -> CParams {
    CParams::new(4).blocksize(Some(1024))
}

fn data(seed: u32) -> Vec<u8> {
    (0..1024_u32)
        .flat_map(|n| (n.wrapping_mul(seed) / 7).to_le_bytes())
        .collect()
}

fn chunk(seed: u32) -> Vec<u8> {
    let mut encoder = ChunkEncoder::new(cparams()).unwrap();
    encoder.encode(&data(seed)).unwrap()
}

/// Tries every door with chunks that are damaged in one place each.
fn damaged_chunks_are_refused(sink: &mut impl ChunkSink) {
    sink.append_chunk(&chunk(1)).unwrap();
    let good = chunk(2);
    let mut damaged = vec![good[..good.len() - 1].to_vec()];
    // The uncompressed size, the compressed size, the offsets of the first and of the last block.
    for at in [7, 15, 35, 47] {
        let mut bad = good.clone();
        bad[at] = 0x7F;
        damaged.push(bad);
    }
    for (number, bad) in damaged.iter().enumerate() {
        let doors = [
            sink.append_chunk(bad).map(drop),
            sink.append_owned_chunk(bad.clone()).map(drop),
            sink.update_chunk(0, bad),
            sink.update_owned_chunk(0, bad.clone()),
            sink.insert_chunk(0, bad),
        ];
        for (door, result) in doors.into_iter().enumerate() {
            let kind = result.unwrap_err().kind();
            let expected = [
                ErrorKind::Truncated,
                ErrorKind::Corrupt,
                ErrorKind::Unsupported,
            ];
            assert!(
                expected.contains(&kind),
                "{number} at door {door}: {kind:?}"
            );
        }
    }
    assert_eq!(sink.layout().nchunks, 1);
    let mut bytes = vec![0; CHUNKSIZE];
    sink.decode_chunk_into(&mut ChunkDecoder::default(), 0, &mut bytes)
        .unwrap();
    assert_eq!(bytes, data(1));
}

#[test]
fn chunks_of_callers_are_checked_at_every_door() {
    damaged_chunks_are_refused(&mut SChunk::new(cparams(), CHUNKSIZE).unwrap());
    let params = FrameParams::new(cparams(), CHUNKSIZE);
    damaged_chunks_are_refused(&mut FrameWriter::in_memory(params).unwrap());
}

/// Bytes that are appended give the chunks that an encoder makes of them.
#[test]
fn chunks_of_the_own_encoder_are_the_same_as_those_of_callers() {
    let mut ours = SChunk::new(cparams(), CHUNKSIZE).unwrap();
    let mut theirs = SChunk::new(cparams(), CHUNKSIZE).unwrap();
    let params = FrameParams::new(cparams(), CHUNKSIZE);
    let mut writer = FrameWriter::in_memory(params).unwrap();
    for seed in [0, 1, 5, 0, 77] {
        ours.append(&data(seed)).unwrap();
        writer.append(&data(seed)).unwrap();
        theirs.append_owned_chunk(chunk(seed)).unwrap();
    }
    ours.set_items(1024, &data(9)).unwrap();
    writer.set_items(1024, &data(9)).unwrap();
    theirs.update_chunk(1, &chunk(9)).unwrap();
    let expected = theirs.to_cframe().unwrap();
    assert!(ours.to_cframe().unwrap() == expected);
    for nchunk in 0..5 {
        let bytes = |chunk: StoredChunk<'_>| match chunk {
            StoredChunk::Bytes(bytes) => Ok(bytes.into_owned()),
            other => Err(format!("{other:?}")),
        };
        let (ours, theirs) = (writer.chunk(nchunk).unwrap(), theirs.chunk(nchunk).unwrap());
        assert_eq!(bytes(ours), bytes(theirs), "{nchunk}");
    }
}
