//! From the streams of a block to the block.

use oxiblosc_kernels::{Kernels, Plane};

use super::super::scratch::{Coders, Coding, Worker, room};
use super::super::special::fill_repeat;
use super::super::view::{Body, Layout, Parsed};
use crate::codec::{self, CodecContext, StreamDecoder};
use crate::error::{Error, Missing, Part, Result};
use crate::filter::FilterContext;
use crate::filter::pipeline::{Pipeline, Step};
use crate::params::DParams;
use crate::stream::{Stream, StreamCursor};

/// What all blocks of a chunk have in common when they are decoded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockDecoder<'a> {
    layout: &'a Layout,
    pipeline: Pipeline<'a>,
    coding: Coding<'a>,
    b2nd: Option<&'a [u8]>,
}

/// Room behind what a codec decodes, which it may write to.
pub(super) const SLACK: usize = 128;
/// The typesizes from which on the table of planes is made as large as it can get.
pub(super) const FEW_PLANES: usize = 16;
/// The most streams of a block.
const MAX_PLANES: usize = 255;

impl<'a> BlockDecoder<'a> {
    /// Finds the codec and the filters of a chunk.
    #[inline(always)]
    pub(crate) fn new(
        chunk: &'a Parsed<'_>,
        dparams: &'a DParams,
        kernels: Kernels,
    ) -> Result<Self> {
        let layout = chunk.layout();
        let header = &layout.header;
        let registry = dparams.registry.as_deref();
        let typesize = usize::from(header.typesize);
        let mut pipeline = Pipeline::empty();
        if let Err(unknown) =
            pipeline.push_backward(&header.filters(chunk.as_bytes()), typesize, registry)
        {
            // Filters that nobody knows are in extended headers only.
            let offset = 16 + unknown.slot as u64;
            return Err(unsupported(offset, Missing::Filter(unknown.id)));
        }
        let Some(id) = header.codec() else {
            return Err(unsupported(2, Missing::Compformat(header.compformat())));
        };
        let Some(codec) = codec::find(registry, id) else {
            let offset = if header.compformat() == 6 { 22 } else { 2 };
            return Err(unsupported(offset, Missing::Codec(id)));
        };
        let b2nd = dparams.b2nd.as_deref();
        let cx = CodecContext {
            clevel: 0,
            meta: header.codec_meta,
            typesize,
            blocksize: layout.blocksize,
            dict: chunk.dict(),
            b2nd,
            kernels,
        };
        Ok(Self {
            layout,
            pipeline,
            coding: Coding { codec, id, cx },
            b2nd,
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
        self.layout
    }

    /// The codec and its context.
    pub(crate) fn coding(&self) -> &Coding<'a> {
        &self.coding
    }

    /// What filters are told about a block.
    pub(crate) fn filter_context<'r>(
        &self,
        block: usize,
        reference: Option<&'r [u8]>,
    ) -> FilterContext<'r>
    where
        'a: 'r,
    {
        FilterContext {
            meta: 0,
            typesize: self.coding.cx.typesize,
            version: self.layout.header.version,
            block: u32::try_from(block).unwrap_or(u32::MAX),
            // Each variable-length block stands alone.
            offset: match self.layout.body {
                Body::VlBlocks => 0,
                _ => block.saturating_mul(self.layout.blocksize),
            },
            reference,
            b2nd: self.b2nd,
            kernels: self.coding.cx.kernels,
        }
    }

    /// Decodes one block, whose streams are at `cursor`, into all of `dst`. `reference` is the
    /// decoded first block, for every other one.
    pub(crate) fn decode(
        &self,
        worker: &mut Worker,
        mut cursor: StreamCursor<'_>,
        block: usize,
        reference: Option<&[u8]>,
        dst: &mut [u8],
    ) -> Result<()> {
        let len = dst.len();
        let nstreams = self.layout.nstreams(len);
        let steps = self.pipeline.steps();
        let cx = self.filter_context(block, reference);
        let Worker { x, y, coders, .. } = worker;
        // The last step that needs another buffer to write to writes to `dst`.
        let Some(last) = steps.iter().rposition(|step| !step.is_in_place()) else {
            self.collect(coders, &mut cursor, block, nstreams, dst)?;
            for step in steps {
                step.backward_in_place(&cx, dst);
            }
            return Ok(());
        };
        let scratch = room(x, len + SLACK);
        let mut y = if last > 0 { room(y, len) } else { &mut [] };
        let mut next = 0;
        let mut x;
        if steps[0].is_in_place() {
            x = &mut scratch[..len];
            self.collect(coders, &mut cursor, block, nstreams, x)?;
        } else {
            let to = if last == 0 { &mut *dst } else { &mut *y };
            self.first_step(coders, &mut cursor, nstreams, &cx, scratch, to)?;
            x = &mut scratch[..len];
            std::mem::swap(&mut x, &mut y);
            next = 1;
        }
        // The block is in `dst` behind the last step, in `x` before.
        for (i, step) in steps.iter().enumerate().skip(next) {
            if i > last {
                step.backward_in_place(&cx, dst);
            } else if step.is_in_place() {
                step.backward_in_place(&cx, x);
            } else if i == last {
                step.backward(&cx, x, dst)?;
            } else {
                step.backward(&cx, x, y)?;
                std::mem::swap(&mut x, &mut y);
            }
        }
        Ok(())
    }

