//! Reading reads what it needs and nothing else: the reads of the storage are counted.
#![cfg(feature = "frame")]
#![expect(clippy::unwrap_used, reason = "a failing test may panic")]

use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use oxiblosc::frame::{Contiguous, FrameStore, Sparse};
use oxiblosc::schunk::ReadAhead;
use oxiblosc::storage::{Directory, Memory, MemoryDir, ReadAt};
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, ChunkSink, ChunkSource, CodecId, DParams, Error,
    ErrorKind, FilterSlot, FrameParams, FrameReader, FrameWriter, Threads,
};

/// A read: the file, and the range of bytes.
type Log = Arc<Mutex<Vec<(String, Range<u64>)>>>;

/// A storage without a slice to borrow that writes down what is read.
#[derive(Debug)]
struct Counted(String, Memory<Arc<[u8]>>, Log);

impl ReadAt for Counted {
    fn len(&self) -> io::Result<u64> {
        self.1.len()
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        let range = offset..offset + buf.len() as u64;
        self.2.lock().unwrap().push((self.0.clone(), range));
        self.1.read_exact_at(buf, offset)
    }
}

#[derive(Debug)]
struct CountedDir(MemoryDir, Log);

impl Directory for CountedDir {
    type File = Counted;

    fn open(&self, name: &str) -> io::Result<Counted> {
        let file = self.0.open(name)?;
        Ok(Counted(name.to_owned(), file, Arc::clone(&self.1)))
    }

    fn replace(&mut self, name: &str, bytes: &[u8], sync: bool) -> io::Result<()> {
        self.0.replace(name, bytes, sync)
    }

    fn remove(&mut self, name: &str) -> io::Result<()> {
        self.0.remove(name)
    }

    fn names(&self) -> io::Result<Vec<String>> {
        self.0.names()
    }
}

/// The number of reads so far and of their bytes; resets both.
fn taken(log: &Log) -> (Vec<(String, Range<u64>)>, u64) {
    let reads = std::mem::take(&mut *log.lock().unwrap());
    let nbytes = reads.iter().map(|(_, range)| range.end - range.start);
    let nbytes = nbytes.sum();
    (reads, nbytes)
}

fn data(n: u32) -> Vec<u8> {
    (0..n)
        .flat_map(|i| (i.wrapping_mul(2_654_435_761) >> 9).to_le_bytes())
        .collect()
}

const CHUNK: usize = 40_000;
const BLOCK: usize = 1000;

fn params() -> FrameParams {
    let cparams = CParams::new(4).codec(CodecId::BLOSCLZ);
    let cparams = cparams.filters([FilterSlot::SHUFFLE]);
    let params = FrameParams::new(cparams.blocksize(Some(BLOCK)), CHUNK);
    params.vlmetalayer("v", &data(500)).unwrap()
}

fn contiguous(frame: Vec<u8>) -> (FrameReader<Contiguous<Counted>>, Log) {
    let log = Log::default();
    let store = Counted("frame".to_owned(), Memory(frame.into()), Arc::clone(&log));
    let reader = FrameReader::open_in(Contiguous::new(store), DParams::new()).unwrap();
    (reader, log)
}

/// The most bytes that a block takes, stored.
const BLOCK_CBYTES: u64 = BLOCK as u64 + 40;
const TABLE: u64 = 32 + 4 * (CHUNK / BLOCK) as u64;

