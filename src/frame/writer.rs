//! Writing frames.

use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::contents::Contents;
use super::contiguous::Contiguous;
use super::header::FrameHeader;
use super::offsets::{self, Entry, MIN_CHUNK_LEN};
use super::params::{FrameParams, Sync, check_chunksize};
use super::reader::FrameReader;
use super::store::{FrameStore, FrameStoreMut, Plan};
use super::trailer::Fingerprint;
use crate::chunk::{ChunkDecoder, ChunkEncoder, ChunkHeader, ChunkView, Special};
use crate::error::{Error, Part, Result};
use crate::limits::Limits;
use crate::params::{CParams, DParams, MAX_NBYTES};
use crate::schunk::{
    ChunkLayout, ChunkSink, ChunkSource, Metalayers, Sizes, StoredChunk, special_header,
};
use crate::storage::{DiskFile, Memory};

/// The chunk size of a writer that was told none, in bytes.
const DEFAULT_CHUNKSIZE: usize = 1 << 20;

/// A frame being written or changed.
///
/// Chunks go to the storage at once; the header, the index and the trailer follow with
/// [`commit`](Self::commit) or [`finish`](Self::finish). Until then the storage holds the frame
/// of the last commit. Dropping a writer without `finish` drops what was not committed.
///
/// [`append`](Self::append) and [`io::Write`] take a stream of bytes and cut it into chunks: they
/// fill up a short last chunk before they begin a new one, so the frame keeps one chunk size
/// however the bytes arrive. [`ChunkSink`] takes whole chunks, which may have sizes of their own.
/// Chunks can be read back at any time ([`ChunkSource`]); bytes of a chunk that is not full yet
/// count only after [`flush_chunk`](Self::flush_chunk).
///
/// ```
/// use oxiblosc::frame::{FrameParams, FrameReader, FrameWriter};
/// use oxiblosc::schunk::{ChunkSink, ChunkSource};
/// use oxiblosc::{CParams, DParams};
/// # fn main() -> oxiblosc::Result<()> {
/// # let dir = tempfile::tempdir().unwrap();
/// # let path = dir.path().join("numbers.b2frame");
/// let mut writer = FrameWriter::create_file(&path, FrameParams::new(CParams::new(4), 4096))?;
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
#[derive(Debug)]
pub struct FrameWriter<S> {
    pub(super) reader: FrameReader<S>,
    /// Behind a mutex only to make the writer `Sync`; it is never locked.
    encoder: Mutex<ChunkEncoder>,
    cparams: CParams,
    chunksize: usize,
    /// Bytes of a chunk that is not full yet.
    pending: Vec<u8>,
    /// The chunk that was compressed last.
    chunk: Vec<u8>,
    pub(super) plan: Plan,
    /// Whether something changed since the last commit.
    pub(super) dirty: bool,
    /// Whether the frame was filled with one special value and has not changed since.
    filled: bool,
}

impl FrameWriter<Contiguous<Memory<Vec<u8>>>> {
    /// Begins a contiguous frame in memory.
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when a parameter is outside its range.
    pub fn in_memory(params: FrameParams) -> Result<Self> {
        Self::create(Contiguous::new(Memory(Vec::new())), params)
    }

    /// Finishes a frame in memory and returns its bytes.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn into_bytes(self) -> Result<Vec<u8>> {
        Ok(self.finish()?.into_inner().0)
    }
}

impl FrameWriter<Contiguous<DiskFile>> {
    /// Begins a contiguous frame in a file; an existing file is replaced.
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when a parameter is outside its range; [`Error::Io`].
    pub fn create_file(path: impl AsRef<Path>, params: FrameParams) -> Result<Self> {
        params.validate()?;
        let file = DiskFile::create(path).map_err(open_error)?;
        Self::create(Contiguous::new(file), params)
    }

