//! How many requests a storage gets: for opening, for an item, for the same item again.

use std::io;
use std::ops::Range;
use std::sync::Mutex;

use oxiblosc::b2nd::{Array, ArrayParams};
use oxiblosc::frame::{Contiguous, FrameParams, FrameReader, FrameWriter, Sparse};
use oxiblosc::schunk::ChunkSource;
use oxiblosc::storage::{Directory, Memory, MemoryDir, ReadAt};
use oxiblosc::{
    CParams, ChunkDecoder, ChunkSink, CodecId, DParams, Error, ErrorKind, FilterSlot, Result,
};

/// Bytes that remember which of them were requested.
#[derive(Debug)]
struct Counting {
    bytes: Vec<u8>,
    requests: Mutex<Vec<Vec<Range<u64>>>>,
}

impl Counting {
    fn new(bytes: Vec<u8>) -> Self {
        let requests = Mutex::default();
        Self { bytes, requests }
    }

    /// The requests since the last call.
    fn take(&self) -> Vec<Vec<Range<u64>>> {
        self.requests
            .lock()
            .map(|mut all| std::mem::take(&mut *all))
            .unwrap_or_default()
    }

    fn note(&self, ranges: Vec<Range<u64>>) {
        if let Ok(mut all) = self.requests.lock() {
            all.push(ranges);
        }
    }
}

impl ReadAt for Counting {
    fn len(&self) -> io::Result<u64> {
        Ok(self.bytes.len() as u64)
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        let range = offset..offset + buf.len() as u64;
        self.note([range].into());
        Memory(&self.bytes).read_exact_at(buf, offset)
    }

    fn read_ranges(&self, ranges: &[Range<u64>], bufs: &mut [&mut [u8]]) -> io::Result<()> {
        self.note(ranges.to_vec());
        Memory(&self.bytes).read_ranges(ranges, bufs)
    }
}

/// Bytes without repetition.
fn noise(len: usize) -> Vec<u8> {
    let mut seed = 1_u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        seed.to_be_bytes()[0]
    };
    (0..len).map(|_| next()).collect()
}

fn frame(params: FrameParams, data: &[u8], vlmeta: usize) -> Result<Vec<u8>> {
    let mut writer = FrameWriter::in_memory(params)?;
    writer.append(data)?;
    if vlmeta > 0 {
        writer.set_vlmetalayer("long", &noise(vlmeta))?;
    }
    writer.into_bytes()
}

/// Frames whose header, index and trailer are short and long.
fn frames() -> Result<Vec<(&'static str, Vec<u8>)>> {
    let data = noise(600_000);
    let small = || FrameParams::new(CParams::new(1), 100_000);
    let many = || FrameParams::new(CParams::new(1), 64);
    let long = |params: FrameParams| params.metalayer("long", &noise(50_000));
    Ok(vec![
        ("tiny", frame(small(), &data[..1000], 0)?),
        ("empty", frame(small(), &[], 0)?),
        ("small", frame(small(), &data, 0)?),
        ("many chunks", frame(many(), &data, 0)?),
        ("long trailer", frame(small(), &data, 70_000)?),
        ("long header", frame(long(small())?, &data, 0)?),
        ("long everything", frame(long(many())?, &data, 70_000)?),
        (
            "long header, no chunks",
            frame(long(small())?, &[], 70_000)?,
        ),
    ])
}

