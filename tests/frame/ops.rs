//! Random changes to frames in every kind of store, against a vector of chunks. The frame is
//! reopened after each commit. `OXIBLOSC_LONG=1` makes at least 10,000 changes in each kind.
#![cfg(feature = "frame")]
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a failing test may panic, and says how much it did"
)]

use std::path::Path;

use oxiblosc::frame::{ChunkPlace, Contiguous, FrameStore, FrameStoreMut, SEAL, Sparse, Verified};
use oxiblosc::schunk::StoredChunk;
use oxiblosc::storage::{Directory, DiskDir, DiskFile, Memory, MemoryDir, WriteAt};
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, ChunkSink, ChunkSource, CodecId, DParams, ErrorKind,
    FrameParams, FrameReader, FrameWriter, Special,
};

const CHUNKSIZE: usize = 400;

/// A small generator, the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next()).unwrap() % n.max(1)
    }

    fn data(&mut self, len: usize) -> Vec<u8> {
        match self.below(4) {
            0 => vec![0; len],
            1 => vec![9; len],
            2 => (0..len)
                .map(|_| u8::try_from(self.next() & 0xFF).unwrap())
                .collect(),
            _ => (0..len)
                .map(|i| u8::try_from(i / 7 % 251).unwrap())
                .collect(),
        }
    }
}

/// The expected content of the frame.
#[derive(Clone, Default)]
struct Model {
    chunks: Vec<Vec<u8>>,
    vlmetalayers: Vec<(String, Vec<u8>)>,
}

impl Model {
    /// Takes `bytes` at the end, cut as the frame says it cut them.
    fn append(&mut self, bytes: &[u8], frame: &dyn ChunkSource) {
        let mut all = self.chunks.concat();
        all.extend_from_slice(bytes);
        let mut rest = all.as_slice();
        self.chunks.clear();
        for nchunk in 0..frame.layout().nchunks {
            let nbytes = frame.chunk_nbytes(nchunk).unwrap();
            let (chunk, later) = rest.split_at(nbytes);
            self.chunks.push(chunk.to_vec());
            rest = later;
        }
        assert!(rest.is_empty());
    }

    fn check<S: FrameStore>(&self, frame: &FrameReader<S>) {
        frame.check().unwrap();
        let layout = frame.layout();
        assert_eq!(layout.nchunks, self.chunks.len() as u64);
        assert_eq!(
            layout.nbytes,
            self.chunks
                .iter()
                .map(|chunk| chunk.len() as u64)
                .sum::<u64>()
        );
        let mut decoder = ChunkDecoder::new(DParams::new());
        for (nchunk, expected) in (0..).zip(&self.chunks) {
            let mut data = vec![0xEE; expected.len()];
            let n = frame
                .decode_chunk_into(&mut decoder, nchunk, &mut data)
                .unwrap();
            assert_eq!((n, &data), (expected.len(), expected), "chunk {nchunk}");
            let (start, end) = (expected.len() / 3, expected.len() - expected.len() / 4);
            let part = &mut data[..end - start];
            frame
                .decode_chunk_bytes_into(&mut decoder, nchunk, start..end, part)
                .unwrap();
            assert_eq!(part, &expected[start..end]);
            if let StoredChunk::Bytes(chunk) = frame.chunk(nchunk).unwrap() {
                assert_eq!(&oxiblosc::decompress(&chunk).unwrap(), expected);
            }
        }
        let all = self.chunks.concat();
        let (start, end) = (all.len() / 5, all.len() - all.len() / 7);
        let mut part = vec![0; end - start];
        frame
            .read_bytes_into(&mut decoder, start as u64..end as u64, &mut part)
            .unwrap();
        assert_eq!(part, all[start..end]);
        let names = frame.vlmetalayers().names();
        let names: Vec<_> = names.filter(|&name| name != SEAL).collect();
        let expected: Vec<_> = self
            .vlmetalayers
            .iter()
            .map(|(name, _)| name.as_str())
            .collect();
        assert_eq!(names, expected);
        for (name, content) in &self.vlmetalayers {
            assert_eq!(frame.vlmetalayer(name).unwrap().as_ref(), Some(content));
        }
        assert_eq!(frame.metalayers().get("fixed").unwrap().len(), 5);
    }
}

