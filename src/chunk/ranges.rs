//! Parts of a chunk: items and bytes, of which only the blocks that hold them are decoded.
//!
//! Of those blocks no more is decoded than needed where the pipeline allows it: without a filter,
//! or with a byte shuffle (and a DELTA), only the wanted items are put together, raw streams are
//! read where they lie, and codecs stop early.

use std::ops::Range;

use super::block::{BlockDecoder, Extent, decode_some};
#[cfg(feature = "rayon")]
use super::decoder::helpers;
use super::decoder::{
    ChunkDecoder, decode_block, decode_plain, decode_reference, front, refuse_vlblocks,
};
use super::scratch::{Worker, room};
#[cfg(feature = "rayon")]
use super::share::share;
use super::view::Parsed;
use crate::error::{Error, Result};
use crate::limits::Limits;

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
        let mut view = Parsed::unread(chunk);
        view.read()?;
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
        let mut view = Parsed::unread(chunk);
        view.read()?;
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
        let mut view = Parsed::unread(chunk);
        view.read()?;
        check_range("byte", &bytes, view.nbytes())?;
        let len = bytes.len();
        self.decode_part(&view, bytes, front(dst, len)?)?;
        Ok(len)
    }

    /// Decompresses some bytes of a chunk into the front of `dst` and returns their number. Of the
    /// chunk only the front is there, with the offsets of blocks, and the blocks that hold these
    /// bytes: what begins at `at`.
    #[cfg(feature = "frame")]
    pub(crate) fn decode_from_parts(
        &mut self,
        front_of_chunk: &[u8],
        (blocks, at): (&[u8], usize),
        bytes: Range<usize>,
        dst: &mut [u8],
    ) -> Result<usize> {
        let view = Parsed::in_parts(front_of_chunk, blocks, at)?;
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
        let mut view = Parsed::unread(chunk);
        view.read()?;
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
        let mut at = 0;
        let mut coded = false;
        for range in ranges {
            coded |= !decode_plain(&view, range.start, &mut dst[at..at + range.len()]);
            at += range.len();
        }
        if coded {
            let mut pieces = std::mem::take(&mut self.pieces);
            cut(&mut pieces, view.layout().blocksize, ranges);
            let done = self.decode_pieces(&view, &mut pieces, dst);
            self.pieces = pieces;
            done?;
        }
        Ok(len)
    }

    /// Decodes pieces, which cover all of `dst`, each to its place.
    fn decode_pieces(
        &mut self,
        view: &Parsed<'_>,
        pieces: &mut [Piece],
        dst: &mut [u8],
    ) -> Result<()> {
        if pieces.is_empty() {
            return Ok(());
        }
        let mut decoder = BlockDecoder::new(view, &self.dparams, self.kernels);
        decoder.find()?;
        let limits = &self.dparams.limits;
        let later = pieces.iter().any(|piece| piece.block > 0);
        let part = PartDecoder::new(
            view,
            &decoder,
            limits,
            self.worker.get(),
            &mut self.reference,
            later,
        )?;
        #[cfg(feature = "rayon")]
        {
            let threads = &self.dparams.threads;
            let helpers = helpers(view, threads, dst.len(), pieces.len());
            if helpers > 0 {
                let mut wanted = places(pieces, dst);
                let groups = by_block(&mut wanted);
                return share(threads, helpers, &self.pool, groups, |worker, group| {
                    part.decode(worker, group)
                });
            }
        }
        pieces.sort_unstable_by_key(|piece| (piece.block, piece.at));
        for pieces in pieces.chunk_by(|a, b| a.block == b.block) {
            if let [piece] = pieces {
                let to = &mut dst[piece.at..piece.at + piece.bytes.len()];
                part.one(self.worker.get(), piece.block, piece.bytes.clone(), to)?;
            } else if let [piece, ..] = pieces {
                let block = part.whole(self.worker.get(), piece.block)?;
                copy_pieces(block, pieces, dst);
            }
        }
        Ok(())
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
        let mut pieces = std::mem::take(&mut self.pieces);
        cut(&mut pieces, view.layout().blocksize, &[bytes]);
        let done = self.decode_pieces(view, &mut pieces, dst);
        self.pieces = pieces;
        done
    }
}

/// A piece and its place in the destination.
#[cfg(feature = "rayon")]
pub(crate) struct Wanted<'d> {
    pub(crate) block: usize,
    bytes: Range<usize>,
    to: &'d mut [u8],
}