#[test]
fn opening_takes_three_reads_and_repeats_none() {
    for (name, bytes) in frames().unwrap() {
        let expected = FrameReader::from_bytes(&bytes[..], DParams::new()).unwrap();
        let store = Counting::new(bytes.clone());
        let reader = FrameReader::open_in(Contiguous::new(&store), DParams::new()).unwrap();
        let requests = store.take();
        assert!((1..=3).contains(&requests.len()), "{name}: {requests:?}");
        let mut ranges: Vec<_> = requests.into_iter().flatten().collect();
        ranges.sort_unstable_by_key(|range| range.start);
        let apart = |pair: &[Range<u64>]| pair[0].end <= pair[1].start;
        assert!(ranges.windows(2).all(apart), "{name}: {ranges:?}");
        assert_eq!(reader.header(), expected.header(), "{name}");
        assert_eq!(reader.metalayers(), expected.metalayers(), "{name}");
        assert_eq!(
            reader.vlmetalayer("long").unwrap(),
            expected.vlmetalayer("long").unwrap(),
            "{name}"
        );
        assert!(reader.chunk_places().eq(expected.chunk_places()), "{name}");
        assert!(store.take().is_empty(), "{name}");
    }
}

/// An own error names the part, whatever was read at once.
#[test]
fn opening_a_cut_file_names_the_part() {
    for (name, bytes) in frames().unwrap() {
        for cut in [10, 90, bytes.len() / 2, bytes.len() - 1] {
            let plain = FrameReader::from_bytes(&bytes[..cut], DParams::new()).unwrap_err();
            let store = Counting::new(bytes[..cut].to_vec());
            let error = FrameReader::open_in(Contiguous::new(&store), DParams::new()).unwrap_err();
            assert_eq!(error.to_string(), plain.to_string(), "{name}, {cut}");
        }
    }
}

fn kinds() -> Vec<CParams> {
    let filters: [&[FilterSlot]; 4] = [
        &[],
        &[FilterSlot::SHUFFLE],
        &[FilterSlot::DELTA, FilterSlot::BITSHUFFLE],
        &[FilterSlot::DELTA],
    ];
    let mut kinds = Vec::new();
    for codec in [CodecId::BLOSCLZ, CodecId::LZ4, CodecId::ZSTD] {
        for filters in filters {
            for (clevel, blocksize) in [(5, 8192), (0, 8192), (9, 512)] {
                let cparams = CParams::new(4).codec(codec).clevel(clevel);
                kinds.push(
                    cparams
                        .blocksize(Some(blocksize))
                        .filters(filters.iter().copied()),
                );
            }
        }
    }
    kinds.push(
        CParams::new(4)
            .codec(CodecId::ZSTD)
            .use_dict(true)
            .blocksize(Some(4096)),
    );
    kinds
}

#[test]
fn an_item_takes_two_requests_and_none_again() {
    let items: Vec<u8> = (0..200_000_u32)
        .flat_map(|i| (i / 3 * 7).to_le_bytes())
        .collect();
    for cparams in kinds() {
        let name = format!("{cparams:?}");
        let bytes = frame(FrameParams::new(cparams, 300_000), &items, 0).unwrap();
        let store = Counting::new(bytes);
        for cache in [0, 1 << 20] {
            let dparams = DParams::new().cache_bytes(cache);
            let reader = FrameReader::open_in(Contiguous::new(&store), dparams).unwrap();
            store.take();
            let mut decoder = ChunkDecoder::default();
            let mut read = |item: u64| {
                let mut found = [0; 4];
                let done = reader.read_items_into(&mut decoder, item..item + 1, &mut found);
                assert_eq!(done.unwrap(), 4);
                let at = usize::try_from(item).unwrap() * 4;
                assert_eq!(found, items[at..at + 4], "{name}");
                store.take().len()
            };
            for item in [100_001, 5, 150_000] {
                let first = read(item);
                assert!(first <= 2, "{name}: {first} requests");
                let again: usize = (0..9).map(|_| read(item)).sum();
                match cache {
                    0 => assert_eq!(again, 9 * first, "{name}"),
                    _ => assert_eq!(again, 0, "{name}"),
                }
            }
        }
    }
}

