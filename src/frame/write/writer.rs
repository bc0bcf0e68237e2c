//! Writing frames: creating, opening, committing.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::end::End;
use super::turn::Turn;
use crate::chunk::ChunkEncoder;
use crate::codec::CodecId;
use crate::error::{Error, Missing, Part, Result};
use crate::filter::FilterId;
use crate::frame::layout::contents::Contents;
use crate::frame::layout::header::{FrameHeader, FrameType};
use crate::frame::layout::locking::{Access, Locking};
use crate::frame::layout::offsets;
use crate::frame::layout::params::{Durability, FrameParams};
use crate::frame::layout::trailer::Fingerprint;
use crate::frame::read::reader::FrameReader;
use crate::frame::store::contiguous::Contiguous;
use crate::frame::store::sparse::Sparse;
use crate::frame::store::traits::{FrameStoreMut, WriteMode};
use crate::frame::store::undo::Undo;
use crate::num::{saturating_i64, saturating_usize, to_u64};
use crate::params::{CParams, DParams, MAX_BLOCKSIZE, MAX_TYPESIZE};
use crate::schunk::{DEFAULT_CHUNKSIZE, Held, Sizes, check_chunksize};
use crate::storage::{DiskDir, DiskFile, Memory};
use crate::threads::Threads;

/// A frame being written or changed.
///
/// **A writer has to be finished.** Chunks go to the storage at once; the header, the index and the
/// trailer follow with [`commit`](Self::commit) or [`finish`](Self::finish). Until then the storage
/// holds the frame of the last commit, or none. Dropping a writer discards what was not committed,
/// and the storage gets back the length that it had; [`rollback`](Self::rollback) does so without
/// dropping it. With a frame on disk, such a loss is reported ([`on_lost`](Self::on_lost)).
///
/// One thing is committed by dropping the writer: what was appended to a frame on disk that is
/// there already, when nothing else has changed since the last commit, no call has failed, and the
/// thread does not panic.
///
/// A writer locks a frame on disk against other writers until it is finished or dropped;
/// [`Locking`](crate::frame::Locking) has the alternatives.
///
/// [`append`](Self::append) and [`io::Write`] take a stream of bytes and cut it into chunks: they
/// fill up a short last chunk before they begin a new one, so the frame keeps one chunk size
/// however the bytes arrive. [`ChunkSink`](crate::ChunkSink) takes whole chunks, which may differ
/// in size. Chunks can be read back at any time ([`ChunkSource`](crate::ChunkSource)); bytes of a
/// chunk that is not full yet count only after [`flush_chunk`](Self::flush_chunk).
///
/// ```
/// use oxiblosc::frame::{FrameParams, FrameReader, FrameWriter};
/// use oxiblosc::schunk::{ChunkSink, ChunkSource};
/// use oxiblosc::{CParams, DParams};
/// # fn main() -> oxiblosc::Result<()> {
/// # let dir = tempfile::tempdir().unwrap();
/// # let path = dir.path().join("numbers.b2frame");
/// let mut writer = FrameWriter::create(&path, FrameParams::new(CParams::new(4), 4096))?;
/// for i in 0..10_000_u32 {
///     writer.append(&i.to_le_bytes())?;
/// }
/// writer.set_vlmetalayer("history", b"counted")?;
/// writer.finish()?;
///
/// let reader = FrameReader::open(&path, DParams::new())?;
/// assert_eq!(reader.layout().nbytes, 40_000);
/// # Ok(())
/// # }
/// ```
#[must_use = "dropped without finish(), a new frame is lost"]
pub struct FrameWriter<S> {
    /// Dropped before the store, whose lock covers it.
    pub(crate) undo: Undo,
    pub(crate) turn: Turn,
    pub(crate) reader: Held<FrameReader<S>>,
    pub(super) end: End,
    /// The destructor, a function of its own: the type does not name the traits of the store.
    pub(super) at_end: fn(&mut Self),
    /// Never locked: `ChunkSource` is `Sync`, an encoder with its buffers is not, and `&mut self`
    /// reaches it through `get_mut`. Made when the first chunk is compressed, so that frames of
    /// codecs that are not there can be compacted and get chunks that are compressed already.
    encoder: Mutex<Option<ChunkEncoder>>,
    cparams: CParams,
    pub(crate) chunksize: usize,
    /// Bytes of a chunk that is not full yet.
    pub(crate) pending: Vec<u8>,
    /// Buffer for a compressed chunk.
    pub(crate) chunk: Vec<u8>,
    pub(crate) mode: WriteMode,
    /// Whether something changed since the last commit.
    pub(crate) dirty: bool,
}

