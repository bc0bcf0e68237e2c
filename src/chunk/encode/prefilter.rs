//! Calls of the prefilter of an encoder.
//!
//! A prefilter visits all blocks before the first one is filtered, each exactly once: whether the
//! chunk is coded, copied or trains a dictionary first, it holds the output of the prefilter.

use super::super::tune::{Cut, stored_typesize};
use super::assemble::Assembler;
use super::check::check_nbytes;
use super::output::Form;
use crate::error::Result;
use crate::filter::hook::{BlockContext, BlockFn};
use crate::params::CParams;
use crate::threads::claim::{Helpers, Tools, for_each};
use crate::threads::work::Work;

/// The closure before the filters, and the number of the chunk that it receives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prefilter<'a> {
    pub(super) hook: &'a BlockFn,
    pub(super) nchunk: Option<u64>,
}

impl Prefilter<'_> {
    /// Fills `dst`, as long as `src`, with the output of the prefilter for each block.
    pub(super) fn run(
        &self,
        assembler: &mut Assembler,
        src: &[u8],
        dst: &mut [u8],
        form: Form,
    ) -> Result<()> {
        check_nbytes(src.len())?;
        let cparams = &assembler.cparams;
        let cut = match form {
            Form::Blosc2 => Cut::new(cparams, src.len()),
            Form::Blosc1 => Cut::blosc1(cparams, src.len()),
        };
        let threads = &cparams.threads;
        let helpers = Helpers {
            threads,
            count: Work::copy(src.len()).helpers(threads, cut.nblocks),
            at_once: 1,
        };
        let tools = Tools {
            own: assembler.worker.get(),
            pool: &assembler.slots.pool,
        };
        let blocks = src.chunks(cut.blocksize).zip(dst.chunks_mut(cut.blocksize));
        for_each(
            helpers,
            tools,
            blocks.enumerate(),
            |worker, (block, (src_block, dst))| {
                let cx = BlockContext {
                    thread: worker.thread,
                    chunk: self.nchunk,
                    block,
                    offset: block * cut.blocksize,
                    nbytes: src.len(),
                    typesize: cut.typesize,
                };
                self.hook.call("prefilter", &cx, src_block, dst)
            },
        )
    }

    /// [`run`](Self::run) for variable-length blocks, consecutively.
    pub(super) fn run_vlblocks<B: AsRef<[u8]>>(
        &self,
        cparams: &CParams,
        blocks: &[B],
        dst: &mut [u8],
    ) -> Result<()> {
        let typesize = stored_typesize(cparams.typesize);
        let nbytes = dst.len();
        let mut offset = 0;
        for (block, src) in blocks.iter().enumerate() {
            let src = src.as_ref();
            let end = offset + src.len();
            let cx = BlockContext {
                thread: 0,
                chunk: self.nchunk,
                block,
                offset,
                nbytes,
                typesize,
            };
            self.hook
                .call("prefilter", &cx, src, &mut dst[offset..end])?;
            offset = end;
        }
        Ok(())
    }
}