#[test]
fn an_element_of_an_array_takes_two_requests_and_none_again() {
    let numbers: Vec<u32> = (0..250_000).map(|i| i / 3 * 7).collect();
    let params = ArrayParams::new::<u32>(&[500, 500])
        .chunkshape(&[200, 200])
        .blockshape(&[50, 50]);
    let array = Array::from_elements(&numbers, &params).unwrap();
    let store = Counting::new(array.into_inner().unwrap().to_cframe().unwrap());
    let dparams = DParams::new().cache_bytes(1 << 20);
    let reader = FrameReader::open_in(Contiguous::new(&store), dparams).unwrap();
    let array = Array::open_in(reader).unwrap();
    assert!(store.take().len() <= 3);
    assert_eq!(
        array.get::<u32>(&[321, 123]).unwrap(),
        numbers[321 * 500 + 123]
    );
    assert!((1..=2).contains(&store.take().len()));
    for _ in 0..9 {
        assert_eq!(
            array.get::<u32>(&[321, 123]).unwrap(),
            numbers[321 * 500 + 123]
        );
    }
    assert_eq!(store.take().len(), 0);
    // A box of 2 x 2 blocks of one chunk.
    let part = array.slice::<u32>((240..260, 40..60)).unwrap();
    assert_eq!(part[0], numbers[240 * 500 + 40]);
    assert!(store.take().len() <= 2);
    assert_eq!(array.slice::<u32>((240..260, 40..60)).unwrap(), part);
    assert_eq!(store.take().len(), 0);
}

/// A directory of which every file counts.
#[derive(Debug, Default)]
struct CountingDir {
    dir: MemoryDir,
    opened: Mutex<usize>,
}

impl Directory for CountingDir {
    type File = Memory<std::sync::Arc<[u8]>>;

    fn open(&self, name: &str) -> io::Result<Self::File> {
        if let Ok(mut opened) = self.opened.lock() {
            *opened += 1;
        }
        self.dir.open(name)
    }

    fn replace(&mut self, name: &str, bytes: &[u8], sync: bool) -> io::Result<()> {
        self.dir.replace(name, bytes, sync)
    }

    fn remove(&mut self, name: &str) -> io::Result<()> {
        self.dir.remove(name)
    }

    fn names(&self) -> io::Result<Vec<String>> {
        self.dir.names()
    }
}

/// The same file numbers in a cache of a sparse frame are different chunks.
#[test]
fn chunks_of_a_sparse_frame_are_told_apart() {
    let data = noise(50_000);
    let params = FrameParams::new(CParams::new(1), 5000);
    let mut writer = FrameWriter::create_in(Sparse::new(CountingDir::default()), params).unwrap();
    writer.append(&data).unwrap();
    let store = writer.finish().unwrap();
    let dparams = DParams::new().cache_bytes(1 << 20);
    let reader = FrameReader::open_in(store, dparams).unwrap();
    let mut decoder = ChunkDecoder::default();
    for at in (0..50_000_u64).step_by(777).chain(0..9) {
        let mut found = [0];
        reader
            .read_bytes_into(&mut decoder, at..at + 1, &mut found)
            .unwrap();
        assert_eq!(found[0], data[usize::try_from(at).unwrap()]);
    }
}

/// The file of a chunk is not opened again for bytes that are kept.
#[test]
fn a_cached_item_of_a_sparse_frame_opens_no_file() {
    let items: Vec<u8> = (0..100_000_u32)
        .flat_map(|i| (i / 3 * 7).to_le_bytes())
        .collect();
    for cparams in kinds() {
        let name = format!("{cparams:?}");
        let params = FrameParams::new(cparams, 150_000);
        let store = Sparse::new(CountingDir::default());
        let mut writer = FrameWriter::create_in(store, params).unwrap();
        writer.append(&items).unwrap();
        let mut store = writer.finish().unwrap();
        for cache in [0, 1 << 20] {
            let dparams = DParams::new().cache_bytes(cache);
            let reader = FrameReader::open_in(store, dparams).unwrap();
            let opened = || std::mem::take(&mut *reader.store().dir().opened.lock().unwrap());
            opened();
            let mut decoder = ChunkDecoder::default();
            let mut read = |item: u64| {
                let mut found = [0; 4];
                let done = reader.read_items_into(&mut decoder, item..item + 1, &mut found);
                assert_eq!(done.unwrap(), 4);
                let at = usize::try_from(item).unwrap() * 4;
                assert_eq!(found, items[at..at + 4], "{name}");
                opened()
            };
            for item in [50_001, 5, 99_999] {
                let first = read(item);
                assert!((1..=2).contains(&first), "{name}: {first} files opened");
                let again: usize = (0..9).map(|_| read(item)).sum();
                match cache {
                    0 => assert_eq!(again, 9 * first, "{name}"),
                    _ => assert_eq!(again, 0, "{name}"),
                }
            }
            store = reader.into_store();
        }
    }
}

