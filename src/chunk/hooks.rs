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
#[cfg(feature = "rayon")]
use super::decoder::helpers;
use super::decoder::{ChunkDecoder, decode_block, decode_plain, decode_reference};
use super::encoder::ChunkEncoder;
use super::layout::Body;
use super::ranges::{Piece, copy_pieces, cut};
#[cfg(feature = "rayon")]
use super::ranges::{by_block, copy_wanted, places};
#[cfg(feature = "rayon")]
use super::scratch::Pool;
use super::scratch::{Worker, room};
#[cfg(feature = "rayon")]
use super::share::{Work, share};
use super::tune::Cut;
use super::view::Parsed;
use super::vlblocks;
use crate::error::Result;
use crate::filter::hook::{BlockContext, BlockFn};
#[cfg(feature = "rayon")]
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
        let blocks = src.chunks(cut.blocksize).zip(dst.chunks_mut(cut.blocksize));
        let mut blocks = blocks.enumerate();
        #[cfg(feature = "rayon")]
        {
            let threads = &self.cparams.threads;
            let helpers = Work::copy(src.len()).helpers(threads, cut.nblocks);
            if helpers > 0 {
                return share(threads, helpers, &self.slots.pool, blocks, |_, block| {
                    let (block, (src, dst)) = block;
                    call(block, src, dst)
                });
            }
        }
        blocks.try_for_each(|(block, (src, dst))| call(block, src, dst))
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

/// The blocks of a chunk of variable-length ones: number and offset, and where each goes.
fn places_of_vlblocks<'d>(view: &Parsed<'_>, dst: &'d mut [u8]) -> Result<Vec<Place<'d>>> {
    let mut offset = 0;
    let mut places = vlblocks::places(view, dst)?;
    let with_offset = |(block, dst): (usize, &'d mut [u8])| {
        let at = (block, offset);
        offset += dst.len();
        (at, dst)
    };
    Ok(places.drain(..).map(with_offset).collect())
}

/// The number of a block and its offset in the chunk, and where it goes.
type Place<'d> = ((usize, usize), &'d mut [u8]);

/// Decodes one block and hands it to the postfilter.
struct PostedBlock<'a> {
    view: &'a Parsed<'a>,
    /// For chunks of coded blocks.
    decoder: Option<&'a BlockDecoder<'a>>,
    hook: &'a BlockFn,
    /// The first block before its postfilter, when later ones need it.
    reference: Option<&'a [u8]>,
}

impl PostedBlock<'_> {
    /// One block into all of `dst`.
    fn decode(&self, worker: &mut Worker, ((block, offset), dst): Place<'_>) -> Result<()> {
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
                let reference = self.reference.filter(|_| block > 0);
                decode_block(self.view, decoder, worker, block, reference, before)
            }
        };
        let done = done.and_then(|()| self.hook.call("postfilter", &cx, before, dst));
        worker.block = whole;
        done
    }

    /// One whole block of a chunk with blocks of one size.
    fn whole<'b>(&self, worker: &'b mut Worker, block: usize) -> Result<&'b [u8]> {
        let layout = self.view.layout();
        let len = layout.block_len(block);
        let mut after = std::mem::take(&mut worker.posted);
        let to = room(&mut after, len);
        let done = self.decode(worker, ((block, block * layout.blocksize), to));
        worker.posted = after;
        done?;
        Ok(&worker.posted[..len])
    }
}

/// Decodes blocks and hands them to the postfilter, wherever a thread is free.
struct Posted<'a> {
    block: PostedBlock<'a>,
    worker: &'a mut Worker,
    #[cfg(feature = "rayon")]
    pool: &'a Pool,
    #[cfg(feature = "rayon")]
    threads: &'a Threads,
    #[cfg(feature = "rayon")]
    helpers: usize,
}

