//! An n-dimensional block cut into cubic cells, for NDCELL and NDMEAN
//! ([format §5.8](crate::format#5.8), [§5.9](crate::format#5.9)).
//!
//! ```text
//! blockshape 4 x 5, side 2         0 0 1 1 2         cells in row-major order,
//!                                  0 0 1 1 2         each clipped at the far edges
//!                                  3 3 4 4 5
//!                                  3 3 4 4 5
//! ```
//!
//! A cell is visited row by row; a row is a run of items that are neighbours in the block too. The
//! blockshape comes from the `b2nd` metalayer ([format §11.1](crate::format#11.1)), which may lie:
//! it is only used after its product was found to be the number of items of the block.

#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use std::ops::Range;

use super::FilterContext;
use super::metalayer::{Cursor, Shapes};
use crate::error::BoxError;

/// The most dimensions of a block with cells.
const MAX_NDIM: usize = 8;

/// A block and the side of its cells.
#[derive(Debug)]
pub(super) struct Cells {
    /// The number of dimensions, 1 to 8.
    ndim: usize,
    /// The shape of the block in items, at the end of the array; 1 for the dimensions before.
    shape: [usize; MAX_NDIM],
    /// The side of a cell in items, 1 to 255.
    side: usize,
    /// The size of an item in bytes.
    typesize: usize,
}

impl Cells {
    /// The cells of a block of `len` bytes, with the blockshape of the `b2nd` metalayer.
    ///
    /// # Errors
    /// When there is no metalayer, or it does not describe a block of `len` bytes.
    pub(super) fn new(cx: &FilterContext<'_>, side: u8, len: usize) -> Result<Self, BoxError> {
        super::typesize(cx)?;
        if side == 0 {
            return Err("the meta byte, the side of a cell, is 0; at least 1 is needed".into());
        }
        let metalayer = cx
            .b2nd
            .ok_or("a filter for arrays needs the b2nd metalayer")?;
        let (ndim, shape) = blockshape(metalayer)?;
        let nbytes = shape
            .iter()
            .try_fold(cx.typesize, |product, &n| product.checked_mul(n));
        if nbytes != Some(len) || len == 0 {
            return Err(format!(
                "the block has {len} bytes, but the blockshape {:?} of the b2nd metalayer with \
                 items of {} bytes needs another number",
                shape
                    .get(MAX_NDIM.saturating_sub(ndim)..)
                    .unwrap_or_default(),
                cx.typesize
            )
            .into());
        }
        Ok(Self {
            ndim,
            shape,
            side: side.into(),
            typesize: cx.typesize,
        })
    }

    /// Whether a full cell has no more items than the block.
    pub(super) fn cell_fits(&self) -> bool {
        let items = self
            .shape
            .iter()
            .try_fold(1_usize, |product, &n| product.checked_mul(n));
        let exponent = u32::try_from(self.ndim).unwrap_or(u32::MAX);
        let cell = self.side.checked_pow(exponent);
        matches!((cell, items), (Some(cell), Some(items)) if cell <= items)
    }

    /// Whether C-Blosc2 computes other starts of cells for NDMEAN than the format says: it uses the
    /// side, clipped to the first dimension, for all of them.
    pub(super) fn starts_differ_in_c(&self) -> bool {
        let mut dims = self.shape.iter().skip(MAX_NDIM.saturating_sub(self.ndim));
        dims.next().is_some_and(|&first| first < self.side) && dims.any(|&n| n > self.side)
    }

    /// Calls `visit` with the byte range of every row of every cell, in the order of the cells,
    /// and `done` at the end of each cell.
    ///
    /// # Errors
    /// The first one that `visit` or `done` gives.
    pub(super) fn each_row<S>(
        &self,
        state: &mut S,
        mut visit: impl FnMut(&mut S, Range<usize>) -> Option<()>,
        mut done: impl FnMut(&mut S) -> Option<()>,
    ) -> Result<(), BoxError> {
        // Every index below stays under the product of the shape, which is at most `len`; should
        // that ever fail, the walk ends with an error and not with a wrong copy.
        self.walk(state, &mut visit, &mut done)
            .ok_or_else(|| "the cells reach beyond the block".into())
    }

