//! From chunks to bytes: whole ones, and chosen blocks of them.

use oxiblosc_kernels::Kernels;

use super::block::BlockDecoder;
use super::layout::Body;
use super::plain::{copy_append, copy_into};
use super::ranges::Piece;
#[cfg(feature = "rayon")]
use super::scratch::Pool;
use super::scratch::{OwnWorker, Worker, room};
#[cfg(feature = "rayon")]
use super::share::{Work, blocks_at_once, share};
use super::view::Parsed;
use super::vlblocks;
use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::params::DParams;
#[cfg(feature = "rayon")]
use crate::threads::Threads;

/// Decompresses chunks. Keep it: its buffers and codec states are used again by every call.
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
#[derive(Debug)]
pub struct ChunkDecoder {
    pub(crate) dparams: DParams,
    pub(crate) kernels: Kernels,
    pub(crate) worker: OwnWorker,
    /// The decoded first block, for chunks with a DELTA.
    pub(crate) reference: Vec<u8>,
    /// The parts of blocks that are wanted.
    pub(crate) pieces: Vec<Piece>,
    #[cfg(feature = "rayon")]
    pub(crate) pool: Pool,
}

impl Default for ChunkDecoder {
    fn default() -> Self {
        Self::new(DParams::default())
    }
}

impl ChunkDecoder {
    /// A decoder with these parameters. Nothing is allocated before the first call.
    pub fn new(dparams: DParams) -> Self {
        let kernels = dparams.kernels();
        Self {
            dparams,
            kernels,
            worker: OwnWorker::default(),
            reference: Vec::new(),
            pieces: Vec::new(),
            #[cfg(feature = "rayon")]
            pool: Pool::default(),
        }
    }

    /// Lends the buffer for what is read from a storage, beside the decoder.
    #[cfg(feature = "frame")]
    pub(crate) fn with_stored<R>(
        &mut self,
        work: impl FnOnce(&mut Self, &mut Vec<u8>) -> Result<R>,
    ) -> Result<R> {
        let mut stored = std::mem::take(&mut self.worker.get().stored);
        let done = work(self, &mut stored);
        self.worker.get().stored = stored;
        done
    }

    /// The parameters.
    #[doc(alias = "blosc2_ctx_get_dparams")]
    pub fn dparams(&self) -> &DParams {
        &self.dparams
    }

