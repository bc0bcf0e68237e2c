//! The plan of a read: the indices of each axis, and how chunks and blocks cut them.
//!
//! Along each axis a selection is a sequence of indices, counted from 0; the result has the element
//! of the n-th index at position n. Chunks cut that sequence, blocks cut it again:
//!
//! ```text
//! every second of 1..14, chunks of 6, blocks of 3
//! index   1   3   5 | 7   9   11 | 13
//! n       0 . 1   2 | 3 . 4   5  | 6         | chunk border   . block border
//! ```
//!
//! A list of indices is sorted first, so that it falls into runs likewise; each entry keeps its
//! position in the result.

use crate::b2nd::copy::BufferBox;
use crate::b2nd::layout::meta::MAX_NDIM;
use crate::b2nd::layout::region::{Dims, Region};
use crate::b2nd::select::axis::AxisSelection;
use crate::b2nd::select::indices::AxisIndices;
use crate::error::Result;

/// A resolved selection: the indices along each axis, and the C-order buffer for the elements.
#[derive(Clone, Debug)]
pub(crate) struct ReadPlan {
    pub(crate) axes: [AxisIndices; MAX_NDIM],
    /// The buffer, as the box of all positions of the result.
    pub(crate) buffer: BufferBox,
    /// A bit per axis that the result lacks.
    pub(crate) removed: u32,
    /// Whether all steps are one.
    pub(crate) is_box: bool,
    /// Whether an axis has a list.
    pub(crate) has_lists: bool,
}

impl ReadPlan {
    /// A plan that [`set_within`](Self::set_within) fills in place: a plan has about 1 KiB, and
    /// each move of it costs more than the read of a small box can spare.
    #[inline(always)]
    pub(crate) fn unresolved() -> Self {
        Self {
            axes: [const { AxisIndices::FIRST }; MAX_NDIM],
            buffer: BufferBox {
                region: Region::EMPTY,
                strides: [0; MAX_NDIM],
            },
            removed: 0,
            is_box: false,
            has_lists: false,
        }
    }

    /// Derives the other fields from the axes.
    fn finish(&mut self, ndim: usize, removed: u32) {
        let axes = &self.axes;
        let lens: Dims = std::array::from_fn(|axis| axes[axis].len());
        let is_list = |indices: &AxisIndices| matches!(indices, AxisIndices::List(_));
        self.has_lists = axes[..ndim].iter().any(is_list);
        self.is_box = axes[..ndim].iter().all(|indices| match indices {
            AxisIndices::Steps { step, len, .. } => *step == 1 || *len <= 1,
            AxisIndices::List(_) => false,
        });
        self.buffer = BufferBox::new(Region::whole(&lens[..ndim]));
        self.removed = removed;
    }

    /// The selections along the axes of a box whose corner is index 0. Axes with a bit in
    /// `removed` have length one there, and no selection.
    ///
    /// The plan is an [`unresolved`](Self::unresolved) one.
    pub(crate) fn set_within(
        &mut self,
        selections: &[AxisSelection],
        within: &Region,
        mut removed: u32,
    ) -> Result<()> {
        let mut selections = selections.iter().enumerate();
        for (axis, indices) in self.axes.iter_mut().enumerate().take(within.ndim) {
            *indices = AxisIndices::one(within.lo[axis]);
            if removed >> axis & 1 == 1 {
                continue;
            }
            if let Some((number, selection)) = selections.next() {
                let within_box = selection.resolve(number, within.len(axis))?;
                *indices = within_box.shifted(within.lo[axis]);
                removed |= u32::from(selection.removes_axis()) << axis;
            }
        }
        self.finish(within.ndim, removed);
        Ok(())
    }

    /// A box of the array.
    #[inline]
    pub(crate) fn of_region(region: &Region) -> Self {
        let mut plan = Self::unresolved();
        plan.set_region(region, 0);
        plan
    }

    /// The box of an array, for an [`unresolved`](Self::unresolved) plan.
    pub(crate) fn set_region(&mut self, region: &Region, removed: u32) {
        for (axis, indices) in self.axes.iter_mut().enumerate().take(region.ndim) {
            *indices = AxisIndices::range(region.lo[axis]..region.hi[axis], 1);
        }
        self.finish(region.ndim, removed);
    }

    /// All positions of the result.
    pub(crate) fn whole(&self) -> &Region {
        &self.buffer.region
    }

