//! Where the prefilter of an encoder and the postfilter of a decoder are called.
//!
//! A prefilter goes over all blocks before the first one is filtered, each exactly once: whatever
//! becomes of the chunk (coded, copied, a dictionary made first), it holds what the prefilter
//! left. A postfilter gets whole blocks, also where only a part of one is wanted; the reference of
//! a DELTA is the block before its postfilter.

use std::ops::Range;

use super::assemble::Form;
use super::block::BlockDecoder;
use super::blosc1;
use super::check::check_nbytes;
use super::decoder::{ChunkDecoder, decode_block, decode_plain, decode_reference};
use super::encoder::ChunkEncoder;
use super::ranges::{Piece, copy_pieces, pieces_of};
#[cfg(feature = "rayon")]
use super::scratch::Pool;
use super::scratch::{Worker, room};
use super::tune::Cut;
use super::view::{Body, Parsed};
use super::vlblocks;
use crate::error::Result;
use crate::filter::hook::{BlockContext, BlockFn};
#[cfg(feature = "rayon")]
use crate::threads::PARALLEL_FLOOR;
use crate::threads::Threads;

/// The context of a block of data that is cut into equal blocks.
fn context(block: usize, offset: usize, nbytes: usize, typesize: usize) -> BlockContext {
    BlockContext {
        block: u32::try_from(block).unwrap_or(u32::MAX),
        offset,
        nbytes,
        typesize,
    }
}

impl ChunkEncoder {
    /// Fills `dst`, as long as `src`, with what the prefilter makes of each block.
    pub(crate) fn prefilter(
        &self,
        hook: &BlockFn,
        src: &[u8],
        dst: &mut [u8],
        form: Form,
    ) -> Result<()> {
        check_nbytes(src.len())?;
        let cut = match form {
            Form::Blosc2 => Cut::new(&self.cparams, src.len()),
            Form::Blosc1 => blosc1::cut(&self.cparams, src.len()),
        };
        let call = |block: usize, src_block: &[u8], dst: &mut [u8]| {
            let cx = context(block, block * cut.blocksize, src.len(), cut.typesize);
            hook.call("prefilter", &cx, src_block, dst)
        };
        #[cfg(feature = "rayon")]
        if cut.nblocks > 1 && src.len() >= PARALLEL_FLOOR && self.cparams.threads.count() > 1 {
            use rayon::prelude::*;

            return self.cparams.threads.install(|| {
                src.par_chunks(cut.blocksize)
                    .zip(dst.par_chunks_mut(cut.blocksize))
                    .enumerate()
                    .try_for_each(|(block, (src, dst))| call(block, src, dst))
            });
        }
        let blocks = src.chunks(cut.blocksize).zip(dst.chunks_mut(cut.blocksize));
        for (block, (src, dst)) in blocks.enumerate() {
            call(block, src, dst)?;
        }
        Ok(())
    }

    /// [`prefilter`](Self::prefilter) for blocks with lengths of their own, one behind the other.
    pub(crate) fn prefilter_vlblocks<B: AsRef<[u8]>>(
        &self,
        hook: &BlockFn,
        blocks: &[B],
        dst: &mut [u8],
    ) -> Result<()> {
        let typesize = super::tune::stored_typesize(self.cparams.typesize);
        let nbytes = dst.len();
        let mut offset = 0;
        for (block, src) in blocks.iter().enumerate() {
            let src = src.as_ref();
            let end = offset + src.len();
            let cx = context(block, offset, nbytes, typesize);
            hook.call("prefilter", &cx, src, &mut dst[offset..end])?;
            offset = end;
        }
        Ok(())
    }
}

/// Decodes blocks and hands them to the postfilter.
struct Posted<'a> {
    view: &'a Parsed<'a>,
    /// For chunks of coded blocks.
    decoder: Option<&'a BlockDecoder<'a>>,
    hook: &'a BlockFn,
}

impl Posted<'_> {
    /// One block into all of `dst`; it begins at `offset` of the chunk.
    fn block(
        &self,
        worker: &mut Worker,
        (block, offset): (usize, usize),
        reference: Option<&[u8]>,
        dst: &mut [u8],
    ) -> Result<()> {
        let layout = self.view.layout();
        let mut whole = std::mem::take(&mut worker.block);
        let before = room(&mut whole, dst.len());
        let cx = context(block, offset, layout.nbytes, layout.header.typesize.into());
        let done = match self.decoder {
            None => {
                decode_plain(self.view, offset, before);
                Ok(())
            }
            Some(decoder) if layout.body == Body::VlBlocks => {
                vlblocks::decode_one(self.view, decoder, worker, block, before)
            }
            Some(decoder) => {
                let reference = reference.filter(|_| block > 0);
                decode_block(self.view, decoder, worker, block, reference, before)
            }
        };
        let done = done.and_then(|()| self.hook.call("postfilter", &cx, before, dst));
        worker.block = whole;
        done
    }
}

