//! From the streams of a block to the block.

use oxiblosc_kernels::Kernels;
use oxiblosc_kernels::unwritten::Unwritten;

use super::super::layout::{Layout, Payload};
use super::super::parsed::Parsed;
use super::super::scratch::{Coders, Coding, Worker, grown};
use super::target::Target;
use crate::codec::CodecContext;
use crate::codec::find::find;
use crate::codec::id::CodecId;
use crate::error::{Error, Missing, Part, Result};
use crate::filter::FilterContext;
use crate::filter::pipeline::{Pipeline, Step};
use crate::params::DParams;
use crate::registry::Registry;
use crate::stream::{Stream, StreamCursor};

/// The parameters shared by all blocks of a chunk, for decoding.
#[derive(Debug)]
pub(crate) struct BlockDecoder<'a> {
    chunk: &'a Parsed<'a>,
    pipeline: Pipeline<'a>,
    coding: Coding<'a>,
    registry: Option<&'a Registry>,
}

/// The streams of a block.
enum Streams<'s> {
    /// The only one.
    One(Stream<'s>),
    /// As many as this, from here on.
    Split(StreamCursor<'s>, usize),
}

/// Bytes after the output of a codec, which it may overwrite.
pub(super) const SLACK: usize = 128;
/// Blocks of one stream up to this many bytes are decoded to a buffer with slack and copied: codecs
/// take every step near the end of their output with care, and a short block is but an end.
const SHORT: usize = 1024;

impl<'a> BlockDecoder<'a> {
    /// A decoder of the blocks of `chunk`; [`find`](Self::find) follows.
    ///
    /// Two steps for the same reason as [`Parsed::unread`]: the pipeline is filled in place, and
    /// the decoder is not moved afterwards.
    #[inline(always)]
    pub(crate) fn new(chunk: &'a Parsed<'a>, dparams: &'a DParams, kernels: Kernels) -> Self {
        let header = &chunk.layout().header;
        let cx = CodecContext {
            clevel: 0,
            meta: header.codec_meta,
            typesize: header.typesize.into(),
            blocksize: chunk.layout().blocksize,
            dict: chunk.dict(),
            b2nd: dparams.b2nd.as_deref(),
            kernels,
            sampled: false,
        };
        Self {
            chunk,
            pipeline: Pipeline::empty(),
            coding: Coding {
                codec: None,
                id: CodecId::BLOSCLZ,
                cx,
            },
            registry: dparams.registry.as_deref(),
        }
    }

    /// Finds the filters and the codec of the chunk.
    #[inline(always)]
    pub(crate) fn find(&mut self) -> Result<()> {
        let header = &self.chunk.layout().header;
        let typesize = self.coding.cx.typesize;
        match self.chunk.only_shuffle() {
            Some(filter) => self.pipeline.push_only_shuffle(filter, typesize),
            None => self.find_filters()?,
        }
        let Some(id) = header.codec() else {
            return Err(unsupported(2, Missing::Compformat(header.compformat())));
        };
        self.coding.id = id;
        self.coding.codec = find(self.registry, id);
        if self.coding.codec.is_none() {
            let offset = if header.compformat() == 6 { 22 } else { 2 };
            return Err(unsupported(offset, Missing::Codec(id)));
        }
        Ok(())
    }

    /// Finds the filters, whichever they are.
    #[inline(never)]
    fn find_filters(&mut self) -> Result<()> {
        let (filters, typesize) = (self.chunk.filters(), self.coding.cx.typesize);
        let pushed = self
            .pipeline
            .push_backward(&filters, typesize, self.registry);
        pushed.map_err(|unknown| {
            // Only extended headers can name unknown filters.
            let offset = 16 + unknown.slot as u64;
            unsupported(offset, Missing::Filter(unknown.id))
        })
    }

    /// Whether later blocks need the first one.
    pub(crate) fn has_delta(&self) -> bool {
        self.pipeline.has_delta()
    }

    /// The steps that undo the filters.
    pub(crate) fn steps(&self) -> &[Step<'a>] {
        self.pipeline.steps()
    }

    /// The layout of the chunk.
    pub(crate) fn layout(&self) -> &'a Layout {
        self.chunk.layout()
    }

    /// The codec and its context.
    pub(crate) fn coding(&self) -> &Coding<'a> {
        &self.coding
    }

    /// The context of a block for its filters.
    pub(crate) fn filter_context<'r>(
        &self,
        block: usize,
        reference: Option<&'r [u8]>,
    ) -> FilterContext<'r>
    where
        'a: 'r,
    {
        let layout = self.layout();
        FilterContext {
            meta: 0,
            typesize: self.coding.cx.typesize,
            version: layout.header.version,
            block,
            // Each variable-length block stands alone.
            offset: match layout.payload {
                Payload::VlBlocks => 0,
                _ => block.saturating_mul(layout.blocksize),
            },
            reference,
            b2nd: self.coding.cx.b2nd,
            kernels: self.coding.cx.kernels,
        }
    }

    /// Decodes one block, whose streams are at `cursor`, into all of `dst`. `reference` is the
    /// decoded first block, for every other one.
    #[inline(always)]
    pub(crate) fn decode(
        &self,
        worker: &mut Worker,
        mut cursor: StreamCursor<'_>,
        block: usize,
        reference: Option<&[u8]>,
        dst: &mut [u8],
    ) -> Result<()> {
        let len = dst.len();
        let nstreams = self.layout().nstreams(len);
        if nstreams == 1 {
            return self.decode_stream(worker, cursor.next(len)?, block, reference, dst);
        }
        if let [Step::Shuffle { group } | Step::ShuffleBytedelta { group }] = self.pipeline.steps()
            && *group == nstreams
        {
            let Worker { x, coders, .. } = worker;
            self.unshuffle(
                coders,
                cursor,
                (block, nstreams),
                grown(x, len + SLACK),
                Target::Written(dst),
            )?;
            return Ok(());
        }
        let streams = Streams::Split(cursor, nstreams);
        self.decode_streams(worker, streams, block, reference, Target::Written(dst))
    }

    /// [`decode`](Self::decode) into memory that is not written yet. Where the last step cannot
    /// write to such memory, it is zeroed before, while the block is in the cache: codecs read
    /// their output, and filters of users may.
    pub(crate) fn decode_unwritten(
        &self,
        worker: &mut Worker,
        mut cursor: StreamCursor<'_>,
        block: usize,
        reference: Option<&[u8]>,
        dst: Unwritten<'_>,
    ) -> Result<()> {
        let len = dst.len();
        let nstreams = self.layout().nstreams(len);
        if nstreams > 1 {
            let streams = Streams::Split(cursor, nstreams);
            return self.decode_streams(worker, streams, block, reference, Target::Unwritten(dst));
        }
        let stream = cursor.next(len)?;
        if !self.pipeline.steps().is_empty() {
            let streams = Streams::One(stream);
            return self.decode_streams(worker, streams, block, reference, Target::Unwritten(dst));
        }
        match stream {
            Stream::Run(value) => {
                dst.fill(value);
            }
            Stream::Raw(data) => {
                dst.copy_from(data);
            }
            Stream::Coded { .. } => {
                if len <= SHORT {
                    dst.copy_from(self.put_short(worker, &stream, block, len)?);
                    return Ok(());
                }
                let coders = &mut worker.coders;
                return self.put_stream(coders, &stream, (block, 0), len, dst.zeroed());
            }
        }
        Ok(())
    }

    /// [`decode`](Self::decode) of a block that has but this stream.
    pub(crate) fn decode_stream(
        &self,
        worker: &mut Worker,
        stream: Stream<'_>,
        block: usize,
        reference: Option<&[u8]>,
        dst: &mut [u8],
    ) -> Result<()> {
        if self.pipeline.steps().is_empty() {
            let len = dst.len();
            if len <= SHORT && matches!(stream, Stream::Coded { .. }) {
                dst.copy_from_slice(self.put_short(worker, &stream, block, len)?);
                return Ok(());
            }
            return self.put_stream(&mut worker.coders, &stream, (block, 0), len, dst);
        }
        let streams = Streams::One(stream);
        self.decode_streams(worker, streams, block, reference, Target::Written(dst))
    }

    /// Takes every step, from the streams into all of `dst`.
    fn decode_streams(
        &self,
        worker: &mut Worker,
        streams: Streams<'_>,
        block: usize,
        reference: Option<&[u8]>,
        dst: Target<'_>,
    ) -> Result<()> {
        let len = dst.len();
        let steps = self.pipeline.steps();
        let cx = self.filter_context(block, reference);
        let Worker { x, y, coders, .. } = worker;
        // The last step that needs another buffer to write to writes to `dst`.
        let Some(last) = steps.iter().rposition(|step| !step.is_in_place()) else {
            let dst = dst.slice();
            self.collect(coders, streams, block, dst)?;
            for step in steps {
                step.backward_in_place(&cx, dst);
            }
            return Ok(());
        };
        let scratch = grown(x, len + SLACK);
        let dst = if last == 0 {
            self.first_step(coders, streams, &cx, scratch, dst)?
        } else {
            let mut y = grown(y, len);
            let mut next = 0;
            if steps[0].is_in_place() {
                self.collect(coders, streams, block, &mut scratch[..len])?;
            } else {
                self.first_step(coders, streams, &cx, scratch, Target::Written(y))?;
                next = 1;
            }
            let mut x = &mut scratch[..len];
            if next == 1 {
                std::mem::swap(&mut x, &mut y);
            }
            for step in &steps[next..last] {
                if step.is_in_place() {
                    step.backward_in_place(&cx, x);
                } else {
                    step.backward(&cx, x, y)?;
                    std::mem::swap(&mut x, &mut y);
                }
            }
            dst.take_step(&steps[last], &cx, x)?
        };
        for step in &steps[last + 1..] {
            step.backward_in_place(&cx, dst);
        }
        Ok(())
    }

    /// Takes the first step from the streams into `dst`. `scratch`, of the same length and the
    /// slack, receives the output of the codec.
    fn first_step<'d>(
        &self,
        coders: &mut Coders,
        streams: Streams<'_>,
        cx: &FilterContext<'_>,
        scratch: &mut [u8],
        dst: Target<'d>,
    ) -> Result<&'d mut [u8]> {
        let step = &self.pipeline.steps()[0];
        let block = cx.block;
        let len = dst.len();
        let src = match (streams, step) {
            (
                Streams::Split(cursor, nstreams),
                Step::Shuffle { group } | Step::ShuffleBytedelta { group },
            ) if *group == nstreams => {
                return self.unshuffle(coders, cursor, (block, nstreams), scratch, dst);
            }
            (Streams::One(Stream::Run(0)), _) if step.keeps_zeros() => return Ok(dst.fill(0)),
            (Streams::One(Stream::Run(value)), Step::Shuffle { .. }) => {
                return Ok(dst.fill(value));
            }
            (Streams::One(Stream::Raw(data)), _) => data,
            (Streams::One(stream), _) => {
                self.put_stream(coders, &stream, (block, 0), len, scratch)?;
                &scratch[..len]
            }
            (streams, _) => {
                self.collect(coders, streams, block, &mut scratch[..len])?;
                &scratch[..len]
            }
        };
        dst.take_step(step, cx, src)
    }

    /// Decodes the streams consecutively into `dst`.
    fn collect(
        &self,
        coders: &mut Coders,
        streams: Streams<'_>,
        block: usize,
        dst: &mut [u8],
    ) -> Result<()> {
        let (mut cursor, nstreams) = match streams {
            Streams::One(stream) => {
                return self.put_stream(coders, &stream, (block, 0), dst.len(), dst);
            }
            Streams::Split(cursor, nstreams) => (cursor, nstreams),
        };
        let len = dst.len() / nstreams;
        let mut rest = dst;
        for stream in 0..nstreams {
            // The bytes after it are overwritten by the next stream.
            self.put_stream(coders, &cursor.next(len)?, (block, stream), len, rest)?;
            rest = &mut std::mem::take(&mut rest)[len..];
        }
        Ok(())
    }

    /// The content of a short block's only stream, in a buffer with slack.
    fn put_short<'w>(
        &self,
        worker: &'w mut Worker,
        stream: &Stream<'_>,
        block: usize,
        len: usize,
    ) -> Result<&'w [u8]> {
        let Worker { x, coders, .. } = worker;
        let scratch = grown(x, len + SLACK);
        self.put_stream(coders, stream, (block, 0), len, scratch)?;
        Ok(&scratch[..len])
    }

    /// Puts the content of a stream, `len` bytes, at the front of `dst`. The bytes after
    /// it may be overwritten. `at` is the block and the stream, for errors.
    fn put_stream(
        &self,
        coders: &mut Coders,
        stream: &Stream<'_>,
        at: (usize, usize),
        len: usize,
        dst: &mut [u8],
    ) -> Result<()> {
        match *stream {
            Stream::Run(value) => dst[..len].fill(value),
            Stream::Raw(data) => dst[..len].copy_from_slice(data),
            Stream::Coded {
                within,
                csize,
                offset,
            } => coders
                .decoder(&self.coding)
                .and_then(|decoder| decoder.decode_within(within, csize, dst, len))
                .map_err(|source| self.failed(offset, at, source))?,
        }
        Ok(())
    }

    /// The error of a codec.
    #[cold]
    pub(crate) fn failed(
        &self,
        offset: u64,
        (block, stream): (usize, usize),
        source: crate::error::BoxError,
    ) -> Error {
        Error::Codec {
            id: self.coding.id,
            block,
            stream,
            offset,
            source,
        }
    }
}

/// A header that needs a feature that this build lacks.
#[cold]
fn unsupported(offset: u64, what: Missing) -> Error {
    Error::Unsupported {
        part: Part::ChunkHeader,
        offset,
        what,
    }
}