/// Overwrites some items, across chunks.
fn overwrite<S: FrameStoreMut>(
    random: &mut Random,
    writer: &mut FrameWriter<S>,
    model: &mut Model,
) {
    let mut all = model.chunks.concat();
    let nitems = all.len() / 4;
    let start = random.below(nitems + 1);
    let len = 4 * random.below((nitems - start).min(250) + 1);
    let data = random.data(len);
    writer.set_items(start as u64, &data).unwrap();
    all[4 * start..4 * start + len].copy_from_slice(&data);
    let mut rest = all.as_slice();
    for chunk in &mut model.chunks {
        let (now, later) = rest.split_at(chunk.len());
        *chunk = now.to_vec();
        rest = later;
    }
    let error = writer.set_items(nitems as u64, &[0; 8]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfBounds);
}

/// Adds, updates or removes a vlmetalayer, and updates the metalayer.
fn change_metalayers<S: FrameStoreMut>(
    random: &mut Random,
    writer: &mut FrameWriter<S>,
    model: &mut Model,
) {
    let name = format!("v{}", random.below(3));
    if random.below(3) == 0 {
        let there = model.vlmetalayers.iter().any(|(other, _)| *other == name);
        assert_eq!(writer.remove_vlmetalayer(&name).unwrap(), there);
        model.vlmetalayers.retain(|(other, _)| *other != name);
    } else {
        let content = random.data(50);
        writer.set_vlmetalayer(&name, &content).unwrap();
        match model
            .vlmetalayers
            .iter_mut()
            .find(|(other, _)| *other == name)
        {
            Some((_, old)) => *old = content,
            None => model.vlmetalayers.push((name, content)),
        }
    }
    writer.update_metalayer("fixed", &random.data(5)).unwrap();
}

/// One random change to both.
fn change<S: FrameStoreMut>(
    random: &mut Random,
    writer: &mut FrameWriter<S>,
    model: &mut Model,
    uneven: bool,
) {
    let mut encoder = ChunkEncoder::new(writer.cparams().clone()).unwrap();
    let n = model.chunks.len();
    let len = if uneven && n > 0 {
        4 * (1 + random.below(200))
    } else {
        CHUNKSIZE
    };
    let chunk = |random: &mut Random, encoder: &mut ChunkEncoder| match random.below(8) {
        0 => (
            encoder.encode_special(Special::Zeros, len).unwrap(),
            vec![0; len],
        ),
        1 => (
            encoder.encode_special(Special::Uninit, len).unwrap(),
            vec![0; len],
        ),
        2 => {
            let nans = f32::NAN.to_le_bytes().repeat(len / 4);
            (encoder.encode_special(Special::Nans, len).unwrap(), nans)
        }
        3 => {
            let chunk = encoder
                .encode_special(Special::Repeat(b"ABCD"), len)
                .unwrap();
            (chunk, b"ABCD".repeat(len / 4))
        }
        _ => {
            let data = random.data(len);
            (encoder.encode(&data).unwrap(), data)
        }
    };
    match random.below(12) {
        10 if n > 0 => overwrite(random, writer, model),
        11 => {
            let len = 4 * (1 + random.below(250));
            let (special, all) = match random.below(2) {
                0 => (Special::Zeros, vec![0; len]),
                _ => (Special::Nans, f32::NAN.to_le_bytes().repeat(len / 4)),
            };
            writer.append_special(special, len as u64).unwrap();
            model
                .chunks
                .extend(all.chunks(CHUNKSIZE).map(<[u8]>::to_vec));
        }
        0 | 1 => {
            let len = random.below(3 * CHUNKSIZE);
            let data = random.data(len);
            let (first, second) = data.split_at(random.below(len + 1));
            writer.append(first).unwrap();
            if random.below(2) == 0 {
                writer.flush_chunk().unwrap();
            }
            writer.append(second).unwrap();
            writer.flush_chunk().unwrap();
            model.append(&data, writer);
        }
        2 | 3 => {
            let (chunk, data) = chunk(random, &mut encoder);
            assert_eq!(writer.append_chunk(&chunk).unwrap(), n as u64 + 1);
            model.chunks.push(data);
        }
        4 => {
            let at = random.below(n + 1);
            let (chunk, data) = chunk(random, &mut encoder);
            writer.insert_chunk(at as u64, &chunk).unwrap();
            model.chunks.insert(at, data);
        }
        5 | 6 if n > 0 => {
            let at = random.below(n);
            let (chunk, data) = chunk(random, &mut encoder);
            writer.update_chunk(at as u64, &chunk).unwrap();
            model.chunks[at] = data;
        }
        7 if n > 0 => {
            let at = random.below(n);
            writer.delete_chunk(at as u64).unwrap();
            model.chunks.remove(at);
        }
        8 if n > 0 => {
            let mut order: Vec<u64> = (0..n as u64).collect();
            for i in (1..n).rev() {
                order.swap(i, random.below(i + 1));
            }
            writer.reorder_chunks(&order).unwrap();
            let old = model.chunks.clone();
            let moved = |&at: &u64| old[usize::try_from(at).unwrap()].clone();
            model.chunks = order.iter().map(moved).collect();
        }
        _ => change_metalayers(random, writer, model),
    }
}

