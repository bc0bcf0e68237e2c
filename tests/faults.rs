//! Storage that fails: at every single read, write, truncation and sync of a frame's life, in every
//! way a system may fail. Each time the error is typed, and what was committed is there.
//!
//! ```text
//! operation  0  1  2  3  4 ... n       run k fails operation k, and from then on all writes;
//!            ok ok ok FAIL             then the bytes that are there are opened without faults
//! ```
#![cfg(feature = "b2nd")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a failing test may panic, and says how much it did"
)]

use std::io;
use std::sync::{Arc, Mutex};

use oxiblosc::b2nd::{Array, ArrayParams};
use oxiblosc::frame::{Contiguous, FrameStore, FrameStoreMut, Sparse};
use oxiblosc::storage::{Directory, Memory, MemoryDir, ReadAt, WriteAt};
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, ChunkSink, ChunkSource, DParams, Error, ErrorKind,
    FrameParams, FrameReader, FrameWriter, Result, Special,
};

/// The ways to fail.
const KINDS: [io::ErrorKind; 5] = [
    io::ErrorKind::Interrupted,
    io::ErrorKind::UnexpectedEof,
    io::ErrorKind::StorageFull,
    io::ErrorKind::PermissionDenied,
    io::ErrorKind::Other,
];

/// When to fail, and how.
#[derive(Clone, Copy, Debug)]
struct Plan {
    /// The operation that fails; none when there are not so many.
    at: u64,
    kind: io::ErrorKind,
    /// Whether everything behind it fails, too.
    for_good: bool,
}

impl Plan {
    const NEVER: Self = Self {
        at: u64::MAX,
        kind: io::ErrorKind::Other,
        for_good: false,
    };
}

/// Counts operations and fails one.
#[derive(Clone, Debug)]
struct Faults(Arc<Mutex<(u64, Plan)>>);

impl Faults {
    fn new(plan: Plan) -> Self {
        Self(Arc::new(Mutex::new((0, plan))))
    }

    fn count(&self) -> u64 {
        self.0.lock().unwrap().0
    }

    fn next(&self) -> io::Result<()> {
        let mut inner = self.0.lock().unwrap();
        let (now, plan) = *inner;
        inner.0 += 1;
        if now == plan.at || (now > plan.at && plan.for_good) {
            return Err(io::Error::new(plan.kind, "a fault on purpose"));
        }
        Ok(())
    }
}

// ---- one file ----

#[derive(Clone, Debug)]
struct File {
    bytes: Arc<Mutex<Vec<u8>>>,
    faults: Faults,
}

impl ReadAt for File {
    fn len(&self) -> io::Result<u64> {
        self.faults.next()?;
        Ok(self.bytes.lock().unwrap().len() as u64)
    }

    fn read_exact_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()> {
        let fault = self.faults.next();
        let bytes = self.bytes.lock().unwrap();
        if fault.is_err() {
            // A short read: what is there so far is no answer.
            let half = buf.len() / 2;
            let _ = Memory(&*bytes).read_exact_at(offset, &mut buf[..half]);
            return fault;
        }
        Memory(&*bytes).read_exact_at(offset, buf)
    }
}

impl WriteAt for File {
    fn write_all_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let fault = self.faults.next();
        // The header, up to the first sector, is written whole or not at all.
        let whole = offset < 512;
        let len = match fault {
            Ok(()) => bytes.len(),
            Err(_) if whole => 0,
            Err(_) => bytes.len() / 2,
        };
        let mut held = std::mem::take(&mut *self.bytes.lock().unwrap());
        let start = usize::try_from(offset).unwrap();
        if len > 0 {
            held.resize(held.len().max(start + len), 0);
            held[start..start + len].copy_from_slice(&bytes[..len]);
        }
        *self.bytes.lock().unwrap() = held;
        fault
    }

    fn set_len(&mut self, len: u64) -> io::Result<()> {
        self.faults.next()?;
        let len = usize::try_from(len).unwrap();
        self.bytes.lock().unwrap().resize(len, 0);
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.faults.next()
    }
}

// ---- a directory ----

#[derive(Clone, Debug)]
struct Folder {
    files: Arc<Mutex<MemoryDir>>,
    faults: Faults,
}

#[derive(Debug)]
struct FolderFile {
    file: Memory<Arc<[u8]>>,
    faults: Faults,
}

impl ReadAt for FolderFile {
    fn len(&self) -> io::Result<u64> {
        self.faults.next()?;
        self.file.len()
    }

    fn read_exact_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()> {
        self.faults.next()?;
        self.file.read_exact_at(offset, buf)
    }
}

impl Directory for Folder {
    type File = FolderFile;

