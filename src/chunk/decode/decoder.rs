//! The decoder and its forms for whole chunks.

use std::fmt;
use std::mem::MaybeUninit;
use std::ops::Range;

use oxiblosc_kernels::unwritten::{self, Unwritten};

use super::super::copy::copy_append;
use super::super::layout::Payload;
use super::super::parsed::Parsed;
use super::super::ranges::refuse_vlblocks;
use super::super::vlblocks;
use super::executor::{Executor, RequestSize};
use super::target::Target;
use super::task::{FreshTasks, Piece, RangeTasks, VlTasks};
use crate::error::{Error, Result};
use crate::num::to_u64;
use crate::params::DParams;

/// Decompresses chunks. Keep it: its buffers and codec states are reused by every call.
///
/// ```
/// use oxiblosc::{compress, ChunkDecoder, CParams, DParams};
/// let chunk = compress(&[7; 1000], &CParams::new(4))?;
/// let mut decoder = ChunkDecoder::new(DParams::new());
/// let mut dst = [0; 1000];
/// assert_eq!(decoder.decode_into(&chunk, &mut dst)?, 1000);
/// assert_eq!(dst, [7; 1000]);
/// # Ok::<(), oxiblosc::Error>(())
/// ```
#[doc(alias = "blosc2_create_dctx")]
pub struct ChunkDecoder {
    pub(super) executor: Executor,
    /// The memory of a list of pieces, empty between calls.
    pub(super) pieces: Vec<Piece<'static>>,
}

/// A clone has the parameters and buffers of its own.
impl Clone for ChunkDecoder {
    fn clone(&self) -> Self {
        let mut decoder = Self::new(self.dparams().clone());
        decoder.executor.nchunk = self.executor.nchunk;
        decoder
    }
}

impl fmt::Debug for ChunkDecoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ChunkDecoder").field(self.dparams()).finish()
    }
}

impl Default for ChunkDecoder {
    fn default() -> Self {
        Self::new(DParams::default())
    }
}

impl ChunkDecoder {
    /// A decoder with these parameters. Nothing is allocated before the first call.
    pub fn new(dparams: DParams) -> Self {
        Self {
            executor: Executor::new(dparams),
            pieces: Vec::new(),
        }
    }

    /// Calls `work` with the buffer for bytes read from a storage.
    #[cfg(feature = "frame")]
    pub(crate) fn with_stored<R>(
        &mut self,
        work: impl FnOnce(&mut Self, &mut Vec<u8>) -> Result<R>,
    ) -> Result<R> {
        let mut stored = std::mem::take(&mut self.executor.worker.get().stored);
        let done = work(self, &mut stored);
        self.executor.worker.get().stored = stored;
        done
    }

    /// The parameters.
    #[doc(alias = "blosc2_ctx_get_dparams")]
    pub fn dparams(&self) -> &DParams {
        &self.executor.dparams
    }

    /// Calls `work` with this decoder, for decoding chunk number `nchunk` of a super-chunk: the
    /// postfilter receives it as [`BlockContext::chunk`](crate::filter::BlockContext::chunk).
    /// Everything that reads super-chunks, frames and arrays calls this; only containers of the
    /// caller need it.
    ///
    /// ```
    /// use oxiblosc::{compress, ChunkDecoder, CParams, DParams};
    /// let chunk = compress(&[1; 100], &CParams::new(1))?;
    /// let dparams = DParams::new().postfilter(|cx, _, dst| {
    ///     dst.fill(if cx.chunk == Some(3) { 3 } else { 0 });
    ///     Ok(())
    /// });
    /// let mut decoder = ChunkDecoder::new(dparams);
    /// assert_eq!(decoder.in_chunk(3, |decoder| decoder.decode(&chunk))?, [3; 100]);
    /// assert_eq!(decoder.decode(&chunk)?, [0; 100]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    #[inline]
    pub fn in_chunk<R>(&mut self, nchunk: u64, work: impl FnOnce(&mut Self) -> R) -> R {
        let outer = self.executor.nchunk.replace(nchunk);
        let done = work(self);
        self.executor.nchunk = outer;
        done
    }

    /// Sets the number of the thread that uses this decoder from now on, for the postfilter.
    #[cfg(any(feature = "frame", feature = "b2nd"))]
    pub(crate) fn set_thread(&mut self, thread: usize) {
        if self.dparams().postfilter.is_some() {
            self.executor.worker.get().thread = thread;
        }
    }