impl<S: fmt::Debug> fmt::Debug for FrameWriter<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FrameWriter")
            .field("frame", &self.reader)
            .field("pending", &format_args!("{} bytes", self.pending.len()))
            .field("dirty", &self.dirty)
            .finish_non_exhaustive()
    }
}

impl FrameWriter<Contiguous<Memory<Vec<u8>>>> {
    /// Begins a contiguous frame in memory.
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when a parameter is outside its range.
    pub fn in_memory(params: FrameParams) -> Result<Self> {
        Self::create_in(Contiguous::new(Memory(Vec::new())), params)
    }

    /// Commits, and returns the bytes of the frame; the writer goes on.
    ///
    /// ```
    /// use oxiblosc::{CParams, DParams, FrameParams, FrameReader, FrameWriter};
    /// let mut writer = FrameWriter::in_memory(FrameParams::new(CParams::new(1), 1000))?;
    /// for step in 1..4 {
    ///     writer.append(&[7; 600])?;
    ///     let reader = FrameReader::from_bytes(writer.commit_bytes()?, DParams::new())?;
    ///     assert_eq!(reader.slice(0..step * 600)?.len() as u64, step * 600);
    /// }
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`commit`](Self::commit).
    pub fn commit_bytes(&mut self) -> Result<&[u8]> {
        self.commit()?;
        let len = saturating_usize(self.reader.header().frame_len);
        let bytes = self.reader.as_bytes();
        Ok(bytes.get(..len).unwrap_or(bytes))
    }

    /// Finishes a frame in memory and returns its bytes ([format §9](crate::format#9)).
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn into_bytes(self) -> Result<Vec<u8>> {
        Ok(self.finish()?.into_inner().0)
    }
}

impl FrameWriter<Sparse<DiskDir>> {
    /// Begins a sparse frame in a new directory ([format §10](crate::format#10)). It is removed
    /// again when nothing is committed to it.
    ///
    /// With [`overwrite`](FrameParams::overwrite), the first commit replaces a sparse frame that is
    /// there; the chunk files of the new one have later numbers, until it is compacted.
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when a parameter is outside its range; [`Error::Locked`] when
    /// another writer has the old frame; [`Error::Io`], of the kind
    /// [`AlreadyExists`](io::ErrorKind::AlreadyExists) when there is one that may not be replaced.
    pub fn create_sparse(path: impl AsRef<Path>, params: FrameParams) -> Result<Self> {
        params.validate()?;
        let path = path.as_ref();
        let created = DiskDir::create_atomic(path, params.overwrite)
            .and_then(Sparse::over)
            .map_err(open_error)
            .and_then(|store| Self::create_in(store, params));
        Self::named(created, path)
    }

    /// Opens the sparse frame in a directory for changes ([format §10](crate::format#10)).
    ///
    /// # Errors
    /// As [`FrameWriter::open_in`], and when the directory cannot be read.
    pub fn open_sparse(path: impl AsRef<Path>, dparams: DParams) -> Result<Self> {
        Self::open_sparse_with(path, dparams, Locking::default())
    }

    /// [`open_sparse`](FrameWriter::open_sparse) with other locks than [`Locking::Exclusive`], or
    /// waiting for it.
    ///
    /// # Errors
    /// As [`open_sparse`](FrameWriter::open_sparse).
    pub fn open_sparse_with(
        path: impl AsRef<Path>,
        dparams: DParams,
        access: impl Into<Access>,
    ) -> Result<Self> {
        let path = path.as_ref();
        let opened = DiskDir::open(path)
            .map_err(open_error)
            .and_then(Sparse::open)
            .and_then(|store| Self::open_in_with(store, dparams, access));
        Self::named(opened, path)
    }
}