/// Compacts either kind.
trait Tidy {
    fn tidy(&mut self);
}

impl<S: WriteAt> Tidy for FrameWriter<Contiguous<S>> {
    fn tidy(&mut self) {
        let done = self.compact().unwrap();
        assert!(done.after <= done.before);
    }
}

impl<D: Directory> Tidy for FrameWriter<Sparse<D>> {
    fn tidy(&mut self) {
        let done = self.compact().unwrap();
        assert!(done.after <= done.before + 64);
        let mut numbers = 0..;
        for place in self.reader().chunk_places() {
            if let ChunkPlace::File(number) = place {
                assert_eq!(Some(number), numbers.next());
            }
        }
        assert_eq!(self.recover().unwrap(), 0);
    }
}

/// Changes a frame in `store`, reopening it with `open` after each commit; returns the number
/// of changes.
fn run<S: FrameStoreMut>(seed: u64, store: S, open: impl Fn(S) -> S) -> u64
where
    FrameWriter<S>: Tidy,
{
    let mut random = Random(seed);
    let in_place = random.below(2) == 0;
    let uneven = random.below(2) == 0;
    let cparams = CParams::new(4).codec(CodecId::BLOSCLZ).blocksize(Some(128));
    let params = FrameParams::new(cparams, CHUNKSIZE).in_place(in_place);
    let params = params.metalayer("fixed", b"12345").unwrap();
    let mut writer = FrameWriter::create_in(store, params).unwrap();
    let mut model = Model::default();
    let mut changes = 0;
    for _ in 0..12 {
        for _ in 0..random.below(6) {
            change(&mut random, &mut writer, &mut model, uneven);
            changes += 1;
            if random.below(4) == 0 {
                model.check(writer.reader());
            }
        }
        match random.below(8) {
            0 => writer.tidy(),
            1 => writer.seal().unwrap(),
            _ => {}
        }
        let sealed = writer.reader().vlmetalayers().chunk(SEAL).is_some();
        let store = open(writer.finish().unwrap());
        let reader = FrameReader::open_in(store, DParams::new()).unwrap();
        assert_eq!(reader.verify().unwrap() == Verified::Sealed, sealed);
        model.check(&reader);
        writer = FrameWriter::open_in(reader.into_store(), DParams::new()).unwrap();
        writer.set_chunksize(CHUNKSIZE).unwrap();
        writer.set_in_place(in_place).unwrap();
    }
    changes
}

/// Runs one seed after another until there were enough changes.
fn run_all(what: &str, share: u64, one: impl Fn(u64) -> u64) {
    let long = std::env::var_os("OXIBLOSC_LONG").is_some_and(|long| long == "1");
    let wanted = if long { 10_000 } else { 1500 } / share;
    let (mut seed, mut changes) = (0, 0);
    while changes < wanted {
        changes += one(seed);
        seed += 1;
    }
    println!("frame_ops: {what}, {changes} changes in {seed} frames");
}

#[test]
fn contiguous_in_memory() {
    run_all("contiguous in memory", 1, |seed| {
        run(seed, Contiguous::new(Memory(Vec::new())), |store| {
            Contiguous::new(store.into_inner())
        })
    });
}

#[test]
fn contiguous_on_disk() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("frame.b2frame");
    run_all("contiguous on disk", 1, |seed| {
        let open = |path: &Path| Contiguous::new(DiskFile::open_rw(path).unwrap());
        let store = Contiguous::new(DiskFile::create(&path).unwrap());
        run(seed, store, |store| {
            drop(store);
            open(&path)
        })
    });
}

#[test]
fn sparse_in_memory() {
    run_all("sparse in memory", 1, |seed| {
        run(seed, Sparse::new(MemoryDir::new()), |store| {
            Sparse::open(store.into_inner()).unwrap()
        })
    });
}

#[test]
fn sparse_on_disk() {
    let dir = tempfile::tempdir().unwrap();
    run_all("sparse on disk", 4, |seed| {
        let path = dir.path().join(format!("frame{seed}"));
        let store = Sparse::new(DiskDir::create_new(&path).unwrap());
        run(seed, store, |store| {
            drop(store);
            Sparse::open(DiskDir::open(&path).unwrap()).unwrap()
        })
    });
}
