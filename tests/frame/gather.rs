//! Single items, chunks read ahead, copies with other parameters: against the plain bytes.
#![cfg(feature = "frame")]
#![expect(clippy::unwrap_used, reason = "a failing test may panic")]

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use oxiblosc::frame::Contiguous;
use oxiblosc::schunk::ReadAhead;
use oxiblosc::storage::{Memory, ReadAt};
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, ChunkSink, ChunkSource, CodecId, DParams, ErrorKind,
    FrameReader, SChunk, Special, Threads,
};

fn data(n: u32) -> Vec<u8> {
    (0..n)
        .flat_map(|i| (i.wrapping_mul(2_654_435_761) >> 9).to_le_bytes())
        .collect()
}

/// Chunks of one size, or of many sizes that are no whole items; some are special values.
fn schunk(even: bool) -> (SChunk, Vec<u8>) {
    let mut schunk = SChunk::new(CParams::new(4).blocksize(Some(128)), 1000).unwrap();
    let mut content = data(1000);
    if even {
        schunk.append(&content).unwrap();
        schunk.append_special(Special::Zeros, 1500).unwrap();
    } else {
        let mut encoder = ChunkEncoder::new(CParams::new(4).blocksize(Some(128))).unwrap();
        let mut rest = content.as_slice();
        for len in [402, 1, 1203, 94, 2300] {
            let (now, later) = rest.split_at(len);
            schunk.append_chunk(&encoder.encode(now).unwrap()).unwrap();
            rest = later;
        }
        schunk.append_special(Special::Zeros, 1500).unwrap();
    }
    content.resize(5500, 0);
    (schunk, content)
}

/// Counts what is read.
#[derive(Debug)]
struct Counted(Memory<Vec<u8>>, Arc<AtomicU64>, Arc<AtomicU64>);

impl ReadAt for Counted {
    fn len(&self) -> io::Result<u64> {
        self.0.len()
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.2.fetch_add(buf.len() as u64, Ordering::Relaxed);
        self.0.read_exact_at(buf, offset)
    }
}

#[test]
fn items_from_anywhere() {
    for even in [true, false] {
        let (schunk, content) = schunk(even);
        let frame = schunk.to_cframe().unwrap();
        let counts = (Arc::default(), Arc::default());
        let store = Contiguous::new(Counted(Memory(frame.clone()), counts.0, counts.1));
        let sources: [Box<dyn ChunkSource>; 3] = [
            Box::new(schunk),
            Box::new(FrameReader::from_bytes(frame, DParams::new()).unwrap()),
            Box::new(FrameReader::open_in(store, DParams::new()).unwrap()),
        ];
        let mut decoder = ChunkDecoder::new(DParams::new());
        for source in &sources {
            let mut state = 7_u64;
            for n in [0, 1, 2, 50, 3000] {
                let items: Vec<u64> = (0..n)
                    .map(|_| {
                        state = state
                            .wrapping_mul(6_364_136_223_846_793_005)
                            .wrapping_add(99);
                        (state >> 33) % 1375
                    })
                    .collect();
                let found = source.read_items_at(&mut decoder, &items).unwrap();
                let (items4, _) = content.as_chunks::<4>();
                let wanted: Vec<u8> = items
                    .iter()
                    .flat_map(|&item| items4[usize::try_from(item).unwrap()])
                    .collect();
                assert!(found == wanted, "{even} {n}");
            }
            let error = source.read_items_at(&mut decoder, &[3, 1375]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::OutOfBounds);
            let error = source.read_items_at_into(&mut decoder, &[3], &mut [0; 3]);
            assert_eq!(error.unwrap_err().kind(), ErrorKind::OutputTooSmall);
        }
    }
}

