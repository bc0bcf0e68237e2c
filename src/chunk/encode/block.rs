//! From a block to its streams.

use oxiblosc_kernels::Kernels;

use super::super::header::VERSION;
use super::super::scratch::{Coding, Worker, grown};
use super::super::streams::{FEW_STREAMS, MAX_STREAMS};
use super::super::tune::Cut;
use super::check::unknown;
use super::source::Source;
use crate::codec::{Codec, CodecContext};
use crate::error::{Error, Result};
use crate::filter::FilterContext;
use crate::filter::pipeline::{Pipeline, Step};
use crate::params::CParams;
use crate::stream::{CSIZE_LEN, Full, StreamWriter};

/// The parameters shared by all blocks of a chunk, for encoding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockEncoder<'a> {
    /// The data of the chunk.
    pub(crate) source: Source<'a>,
    /// How it is cut.
    pub(crate) cut: Cut,
    /// The filters.
    pub(crate) pipeline: Pipeline<'a>,
    /// The codec.
    pub(crate) coding: Coding<'a>,
    /// The version that the chunk will have.
    pub(crate) version: u8,
    /// Whether runs may be stored as such: not in Blosc1 chunks.
    pub(crate) runs: bool,
    /// The first block as a decoder will have it, when there is a DELTA.
    pub(crate) reference: Option<&'a [u8]>,
    /// The content of the `b2nd` metalayer.
    pub(crate) b2nd: Option<&'a [u8]>,
}

impl<'a> BlockEncoder<'a> {
    /// An encoder of the blocks of `source`, for a chunk of the current version;
    /// [`find`](Self::find) makes it ready.
    #[inline(always)]
    pub(crate) fn new(
        source: Source<'a>,
        cut: Cut,
        codec: &'a dyn Codec,
        cparams: &'a CParams,
        kernels: Kernels,
    ) -> Self {
        let b2nd = cparams.b2nd.as_deref();
        let cx = CodecContext {
            clevel: cparams.clevel,
            meta: cparams.codec_meta,
            typesize: cut.typesize,
            blocksize: cut.blocksize,
            dict: None,
            b2nd,
            kernels,
            sampled: false,
        };
        Self {
            source,
            cut,
            pipeline: Pipeline::empty(),
            coding: Coding {
                codec: Some(codec),
                id: cparams.codec,
                cx,
            },
            version: VERSION,
            runs: true,
            reference: None,
            b2nd,
        }
    }

    /// Finds the filters.
    pub(crate) fn find(&mut self, cparams: &'a CParams) -> Result<()> {
        let registry = cparams.registry.as_deref();
        self.pipeline
            .push_forward(
                &cparams.filters,
                self.cut.typesize,
                registry,
                self.coding.cx.kernels,
            )
            .map_err(|filter| unknown("filters", filter.id.get()))
    }

    /// The length of a block.
    pub(crate) fn block_len(&self, block: usize) -> usize {
        self.source.block_len(self.cut.blocksize, block)
    }