    /// Decompresses a chunk (format §2).
    ///
    /// # Errors
    /// When the chunk is damaged, asks for what is not offered here, or claims more than
    /// [`max_alloc`](crate::Limits::max_alloc) bytes.
    #[doc(alias = "blosc2_decompress_ctx")]
    pub fn decode(&mut self, chunk: &[u8]) -> Result<Vec<u8>> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        self.check_to_allocate(&view)?;
        if let (Some(data), None) = (view.memcpyed(), &self.dparams.postfilter) {
            return Ok(data.to_vec());
        }
        let mut dst = vec![0; view.nbytes()];
        self.decode_view(&view, &mut dst)?;
        Ok(dst)
    }

    /// Decompresses a chunk into the front of `dst` and returns its size in bytes (format §2).
    ///
    /// # Errors
    /// When the chunk is damaged or asks for what is not offered here; `dst` is then
    /// unspecified. [`Error::OutputTooSmall`] when `dst` is shorter than the data.
    #[doc(alias = "blosc2_vldecompress_ctx")]
    #[doc(alias = "blosc2_decompress_ctx")]
    pub fn decode_into(&mut self, chunk: &[u8], dst: &mut [u8]) -> Result<usize> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        let nbytes = view.nbytes();
        self.decode_view(&view, front(dst, nbytes)?)?;
        Ok(nbytes)
    }

    /// Decompresses a chunk behind what `dst` holds and returns its size in bytes (format §2).
    ///
    /// # Errors
    /// As [`decode`](Self::decode); `dst` is then as it was.
    pub fn decode_append(&mut self, chunk: &[u8], dst: &mut Vec<u8>) -> Result<usize> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        self.check_to_allocate(&view)?;
        let nbytes = view.nbytes();
        if let (Some(data), None) = (view.memcpyed(), &self.dparams.postfilter) {
            copy_append(data, dst);
            return Ok(nbytes);
        }
        let old = dst.len();
        dst.resize(old + nbytes, 0);
        match self.decode_view(&view, &mut dst[old..]) {
            Ok(()) => Ok(nbytes),
            Err(error) => {
                dst.truncate(old);
                Err(error)
            }
        }
    }

    /// Decompresses the blocks for which `wanted` is true, each to its place in `dst`, and leaves
    /// the rest of `dst` as it is. Returns the size of the chunk in bytes (format §8.4).
    ///
    /// ```
    /// use oxiblosc::{compress, ChunkDecoder, CParams};
    /// let chunk = compress(&[7; 1000], &CParams::new(1).blocksize(Some(400)))?;
    /// let mut dst = [0; 1000];
    /// ChunkDecoder::default().decode_blocks_into(&chunk, &[false, true, false], &mut dst)?;
    /// assert_eq!(dst[399..=400], [0, 7]);
    /// assert_eq!(dst[799..=800], [7, 0]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidParam`] unless there is one entry per block; [`Error::Refused`] for
    /// variable-length blocks; else as [`decode_into`](Self::decode_into).
    #[doc(alias = "blosc2_set_maskout")]
    pub fn decode_blocks_into(
        &mut self,
        chunk: &[u8],
        wanted: &[bool],
        dst: &mut [u8],
    ) -> Result<usize> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        refuse_vlblocks(&view)?;
        let nbytes = view.nbytes();
        let dst = front(dst, nbytes)?;
        let layout = view.layout();
        if wanted.len() != layout.nblocks {
            return Err(Error::InvalidParam {
                name: "length of the list of wanted blocks",
                value: i64::try_from(wanted.len()).unwrap_or(i64::MAX),
                expected: "the number of blocks",
            });
        }
        let later = wanted.iter().skip(1).any(|wanted| *wanted);
        let blocks = dst.chunks_mut(layout.blocksize).enumerate();
        let chosen = blocks.filter(|(block, _)| wanted.get(*block) == Some(&true));
        let nchosen = wanted.iter().filter(|wanted| **wanted).count();
        self.decode_chosen(&view, (nchosen, later), chosen)?;
        Ok(nbytes)
    }

    /// Decompresses one block into the front of `dst` and returns its size in bytes (format §2.2).
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] when there is no such block; [`Error::Refused`] for variable-length
    /// blocks, which [`decode_vlblock`](Self::decode_vlblock) reads; else as
    /// [`decode_into`](Self::decode_into).
    pub fn decode_block_into(&mut self, chunk: &[u8], block: u32, dst: &mut [u8]) -> Result<usize> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        refuse_vlblocks(&view)?;
        if block >= view.nblocks() {
            return Err(Error::OutOfBounds {
                what: "block",
                index: block.into(),
                len: view.nblocks().into(),
            });
        }
        let block = block as usize;
        let len = view.layout().block_len(block);
        let chosen = std::iter::once((block, front(dst, len)?));
        self.decode_chosen(&view, (1, block > 0), chosen)?;
        Ok(len)
    }

    /// Decompresses one variable-length block (format §8.1).
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] when there is no such block; [`Error::Refused`] for other chunks;
    /// else as [`decode`](Self::decode).
    #[doc(alias = "blosc2_schunk_get_vlblock")]
    #[doc(alias = "blosc2_vldecompress_block_ctx")]
    pub fn decode_vlblock(&mut self, chunk: &[u8], block: u32) -> Result<Vec<u8>> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        self.check_to_allocate(&view)?;
        let mut dst = vec![0; vlblocks::len_of(&view, block)?];
        self.decode_vlblock_view(&view, block, &mut dst)?;
        Ok(dst)
    }

    /// Decompresses one variable-length block into the front of `dst` and returns its size in bytes
    /// (format §8.1).
    ///
    /// # Errors
    /// As [`decode_vlblock`](Self::decode_vlblock); [`Error::OutputTooSmall`] when `dst` is
    /// shorter than the block.
    pub fn decode_vlblock_into(
        &mut self,
        chunk: &[u8],
        block: u32,
        dst: &mut [u8],
    ) -> Result<usize> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        let len = vlblocks::len_of(&view, block)?;
        self.decode_vlblock_view(&view, block, front(dst, len)?)?;
        Ok(len)
    }

    /// Whether this decoder may allocate the decoded size of a chunk.
    fn check_to_allocate(&self, view: &Parsed<'_>) -> Result<()> {
        let nbytes = view.nbytes() as u64;
        self.dparams.limits.check_chunk(nbytes, Some(4))?;
        self.dparams.limits.check_alloc(nbytes, Some(4))
    }

    /// Decodes all of a chunk into all of `dst`.
    #[inline]
    pub(crate) fn decode_view(&mut self, view: &Parsed<'_>, dst: &mut [u8]) -> Result<()> {
        if let Some(hook) = self.dparams.postfilter.clone() {
            return self.postfilter_all(&hook, view, dst);
        }
        if decode_plain(view, 0, dst) {
            return Ok(());
        }
        self.decode_all(view, dst)
    }

    /// Decodes all blocks of a chunk into all of `dst`.
    #[inline(never)]
    fn decode_all(&mut self, view: &Parsed<'_>, dst: &mut [u8]) -> Result<()> {
        let layout = view.layout();
        let mut decoder = BlockDecoder::new(view, &self.dparams, self.kernels);
        decoder.find()?;
        #[cfg(feature = "rayon")]
        {
            let threads = &self.dparams.threads;
            let helpers = helpers(view, threads, layout.nbytes, layout.nblocks);
            if helpers > 0 {
                let pool = &self.pool;
                if layout.body == Body::VlBlocks {
                    return vlblocks::decode_parallel(view, &decoder, threads, helpers, pool, dst);
                }
                return decode_parallel(view, &decoder, threads, helpers, pool, dst);
            }
        }
        if layout.body == Body::VlBlocks {
            return vlblocks::decode(view, &decoder, self.worker.get(), dst);
        }
        let (first, rest) = dst.split_at_mut(layout.blocksize.min(layout.nbytes));
        let worker = self.worker.get();
        decode_block(view, &decoder, worker, 0, None, first)?;
        let reference = decoder.has_delta().then_some(&*first);
        for (block, dst) in rest.chunks_mut(layout.blocksize).enumerate() {
            decode_block(view, &decoder, worker, block + 1, reference, dst)?;
        }
        Ok(())
    }

    /// Decodes chosen blocks of a regular, memcpyed or special chunk, each into all of its slice.
    /// There are `nchosen`; `later` says that one behind the first is among them: the first is
    /// then decoded once, for all that need it.
    fn decode_chosen<'d>(
        &mut self,
        view: &Parsed<'_>,
        (nchosen, later): (usize, bool),
        chosen: impl Iterator<Item = (usize, &'d mut [u8])> + Send,
    ) -> Result<()> {
        if let Some(hook) = self.dparams.postfilter.clone() {
            return self.postfilter_blocks(&hook, view, (nchosen, later), chosen);
        }
        let blocksize = view.layout().blocksize;
        let mut chosen = chosen.peekable();
        let Some((block, dst)) = chosen.peek_mut() else {
            return Ok(());
        };
        if decode_plain(view, block.saturating_mul(blocksize), dst) {
            for (block, dst) in chosen.skip(1) {
                decode_plain(view, block.saturating_mul(blocksize), dst);
            }
            return Ok(());
        }
        let mut decoder = BlockDecoder::new(view, &self.dparams, self.kernels);
        decoder.find()?;
        let worker = self.worker.get();
        let reference = if later {
            let limits = &self.dparams.limits;
            decode_reference(view, &decoder, limits, worker, &mut self.reference)?
        } else {
            None
        };
        let decode = |worker: &mut Worker, (block, dst): (usize, &mut [u8])| match reference {
            Some(reference) if block == 0 => {
                dst.copy_from_slice(reference);
                Ok(())
            }
            _ => decode_block(view, &decoder, worker, block, reference, dst),
        };
        #[cfg(feature = "rayon")]
        {
            let threads = &self.dparams.threads;
            let nbytes = nchosen.saturating_mul(blocksize);
            let helpers = helpers(view, threads, nbytes, nchosen);
            if helpers > 0 {
                return share(threads, helpers, &self.pool, chosen, decode);
            }
        }
        for chosen in chosen {
            decode(worker, chosen)?;
        }
        Ok(())
    }

    fn decode_vlblock_view(&mut self, view: &Parsed<'_>, block: u32, dst: &mut [u8]) -> Result<()> {
        if let Some(hook) = self.dparams.postfilter.clone() {
            let block = block as usize;
            let before = vlblocks::lens(view).take(block);
            let offset = before.sum::<Result<usize>>()?;
            return self.postfilter_block(&hook, view, (block, offset), dst);
        }
        let mut decoder = BlockDecoder::new(view, &self.dparams, self.kernels);
        decoder.find()?;
        vlblocks::decode_one(view, &decoder, self.worker.get(), block as usize, dst)
    }
}

