//! Reading frames.

use std::fmt;
use std::ops::Range;
use std::path::Path;

use super::cursor::ItemReader;
use super::lazy::LazyChunk;
use super::open;
use crate::chunk::{ChunkDecoder, ChunkHeader, HEADER_LEN, table_len};
use crate::error::{Error, Part, Result};
use crate::frame::layout::contents::Contents;
use crate::frame::layout::header::FrameHeader;
use crate::frame::layout::locking::{Access, Locking};
use crate::frame::layout::offsets::Entry;
use crate::frame::layout::params::FrameParams;
use crate::frame::layout::trailer::{Fingerprint, SEAL, SEAL_KIND};
use crate::frame::store::cache::Cache;
use crate::frame::store::contiguous::Contiguous;
use crate::frame::store::located::{Located, io_error};
use crate::frame::store::sparse::Sparse;
use crate::frame::store::traits::FrameStore;
use crate::frame::store::watch::{Current, Watch, stamped};
use crate::num::{saturating_usize, to_u64};
use crate::params::DParams;
use crate::schunk::{ChunkSource, DEFAULT_CHUNKSIZE, VlMetalayers};
use crate::storage::{DiskDir, DiskFile, Memory, Window};
use crate::threads::lazy::Lazy;
use crate::threads::pool::Pool;

/// An open frame.
///
/// Opening reads and checks the header, the index and the trailer; chunks are read when asked
/// for. Every size in the file is checked against [`DParams::limits`] before memory is allocated.
/// Reading takes `&self`, so threads share one reader, each with its own [`ChunkDecoder`].
///
/// ```
/// use oxiblosc::frame::{FrameParams, FrameReader, FrameWriter};
/// use oxiblosc::schunk::ChunkSource;
/// use oxiblosc::{CParams, ChunkDecoder, DParams};
/// # fn main() -> oxiblosc::Result<()> {
/// let params = FrameParams::new(CParams::new(4), 4000);
/// let mut writer = FrameWriter::in_memory(params)?;
/// writer.append(&[7; 10_000])?;
/// let frame = writer.into_bytes()?;
///
/// let reader = FrameReader::from_bytes(frame, DParams::new())?;
/// assert_eq!(reader.layout().nchunks, 3);
/// let mut decoder = ChunkDecoder::new(DParams::new());
/// let mut chunk = vec![0; 4000];
/// assert_eq!(reader.decode_chunk_into(&mut decoder, 2, &mut chunk)?, 2000);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "blosc2_schunk_open")]
pub struct FrameReader<S> {
    pub(crate) store: S,
    pub(crate) contents: Contents,
    pub(crate) dparams: DParams,
    /// The decoded start of each chunk and the end of the last one; filled on first use in a frame
    /// of variable-size chunks.
    pub(crate) starts: Lazy<Vec<u64>>,
    /// How changes by others are noticed.
    pub(crate) watch: Watch,
    /// Bytes of chunks that were read.
    pub(crate) cache: Cache,
    /// The decoders of [`slice`](Self::slice), one for each thread that has used it at once.
    decoders: Pool<ChunkDecoder>,
}

impl<S: fmt::Debug> fmt::Debug for FrameReader<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FrameReader")
            .field("store", &self.store)
            .field("header", &self.contents.header)
            .field("metalayers", &self.contents.metalayers)
            .field("vlmetalayers", &self.contents.vlmetalayers)
            .field("nchunks", &self.contents.index.len())
            .finish_non_exhaustive()
    }
}

impl<B: AsRef<[u8]> + Send + Sync> FrameReader<Contiguous<Memory<B>>> {
    /// Opens a contiguous frame in memory: a byte slice, a vector, a memory map. The bytes must be
    /// exactly the frame ([format §9.8](crate::format#9.8)). They are not copied: chunks are
    /// decoded where they lie.
    ///
    /// ```
    /// use oxiblosc::{CParams, DParams, FrameReader, SChunk};
    /// let mut schunk = SChunk::new(CParams::new(2), 1000)?;
    /// schunk.append(&[7; 5000])?;
    /// let frame = schunk.to_cframe()?;
    ///
    /// let reader = FrameReader::from_bytes(&frame, DParams::new())?;
    /// assert_eq!(reader.as_bytes().as_ptr(), frame.as_ptr());
    /// assert_eq!(reader.slice(1000..1003)?, [7; 6]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// When the header, the index or the trailer is damaged or too large, or the frame does not
    /// have the length of `bytes`. Offsets count from the start of the frame.
    #[doc(alias = "blosc2_schunk_from_buffer")]
    pub fn from_bytes(bytes: B, dparams: DParams) -> Result<Self> {
        let len = bytes.as_ref().len();
        let reader = Self::open_in(Contiguous::new(Memory(bytes)), dparams)?;
        let frame_len = reader.contents.header.frame_len;
        if frame_len != len as u64 {
            let part = Part::FrameHeader;
            return Err(Error::unequal(part, 0x10, "frame length", frame_len, len));
        }
        Ok(reader)
    }

