//! Requests compiled to tasks: which bytes of which block go where.
//!
//! ```text
//! bytes 3..10 of a chunk in blocks of 4       block 0, bytes 3..4 -> dst[0..1]
//!                                             block 1, bytes 0..4 -> dst[1..5]
//!                                             block 2, bytes 0..2 -> dst[5..7]
//! ```
//!
//! Lists of tasks are iterators: the request for one block, one range or a whole chunk takes no
//! memory. Each block is in a list once.

use std::ops::Range;

use oxiblosc_kernels::unwritten::Unwritten;

use super::part::Rows;
use crate::error::Result;

/// Bytes of one block and their destination.
#[derive(Debug)]
pub(super) struct Task<D> {
    pub(super) block: usize,
    /// The position of the block in the uncompressed chunk.
    pub(super) offset: usize,
    /// The bytes wanted, counted from the start of the block.
    pub(super) bytes: Range<usize>,
    pub(super) dst: D,
}

/// Destination of the bytes of a task.
pub(super) trait Destination {
    /// Memory for exactly these bytes, when their final location is contiguous.
    fn slice(&mut self) -> Option<&mut [u8]>;

    /// The memory, when nothing was written to it yet and it is contiguous. All of it is written
    /// then.
    #[inline(always)]
    fn unwritten(&mut self) -> Option<Unwritten<'_>> {
        None
    }

    /// The items needed of these bytes, when they are few; the other ones may have any value.
    fn rows(&mut self) -> Option<&Rows> {
        None
    }

    /// Takes the bytes.
    fn put(&mut self, bytes: &[u8]) -> Result<()>;
}

impl Destination for &mut [u8] {
    #[inline(always)]
    fn slice(&mut self) -> Option<&mut [u8]> {
        Some(self)
    }

    #[inline]
    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.copy_from_slice(bytes);
        Ok(())
    }
}

/// Memory for the bytes of a task that is not zeroed before.
#[derive(Debug)]
pub(super) enum Fresh<'d> {
    Unwritten(Unwritten<'d>),
    Written(&'d mut [u8]),
    /// Given out.
    Taken,
}

impl Destination for Fresh<'_> {
    fn slice(&mut self) -> Option<&mut [u8]> {
        if let Self::Unwritten(dst) = std::mem::replace(self, Self::Taken) {
            *self = Self::Written(dst.zeroed());
        }
        match self {
            Self::Written(dst) => Some(dst),
            _ => None,
        }
    }

    #[inline(always)]
    fn unwritten(&mut self) -> Option<Unwritten<'_>> {
        match std::mem::replace(self, Self::Taken) {
            Self::Unwritten(dst) => Some(dst),
            other => {
                *self = other;
                None
            }
        }
    }

    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        match std::mem::replace(self, Self::Taken) {
            Self::Unwritten(dst) => *self = Self::Written(dst.copy_from(bytes)),
            mut other => {
                if let Self::Written(dst) = &mut other {
                    dst.copy_from_slice(bytes);
                }
                *self = other;
            }
        }
        Ok(())
    }
}

/// A range of bytes of a chunk with blocks of one size, to memory that is not zeroed before.
#[derive(Debug)]
pub(super) struct FreshTasks<'d> {
    blocksize: usize,
    block: usize,
    /// The bytes of the next block in front of the range.
    skip: usize,
    rest: Option<Unwritten<'d>>,
}

impl<'d> FreshTasks<'d> {
    /// The bytes from `start` on, into all of `dst`.
    pub(super) fn new(blocksize: usize, start: usize, dst: Unwritten<'d>) -> Self {
        Self {
            blocksize,
            block: start / blocksize,
            skip: start % blocksize,
            rest: Some(dst),
        }
    }
}

impl<'d> Iterator for FreshTasks<'d> {
    type Item = Result<Task<Fresh<'d>>>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.rest.take().filter(|rest| !rest.is_empty())?;
        let skip = std::mem::take(&mut self.skip);
        let len = (self.blocksize - skip).min(rest.len());
        let (dst, rest) = rest.split_at(len);
        let task = Task {
            block: self.block,
            offset: self.block * self.blocksize,
            bytes: skip..skip + len,
            dst: Fresh::Unwritten(dst),
        };
        self.rest = Some(rest);
        self.block += 1;
        Some(Ok(task))
    }
}

impl<'d> Tasks<'d> for FreshTasks<'d> {
    fn count_tasks(&self) -> usize {
        let len = self.rest.as_ref().map_or(0, Unwritten::len);
        (self.skip + len).div_ceil(self.blocksize)
    }

    fn take_block_0(&mut self, len: usize) -> Option<&'d mut [u8]> {
        let rest = self
            .rest
            .take_if(|rest| self.block == 0 && self.skip == 0 && rest.len() >= len)?;
        let (dst, rest) = rest.split_at(len);
        self.rest = Some(rest);
        self.block = 1;
        Some(dst.zeroed())
    }
}