    fn open(&self, name: &str) -> io::Result<FolderFile> {
        self.faults.next()?;
        let file = self.files.lock().unwrap().open(name)?;
        Ok(FolderFile {
            file,
            faults: self.faults.clone(),
        })
    }

    fn replace(&mut self, name: &str, bytes: &[u8], sync: bool) -> io::Result<()> {
        self.faults.next()?;
        self.files.lock().unwrap().replace(name, bytes, sync)
    }

    fn remove(&mut self, name: &str) -> io::Result<()> {
        self.faults.next()?;
        self.files.lock().unwrap().remove(name)
    }

    fn names(&self) -> io::Result<Vec<String>> {
        self.faults.next()?;
        self.files.lock().unwrap().names()
    }
}

// ---- what both are ----

/// A storage that can be looked at without faults.
trait Disk: Clone {
    type Store: FrameStoreMut;
    fn new() -> Self;
    /// The store, whose operations fail by `plan`.
    fn with(&self, plan: Plan) -> (Faults, Result<Self::Store>);
    fn empty(&self) -> Self::Store;
    /// A copy, on which changes do not show here.
    fn copy(&self) -> Self;
}

impl Disk for File {
    type Store = Contiguous<Self>;

    fn new() -> Self {
        Self {
            bytes: Arc::default(),
            faults: Faults::new(Plan::NEVER),
        }
    }

    fn with(&self, plan: Plan) -> (Faults, Result<Self::Store>) {
        let faults = Faults::new(plan);
        let file = Self {
            bytes: Arc::clone(&self.bytes),
            faults: faults.clone(),
        };
        (faults, Ok(Contiguous::new(file)))
    }

    fn empty(&self) -> Self::Store {
        Contiguous::new(self.clone())
    }

    fn copy(&self) -> Self {
        let bytes = self.bytes.lock().unwrap().clone();
        Self {
            bytes: Arc::new(Mutex::new(bytes)),
            faults: Faults::new(Plan::NEVER),
        }
    }
}

impl Disk for Folder {
    type Store = Sparse<Self>;

    fn new() -> Self {
        Self {
            files: Arc::default(),
            faults: Faults::new(Plan::NEVER),
        }
    }

    fn with(&self, plan: Plan) -> (Faults, Result<Self::Store>) {
        let faults = Faults::new(plan);
        let folder = Self {
            files: Arc::clone(&self.files),
            faults: faults.clone(),
        };
        (faults, Sparse::open(folder))
    }

    fn empty(&self) -> Self::Store {
        Sparse::new(self.clone())
    }

    fn copy(&self) -> Self {
        let files = self.files.lock().unwrap().clone();
        Self {
            files: Arc::new(Mutex::new(files)),
            faults: Faults::new(Plan::NEVER),
        }
    }
}

/// Everything that a frame holds.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Content(Vec<Vec<u8>>, Vec<(String, Vec<u8>)>);

fn read<S: FrameStore>(store: S) -> Result<Content> {
    let reader = FrameReader::new(store, DParams::new())?;
    reader.check()?;
    reader.verify()?;
    let mut decoder = ChunkDecoder::default();
    let mut chunks = Vec::new();
    for nchunk in 0..reader.layout().nchunks {
        let mut chunk = vec![0; usize::try_from(reader.chunk_nbytes(nchunk)?).unwrap()];
        reader.decode_chunk_into(&mut decoder, nchunk, &mut chunk)?;
        let mut part = vec![0; chunk.len() / 2];
        let range = chunk.len() / 4..chunk.len() / 4 + part.len();
        reader.decode_chunk_bytes_into(&mut decoder, nchunk, range.clone(), &mut part)?;
        assert_eq!(part, chunk[range.clone()]);
        let mut lazy = reader.lazy_chunk(nchunk)?;
        lazy.decode_bytes_into(&mut decoder, range, &mut part)?;
        chunks.push(chunk);
    }
    let names: Vec<String> = reader.vlmetalayers().names().map(str::to_owned).collect();
    let contents = names.into_iter().map(|name| {
        let content = reader.vlmetalayer(&name)?.unwrap();
        Ok((name, content))
    });
    Ok(Content(chunks, contents.collect::<Result<_>>()?))
}

fn noise(len: usize, seed: usize) -> Vec<u8> {
    (0..len)
        .map(|i| ((i * i + seed) % 251).to_le_bytes()[0])
        .collect()
}

/// A change between two commits.
type Step<S> = fn(&mut FrameWriter<S>) -> Result<()>;

