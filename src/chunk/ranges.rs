//! Parts of a chunk: items and bytes, of which only the blocks that hold them are decoded.
//!
//! Of those blocks no more is decoded than needed where the pipeline allows it: without a filter,
//! or with a byte shuffle (and a DELTA), only the wanted items are put together, raw streams are
//! read where they lie, and codecs stop early.

use std::ops::Range;

use oxiblosc_kernels::Plane;

use super::block::BlockDecoder;
use super::decoder::{
    ChunkDecoder, decode_block, decode_plain, decode_reference, front, refuse_vlblocks,
};
use super::scratch::{Coders, Worker, room};
use super::view::Parsed;
use crate::error::{Error, Result};
use crate::filter::pipeline::Step;
use crate::limits::Limits;
use crate::stream::{Stream, StreamCursor};

/// The most byte planes.
const MAX_PLANES: usize = 255;

/// A part of one block that is wanted, and where it goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) block: usize,
    /// The bytes within the block.
    bytes: Range<usize>,
    /// Where they go.
    pub(crate) at: usize,
}

impl ChunkDecoder {
    /// Decompresses some items of a chunk. An item has the stored typesize: one byte in chunks of
    /// items larger than 255 bytes (format §8.3).
    ///
    /// ```
    /// use oxiblosc::{compress, ChunkDecoder, CParams};
    /// let chunk = compress(&[1, 0, 2, 0, 3, 0, 4, 0].repeat(100), &CParams::new(2))?;
    /// let items = ChunkDecoder::default().decode_items(&chunk, 1..3)?;
    /// assert_eq!(items, [2, 0, 3, 0]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] when the range passes the end; [`Error::Refused`] for
    /// variable-length blocks; else as [`decode`](Self::decode).
    #[doc(alias = "blosc2_getitem_ctx")]
    #[doc(alias = "blosc2_getitem")]
    #[doc(alias = "blosc1_getitem")]
    pub fn decode_items(&mut self, chunk: &[u8], items: Range<usize>) -> Result<Vec<u8>> {
        let view = Parsed::open(chunk)?;
        let bytes = item_bytes(&view, &items)?;
        self.dparams.limits.check_alloc(bytes.len() as u64, None)?;
        let mut dst = vec![0; bytes.len()];
        self.decode_part(&view, bytes, &mut dst)?;
        Ok(dst)
    }

    /// Decompresses some items of a chunk into the front of `dst` and returns their size in bytes
    /// (format §8.3).
    ///
    /// # Errors
    /// As [`decode_items`](Self::decode_items); [`Error::OutputTooSmall`] when `dst` is shorter
    /// than the items.
    #[doc(alias = "blosc2_getitem_ctx")]
    pub fn decode_items_into(
        &mut self,
        chunk: &[u8],
        items: Range<usize>,
        dst: &mut [u8],
    ) -> Result<usize> {
        let view = Parsed::open(chunk)?;
        let bytes = item_bytes(&view, &items)?;
        let len = bytes.len();
        self.decode_part(&view, bytes, front(dst, len)?)?;
        Ok(len)
    }

    /// Decompresses some bytes of a chunk into the front of `dst` and returns their number
    /// (format §8.3).
    ///
    /// # Errors
    /// As [`decode_items_into`](Self::decode_items_into).
    #[doc(alias = "blosc2_getitem_bytes_ctx")]
    pub fn decode_bytes_into(
        &mut self,
        chunk: &[u8],
        bytes: Range<usize>,
        dst: &mut [u8],
    ) -> Result<usize> {
        let view = Parsed::open(chunk)?;
        check_range("byte", &bytes, view.nbytes())?;
        let len = bytes.len();
        self.decode_part(&view, bytes, front(dst, len)?)?;
        Ok(len)
    }