/// A list of tasks.
pub(super) trait Tasks<'d> {
    /// The number of tasks. Called only when several threads may share them.
    fn count_tasks(&self) -> usize;

    /// Removes block 0 from the list, `len` bytes, and returns its destination, when all of it goes
    /// to one. The decoded block can then serve as the reference of DELTA without a copy.
    fn take_block_0(&mut self, len: usize) -> Option<&'d mut [u8]> {
        let _ = len;
        None
    }
}

/// A range of bytes of a chunk with blocks of one size.
#[derive(Debug)]
pub(super) struct RangeTasks<'d> {
    blocksize: usize,
    block: usize,
    /// The bytes of the next block in front of the range.
    skip: usize,
    /// The destination of the rest of the range.
    rest: &'d mut [u8],
}

impl<'d> RangeTasks<'d> {
    /// The bytes from `start` on, into all of `dst`.
    #[inline(always)]
    pub(super) fn new(blocksize: usize, start: usize, dst: &'d mut [u8]) -> Self {
        let (block, skip) = if start == 0 {
            (0, 0)
        } else {
            (start / blocksize, start % blocksize)
        };
        Self {
            blocksize,
            block,
            skip,
            rest: dst,
        }
    }
}

impl<'d> Iterator for RangeTasks<'d> {
    type Item = Result<Task<&'d mut [u8]>>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let len = (self.blocksize - self.skip).min(self.rest.len());
        let (dst, rest) = std::mem::take(&mut self.rest).split_at_mut(len);
        let task = Task {
            block: self.block,
            offset: self.block * self.blocksize,
            bytes: self.skip..self.skip + len,
            dst,
        };
        self.rest = rest;
        self.block += 1;
        self.skip = 0;
        Some(Ok(task))
    }
}

impl<'d> Tasks<'d> for RangeTasks<'d> {
    fn count_tasks(&self) -> usize {
        (self.skip + self.rest.len()).div_ceil(self.blocksize)
    }

    fn take_block_0(&mut self, len: usize) -> Option<&'d mut [u8]> {
        if self.block > 0 || self.skip > 0 || self.rest.len() < len {
            return None;
        }
        let (dst, rest) = std::mem::take(&mut self.rest).split_at_mut(len);
        self.rest = rest;
        self.block = 1;
        Some(dst)
    }
}

/// Chosen blocks of a chunk with blocks of one size, each to its position in a buffer of the
/// chunk's size.
#[derive(Debug)]
pub(super) struct ChosenTasks<'w, 'd> {
    blocksize: usize,
    wanted: &'w [bool],
    blocks: std::iter::Enumerate<
        std::iter::Zip<std::slice::ChunksMut<'d, u8>, std::slice::Iter<'w, bool>>,
    >,
}

impl<'w, 'd> ChosenTasks<'w, 'd> {
    /// The blocks of `dst` for which `wanted` is true.
    pub(super) fn new(blocksize: usize, wanted: &'w [bool], dst: &'d mut [u8]) -> Self {
        let blocks = dst.chunks_mut(blocksize).zip(wanted).enumerate();
        Self {
            blocksize,
            wanted,
            blocks,
        }
    }
}

impl<'d> Iterator for ChosenTasks<'_, 'd> {
    type Item = Result<Task<&'d mut [u8]>>;

    fn next(&mut self) -> Option<Self::Item> {
        let (block, (dst, _)) = self.blocks.find(|(_, (_, wanted))| **wanted)?;
        Some(Ok(Task {
            block,
            offset: block * self.blocksize,
            bytes: 0..dst.len(),
            dst,
        }))
    }
}

impl<'d> Tasks<'d> for ChosenTasks<'_, 'd> {
    fn count_tasks(&self) -> usize {
        self.wanted.iter().filter(|wanted| **wanted).count()
    }
}

/// All blocks of a chunk of variable-length ones.
#[derive(Debug)]
pub(super) struct VlTasks<'d, L> {
    /// The lengths of the blocks.
    lens: L,
    nblocks: usize,
    block: usize,
    offset: usize,
    rest: &'d mut [u8],
}

impl<'d, L> VlTasks<'d, L> {
    /// Blocks of these lengths, which add up to the length of `dst`.
    pub(super) fn new(lens: L, nblocks: usize, dst: &'d mut [u8]) -> Self {
        Self {
            lens,
            nblocks,
            block: 0,
            offset: 0,
            rest: dst,
        }
    }
}

impl<'d, L: Iterator<Item = Result<usize>>> Iterator for VlTasks<'d, L> {
    type Item = Result<Task<&'d mut [u8]>>;