fn steps<S: FrameStoreMut>() -> Vec<(&'static str, Step<S>)> {
    vec![
        ("append", |writer| writer.append(&noise(1900, 1))),
        ("update a chunk", |writer| {
            let chunk = ChunkEncoder::new(writer.cparams().clone())?.encode(&noise(400, 2))?;
            writer.update_chunk(1, &chunk)
        }),
        ("insert a chunk", |writer| {
            let chunk = ChunkEncoder::new(writer.cparams().clone())?.encode(&noise(400, 3))?;
            writer.insert_chunk(0, &chunk)
        }),
        ("set items", |writer| writer.set_items(70, &noise(800, 4))),
        ("delete a chunk", |writer| writer.delete_chunk(2)),
        ("reorder", |writer| {
            let order: Vec<u64> = (0..writer.layout().nchunks).rev().collect();
            writer.reorder_chunks(&order)
        }),
        ("special chunks", |writer| {
            writer.append_special(Special::Zeros, 700)
        }),
        ("a vlmetalayer", |writer| {
            writer.set_vlmetalayer("v", &noise(90, 5))
        }),
        ("a metalayer", |writer| {
            writer.update_metalayer("fixed", b"54321")
        }),
        ("seal", FrameWriter::seal),
        ("drop a vlmetalayer", |writer| {
            writer.remove_vlmetalayer("v").map(drop)
        }),
        ("append to a short chunk", |writer| {
            writer.append(&noise(1000, 6))
        }),
    ]
}

/// The error of a storage: of its kind where the error can hold one.
#[track_caller]
fn typed(error: &Error, plan: Plan, what: &str) {
    let mut inner = error;
    while let Error::InChunk { source, .. } = inner {
        inner = source;
    }
    let Error::Io { source, .. } = inner else {
        panic!("{what}, {plan:?}: {error}")
    };
    assert_eq!(source.kind(), plan.kind, "{what}: {error}");
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(error.to_string().contains("a fault on purpose"), "{error}");
}

/// Fails every operation of every step in turn; returns how many runs that were.
fn fail_everywhere<D: Disk>(what: &str) {
    let disk = D::new();
    let params = FrameParams::new(CParams::new(4), 400)
        .metalayer("fixed", b"12345")
        .unwrap();
    FrameWriter::create(disk.empty(), params)
        .unwrap()
        .finish()
        .unwrap();
    let content = |disk: &D| read(disk.with(Plan::NEVER).1.unwrap());
    let (mut runs, mut kept) = (0_u64, 0_u64);
    for (name, step) in steps::<D::Store>() {
        let old = content(&disk).unwrap();
        let run = |disk: &D, plan: Plan| {
            let (faults, store) = disk.with(plan);
            let result = store.and_then(|store| {
                let mut writer = FrameWriter::open(store, DParams::new())?;
                writer.set_chunksize(400)?;
                step(&mut writer)?;
                writer.commit()?;
                drop(writer);
                Ok(())
            });
            (faults.count(), result)
        };
        let good = disk.copy();
        let (operations, result) = run(&good, Plan::NEVER);
        result.unwrap_or_else(|error| panic!("{name}: {error}"));
        let new = content(&good).unwrap();
        for at in 0..operations {
            let kind = KINDS[usize::try_from(at).unwrap() % KINDS.len()];
            for (kind, for_good) in [(kind, false), (io::ErrorKind::StorageFull, true)] {
                let plan = Plan { at, kind, for_good };
                let broken = disk.copy();
                let (_, result) = run(&broken, plan);
                let place = format!("{what}, {name}, operation {at} of {operations}");
                if let Err(error) = &result {
                    typed(error, plan, &place);
                }
                let left = content(&broken)
                    .unwrap_or_else(|error| panic!("{place}, {plan:?}: what is left: {error}"));
                assert!(
                    left == old || left == new,
                    "{place}, {plan:?}: neither old nor new"
                );
                assert!(
                    result.is_err() || left == new,
                    "{place}: committed and lost"
                );
                kept += u64::from(left == old);
                // It can be written to again.
                let (_, result) = run(&broken, Plan::NEVER);
                if left == old {
                    result.unwrap_or_else(|error| panic!("{place}: once more: {error}"));
                    assert_eq!(content(&broken).unwrap(), new, "{place}: once more");
                }
                runs += 1;
            }
        }
        disk_takes(&disk, &good, step);
    }
    println!("faults: {what}: {runs} failing runs, {kept} left the old frame");
    assert!(runs > 200 && kept > 50 && kept < runs);
}

/// Does the step for good.
fn disk_takes<D: Disk>(disk: &D, _: &D, step: Step<D::Store>) {
    let mut writer = FrameWriter::open(disk.with(Plan::NEVER).1.unwrap(), DParams::new()).unwrap();
    writer.set_chunksize(400).unwrap();
    step(&mut writer).unwrap();
    writer.commit().unwrap();
}

#[test]
fn a_contiguous_frame_survives_every_fault() {
    fail_everywhere::<File>("contiguous");
}