/// How many threads to wake for decoding `nbytes` bytes of a chunk in `nitems` pieces.
#[cfg(feature = "rayon")]
pub(crate) fn helpers(view: &Parsed<'_>, threads: &Threads, nbytes: usize, nitems: usize) -> usize {
    if nitems < 2 || matches!(threads, Threads::Serial) {
        return 0;
    }
    let layout = view.layout();
    let coded = layout.cbytes as u64 * nbytes as u64 / (layout.nbytes as u64).max(1);
    let coded = usize::try_from(coded).unwrap_or(usize::MAX);
    Work::decode(layout.header.codec(), nbytes, coded).helpers(threads, nitems)
}

/// Decodes the blocks of a chunk on this thread and on `helpers` that are free.
#[cfg(feature = "rayon")]
fn decode_parallel(
    view: &Parsed<'_>,
    decoder: &BlockDecoder<'_>,
    threads: &Threads,
    helpers: usize,
    pool: &Pool,
    dst: &mut [u8],
) -> Result<()> {
    let layout = view.layout();
    let blocksize = layout.blocksize;
    let (reference, rest) = if decoder.has_delta() {
        let (first, rest) = dst.split_at_mut(blocksize);
        decode_block(view, decoder, &mut pool.take(), 0, None, first)?;
        (Some(&*first), rest)
    } else {
        (None, dst)
    };
    let done = usize::from(reference.is_some());
    let at_once = blocks_at_once(blocksize, layout.nblocks, helpers);
    let groups = rest
        .chunks_mut(blocksize * at_once)
        .zip((done..).step_by(at_once));
    share(threads, helpers, pool, groups, |worker, (group, first)| {
        for (index, dst) in group.chunks_mut(blocksize).enumerate() {
            decode_block(view, decoder, worker, first + index, reference, dst)?;
        }
        Ok(())
    })
}

