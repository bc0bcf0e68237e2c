//! Arrays, for Python.

use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::thread::sleep;
use std::time::{Duration, Instant};

use oxiblosc::b2nd::{Array as Blosc, ArrayReader, ArrayWriter, MemoryArray, Selection};
use oxiblosc::frame::{AnyFrame, ChunkPlace, FrameWriter, Locking};
use oxiblosc::remote::{FrameOpen, ReadPolicy, RemoteArray};
use oxiblosc::schunk::StoredChunk;
use oxiblosc::{ChunkSource, Error, ErrorKind, Result, SChunk, Special, Threads};
use pyo3::exceptions::{PyPermissionError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::bytes::{Source, Target};
use crate::edit::{Edit, apply};
use crate::failure::{detached, raise};
use crate::params::{Policy, describe, dparams, threads};
use crate::select::{Axis, selection};
use crate::storage::PyStorage;

/// How many bytes of what was fetched a remote array keeps.
const KEPT: usize = 32 << 20;

/// How long a change waits for the lock that another handle holds.
const PATIENCE: Duration = Duration::from_secs(60);

/// An array in memory, in a file or directory, or in a storage of Python. Any number of threads
/// read at the same time; a change waits for reads that have begun, and holds off later ones.
///
/// An array on disk is read through a handle without locks. A change opens it for writing, is
/// committed and closes it again; between `begin` and `end`, changes share one handle.
#[pyclass(frozen, module = "oxiblosc._native")]
pub(crate) struct Array {
    state: RwLock<State>,
    /// The path of an array that may change.
    path: Option<PathBuf>,
    threads: Threads,
    /// The storage of a remote array.
    storage: Option<Arc<PyStorage>>,
    /// The prices of its requests.
    policy: ReadPolicy,
}

#[expect(
    clippy::large_enum_variant,
    reason = "one per array, and never moved in a list"
)]
pub(crate) enum State {
    Memory(MemoryArray),
    Reader(ArrayReader),
    /// Its chunks are fetched by plans, see `oxiblosc::remote`.
    Remote(RemoteArray),
    Writer(ArrayWriter),
    /// After a handle could not be opened again.
    Closed,
}

macro_rules! each {
    ($state:expr, $array:ident => $call:expr) => {
        match $state {
            State::Memory($array) => $call,
            State::Reader($array) => $call,
            State::Remote($array) => $call,
            State::Writer($array) => $call,
            State::Closed => Err(closed()),
        }
    };
}

/// [`each`] for what reads chunks: those of a remote array are requested one after the other.
macro_rules! each_with_chunks {
    ($self:expr, $array:ident => $call:expr) => {
        match &$self.storage {
            Some(storage) => {
                let storage = Arc::clone(storage);
                let frame = AnyFrame::from_storage(storage, dparams($self.threads.clone()))?;
                let $array = &Blosc::open_in(frame)?;
                $call
            }
            None => each!(&*$self.state(), $array => $call),
        }
    };
}

fn closed() -> Error {
    Error::refused("use the array", "it is closed")
}

impl Array {
    pub(crate) fn new(state: State, path: Option<PathBuf>, threads: Threads) -> Self {
        Self {
            state: RwLock::new(state),
            path,
            threads,
            storage: None,
            policy: ReadPolicy::default(),
        }
    }