    /// The bytes of a block, in `buffer` when the source writes them.
    pub(crate) fn block<'b>(&self, block: usize, buffer: &'b mut Vec<u8>) -> Result<&'b [u8]>
    where
        'a: 'b,
    {
        self.source.block(self.cut.blocksize, block, buffer)
    }

    /// The number of streams of a block of `len` bytes.
    pub(crate) fn nstreams(&self, len: usize) -> usize {
        if self.cut.split && len == self.cut.blocksize {
            self.cut.typesize
        } else {
            1
        }
    }

    /// The context of a block for its filters.
    pub(crate) fn filter_context(&self, block: usize) -> FilterContext<'a> {
        FilterContext {
            meta: 0,
            typesize: self.cut.typesize,
            version: self.version,
            block,
            offset: block * self.cut.blocksize,
            reference: if block > 0 { self.reference } else { None },
            b2nd: self.b2nd,
            kernels: self.coding.cx.kernels,
        }
    }

    /// Encodes a block into `dst` from `at` on, and returns where it ends; [`Full`] when the
    /// rules of [format §2.5](crate::format#2.5) say that it does not fit.
    pub(crate) fn encode(
        &self,
        worker: &mut Worker,
        block: usize,
        dst: &mut [u8],
        at: usize,
    ) -> Result<Result<usize, Full>> {
        self.encode_after(worker, block, dst, at, &mut None)
    }

    /// [`encode`](Self::encode), where all streams so far are raw, begin at `raw` and are not
    /// written: a chunk of nothing else is copied in the end. The first stream that is not raw has
    /// them written, and sets `raw` to `None`.
    pub(crate) fn encode_after(
        &self,
        worker: &mut Worker,
        block: usize,
        dst: &mut [u8],
        at: usize,
        raw: &mut Option<usize>,
    ) -> Result<Result<usize, Full>> {
        let Worker {
            x,
            y,
            block: buffer,
            coders,
            ..
        } = worker;
        let src = self.block(block, buffer)?;
        let len = src.len();
        let nstreams = self.nstreams(len);
        let kernels = self.coding.cx.kernels;
        let mut writer = StreamWriter::new(dst, at);
        writer.puts_off = raw.is_some();
        if self.runs
            && let Some(value) = kernels.repeated_byte(src)
            && self.stays_run(block, value)
        {
            self.put_raw(&mut writer, raw.take(), (block, 0))?;
            for _ in 0..nstreams {
                if let Err(full) = writer.run(value) {
                    return Ok(Err(full));
                }
            }
            return Ok(Ok(writer.position()));
        }
        let nsteps = self.pipeline.steps().len();
        let x = if nsteps > 0 { grown(x, len) } else { &mut [] };
        let y = if nsteps > 1 { grown(y, len) } else { &mut [] };
        let cx = self.filter_context(block);
        let (mut few, mut many) = ([None; FEW_STREAMS], None);
        let constants = match few.get_mut(..nstreams) {
            Some(few) => few,
            None => &mut many.insert([None; MAX_STREAMS])[..nstreams],
        };
        let reported = nstreams > 1 && self.pipeline.last_shuffle() == Some(nstreams);
        let filtered = if reported {
            self.pipeline
                .run_forward_report(&cx, src, x, y, constants)?
        } else {
            self.pipeline.run_forward(&cx, src, x, y)?
        };
        for (index, stream) in filtered.chunks_exact(len / nstreams).enumerate() {
            if self.runs {
                let constant = if reported {
                    constants[index]
                } else {
                    kernels.repeated_byte(stream)
                };
                if let Some(value) = constant {
                    self.put_raw(&mut writer, raw.take(), (block, index))?;
                    if let Err(full) = writer.run(value) {
                        return Ok(Err(full));
                    }
                    continue;
                }
            }
            let raw_end = writer.position() + CSIZE_LEN + stream.len();
            let written = writer.coded(stream, |src, dst| {
                coders
                    .encoder(&self.coding)
                    .and_then(|encoder| encoder.encode(src, dst))
            });
            match written {
                Ok(Ok(())) if writer.position() == raw_end => {}
                Ok(Ok(())) => self.put_raw(&mut writer, raw.take(), (block, index))?,
                Ok(Err(full)) => return Ok(Err(full)),
                Err(source) => {
                    return Err(Error::Codec {
                        id: self.coding.id,
                        block: cx.block,
                        stream: index,
                        offset: 0,
                        source,
                    });
                }
            }
        }
        Ok(Ok(writer.position()))
    }

    /// The start of raw streams that are not written at first: `at`, or `None` where streams are
    /// not pieces of the data.
    pub(crate) fn raw_from(&self, at: usize) -> Option<usize> {
        let plain = self.pipeline.steps().is_empty() && matches!(self.source, Source::Bytes(_));
        plain.then_some(at)
    }

    /// Writes raw streams, which begin at `raw`: those of the blocks before `block`, and the first
    /// `index` of it. Nothing for `None`.
    fn put_raw(
        &self,
        writer: &mut StreamWriter<'_>,
        raw: Option<usize>,
        (block, index): (usize, usize),
    ) -> Result<()> {
        let Some(mut at) = raw else {
            return Ok(());
        };
        writer.puts_off = false;
        // Data in one piece needs no buffer.
        let mut unused = Vec::new();
        for number in 0..=block {
            let src = self.block(number, &mut unused)?;
            let nstreams = self.nstreams(src.len());
            let count = if number == block { index } else { nstreams };
            for stream in src.chunks_exact(src.len() / nstreams).take(count) {
                at = writer.put_raw(at, stream);
            }
        }
        Ok(())
    }

    /// Filters the block and stores it raw in `dst` from `at` on; returns where it ends.
    pub(crate) fn store(
        &self,
        worker: &mut Worker,
        dst: &mut [u8],
        at: usize,
    ) -> Result<Result<usize, Full>> {
        let Worker {
            x,
            y,
            block: buffer,
            ..
        } = worker;
        let src = self.block(0, buffer)?;
        let len = src.len();
        let (x, y) = (grown(x, len), grown(y, len));
        let cx = self.filter_context(0);
        let filtered = self.pipeline.run_forward(&cx, src, x, y)?;
        let mut writer = StreamWriter::new(dst, at);
        // No codec runs, so this cannot fail.
        match writer.coded(filtered, |_, _| Ok(None)) {
            Ok(Ok(())) => Ok(Ok(writer.position())),
            Ok(Err(_)) | Err(_) => Ok(Err(Full)),
        }
    }

    /// Whether a block whose bytes are all `value` is the same after the filters.
    fn stays_run(&self, block: usize, value: u8) -> bool {
        let stays = |step: &Step<'_>| match step {
            Step::Shuffle { .. } => true,
            Step::Delta => value == 0 && (block == 0 || self.reference.is_none()),
            Step::ShuffleBytedelta { .. } | Step::Bitshuffle | Step::Other { .. } => {
                value == 0 && step.keeps_zeros()
            }
        };
        self.pipeline.steps().iter().all(stays)
    }
}

impl BlockEncoder<'_> {
    /// The number of streams of all blocks.
    pub(crate) fn nstreams_of_all(&self) -> usize {
        let last = self.cut.nblocks - 1;
        last * self.nstreams(self.cut.blocksize) + self.nstreams(self.block_len(last))
    }

    /// Filters the first block and undoes that, into `reference`: with a lossy filter, a
    /// decoder has this block, and not the data itself.
    pub(crate) fn reconstruct(
        &self,
        worker: &mut Worker,
        reference: &mut Vec<u8>,
        cparams: &CParams,
    ) -> Result<()> {
        let Worker {
            x,
            y,
            block: buffer,
            ..
        } = worker;
        let src = self.block(0, buffer)?;
        let cx = self.filter_context(0);
        let (x, y) = (grown(x, src.len()), grown(y, src.len()));
        reference.clear();
        reference.extend_from_slice(self.pipeline.run_forward(&cx, src, x, y)?);
        let registry = cparams.registry.as_deref();
        if let Ok(backward) = Pipeline::backward(&cparams.filters, self.cut.typesize, registry) {
            for step in backward.steps() {
                x.copy_from_slice(reference);
                step.backward(&cx, x, reference)?;
            }
        }
        Ok(())
    }
}