    /// Opens the contiguous frame in a file for changes.
    ///
    /// # Errors
    /// As [`open`](FrameWriter::open), and when the file cannot be opened for writing.
    pub fn open_file(path: impl AsRef<Path>, dparams: DParams) -> Result<Self> {
        let file = DiskFile::open_rw(path).map_err(open_error)?;
        Self::open(Contiguous::new(file), dparams)
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
    /// Begins a frame in a store, whose old content is lost.
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when a parameter is outside its range; [`Error::Io`].
    pub fn create(mut store: S, params: FrameParams) -> Result<Self> {
        params.validate()?;
        let header = FrameHeader::new(S::FRAME_TYPE, &params.cparams)?;
        let encoder = ChunkEncoder::new(params.cparams.clone())?;
        let mut contents = Contents {
            header,
            metalayers: params.metalayers,
            vlmetalayers: params.vlmetalayers,
            fingerprint: Fingerprint::default(),
            index: Vec::new(),
        };
        store.begin(&mut contents)?;
        Ok(Self {
            reader: FrameReader::with_contents(store, contents, params.dparams),
            encoder: Mutex::new(encoder),
            cparams: params.cparams,
            chunksize: params.chunksize,
            pending: Vec::new(),
            chunk: Vec::new(),
            plan: Plan {
                sync: params.sync,
                in_place: params.in_place,
            },
            dirty: true,
            filled: false,
        })
    }

    /// Opens the frame in a store for changes. New chunks get the parameters and the chunk size
    /// that the header names; [`set_cparams`](Self::set_cparams) and
    /// [`set_chunksize`](Self::set_chunksize) change them.
    ///
    /// # Errors
    /// As [`FrameReader::new`]; [`Error::Unsupported`] for frames of the 2.0.0 betas.
    pub fn open(store: S, dparams: DParams) -> Result<Self> {
        let mut reader = FrameReader::new(store, dparams)?;
        let header = reader.header();
        if header.version == 1 {
            let what = crate::error::Missing::Feature("changes to a frame of the 2.0.0 betas");
            return Err(Error::Unsupported {
                part: Part::FrameHeader,
                offset: 0x19,
                what,
            });
        }
        let cparams = header.cparams()?;
        let chunksize = header.chunksize.and_then(|size| usize::try_from(size).ok());
        let chunksize = chunksize
            .filter(|&size| size > 0)
            .unwrap_or(DEFAULT_CHUNKSIZE);
        let plan = Plan {
            sync: Sync::None,
            in_place: false,
        };
        reader.store.resume(&mut reader.contents, plan)?;
        Ok(Self {
            reader,
            encoder: Mutex::new(ChunkEncoder::new(cparams.clone())?),
            cparams,
            chunksize,
            pending: Vec::new(),
            chunk: Vec::new(),
            plan,
            dirty: false,
            filled: false,
        })
    }

    /// Sets how new chunks are compressed. The header keeps naming the first parameters.
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when a parameter is outside its range or the typesize differs.
    pub fn set_cparams(&mut self, cparams: CParams) -> Result<()> {
        let typesize = self.reader.header().typesize;
        if cparams.typesize as u64 != u64::from(typesize) {
            return Err(Error::InvalidParam {
                name: "typesize",
                value: i64::try_from(cparams.typesize).unwrap_or(i64::MAX),
                expected: "the typesize of the frame",
            });
        }
        self.encoder = Mutex::new(ChunkEncoder::new(cparams.clone())?);
        self.cparams = cparams;
        Ok(())
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

    /// Sets what a commit waits for.
    pub fn set_sync(&mut self, sync: Sync) {
        self.plan.sync = sync;
    }

    /// Sets whether changes may write over what the last commit wrote; see
    /// [`FrameParams::in_place`].
    ///
    /// # Errors
    /// As [`commit`](Self::commit), which comes first.
    pub fn set_in_place(&mut self, in_place: bool) -> Result<()> {
        self.commit()?;
        self.plan.in_place = in_place;
        self.reader
            .store
            .resume(&mut self.reader.contents, self.plan)
    }

    /// The frame as a reader sees it, with everything that is not committed yet.
    pub fn reader(&self) -> &FrameReader<S> {
        &self.reader
    }

    /// How new chunks are compressed.
    pub fn cparams(&self) -> &CParams {
        &self.cparams
    }

    /// Adds bytes at the end, cut into chunks of the chunk size. Bytes that do not fill a chunk
    /// wait for more, or for [`commit`](Self::commit).
    ///
    /// # Errors
    /// When a chunk cannot be compressed or stored; [`Error::Refused`] when the frame consists of
    /// variable-length blocks.
    #[doc(alias = "blosc2_schunk_append_buffer")]
    pub fn append(&mut self, mut src: &[u8]) -> Result<()> {
        if src.is_empty() {
            return Ok(());
        }
        if self.reader.header().vlblocks {
            let what = "append bytes";
            return Err(Error::Refused {
                what,
                why: "the frame has variable-length blocks",
            });
        }
        self.reopen_last()?;
        loop {
            let room = self.chunksize.saturating_sub(self.pending.len());
            if src.len() < room {
                self.pending.extend_from_slice(src);
                return Ok(());
            }
            let (now, later) = src.split_at(room);
            if self.pending.is_empty() {
                // The common case of large writes: no copy.
                self.encode_and_store(now)?;
            } else {
                self.pending.extend_from_slice(now);
                self.flush_chunk()?;
            }
            src = later;
            if src.is_empty() {
                return Ok(());
            }
        }
    }

    /// Stores the bytes that wait for more as a chunk, which is then shorter than the others.
    ///
    /// # Errors
    /// When the chunk cannot be compressed or stored.
    pub fn flush_chunk(&mut self) -> Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let mut pending = std::mem::take(&mut self.pending);
        let done = self.encode_and_store(&pending);
        if done.is_ok() {
            pending.clear();
        }
        self.pending = pending;
        done
    }

    fn encode_and_store(&mut self, src: &[u8]) -> Result<()> {
        let mut chunk = std::mem::take(&mut self.chunk);
        chunk.clear();
        let encoder = self
            .encoder
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        let done = encoder.encode_append(src, &mut chunk).and_then(|_| {
            let nchunks = self.reader.contents.index.len();
            self.store_chunk(Change::Insert(nchunks), &chunk)
        });
        self.chunk = chunk;
        done
    }

    /// Takes a short last chunk back, to fill it up.
    fn reopen_last(&mut self) -> Result<()> {
        let sizes = self.reader.contents.sizes();
        let Some(last) = sizes.last_len().filter(|_| self.pending.is_empty()) else {
            return Ok(());
        };
        let size = |size: u32| usize::try_from(size).unwrap_or(usize::MAX);
        // A single chunk sets the chunk size, so one that is too short still can grow.
        let ours = sizes.chunksize.map(size) == Some(self.chunksize) || sizes.nchunks == 1;
        if !ours || size(last) >= self.chunksize {
            return Ok(());
        }
        let nchunk = sizes.nchunks.saturating_sub(1);
        self.pending.resize(size(last), 0);
        let mut decoder = ChunkDecoder::new(self.reader.dparams.clone());
        if let Err(error) = self
            .reader
            .decode_chunk_into(&mut decoder, nchunk, &mut self.pending)
        {
            self.pending.clear();
            return Err(error);
        }
        self.take_last(nchunk, last)
    }

    /// Drops the last chunk, whose bytes are pending again.
    fn take_last(&mut self, nchunk: u64, nbytes: u32) -> Result<()> {
        if let Entry::Stored(place) = self.reader.entry(nchunk)? {
            let len = self.stored_len(nchunk, place)?;
            self.reader
                .store
                .take_back(&mut self.reader.contents, place, len)?;
        }
        let mut sizes = self.reader.contents.sizes();
        sizes.delete(nchunk, nbytes)?;
        if sizes.nchunks == 0 {
            sizes.chunksize = Some(0);
        }
        self.reader.contents.index.pop();
        self.accept(sizes);
        Ok(())
    }

    /// Appends `nbytes` bytes of one special value. Zeros, NaN and uninitialised chunks take no
    /// room but 8 bytes in the index, and in a frame that was empty not even that.
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when `nbytes` is no multiple of the typesize, or NaN is asked for
    /// with a typesize that is not 4 or 8; whatever storing chunks reports.
    #[doc(alias = "blosc2_schunk_fill_special")]
    pub fn append_special(&mut self, special: Special<'_>, nbytes: u64) -> Result<()> {
        self.flush_chunk()?;
        let fresh = self.reader.contents.index.is_empty();
        let mut left = nbytes;
        let mut last: Option<(usize, Vec<u8>)> = None;
        while left > 0 {
            let len = usize::try_from(left)
                .unwrap_or(usize::MAX)
                .min(self.chunksize);
            let chunk = match last.take() {
                Some((same, chunk)) if same == len => chunk,
                _ => {
                    let encoder = self.encoder.get_mut();
                    encoder
                        .unwrap_or_else(PoisonError::into_inner)
                        .encode_special(special, len)?
                }
            };
            if fresh && self.reader.contents.index.is_empty() {
                // C notes the real block size of a frame that it fills.
                self.reader.contents.header.blocksize = ChunkHeader::parse(&chunk)?.blocksize;
            }
            let nchunks = self.reader.contents.index.len();
            self.store_chunk(Change::Insert(nchunks), &chunk)?;
            last = Some((len, chunk));
            left = left.saturating_sub(len as u64);
        }
        self.filled = fresh && nbytes > 0 && offsets::special_entry(special).is_some();
        Ok(())
    }

    /// Changes the order of the chunks: chunk `i` becomes what chunk `order[i]` was.
    ///
    /// # Errors
    /// [`Error::Refused`] when `order` does not name every chunk once.
    #[doc(alias = "blosc2_schunk_reorder_offsets")]
    pub fn reorder_chunks(&mut self, order: &[u64]) -> Result<()> {
        self.flush_chunk()?;
        let mut sizes = self.reader.contents.sizes();
        sizes.reorder(order)?;
        self.make_room_for(sizes)?;
        let old = &self.reader.contents.index;
        let entry = |&nchunk: &u64| {
            usize::try_from(nchunk)
                .ok()
                .and_then(|at| old.get(at))
                .copied()
        };
        self.reader.contents.index = order.iter().filter_map(entry).collect();
        self.accept(sizes);
        Ok(())
    }

    /// Makes the frame on the storage what it is in the writer. Does nothing when nothing
    /// changed.
    ///
    /// # Errors
    /// When the last chunk cannot be compressed, or the storage fails. The storage then holds the
    /// frame of the last commit, unless the writer works [in place](FrameParams::in_place).
    pub fn commit(&mut self) -> Result<()> {
        self.flush_chunk()?;
        if !self.dirty {
            return Ok(());
        }
        let FrameReader {
            store, contents, ..
        } = &mut self.reader;
        contents.header.has_vlmetalayers = !contents.vlmetalayers.is_empty();
        let version = if contents.header.chunksize.is_none() || contents.header.vlblocks {
            3
        } else {
            2
        };
        contents.header.version = version;
        let index = match contents.index.as_slice() {
            [] => Vec::new(),
            &[first, ..] if self.filled => offsets::encode_filled(first, contents.index.len())?,
            entries => offsets::encode(entries)?,
        };
        store.commit(contents, &index, self.plan)?;
        self.dirty = false;
        Ok(())
    }

    /// Commits and returns the store.
    ///
    /// # Errors
    /// As [`commit`](Self::commit).
    pub fn finish(mut self) -> Result<S> {
        self.commit()?;
        Ok(self.reader.into_store())
    }

    /// Takes over new sizes.
    fn accept(&mut self, sizes: Sizes) {
        let header = &mut self.reader.contents.header;
        header.chunksize = sizes.chunksize;
        header.nbytes = sizes.nbytes;
        self.reader.contents.fingerprint = Fingerprint::default();
        self.dirty = true;
        self.filled = false;
    }

    /// Turns to variable-size chunks when `sizes` ask for it: special chunks then need bytes,
    /// since the index no longer implies their size.
    fn make_room_for(&mut self, sizes: Sizes) -> Result<()> {
        let now = self.reader.contents.sizes();
        if sizes.chunksize.is_some() || now.chunksize.is_none() {
            return Ok(());
        }
        let mut index = self.reader.contents.index.clone();
        for (nchunk, raw) in index.iter_mut().enumerate() {
            let Some(Entry::Special(special)) = Entry::from_raw(*raw) else {
                continue;
            };
            let nbytes = self.reader.special_nbytes(nchunk as u64)?;
            let FrameHeader {
                typesize,
                blocksize,
                ..
            } = self.reader.contents.header;
            let chunk = special_header(special, typesize, blocksize, nbytes);
            *raw = self.put(&chunk)?;
        }
        self.reader.contents.index = index;
        self.reader.contents.header.chunksize = None;
        self.dirty = true;
        self.filled = false;
        Ok(())
    }

    fn put(&mut self, chunk: &[u8]) -> Result<i64> {
        let place = self.reader.store.put(&mut self.reader.contents, chunk)?;
        Ok(i64::try_from(place).unwrap_or(i64::MAX))
    }

    /// The compressed size of a stored chunk.
    fn stored_len(&self, nchunk: u64, place: u64) -> Result<u64> {
        Ok(u64::from(self.reader.stored_header(nchunk, place)?.cbytes))
    }

    /// Checks a chunk that comes in whole; returns its header and its special value.
    fn check_chunk<'a>(&self, chunk: &'a [u8]) -> Result<(ChunkHeader, Option<Special<'a>>)> {
        let what = "store the chunk";
        let limits = Limits {
            max_chunk_nbytes: u32::MAX,
            ..self.reader.dparams.limits
        };
        let view = ChunkView::parse(chunk, &limits)?;
        let header = *view.header();
        if u64::from(header.cbytes) != chunk.len() as u64 {
            let part = Part::ChunkHeader;
            return Err(Error::unequal(
                part,
                12,
                "cbytes",
                header.cbytes,
                chunk.len(),
            ));
        }
        if u64::from(header.cbytes) < MIN_CHUNK_LEN {
            return Err(Error::Refused {
                what,
                why: "frames hold no chunks below 32 bytes",
            });
        }
        let contents = &self.reader.contents;
        if !contents.index.is_empty() && header.is_vlblocks() != contents.header.vlblocks {
            let why = "chunks with and without variable-length blocks do not mix";
            return Err(Error::Refused { what, why });
        }
        Ok((header, view.special()))
    }

