//! Storage in memory that fails at a chosen operation in a chosen way.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};

use oxiblosc::Result;
use oxiblosc::frame::{Contiguous, FrameStoreMut, Sparse};
use oxiblosc::storage::{Directory, Memory, MemoryDir, ReadAt, WriteAt};

/// How much of an operation happens before it fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    Nothing,
    /// A short read or a short write.
    Half,
    /// It is done, and the answer is lost.
    All,
}

/// The ways to fail.
pub(crate) const WAYS: [(Extent, io::ErrorKind); 10] = [
    (Extent::Half, io::ErrorKind::UnexpectedEof),
    (Extent::Half, io::ErrorKind::WriteZero),
    (Extent::Half, io::ErrorKind::StorageFull),
    (Extent::Half, io::ErrorKind::Interrupted),
    (Extent::Nothing, io::ErrorKind::UnexpectedEof),
    (Extent::Nothing, io::ErrorKind::Interrupted),
    (Extent::Nothing, io::ErrorKind::StorageFull),
    (Extent::Nothing, io::ErrorKind::PermissionDenied),
    (Extent::Nothing, io::ErrorKind::BrokenPipe),
    (Extent::All, io::ErrorKind::Other),
];

/// When to fail, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// The operation that fails; none when there are not so many.
    pub(crate) at: u64,
    pub(crate) extent: Extent,
    pub(crate) kind: io::ErrorKind,
    /// Whether everything after it fails, too.
    pub(crate) for_good: bool,
}

impl Plan {
    pub(crate) const NEVER: Self = Self {
        at: u64::MAX,
        extent: Extent::Nothing,
        kind: io::ErrorKind::Other,
        for_good: false,
    };

    /// Operation `at` fails in every way, then a disk that is full from there on.
    pub(crate) fn all(at: u64) -> impl Iterator<Item = Self> {
        let plan = move |(extent, kind), for_good| Self {
            at,
            extent,
            kind,
            for_good,
        };
        WAYS.into_iter()
            .map(move |way| plan(way, false))
            .chain([plan((Extent::Half, io::ErrorKind::StorageFull), true)])
    }
}

/// Counts operations and fails one.
#[derive(Clone, Debug)]
pub(crate) struct Faults(Arc<Mutex<(u64, Plan)>>);

impl Faults {
    fn new(plan: Plan) -> Self {
        Self(Arc::new(Mutex::new((0, plan))))
    }

    pub(crate) fn count(&self) -> u64 {
        self.0.lock().unwrap().0
    }

    /// The effect and the result of the next operation.
    fn next(&self) -> (Extent, io::Result<()>) {
        let mut inner = self.0.lock().unwrap();
        let (now, plan) = *inner;
        inner.0 += 1;
        if now == plan.at || (now > plan.at && plan.for_good) {
            let error = io::Error::new(plan.kind, "a fault on purpose");
            return (plan.extent, Err(error));
        }
        (Extent::All, Ok(()))
    }

    /// Does a thing that is done whole or not at all.
    fn whole<T>(&self, work: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        match self.next() {
            (Extent::All, answer) => work().and_then(|done| answer.map(|()| done)),
            (_, answer) => answer.and_then(|()| work()),
        }
    }

    /// Reads all, or half of it.
    fn read(&self, bytes: &[u8], offset: u64, buf: &mut [u8]) -> io::Result<()> {
        let (extent, answer) = self.next();
        let len = match extent {
            Extent::Nothing => 0,
            Extent::Half => buf.len() / 2,
            Extent::All => buf.len(),
        };
        let read = Memory(bytes).read_exact_at(&mut buf[..len], offset);
        answer.and(read)
    }
}

// ---- one file ----

#[derive(Clone, Debug)]
pub(crate) struct File {
    bytes: Arc<Mutex<Vec<u8>>>,
    faults: Faults,
}

impl ReadAt for File {
    fn len(&self) -> io::Result<u64> {
        self.faults
            .whole(|| Ok(self.bytes.lock().unwrap().len() as u64))
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        self.faults.read(&self.bytes.lock().unwrap(), offset, buf)
    }
}

impl WriteAt for File {
    fn write_all_at(&mut self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let (extent, answer) = self.faults.next();
        let len = match extent {
            Extent::All => bytes.len(),
            // The header, up to the first sector, is written whole or not at all.
            Extent::Half if offset >= 512 => bytes.len() / 2,
            _ => 0,
        };
        let mut held = self.bytes.lock().unwrap();
        let start = usize::try_from(offset).unwrap();
        if len > 0 {
            let least = held.len().max(start + len);
            held.resize(least, 0);
            held[start..start + len].copy_from_slice(&bytes[..len]);
        }
        answer
    }