impl Posted<'_> {
    /// Blocks, each into all of its slice.
    fn all<'d>(&mut self, mut blocks: impl Iterator<Item = Place<'d>> + Send) -> Result<()> {
        let block = &self.block;
        #[cfg(feature = "rayon")]
        if self.helpers > 0 {
            return share(
                self.threads,
                self.helpers,
                self.pool,
                blocks,
                |worker, place| block.decode(worker, place),
            );
        }
        blocks.try_for_each(|place| block.decode(self.worker, place))
    }

    /// Pieces, which cover all of `dst` in their order, each to its place.
    fn pieces(&mut self, pieces: &mut [Piece], dst: &mut [u8]) -> Result<()> {
        let block = &self.block;
        #[cfg(feature = "rayon")]
        if self.helpers > 0 {
            let mut wanted = places(pieces, dst);
            let groups = by_block(&mut wanted);
            return share(
                self.threads,
                self.helpers,
                self.pool,
                groups,
                |worker, group| {
                    let number = group.first().map_or(0, |wanted| wanted.block);
                    copy_wanted(block.whole(worker, number)?, group);
                    Ok(())
                },
            );
        }
        pieces.sort_unstable_by_key(|piece| (piece.block, piece.at));
        for pieces in pieces.chunk_by(|a, b| a.block == b.block) {
            let number = pieces.first().map_or(0, |piece| piece.block);
            copy_pieces(block.whole(self.worker, number)?, pieces, dst);
        }
        Ok(())
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
        let layout = view.layout();
        if layout.body == Body::VlBlocks {
            let places = places_of_vlblocks(view, dst)?;
            return self.posted(
                hook,
                view,
                (layout.nbytes, layout.nblocks, true),
                |posted| posted.all(places.into_iter()),
            );
        }
        let blocks = dst.chunks_mut(layout.blocksize).enumerate();
        let blocks = blocks.map(|(block, dst)| ((block, block * layout.blocksize), dst));
        self.posted(
            hook,
            view,
            (layout.nbytes, layout.nblocks, true),
            |posted| posted.all(blocks),
        )
    }

    /// One block into all of `dst`, through the postfilter; it begins at `offset` of the chunk.
    pub(crate) fn postfilter_block(
        &mut self,
        hook: &BlockFn,
        view: &Parsed<'_>,
        at: (usize, usize),
        dst: &mut [u8],
    ) -> Result<()> {
        self.posted(hook, view, (dst.len(), 1, at.0 > 0), |posted| {
            posted.all(std::iter::once((at, dst)))
        })
    }

    /// Chosen blocks of a chunk that is not of variable-length blocks, through the postfilter.
    pub(crate) fn postfilter_blocks<'d>(
        &mut self,
        hook: &BlockFn,
        view: &Parsed<'_>,
        (nchosen, later): (usize, bool),
        chosen: impl Iterator<Item = (usize, &'d mut [u8])> + Send,
    ) -> Result<()> {
        let blocksize = view.layout().blocksize;
        let nbytes = nchosen.saturating_mul(blocksize);
        let blocks = chosen.map(|(block, dst)| ((block, block * blocksize), dst));
        self.posted(hook, view, (nbytes, nchosen, later), |posted| {
            posted.all(blocks)
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
        let mut pieces = std::mem::take(&mut self.pieces);
        cut(&mut pieces, view.layout().blocksize, ranges);
        let later = pieces.iter().any(|piece| piece.block > 0);
        let size = (dst.len(), pieces.len(), later);
        let done = self.posted(hook, view, size, |posted| posted.pieces(&mut pieces, dst));
        self.pieces = pieces;
        done
    }

    /// Lends what decoding blocks takes: the decoder, its buffers, and the first block as a DELTA
    /// needs it. Wanted are about `nbytes` bytes in `nitems` blocks, `later` ones among them.
    fn posted(
        &mut self,
        hook: &BlockFn,
        view: &Parsed<'_>,
        (nbytes, nitems, later): (usize, usize, bool),
        work: impl FnOnce(&mut Posted<'_>) -> Result<()>,
    ) -> Result<()> {
        let layout = view.layout();
        let limits = &self.dparams.limits;
        let decoder = match layout.body {
            Body::Special(_) | Body::Memcpyed(_) => None,
            Body::Blocks | Body::VlBlocks => {
                let mut decoder = BlockDecoder::new(view, &self.dparams, self.kernels);
                decoder.find()?;
                Some(decoder)
            }
        };
        if layout.body != Body::VlBlocks {
            // Buffers hold one block, whose size the input claims.
            limits.check_alloc(layout.blocksize as u64, Some(8))?;
        }
        let reference = match &decoder {
            Some(decoder) if later && layout.body == Body::Blocks => decode_reference(
                view,
                decoder,
                limits,
                self.worker.get(),
                &mut self.reference,
            )?,
            _ => None,
        };
        #[cfg(not(feature = "rayon"))]
        let _ = (nbytes, nitems);
        #[cfg(feature = "rayon")]
        let threads = &self.dparams.threads;
        work(&mut Posted {
            block: PostedBlock {
                view,
                decoder: decoder.as_ref(),
                hook,
                reference,
            },
            worker: self.worker.get(),
            #[cfg(feature = "rayon")]
            pool: &self.pool,
            #[cfg(feature = "rayon")]
            threads,
            #[cfg(feature = "rayon")]
            helpers: Work::copy(nbytes)
                .helpers(threads, nitems)
                .max(helpers(view, threads, nbytes, nitems)),
        })
    }
}