    fn store_chunk(&mut self, change: Change, chunk: &[u8]) -> Result<()> {
        let (header, special) = self.check_chunk(chunk)?;
        let mut sizes = self.reader.contents.sizes();
        let mut old = None;
        match change {
            Change::Insert(at) => {
                if sizes.nchunks >= Limits::FORMAT.max_nchunks {
                    let why = "the index of a frame cannot hold more chunks";
                    return Err(Error::Refused {
                        what: "store the chunk",
                        why,
                    });
                }
                sizes.insert(at as u64, header.nbytes)?;
            }
            Change::Update(at) => {
                let nchunk = at as u64;
                let entry = self.reader.entry(nchunk)?;
                sizes.update(nchunk, self.reader.chunk_nbytes(nchunk)?, header.nbytes)?;
                old = Some(entry);
            }
        }
        self.make_room_for(sizes)?;
        let code = sizes
            .chunksize
            .and(special)
            .and_then(offsets::special_entry);
        if let (Some(Entry::Special(_)), Change::Update(at)) = (old, change) {
            // Turning to variable sizes may have given the old chunk bytes.
            old = Some(self.reader.entry(at as u64)?);
        }
        let entry = match (old, code) {
            (Some(Entry::Stored(place)), _) => {
                let (Change::Update(at) | Change::Insert(at)) = change;
                let old_len = self.stored_len(at as u64, place)?;
                let new = if code.is_some() { None } else { Some(chunk) };
                let FrameReader {
                    store, contents, ..
                } = &mut self.reader;
                let place = store.replace(contents, place, old_len, new, self.plan)?;
                code.unwrap_or(i64::try_from(place).unwrap_or(i64::MAX))
            }
            (_, Some(code)) => code,
            (_, None) => self.put(chunk)?,
        };
        let index = &mut self.reader.contents.index;
        match change {
            Change::Insert(at) => index.insert(at.min(index.len()), entry),
            Change::Update(at) => {
                if let Some(old) = index.get_mut(at) {
                    *old = entry;
                }
            }
        }
        self.reader.contents.header.vlblocks = header.is_vlblocks();
        self.accept(sizes);
        Ok(())
    }
}

