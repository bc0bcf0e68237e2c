//! The executor: runs the tasks of a request, block by block, on one thread or several.
//!
//! ```text
//! source of a block      special      fill  ---+
//!                        copied       copy  ---+--> [postfilter] --> destination
//!                        coded        decode --+
//!                        variable     decode --+
//! ```
//!
//! All requests pass through [`Executor::run`]. A decoder that works on strips (16 KiB of all
//! planes at a time) or on two interleaved streams replaces the inside of [`Blocks::decode`].

use oxiblosc_kernels::Kernels;
use oxiblosc_kernels::unwritten::Unwritten;

use super::super::copy::copy_into;
use super::super::layout::Payload;
use super::super::parsed::Parsed;
use super::super::scratch::{OwnWorker, Worker, grown};
use super::super::vlblocks;
use super::block::BlockDecoder;
use super::part::{Extent, decode_some};
use super::target::Target;
use super::task::{Destination, Task, Tasks};
use crate::error::Result;
use crate::filter::hook::{BlockContext, BlockFn};
use crate::num::{saturating_usize, to_u64};
use crate::params::DParams;
use crate::threads::claim::{Helpers, Tools, blocks_at_once, for_each};
use crate::threads::pool::Pool;
use crate::threads::work::Work;

/// Decodes the blocks of chunks. Its buffers are reused from request to request.
#[derive(Debug)]
pub(super) struct Executor {
    pub(super) dparams: DParams,
    pub(super) kernels: Kernels,
    pub(super) worker: OwnWorker,
    /// The decoded first block, for chunks with a DELTA.
    reference: Vec<u8>,
    pool: Pool<Worker>,
    /// The number of the chunk that is decoded, where it is known.
    pub(super) nchunk: Option<u64>,
}

/// The size of a request.
#[derive(Clone, Copy, Debug)]
pub(super) struct RequestSize {
    /// About how many bytes are decoded.
    pub(super) nbytes: usize,
    /// Whether a block other than block 0 is requested: with DELTA, such blocks need block 0.
    pub(super) later: bool,
    /// Whether part of a block may be wanted, which takes a buffer for the whole block.
    pub(super) partial: bool,
}

impl Executor {
    /// An executor that has allocated nothing yet.
    pub(super) fn new(dparams: DParams) -> Self {
        let kernels = dparams.kernels();
        Self {
            dparams,
            kernels,
            worker: OwnWorker::default(),
            reference: Vec::new(),
            pool: Pool::default(),
            nchunk: None,
        }
    }

    /// Runs all tasks of a request.
    ///
    /// # Errors
    /// The failure of the first task that fails, in the order of the list.
    #[inline(always)]
    pub(super) fn run<'d, D: Destination + Send>(
        &mut self,
        view: &Parsed<'_>,
        size: RequestSize,
        tasks: impl Tasks<'d> + Iterator<Item = Result<Task<D>>> + Send,
    ) -> Result<()> {
        self.with_blocks(view, size, tasks, |blocks, helpers, tools, tasks| {
            for_each(helpers, tools, tasks, |worker, task| {
                blocks.read(worker, task?)
            })
        })
    }

    /// Whether all of a chunk is one coded block that no postfilter follows:
    /// [`run_one_block`](Self::run_one_block) decodes it.
    #[inline(always)]
    pub(super) fn is_one_block(&self, view: &Parsed<'_>) -> bool {
        let layout = view.layout();
        layout.nblocks == 1
            && layout.payload == Payload::Blocks
            && self.dparams.postfilter.is_none()
    }

    /// [`run`](Self::run) of the only task of a whole chunk for which
    /// [`is_one_block`](Self::is_one_block) holds: there is nothing to share and no reference. A
    /// list of one task takes a quarter of the time of 256 bytes.
    #[inline(never)]
    pub(super) fn run_one_block(&mut self, view: &Parsed<'_>, dst: Target<'_>) -> Result<()> {
        let mut decoder = BlockDecoder::new(view, &self.dparams, self.kernels);
        decoder.find()?;
        let at = view.layout().block_at(view.as_bytes(), 0)?;
        let (worker, cursor) = (self.worker.get(), view.cursor(at));
        match dst {
            Target::Written(dst) => decoder.decode(worker, cursor, 0, None, dst),
            Target::Unwritten(dst) => decoder.decode_unwritten(worker, cursor, 0, None, dst),
        }
    }

    /// Prepares the blocks of a chunk (filters, codec, reference of DELTA) and calls `work`.
    #[inline(always)]
    pub(super) fn with_blocks<'d, T: Tasks<'d>>(
        &mut self,
        view: &Parsed<'_>,
        size: RequestSize,
        mut tasks: T,
        work: impl FnOnce(&Blocks<'_>, Helpers<'_>, Tools<'_, Worker>, T) -> Result<()>,
    ) -> Result<()> {
        let layout = view.layout();
        let dparams = &self.dparams;
        let postfilter = dparams.postfilter.as_ref().map(|hook| Postfilter {
            hook,
            nchunk: self.nchunk,
        });
        let mut decoder = BlockDecoder::new(view, dparams, self.kernels);
        if matches!(layout.payload, Payload::Blocks | Payload::VlBlocks) {
            decoder.find()?;
        }
        if (size.partial || postfilter.is_some()) && layout.payload != Payload::VlBlocks {
            // Buffers hold one block, whose size the input claims.
            let blocksize = to_u64(layout.blocksize);
            dparams.limits.check_alloc(blocksize, Some(8))?;
        }
        // Whole, before block 0 may be removed.
        let ntasks = if dparams.threads.is_serial() {
            1
        } else {
            tasks.count_tasks()
        };
        let worker = self.worker.get();
        let mut blocks = Blocks {
            view,
            decoder: &decoder,
            postfilter,
            coded: layout.payload == Payload::Blocks && postfilter.is_none(),
            reference: None,
        };
        if size.later && layout.payload == Payload::Blocks && decoder.has_delta() {
            let len = layout.block_len(0);
            let direct = match postfilter {
                None => tasks.take_block_0(len),
                Some(_) => None,
            };
            let block_0 = match direct {
                Some(dst) => dst,
                None => {
                    dparams.limits.check_alloc(to_u64(len), Some(8))?;
                    grown(&mut self.reference, len)
                }
            };
            blocks.decode_coded(worker, 0, block_0)?;
            blocks.reference = Some(block_0);
        }
        let (count, at_once) = if ntasks < 2 {
            (0, 1)
        } else {
            blocks.helpers(dparams, size.nbytes, ntasks)
        };
        let helpers = Helpers {
            threads: &dparams.threads,
            count,
            at_once,
        };
        let tools = Tools {
            own: worker,
            pool: &self.pool,
        };
        work(&blocks, helpers, tools, tasks)
    }
}