fn item(reader: &impl ChunkSource, at: u64) -> Result<u8> {
    let mut found = [0];
    reader.read_bytes_into(&mut ChunkDecoder::default(), at..at + 1, &mut found)?;
    Ok(found[0])
}

/// Bytes in the cache are as stale as those that are not.
#[test]
fn a_cache_is_never_out_of_date() {
    let dir = tempfile::tempdir().unwrap();
    for shared in [false, true] {
        let path = dir.path().join(format!("shared {shared}"));
        let mut params = FrameParams::new(CParams::new(1).clevel(0), 10_000);
        let mut access = oxiblosc::frame::Locking::None;
        if shared {
            access = oxiblosc::frame::Locking::Shared;
            params = params.locking(access);
        }
        let mut writer = FrameWriter::create(&path, params).unwrap();
        writer.append(&[1; 30_000]).unwrap();
        writer.commit().unwrap();
        let dparams = DParams::new().cache_bytes(1 << 20);
        let mut reader = FrameReader::open_with(&path, dparams, access).unwrap();
        assert_eq!(item(&reader, 12_345).unwrap(), 1);
        assert_eq!(item(&reader, 12_345).unwrap(), 1);
        writer.set_items(10_000, &[2; 10_000]).unwrap();
        writer.commit().unwrap();
        let stale = item(&reader, 12_345).unwrap_err();
        assert_eq!(stale.kind(), ErrorKind::Stale, "{stale}");
        assert!(reader.refresh().unwrap());
        assert_eq!(item(&reader, 12_345).unwrap(), 2);
        assert_eq!(item(&reader, 1).unwrap(), 1);
        assert!(!reader.refresh().unwrap());
    }
}

/// A writer reads back what it has just written over what it had read.
#[test]
fn a_writer_keeps_nothing() {
    let params = FrameParams::new(CParams::new(1), 1000).in_place(true);
    let params = params.dparams(DParams::new().cache_bytes(1 << 20));
    let mut writer = FrameWriter::in_memory(params).unwrap();
    writer.append(&noise(10_000)).unwrap();
    for value in 0..5 {
        writer.set_items(5000, &[value; 1000]).unwrap();
        assert_eq!(item(&writer, 5500).unwrap(), value);
    }
}

#[test]
fn threads_share_a_small_cache() {
    let items: Vec<u8> = (0..100_000_u32)
        .flat_map(|i| (i * 7).to_le_bytes())
        .collect();
    let bytes = frame(FrameParams::new(CParams::new(4), 40_000), &items, 0).unwrap();
    let store = Counting::new(bytes);
    let dparams = DParams::new().cache_bytes(20_000);
    let reader = FrameReader::open_in(Contiguous::new(&store), dparams).unwrap();
    let work = |seed: u64| -> Result<(), Error> {
        let mut decoder = ChunkDecoder::default();
        for step in 0..300_u64 {
            let item = (seed * 7919 + step * step * 104_729) % 100_000;
            let mut found = [0; 4];
            reader.read_items_into(&mut decoder, item..item + 1, &mut found)?;
            assert_eq!(u64::from(u32::from_le_bytes(found)), item * 7);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..16)
            .map(|seed| scope.spawn(move || work(seed)))
            .collect();
        for thread in threads {
            thread.join().unwrap().unwrap();
        }
    });
}
