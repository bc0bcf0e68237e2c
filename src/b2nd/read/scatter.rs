//! Copies from decoded blocks into the output.

use oxiblosc_kernels::{BoxGrid, BoxMut, StridedCopy};

use crate::b2nd::copy::box_copy;
use crate::b2nd::layout::grid::Grid;
use crate::b2nd::layout::meta::MAX_NDIM;
use crate::b2nd::layout::region::{Dims, Region, strides};
use crate::b2nd::select::indices::AxisIndices;
use crate::b2nd::select::plan::ReadPlan;
use crate::chunk::{PartSink, Rows};
use crate::error::{Error, Result};
use crate::num::{saturating_usize, to_usize};

/// The destination of elements.
#[derive(Debug)]
pub(crate) enum Target<'t, 'b> {
    /// The output, for one thread.
    Slice(&'t mut [u8]),
    /// Boxes of the output, one per block, for many.
    Boxes(&'t BoxGrid<'b>),
}

/// Copies from decoded blocks to the positions of their elements.
pub(crate) struct Scatter<'s, 't, 'b> {
    plan: &'s ReadPlan,
    pieces: &'s [Region],
    target: &'s mut Target<'t, 'b>,
    typesize: usize,
    ndim: usize,
    block: Dims,
    /// The strides between elements at neighbouring positions in a block, in elements; along an
    /// axis with a list, between neighbouring indices.
    steps: Dims,
    /// The last copy: most blocks have the same lengths.
    copy: Option<(Dims, StridedCopy)>,
    /// The items of a block that such a copy reads, when they are few.
    sparse: Option<(Dims, Option<Rows>)>,
    /// The box of the piece with this number.
    held: Option<(usize, BoxMut<'t>)>,
}

impl<'s, 't, 'b> Scatter<'s, 't, 'b> {
    pub(crate) fn new(
        grid: &Grid,
        plan: &'s ReadPlan,
        pieces: &'s [Region],
        target: &'s mut Target<'t, 'b>,
    ) -> Result<Self> {
        let (block, _) = grid.blocks();
        let mut steps = strides(&block, grid.ndim());
        for ((stride, along), &len) in steps.iter_mut().zip(&plan.axes).zip(&block) {
            if let AxisIndices::Steps { step, .. } = along {
                // A longer step always ends in another block.
                *stride *= if *step < len { *step } else { 0 };
            }
        }
        Ok(Self {
            plan,
            pieces,
            target,
            typesize: grid.typesize(),
            ndim: grid.ndim(),
            block,
            steps,
            copy: None,
            sparse: None,
            held: None,
        })
    }

    /// The copy of a box of these lengths, and its destination.
    fn copy_of(&mut self, lens: &Dims) -> Result<(&StridedCopy, &mut Target<'t, 'b>)> {
        if self.copy.as_ref().is_none_or(|(of, _)| of != lens) {
            let strides = &self.plan.buffer.strides;
            let copy = box_copy(self.ndim, self.typesize, lens, &self.steps, strides)?;
            self.copy = Some((*lens, copy));
        }
        match &self.copy {
            Some((_, copy)) => Ok((copy, self.target)),
            None => Err(SHARED),
        }
    }

    /// The items that a box of these lengths has in a block.
    fn sparse_rows(&self, lens: &Dims) -> Option<Rows> {
        let (mut row, mut span) = (1, 1);
        let mut axes = Vec::new();
        for axis in (0..self.ndim).rev() {
            let len = usize::try_from(lens[axis]).ok()?;
            let step = usize::try_from(self.steps[axis]).ok()?;
            span += len.saturating_sub(1) * step;
            if len > 1 && axes.is_empty() && step == row {
                row *= len;
            } else if len > 1 {
                axes.insert(0, (len, step));
            }
        }
        let rows = Rows {
            typesize: self.typesize,
            row,
            axes,
        };
        rows.are_few(span).then_some(rows)
    }

    /// Takes the box of a piece, or keeps the one taken for it.
    fn hold(&mut self, n: usize) -> Option<()> {
        let Target::Boxes(boxes) = self.target else {
            return None;
        };
        if self.held.as_ref().is_none_or(|(held, _)| *held != n) {
            let mut corner = [0; MAX_NDIM];
            for (at, &lo) in corner.iter_mut().zip(&self.pieces.get(n)?.lo) {
                *at = usize::try_from(lo).ok()?;
            }
            self.held = Some((n, boxes.claim(&corner[..self.ndim])?));
        }
        Some(())
    }