#[test]
fn few_reads_and_each_block_once() {
    let content = data(100_000);
    let mut schunk = SChunk::new(CParams::new(4).blocksize(Some(4096)), 400_000).unwrap();
    schunk.append(&content).unwrap();
    let (reads, bytes) = (Arc::<AtomicU64>::default(), Arc::<AtomicU64>::default());
    let memory = Memory(schunk.to_cframe().unwrap());
    let store = Contiguous::new(Counted(memory, Arc::clone(&reads), Arc::clone(&bytes)));
    let reader = FrameReader::open_in(store, DParams::new()).unwrap();
    let opening = (
        reads.swap(0, Ordering::Relaxed),
        bytes.swap(0, Ordering::Relaxed),
    );
    assert!(opening.0 <= 2 && opening.1 <= 8192, "{opening:?}");
    // Items of blocks 10, 11 and 50, many times over.
    let items: Vec<u64> = (0..2000)
        .map(|i| {
            if i % 3 == 0 {
                51_300 + i % 7
            } else {
                11_000 + i % 200 * 6
            }
        })
        .collect();
    let mut decoder = ChunkDecoder::new(DParams::new());
    let found = reader.read_items_at(&mut decoder, &items).unwrap();
    for (item, found) in items.iter().zip(found.chunks(4)) {
        let at = usize::try_from(*item).unwrap() * 4;
        assert_eq!(found, &content[at..at + 4]);
    }
    // Header, table and the bytes after it, and one read for each run of blocks.
    let (reads, bytes) = (reads.load(Ordering::Relaxed), bytes.load(Ordering::Relaxed));
    assert!(reads <= 7, "{reads} reads");
    assert!(bytes <= 2 * 32 + 4 * 98 + 4 * 4200, "{bytes} bytes");
}

#[test]
fn chunks_are_decoded_ahead() {
    let pool = rayon_pool();
    for even in [true, false] {
        let (schunk, content) = schunk(even);
        let schunk = Arc::new(schunk);
        let mut all = vec![Threads::Serial];
        all.extend(pool.clone());
        for threads in all {
            let dparams = DParams::new().threads(threads);
            let ahead = ReadAhead::with_dparams(Arc::clone(&schunk), dparams.clone());
            assert_eq!(ahead.len_hint(), schunk.layout().nchunks);
            let chunks: oxiblosc::Result<Vec<_>> = ahead.collect();
            assert!(chunks.unwrap().concat() == content);
            // A reader that stops early leaves nothing to wait for.
            assert_eq!(
                ReadAhead::with_dparams(Arc::clone(&schunk), dparams)
                    .take(2)
                    .count(),
                2
            );
        }
    }
}

trait LenHint {
    fn len_hint(&self) -> u64;
}

impl<I: Iterator> LenHint for I {
    fn len_hint(&self) -> u64 {
        self.size_hint().0 as u64
    }
}

#[cfg(feature = "rayon")]
fn rayon_pool() -> Vec<Threads> {
    vec![Threads::Current]
}

#[cfg(not(feature = "rayon"))]
fn rayon_pool() -> Vec<Threads> {
    Vec::new()
}

#[test]
fn copies_with_other_parameters() {
    for even in [true, false] {
        let (mut schunk, content) = schunk(even);
        schunk.metalayers_mut().insert("m", b"fixed").unwrap();
        schunk.vlmetalayers_mut().set("v", b"variable").unwrap();
        let copy = schunk
            .recode(CParams::new(4).codec(CodecId::LZ4HC))
            .unwrap();
        assert!(copy.read_items(0..1375).unwrap() == content);
        assert_eq!(copy.layout().chunksize, schunk.layout().chunksize);
        assert_eq!(copy.layout().nchunks, schunk.layout().nchunks);
        assert_eq!(copy.metalayers(), schunk.metalayers());
        assert_eq!(copy.vlmetalayer("v").unwrap().unwrap(), b"variable");
    }
    let mut encoder = ChunkEncoder::new(CParams::new(1)).unwrap();
    let chunk = encoder.encode_vlblocks(&[b"one".as_slice(), b"and two"]);
    let mut schunk = SChunk::new(CParams::new(1), 100).unwrap();
    schunk.append_chunk(&chunk.unwrap()).unwrap();
    let copy = schunk.recode(CParams::new(1).codec(CodecId::ZSTD)).unwrap();
    assert_eq!(copy.read_items(0..10).unwrap(), b"oneand two");
}

#[test]
fn chunks_change_places() {
    let (mut schunk, content) = schunk(true);
    let n = schunk.layout().nchunks;
    assert_eq!(n, 6);
    assert_eq!(
        schunk
            .reorder_chunks(&[0, 1, 2, 3, 4, 4])
            .unwrap_err()
            .kind(),
        ErrorKind::Refused
    );
    assert!(schunk.read_items(0..1375).unwrap() == content);
    schunk.reorder_chunks(&[4, 3, 2, 1, 0, 5]).unwrap();
    let mut wanted: Vec<u8> = content[..5000]
        .chunks(1000)
        .rev()
        .flatten()
        .copied()
        .collect();
    wanted.extend_from_slice(&content[5000..]);
    assert!(schunk.read_items(0..1375).unwrap() == wanted);
}