    /// Decompresses a chunk ([format §2](crate::format#2)).
    ///
    /// # Errors
    /// When the chunk is damaged, needs a feature that this build lacks, or claims more than
    /// [`max_alloc`](crate::Limits::max_alloc) bytes.
    #[doc(alias = "blosc2_decompress_ctx")]
    pub fn decode(&mut self, chunk: &[u8]) -> Result<Vec<u8>> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        self.check_alloc_whole(&view)?;
        if let (Some(data), None) = (view.memcpyed(), &self.dparams().postfilter) {
            return Ok(data.to_vec());
        }
        let mut data = Vec::new();
        if is_fresh(&view) {
            unwritten::append(&mut data, view.nbytes(), |dst| {
                self.decode_fresh(&view, dst)
            })?;
            return Ok(data);
        }
        allocate(view.nbytes(), |dst| self.decode_whole(&view, dst))
    }

    /// Decompresses a chunk into the front of memory that need not be initialised, and returns the
    /// bytes ([format §2](crate::format#2)).
    ///
    /// ```
    /// use oxiblosc::{compress, ChunkDecoder, CParams};
    /// let chunk = compress(&[7; 1000], &CParams::new(4))?;
    /// let mut memory = Vec::with_capacity(1000);
    /// let data = ChunkDecoder::default().decode_uninit(&chunk, memory.spare_capacity_mut())?;
    /// assert_eq!(data, [7; 1000]);
    /// # let _: &Vec<u8> = &memory;
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`decode_into`](Self::decode_into).
    pub fn decode_uninit<'d>(
        &mut self,
        chunk: &[u8],
        dst: &'d mut [MaybeUninit<u8>],
    ) -> Result<&'d mut [u8]> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        let dst = front(dst, view.nbytes())?;
        unwritten::write_all(dst, |dst| match (is_fresh(&view), view.memcpyed()) {
            (true, _) => self.decode_fresh(&view, dst),
            (false, Some(data)) if self.dparams().postfilter.is_none() => {
                dst.copy_from(data);
                Ok(())
            }
            _ => self.decode_whole(&view, dst.zeroed()),
        })
    }

    /// Decompresses a chunk into the front of `dst` and returns its size in bytes
    /// ([format §2](crate::format#2)).
    ///
    /// # Errors
    /// When the chunk is damaged or needs a feature that this build lacks; `dst` is then
    /// unspecified. [`Error::OutputTooSmall`] when `dst` is shorter than the data.
    #[doc(alias = "blosc2_vldecompress_ctx")]
    #[doc(alias = "blosc2_decompress_ctx")]
    pub fn decode_into(&mut self, chunk: &[u8], dst: &mut [u8]) -> Result<usize> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        let nbytes = view.nbytes();
        self.decode_whole(&view, front(dst, nbytes)?)?;
        Ok(nbytes)
    }

    /// Decompresses a chunk, appends it to `dst` and returns its size in bytes
    /// ([format §2](crate::format#2)).
    ///
    /// # Errors
    /// As [`decode`](Self::decode); `dst` is then unchanged.
    pub fn decode_append(&mut self, chunk: &[u8], dst: &mut Vec<u8>) -> Result<usize> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        self.check_alloc_whole(&view)?;
        if let (Some(data), None) = (view.memcpyed(), &self.dparams().postfilter) {
            copy_append(data, dst);
            return Ok(data.len());
        }
        let nbytes = view.nbytes();
        unwritten::append(dst, nbytes, |dst| match is_fresh(&view) {
            true => self.decode_fresh(&view, dst),
            false => self.decode_whole(&view, dst.zeroed()),
        })?;
        Ok(nbytes)
    }

    /// Decodes all blocks of a chunk for which [`is_fresh`] holds.
    fn decode_fresh(&mut self, view: &Parsed<'_>, dst: Unwritten<'_>) -> Result<()> {
        if self.executor.is_one_block(view) {
            return self.executor.run_one_block(view, Target::Unwritten(dst));
        }
        self.run_fresh(view, 0, dst)
    }

    /// Whether this decoder may allocate the decoded size of a chunk.
    pub(super) fn check_alloc_whole(&self, view: &Parsed<'_>) -> Result<()> {
        let nbytes = to_u64(view.nbytes());
        let limits = &self.dparams().limits;
        limits.check_chunk(nbytes, Some(4))?;
        limits.check_alloc(nbytes, Some(4))
    }

    /// Decodes a whole chunk into all of `dst`.
    #[inline]
    fn decode_whole(&mut self, view: &Parsed<'_>, dst: &mut [u8]) -> Result<()> {
        if self.dparams().postfilter.is_none() && view.fill_plain(0, dst) {
            return Ok(());
        }
        if self.executor.is_one_block(view) {
            return self.executor.run_one_block(view, Target::Written(dst));
        }
        if view.layout().payload == Payload::VlBlocks {
            return self.decode_vlblocks(view, dst);
        }
        self.run_range(view, 0, dst, false)
    }

    /// [`run_range`](Self::run_range) into memory that is not zeroed before, of a chunk for which
    /// [`is_fresh`] holds.
    #[inline(never)]
    fn run_fresh(&mut self, view: &Parsed<'_>, start: usize, dst: Unwritten<'_>) -> Result<()> {
        let blocksize = view.layout().blocksize;
        let size = RequestSize {
            nbytes: dst.len(),
            later: start + dst.len() > blocksize,
            partial: dst.len() != view.nbytes(),
        };
        let tasks = FreshTasks::new(blocksize, start, dst);
        self.executor.run(view, size, tasks)
    }

    /// [`decode_range`](Self::decode_range) into memory that is not zeroed before.
    pub(super) fn decode_range_fresh(
        &mut self,
        view: &Parsed<'_>,
        bytes: Range<usize>,
        dst: Unwritten<'_>,
    ) -> Result<()> {
        if is_fresh(view) && !bytes.is_empty() {
            return self.run_fresh(view, bytes.start, dst);
        }
        match (view.memcpyed(), &self.dparams().postfilter) {
            (Some(data), None) => {
                dst.copy_from(&data[bytes]);
                Ok(())
            }
            _ => self.decode_range(view, bytes, dst.zeroed()),
        }
    }

    /// Decodes a range of bytes, which lies inside the chunk, into all of `dst`.
    pub(super) fn decode_range(
        &mut self,
        view: &Parsed<'_>,
        bytes: Range<usize>,
        dst: &mut [u8],
    ) -> Result<()> {
        refuse_vlblocks(view.layout())?;
        if bytes.is_empty()
            || (self.dparams().postfilter.is_none() && view.fill_plain(bytes.start, dst))
        {
            return Ok(());
        }
        let partial = dst.len() != view.nbytes();
        self.run_range(view, bytes.start, dst, partial)
    }

    /// Runs the request for the bytes from `start` on, of a chunk with blocks of one size;
    /// `partial`: part of a block may be wanted.
    #[inline(never)]
    pub(super) fn run_range(
        &mut self,
        view: &Parsed<'_>,
        start: usize,
        dst: &mut [u8],
        partial: bool,
    ) -> Result<()> {
        let layout = view.layout();
        let (nbytes, blocksize) = (dst.len(), layout.blocksize);
        let size = RequestSize {
            nbytes,
            later: start + nbytes > blocksize,
            partial,
        };
        let tasks = RangeTasks::new(blocksize, start, dst);
        self.executor.run(view, size, tasks)
    }

    /// Decodes a whole chunk of variable-length blocks.
    #[inline(never)]
    fn decode_vlblocks(&mut self, view: &Parsed<'_>, dst: &mut [u8]) -> Result<()> {
        let layout = view.layout();
        let size = RequestSize {
            nbytes: layout.nbytes,
            later: false,
            partial: false,
        };
        let tasks = VlTasks::new(vlblocks::lens(view), layout.nblocks, dst);
        self.executor.run(view, size, tasks)
    }
}