    /// Copies into a box of the output.
    fn put_box(&mut self, n: usize, bytes: &[u8]) -> Result<()> {
        self.hold(n).ok_or(SHARED)?;
        let (_, part) = self.held.as_mut().ok_or(SHARED)?;
        // One run of bytes on both sides.
        if let Some(dst) = part.as_mut_slice()
            && dst.len() == bytes.len()
        {
            dst.copy_from_slice(bytes);
            return Ok(());
        }
        let mut steps = [0; MAX_NDIM];
        for (step, &stride) in steps.iter_mut().zip(&self.steps[..self.ndim]) {
            *step = to_usize(stride)?.saturating_mul(self.typesize);
        }
        part.copy_from(bytes, &steps[..self.ndim]);
        Ok(())
    }

    /// Copies with lists: element by element along their axes, in rows along the others.
    fn put_lists(&mut self, piece: &Region, bytes: &[u8]) -> Result<()> {
        let mut lens = piece.lens();
        let mut listed = Region {
            ndim: self.ndim,
            ..Region::EMPTY
        };
        for (axis, len) in lens.iter_mut().enumerate().take(self.ndim) {
            (listed.lo[axis], listed.hi[axis]) = (piece.lo[axis], piece.lo[axis] + 1);
            if let AxisIndices::List(_) = self.plan.axes[axis] {
                listed.hi[axis] = piece.hi[axis];
                *len = 1;
            }
        }
        let (plan, steps, typesize, ndim) = (self.plan, self.steps, self.typesize, self.ndim);
        let (copy, Target::Slice(dst)) = self.copy_of(&lens)? else {
            return Err(SHARED);
        };
        for at in listed.indices() {
            let (mut from, mut to) = (0, at);
            for axis in 0..ndim {
                if let AxisIndices::List(entries) = &plan.axes[axis] {
                    let entry = |n: u64| to_usize(n).map(|n| entries[n]);
                    let (first, this) = (entry(piece.lo[axis])?, entry(at[axis])?);
                    from += (this.index - first.index) * steps[axis];
                    to[axis] = this.position;
                }
            }
            let from = to_usize(from)? * typesize;
            let to = to_usize(plan.buffer.position(&to))? * typesize;
            copy.copy(&bytes[from..], &mut dst[to..]);
        }
        Ok(())
    }
}

/// A bug of the plan: boxes of the output are disjoint, and each is claimed once.
pub(crate) const SHARED: Error = Error::Refused {
    what: "fill a part of the output",
    why: "another thread has it",
};

impl PartSink for Scatter<'_, '_, '_> {
    fn slice(&mut self, n: usize) -> Option<&mut [u8]> {
        let piece = self.pieces.get(n)?;
        // A whole block has the order of its elements in the output.
        if !self.plan.is_box || piece.lens()[..self.ndim] != self.block[..self.ndim] {
            return None;
        }
        if let Target::Slice(dst) = self.target {
            let plan = self.plan;
            if !plan.buffer.is_contiguous(piece) {
                return None;
            }
            let at = usize::try_from(plan.buffer.position(&piece.lo)).ok()?;
            let items = piece
                .nitems()
                .and_then(|items| usize::try_from(items).ok())?;
            return dst.get_mut(at * self.typesize..(at + items) * self.typesize);
        }
        self.hold(n)?;
        self.held.as_mut()?.1.as_mut_slice()
    }

    fn rows(&mut self, n: usize) -> Option<&Rows> {
        if self.plan.has_lists {
            return None;
        }
        let lens = self.pieces.get(n)?.lens();
        if self
            .sparse
            .as_ref()
            .is_none_or(|(planned, _)| *planned != lens)
        {
            self.sparse = Some((lens, self.sparse_rows(&lens)));
        }
        self.sparse.as_ref()?.1.as_ref()
    }

    fn put(&mut self, n: usize, bytes: &[u8]) -> Result<()> {
        let Some(piece) = self.pieces.get(n) else {
            return Err(SHARED);
        };
        if self.plan.has_lists {
            return self.put_lists(piece, bytes);
        }
        if let Target::Boxes(_) = self.target {
            return self.put_box(n, bytes);
        }
        let at = to_usize(self.plan.buffer.position(&piece.lo))? * self.typesize;
        // One run of bytes on both sides, such as an element or a row, needs no prepared copy.
        let nitems = piece.nitems().map(saturating_usize).unwrap_or_default();
        let is_run = nitems.checked_mul(self.typesize) == Some(bytes.len())
            && self.plan.buffer.is_contiguous(piece);
        if is_run && let Target::Slice(dst) = &mut *self.target {
            dst[at..at + bytes.len()].copy_from_slice(bytes);
            return Ok(());
        }
        if let (copy, Target::Slice(dst)) = self.copy_of(&piece.lens())? {
            copy.copy(bytes, &mut dst[at..]);
        }
        Ok(())
    }
}