impl ChunkDecoder {
    /// All of a chunk into all of `dst`, through the postfilter.
    pub(crate) fn postfilter_all(
        &mut self,
        hook: &BlockFn,
        view: &Parsed<'_>,
        dst: &mut [u8],
    ) -> Result<()> {
        if view.layout().body == Body::VlBlocks {
            let mut rest = dst;
            let mut offset = 0;
            for (block, len) in vlblocks::lens(view).enumerate() {
                let (to, behind) = std::mem::take(&mut rest).split_at_mut(len?);
                let len = to.len();
                self.postfilter_block(hook, view, (block, offset), to)?;
                offset += len;
                rest = behind;
            }
            return Ok(());
        }
        #[cfg(feature = "rayon")]
        if view.layout().nblocks > 1
            && view.nbytes() >= PARALLEL_FLOOR
            && self.dparams.threads.count() > 1
        {
            return self.with_posted(hook, view, true, |posted, _, pool, threads, reference| {
                postfilter_parallel(posted, pool, threads, reference, dst)
            });
        }
        let blocksize = view.layout().blocksize;
        self.with_posted(hook, view, true, |posted, worker, _, _, reference| {
            for (block, dst) in dst.chunks_mut(blocksize).enumerate() {
                posted.block(worker, (block, block * blocksize), reference, dst)?;
            }
            Ok(())
        })
    }

    /// One block into all of `dst`, through the postfilter; it begins at `offset` of the chunk.
    pub(crate) fn postfilter_block(
        &mut self,
        hook: &BlockFn,
        view: &Parsed<'_>,
        at: (usize, usize),
        dst: &mut [u8],
    ) -> Result<()> {
        self.with_posted(hook, view, at.0 > 0, |posted, worker, _, _, reference| {
            posted.block(worker, at, reference, dst)
        })
    }

    /// Chosen blocks of a chunk that is not of variable-length blocks, through the postfilter.
    pub(crate) fn postfilter_blocks<'d>(
        &mut self,
        hook: &BlockFn,
        view: &Parsed<'_>,
        later: bool,
        chosen: impl Iterator<Item = (usize, &'d mut [u8])>,
    ) -> Result<()> {
        let blocksize = view.layout().blocksize;
        self.with_posted(hook, view, later, |posted, worker, _, _, reference| {
            for (block, dst) in chosen {
                posted.block(worker, (block, block * blocksize), reference, dst)?;
            }
            Ok(())
        })
    }

    /// Ranges of bytes, one behind the other, into all of `dst`, through the postfilter.
    pub(crate) fn postfilter_ranges(
        &mut self,
        hook: &BlockFn,
        view: &Parsed<'_>,
        ranges: &[Range<usize>],
        dst: &mut [u8],
    ) -> Result<()> {
        let layout = view.layout();
        let mut pieces: Vec<Piece> = Vec::new();
        let mut at = 0;
        for range in ranges {
            pieces.extend(pieces_of(layout.blocksize, range, at));
            at += range.len();
        }
        pieces.sort_by_key(|piece| (piece.block, piece.at));
        let later = pieces.last().is_some_and(|piece| piece.block > 0);
        self.with_posted(hook, view, later, |posted, worker, _, _, reference| {
            for pieces in pieces.chunk_by(|a, b| a.block == b.block) {
                let block = pieces.first().map_or(0, |piece| piece.block);
                let mut after = std::mem::take(&mut worker.posted);
                let to = room(&mut after, layout.block_len(block));
                let done = posted
                    .block(worker, (block, block * layout.blocksize), reference, to)
                    .and_then(|()| copy_pieces(to, pieces, dst));
                worker.posted = after;
                done?;
            }
            Ok(())
        })
    }

    /// Lends what decoding blocks takes: the decoder, its buffers, and the first block as a DELTA
    /// needs it, when `later` blocks are wanted.
    fn with_posted<R>(
        &mut self,
        hook: &BlockFn,
        view: &Parsed<'_>,
        later: bool,
        work: impl FnOnce(&Posted<'_>, &mut Worker, &PoolOf, &Threads, Option<&[u8]>) -> Result<R>,
    ) -> Result<R> {
        let layout = view.layout();
        let limits = &self.dparams.limits;
        let decoder = match layout.body {
            Body::Special(_) | Body::Memcpyed(_) => None,
            Body::Blocks | Body::VlBlocks => {
                Some(BlockDecoder::new(view, &self.dparams, self.kernels)?)
            }
        };
        if layout.body != Body::VlBlocks {
            // Buffers hold one block, whose size the input claims.
            limits.check_alloc(layout.blocksize as u64, Some(8))?;
        }
        let reference = match &decoder {
            Some(decoder) if later && layout.body == Body::Blocks => {
                decode_reference(view, decoder, limits, &mut self.worker, &mut self.reference)?
            }
            _ => None,
        };
        let posted = Posted {
            view,
            decoder: decoder.as_ref(),
            hook,
        };
        #[cfg(feature = "rayon")]
        let pool = &self.pool;
        #[cfg(not(feature = "rayon"))]
        let pool = &();
        work(
            &posted,
            &mut self.worker,
            pool,
            &self.dparams.threads,
            reference,
        )
    }
}

#[cfg(feature = "rayon")]
type PoolOf = Pool;
#[cfg(not(feature = "rayon"))]
type PoolOf = ();

/// Decodes blocks and calls the postfilter wherever a thread is free.
#[cfg(feature = "rayon")]
fn postfilter_parallel(
    posted: &Posted<'_>,
    pool: &Pool,
    threads: &Threads,
    reference: Option<&[u8]>,
    dst: &mut [u8],
) -> Result<()> {
    use rayon::prelude::*;

    let blocksize = posted.view.layout().blocksize;
    threads.install(|| {
        dst.par_chunks_mut(blocksize).enumerate().try_for_each_init(
            || pool.take(),
            |worker, (block, dst)| posted.block(worker, (block, block * blocksize), reference, dst),
        )
    })
}