/// Decodes the first block into a buffer, when the other ones need it.
pub(crate) fn decode_reference<'r>(
    view: &Parsed<'_>,
    decoder: &BlockDecoder<'_>,
    limits: &Limits,
    worker: &mut Worker,
    buffer: &'r mut Vec<u8>,
) -> Result<Option<&'r [u8]>> {
    if !decoder.has_delta() {
        return Ok(None);
    }
    let blocksize = view.layout().blocksize;
    limits.check_alloc(blocksize as u64, Some(8))?;
    let reference = room(buffer, blocksize);
    decode_block(view, decoder, worker, 0, None, reference)?;
    Ok(Some(reference))
}

/// Fills `dst` with the data of a chunk from `offset` on, when no block has to be decoded for it.
#[inline]
pub(crate) fn decode_plain(view: &Parsed<'_>, offset: usize, dst: &mut [u8]) -> bool {
    let layout = view.layout();
    match layout.body {
        // Blocks of any size have at least a byte each: of none, there would be no chunk.
        Body::Blocks => layout.nbytes == 0,
        Body::VlBlocks => false,
        Body::Memcpyed(_) => {
            let data = view.memcpyed().and_then(|data| data.get(offset..));
            copy_into(&data.unwrap_or(&[])[..dst.len()], dst);
            true
        }
        Body::Special(_) => {
            if let Some(special) = view.special() {
                special.fill(layout.header.typesize.into(), offset, dst);
            }
            true
        }
    }
}

/// Decodes one block of a regular chunk into all of `dst`.
pub(crate) fn decode_block(
    view: &Parsed<'_>,
    decoder: &BlockDecoder<'_>,
    worker: &mut Worker,
    block: usize,
    reference: Option<&[u8]>,
    dst: &mut [u8],
) -> Result<()> {
    let at = view.layout().block_at(view.as_bytes(), block)?;
    decoder.decode(worker, view.cursor(at), block, reference, dst)
}

/// The first `len` bytes of `dst`.
pub(crate) fn front(dst: &mut [u8], len: usize) -> Result<&mut [u8]> {
    let available = dst.len();
    match dst.get_mut(..len) {
        Some(front) => Ok(front),
        None => Err(Error::OutputTooSmall {
            needed: len,
            available,
        }),
    }
}

/// Blocks of different sizes cannot be told apart by position.
pub(crate) fn refuse_vlblocks(view: &Parsed<'_>) -> Result<()> {
    if view.layout().body == Body::VlBlocks {
        return Err(Error::Refused {
            what: "read by position",
            why: "the blocks of this chunk have lengths of their own",
        });
    }
    Ok(())
}