/// The blocks of one chunk, ready to be decoded.
#[derive(Debug)]
pub(super) struct Blocks<'a> {
    view: &'a Parsed<'a>,
    /// Has its filters and codec for coded blocks only.
    decoder: &'a BlockDecoder<'a>,
    postfilter: Option<Postfilter<'a>>,
    /// Whether blocks have one size, are coded, and no postfilter follows: the usual case.
    coded: bool,
    /// Block 0 before its postfilter, when later blocks need it.
    reference: Option<&'a [u8]>,
}

/// The closure after the filters, and the number of the chunk that it receives.
#[derive(Clone, Copy, Debug)]
struct Postfilter<'a> {
    hook: &'a BlockFn,
    nchunk: Option<u64>,
}

impl Blocks<'_> {
    /// How many threads to wake, and how many tasks each claims at once.
    #[cold]
    fn helpers(&self, dparams: &DParams, nbytes: usize, ntasks: usize) -> (usize, usize) {
        let layout = self.view.layout();
        let threads = &dparams.threads;
        let coded = to_u64(layout.cbytes) * to_u64(nbytes) / to_u64(layout.nbytes).max(1);
        let codec = layout.header.codec();
        let mut count =
            Work::decode(codec, nbytes, saturating_usize(coded)).helpers(threads, ntasks);
        if self.postfilter.is_some() {
            count = count.max(Work::copy(nbytes).helpers(threads, ntasks));
        }
        (count, blocks_at_once(nbytes / ntasks, ntasks, count))
    }

    /// Runs one task.
    #[inline(always)]
    pub(super) fn read<D: Destination>(
        &self,
        worker: &mut Worker,
        mut task: Task<D>,
    ) -> Result<()> {
        if !self.coded {
            return self.read_other(worker, task);
        }
        if task.bytes.len() == self.view.layout().block_len(task.block)
            && (task.block > 0 || self.reference.is_none())
        {
            if let Some(to) = task.dst.unwritten() {
                return self.decode_unwritten(worker, task.block, to);
            }
            if let Some(to) = task.dst.slice() {
                return self.decode_coded(worker, task.block, to);
            }
        }
        self.read_part(worker, task)
    }

    /// [`read`](Self::read) of part of a coded block, or to several places.
    #[inline(never)]
    fn read_part<D: Destination>(&self, worker: &mut Worker, task: Task<D>) -> Result<()> {
        let len = self.view.layout().block_len(task.block);
        let Task {
            block,
            bytes,
            mut dst,
            ..
        } = task;
        if block == 0
            && let Some(reference) = self.reference
        {
            return dst.put(&reference[bytes]);
        }
        let whole = bytes.len() == len;
        if let Some(to) = dst.slice() {
            if !whole && self.decode_some(worker, block, bytes.clone(), None, to)? {
                return Ok(());
            }
        } else if !whole {
            // With few items or a small part, less than the whole block may be decoded.
            let rows = dst.rows();
            if rows.is_some() || bytes.len() < len - len / 4 {
                let mut buffer = std::mem::take(&mut worker.block);
                let to = grown(&mut buffer, bytes.len());
                let done = match self.decode_some(worker, block, bytes.clone(), rows, to) {
                    Ok(true) => Some(dst.put(to)),
                    Ok(false) => None,
                    Err(error) => Some(Err(error)),
                };
                worker.block = buffer;
                if let Some(done) = done {
                    return done;
                }
            }
        }
        let mut buffer = std::mem::take(&mut worker.block);
        let to = grown(&mut buffer, len);
        let done = self.decode_coded(worker, block, to);
        let done = done.and_then(|()| dst.put(&to[bytes]));
        worker.block = buffer;
        done
    }

    /// [`read`](Self::read) of a block that is not coded, that has a length of its own, or that a
    /// postfilter follows.
    #[inline(never)]
    fn read_other<D: Destination>(&self, worker: &mut Worker, task: Task<D>) -> Result<()> {
        let Task {
            block,
            offset,
            bytes,
            mut dst,
        } = task;
        let layout = self.view.layout();
        let len = match layout.payload {
            // Their tasks are always for whole blocks.
            Payload::VlBlocks => bytes.len(),
            _ => layout.block_len(block),
        };
        let whole = bytes.len() == len;
        let mut buffer = std::mem::take(&mut worker.block);
        let mut filtered = std::mem::take(&mut worker.posted);
        let done = (|| match self.postfilter {
            None => {
                if let Payload::Memcpyed(_) = layout.payload {
                    let bytes = offset + bytes.start..offset + bytes.end;
                    return dst.put(self.view.copied(&bytes)?);
                }
                if let Some(to) = dst.slice() {
                    return self.decode(worker, block, offset + bytes.start, to);
                }
                let to = grown(&mut buffer, bytes.len());
                self.decode(worker, block, offset + bytes.start, to)?;
                dst.put(to)
            }
            Some(Postfilter { hook, nchunk }) => {
                let src = match self.reference {
                    Some(reference) if block == 0 => reference,
                    _ => {
                        let to = grown(&mut buffer, len);
                        self.decode(worker, block, offset, to)?;
                        to
                    }
                };
                let cx = BlockContext {
                    thread: worker.thread,
                    chunk: nchunk,
                    block,
                    offset,
                    nbytes: layout.nbytes,
                    typesize: layout.header.typesize.into(),
                };
                if whole && let Some(to) = dst.slice() {
                    return hook.call("postfilter", &cx, src, to);
                }
                let to = grown(&mut filtered, len);
                hook.call("postfilter", &cx, src, to)?;
                dst.put(&to[bytes.clone()])
            }
        })();
        worker.block = buffer;
        worker.posted = filtered;
        done
    }

    /// Decodes a whole block of a chunk of coded blocks into all of `dst`.
    #[inline(never)]
    fn decode_coded(&self, worker: &mut Worker, block: usize, dst: &mut [u8]) -> Result<()> {
        let layout = self.view.layout();
        let at = layout.block_at(self.view.as_bytes(), block)?;
        let cursor = self.view.cursor(at);
        self.decoder
            .decode(worker, cursor, block, self.reference, dst)
    }

    /// [`decode_coded`](Self::decode_coded) into memory that is not written yet.
    #[inline(never)]
    fn decode_unwritten(
        &self,
        worker: &mut Worker,
        block: usize,
        dst: Unwritten<'_>,
    ) -> Result<()> {
        let layout = self.view.layout();
        let at = layout.block_at(self.view.as_bytes(), block)?;
        let cursor = self.view.cursor(at);
        self.decoder
            .decode_unwritten(worker, cursor, block, self.reference, dst)
    }

    /// Decodes a whole block into all of `dst`. Of a chunk that is not coded, decodes the bytes
    /// from `offset` on.
    fn decode(
        &self,
        worker: &mut Worker,
        block: usize,
        offset: usize,
        dst: &mut [u8],
    ) -> Result<()> {
        match self.view.layout().payload {
            Payload::Blocks => self.decode_coded(worker, block, dst),
            Payload::VlBlocks => {
                let stream = vlblocks::stream(self.view, block)?;
                self.decoder.decode_stream(worker, stream, block, None, dst)
            }
            Payload::Memcpyed(_) => {
                let bytes = offset..offset + dst.len();
                copy_into(self.view.copied(&bytes)?, dst);
                Ok(())
            }
            Payload::Special(_) => {
                self.view.fill_plain(offset, dst);
                Ok(())
            }
        }
    }

    /// Decodes some bytes of a coded block into all of `dst` without the rest of it. False when the
    /// pipeline does not allow it; nothing is written then.
    #[inline]
    fn decode_some(
        &self,
        worker: &mut Worker,
        block: usize,
        bytes: std::ops::Range<usize>,
        rows: Option<&super::part::Rows>,
        dst: &mut [u8],
    ) -> Result<bool> {
        let at = self.view.layout().block_at(self.view.as_bytes(), block)?;
        let extent = Extent {
            block,
            bytes,
            rows,
            reference: self.reference,
        };
        decode_some(self.decoder, worker, self.view.cursor(at), extent, dst)
    }
}