    /// The lengths of the result along the axes that it has.
    pub(crate) fn shape(&self) -> impl Iterator<Item = u64> + '_ {
        let whole = self.whole();
        let kept = (0..whole.ndim).filter(|axis| self.removed >> axis & 1 == 0);
        kept.map(|axis| whole.len(axis))
    }

    /// The box of the array that the selection covers, when it is one.
    pub(crate) fn region(&self) -> Option<Region> {
        let mut region = *self.whole();
        for axis in 0..region.ndim {
            let AxisIndices::Steps { start, .. } = self.axes[axis] else {
                return None;
            };
            region.lo[axis] += start;
            region.hi[axis] += start;
        }
        self.is_box.then_some(region)
    }

    /// The index of the element, when the selection is a single one.
    pub(crate) fn element(&self) -> Option<Dims> {
        let whole = self.whole();
        let one = (0..whole.ndim).all(|axis| whole.len(axis) == 1);
        one.then(|| std::array::from_fn(|axis| self.axes[axis].index(0)))
    }

    /// The cells of a grid that some positions fall into. The first cell begins at index `origin`,
    /// and each has `lens` elements along the axes.
    pub(crate) fn cells<'p>(&'p self, within: &Region, origin: &Dims, lens: &Dims) -> Cells<'p> {
        let mut cells = Cells {
            plan: self,
            within: *within,
            origin: *origin,
            lens: *lens,
            next: None,
        };
        if !within.is_empty() {
            let mut cell = Cell {
                coords: [0; MAX_NDIM],
                part: *within,
            };
            for axis in 0..within.ndim {
                cells.enter(&mut cell, axis, within.lo[axis]);
            }
            cells.next = Some(cell);
        }
        cells
    }

    /// The runs of positions along one axis in cells of `len` elements.
    pub(crate) fn runs(&self, axis: usize, len: u64) -> Vec<Run> {
        let (indices, end) = (&self.axes[axis], self.whole().hi[axis]);
        let mut runs = Vec::new();
        let mut lo = 0;
        while lo < end {
            let cell = indices.index(lo) / len;
            let hi = indices.run_end(lo, end, (cell + 1) * len);
            runs.push(Run { cell, lo, hi });
            lo = hi;
        }
        runs
    }

    /// The ends of the runs along an axis in blocks of `block` elements, which begin again in each
    /// chunk.
    pub(crate) fn cuts(&self, axis: usize, chunks: &[Run], chunk: u64, block: u64) -> Vec<u64> {
        let indices = &self.axes[axis];
        let mut cuts = vec![0];
        for run in chunks {
            let origin = run.cell * chunk;
            let mut lo = run.lo;
            while lo < run.hi {
                let inside = (indices.index(lo) - origin) / block;
                lo = indices.run_end(lo, run.hi, origin + (inside + 1) * block);
                cuts.push(lo);
            }
        }
        cuts
    }
}

/// A run of positions in one cell of an axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) cell: u64,
    pub(crate) lo: u64,
    pub(crate) hi: u64,
}

/// A cell of the chunk grid, or of the block grid of a chunk, and the positions of the result that
/// fall into it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    pub(crate) coords: Dims,
    pub(crate) part: Region,
}

/// Iterator over the cells that a selection touches, in C order.
pub(crate) struct Cells<'p> {
    plan: &'p ReadPlan,
    within: Region,
    origin: Dims,
    lens: Dims,
    next: Option<Cell>,
}

impl Cells<'_> {
    /// Moves a cell along an axis to the one that the `n`-th index falls into.
    fn enter(&self, cell: &mut Cell, axis: usize, n: u64) {
        let (indices, origin) = (&self.plan.axes[axis], self.origin[axis]);
        let len = self.lens[axis];
        let coord = (indices.index(n) - origin) / len;
        cell.coords[axis] = coord;
        cell.part.lo[axis] = n;
        let border = origin + (coord + 1) * len;
        cell.part.hi[axis] = indices.run_end(n, self.within.hi[axis], border);
    }
}

impl Iterator for Cells<'_> {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        let cell = self.next?;
        let mut following = cell;
        self.next = None;
        for axis in (0..self.within.ndim).rev() {
            let n = cell.part.hi[axis];
            if n < self.within.hi[axis] {
                self.enter(&mut following, axis, n);
                self.next = Some(following);
                break;
            }
            self.enter(&mut following, axis, self.within.lo[axis]);
        }
        Some(cell)
    }
}