    fn set_len(&mut self, len: u64) -> io::Result<()> {
        let len = usize::try_from(len).unwrap();
        self.faults.whole(|| {
            self.bytes.lock().unwrap().resize(len, 0);
            Ok(())
        })
    }

    fn sync(&mut self) -> io::Result<()> {
        self.faults.whole(|| Ok(()))
    }
}

// ---- a directory ----

#[derive(Clone, Debug)]
pub(crate) struct Folder {
    files: Arc<Mutex<MemoryDir>>,
    faults: Faults,
}

#[derive(Debug)]
pub(crate) struct FolderFile {
    file: Memory<Arc<[u8]>>,
    faults: Faults,
}

impl ReadAt for FolderFile {
    fn len(&self) -> io::Result<u64> {
        self.faults.whole(|| self.file.len())
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        self.faults.read(&self.file.0, offset, buf)
    }
}

impl Directory for Folder {
    type File = FolderFile;

    fn open(&self, name: &str) -> io::Result<FolderFile> {
        let file = self.faults.whole(|| self.files.lock().unwrap().open(name));
        Ok(FolderFile {
            file: file?,
            faults: self.faults.clone(),
        })
    }

    fn replace(&mut self, name: &str, bytes: &[u8], sync: bool) -> io::Result<()> {
        self.faults
            .whole(|| self.files.lock().unwrap().replace(name, bytes, sync))
    }

    fn remove(&mut self, name: &str) -> io::Result<()> {
        self.faults
            .whole(|| self.files.lock().unwrap().remove(name))
    }

    fn names(&self) -> io::Result<Vec<String>> {
        self.faults.whole(|| self.files.lock().unwrap().names())
    }
}

// ---- what both are ----

/// All files with their names.
pub(crate) type State = BTreeMap<String, Vec<u8>>;

/// A storage that can be looked at without faults.
pub(crate) trait Disk: Clone {
    type Store: FrameStoreMut;
    fn new() -> Self;
    /// A store for a new frame, whose operations fail by `plan`.
    fn fresh(&self, plan: Plan) -> (Faults, Self::Store);
    /// The store of the frame that is there, whose operations fail by `plan`.
    fn with(&self, plan: Plan) -> (Faults, Result<Self::Store>);
    /// A copy, on which changes do not show here.
    fn copy(&self) -> Self;
    fn state(&self) -> State;
    /// Leaves bytes that belong to no frame, as an interrupted commit does.
    fn litter(&self);
}

impl Disk for File {
    type Store = Contiguous<Self>;

    fn new() -> Self {
        Self {
            bytes: Arc::default(),
            faults: Faults::new(Plan::NEVER),
        }
    }

    fn fresh(&self, plan: Plan) -> (Faults, Self::Store) {
        let faults = Faults::new(plan);
        let file = Self {
            bytes: Arc::clone(&self.bytes),
            faults: faults.clone(),
        };
        (faults, Contiguous::new(file))
    }

    fn with(&self, plan: Plan) -> (Faults, Result<Self::Store>) {
        let (faults, store) = self.fresh(plan);
        (faults, Ok(store))
    }

    fn copy(&self) -> Self {
        let bytes = self.bytes.lock().unwrap().clone();
        Self {
            bytes: Arc::new(Mutex::new(bytes)),
            faults: Faults::new(Plan::NEVER),
        }
    }

    fn state(&self) -> State {
        let bytes = self.bytes.lock().unwrap().clone();
        State::from([(String::new(), bytes)])
    }

    fn litter(&self) {
        self.bytes.lock().unwrap().extend([0xAB; 700]);
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

    fn fresh(&self, plan: Plan) -> (Faults, Self::Store) {
        let faults = Faults::new(plan);
        let folder = Self {
            files: Arc::clone(&self.files),
            faults: faults.clone(),
        };
        (faults, Sparse::new(folder))
    }

    fn with(&self, plan: Plan) -> (Faults, Result<Self::Store>) {
        let (faults, store) = self.fresh(plan);
        (faults, Sparse::open(store.into_inner()))
    }

    fn copy(&self) -> Self {
        let files = self.files.lock().unwrap().clone();
        Self {
            files: Arc::new(Mutex::new(files)),
            faults: Faults::new(Plan::NEVER),
        }
    }

    fn state(&self) -> State {
        let files = self.files.lock().unwrap();
        let names = files.names().unwrap();
        names
            .into_iter()
            .map(|name| {
                let bytes = files.open(&name).unwrap().0.to_vec();
                (name, bytes)
            })
            .collect()
    }

    fn litter(&self) {
        let mut files = self.files.lock().unwrap();
        for name in ["0000ABCD.chunk", "0000ABCE.chunk"] {
            files.replace(name, &[0xAB; 99], false).unwrap();
        }
    }
}