    /// Decompresses many ranges of bytes of a chunk, one behind the other into the front of `dst`,
    /// and returns their number. A block that several of them touch is decoded once (format §8.3).
    ///
    /// ```
    /// use oxiblosc::{compress, ChunkDecoder, CParams};
    /// let chunk = compress(&[1, 2, 3, 4, 5].repeat(100), &CParams::new(1))?;
    /// let mut dst = [0; 5];
    /// ChunkDecoder::default().decode_ranges_into(&chunk, &[498..500, 0..3], &mut dst)?;
    /// assert_eq!(dst, [4, 5, 1, 2, 3]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`decode_items_into`](Self::decode_items_into).
    pub fn decode_ranges_into(
        &mut self,
        chunk: &[u8],
        ranges: &[Range<usize>],
        dst: &mut [u8],
    ) -> Result<usize> {
        let view = Parsed::open(chunk)?;
        refuse_vlblocks(&view)?;
        let mut len = 0_usize;
        for range in ranges {
            check_range("byte", range, view.nbytes())?;
            len = len.saturating_add(range.len());
        }
        let dst = front(dst, len)?;
        if let Some(hook) = self.dparams.postfilter.clone() {
            self.postfilter_ranges(&hook, &view, ranges, dst)?;
            return Ok(len);
        }
        let mut pieces = Vec::new();
        let mut at = 0;
        for range in ranges {
            if decode_plain(&view, range.start, &mut dst[at..at + range.len()]) {
                at += range.len();
                continue;
            }
            for piece in pieces_of(view.layout().blocksize, range, at) {
                pieces.push(piece);
            }
            at += range.len();
        }
        if pieces.is_empty() {
            return Ok(len);
        }
        pieces.sort_by_key(|piece| (piece.block, piece.at));
        let decoder = BlockDecoder::new(&view, &self.dparams, self.kernels)?;
        let mut part = PartDecoder::new(
            &view,
            &decoder,
            &self.dparams.limits,
            &mut self.worker,
            &mut self.reference,
            pieces.iter().any(|piece| piece.block > 0),
        )?;
        for pieces in pieces.chunk_by(|a, b| a.block == b.block) {
            part.decode(pieces, dst)?;
        }
        Ok(len)
    }

    /// Decodes a range of bytes, which lies inside the chunk, into all of `dst`.
    pub(crate) fn decode_part(
        &mut self,
        view: &Parsed<'_>,
        bytes: Range<usize>,
        dst: &mut [u8],
    ) -> Result<()> {
        refuse_vlblocks(view)?;
        if let Some(hook) = self.dparams.postfilter.clone() {
            return self.postfilter_ranges(&hook, view, &[bytes], dst);
        }
        if bytes.is_empty() || decode_plain(view, bytes.start, dst) {
            return Ok(());
        }
        if bytes.len() == view.nbytes() {
            return self.decode_view(view, dst);
        }
        let blocksize = view.layout().blocksize;
        let decoder = BlockDecoder::new(view, &self.dparams, self.kernels)?;
        let mut part = PartDecoder::new(
            view,
            &decoder,
            &self.dparams.limits,
            &mut self.worker,
            &mut self.reference,
            bytes.end > blocksize,
        )?;
        for piece in pieces_of(blocksize, &bytes, 0) {
            part.decode(&[piece], dst)?;
        }
        Ok(())
    }
}

/// Decodes parts of the blocks of one chunk.
struct PartDecoder<'w> {
    view: &'w Parsed<'w>,
    decoder: &'w BlockDecoder<'w>,
    worker: &'w mut Worker,
    /// The decoded first block, when later ones need it.
    reference: Option<&'w [u8]>,
}

impl<'w> PartDecoder<'w> {
    /// Prepares the reference block, when there is a DELTA and a later block is wanted.
    fn new(
        view: &'w Parsed<'w>,
        decoder: &'w BlockDecoder<'w>,
        limits: &Limits,
        worker: &'w mut Worker,
        reference: &'w mut Vec<u8>,
        later_blocks: bool,
    ) -> Result<Self> {
        // Buffers hold one block, whose size the input claims.
        limits.check_alloc(view.layout().blocksize as u64, Some(8))?;
        let reference = if later_blocks {
            decode_reference(view, decoder, limits, worker, reference)?
        } else {
            None
        };
        Ok(Self {
            view,
            decoder,
            worker,
            reference,
        })
    }

