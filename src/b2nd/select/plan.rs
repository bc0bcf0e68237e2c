//! What a read wants, axis by axis, and how it falls into chunks and blocks.
//!
//! Along each axis a selection is a sequence of indices, counted from 0; the result has the element
//! of the n-th index in place n. Chunks cut that sequence, blocks cut it again:
//!
//! ```text
//! every second of 1..14, chunks of 6, blocks of 3
//! index   1   3   5 | 7   9   11 | 13
//! n       0 . 1   2 | 3 . 4   5  | 6         | chunk border   . block border
//! ```
//!
//! A list of indices is sorted first, so that it falls into runs likewise; each entry remembers its
//! place in the result.

use crate::b2nd::copy::buffer::BufferBox;
use crate::b2nd::layout::meta::MAX_NDIM;
use crate::b2nd::layout::region::{Dims, Region};

/// The indices wanted along an axis.
#[derive(Clone, Debug)]
pub(crate) enum Along {
    /// `start`, `start + step`, ...
    Steps { start: u64, step: u64, len: u64 },
    /// Any indices, in ascending order.
    List(Vec<Entry>),
}

/// An index, and its place in the result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) index: u64,
    pub(crate) place: u64,
}

impl Along {
    pub(crate) const ONE: Self = Self::Steps {
        start: 0,
        step: 1,
        len: 1,
    };

    /// A list in any order, with repetitions.
    pub(crate) fn list(indices: &[u64]) -> Self {
        // A list that is a progression copies like one.
        if let [first, .., last] = *indices
            && last > first
            && let Some(step) = indices.get(1).and_then(|second| second.checked_sub(first))
            && step > 0
            && indices
                .windows(2)
                .all(|pair| pair[0].checked_add(step) == Some(pair[1]))
        {
            return Self::Steps {
                start: first,
                step,
                len: as_u64(indices.len()),
            };
        }
        if let [index] = *indices {
            return Self::Steps {
                start: index,
                step: 1,
                len: 1,
            };
        }
        let entry = |(place, &index)| Entry {
            index,
            place: as_u64(place),
        };
        let mut entries: Vec<Entry> = indices.iter().enumerate().map(entry).collect();
        entries.sort_by_key(|entry| entry.index);
        Self::List(entries)
    }

    /// The same, further along the axis.
    pub(crate) fn shifted(mut self, by: u64) -> Self {
        match &mut self {
            Self::Steps { start, .. } => *start += by,
            Self::List(entries) => entries.iter_mut().for_each(|entry| entry.index += by),
        }
        self
    }

    pub(crate) fn len(&self) -> u64 {
        match self {
            Self::Steps { len, .. } => *len,
            Self::List(entries) => as_u64(entries.len()),
        }
    }

    /// The `n`-th index.
    pub(crate) fn index(&self, n: u64) -> u64 {
        match self {
            Self::Steps { start, step, .. } => start + n * step,
            Self::List(entries) => entries[as_usize(n)].index,
        }
    }

    /// The end of the run that begins with `n`: the first whose index is `border` or more, or
    /// `end`.
    fn run_end(&self, n: u64, end: u64, border: u64) -> u64 {
        match self {
            Self::Steps { step, .. } => {
                let left = border - self.index(n);
                // Most steps are one, and a division is not free.
                let run = if *step == 1 {
                    left
                } else {
                    left.div_ceil(*step)
                };
                (n + run).min(end)
            }
            Self::List(entries) => {
                let run = &entries[as_usize(n)..as_usize(end)];
                n + as_u64(run.partition_point(|entry| entry.index < border))
            }
        }
    }
}

/// A selection: what is wanted along each axis, and the C-order buffer for it.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) along: [Along; MAX_NDIM],
    /// The buffer, as the box of all places.
    pub(crate) buffer: BufferBox,
    /// Whether all steps are one.
    pub(crate) is_box: bool,
    /// Whether an axis has a list.
    pub(crate) has_lists: bool,
}