    fn state(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn state_mut(&self) -> RwLockWriteGuard<'_, State> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens the array for changes, after waiting for those of others.
    fn writer(&self) -> Result<ArrayWriter> {
        let path = self.path.as_ref().ok_or_else(|| {
            let why = "it is open for reading only; open it with mode=\"a\"";
            Error::refused("change the array", why)
        })?;
        let since = Instant::now();
        loop {
            let dparams = dparams(self.threads.clone());
            match Blosc::open_mut_with(path, dparams, Locking::Exclusive) {
                Err(error) if is_locked(&error) && since.elapsed() < PATIENCE => {
                    sleep(Duration::from_millis(2));
                }
                done => return done,
            }
        }
    }

    /// Reads a selection.
    fn select(&self, selection: Selection<'_>, dst: &mut [u8]) -> Result<usize> {
        let state = self.state();
        if let (State::Remote(array), Some(storage)) = (&*state, &self.storage) {
            let read = array.plan_read(selection, &self.policy)?;
            return match read.nbytes() == dst.len() {
                true => storage.read(read, dst),
                // Refused by the caller, before anything is requested.
                false => Ok(read.nbytes()),
            };
        }
        each!(&*state, array => array.slice_bytes_into(selection, dst))
    }

    fn edit(&self, py: Python<'_>, edit: Edit<'_>) -> PyResult<bool> {
        if self.is_readonly(py) {
            let text = "the array is open for reading only; open it with mode=\"a\"";
            return Err(PyPermissionError::new_err(text));
        }
        detached(py, || match &mut *self.state_mut() {
            State::Memory(array) => apply(array, &edit),
            State::Writer(array) => apply(array, &edit),
            State::Reader(reader) => {
                let mut writer = self.writer()?;
                let done = apply(&mut writer, &edit)?;
                writer.finish()?;
                reader.refresh()?;
                Ok(done)
            }
            State::Remote(_) | State::Closed => Err(closed()),
        })
    }
}

fn is_locked(error: &Error) -> bool {
    error.kind() == ErrorKind::Locked
}

/// The chunks of an array as a contiguous frame in memory.
fn cframe<C: ChunkSource>(array: &Blosc<C>) -> Result<Vec<u8>> {
    let frame = FrameWriter::in_memory(array.params()?.frame_params()?)?;
    array.copy_chunks_in(frame)?.into_inner()?.into_bytes()
}

#[pymethods]
impl Array {
    /// Opens a file or directory.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf, writable: bool, nthreads: usize) -> PyResult<Self> {
        let threads = threads(nthreads)?;
        let parameters = dparams(threads.clone());
        let array = detached(py, || Blosc::open_with(&path, parameters, Locking::None))?;
        Ok(Self::new(
            State::Reader(array),
            writable.then_some(path),
            threads,
        ))
    }

    /// Opens a contiguous frame in a storage of Python.
    #[staticmethod]
    fn from_storage(
        py: Python<'_>,
        object: Bound<'_, PyAny>,
        nthreads: usize,
        policy: Policy,
    ) -> PyResult<Self> {
        let (policy, parallel) = policy.build();
        let threads = threads(nthreads)?;
        let parameters = dparams(threads.clone());
        let parameters = parameters.cache_bytes(KEPT);
        let object = object.unbind();
        let (array, storage) = detached(py, || {
            let open = |len| FrameOpen::new(len, parameters.clone()).policy(policy);
            let (frame, storage) = PyStorage::open(object, parallel, open)?;
            Ok((Blosc::open_in(frame)?, storage))
        })?;
        let array = Self::new(State::Remote(array), None, threads);
        Ok(Self {
            storage: Some(Arc::new(storage)),
            policy,
            ..array
        })
    }

    /// Opens a copy of a contiguous frame in memory, for changes too.
    #[staticmethod]
    fn from_cframe(py: Python<'_>, frame: Source, nthreads: usize) -> PyResult<Self> {
        let threads = threads(nthreads)?;
        let parameters = dparams(threads.clone());
        let array = detached(py, || {
            let frame = AnyFrame::from_bytes(frame.bytes().to_vec(), parameters)?;
            let params = Blosc::open_in(frame)?;
            let own = params.params()?;
            let mut copy: Blosc<SChunk> = params.copy(&own)?;
            let cparams = own.cparams.clone().threads(threads.clone());
            copy.set_cparams(&cparams)?;
            Ok(copy)
        })?;
        Ok(Self::new(State::Memory(array), None, threads))
    }

    /// Lengths of the axes, of a chunk and of a block.
    fn shapes(&self, py: Python<'_>) -> PyResult<(Vec<u64>, Vec<u64>, Vec<u64>)> {
        detached(py, || {
            each!(&*self.state(), array => Ok((
                array.shape().to_vec(),
                array.chunkshape().to_vec(),
                array.blockshape().to_vec(),
            )))
        })
    }

    /// The text of the dtype, and the size of an element in bytes.
    fn dtype(&self, py: Python<'_>) -> PyResult<(String, usize)> {
        detached(py, || {
            each!(&*self.state(), array => {
                Ok((array.dtype().as_str().to_owned(), array.typesize()))
            })
        })
    }

    /// The size uncompressed and as stored, in bytes.
    fn sizes(&self, py: Python<'_>) -> PyResult<(u64, u64)> {
        detached(
            py,
            || each!(&*self.state(), array => Ok((array.nbytes(), array.cbytes()))),
        )
    }