    /// Decodes pieces of one block, each to its place in `dst`.
    fn decode(&mut self, pieces: &[Piece], dst: &mut [u8]) -> Result<()> {
        let Some(first) = pieces.first() else {
            return Ok(());
        };
        let block = first.block;
        let layout = self.view.layout();
        let len = layout.block_len(block);
        if block == 0
            && let Some(reference) = self.reference
        {
            return copy_pieces(reference, pieces, dst);
        }
        if let [piece] = pieces {
            let dst = &mut dst[piece.at..piece.at + piece.bytes.len()];
            let at = layout.block_at(self.view.as_bytes(), block)?;
            let cursor = self.view.cursor(at);
            if piece.bytes.len() == len {
                let reference = self.reference;
                return self
                    .decoder
                    .decode(self.worker, cursor, block, reference, dst);
            }
            let bytes = piece.bytes.clone();
            if decode_some(
                self.decoder,
                self.worker,
                cursor,
                block,
                self.reference,
                bytes,
                dst,
            )? {
                return Ok(());
            }
        }
        let mut whole = std::mem::take(&mut self.worker.block);
        let to = room(&mut whole, len);
        let done = decode_block(
            self.view,
            self.decoder,
            self.worker,
            block,
            self.reference,
            to,
        )
        .and_then(|()| copy_pieces(to, pieces, dst));
        self.worker.block = whole;
        done
    }
}

/// Decodes some bytes of a block without the rest of it. False when the pipeline does not allow
/// it; nothing is written then.
pub(crate) fn decode_some(
    decoder: &BlockDecoder<'_>,
    worker: &mut Worker,
    mut cursor: StreamCursor<'_>,
    block: usize,
    reference: Option<&[u8]>,
    bytes: Range<usize>,
    dst: &mut [u8],
) -> Result<bool> {
    let len = decoder.layout().block_len(block);
    let nstreams = decoder.layout().nstreams(len);
    let Worker { x, y, coders, .. } = worker;
    let (group, delta) = match *decoder.steps() {
        [] if nstreams == 1 => {
            let reach = Reach {
                decoder,
                coders,
                at: (block, 0),
            };
            let scratch = room(x, len);
            match reach.read(cursor.next(len)?, len, bytes.end, scratch)? {
                Plane::Constant(value) => dst.fill(value),
                Plane::Bytes(data) => dst.copy_from_slice(&data[bytes]),
            }
            return Ok(true);
        }
        [Step::Shuffle { group }] => (group, false),
        [Step::Shuffle { group }, Step::Delta]
            if reference.is_some() && group == decoder.coding().cx.typesize =>
        {
            (group, true)
        }
        _ => return Ok(false),
    };
    let nitems = len / group;
    let items = bytes.start / group..bytes.end.div_ceil(group);
    if items.end > nitems || (nstreams > 1 && nstreams != group) {
        // A piece of the tail, which is no item, or planes that are no streams.
        return Ok(false);
    }
    let mut planes = [Plane::Constant(0); MAX_PLANES];
    let planes = &mut planes[..group];
    let scratch = room(x, len);
    if nstreams == 1 {
        let reach = Reach {
            decoder,
            coders,
            at: (block, 0),
        };
        let end = (group - 1) * nitems + items.end;
        match reach.read(cursor.next(len)?, len, end, scratch)? {
            Plane::Constant(value) => planes.fill(Plane::Constant(value)),
            Plane::Bytes(data) => {
                for (index, plane) in planes.iter_mut().enumerate() {
                    let at = index * nitems;
                    *plane = Plane::Bytes(&data[at + items.start..at + items.end]);
                }
            }
        }
    } else {
        for ((stream, plane), scratch) in planes
            .iter_mut()
            .enumerate()
            .zip(scratch.chunks_exact_mut(nitems))
        {
            let reach = Reach {
                decoder,
                coders: &mut *coders,
                at: (block, stream),
            };
            *plane = match reach.read(cursor.next(nitems)?, nitems, items.end, scratch)? {
                Plane::Bytes(data) => Plane::Bytes(&data[items.clone()]),
                constant @ Plane::Constant(_) => constant,
            };
        }
    }
    let start = items.start * group;
    let kernels = decoder.coding().cx.kernels;
    let put = |to: &mut [u8]| {
        kernels.unshuffle_planes(planes, &[], to);
        if let (true, Some(reference)) = (delta, reference) {
            kernels.delta_decode(group, Some(&reference[start..start + to.len()]), to);
        }
    };
    if dst.len() == items.len() * group {
        put(dst);
    } else {
        let whole = room(y, items.len() * group);
        put(whole);
        dst.copy_from_slice(&whole[bytes.start - start..bytes.end - start]);
    }
    Ok(true)
}

