//! Parts of chunks from a storage without `as_slice` equal those from memory, in any block order;
//! the result of a damaged chunk does not depend on earlier reads.
#![cfg(feature = "frame")]
#![expect(clippy::unwrap_used, reason = "a failing test may panic")]

use std::io;
use std::ops::Range;

use crate::common::{KINDS, Rng, codecs, data, pipeline};
use oxiblosc::frame::{ChunkPlace, Contiguous};
use oxiblosc::storage::{Memory, ReadAt};
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, ChunkSink, ChunkSource, ChunkView, CodecId, DParams,
    FrameParams, FrameReader, FrameWriter, Limits, SplitMode,
};

/// Bytes that can only be read, never borrowed.
#[derive(Debug)]
struct Distant(Memory<Vec<u8>>);

impl ReadAt for Distant {
    fn len(&self) -> io::Result<u64> {
        self.0.len()
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        self.0.read_exact_at(buf, offset)
    }
}

/// The chunk with its blocks in another order on the storage.
fn reordered(chunk: &[u8], rng: &mut Rng) -> Vec<u8> {
    let view = ChunkView::parse(chunk, &Limits::UNTRUSTED).unwrap();
    let header = view.header();
    if view.special().is_some() || header.is_memcpyed() || view.nblocks() < 2 {
        return chunk.to_vec();
    }
    let nblocks = view.nblocks();
    let start = |block: usize| -> usize {
        let at = 32 + 4 * block;
        let entry = i32::from_le_bytes(chunk[at..at + 4].try_into().unwrap());
        entry.try_into().unwrap()
    };
    let mut order: Vec<usize> = (0..nblocks).collect();
    for at in (1..nblocks).rev() {
        order.swap(at, rng.below(at + 1));
    }
    let mut moved = chunk[..start(0)].to_vec();
    for block in order {
        let end = if block + 1 < nblocks {
            start(block + 1)
        } else {
            chunk.len()
        };
        let at = i32::try_from(moved.len()).unwrap().to_le_bytes();
        moved[32 + 4 * block..36 + 4 * block].copy_from_slice(&at);
        moved.extend_from_slice(&chunk[start(block)..end]);
    }
    moved
}

/// A frame of three chunks, and their data.
fn frame(rng: &mut Rng, seed: u64) -> (Vec<u8>, Vec<u8>) {
    let typesize = rng.pick(&[1, 2, 4, 8, 12]);
    let codec = rng.pick(&codecs());
    let dict = [CodecId::LZ4, CodecId::LZ4HC, CodecId::ZSTD].contains(&codec);
    let cparams = CParams::new(typesize)
        .codec(codec)
        .clevel(rng.pick(&[0, 1, 5]))
        .filters(pipeline(rng, typesize))
        .split_mode(rng.pick(&[SplitMode::Always, SplitMode::Never]))
        .blocksize(rng.pick(&[None, Some(1200), Some(4800)]))
        .use_dict(dict && rng.below(4) == 0);
    let nbytes = 24_000;
    let mut encoder = ChunkEncoder::new(cparams.clone()).unwrap();
    let mut writer = FrameWriter::in_memory(FrameParams::new(cparams, nbytes)).unwrap();
    let mut content = Vec::new();
    for nchunk in 0..3 {
        let src = data(rng.below(KINDS), typesize, nbytes, seed * 3 + nchunk);
        let chunk = reordered(&encoder.encode(&src).unwrap(), rng);
        content.extend(oxiblosc::decompress(&chunk).unwrap());
        writer.append_chunk(&chunk).unwrap();
    }
    (writer.into_bytes().unwrap(), content)
}

fn distant(frame: Vec<u8>) -> FrameReader<Contiguous<Distant>> {
    FrameReader::open_in(Contiguous::new(Distant(Memory(frame))), DParams::new()).unwrap()
}

/// Ranges of bytes: single ones, items, some blocks, all of a chunk.
fn ranges(rng: &mut Rng, len: usize) -> Vec<Range<u64>> {
    (0..30)
        .map(|_| {
            let size = rng.pick(&[0, 1, 8, 100, 1200, 5000, 24_000, 30_000]);
            let start = rng.below(len - size + 1);
            start as u64..(start + size) as u64
        })
        .collect()
}

type Outcome = Result<Vec<u8>, String>;

fn read(source: &impl ChunkSource, decoder: &mut ChunkDecoder, range: &Range<u64>) -> Outcome {
    let mut dst = vec![0; usize::try_from(range.end - range.start).unwrap()];
    match source.read_bytes_into(decoder, range.clone(), &mut dst) {
        Ok(_) => Ok(dst),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn parts_from_a_storage_are_those_from_memory() {
    let mut decoder = ChunkDecoder::default();
    for seed in 0..300 {
        let mut rng = Rng(seed);
        let (frame, content) = frame(&mut rng, seed);
        let memory = FrameReader::from_bytes(&frame, DParams::new()).unwrap();
        let reader = distant(frame.clone());
        for range in ranges(&mut rng, content.len()) {
            let bytes = usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap();
            let expected: Outcome = Ok(content[bytes].to_vec());
            assert!(
                read(&reader, &mut decoder, &range) == expected,
                "{seed}: {range:?} from the storage"
            );
            assert!(
                read(&memory, &mut decoder, &range) == expected,
                "{seed}: {range:?} from memory"
            );
        }
    }
}

#[test]
fn a_damaged_chunk_gives_the_same_whatever_was_read_before() {
    let mut decoder = ChunkDecoder::default();
    let (mut good, mut bad) = (0, 0);
    for seed in 0..300 {
        let mut rng = Rng(seed);
        let (mut frame, content) = frame(&mut rng, seed);
        let reader = FrameReader::from_bytes(&frame, DParams::new()).unwrap();
        let offsets: Vec<usize> = reader
            .chunk_places()
            .filter_map(|place| match place {
                ChunkPlace::Offset(offset) => Some(usize::try_from(offset).unwrap()),
                _ => None,
            })
            .collect();
        let section = usize::try_from(reader.header().cbytes).unwrap();
        for &offset in &offsets {
            // In the header, in the offsets of blocks, or anywhere.
            let span = rng.pick(&[32, 60, section]);
            let at = (offset + rng.below(span)).min(frame.len() - 100);
            frame[at] ^= 1 << rng.below(8);
        }
        let Ok(reader) =
            FrameReader::open_in(Contiguous::new(Distant(Memory(frame))), DParams::new())
        else {
            continue;
        };
        for range in ranges(&mut rng, content.len()) {
            let used = read(&reader, &mut decoder, &range);
            let clean = read(&reader, &mut ChunkDecoder::default(), &range);
            assert!(used == clean, "{seed}: {range:?}");
            match used {
                Ok(_) => good += 1,
                Err(_) => bad += 1,
            }
        }
    }
    assert!(good > 1000 && bad > 1000, "{good} good, {bad} bad");
}