/// The cost of reading items, for any storage of the frame.
fn check_items<S: FrameStore>(reader: &FrameReader<S>, log: &Log, content: &[u8]) {
    let mut decoder = ChunkDecoder::new(DParams::new());
    // One item: header and table, block.
    let mut item = [0; 4];
    let done = reader.read_items_into(&mut decoder, 123_457..123_458, &mut item);
    assert_eq!((done.unwrap(), &item[..]), (4, &content[493_828..493_832]));
    let (reads, nbytes) = taken(log);
    assert_eq!(reads.len(), 2, "{reads:?}");
    assert!(nbytes <= TABLE + BLOCK_CBYTES, "{nbytes}");
    // 2000 bytes at the end of a chunk and 1000 at the start of the next: neighbours in one read.
    let mut bytes = [0; 3000];
    let range = 2 * CHUNK - 2000..2 * CHUNK + 1000;
    let wide = range.start as u64..range.end as u64;
    reader
        .read_bytes_into(&mut decoder, wide, &mut bytes)
        .unwrap();
    assert_eq!(bytes, content[range]);
    let (reads, nbytes) = taken(log);
    assert_eq!(reads.len(), 4, "{reads:?}");
    assert!(nbytes <= 2 * TABLE + 3 * BLOCK_CBYTES, "{nbytes}");
    // A whole chunk: all at once.
    let mut chunk = vec![0; CHUNK];
    reader
        .decode_chunk_into(&mut decoder, 7, &mut chunk)
        .unwrap();
    assert!(chunk == content[7 * CHUNK..8 * CHUNK]);
    assert_eq!(taken(log).0.len(), 1);
}

#[test]
fn a_contiguous_frame_is_read_in_parts() {
    let content = data(500_000);
    let mut writer = FrameWriter::in_memory(params()).unwrap();
    writer.append(&content).unwrap();
    let (reader, log) = contiguous(writer.into_bytes().unwrap());
    let (reads, nbytes) = taken(&log);
    // Both ends of the frame, which hold the header, and exactly the index and the trailer.
    let header = reader.header();
    let chunks_end = header.header_len + header.cbytes;
    let ranges: Vec<_> = reads.iter().map(|(_, range)| range.clone()).collect();
    assert_eq!(ranges, [0..4096, chunks_end..header.frame_len]);
    assert_eq!(nbytes, 4096 + header.frame_len - chunks_end);
    assert!(nbytes < 2 * 4096, "{nbytes}");
    check_items(&reader, &log, &content);
    reader.vlmetalayer("v").unwrap();
    assert_eq!(taken(&log).0.len(), 0);
}

#[test]
fn a_sparse_frame_is_read_in_parts() {
    let content = data(500_000);
    let mut writer = FrameWriter::create_in(Sparse::new(MemoryDir::new()), params()).unwrap();
    writer.append(&content).unwrap();
    let dir = writer.finish().unwrap().into_inner();
    let log = Log::default();
    let store = Sparse::open(CountedDir(dir, Arc::clone(&log))).unwrap();
    let reader = FrameReader::open_in(store, DParams::new()).unwrap();
    let (reads, nbytes) = taken(&log);
    // All of it is shorter than the first read.
    assert_eq!(reads.len(), 1, "{reads:?}");
    assert!(reads.iter().all(|(name, _)| name == "chunks.b2frame"));
    assert_eq!(nbytes, reader.header().frame_len);
    check_items(&reader, &log, &content);
    let mut decoder = ChunkDecoder::new(DParams::new());
    reader
        .read_items_into(&mut decoder, 0..1, &mut [0; 4])
        .unwrap();
    let (reads, _) = taken(&log);
    assert!(
        reads.iter().all(|(name, _)| name == "00000000.chunk"),
        "{reads:?}"
    );
}

#[test]
fn a_variable_length_block_is_read_alone() {
    let mut writer = FrameWriter::in_memory(params()).unwrap();
    let blocks: Vec<Vec<u8>> = (1..50).map(|n| data(n * 37 % 300 + 1)).collect();
    for _ in 0..3 {
        writer.append_vlblocks(&blocks).unwrap();
    }
    let bytes = writer.into_bytes().unwrap();
    let memory = FrameReader::from_bytes(bytes.clone(), DParams::new()).unwrap();
    let (reader, log) = contiguous(bytes);
    let mut decoder = ChunkDecoder::new(DParams::new());
    taken(&log);
    for (at, block) in (0..).zip(&blocks) {
        assert_eq!(reader.decode_vlblock(&mut decoder, 1, at).unwrap(), *block);
        assert_eq!(memory.decode_vlblock(&mut decoder, 2, at).unwrap(), *block);
        let (reads, nbytes) = taken(&log);
        assert_eq!(reads.len(), 3, "{reads:?}");
        assert!(nbytes <= 32 + 4 * 49 + block.len() as u64 + 40, "{nbytes}");
    }
    let mut chunk = reader.lazy_chunk(0).unwrap();
    for _ in 0..2 {
        assert_eq!(chunk.decode_vlblock(&mut decoder, 8).unwrap(), blocks[8]);
    }
    assert_eq!(taken(&log).0.len(), 3);
    let whole = blocks.concat();
    let mut part = vec![0; 100];
    chunk
        .decode_bytes_into(&mut decoder, 50..150, &mut part)
        .unwrap();
    assert_eq!(part, whole[50..150]);
    let error = reader.decode_vlblock(&mut decoder, 0, 49).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfBounds);
    let mut regular = FrameWriter::in_memory(params()).unwrap();
    regular.append(&data(100)).unwrap();
    let regular = FrameReader::from_bytes(regular.into_bytes().unwrap(), DParams::new()).unwrap();
    let error = regular.decode_vlblock(&mut decoder, 0, 0).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Refused);
}