impl FrameWriter<Contiguous<DiskFile>> {
    /// Begins a contiguous frame in a new file ([format §9](crate::format#9)).
    ///
    /// The file has a temporary name beside `path` until the first commit; a writer that is dropped
    /// before removes it. With [`overwrite`](FrameParams::overwrite), that commit replaces the old
    /// file, which stays as it is until then. With [`in_place`](FrameParams::in_place), the file is
    /// written under its own name.
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when a parameter is outside its range; [`Error::Locked`] when
    /// another writer has the old file; [`Error::Io`], of the kind
    /// [`AlreadyExists`](io::ErrorKind::AlreadyExists) when there is one that may not be replaced.
    pub fn create(path: impl AsRef<Path>, params: FrameParams) -> Result<Self> {
        params.validate()?;
        let path = path.as_ref();
        let file = match (params.in_place, params.overwrite) {
            (false, overwrite) => DiskFile::create_atomic(path, overwrite),
            (true, true) => DiskFile::open_or_create(path),
            (true, false) => DiskFile::create_new(path),
        };
        let created = file
            .map_err(open_error)
            .and_then(|file| Self::create_in(Contiguous::new(file), params));
        Self::named(created, path)
    }

    /// Opens the contiguous frame in a file for changes ([format §9.8](crate::format#9.8)).
    ///
    /// # Errors
    /// As [`open_in`](FrameWriter::open_in), and when the file cannot be opened for writing.
    pub fn open(path: impl AsRef<Path>, dparams: DParams) -> Result<Self> {
        Self::open_with(path, dparams, Locking::default())
    }

    /// [`open`](FrameWriter::open) with other locks than [`Locking::Exclusive`], or waiting for it.
    ///
    /// # Errors
    /// As [`open`](FrameWriter::open).
    pub fn open_with(
        path: impl AsRef<Path>,
        dparams: DParams,
        access: impl Into<Access>,
    ) -> Result<Self> {
        let path = path.as_ref();
        let opened = DiskFile::open_rw(path)
            .map_err(open_error)
            .and_then(|file| Self::open_in_with(Contiguous::new(file), dparams, access));
        Self::named(opened, path)
    }
}

/// A parameter that the header names and that cannot be used, as an error of the header.
fn in_header(error: Error) -> Error {
    let Error::InvalidParam { name, value, .. } = error else {
        return error;
    };
    let part = Part::FrameHeader;
    let id = u8::try_from(value).unwrap_or(u8::MAX);
    let missing = |offset, what| Error::Unsupported { part, offset, what };
    let range =
        |offset, max: usize| Error::out_of_range(part, offset, name, value, 1, saturating_i64(max));
    match name {
        "codec" => missing(0x4D, Missing::Codec(CodecId::new(id))),
        "filters" => missing(0x47, Missing::Filter(FilterId::new(id))),
        "typesize" => range(0x2F, MAX_TYPESIZE),
        "blocksize" => range(0x34, MAX_BLOCKSIZE),
        _ => Error::broken(part, 0x1B, "codec, level and filters can be used together"),
    }
}

fn open_error(source: io::Error) -> Error {
    Error::Io {
        part: Part::FrameHeader,
        offset: None,
        source,
    }
}

impl<S: FrameStoreMut> FrameWriter<S> {
    /// Begins a frame in a store, whose old content is lost ([format §9](crate::format#9)).
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when a parameter is outside its range; [`Error::Locked`] when
    /// another writer has the storage; [`Error::Io`].
    pub fn create_in(mut store: S, params: FrameParams) -> Result<Self> {
        params.validate()?;
        let (turn, watch) = Turn::create(&mut store, params.access)?;
        let mut header = FrameHeader::new(S::FRAME_TYPE, &params.cparams)?;
        if let Some(chunksize) = params.kept_chunksize {
            header.chunksize = chunksize;
        }
        let encoder = if params.encoded_chunks {
            None
        } else {
            Some(ChunkEncoder::new(params.cparams.clone())?)
        };
        let bytes = header.write(&params.metalayers)?;
        header.header_len = to_u64(bytes.len());
        let contents = Contents {
            header,
            metalayers: params.metalayers,
            vlmetalayers: params.vlmetalayers,
            fingerprint: Fingerprint::default(),
            index: Vec::new(),
            filled: false,
        };
        store.begin()?;
        let undo = store.undo()?;
        let mut reader = FrameReader::with_contents(store, contents, params.dparams.cache_bytes(0));
        reader.watch = watch;
        Ok(Self {
            undo: Undo::new(undo.filter(|_| !params.in_place)),
            turn,
            reader: Held::new(reader),
            end: End {
                hook: params.on_lost,
                ..End::default()
            },
            at_end: Self::end,
            encoder: Mutex::new(encoder),
            cparams: params.cparams,
            chunksize: params.chunksize,
            pending: Vec::new(),
            chunk: Vec::new(),
            mode: WriteMode {
                durability: params.durability,
                in_place: params.in_place,
            },
            dirty: true,
        })
    }