    /// The parameters of compression, as a dictionary.
    fn cparams<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let params = detached(py, || each!(&*self.state(), array => array.params()))?;
        describe(py, &params.cparams.threads(self.threads.clone()))
    }

    /// Whether changes are refused.
    fn is_readonly(&self, py: Python<'_>) -> bool {
        py.detach(|| match &*self.state() {
            State::Reader(_) => self.path.is_none(),
            State::Remote(_) => true,
            _ => false,
        })
    }

    /// Elements of a selection, in C order, to `out`, which has their size.
    fn read(&self, py: Python<'_>, axes: Vec<Axis>, mut out: Target) -> PyResult<()> {
        let (found, len) = detached(py, || {
            let dst = out.bytes_mut();
            let selection = selection(&axes);
            let found = self.select(selection.as_slice().into(), dst)?;
            Ok((found, dst.len()))
        })?;
        expect_size(found, len)
    }

    /// Elements at points, whose indices are `int64`, all of a point after each other.
    fn read_points(&self, py: Python<'_>, points: Source, mut out: Target) -> PyResult<()> {
        let (found, len) = detached(py, || {
            let dst = out.bytes_mut();
            let points: Vec<u64> = points
                .integers()
                .into_iter()
                .map(i64::cast_unsigned)
                .collect();
            let ndim = each!(&*self.state(), array => Ok(array.ndim()))?;
            let found = self.select(Selection::points_flat(&points, ndim), dst)?;
            Ok((found, dst.len()))
        })?;
        expect_size(found, len)
    }

    /// A box gets elements, in C order.
    fn write(&self, py: Python<'_>, axes: Vec<Axis>, src: Source) -> PyResult<()> {
        let axes = selection(&axes);
        self.edit(py, Edit::Write(axes, src.bytes())).map(drop)
    }

    /// Inserts elements before an index of an axis, or appends them.
    #[pyo3(signature = (axis, at, src))]
    fn insert(&self, py: Python<'_>, axis: usize, at: Option<u64>, src: Source) -> PyResult<()> {
        self.edit(py, Edit::Insert(axis, at, src.bytes())).map(drop)
    }

    /// Removes indices of an axis.
    fn delete(&self, py: Python<'_>, axis: usize, start: u64, stop: u64) -> PyResult<()> {
        self.edit(py, Edit::Delete(axis, start, stop)).map(drop)
    }

    /// Sets the shape; new elements are zero.
    fn resize(&self, py: Python<'_>, shape: Vec<u64>) -> PyResult<()> {
        self.edit(py, Edit::Resize(&shape)).map(drop)
    }

    /// The content of a metalayer of variable length.
    fn vlmeta_get<'py>(
        &self,
        py: Python<'py>,
        name: &str,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let get = || each!(&*self.state(), array => array.schunk().vlmetalayer(name));
        Ok(detached(py, get)?.map(|content| PyBytes::new(py, &content)))
    }

    /// The names of the metalayers of variable length.
    fn vlmeta_names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        detached(
            py,
            || each!(&*self.state(), array => Ok(array.schunk().vlmetalayer_names())),
        )
    }

    /// Sets or removes a metalayer of variable length; false when it is not there.
    #[pyo3(signature = (name, content))]
    fn vlmeta_set(&self, py: Python<'_>, name: &str, content: Option<Source>) -> PyResult<bool> {
        let content = content.as_ref().map(Source::bytes);
        self.edit(py, Edit::Meta(name, content))
    }

    /// The metalayers, which cannot change.
    fn meta<'py>(&self, py: Python<'py>) -> PyResult<Vec<(String, Bound<'py, PyBytes>)>> {
        let all = detached(py, || {
            each!(&*self.state(), array => {
                let all = array.schunk().metalayers().iter();
                Ok(all.map(|(name, bytes)| (name.to_owned(), bytes.to_vec())).collect::<Vec<_>>())
            })
        })?;
        let pair = |(name, bytes): (String, Vec<u8>)| (name, PyBytes::new(py, &bytes));
        Ok(all.into_iter().map(pair).collect())
    }

    /// Keeps the array open for changes until `end`.
    fn begin(&self, py: Python<'_>) -> PyResult<()> {
        detached(py, || {
            let mut state = self.state_mut();
            if matches!(&*state, State::Reader(_)) {
                *state = State::Writer(self.writer()?);
            }
            Ok(())
        })
    }

    /// Commits all changes since `begin`, or drops them.
    fn end(&self, py: Python<'_>, commit: bool) -> PyResult<()> {
        detached(py, || {
            let mut state = self.state_mut();
            let Some(path) = self
                .path
                .as_ref()
                .filter(|_| matches!(&*state, State::Writer(_)))
            else {
                return Ok(());
            };
            if let State::Writer(writer) = std::mem::replace(&mut *state, State::Closed) {
                if commit {
                    writer.finish()?;
                } else {
                    drop(writer.discard_rows());
                }
            }
            let parameters = dparams(self.threads.clone());
            *state = State::Reader(Blosc::open_with(path, parameters, Locking::None)?);
            Ok(())
        })
    }

    /// Follows changes by others; whether there were any.
    fn refresh(&self, py: Python<'_>) -> PyResult<bool> {
        detached(py, || match &mut *self.state_mut() {
            State::Reader(array) => array.refresh(),
            State::Closed => Err(closed()),
            State::Memory(_) | State::Writer(_) | State::Remote(_) => Ok(false),
        })
    }

    /// The array as the bytes of a contiguous frame.
    fn to_cframe<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let frame = detached(py, || each_with_chunks!(self, array => cframe(array)))?;
        Ok(PyBytes::new(py, &frame))
    }

    /// Writes a copy to a new file.
    fn save(&self, py: Python<'_>, path: PathBuf, overwrite: bool) -> PyResult<()> {
        detached(py, || {
            each_with_chunks!(self, array => {
                array.save_with(&path, &array.params()?.overwrite(overwrite))
            })
        })
    }

    /// Decodes everything, or the structure and checksums of a file as far as it has them.
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        detached(py, || each_with_chunks!(self, array => array.check()))
    }

    /// A chunk as it is stored; nothing for one that the index describes.
    fn chunk<'py>(&self, py: Python<'py>, nchunk: u64) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let bytes = detached(py, || {
            each_with_chunks!(self, array => Ok(match array.schunk().chunk(nchunk)? {
                StoredChunk::Bytes(bytes) => Some(bytes.into_owned()),
                _ => None,
            }))
        })?;
        Ok(bytes.map(|bytes| PyBytes::new(py, &bytes)))
    }

    /// The offset and length in bytes of each chunk of a contiguous frame; nothing for one that is
    /// stored in the index: zeros, or uninitialised.
    fn chunk_places(&self, py: Python<'_>) -> PyResult<Vec<Option<(u64, u64)>>> {
        let text = "only arrays in contiguous frames, opened for reading, have places of chunks";
        let unplaced = || PyValueError::new_err(text);
        py.detach(|| {
            let state = self.state();
            let opened;
            let frame = match (&*state, &self.storage) {
                (State::Reader(array), _) => array.schunk(),
                (_, Some(storage)) => {
                    let parameters = dparams(self.threads.clone());
                    let storage: Arc<PyStorage> = Arc::clone(storage);
                    let frame = AnyFrame::from_storage(storage, parameters);
                    opened = frame.map_err(raise)?;
                    &opened
                }
                _ => return Err(unplaced()),
            };
            let mut places = Vec::new();
            for (nchunk, place) in (0_u64..).zip(frame.chunk_places()) {
                places.push(match place {
                    ChunkPlace::Offset(offset) => {
                        let chunk = frame.lazy_chunk(nchunk).map_err(raise)?;
                        let header = chunk.header().ok_or_else(unplaced)?;
                        Some((offset, header.cbytes.into()))
                    }
                    ChunkPlace::Index if is_zeros(frame, nchunk) => None,
                    _ => return Err(unplaced()),
                });
            }
            Ok(places)
        })
    }
}

/// Whether the index says that a chunk is zeros, or not initialised, which reads as zeros.
fn is_zeros(frame: &AnyFrame, nchunk: u64) -> bool {
    matches!(
        frame.special_value(nchunk),
        Some(Special::Zeros | Special::Uninit)
    )
}

/// Refuses a result of another size than its buffer.
pub(crate) fn expect_size(found: usize, len: usize) -> PyResult<()> {
    if found == len {
        return Ok(());
    }
    let text = format!("the selection has {found} bytes, the buffer {len}");
    Err(PyValueError::new_err(text))
}