/// Reads the front of one stream.
struct Reach<'r, 'a> {
    decoder: &'r BlockDecoder<'a>,
    coders: &'r mut Coders,
    /// The block and the stream, for errors.
    at: (usize, usize),
}

impl Reach<'_, '_> {
    /// The stream, of which the first `end` of `len` bytes are there in any case.
    fn read<'s>(
        self,
        stream: Stream<'s>,
        len: usize,
        end: usize,
        scratch: &'s mut [u8],
    ) -> Result<Plane<'s>> {
        let (data, offset) = match stream {
            Stream::Run(value) => return Ok(Plane::Constant(value)),
            Stream::Raw(data) => return Ok(Plane::Bytes(data)),
            Stream::Coded { data, offset } => (data, offset),
        };
        let reached = self
            .coders
            .decoder(self.decoder.coding())
            .and_then(|coder| Ok(end < len && coder.decode_prefix(data, len, &mut scratch[..end])?))
            .map_err(|source| self.decoder.failed(offset, self.at, source))?;
        if !reached {
            self.decoder
                .decode_stream(self.coders, data, offset, self.at, &mut scratch[..len])?;
        }
        Ok(Plane::Bytes(scratch))
    }
}

/// Copies pieces out of a whole block.
pub(crate) fn copy_pieces(block: &[u8], pieces: &[Piece], dst: &mut [u8]) -> Result<()> {
    for piece in pieces {
        let from = &block[piece.bytes.clone()];
        dst[piece.at..piece.at + from.len()].copy_from_slice(from);
    }
    Ok(())
}

/// Cuts a range of bytes at block borders; the first byte goes to `at`.
pub(crate) fn pieces_of(
    blocksize: usize,
    range: &Range<usize>,
    at: usize,
) -> impl Iterator<Item = Piece> {
    let Range { start, end } = *range;
    let blocks = start / blocksize..end.div_ceil(blocksize);
    blocks.filter(move |_| start < end).map(move |block| {
        let first = block * blocksize;
        let from = start.max(first);
        Piece {
            block,
            bytes: from - first..end.min(first + blocksize) - first,
            at: at + (from - start),
        }
    })
}

/// The bytes of a range of items.
fn item_bytes(view: &Parsed<'_>, items: &Range<usize>) -> Result<Range<usize>> {
    check_range("item", items, view.nitems())?;
    let typesize = usize::from(view.layout().header.typesize);
    Ok(items.start * typesize..items.end * typesize)
}

/// Refuses a range that passes the end or runs backwards.
fn check_range(what: &'static str, range: &Range<usize>, len: usize) -> Result<()> {
    if range.start > range.end {
        return Err(Error::InvalidParam {
            name: "start of the range",
            value: i64::try_from(range.start).unwrap_or(i64::MAX),
            expected: "a start that is not behind the end",
        });
    }
    if range.end > len {
        return Err(Error::OutOfBounds {
            what,
            index: range.end as u64,
            len: len as u64,
        });
    }
    Ok(())
}