    /// Opens the frame in a store for changes. New chunks get the parameters and the chunk size
    /// that the header names; [`set_cparams`](Self::set_cparams) and
    /// [`set_chunksize`](Self::set_chunksize) change them ([format §9.8](crate::format#9.8)).
    ///
    /// # Errors
    /// As [`FrameReader::open_in`]; [`Error::Unsupported`] for frames of the 2.0.0 betas;
    /// [`Error::Locked`] when another writer has the storage.
    pub fn open_in(store: S, dparams: DParams) -> Result<Self> {
        Self::open_in_with(store, dparams, Locking::default())
    }

    /// [`open_in`](Self::open_in) with other locks than [`Locking::Exclusive`], or waiting for it.
    /// A storage that is not [`Shareable`](crate::storage::Shareable) has no locks.
    ///
    /// # Errors
    /// As [`open_in`](Self::open_in); [`Error::Refused`] for [`Locking::Shared`] in a storage
    /// without a sidecar.
    pub fn open_in_with(store: S, dparams: DParams, access: impl Into<Access>) -> Result<Self> {
        let (turn, reader) = Turn::open(store, dparams, access.into())?;
        let header = reader.header();
        if header.version == 1 {
            let what = Missing::Feature("changes to a frame of the 2.0.0 betas");
            return Err(Error::Unsupported {
                part: Part::FrameHeader,
                offset: 0x19,
                what,
            });
        }
        let cparams = header.cparams().map_err(in_header)?;
        let chunksize = header
            .chunksize
            .filter(|&size| size > 0)
            .unwrap_or(DEFAULT_CHUNKSIZE);
        let mode = WriteMode {
            durability: Durability::None,
            in_place: false,
        };
        let mut writer = Self {
            undo: Undo::default(),
            turn,
            reader: Held::new(reader),
            end: End::default(),
            at_end: Self::end,
            encoder: Mutex::new(None),
            cparams,
            chunksize,
            pending: Vec::new(),
            chunk: Vec::new(),
            mode,
            dirty: false,
        };
        writer.resume();
        Ok(writer)
    }

    /// The encoder of new chunks.
    pub(crate) fn encoder(&mut self) -> Result<&mut ChunkEncoder> {
        let encoder = self.encoder.get_mut();
        let encoder = encoder.unwrap_or_else(PoisonError::into_inner);
        match encoder {
            Some(encoder) => Ok(encoder),
            // The parameters are those of the header.
            None => Ok(encoder.insert(ChunkEncoder::new(self.cparams.clone()).map_err(in_header)?)),
        }
    }

    /// Prepares the store for changes in the current mode.
    pub(crate) fn resume(&mut self) {
        let FrameReader {
            store, contents, ..
        } = &mut *self.reader;
        store.resume(contents, self.mode);
        if contents.index.is_empty() && S::FRAME_TYPE == FrameType::Contiguous {
            // C leaves an outdated size when the last chunk is deleted (format §9.7).
            contents.header.cbytes = 0;
        }
    }

    /// Sets the parameters for compressing new chunks. The header keeps the first ones.
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when a parameter is outside its range or the typesize differs.
    pub fn set_cparams(&mut self, cparams: CParams) -> Result<()> {
        let typesize = self.reader.header().typesize;
        if cparams.typesize != typesize {
            return Err(Error::InvalidParam {
                name: "typesize",
                value: saturating_i64(cparams.typesize),
                expected: "the typesize of the frame",
            });
        }
        self.encoder = Mutex::new(Some(ChunkEncoder::new(cparams.clone())?));
        self.cparams = cparams;
        Ok(())
    }

    /// Sets the threads that compress new chunks; the other parameters stay.
    ///
    /// ```
    /// use oxiblosc::{CParams, FrameParams, FrameWriter, Threads};
    ///
    /// let mut writer = FrameWriter::in_memory(FrameParams::new(CParams::new(1), 1000))?;
    /// writer.set_threads(Threads::Serial);
    /// writer.append(&[7; 3000])?;
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    pub fn set_threads(&mut self, threads: Threads) {
        self.cparams.threads = threads;
        self.encoder = Mutex::new(None);
    }