    fn walk<S>(
        &self,
        state: &mut S,
        visit: &mut impl FnMut(&mut S, Range<usize>) -> Option<()>,
        done: &mut impl FnMut(&mut S) -> Option<()>,
    ) -> Option<()> {
        let strides = self.strides()?;
        let [.., row_len] = self.shape;
        let mut start = [0_usize; MAX_NDIM];
        loop {
            // One cell: from `start` to `end`, clipped at the edges of the block.
            let mut end = [0_usize; MAX_NDIM];
            for ((end, &start), &n) in end.iter_mut().zip(&start).zip(&self.shape) {
                *end = start.saturating_add(self.side).min(n);
            }
            let [.., row_start] = start;
            let [.., row_end] = end;
            debug_assert!(row_end <= row_len);
            let row_bytes = row_end.checked_sub(row_start)?.checked_mul(self.typesize)?;
            let mut at = start;
            loop {
                let mut offset = 0_usize;
                for (&index, &stride) in at.iter().zip(&strides) {
                    offset = offset.checked_add(index.checked_mul(stride)?)?;
                }
                visit(state, offset..offset.checked_add(row_bytes)?)?;
                if !advance(&mut at, &start, &end, 1) {
                    break;
                }
            }
            done(state)?;
            if !self.next_cell(&mut start) {
                return Some(());
            }
        }
    }

    /// The distance in bytes between neighbours along each dimension.
    fn strides(&self) -> Option<[usize; MAX_NDIM]> {
        let mut strides = [0; MAX_NDIM];
        let mut stride = self.typesize;
        for (to, &n) in strides.iter_mut().zip(&self.shape).rev() {
            *to = stride;
            stride = stride.checked_mul(n)?;
        }
        Some(strides)
    }

    /// Moves on to the next cell in row-major order; false after the last one.
    fn next_cell(&self, start: &mut [usize; MAX_NDIM]) -> bool {
        for (index, &n) in start.iter_mut().zip(&self.shape).rev() {
            *index = index.saturating_add(self.side);
            if *index < n {
                return true;
            }
            *index = 0;
        }
        false
    }
}

/// Moves `at` on by one in row-major order within a cell, leaving the last dimension, which a row
/// covers, alone; false after the last row.
fn advance(
    at: &mut [usize; MAX_NDIM],
    start: &[usize; MAX_NDIM],
    end: &[usize; MAX_NDIM],
    step: usize,
) -> bool {
    for ((index, &start), &end) in at.iter_mut().zip(start).zip(end).rev().skip(1) {
        *index = index.saturating_add(step);
        if *index < end {
            return true;
        }
        *index = start;
    }
    false
}

/// The number of dimensions and the blockshape of a `b2nd` metalayer, the latter placed at the
/// end of the array, with 1 for the dimensions before.
fn blockshape(metalayer: &[u8]) -> Result<(usize, [usize; MAX_NDIM]), BoxError> {
    let shapes = Shapes::read(&mut Cursor::new(metalayer)?.0)?;
    let ndim = shapes.ndim;
    if ndim == 0 || ndim > MAX_NDIM {
        return Err(format!("blocks of {ndim} dimensions; allowed are 1 to {MAX_NDIM}").into());
    }
    let mut shape = [1; MAX_NDIM];
    let lens = shapes.blockshape.iter().take(ndim);
    for (to, &len) in shape
        .iter_mut()
        .skip(MAX_NDIM.saturating_sub(ndim))
        .zip(lens)
    {
        *to = usize::try_from(len)?;
    }
    Ok((ndim, shape))
}
