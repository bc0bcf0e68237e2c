//! Parts of chosen blocks, each shown to a visitor or decoded straight to where it belongs.

use std::ops::Range;

use super::block::{BlockDecoder, Extent, Rows, decode_some};
use super::decoder::{ChunkDecoder, decode_block, decode_plain, decode_reference};
use super::layout::Body;
use super::scratch::room;
use super::view::Parsed;
use crate::error::Result;

/// A part of one block that is wanted.
#[derive(Clone, Debug)]
pub(crate) struct BlockPart {
    /// The block.
    pub(crate) block: usize,
    /// The bytes within it.
    pub(crate) bytes: Range<usize>,
}

/// Where parts of blocks go.
pub(crate) trait PartSink {
    /// Room for the `n`-th part where it belongs in the end, when that is one piece.
    fn place(&mut self, n: usize) -> Option<&mut [u8]>;

    /// The items that are wanted of the `n`-th part, when they are few.
    fn rows(&mut self, n: usize) -> Option<&Rows>;

    /// Takes the bytes of the `n`-th part; those that are not in its [`rows`](Self::rows) may have
    /// any value.
    fn put(&mut self, n: usize, bytes: &[u8]) -> Result<()>;
}

impl ChunkDecoder {
    /// Decodes parts of blocks of a chunk, which has `nbytes` bytes in blocks of `blocksize` (false
    /// when it has not, or its blocks cannot be told apart; nothing is done then).
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
        let layout = view.layout();
        if layout.body == Body::VlBlocks
            || self.dparams.postfilter.is_some()
            || view.nbytes() != nbytes
            || layout.blocksize != blocksize
        {
            return Ok(false);
        }
        if let Some(data) = view.memcpyed() {
            for (n, part) in parts.iter().enumerate() {
                let first = part.block * blocksize;
                sink.put(n, &data[first + part.bytes.start..first + part.bytes.end])?;
            }
            return Ok(true);
        }
        let mut whole = std::mem::take(&mut self.worker.get().block);
        let done = self.decode_each(&view, parts, room(&mut whole, blocksize), sink);
        self.worker.get().block = whole;
        done.map(|()| true)
    }

    fn decode_each(
        &mut self,
        view: &Parsed<'_>,
        parts: &[BlockPart],
        whole: &mut [u8],
        sink: &mut impl PartSink,
    ) -> Result<()> {
        let layout = view.layout();
        if view.special().is_some() {
            for (n, part) in parts.iter().enumerate() {
                let offset = part.block * layout.blocksize + part.bytes.start;
                let to = &mut whole[..part.bytes.len()];
                decode_plain(view, offset, to);
                sink.put(n, to)?;
            }
            return Ok(());
        }
        let mut decoder = BlockDecoder::new(view, &self.dparams, self.kernels);
        decoder.find()?;
        let worker = self.worker.get();
        let reference = if parts.iter().any(|part| part.block > 0) {
            let limits = &self.dparams.limits;
            decode_reference(view, &decoder, limits, worker, &mut self.reference)?
        } else {
            None
        };
        for (n, part) in parts.iter().enumerate() {
            let (block, bytes) = (part.block, part.bytes.clone());
            if let (0, Some(reference)) = (block, reference) {
                sink.put(n, &reference[bytes])?;
                continue;
            }
            let len = layout.block_len(block);
            if bytes.len() == len {
                match sink.place(n) {
                    Some(to) => decode_block(view, &decoder, worker, block, reference, to)?,
                    None => {
                        let to = &mut whole[..len];
                        decode_block(view, &decoder, worker, block, reference, to)?;
                        sink.put(n, to)?;
                    }
                }
                continue;
            }
            // Little of a block: perhaps less than all of it has to be decoded or put together.
            let rows = sink.rows(n);
            if rows.is_some() || bytes.len() < len - len / 4 {
                let cursor = view.cursor(layout.block_at(view.as_bytes(), block)?);
                let to = &mut whole[..bytes.len()];
                let extent = Extent {
                    bytes: bytes.clone(),
                    rows,
                };
                if decode_some(&decoder, worker, cursor, (block, reference), extent, to)? {
                    sink.put(n, to)?;
                    continue;
                }
            }
            let to = &mut whole[..len];
            decode_block(view, &decoder, worker, block, reference, to)?;
            sink.put(n, &to[bytes])?;
        }
        Ok(())
    }
}
