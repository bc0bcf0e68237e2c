//! Writing frames.

use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::contents::Contents;
use super::contiguous::Contiguous;
use super::edit::Change;
use super::header::FrameHeader;
use super::offsets::{self, Entry};
use super::params::{Durability, FrameParams};
use super::reader::FrameReader;
use super::store::{FrameStoreMut, Plan};
use super::trailer::Fingerprint;
use crate::chunk::scratch::room;
use crate::chunk::{ChunkDecoder, ChunkEncoder, max_chunk_len};
use crate::error::{Error, Part, Result};
use crate::params::{CParams, DParams, MAX_NBYTES};
use crate::schunk::{ChunkSink, ChunkSource, Sizes, check_chunksize, set_items};
use crate::storage::{DiskFile, Memory};

/// The chunk size of a writer that was told none, in bytes.
pub(super) const DEFAULT_CHUNKSIZE: usize = 1 << 20;

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
#[derive(Debug)]
pub struct FrameWriter<S> {
    pub(super) reader: FrameReader<S>,
    /// Behind a mutex only to make the writer `Sync`; it is never locked.
    pub(super) encoder: Mutex<ChunkEncoder>,
    cparams: CParams,
    pub(super) chunksize: usize,
    /// Bytes of a chunk that is not full yet.
    pending: Vec<u8>,
    /// Room for a compressed chunk.
    chunk: Vec<u8>,
    pub(super) plan: Plan,
    /// Whether something changed since the last commit.
    pub(super) dirty: bool,
    /// Whether the frame was filled with one special value and has not changed since.
    pub(super) filled: bool,
}

impl FrameWriter<Contiguous<Memory<Vec<u8>>>> {
    /// Begins a contiguous frame in memory.
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when a parameter is outside its range.
    pub fn in_memory(params: FrameParams) -> Result<Self> {
        Self::create_in(Contiguous::new(Memory(Vec::new())), params)
    }

    /// Finishes a frame in memory and returns its bytes (format §9).
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn into_bytes(self) -> Result<Vec<u8>> {
        Ok(self.finish()?.into_inner().0)
    }
}

impl FrameWriter<Contiguous<DiskFile>> {
    /// Begins a contiguous frame in a file; an existing file is replaced (format §9).
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when a parameter is outside its range; [`Error::Io`].
    pub fn create(path: impl AsRef<Path>, params: FrameParams) -> Result<Self> {
        params.validate()?;
        let file = DiskFile::create(path).map_err(open_error)?;
        Self::create_in(Contiguous::new(file), params)
    }