    fn next(&mut self) -> Option<Self::Item> {
        let len = match self.lens.next()? {
            Ok(len) => len,
            Err(error) => return Some(Err(error)),
        };
        let (dst, rest) = std::mem::take(&mut self.rest).split_at_mut(len);
        let task = Task {
            block: self.block,
            offset: self.offset,
            bytes: 0..len,
            dst,
        };
        self.rest = rest;
        self.block += 1;
        self.offset += len;
        Some(Ok(task))
    }
}

impl<'d, L> Tasks<'d> for VlTasks<'d, L> {
    fn count_tasks(&self) -> usize {
        self.nblocks
    }
}

/// One block in full, of any chunk.
impl<'d> Tasks<'d> for std::option::IntoIter<Result<Task<&'d mut [u8]>>> {
    fn count_tasks(&self) -> usize {
        self.len()
    }
}

/// A wanted range of one block and its destination.
#[derive(Debug, Default)]
pub(super) struct Piece<'d> {
    block: usize,
    bytes: Range<usize>,
    dst: &'d mut [u8],
}

/// The pieces of many ranges of a chunk with blocks of one size, in the order of their blocks.
///
/// `pieces` is empty; its memory is used again. The ranges go consecutively to all of `dst`.
pub(super) fn pieces<'d>(
    mut pieces: Vec<Piece<'d>>,
    blocksize: usize,
    ranges: &[Range<usize>],
    mut dst: &'d mut [u8],
) -> Vec<Piece<'d>> {
    for range in ranges {
        let (front, rest) = std::mem::take(&mut dst).split_at_mut(range.len());
        dst = rest;
        let tasks = RangeTasks::new(blocksize, range.start, front);
        pieces.extend(tasks.flatten().map(|task| Piece {
            block: task.block,
            bytes: task.bytes,
            dst: task.dst,
        }));
    }
    pieces.sort_unstable_by_key(|piece| (piece.block, piece.bytes.start));
    pieces
}

/// Empties the list, to keep its memory for another destination.
pub(super) fn recycle<'any>(mut pieces: Vec<Piece<'_>>) -> Vec<Piece<'any>> {
    pieces.clear();
    // Collecting in place keeps the allocation; `tests/memory/allocations.rs` checks it.
    pieces.into_iter().map(|_| Piece::default()).collect()
}

/// Tasks for pieces in the order of their blocks: one task per block, for all its pieces.
#[derive(Debug)]
pub(super) struct PieceTasks<'p, 'd> {
    blocksize: usize,
    rest: &'p mut [Piece<'d>],
}

impl<'p, 'd> PieceTasks<'p, 'd> {
    pub(super) fn new(blocksize: usize, pieces: &'p mut [Piece<'d>]) -> Self {
        Self {
            blocksize,
            rest: pieces,
        }
    }

    /// Whether one of the blocks is not block 0.
    pub(super) fn has_later(&self) -> bool {
        self.rest.last().is_some_and(|last| last.block > 0)
    }
}

impl<'p, 'd> Iterator for PieceTasks<'p, 'd> {
    type Item = Result<Task<Group<'p, 'd>>>;

    fn next(&mut self) -> Option<Self::Item> {
        let first = self.rest.first()?;
        let (block, start) = (first.block, first.bytes.start);
        let same = |piece: &&Piece<'d>| piece.block == block;
        let group = self.rest.iter().take_while(same);
        let (count, end) = group.fold((0, start), |(count, end), piece| {
            (count + 1, end.max(piece.bytes.end))
        });
        let (pieces, rest) = std::mem::take(&mut self.rest).split_at_mut(count);
        self.rest = rest;
        Some(Ok(Task {
            block,
            offset: block * self.blocksize,
            bytes: start..end,
            dst: Group { start, pieces },
        }))
    }
}

impl<'d> Tasks<'d> for PieceTasks<'_, 'd> {
    fn count_tasks(&self) -> usize {
        self.rest.chunk_by(|a, b| a.block == b.block).count()
    }
}

/// The destinations of pieces of one block.
#[derive(Debug)]
pub(super) struct Group<'p, 'd> {
    /// The first byte of all pieces, counted from the start of the block.
    start: usize,
    pieces: &'p mut [Piece<'d>],
}

impl Destination for Group<'_, '_> {
    fn slice(&mut self) -> Option<&mut [u8]> {
        match self.pieces {
            [only] => Some(only.dst),
            _ => None,
        }
    }

    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        for Piece {
            bytes: wanted, dst, ..
        } in &mut *self.pieces
        {
            dst.copy_from_slice(&bytes[wanted.start - self.start..wanted.end - self.start]);
        }
        Ok(())
    }
}