    /// The bytes of the frame.
    pub fn as_bytes(&self) -> &[u8] {
        self.store.storage.0.as_ref()
    }
}

impl FrameReader<Contiguous<DiskFile>> {
    /// Opens a file that begins with a contiguous frame. Bytes after the frame are ignored
    /// ([format §9.8](crate::format#9.8)).
    ///
    /// # Errors
    /// As [`from_bytes`](FrameReader::from_bytes), and when the file cannot be read.
    #[doc(alias = "blosc2_schunk_open")]
    pub fn open(path: impl AsRef<Path>, dparams: DParams) -> Result<Self> {
        Self::open_with(path, dparams, Locking::None)
    }

    /// [`open`](FrameReader::open) with locks: with [`Locking::Shared`], every read takes the
    /// shared lock of the sidecar.
    ///
    /// # Errors
    /// As [`open`](FrameReader::open); [`Error::Refused`] for [`Locking::Exclusive`].
    pub fn open_with(
        path: impl AsRef<Path>,
        dparams: DParams,
        access: impl Into<Access>,
    ) -> Result<Self> {
        let path = path.as_ref();
        let store = Contiguous::new(open_file(path)?);
        Self::open_in_with(store, dparams, access).map_err(|error| error.in_file(path))
    }
}

impl FrameReader<Contiguous<Window<DiskFile>>> {
    /// Opens a contiguous frame that begins at byte `offset` of a file. Offsets in errors count
    /// from there ([format §9.8](crate::format#9.8)).
    ///
    /// # Errors
    /// As [`open`](FrameReader::open).
    #[doc(alias = "blosc2_schunk_open_offset")]
    pub fn open_at(path: impl AsRef<Path>, offset: u64, dparams: DParams) -> Result<Self> {
        let path = path.as_ref();
        let window = Window::from_offset(open_file(path)?, offset)
            .map_err(|source| io_error(Part::FrameHeader, offset, source).in_file(path))?;
        Self::open_in(Contiguous::new(window), dparams).map_err(|error| error.in_file(path))
    }
}

impl FrameReader<Sparse<DiskDir>> {
    /// Opens the sparse frame in a directory ([format §10](crate::format#10)).
    ///
    /// # Errors
    /// As [`FrameReader::open_in`], and when the directory cannot be read.
    pub fn open_sparse(path: impl AsRef<Path>, dparams: DParams) -> Result<Self> {
        Self::open_sparse_with(path, dparams, Locking::None)
    }

    /// [`open_sparse`](FrameReader::open_sparse) with locks; see
    /// [`open_with`](FrameReader::open_with).
    ///
    /// # Errors
    /// As [`open_sparse`](FrameReader::open_sparse); [`Error::Refused`] for
    /// [`Locking::Exclusive`].
    pub fn open_sparse_with(
        path: impl AsRef<Path>,
        dparams: DParams,
        access: impl Into<Access>,
    ) -> Result<Self> {
        let path = path.as_ref();
        let opened = DiskDir::open(path)
            .map_err(|source| Error::io(Part::FrameHeader, None, source))
            .and_then(Sparse::open)
            .and_then(|store| Self::open_in_with(store, dparams, access));
        opened.map_err(|error| error.in_file(path))
    }
}

fn open_file(path: &Path) -> Result<DiskFile> {
    DiskFile::open(path).map_err(|source| Error::io(Part::FrameHeader, None, source).in_file(path))
}

impl<S: FrameStore> FrameReader<S> {
    /// Opens the frame in a store ([format §9.8](crate::format#9.8)).
    ///
    /// # Errors
    /// When the header, the index or the trailer is damaged or too large, the frame type is not
    /// the store's, or the store cannot be read.
    #[doc(alias = "blosc2_schunk_open_udio")]
    pub fn open_in(store: S, dparams: DParams) -> Result<Self> {
        let stamp = store.stamp()?;
        let (contents, front) = open::open(&store, &dparams)?;
        let mut reader = Self::with_contents(store, contents, dparams);
        reader.watch = stamped(stamp, front);
        Ok(reader)
    }