/// What happens with a chunk that comes in.
#[derive(Clone, Copy, Debug)]
enum Change {
    Insert(usize),
    Update(usize),
}

impl<S: FrameStore> ChunkSource for FrameWriter<S> {
    fn layout(&self) -> ChunkLayout {
        self.reader.layout()
    }

    fn chunk(&self, nchunk: u64) -> Result<StoredChunk<'_>> {
        self.reader.chunk(nchunk)
    }

    fn metalayers(&self) -> &Metalayers {
        self.reader.metalayers()
    }

    fn vlmetalayer(&self, name: &str) -> Result<Option<Vec<u8>>> {
        self.reader.vlmetalayer(name)
    }

    fn decode_chunk_into(
        &self,
        decoder: &mut ChunkDecoder,
        nchunk: u64,
        dst: &mut [u8],
    ) -> Result<usize> {
        self.reader.decode_chunk_into(decoder, nchunk, dst)
    }

    fn chunk_nbytes(&self, nchunk: u64) -> Result<u32> {
        self.reader.chunk_nbytes(nchunk)
    }
}

impl<S: FrameStoreMut> ChunkSink for FrameWriter<S> {
    fn append_chunk(&mut self, chunk: &[u8]) -> Result<u64> {
        self.flush_chunk()?;
        self.store_chunk(Change::Insert(self.reader.contents.index.len()), chunk)?;
        Ok(self.reader.contents.index.len() as u64)
    }