/// Whether a chunk has blocks of one size, which are written one by one to memory that was not
/// zeroed before. Special values and variable-length blocks are not.
fn is_fresh(view: &Parsed<'_>) -> bool {
    view.layout().payload == Payload::Blocks && view.nbytes() > 0
}

/// A vector of `len` bytes that `write` writes all.
#[inline]
pub(super) fn allocate_fresh(
    len: usize,
    write: impl FnOnce(Unwritten<'_>) -> Result<()>,
) -> Result<Vec<u8>> {
    let mut dst = Vec::new();
    unwritten::append(&mut dst, len, write)?;
    Ok(dst)
}

/// Appends `len` bytes that `write` writes all, and returns `len`; on failure, `dst` is unchanged.
#[inline]
pub(super) fn append_fresh(
    len: usize,
    dst: &mut Vec<u8>,
    write: impl FnOnce(Unwritten<'_>) -> Result<()>,
) -> Result<usize> {
    unwritten::append(dst, len, write)?;
    Ok(len)
}

/// A vector of `len` bytes that `fill` writes, for parts of chunks and special values.
#[inline]
pub(super) fn allocate(len: usize, fill: impl FnOnce(&mut [u8]) -> Result<()>) -> Result<Vec<u8>> {
    let mut dst = vec![0; len];
    fill(&mut dst)?;
    Ok(dst)
}

/// Appends `len` bytes that `fill` writes, and returns `len`; on failure, `dst` is unchanged.
#[inline]
pub(super) fn append(
    len: usize,
    dst: &mut Vec<u8>,
    fill: impl FnOnce(&mut [u8]) -> Result<()>,
) -> Result<usize> {
    let old = dst.len();
    dst.resize(old + len, 0);
    match fill(&mut dst[old..]) {
        Ok(()) => Ok(len),
        Err(error) => {
            dst.truncate(old);
            Err(error)
        }
    }
}

/// The first `len` bytes of `dst`.
#[inline]
pub(super) fn front<T>(dst: &mut [T], len: usize) -> Result<&mut [T]> {
    let available = dst.len();
    match dst.get_mut(..len) {
        Some(front) => Ok(front),
        None => Err(Error::OutputTooSmall {
            needed: len,
            available,
        }),
    }
}