/// The places of pieces, in the order of their blocks. The pieces are in the order of their places
/// and cover all of `dst`.
#[cfg(feature = "rayon")]
pub(crate) fn places<'d>(pieces: &[Piece], dst: &'d mut [u8]) -> Vec<Wanted<'d>> {
    let mut rest = dst;
    let mut wanted = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let (to, behind) = std::mem::take(&mut rest).split_at_mut(piece.bytes.len());
        rest = behind;
        wanted.push(Wanted {
            block: piece.block,
            bytes: piece.bytes.clone(),
            to,
        });
    }
    wanted.sort_by_key(|wanted| wanted.block);
    wanted
}

/// Those of one block at a time.
#[cfg(feature = "rayon")]
pub(crate) fn by_block<'w, 'd>(
    wanted: &'w mut [Wanted<'d>],
) -> impl Iterator<Item = &'w mut [Wanted<'d>]> + Send {
    wanted.chunk_by_mut(|a, b| a.block == b.block)
}

/// Copies what is wanted out of a whole block.
#[cfg(feature = "rayon")]
pub(crate) fn copy_wanted(block: &[u8], group: &mut [Wanted<'_>]) {
    for wanted in group {
        wanted.to.copy_from_slice(&block[wanted.bytes.clone()]);
    }
}

/// Decodes parts of the blocks of one chunk.
struct PartDecoder<'w> {
    view: &'w Parsed<'w>,
    decoder: &'w BlockDecoder<'w>,
    /// The decoded first block, when later ones need it.
    reference: Option<&'w [u8]>,
}

impl<'w> PartDecoder<'w> {
    /// Prepares the reference block, when there is a DELTA and a later block is wanted.
    fn new(
        view: &'w Parsed<'w>,
        decoder: &'w BlockDecoder<'w>,
        limits: &Limits,
        worker: &mut Worker,
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
            reference,
        })
    }

    /// Decodes what is wanted of one block.
    #[cfg(feature = "rayon")]
    fn decode(&self, worker: &mut Worker, group: &mut [Wanted<'_>]) -> Result<()> {
        match group {
            [] => Ok(()),
            [only] => self.one(worker, only.block, only.bytes.clone(), only.to),
            [first, ..] => {
                let block = self.whole(worker, first.block)?;
                copy_wanted(block, group);
                Ok(())
            }
        }
    }

    /// Decodes some bytes of a block into all of `dst`.
    fn one(
        &self,
        worker: &mut Worker,
        block: usize,
        bytes: Range<usize>,
        dst: &mut [u8],
    ) -> Result<()> {
        let layout = self.view.layout();
        let reference = self.reference;
        if block == 0
            && let Some(reference) = reference
        {
            dst.copy_from_slice(&reference[bytes]);
            return Ok(());
        }
        let at = layout.block_at(self.view.as_bytes(), block)?;
        let cursor = self.view.cursor(at);
        let decoder = self.decoder;
        if bytes.len() == layout.block_len(block) {
            return decoder.decode(worker, cursor, block, reference, dst);
        }
        let extent = Extent {
            bytes: bytes.clone(),
            rows: None,
        };
        if decode_some(decoder, worker, cursor, (block, reference), extent, dst)? {
            return Ok(());
        }
        dst.copy_from_slice(&self.whole(worker, block)?[bytes]);
        Ok(())
    }

    /// Decodes a whole block.
    fn whole<'b>(&'b self, worker: &'b mut Worker, block: usize) -> Result<&'b [u8]> {
        if block == 0
            && let Some(reference) = self.reference
        {
            return Ok(reference);
        }
        let len = self.view.layout().block_len(block);
        let mut whole = std::mem::take(&mut worker.block);
        let to = room(&mut whole, len);
        let done = decode_block(self.view, self.decoder, worker, block, self.reference, to);
        worker.block = whole;
        done?;
        Ok(&worker.block[..len])
    }
}

/// Copies pieces out of a whole block.
pub(crate) fn copy_pieces(block: &[u8], pieces: &[Piece], dst: &mut [u8]) {
    for piece in pieces {
        let from = &block[piece.bytes.clone()];
        dst[piece.at..piece.at + from.len()].copy_from_slice(from);
    }
}

/// Cuts ranges of bytes at block borders, in the order of their places: one behind the other.
pub(crate) fn cut(pieces: &mut Vec<Piece>, blocksize: usize, ranges: &[Range<usize>]) {
    pieces.clear();
    let mut at = 0;
    for range in ranges {
        pieces.extend(pieces_of(blocksize, range, at));
        at += range.len();
    }
}

/// Cuts a range of bytes at block borders; the first byte goes to `at`.
fn pieces_of(blocksize: usize, range: &Range<usize>, at: usize) -> impl Iterator<Item = Piece> {
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