    fn update_chunk(&mut self, nchunk: u64, chunk: &[u8]) -> Result<()> {
        self.flush_chunk()?;
        self.reader.entry(nchunk)?;
        self.store_chunk(
            Change::Update(usize::try_from(nchunk).unwrap_or(usize::MAX)),
            chunk,
        )
    }

    fn insert_chunk(&mut self, nchunk: u64, chunk: &[u8]) -> Result<()> {
        self.flush_chunk()?;
        self.store_chunk(
            Change::Insert(usize::try_from(nchunk).unwrap_or(usize::MAX)),
            chunk,
        )
    }

    fn delete_chunk(&mut self, nchunk: u64) -> Result<()> {
        self.flush_chunk()?;
        let entry = self.reader.entry(nchunk)?;
        let mut sizes = self.reader.contents.sizes();
        sizes.delete(nchunk, self.reader.chunk_nbytes(nchunk)?)?;
        if let Entry::Stored(place) = entry {
            let len = self.stored_len(nchunk, place)?;
            self.reader
                .store
                .remove(&mut self.reader.contents, place, len)?;
        }
        let index = &mut self.reader.contents.index;
        if let Ok(at) = usize::try_from(nchunk)
            && at < index.len()
        {
            index.remove(at);
        }
        self.accept(sizes);
        Ok(())
    }

    fn update_metalayer(&mut self, name: &str, content: &[u8]) -> Result<()> {
        self.reader.contents.metalayers.update(name, content)?;
        self.reader.contents.fingerprint = Fingerprint::default();
        self.dirty = true;
        Ok(())
    }

    fn set_vlmetalayer(&mut self, name: &str, content: &[u8]) -> Result<()> {
        self.reader.contents.vlmetalayers.set(name, content)?;
        self.reader.contents.fingerprint = Fingerprint::default();
        self.dirty = true;
        Ok(())
    }

    fn remove_vlmetalayer(&mut self, name: &str) -> Result<bool> {
        let removed = self.reader.contents.vlmetalayers.remove(name);
        if removed {
            self.reader.contents.fingerprint = Fingerprint::default();
            self.dirty = true;
        }
        Ok(removed)
    }
}

impl<S: FrameStoreMut> io::Write for FrameWriter<S> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.append(buf)?;
        Ok(buf.len())
    }

    /// Stores the bytes that wait for more as a chunk; the next write fills it up. Nothing is
    /// committed.
    fn flush(&mut self) -> io::Result<()> {
        Ok(self.flush_chunk()?)
    }
}

const _: () = assert!(DEFAULT_CHUNKSIZE <= MAX_NBYTES);
