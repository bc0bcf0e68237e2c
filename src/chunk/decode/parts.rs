//! Parts of chosen blocks, each passed to a sink or decoded directly to its destination.

use std::ops::Range;

use super::super::front::ChunkFront;
use super::super::layout::Payload;
use super::super::parsed::{ChunkPart, Parsed};
use super::decoder::ChunkDecoder;
use super::executor::RequestSize;
use super::part::Rows;
use super::task::{Destination, Task, Tasks};
use crate::error::Result;

/// A part of one block that is wanted.
#[derive(Clone, Debug)]
pub(crate) struct BlockPart {
    /// The block.
    pub(crate) block: usize,
    /// The bytes within it.
    pub(crate) bytes: Range<usize>,
}

/// Destination of parts of blocks.
pub(crate) trait PartSink {
    /// Memory for the `n`-th part at its final location, when that is contiguous.
    fn slice(&mut self, n: usize) -> Option<&mut [u8]>;

    /// The items that are wanted of the `n`-th part, when they are few.
    fn rows(&mut self, n: usize) -> Option<&Rows>;

    /// Takes the bytes of the `n`-th part; those that are not in its [`rows`](Self::rows) may have
    /// any value.
    fn put(&mut self, n: usize, bytes: &[u8]) -> Result<()>;
}

/// The destination of the `n`-th part.
struct SinkPart<'s, S> {
    n: usize,
    sink: &'s mut S,
}

impl<S: PartSink> Destination for SinkPart<'_, S> {
    fn slice(&mut self) -> Option<&mut [u8]> {
        self.sink.slice(self.n)
    }

    fn rows(&mut self) -> Option<&Rows> {
        self.sink.rows(self.n)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.sink.put(self.n, bytes)
    }
}

/// Parts as a list whose destinations take no whole block 0.
struct Parts<'p>(&'p [BlockPart]);

impl Tasks<'_> for Parts<'_> {
    fn count_tasks(&self) -> usize {
        // The sink is not shared between threads.
        1
    }
}

impl ChunkDecoder {
    /// Decodes parts of blocks of a chunk of `nbytes` bytes in blocks of `blocksize`. With other
    /// sizes, variable-length blocks or a postfilter, does nothing and returns false.
    ///
    /// Parts are within their blocks, and every block comes in one part.
    pub(crate) fn decode_parts(
        &mut self,
        chunk: &[u8],
        (nbytes, blocksize): (usize, usize),
        parts: &[BlockPart],
        sink: &mut impl PartSink,
    ) -> Result<bool> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        self.decode_view(&view, (nbytes, blocksize), parts, sink)
    }

    /// [`decode_parts`](Self::decode_parts) of a chunk of which only some bytes were fetched.
    pub(crate) fn decode_fetched_parts(
        &mut self,
        (front, fetched): (&ChunkFront, &[ChunkPart<'_>]),
        sizes: (usize, usize),
        parts: &[BlockPart],
        sink: &mut impl PartSink,
    ) -> Result<bool> {
        self.decode_view(&front.view(fetched)?, sizes, parts, sink)
    }

    fn decode_view(
        &mut self,
        view: &Parsed<'_>,
        (nbytes, blocksize): (usize, usize),
        parts: &[BlockPart],
        sink: &mut impl PartSink,
    ) -> Result<bool> {
        let layout = view.layout();
        if layout.payload == Payload::VlBlocks
            || self.dparams().postfilter.is_some()
            || view.nbytes() != nbytes
            || layout.blocksize != blocksize
        {
            return Ok(false);
        }
        let size = RequestSize {
            nbytes,
            later: parts.iter().any(|part| part.block > 0),
            partial: true,
        };
        let executor = &mut self.executor;
        executor.with_blocks(view, size, Parts(parts), |blocks, _, tools, parts| {
            for (n, part) in parts.0.iter().enumerate() {
                let task = Task {
                    block: part.block,
                    offset: part.block * blocksize,
                    bytes: part.bytes.clone(),
                    dst: SinkPart {
                        n,
                        sink: &mut *sink,
                    },
                };
                blocks.read(tools.own, task)?;
            }
            Ok(())
        })?;
        Ok(true)
    }
}
