//! Chosen blocks of a chunk, and variable-length blocks.

use std::mem::MaybeUninit;

use oxiblosc_kernels::unwritten;

use super::super::parsed::Parsed;
use super::super::ranges::refuse_vlblocks;
use super::super::vlblocks;
use super::decoder::{ChunkDecoder, allocate, allocate_fresh, append, append_fresh, front};
use super::executor::RequestSize;
use super::task::{ChosenTasks, Task};
use crate::error::{Error, Result};
use crate::num::{saturating_i64, to_u64};

impl ChunkDecoder {
    /// Decompresses the blocks for which `wanted` is true. The result is as long as the chunk, with
    /// zeros for the other blocks ([format §8.4](crate::format#8.4)).
    ///
    /// ```
    /// use oxiblosc::{compress, ChunkDecoder, CParams};
    /// let chunk = compress(&[7; 1000], &CParams::new(1).blocksize(Some(400)))?;
    /// let dst = ChunkDecoder::default().decode_blocks(&chunk, &[false, true, false])?;
    /// assert_eq!(dst.len(), 1000);
    /// assert_eq!(dst[399..=400], [0, 7]);
    /// assert_eq!(dst[799..=800], [7, 0]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidParam`] unless there is one entry per block; [`Error::Refused`] for
    /// variable-length blocks; else as [`decode`](Self::decode).
    #[doc(alias = "blosc2_set_maskout")]
    pub fn decode_blocks(&mut self, chunk: &[u8], wanted: &[bool]) -> Result<Vec<u8>> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        self.check_alloc_whole(&view)?;
        allocate(view.nbytes(), |dst| self.decode_chosen(&view, wanted, dst))
    }

    /// Decompresses the blocks for which `wanted` is true, each to its position in `dst`; the other
    /// bytes of `dst` are unchanged. Returns the size of the chunk in bytes
    /// ([format §8.4](crate::format#8.4)).
    ///
    /// # Errors
    /// As [`decode_blocks`](Self::decode_blocks) and [`decode_into`](Self::decode_into).
    #[doc(alias = "blosc2_set_maskout")]
    pub fn decode_blocks_into(
        &mut self,
        chunk: &[u8],
        wanted: &[bool],
        dst: &mut [u8],
    ) -> Result<usize> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        let nbytes = view.nbytes();
        refuse_vlblocks(view.layout())?;
        self.decode_chosen(&view, wanted, front(dst, nbytes)?)?;
        Ok(nbytes)
    }

    /// Decompresses the blocks for which `wanted` is true, each to its position in memory that need
    /// not be initialised, with zeros for the other blocks. Returns as many bytes as the chunk has
    /// ([format §8.4](crate::format#8.4)).
    ///
    /// # Errors
    /// As [`decode_blocks_into`](Self::decode_blocks_into).
    pub fn decode_blocks_uninit<'d>(
        &mut self,
        chunk: &[u8],
        wanted: &[bool],
        dst: &'d mut [MaybeUninit<u8>],
    ) -> Result<&'d mut [u8]> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        refuse_vlblocks(view.layout())?;
        let dst = front(dst, view.nbytes())?;
        unwritten::write_all(dst, |dst| self.decode_chosen(&view, wanted, dst.zeroed()))
    }

    /// Decompresses the blocks for which `wanted` is true, and appends as many bytes as the chunk
    /// has to `dst`, with zeros for the other blocks. Returns the size of the chunk in bytes
    /// ([format §8.4](crate::format#8.4)).
    ///
    /// # Errors
    /// As [`decode_blocks`](Self::decode_blocks); `dst` is then unchanged.
    pub fn decode_blocks_append(
        &mut self,
        chunk: &[u8],
        wanted: &[bool],
        dst: &mut Vec<u8>,
    ) -> Result<usize> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        self.check_alloc_whole(&view)?;
        append(view.nbytes(), dst, |dst| {
            self.decode_chosen(&view, wanted, dst)
        })
    }

    /// Decompresses one block ([format §2.2](crate::format#2.2)).
    ///
    /// ```
    /// use oxiblosc::{compress, ChunkDecoder, CParams};
    /// let chunk = compress(&[7; 1000], &CParams::new(1).blocksize(Some(400)))?;
    /// assert_eq!(ChunkDecoder::default().decode_block(&chunk, 2)?, [7; 200]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] when there is no such block; [`Error::Refused`] for variable-length
    /// blocks, which [`decode_vlblock`](Self::decode_vlblock) reads; else as
    /// [`decode`](Self::decode).
    pub fn decode_block(&mut self, chunk: &[u8], block: usize) -> Result<Vec<u8>> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        let task = BlockRange::of(&view, block)?;
        self.check_alloc(task.len)?;
        allocate_fresh(task.len, |dst| {
            self.decode_range_fresh(&view, task.bytes(), dst)
        })
    }

    /// Decompresses one block into the front of `dst` and returns its size in bytes
    /// ([format §2.2](crate::format#2.2)).
    ///
    /// # Errors
    /// As [`decode_block`](Self::decode_block); [`Error::OutputTooSmall`] when `dst` is shorter
    /// than the block.
    pub fn decode_block_into(
        &mut self,
        chunk: &[u8],
        block: usize,
        dst: &mut [u8],
    ) -> Result<usize> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        let task = BlockRange::of(&view, block)?;
        self.decode_at(&view, task, front(dst, task.len)?)?;
        Ok(task.len)
    }

    /// Decompresses one block into the front of memory that need not be
    /// initialised, and returns the bytes ([format §2.2](crate::format#2.2)).
    ///
    /// # Errors
    /// As [`decode_block_into`](Self::decode_block_into).
    pub fn decode_block_uninit<'d>(
        &mut self,
        chunk: &[u8],
        block: usize,
        dst: &'d mut [MaybeUninit<u8>],
    ) -> Result<&'d mut [u8]> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        let task = BlockRange::of(&view, block)?;
        let dst = front(dst, task.len)?;
        unwritten::write_all(dst, |dst| self.decode_range_fresh(&view, task.bytes(), dst))
    }

    /// Decompresses one block, appends it to `dst` and returns its size in bytes
    /// ([format §2.2](crate::format#2.2)).
    ///
    /// # Errors
    /// As [`decode_block`](Self::decode_block); `dst` is then unchanged.
    pub fn decode_block_append(
        &mut self,
        chunk: &[u8],
        block: usize,
        dst: &mut Vec<u8>,
    ) -> Result<usize> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        let task = BlockRange::of(&view, block)?;
        self.check_alloc(task.len)?;
        append_fresh(task.len, dst, |dst| {
            self.decode_range_fresh(&view, task.bytes(), dst)
        })
    }

    /// Decompresses one variable-length block ([format §8.1](crate::format#8.1)).
    ///
    /// ```
    /// use oxiblosc::{ChunkDecoder, ChunkEncoder, CParams};
    /// let chunk = ChunkEncoder::new(CParams::new(1))?.encode_vlblocks(&["one", "other"])?;
    /// assert_eq!(ChunkDecoder::default().decode_vlblock(&chunk, 1)?, b"other");
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] when there is no such block; [`Error::Refused`] for other chunks;
    /// else as [`decode`](Self::decode).
    #[doc(alias = "blosc2_schunk_get_vlblock")]
    #[doc(alias = "blosc2_vldecompress_block_ctx")]
    pub fn decode_vlblock(&mut self, chunk: &[u8], block: usize) -> Result<Vec<u8>> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        self.check_alloc_whole(&view)?;
        let len = vlblocks::len_of(&view, block)?;
        allocate(len, |dst| self.decode_vl(&view, block, dst))
    }

    /// Decompresses one variable-length block into the front of `dst` and returns its size in bytes
    /// ([format §8.1](crate::format#8.1)).
    ///
    /// # Errors
    /// As [`decode_vlblock`](Self::decode_vlblock); [`Error::OutputTooSmall`] when `dst` is
    /// shorter than the block.
    pub fn decode_vlblock_into(
        &mut self,
        chunk: &[u8],
        block: usize,
        dst: &mut [u8],
    ) -> Result<usize> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        let len = vlblocks::len_of(&view, block)?;
        self.decode_vl(&view, block, front(dst, len)?)?;
        Ok(len)
    }

    /// Decompresses one variable-length block into the front of memory that need not be
    /// initialised, and returns the bytes ([format §8.1](crate::format#8.1)).
    ///
    /// # Errors
    /// As [`decode_vlblock_into`](Self::decode_vlblock_into).
    pub fn decode_vlblock_uninit<'d>(
        &mut self,
        chunk: &[u8],
        block: usize,
        dst: &'d mut [MaybeUninit<u8>],
    ) -> Result<&'d mut [u8]> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        let len = vlblocks::len_of(&view, block)?;
        let dst = front(dst, len)?;
        unwritten::write_all(dst, |dst| self.decode_vl(&view, block, dst.zeroed()))
    }

    /// Decompresses one variable-length block, appends it to `dst` and returns its size in bytes
    /// ([format §8.1](crate::format#8.1)).
    ///
    /// # Errors
    /// As [`decode_vlblock`](Self::decode_vlblock); `dst` is then unchanged.
    pub fn decode_vlblock_append(
        &mut self,
        chunk: &[u8],
        block: usize,
        dst: &mut Vec<u8>,
    ) -> Result<usize> {
        let mut view = Parsed::unread(chunk);
        view.read()?;
        self.check_alloc_whole(&view)?;
        let len = vlblocks::len_of(&view, block)?;
        append(len, dst, |dst| self.decode_vl(&view, block, dst))
    }

    /// Decodes chosen blocks of a regular, memcpyed or special chunk, each to its position in
    /// `dst`, which is as long as the chunk.
    fn decode_chosen(&mut self, view: &Parsed<'_>, wanted: &[bool], dst: &mut [u8]) -> Result<()> {
        refuse_vlblocks(view.layout())?;
        let layout = view.layout();
        if wanted.len() != layout.nblocks {
            return Err(Error::InvalidParam {
                name: "length of the list of wanted blocks",
                value: saturating_i64(wanted.len()),
                expected: "the number of blocks",
            });
        }
        let ntasks = wanted.iter().filter(|wanted| **wanted).count();
        if ntasks == 0 {
            return Ok(());
        }
        let size = RequestSize {
            nbytes: ntasks.saturating_mul(layout.blocksize),
            later: wanted.iter().skip(1).any(|wanted| *wanted),
            partial: false,
        };
        let tasks = ChosenTasks::new(layout.blocksize, wanted, dst);
        self.executor.run(view, size, tasks)
    }

    /// Decodes one block of a regular, memcpyed or special chunk into all of `dst`.
    fn decode_at(&mut self, view: &Parsed<'_>, at: BlockRange, dst: &mut [u8]) -> Result<()> {
        if self.dparams().postfilter.is_none() && view.fill_plain(at.offset, dst) {
            return Ok(());
        }
        self.run_range(view, at.offset, dst, false)
    }

    /// Decodes one variable-length block into all of `dst`.
    fn decode_vl(&mut self, view: &Parsed<'_>, block: usize, dst: &mut [u8]) -> Result<()> {
        // Only a postfilter gets the position of the block.
        let offset = match self.dparams().postfilter {
            None => 0,
            Some(_) => vlblocks::lens(view).take(block).sum::<Result<usize>>()?,
        };
        let size = RequestSize {
            nbytes: dst.len(),
            later: false,
            partial: false,
        };
        let task = Task {
            block,
            offset,
            bytes: 0..dst.len(),
            dst,
        };
        self.executor.run(view, size, Some(Ok(task)).into_iter())
    }
}

/// The position of a block in the uncompressed chunk.
#[derive(Clone, Copy, Debug)]
struct BlockRange {
    offset: usize,
    len: usize,
}

impl BlockRange {
    fn bytes(self) -> std::ops::Range<usize> {
        self.offset..self.offset + self.len
    }

    fn of(view: &Parsed<'_>, block: usize) -> Result<Self> {
        refuse_vlblocks(view.layout())?;
        if block >= view.nblocks() {
            return Err(Error::OutOfBounds {
                what: "block",
                index: to_u64(block),
                len: to_u64(view.nblocks()),
            });
        }
        let layout = view.layout();
        Ok(Self {
            offset: block * layout.blocksize,
            len: layout.block_len(block),
        })
    }
}
