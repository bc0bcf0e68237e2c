//! Inserting and deleting along any axis.
//!
//! Elements after the index move by n. Whole columns of chunks move at no cost,
//! by a change of the chunk grid; the remaining elements move chunk by chunk through memory:
//!
//! ```text
//! chunks of 4, insert 4 at 6                      insert 2 at 6
//! 0 1 2 3 | 4 5 6 7 | 8 9                         0 1 2 3 | 4 5 6 7 | 8 9
//! 0 1 2 3 | . . . . | 4 5 6 7 | 8 9    a column   0 1 2 3 | 4 5 6 7 | 8 9 . .     longer
//! 0 1 2 3 | 4 5 . . | . . 6 7 | 8 9    move 4 5   0 1 2 3 | 4 5 . . | 6 7 8 9     move the rest
//! ```

use std::ops::Range;

use crate::b2nd::array::Array;
use crate::b2nd::copy::BufferBox;
use crate::b2nd::layout::dtype::{Element, stored_bytes};
use crate::b2nd::layout::region::Region;
use crate::b2nd::select::axis::bounds;
use crate::b2nd::write::builder::Store;
use crate::error::{Error, Result};
use crate::num::{saturating_i64, to_u64, to_usize};
use crate::schunk::ChunkSink;

impl<C: ChunkSink> Array<C> {
    /// Inserts elements along an axis, before the index `at`. `src` is in C order, and has the
    /// lengths of the array along the other axes; its length along `axis` follows from that.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    ///
    /// let mut array = Array::from_elements(&[1_u8, 2, 3, 4], &ArrayParams::new::<u8>(&[2, 2]))?;
    /// array.insert(1, 1, &[7_u8, 8])?;
    /// assert_eq!(array.to_elements::<u8>()?, [1, 7, 2, 3, 8, 4]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Mismatch`] when the dtype is not that of `T`; otherwise as
    /// [`insert_bytes`](Self::insert_bytes).
    #[doc(alias = "b2nd_insert")]
    pub fn insert<T: Element>(&mut self, axis: usize, at: u64, src: &[T]) -> Result<()> {
        let swap = self.check_element::<T>()?;
        self.insert_bytes(axis, at, &stored_bytes(src, &swap))
    }

    /// Inserts the bytes of elements along an axis, before the index `at`.
    ///
    /// The cost: at the end of the axis, the border chunks and the new ones are written. A multiple
    /// of the chunk length moves later chunks without decoding, and rewrites those around `at`. Any
    /// other length decodes and encodes all chunks after `at`, through the memory of one chunk.
    /// When that fails midway, the array has its new shape and some of the elements have moved.
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when there is no such axis; [`Error::OutsideAxis`] when `at` is
    /// after its end; [`Error::Mismatch`] when the bytes are not a multiple of one row across the
    /// axis; otherwise as [`resize`](Self::resize).
    pub fn insert_bytes(&mut self, axis: usize, at: u64, src: &[u8]) -> Result<()> {
        self.change(|array| array.insert_at(axis, at, src))
    }

    fn insert_at(&mut self, axis: usize, at: u64, src: &[u8]) -> Result<()> {
        let len = self.axis_len(axis)?;
        if at > len {
            let index = saturating_i64(at);
            return Err(Error::OutsideAxis { axis, index, len });
        }
        let n = self.rows_of(axis, src)?;
        if n == 0 {
            return Ok(());
        }
        let mut shape = self.shape().to_vec();
        shape[axis] = len.saturating_add(n);
        let chunk = self.chunkshape()[axis];
        if at < len && n.is_multiple_of(chunk) {
            let border = at - at % chunk;
            self.insert_columns(axis, border, n)?;
            // The elements between the border and `at` go back in front of the new columns.
            self.shift(axis, border + n..at + n, Shift::Down(n))?;
        } else {
            self.resize(&shape)?;
            self.shift(axis, at..len, Shift::Up(n))?;
        }
        let mut region = Region::whole(self.shape());
        (region.lo[axis], region.hi[axis]) = (at, at + n);
        self.write_region(&region, src, Store::Update)
    }