    /// A frame whose contents are known.
    pub(crate) fn with_contents(store: S, contents: Contents, dparams: DParams) -> Self {
        let cache = Cache::new(dparams.cache_bytes);
        Self {
            store,
            contents,
            dparams,
            starts: Lazy::new(),
            watch: Watch::Off,
            cache,
            decoders: Pool::new(),
        }
    }

    /// The header.
    pub fn header(&self) -> &FrameHeader {
        &self.contents.header
    }

    /// The variable-length metalayers.
    pub fn vlmetalayers(&self) -> &VlMetalayers {
        &self.contents.vlmetalayers
    }

    /// The fingerprint in the trailer; C never writes one.
    pub fn fingerprint(&self) -> Fingerprint {
        self.contents.fingerprint
    }

    /// Parameters for a new frame like this one: its compression, its chunk size (1 MiB when
    /// chunks vary) and its metalayers of both kinds, without a seal. With
    /// [`copy_chunks`](crate::schunk::copy_chunks) a frame moves to another storage, with
    /// [`append_source`](crate::frame::FrameWriter::append_source) to another chunk size.
    ///
    /// ```
    /// use oxiblosc::{CParams, DParams, FrameParams, FrameReader, FrameWriter};
    /// # fn main() -> oxiblosc::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let path = dir.path().join("frame");
    /// let params = FrameParams::new(CParams::new(4), 400).metalayer("m", b"kept")?;
    /// let mut writer = FrameWriter::in_memory(params)?;
    /// writer.append(&[7; 4000])?;
    /// let small = FrameReader::from_bytes(writer.into_bytes()?, DParams::new())?;
    ///
    /// let mut params = small.params()?;
    /// params.chunksize = 2000;
    /// let mut large = FrameWriter::create_sparse(&path, params)?;
    /// large.append_source(&small)?;
    /// large.finish()?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When the header names a codec or a filter that cannot be written.
    pub fn params(&self) -> Result<FrameParams> {
        let header = &self.contents.header;
        let chunksize = header.chunksize;
        let chunksize = chunksize.filter(|&size| size > 0);
        let mut params =
            FrameParams::new(header.cparams()?, chunksize.unwrap_or(DEFAULT_CHUNKSIZE));
        params.metalayers = self.contents.metalayers.clone();
        params.vlmetalayers = self.contents.vlmetalayers.clone();
        if self.contents.fingerprint.kind == SEAL_KIND {
            params.vlmetalayers.remove(SEAL);
        }
        Ok(params.dparams(self.dparams.clone()))
    }

    /// The store.
    pub fn store(&self) -> &S {
        &self.store
    }

    /// The store, for other uses.
    pub fn into_store(self) -> S {
        self.store
    }

    /// The index entry of a chunk.
    pub(crate) fn entry(&self, nchunk: u64) -> Result<Entry> {
        let raw = self.contents.entry(nchunk);
        let raw = raw.map_err(|error| self.stale_or(error))?;
        // Opening has checked all entries, so this cannot fail.
        let entry = Entry::from_raw(raw).ok_or_else(|| {
            Error::out_of_range(
                Part::Index,
                nchunk.saturating_mul(8),
                "index entry",
                raw,
                0,
                -1,
            )
        })?;
        if matches!((&entry, &self.watch), (Entry::Special(_), Watch::Shared(_))) {
            // Nothing is read that would notice a change by others.
            self.reading(&mut || Ok(()))?;
        }
        Ok(entry)
    }