#[test]
fn a_sparse_frame_survives_every_fault() {
    fail_everywhere::<Folder>("sparse");
}

/// A writer whose commit failed goes on when the storage is well again, and nothing is lost.
#[test]
fn a_writer_goes_on_after_a_fault() {
    let mut again = 0;
    for at in 0..60 {
        let disk = File::new();
        let params = FrameParams::new(CParams::new(4), 400);
        FrameWriter::create(disk.empty(), params)
            .unwrap()
            .finish()
            .unwrap();
        let kind = io::ErrorKind::StorageFull;
        let plan = Plan {
            at,
            kind,
            for_good: false,
        };
        let (_, store) = disk.with(plan);
        let Ok(mut writer) = FrameWriter::open(store.unwrap(), DParams::new()) else {
            continue;
        };
        let chunk = ChunkEncoder::new(writer.cparams().clone()).unwrap();
        let chunk = { chunk }.encode(&noise(400, 8)).unwrap();
        let first = writer.append_chunk(&chunk);
        let committed = writer.commit();
        if first.is_ok() && committed.is_err() {
            writer.commit().unwrap();
            drop(writer);
            let content = read(disk.with(Plan::NEVER).1.unwrap()).unwrap();
            assert_eq!(content.0, [noise(400, 8)], "operation {at}");
            again += 1;
        }
    }
    assert!(again > 1, "{again} commits were done again");
}

/// Every read of a reader, of parts and of arrays: a typed error, and right when asked again.
#[test]
fn reads_fail_typed_and_succeed_again() {
    let disk = File::new();
    let params = ArrayParams::new::<u32>(&[20, 30])
        .chunkshape(&[7, 8])
        .blockshape(&[3, 4]);
    let writer = FrameWriter::create(disk.empty(), params.frame_params().unwrap()).unwrap();
    let bytes = noise(20 * 30 * 4, 7);
    let array = Array::from_bytes_in(writer, &bytes, &params).unwrap();
    array.into_inner().finish().unwrap();
    let all = |store: Contiguous<File>| {
        let array = Array::open(FrameReader::new(store, DParams::new())?)?;
        array.check()?;
        let slice = array.slice_bytes(&[3..11, 5..29])?;
        assert_eq!(slice.len(), 8 * 24 * 4);
        array.points_bytes(&[[0, 0], [19, 29]])?;
        array.to_bytes()
    };
    let (faults, store) = disk.with(Plan::NEVER);
    assert_eq!(all(store.unwrap()).unwrap(), bytes);
    let operations = faults.count();
    assert!(operations > 40, "{operations}");
    for at in 0..operations {
        for kind in KINDS {
            let plan = Plan {
                at,
                kind,
                for_good: false,
            };
            let (_, store) = disk.with(plan);
            let error = all(store.unwrap()).unwrap_err();
            typed(&error, plan, "reading");
        }
    }
    // The same reader after a fault.
    for at in 0..operations {
        let plan = Plan {
            at,
            kind: io::ErrorKind::Interrupted,
            for_good: false,
        };
        let (faults, store) = disk.with(plan);
        let Ok(reader) = FrameReader::new(store.unwrap(), DParams::new()) else {
            continue;
        };
        let Ok(array) = Array::open(reader) else {
            continue;
        };
        while faults.count() <= at {
            let some = array.to_bytes();
            assert!(some.is_err() || some.unwrap() == bytes, "operation {at}");
        }
        assert_eq!(array.to_bytes().unwrap(), bytes, "operation {at}");
    }
    println!("faults: {operations} reads, each in {} ways", KINDS.len());
}

/// A source of bytes that gives few at a time and is interrupted in between.
struct Trickle<'a>(&'a [u8], usize);

impl io::Read for Trickle<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.1 += 1;
        if self.1.is_multiple_of(2) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let len = buf.len().min(1 + self.1 % 7).min(self.0.len());
        buf[..len].copy_from_slice(&self.0[..len]);
        self.0 = &self.0[len..];
        Ok(len)
    }
}

#[test]
fn short_and_interrupted_reads_are_gone_on_with() {
    let params = ArrayParams::new::<u16>(&[9, 11])
        .chunkshape(&[4, 5])
        .blockshape(&[2, 2]);
    let bytes = noise(9 * 11 * 2, 9);
    let frame = || FrameWriter::in_memory(params.frame_params().unwrap()).unwrap();
    let array = Array::from_reader_in(frame(), Trickle(&bytes, 0), &params).unwrap();
    assert_eq!(array.to_bytes().unwrap(), bytes);
    let short = Trickle(&bytes[..bytes.len() - 1], 0);
    let error = Array::from_reader_in(frame(), short, &params)
        .map(drop)
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io, "{error}");
}