/// C writes the block size asked for where it cuts by whole items (format §14, item 1).
#[test]
fn a_wrong_block_size_costs_no_whole_chunk() {
    let content = data(30_000);
    for (codec, dict) in [(CodecId::BLOSCLZ, false), (CodecId::ZSTD, true)] {
        if dict && !cfg!(feature = "zstd") {
            continue;
        }
        let cparams = CParams::new(12).codec(codec).use_dict(dict);
        let mut encoder = ChunkEncoder::new(cparams.clone().blocksize(Some(1200))).unwrap();
        let mut chunk = encoder.encode(&content).unwrap();
        assert_eq!(chunk[8..12], 1200_u32.to_le_bytes());
        chunk[8..12].copy_from_slice(&1207_u32.to_le_bytes());
        assert!(oxiblosc::decompress(&chunk).unwrap() == content);
        let mut writer = FrameWriter::in_memory(FrameParams::new(cparams, content.len())).unwrap();
        writer.append_chunk(&chunk).unwrap();
        let (reader, log) = contiguous(writer.into_bytes().unwrap());
        let mut decoder = ChunkDecoder::new(DParams::new());
        for start in (0..content.len() - 100).step_by(777) {
            let mut part = [0; 100];
            let mut lazy = reader.lazy_chunk(0).unwrap();
            lazy.decode_bytes_into(&mut decoder, start..start + 100, &mut part)
                .unwrap();
            assert_eq!(part, content[start..start + 100], "{start}");
            assert!(lazy.bytes_read() < chunk.len() as u64 / 4 || dict);
            assert!(lazy.bytes_read() < chunk.len() as u64);
        }
        assert!(taken(&log).0.len() < 6 * content.len() / 777);
    }
}

/// Fails when it reads one place, and works again later.
#[derive(Debug)]
struct Flaky(Memory<Vec<u8>>, Range<u64>, Mutex<u32>);

impl ReadAt for Flaky {
    fn len(&self) -> io::Result<u64> {
        self.0.len()
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        let end = offset + buf.len() as u64;
        let mut left = self.2.lock().unwrap();
        if offset < self.1.end && end > self.1.start && *left > 0 {
            *left -= 1;
            return Err(io::Error::other("not now"));
        }
        self.0.read_exact_at(buf, offset)
    }
}

#[test]
fn a_read_that_failed_is_tried_again() {
    let content = data(10_000);
    let mut writer = FrameWriter::in_memory(params()).unwrap();
    writer.append(&content).unwrap();
    let frame = writer.into_bytes().unwrap();
    let end = frame.len() as u64 / 2;
    let store = Contiguous::new(Flaky(Memory(frame), end - 10..end, Mutex::new(2)));
    let reader = FrameReader::open_in(store, DParams::new()).unwrap();
    let mut decoder = ChunkDecoder::new(DParams::new());
    let mut chunk = reader.lazy_chunk(0).unwrap();
    let mut all = vec![0; CHUNK];
    for _ in 0..2 {
        let error = chunk
            .decode_bytes_into(&mut decoder, 0..CHUNK, &mut all)
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
    }
    chunk
        .decode_bytes_into(&mut decoder, 0..CHUNK, &mut all)
        .unwrap();
    assert!(all == content);
}