    /// Opens the contiguous frame in a file for changes (format §9.8).
    ///
    /// # Errors
    /// As [`open_in`](FrameWriter::open_in), and when the file cannot be opened for writing.
    pub fn open(path: impl AsRef<Path>, dparams: DParams) -> Result<Self> {
        let file = DiskFile::open_rw(path).map_err(open_error)?;
        Self::open_in(Contiguous::new(file), dparams)
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
    /// Begins a frame in a store, whose old content is lost (format §9).
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when a parameter is outside its range; [`Error::Io`].
    pub fn create_in(mut store: S, params: FrameParams) -> Result<Self> {
        params.validate()?;
        let mut header = FrameHeader::new(S::FRAME_TYPE, &params.cparams)?;
        if let Some(chunksize) = params.kept_chunksize {
            header.chunksize = chunksize;
        }
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
                durability: params.durability,
                in_place: params.in_place,
            },
            dirty: true,
            filled: false,
        })
    }

    /// Opens the frame in a store for changes. New chunks get the parameters and the chunk size
    /// that the header names; [`set_cparams`](Self::set_cparams) and
    /// [`set_chunksize`](Self::set_chunksize) change them (format §9.8).
    ///
    /// # Errors
    /// As [`FrameReader::open_in`]; [`Error::Unsupported`] for frames of the 2.0.0 betas.
    pub fn open_in(store: S, dparams: DParams) -> Result<Self> {
        let mut reader = FrameReader::open_in(store, dparams)?;
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
            durability: Durability::None,
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
    pub fn set_durability(&mut self, durability: Durability) {
        self.plan.durability = durability;
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

    /// Makes an empty frame one of this chunk size, before the first chunk says so.
    pub(crate) fn keep_chunksize(&mut self, chunksize: Option<u32>) {
        if self.reader.contents.index.is_empty() {
            self.reader.contents.header.chunksize = chunksize;
        }
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

    /// Adds the bytes of another super-chunk at the end, decompressed and cut into chunks of this
    /// frame's size; one chunk at a time is in memory. The borders of variable-length blocks are
    /// lost; [`recode`](crate::schunk::recode) keeps them, and the sizes of the chunks.
    ///
    /// ```
    /// use oxiblosc::schunk::ChunkSource;
    /// use oxiblosc::{CParams, FrameParams, FrameWriter, SChunk};
    /// # fn main() -> oxiblosc::Result<()> {
    /// let mut small = SChunk::new(CParams::new(4), 400)?;
    /// small.append(&[1, 2, 3, 4].repeat(2500))?;
    /// let mut large = FrameWriter::in_memory(FrameParams::new(CParams::new(4), 4000))?;
    /// large.append_source(&small)?;
    /// large.flush_chunk()?;
    /// assert_eq!((small.layout().nchunks, large.layout().nchunks), (25, 3));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When a chunk cannot be read or decoded; as [`append`](Self::append).
    #[doc(alias = "blosc2_schunk_copy")]
    pub fn append_source(&mut self, source: &(impl ChunkSource + ?Sized)) -> Result<()> {
        let dparams = source.dparams();
        let mut decoder = ChunkDecoder::new(dparams.clone());
        let mut data = Vec::new();
        for nchunk in 0..source.layout().nchunks {
            let nbytes = source.chunk_nbytes(nchunk)?;
            dparams.limits.check_alloc(u64::from(nbytes), None)?;
            data.resize(usize::try_from(nbytes).unwrap_or(usize::MAX), 0);
            source.decode_chunk_into(&mut decoder, nchunk, &mut data)?;
            self.append(&data)?;
        }
        Ok(())
    }

    /// Appends a chunk of variable-length blocks, and returns the new number of chunks.
    ///
    /// # Errors
    /// [`Error::Refused`] when the frame has chunks of another kind, or a block is empty; when the
    /// chunk cannot be stored.
    #[doc(alias = "blosc2_vlcompress_ctx")]
    pub fn append_vlblocks<B: AsRef<[u8]> + Sync>(&mut self, blocks: &[B]) -> Result<u64> {
        let encoder = self.encoder.get_mut();
        let encoder = encoder.unwrap_or_else(PoisonError::into_inner);
        let chunk = encoder.encode_vlblocks(blocks)?;
        self.append_chunk(&chunk)
    }

    /// Overwrites items from item `start` on with `src`; the chunks they lie in are compressed
    /// anew. Like every change, this becomes visible with the next commit.
    ///
    /// ```
    /// use oxiblosc::schunk::ChunkSource;
    /// use oxiblosc::{CParams, FrameParams, FrameWriter};
    /// # fn main() -> oxiblosc::Result<()> {
    /// let mut writer = FrameWriter::in_memory(FrameParams::new(CParams::new(2), 1000))?;
    /// writer.append(&[7; 3000])?;
    /// writer.set_items(499, &[1, 2, 3, 4])?;
    /// let mut items = [0; 6];
    /// writer.read_items_into(&mut Default::default(), 499..502, &mut items)?;
    /// assert_eq!(items, [1, 2, 3, 4, 7, 7]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] when `src` reaches beyond the end; [`Error::Refused`] when the frame
    /// has variable-length blocks; whatever decoding, compressing and storing report.
    #[doc(alias = "blosc2_schunk_set_slice_buffer")]
    pub fn set_items(&mut self, start: u64, src: &[u8]) -> Result<()> {
        self.flush_chunk()?;
        let dparams = self.reader.dparams.clone();
        set_items(self, &dparams, start, src, |writer, data| {
            let encoder = writer.encoder.get_mut();
            encoder.unwrap_or_else(PoisonError::into_inner).encode(data)
        })
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
        if self.reader.contents.index.is_empty() {
            // However short the first chunk is: the chunk size is the one asked for.
            self.reader.contents.header.chunksize = u32::try_from(self.chunksize).ok();
        }
        let mut chunk = std::mem::take(&mut self.chunk);
        let to = room(&mut chunk, max_chunk_len(src.len()));
        let encoder = self
            .encoder
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        let done = encoder.encode_into(src, to).and_then(|cbytes| {
            let nchunks = self.reader.contents.index.len();
            let chunk = to.get(..cbytes).unwrap_or_default();
            self.store_chunk(Change::Insert(nchunks), chunk)
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
        // A single chunk that set the chunk size itself still can grow.
        let ours = sizes.chunksize.map(size) == Some(self.chunksize) || sizes.nchunks == 1;
        if !ours || size(last) >= self.chunksize {
            return Ok(());
        }
        let nchunk = sizes.nchunks.saturating_sub(1);
        let limits = &self.reader.dparams.limits;
        limits.check_alloc(u64::from(last), None)?;
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
                .take_back(&mut self.reader.contents, place, len, self.plan)?;
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
            entries @ &[first, ..]
                if self.filled && entries.iter().all(|&entry| entry == first) =>
            {
                offsets::encode_filled(first, entries.len())?
            }
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
    pub(super) fn accept(&mut self, sizes: Sizes) {
        let header = &mut self.reader.contents.header;
        header.chunksize = sizes.chunksize;
        header.nbytes = sizes.nbytes;
        self.reader.contents.unseal();
        self.reader.starts.take();
        self.dirty = true;
        self.filled = false;
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