    /// Takes the first step from the streams into `dst`, with `scratch` of the same length and the
    /// slack for what the codec decodes.
    fn first_step(
        &self,
        coders: &mut Coders,
        cursor: &mut StreamCursor<'_>,
        nstreams: usize,
        cx: &FilterContext<'_>,
        scratch: &mut [u8],
        dst: &mut [u8],
    ) -> Result<()> {
        let step = &self.pipeline.steps()[0];
        let block = cx.block as usize;
        let len = dst.len();
        if nstreams > 1 {
            return match step {
                Step::Shuffle { group } if *group != nstreams => {
                    self.collect(coders, cursor, block, nstreams, &mut scratch[..len])?;
                    step.backward(cx, &scratch[..len], dst)
                }
                Step::Shuffle { .. } if nstreams <= FEW_PLANES => {
                    self.unshuffle::<FEW_PLANES>(coders, cursor, nstreams, block, scratch, dst)
                }
                Step::Shuffle { .. } => {
                    self.unshuffle::<MAX_PLANES>(coders, cursor, nstreams, block, scratch, dst)
                }
                _ => {
                    self.collect(coders, cursor, block, nstreams, &mut scratch[..len])?;
                    step.backward(cx, &scratch[..len], dst)
                }
            };
        }
        let src = match cursor.next(len)? {
            Stream::Run(0) if step.keeps_zeros() => {
                dst.fill(0);
                return Ok(());
            }
            Stream::Run(value) if matches!(step, Step::Shuffle { .. }) => {
                dst.fill(value);
                return Ok(());
            }
            Stream::Run(value) => {
                scratch[..len].fill(value);
                &scratch[..len]
            }
            Stream::Raw(data) => data,
            Stream::Coded {
                within,
                csize,
                offset,
            } => {
                coders
                    .decoder(&self.coding)
                    .and_then(|decoder| decoder.decode_within(within, csize, scratch, len))
                    .map_err(|source| self.failed(offset, (block, 0), source))?;
                &scratch[..len]
            }
        };
        step.backward(cx, src, dst)
    }

    /// Unshuffles split streams into `dst`: raw ones from where they lie in the chunk, runs from
    /// their value, the others by way of `scratch`.
    fn unshuffle<const N: usize>(
        &self,
        coders: &mut Coders,
        cursor: &mut StreamCursor<'_>,
        nstreams: usize,
        block: usize,
        scratch: &mut [u8],
        dst: &mut [u8],
    ) -> Result<()> {
        let len = dst.len() / nstreams;
        let mut planes = [Plane::Constant(0); N];
        let planes = &mut planes[..nstreams];
        let mut rest = scratch;
        let mut runs = 0;
        let mut decoder: Option<&mut dyn StreamDecoder> = None;
        let mut coders = Some(coders);
        for (stream, plane) in planes.iter_mut().enumerate() {
            *plane = match cursor.next(len)? {
                Stream::Run(value) => {
                    runs += 1;
                    Plane::Constant(value)
                }
                Stream::Raw(data) => Plane::Bytes(data),
                Stream::Coded {
                    within,
                    csize,
                    offset,
                } => {
                    if let Some(coders) = coders.take() {
                        let found = coders.decoder(&self.coding);
                        let failed = |source| self.failed(offset, (block, stream), source);
                        decoder = Some(found.map_err(failed)?);
                    }
                    if let Some(decoder) = &mut decoder {
                        // What lies behind is written after it: the next stream, or the slack.
                        let done = decoder.decode_within(within, csize, rest, len);
                        done.map_err(|source| self.failed(offset, (block, stream), source))?;
                    }
                    let (to, behind) = std::mem::take(&mut rest).split_at_mut(len);
                    rest = behind;
                    Plane::Bytes(to)
                }
            };
        }
        if runs == nstreams {
            let mut item = [0; N];
            for (byte, plane) in item.iter_mut().zip(planes.iter()) {
                if let Plane::Constant(value) = plane {
                    *byte = *value;
                }
            }
            fill_repeat(&item[..nstreams], 0, dst);
            return Ok(());
        }
        self.coding.cx.kernels.unshuffle_planes(planes, &[], dst);
        Ok(())
    }

    /// Decodes the streams one behind the other into `dst`.
    fn collect(
        &self,
        coders: &mut Coders,
        cursor: &mut StreamCursor<'_>,
        block: usize,
        nstreams: usize,
        dst: &mut [u8],
    ) -> Result<()> {
        let len = dst.len() / nstreams;
        let mut rest = dst;
        for stream in 0..nstreams {
            match cursor.next(len)? {
                Stream::Run(value) => rest[..len].fill(value),
                Stream::Raw(data) => rest[..len].copy_from_slice(data),
                Stream::Coded {
                    within,
                    csize,
                    offset,
                } => coders
                    .decoder(&self.coding)
                    // What lies behind is written after it.
                    .and_then(|decoder| decoder.decode_within(within, csize, rest, len))
                    .map_err(|source| self.failed(offset, (block, stream), source))?,
            }
            rest = &mut std::mem::take(&mut rest)[len..];
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
            block: u32::try_from(block).unwrap_or(u32::MAX),
            stream: u32::try_from(stream).unwrap_or(u32::MAX),
            offset,
            source,
        }
    }
}

/// A header that asks for what is not offered here.
#[cold]
fn unsupported(offset: u64, what: Missing) -> Error {
    Error::Unsupported {
        part: Part::ChunkHeader,
        offset,
        what,
    }
}
