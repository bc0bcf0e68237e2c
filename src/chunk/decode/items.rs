//! Parts of a chunk: items, bytes and many ranges of bytes, for which only the blocks that hold
//! them are decoded.
//!
//! Of those blocks, no more is decoded than needed where the pipeline allows it: without a filter,
//! or with a byte shuffle (and a DELTA), only the wanted items are unshuffled, raw streams are read
//! in place, and codecs stop early.

use std::mem::MaybeUninit;
use std::ops::Range;

use oxiblosc_kernels::unwritten;

use super::super::parsed::Parsed;
use super::super::ranges::{check_range, item_bytes, len_of_ranges};
use super::decoder::{ChunkDecoder, allocate, allocate_fresh, append, append_fresh, front};
use super::executor::RequestSize;
use super::task::{PieceTasks, pieces, recycle};
use crate::error::Result;
use crate::num::to_u64;

impl ChunkDecoder {
    /// Decompresses some items of a chunk. An item has the stored typesize: one byte in chunks of
    /// items larger than 255 bytes ([format §8.3](crate::format#8.3)).
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
    /// [`Error::OutOfBounds`] when the range exceeds the chunk; [`Error::Refused`] for
    /// variable-length blocks; else as [`decode`](Self::decode).
    ///
    /// [`Error::OutOfBounds`]: crate::Error::OutOfBounds
    /// [`Error::Refused`]: crate::Error::Refused
    #[doc(alias = "blosc2_getitem_ctx")]
    #[doc(alias = "blosc2_getitem")]
    #[doc(alias = "blosc1_getitem")]
    pub fn decode_items(&mut self, chunk: &[u8], items: Range<usize>) -> Result<Vec<u8>> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        let bytes = item_bytes(view.layout(), &items)?;
        self.check_alloc(bytes.len())?;
        allocate_fresh(bytes.len(), |dst| {
            self.decode_range_fresh(&view, bytes, dst)
        })
    }

    /// Decompresses some items of a chunk into the front of `dst` and returns their size in bytes
    /// ([format §8.3](crate::format#8.3)).
    ///
    /// # Errors
    /// As [`decode_items`](Self::decode_items); [`Error::OutputTooSmall`] when `dst` is shorter
    /// than the items.
    ///
    /// [`Error::OutputTooSmall`]: crate::Error::OutputTooSmall
    #[doc(alias = "blosc2_getitem_ctx")]
    pub fn decode_items_into(
        &mut self,
        chunk: &[u8],
        items: Range<usize>,
        dst: &mut [u8],
    ) -> Result<usize> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        let bytes = item_bytes(view.layout(), &items)?;
        let len = bytes.len();
        self.decode_range(&view, bytes, front(dst, len)?)?;
        Ok(len)
    }

    /// Decompresses some items of a chunk into the front of memory that need
    /// not be initialised, and returns the bytes ([format §8.3](crate::format#8.3)).
    ///
    /// # Errors
    /// As [`decode_items_into`](Self::decode_items_into).
    pub fn decode_items_uninit<'d>(
        &mut self,
        chunk: &[u8],
        items: Range<usize>,
        dst: &'d mut [MaybeUninit<u8>],
    ) -> Result<&'d mut [u8]> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        let bytes = item_bytes(view.layout(), &items)?;
        let dst = front(dst, bytes.len())?;
        unwritten::write_all(dst, |dst| self.decode_range_fresh(&view, bytes, dst))
    }

    /// Decompresses some items of a chunk, appends them to `dst` and returns their size in bytes
    /// ([format §8.3](crate::format#8.3)).
    ///
    /// # Errors
    /// As [`decode_items`](Self::decode_items); `dst` is then unchanged.
    pub fn decode_items_append(
        &mut self,
        chunk: &[u8],
        items: Range<usize>,
        dst: &mut Vec<u8>,
    ) -> Result<usize> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        let bytes = item_bytes(view.layout(), &items)?;
        self.check_alloc(bytes.len())?;
        append_fresh(bytes.len(), dst, |dst| {
            self.decode_range_fresh(&view, bytes, dst)
        })
    }

    /// Decompresses some bytes of a chunk ([format §8.3](crate::format#8.3)).
    ///
    /// ```
    /// use oxiblosc::{compress, ChunkDecoder, CParams};
    /// let chunk = compress(&[1, 2, 3, 4, 5].repeat(100), &CParams::new(1))?;
    /// assert_eq!(ChunkDecoder::default().decode_bytes(&chunk, 498..500)?, [4, 5]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`decode_items`](Self::decode_items).
    #[doc(alias = "blosc2_getitem_bytes_ctx")]
    pub fn decode_bytes(&mut self, chunk: &[u8], bytes: Range<usize>) -> Result<Vec<u8>> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        check_range("byte", &bytes, view.nbytes())?;
        self.check_alloc(bytes.len())?;
        allocate_fresh(bytes.len(), |dst| {
            self.decode_range_fresh(&view, bytes, dst)
        })
    }

    /// Decompresses some bytes of a chunk into the front of `dst` and returns their number
    /// ([format §8.3](crate::format#8.3)).
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
        self.decode_range(&view, bytes, front(dst, len)?)?;
        Ok(len)
    }

    /// Decompresses some bytes of a chunk into the front of memory that need
    /// not be initialised, and returns the bytes ([format §8.3](crate::format#8.3)).
    ///
    /// ```
    /// use oxiblosc::{compress, ChunkDecoder, CParams};
    /// let chunk = compress(&[1, 2, 3, 4, 5].repeat(100), &CParams::new(1))?;
    /// let mut memory = Vec::with_capacity(100);
    /// let bytes = memory.spare_capacity_mut();
    /// let bytes = ChunkDecoder::default().decode_bytes_uninit(&chunk, 498..500, bytes)?;
    /// assert_eq!(bytes, [4, 5]);
    /// # let _: &Vec<u8> = &memory;
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`decode_bytes_into`](Self::decode_bytes_into).
    pub fn decode_bytes_uninit<'d>(
        &mut self,
        chunk: &[u8],
        bytes: Range<usize>,
        dst: &'d mut [MaybeUninit<u8>],
    ) -> Result<&'d mut [u8]> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        check_range("byte", &bytes, view.nbytes())?;
        let dst = front(dst, bytes.len())?;
        unwritten::write_all(dst, |dst| self.decode_range_fresh(&view, bytes, dst))
    }

    /// Decompresses some bytes of a chunk, appends them to `dst` and returns their number
    /// ([format §8.3](crate::format#8.3)).
    ///
    /// # Errors
    /// As [`decode_bytes`](Self::decode_bytes); `dst` is then unchanged.
    pub fn decode_bytes_append(
        &mut self,
        chunk: &[u8],
        bytes: Range<usize>,
        dst: &mut Vec<u8>,
    ) -> Result<usize> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        check_range("byte", &bytes, view.nbytes())?;
        self.check_alloc(bytes.len())?;
        append_fresh(bytes.len(), dst, |dst| {
            self.decode_range_fresh(&view, bytes, dst)
        })
    }

    /// Decompresses many ranges of bytes of a chunk, consecutively in the order of the list. A
    /// block that several of them touch is decoded once ([format §8.3](crate::format#8.3)).
    ///
    /// ```
    /// use oxiblosc::{compress, ChunkDecoder, CParams};
    /// let chunk = compress(&[1, 2, 3, 4, 5].repeat(100), &CParams::new(1))?;
    /// let bytes = ChunkDecoder::default().decode_ranges(&chunk, &[498..500, 0..3])?;
    /// assert_eq!(bytes, [4, 5, 1, 2, 3]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`decode_items`](Self::decode_items).
    pub fn decode_ranges(&mut self, chunk: &[u8], ranges: &[Range<usize>]) -> Result<Vec<u8>> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        let len = len_of_ranges(view.layout(), ranges)?;
        self.check_alloc(len)?;
        allocate(len, |dst| self.decode_many(&view, ranges, dst))
    }

    /// Decompresses many ranges of bytes of a chunk, consecutively into the front of `dst`, and
    /// returns their number. A block that several of them touch is decoded once
    /// ([format §8.3](crate::format#8.3)).
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
        let len = len_of_ranges(view.layout(), ranges)?;
        self.decode_many(&view, ranges, front(dst, len)?)?;
        Ok(len)
    }

    /// Decompresses many ranges of bytes of a chunk, consecutively, into the front of memory that
    /// need not be initialised, and returns the bytes ([format §8.3](crate::format#8.3)).
    ///
    /// # Errors
    /// As [`decode_ranges_into`](Self::decode_ranges_into).
    pub fn decode_ranges_uninit<'d>(
        &mut self,
        chunk: &[u8],
        ranges: &[Range<usize>],
        dst: &'d mut [MaybeUninit<u8>],
    ) -> Result<&'d mut [u8]> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        let len = len_of_ranges(view.layout(), ranges)?;
        let dst = front(dst, len)?;
        unwritten::write_all(dst, |dst| self.decode_many(&view, ranges, dst.zeroed()))
    }

    /// Decompresses many ranges of bytes of a chunk, appends them to `dst` in the order of the list
    /// and returns their number. A block that several of them touch is decoded once
    /// ([format §8.3](crate::format#8.3)).
    ///
    /// # Errors
    /// As [`decode_ranges`](Self::decode_ranges); `dst` is then unchanged.
    pub fn decode_ranges_append(
        &mut self,
        chunk: &[u8],
        ranges: &[Range<usize>],
        dst: &mut Vec<u8>,
    ) -> Result<usize> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        let len = len_of_ranges(view.layout(), ranges)?;
        self.check_alloc(len)?;
        append(len, dst, |dst| self.decode_many(&view, ranges, dst))
    }

    /// Whether this decoder may allocate a result of `len` bytes.
    pub(super) fn check_alloc(&self, len: usize) -> Result<()> {
        self.dparams().limits.check_alloc(to_u64(len), None)
    }

    /// Decodes ranges of bytes, which lie inside the chunk, into all of `dst`.
    pub(super) fn decode_many(
        &mut self,
        view: &Parsed<'_>,
        ranges: &[Range<usize>],
        dst: &mut [u8],
    ) -> Result<()> {
        if self.dparams().postfilter.is_none() && view.fill_plain(0, &mut []) {
            let mut rest = dst;
            for range in ranges {
                let (to, later) = std::mem::take(&mut rest).split_at_mut(range.len());
                view.fill_plain(range.start, to);
                rest = later;
            }
            return Ok(());
        }
        if dst.is_empty() {
            return Ok(());
        }
        let (nbytes, blocksize) = (dst.len(), view.layout().blocksize);
        let mut list = pieces(std::mem::take(&mut self.pieces), blocksize, ranges, dst);
        let tasks = PieceTasks::new(blocksize, &mut list);
        let size = RequestSize {
            nbytes,
            later: tasks.has_later(),
            partial: true,
        };
        let done = self.executor.run(view, size, tasks);
        self.pieces = recycle(list);
        done
    }
}