    /// Sets the size of the chunks that [`append`](Self::append) cuts, in bytes. A frame that
    /// has chunks of another size becomes one of variable-size chunks.
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when the size is 0 or too large.
    pub fn set_chunksize(&mut self, chunksize: usize) -> Result<()> {
        check_chunksize(chunksize)?;
        self.flush_chunk()?;
        self.chunksize = chunksize;
        Ok(())
    }

    /// Sets the guarantee that a commit waits for.
    pub fn set_durability(&mut self, durability: Durability) {
        self.mode.durability = durability;
    }

    /// Sets whether changes may overwrite the last commit; see
    /// [`FrameParams::in_place`].
    ///
    /// # Errors
    /// As [`commit`](Self::commit), which comes first.
    pub fn set_in_place(&mut self, in_place: bool) -> Result<()> {
        self.commit()?;
        self.mode.in_place = in_place;
        self.resume();
        Ok(())
    }

    /// Sets the chunk size that the header of an empty frame states, in bytes, before its first
    /// chunk does: `Some(0)` for none yet, `None` for variable-size chunks. Does nothing when there
    /// are chunks.
    ///
    /// ```
    /// use oxiblosc::{CParams, ChunkSink, FrameParams, FrameWriter};
    ///
    /// let params = FrameParams::new(CParams::new(1), 1000).encoded_chunks(true);
    /// let mut writer = FrameWriter::in_memory(params)?;
    /// assert_eq!(writer.reader().header().chunksize, Some(0));
    /// writer.keep_chunksize(Some(8192));
    /// writer.append_chunk(&oxiblosc::compress(&[7; 282], &CParams::new(1))?)?;
    /// assert_eq!(writer.reader().header().chunksize, Some(8192));
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    pub fn keep_chunksize(&mut self, chunksize: Option<usize>) {
        if self.reader.contents.index.is_empty() {
            self.reader.contents.header.chunksize = chunksize;
        }
    }

    /// A reader of the frame, with all changes that are not committed yet.
    pub fn reader(&self) -> &FrameReader<S> {
        &self.reader
    }

    /// The parameters for compressing new chunks.
    pub fn cparams(&self) -> &CParams {
        &self.cparams
    }

    /// Writes all changes to the storage. Does nothing when nothing changed.
    ///
    /// # Errors
    /// When the last chunk cannot be compressed, or the storage fails. The storage then holds the
    /// frame of the last commit, unless the writer works [in place](FrameParams::in_place).
    pub fn commit(&mut self) -> Result<()> {
        let done = self.commit_all();
        self.end.failed |= done.is_err();
        done
    }

    fn commit_all(&mut self) -> Result<()> {
        if std::mem::take(&mut self.end.lost) {
            return Err(Error::Refused {
                what: "commit",
                why: "rows of a dropped array could not be stored; again commits the rest",
            });
        }
        self.flush_chunk()?;
        if !self.dirty {
            return self.end_change();
        }
        self.check_unchanged()?;
        let FrameReader {
            store, contents, ..
        } = &mut *self.reader;
        contents.header.has_vlmetalayers = !contents.vlmetalayers.is_empty();
        let version = if contents.header.chunksize.is_none() || contents.header.vlblocks {
            3
        } else {
            2
        };
        contents.header.version = version;
        let index = match contents.index.as_slice() {
            [] => Vec::new(),
            entries @ &[first, ..]
                if contents.filled && entries.iter().all(|&entry| entry == first) =>
            {
                offsets::encode_filled(first, entries.len())?
            }
            entries => offsets::encode(entries)?,
        };
        let committed = store.commit(contents, &index, self.mode)?;
        contents.header.cbytes = committed.cbytes;
        contents.header.frame_len = committed.frame_len;
        contents.fingerprint = committed.fingerprint;
        self.dirty = false;
        self.end.committed();
        self.committed()
    }

    /// Commits and returns the store.
    ///
    /// # Errors
    /// As [`commit`](Self::commit).
    pub fn finish(mut self) -> Result<S> {
        self.commit()?;
        self.turn.release(&self.reader)?;
        Ok(self.reader.give().into_store())
    }

    /// Sets new sizes after a change.
    pub(crate) fn accept(&mut self, sizes: Sizes) {
        let header = &mut self.reader.contents.header;
        header.chunksize = sizes.chunksize;
        header.nbytes = sizes.nbytes;
        self.reader.contents.unseal();
        self.reader.starts.clear();
        self.reader.contents.filled = false;
        self.dirty = true;
    }
}