/// Blocks that share bytes are read once more, with the whole chunk. What fails then is not taken
/// as read.
#[test]
fn a_chunk_whose_blocks_share_bytes_is_tried_again() {
    let cparams = CParams::new(1).blocksize(Some(4096));
    let mut content = data(4 * 1024);
    content[8192..12288].fill(0);
    content[12288..].fill(7);
    content[5000..5004].fill(0);
    let mut chunk = ChunkEncoder::new(cparams.clone())
        .unwrap()
        .encode(&content)
        .unwrap();
    // Block 2, a run of zeros, begins where block 1, which is stored as it is, has four.
    let start = u32::from_le_bytes(*chunk[36..].first_chunk().unwrap());
    chunk[40..44].copy_from_slice(&(start + 4 + 5000 - 4096).to_le_bytes());
    assert_eq!(oxiblosc::decompress(&chunk).unwrap(), content);

    let mut writer = FrameWriter::in_memory(FrameParams::new(cparams, content.len())).unwrap();
    writer.append_chunk(&chunk).unwrap();
    let frame = writer.into_bytes().unwrap();
    let at = frame.windows(chunk.len()).position(|bytes| bytes == chunk);
    let end = (at.unwrap() + chunk.len()) as u64;
    // A byte of the last block, which neither opening nor the request needs.
    let store = Contiguous::new(Flaky(Memory(frame), end - 1..end, Mutex::new(2)));
    let reader = FrameReader::open_in(store, DParams::new()).unwrap();
    let mut decoder = ChunkDecoder::new(DParams::new());
    let mut lazy = reader.lazy_chunk(0).unwrap();
    let mut part = vec![1; 3900];
    let mut decode = || lazy.decode_bytes_into(&mut decoder, 4100..8000, &mut part);
    for _ in 0..2 {
        assert_eq!(decode().unwrap_err().kind(), ErrorKind::Io);
    }
    decode().unwrap();
    assert!(part == content[4100..8000]);
}

/// Chunks decoded ahead come in order from a frame that is read lazily, each error with its chunk,
/// and no more of them are in memory than the window is wide.
#[test]
#[cfg(feature = "rayon")]
fn chunks_are_decoded_ahead_from_a_frame() {
    let content = data(200_000);
    let mut writer = FrameWriter::in_memory(params()).unwrap();
    writer.append(&content).unwrap();
    let good = writer.into_bytes().unwrap();
    let reader = FrameReader::from_bytes(good.clone(), DParams::new()).unwrap();
    let bad_chunk = 5;
    let place = reader.chunk_places().nth(bad_chunk).unwrap();
    let oxiblosc::frame::ChunkPlace::Offset(offset) = place else {
        unreachable!("the chunk is stored")
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
    let pool = Arc::new(pool.unwrap());
    for threads in [Threads::Serial, Threads::Pool(pool)] {
        let window = if matches!(threads, Threads::Serial) {
            1
        } else {
            6
        };
        let mut bad = good.clone();
        // The version of the chunk's format.
        bad[usize::try_from(offset).unwrap()] = 0xEE;
        let (reader, log) = contiguous(bad);
        taken(&log);
        let dparams = DParams::new().threads(threads);
        let mut ahead = ReadAhead::with_dparams(Arc::new(reader), dparams);
        assert_eq!(ahead.size_hint(), (20, Some(20)));
        for (nchunk, wanted) in content.chunks(CHUNK).enumerate() {
            let found = ahead.next().unwrap();
            if nchunk == bad_chunk {
                let Err(Error::InChunk { nchunk, .. }) = found else {
                    unreachable!("the chunk is damaged")
                };
                assert_eq!(nchunk, bad_chunk as u64);
            } else {
                assert!(found.unwrap() == wanted, "chunk {nchunk}");
            }
            // What was returned, and what may have been begun since.
            let begun: std::collections::BTreeSet<u64> = log
                .lock()
                .unwrap()
                .iter()
                .map(|(_, range)| range.start)
                .collect();
            assert!(begun.len() <= 2 * (nchunk + 1 + window), "{}", begun.len());
        }
        assert!(ahead.next().is_none());
    }
}