impl Plan {
    pub(crate) fn new(along: [Along; MAX_NDIM], ndim: usize) -> Self {
        let lens: Dims = std::array::from_fn(|axis| along[axis].len());
        let has_lists = along.iter().any(|along| matches!(along, Along::List(_)));
        let is_box = !has_lists
            && along[..ndim].iter().all(|along| match along {
                Along::Steps { step, len, .. } => *step == 1 || *len <= 1,
                Along::List(_) => false,
            });
        Self {
            along,
            buffer: BufferBox::new(Region::whole(&lens[..ndim])),
            is_box,
            has_lists,
        }
    }

    pub(crate) fn of_region(region: &Region) -> Self {
        let along = std::array::from_fn(|axis| {
            if axis < region.ndim {
                Along::Steps {
                    start: region.lo[axis],
                    step: 1,
                    len: region.len(axis),
                }
            } else {
                Along::ONE
            }
        });
        Self::new(along, region.ndim)
    }

    /// All places.
    pub(crate) fn whole(&self) -> &Region {
        &self.buffer.region
    }

    /// The cells that some places fall into, where the first cell begins at index `origin` and each
    /// has `lens` elements along the axes.
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
                place: [0; MAX_NDIM],
                part: *within,
            };
            for axis in 0..within.ndim {
                cells.enter(&mut cell, axis, within.lo[axis]);
            }
            cells.next = Some(cell);
        }
        cells
    }

    /// The runs of places along one axis in cells of `len` elements.
    #[cfg(feature = "rayon")]
    pub(crate) fn runs(&self, axis: usize, len: u64) -> Vec<Run> {
        let (along, end) = (&self.along[axis], self.whole().hi[axis]);
        let mut runs = Vec::new();
        let mut lo = 0;
        while lo < end {
            let cell = along.index(lo) / len;
            let hi = along.run_end(lo, end, (cell + 1) * len);
            runs.push(Run { cell, lo, hi });
            lo = hi;
        }
        runs
    }

    /// Where runs end along an axis in blocks of `block` elements, which begin anew in each chunk.
    #[cfg(feature = "rayon")]
    pub(crate) fn cuts(&self, axis: usize, chunks: &[Run], chunk: u64, block: u64) -> Vec<u64> {
        let along = &self.along[axis];
        let mut cuts = vec![0];
        for run in chunks {
            let origin = run.cell * chunk;
            let mut lo = run.lo;
            while lo < run.hi {
                let inside = (along.index(lo) - origin) / block;
                lo = along.run_end(lo, run.hi, origin + (inside + 1) * block);
                cuts.push(lo);
            }
        }
        cuts
    }
}

/// A run of places in one cell of an axis.
#[cfg(feature = "rayon")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) cell: u64,
    pub(crate) lo: u64,
    pub(crate) hi: u64,
}

/// A cell of the chunk grid, or of the block grid of a chunk, and the places that fall into it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    pub(crate) place: Dims,
    pub(crate) part: Region,
}

/// Iterator over the cells that a selection touches, in C order.
pub(crate) struct Cells<'p> {
    plan: &'p Plan,
    within: Region,
    origin: Dims,
    lens: Dims,
    next: Option<Cell>,
}

impl Cells<'_> {
    /// Moves a cell along an axis to the one that the `n`-th index falls into.
    fn enter(&self, cell: &mut Cell, axis: usize, n: u64) {
        let (along, origin, len) = (&self.plan.along[axis], self.origin[axis], self.lens[axis]);
        let place = (along.index(n) - origin) / len;
        cell.place[axis] = place;
        cell.part.lo[axis] = n;
        let border = origin + (place + 1) * len;
        cell.part.hi[axis] = along.run_end(n, self.within.hi[axis], border);
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

fn as_u64(len: usize) -> u64 {
    u64::try_from(len).unwrap_or(u64::MAX)
}

/// A place in a list that is in memory.
fn as_usize(n: u64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}