    /// Finds a stored chunk.
    pub(crate) fn locate(&self, nchunk: u64, place: u64) -> Result<Located<'_>> {
        let (file, header) = (S::FRAME_TYPE.file_of(place), &self.contents.header);
        let found = match self.cache.end_of(file) {
            Some(end) => self.store.locate_cached(header, place, end),
            None => self.store.locate(header, place),
        };
        let located = match found {
            // The file of a chunk may be missing because others changed the frame.
            Err(error) => Err(self.stale_or(error)),
            Ok(mut located) => {
                if !matches!(self.watch, Watch::Off) {
                    located.watch = Some(self);
                }
                if self.cache.is_on() {
                    located.cache = Some((&self.cache, file));
                }
                Ok(located)
            }
        };
        located.map_err(|error| self.failed(nchunk, error))
    }

    /// The size of a special chunk, which only frames with one chunk size imply.
    pub(crate) fn special_nbytes(&self, nchunk: u64) -> Result<usize> {
        self.contents.sizes().chunk_nbytes(nchunk).ok_or_else(|| {
            let part = Part::Index;
            let at = nchunk.saturating_mul(8);
            let rule = "a special chunk has no size in a frame of variable-size chunks";
            Error::broken(part, at, rule).in_chunk(nchunk)
        })
    }

    /// Checks the decoded size that a chunk claims against what the frame says.
    pub(crate) fn check_nbytes(&self, nchunk: u64, header: &ChunkHeader, base: u64) -> Result<()> {
        let Some(expected) = self.contents.sizes().chunk_nbytes(nchunk) else {
            return Ok(());
        };
        if saturating_usize(header.nbytes) != expected {
            let part = Part::ChunkHeader;
            let at = base.saturating_add(4);
            return Err(Error::unequal(part, at, "nbytes", header.nbytes, expected));
        }
        Ok(())
    }

    /// An error of a chunk, with its number and the path of the frame.
    pub(crate) fn failed(&self, nchunk: u64, error: Error) -> Error {
        let error = error.in_chunk(nchunk);
        match self.store.shareable() {
            Some(file) => error.in_file(file.path()),
            None => error,
        }
    }

    /// Calls `work` with the bytes of a stored chunk, borrowed or read into `buf`. Errors of `work`
    /// count from the start of the chunk.
    pub(crate) fn with_chunk<R>(
        &self,
        nchunk: u64,
        place: u64,
        buf: &mut Vec<u8>,
        work: impl FnOnce(&[u8]) -> Result<R>,
    ) -> Result<R> {
        let located = self.locate(nchunk, place)?;
        let chunk = match located.borrow() {
            Some(chunk) => chunk,
            None => located
                .read(self.guess(nchunk, place), buf)
                .map(|cbytes| buf.get(..cbytes).unwrap_or_default()),
        };
        let done = chunk.and_then(|chunk| self.checked(nchunk, located.base(), chunk, work));
        done.map_err(|error| located.in_chunk(nchunk, error))
    }

    /// Calls `work` with the bytes of a chunk that begins at `base`, when it has the size that the
    /// frame says.
    fn checked<R>(
        &self,
        nchunk: u64,
        base: u64,
        chunk: &[u8],
        work: impl FnOnce(&[u8]) -> Result<R>,
    ) -> Result<R> {
        let header = ChunkHeader::parse(chunk).map_err(|error| error.rebase(base))?;
        self.check_nbytes(nchunk, &header, base)?;
        work(chunk).map_err(|error| error.rebase(base))
    }

    /// Calls `work` with the bytes of a located chunk, when they lie in memory.
    pub(crate) fn borrowed<R>(
        &self,
        nchunk: u64,
        located: &Located<'_>,
        work: impl FnOnce(&[u8]) -> Result<R>,
    ) -> Option<Result<R>> {
        let chunk = located.borrow()?;
        let done = chunk.and_then(|chunk| self.checked(nchunk, located.base(), chunk, work));
        Some(done.map_err(|error| located.in_chunk(nchunk, error)))
    }

    /// Reads only the header of a stored chunk.
    pub(crate) fn stored_header(&self, nchunk: u64, place: u64) -> Result<ChunkHeader> {
        let located = self.locate(nchunk, place)?;
        let mut front = [0; HEADER_LEN];
        let room = saturating_usize(located.room()).min(HEADER_LEN);
        let front = front.get_mut(..room).unwrap_or_default();
        let header = located
            .read_at(0, front)
            .and_then(|()| located.header(front));
        header.map_err(|error| located.in_chunk(nchunk, error))
    }

    /// The decoded start of each chunk, from the headers of all of them.
    pub(crate) fn starts(&self) -> Result<&[u64]> {
        let starts = self.starts.get_or_fill(|| {
            let mut starts = vec![0_u64];
            let mut end = 0_u64;
            for nchunk in 0..self.layout().nchunks {
                end = end.saturating_add(to_u64(self.chunk_nbytes(nchunk)?));
                starts.push(end);
            }
            Ok(starts)
        })?;
        Ok(starts)
    }

    /// Opens a chunk to read single blocks of it: only its header and its table of blocks are read
    /// now ([format §8.2](crate::format#8.2)).
    ///
    /// # Errors
    /// When there is no such chunk, or its header or table is damaged.
    #[doc(alias = "blosc2_schunk_get_lazychunk")]
    pub fn lazy_chunk(&self, nchunk: u64) -> Result<LazyChunk<'_>> {
        let header = &self.contents.header;
        let sizes = (header.typesize, header.blocksize);
        match self.entry(nchunk)? {
            Entry::Special(special) => {
                let nbytes = self.special_nbytes(nchunk)?;
                Ok(LazyChunk::special(nchunk, special, sizes, nbytes))
            }
            Entry::Stored(place) => self.lazy_stored(nchunk, self.locate(nchunk, place)?),
        }
    }

    /// Opens a located chunk to read single blocks of it.
    pub(crate) fn lazy_stored<'a>(
        &self,
        nchunk: u64,
        located: Located<'a>,
    ) -> Result<LazyChunk<'a>> {
        let nbytes = self.contents.sizes().chunk_nbytes(nchunk);
        let len = table_len(nbytes, self.contents.header.blocksize).unwrap_or(HEADER_LEN);
        let mut front = vec![0; len.min(saturating_usize(located.room()))];
        let read = located.read_at(0, &mut front);
        read.map_err(|error| located.in_chunk(nchunk, error))?;
        self.lazy_with_front(nchunk, located, &front)
    }

    /// [`lazy_stored`](Self::lazy_stored) of a chunk whose first bytes were read.
    pub(crate) fn lazy_with_front<'a>(
        &self,
        nchunk: u64,
        located: Located<'a>,
        front: &[u8],
    ) -> Result<LazyChunk<'a>> {
        let header = &self.contents.header;
        let sizes = (header.typesize, header.blocksize);
        let base = located.base();
        let chunk = LazyChunk::stored(nchunk, sizes, located, front)?;
        if let Some(header) = chunk.header() {
            let checked = self.check_nbytes(nchunk, header, base);
            checked.map_err(|error| self.failed(nchunk, error))?;
        }
        Ok(chunk)
    }

    /// Decodes one variable-length block of a chunk; of the chunk, only the table of blocks and
    /// that block are read.
    ///
    /// # Errors
    /// When there is no such chunk or block, its blocks are of one size ([`Error::Refused`]), or
    /// it cannot be read or decoded.
    #[doc(alias = "blosc2_vldecompress_block_ctx")]
    pub fn decode_vlblock(
        &self,
        decoder: &mut ChunkDecoder,
        nchunk: u64,
        block: usize,
    ) -> Result<Vec<u8>> {
        self.lazy_chunk(nchunk)?.decode_vlblock(decoder, block)
    }

    /// A new decoder with the parameters of this reader, for the methods of [`ChunkSource`] that
    /// take one.
    ///
    /// ```
    /// use oxiblosc::{CParams, ChunkSource, DParams, FrameReader, SChunk};
    /// let mut schunk = SChunk::new(CParams::new(1), 1000)?;
    /// schunk.append(&[7; 5000])?;
    /// let reader = FrameReader::from_bytes(schunk.to_cframe()?, DParams::new())?;
    /// let (mut decoder, mut chunk) = (reader.decoder(), [0; 1000]);
    /// for nchunk in 0..reader.layout().nchunks {
    ///     reader.decode_chunk_into(&mut decoder, nchunk, &mut chunk)?;
    ///     assert_eq!(chunk, [7; 1000]);
    /// }
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    pub fn decoder(&self) -> ChunkDecoder {
        ChunkDecoder::new(self.dparams.clone())
    }

    /// Decodes items of the whole super-chunk, whichever chunks they lie in. Items have
    /// [`ChunkLayout::typesize`](crate::schunk::ChunkLayout::typesize) bytes. Decoders are kept in
    /// the reader; threads that call at the same time use one each.
    ///
    /// ```
    /// use oxiblosc::{CParams, DParams, FrameReader, SChunk};
    /// let mut schunk = SChunk::new(CParams::new(2), 1000)?;
    /// schunk.append(&(0..2500_u16).flat_map(u16::to_le_bytes).collect::<Vec<_>>())?;
    /// let reader = FrameReader::from_bytes(schunk.to_cframe()?, DParams::new())?;
    /// assert_eq!(reader.slice(499..501)?, [0xF3, 1, 0xF4, 1]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// When the range is longer than the data, a chunk cannot be read or decoded, or the items
    /// exceed [`Limits::max_alloc`](crate::Limits::max_alloc).
    #[doc(alias = "blosc2_schunk_get_slice_buffer")]
    pub fn slice(&self, items: Range<u64>) -> Result<Vec<u8>> {
        let bytes = self.layout().item_bytes(items)?;
        let nbytes = bytes.end.saturating_sub(bytes.start);
        self.dparams.limits.check_alloc(nbytes, None)?;
        let mut data = vec![0; saturating_usize(nbytes)];
        self.decoders.with(
            || self.decoder(),
            |decoder| self.read_bytes_into(decoder, bytes, &mut data),
        )?;
        Ok(data)
    }

    /// The decoded bytes as a stream.
    pub fn item_reader(&self) -> ItemReader<'_, Self> {
        ItemReader::new(self)
    }
}