    /// Removes the indices `range` of an axis; later elements move up.
    ///
    /// The cost: at the end of the axis, chunks are deleted. A multiple of the chunk length moves
    /// later chunks without decoding, and rewrites those around the start. Any other length decodes
    /// and encodes all chunks after the start, through the memory of one chunk. When that fails
    /// midway, the array has its old shape and some of the elements have moved.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    ///
    /// let numbers: Vec<u8> = (0..8).collect();
    /// let mut array = Array::from_elements(&numbers, &ArrayParams::new::<u8>(&[2, 4]))?;
    /// array.delete(1, 1..3)?;
    /// assert_eq!(array.to_elements::<u8>()?, [0, 3, 4, 7]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when there is no such axis, or the range is reversed;
    /// [`Error::OutsideAxis`] for a range outside of it; otherwise as [`resize`](Self::resize).
    #[doc(alias = "b2nd_delete")]
    pub fn delete(&mut self, axis: usize, range: Range<u64>) -> Result<()> {
        self.change(|array| array.delete_range(axis, range))
    }

    fn delete_range(&mut self, axis: usize, range: Range<u64>) -> Result<()> {
        let len = self.axis_len(axis)?;
        let range = bounds(axis, len, range.start.into(), Some(range.end.into()))?;
        let n = range.end - range.start;
        if n == 0 {
            return Ok(());
        }
        let chunk = self.chunkshape()[axis];
        if range.end < len && n.is_multiple_of(chunk) {
            let border = range.start - range.start % chunk;
            self.shift(axis, border..range.start, Shift::Up(n))?;
            return self.delete_columns(axis, border, n);
        }
        self.shift(axis, range.end..len, Shift::Down(n))?;
        let mut shape = self.shape().to_vec();
        shape[axis] = len - n;
        self.resize(&shape)
    }

    fn axis_len(&self, axis: usize) -> Result<u64> {
        self.shape().get(axis).copied().ok_or(Error::InvalidParam {
            name: "axis",
            value: saturating_i64(axis),
            expected: "less than the number of dimensions",
        })
    }

    /// The number of indices along an axis that these bytes fill.
    fn rows_of(&self, axis: usize, src: &[u8]) -> Result<u64> {
        let row = (self.shape().iter().enumerate())
            .filter(|&(other, _)| other != axis)
            .try_fold(to_u64(self.typesize()), |row, (_, &n)| row.checked_mul(n));
        let len = to_u64(src.len());
        match row {
            Some(row) if row > 0 && len.is_multiple_of(row) => Ok(len / row),
            _ if len == 0 => Ok(0),
            _ => Err(Error::Mismatch {
                what: "size of a row in bytes",
                stored: row.unwrap_or(u64::MAX).to_string().into(),
                asked: len.to_string().into(),
            }),
        }
    }

    /// Moves the elements with the indices `range` along an axis, chunk by chunk, in an order that
    /// overwrites none before it has moved.
    fn shift(&mut self, axis: usize, range: Range<u64>, shift: Shift) -> Result<()> {
        let mut target = Region::whole(self.shape());
        (target.lo[axis], target.hi[axis]) = match shift {
            Shift::Up(n) => (range.start + n, range.end + n),
            Shift::Down(n) => (range.start - n, range.end - n),
        };
        if target.is_empty() {
            return Ok(());
        }
        let chunks = self.grid.chunks_of(&target);
        let mut bytes = Vec::new();
        let columns = chunks.lo[axis]..chunks.hi[axis];
        for step in 0..columns.end - columns.start {
            let mut column = chunks;
            column.lo[axis] = match shift {
                Shift::Up(_) => columns.end - 1 - step,
                Shift::Down(_) => columns.start + step,
            };
            column.hi[axis] = column.lo[axis] + 1;
            for coords in column.indices() {
                let part = self.grid.chunk_box(&coords).and(&target);
                let mut from = part;
                (from.lo[axis], from.hi[axis]) = match shift {
                    Shift::Up(n) => (part.lo[axis] - n, part.hi[axis] - n),
                    Shift::Down(n) => (part.lo[axis] + n, part.hi[axis] + n),
                };
                let nbytes = self.region_nbytes(&from)?;
                self.dparams.limits.check_alloc(nbytes, None)?;
                bytes.resize(to_usize(nbytes)?, 0);
                self.read_region(&from, &mut bytes)?;
                let buffer = BufferBox::new(part);
                self.write_part(&coords, &part, &buffer, &bytes, Store::Update)?;
            }
        }
        Ok(())
    }
}

/// The direction and distance in which elements move along an axis.
#[derive(Clone, Copy, Debug)]
enum Shift {
    /// To larger indices, the last one first.
    Up(u64),
    /// To smaller indices, the first one first.
    Down(u64),
}
