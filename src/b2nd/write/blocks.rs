//! The blocks of a chunk, copied from a C-order buffer one at a time.
//!
//! ```text
//! buffer   . . a a b b .      block a   a a        one block at a time, just before it is
//!          . . a a b b .                a a        filtered: it is still in the cache then
//! ```

use oxiblosc_kernels::StridedCopy;

use crate::b2nd::array::Array;
use crate::b2nd::copy::{BufferBox, box_copy};
use crate::b2nd::layout::region::{Dims, Region, strides};
use crate::error::Result;
use crate::num::{to_u64, to_usize};

/// The blocks of one chunk in a buffer.
pub(crate) struct BlockCopy<'a> {
    /// The box of the array that the chunk holds.
    part: Region,
    buffer: &'a BufferBox,
    src: &'a [u8],
    typesize: usize,
    block: Dims,
    nblocks: Dims,
    /// The strides of a block, in elements.
    inner: Dims,
    /// The copy of a block without padding.
    whole: StridedCopy,
}

impl<'a> BlockCopy<'a> {
    /// The blocks of the chunk that holds `part`.
    pub(crate) fn new<C>(
        array: &Array<C>,
        part: &Region,
        buffer: &'a BufferBox,
        src: &'a [u8],
    ) -> Result<Self> {
        let ndim = part.ndim;
        let typesize = array.grid.typesize();
        let (block, nblocks) = array.grid.blocks();
        let inner = strides(&block, ndim);
        Ok(Self {
            part: *part,
            buffer,
            src,
            typesize,
            block,
            nblocks,
            inner,
            whole: box_copy(ndim, typesize, &block, &buffer.strides, &inner)?,
        })
    }

    /// Writes the block with this number into all of `dst`; padding is zeros.
    pub(crate) fn fill(&self, number: usize, dst: &mut [u8]) -> Result<()> {
        let mut piece = self.part;
        let mut rest = number;
        for axis in (0..self.part.ndim).rev() {
            let along = to_usize(self.nblocks[axis])?.max(1);
            let coord = to_u64(rest % along);
            rest /= along;
            piece.lo[axis] += coord * self.block[axis];
            piece.hi[axis] = piece.hi[axis].min(piece.lo[axis] + self.block[axis]);
        }
        let lens = piece.lens();
        let whole = lens[..piece.ndim] == self.block[..piece.ndim];
        if !whole {
            dst.fill(0);
            if piece.is_empty() {
                return Ok(());
            }
        }
        let from = to_usize(self.buffer.position(&piece.lo))? * self.typesize;
        if whole {
            self.whole.copy(&self.src[from..], dst);
        } else {
            let strides = &self.buffer.strides;
            box_copy(piece.ndim, self.typesize, &lens, strides, &self.inner)?
                .copy(&self.src[from..], dst);
        }
        Ok(())
    }
}
