//! Which bytes of which chunks a selection needs, before anything is read.

use std::ops::Range;

use crate::b2nd::array::Array;
use crate::b2nd::layout::grid::Grid;
use crate::b2nd::layout::meta::MAX_NDIM;
use crate::b2nd::layout::region::{Dims, Region, strides};
use crate::b2nd::read::slice::Request;
use crate::b2nd::select::plan::{Cell, Cells, ReadPlan};
use crate::b2nd::select::selection::Selection;
use crate::error::Result;
use crate::num::to_usize;
use crate::schunk::ChunkSource;

/// The bytes that a read needs of a chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WantedChunk {
    pub(crate) nchunk: u64,
    /// Decoded bytes, one range for each block that is touched, in their order.
    pub(crate) ranges: Vec<Range<usize>>,
}

impl Grid {
    /// The chunks that a box touches, in C order, and the numbers of the blocks in them.
    ///
    /// `region` has a range of elements for each axis; those beyond the shape are ignored.
    ///
    /// ```
    /// use oxiblosc::b2nd::Grid;
    ///
    /// let grid = Grid::new(8, &[5, 7], &[4, 4], &[3, 2])?;
    /// let touched: Vec<_> = grid.touched(&[0..4, 2..5]).collect();
    /// assert_eq!(touched, [(0, vec![1, 3]), (1, vec![0, 2])]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    pub fn touched(&self, region: &[Range<u64>]) -> impl Iterator<Item = (u64, Vec<usize>)> + '_ {
        let mut within = Region::whole(self.shape());
        let fits = region.len() == self.ndim();
        for (axis, range) in region.iter().enumerate().take(self.ndim()) {
            within.lo[axis] = range.start.min(within.hi[axis]);
            within.hi[axis] = range.end.clamp(within.lo[axis], within.hi[axis]);
        }
        let plan = ReadPlan::of_region(&within);
        let chunks: Vec<Cell> = match fits {
            true => chunk_cells(self, &plan).collect(),
            false => Vec::new(),
        };
        chunks.into_iter().map(move |chunk| {
            let blocks = BlocksOfChunk::new(self, &chunk.coords);
            let numbers = blocks
                .cells(&plan, &chunk)
                .filter_map(|cell| usize::try_from(blocks.extent(&plan, &cell).0).ok())
                .collect();
            (self.chunk_number(&chunk.coords), numbers)
        })
    }
}

/// The chunks that a selection touches.
pub(crate) fn chunk_cells<'p>(
    grid: &Grid,
    plan: &'p ReadPlan,
) -> impl Iterator<Item = Cell> + use<'p> {
    plan.cells(plan.whole(), &[0; MAX_NDIM], grid.chunk_lens())
}

/// The blocks of one chunk.
pub(crate) struct BlocksOfChunk {
    ndim: usize,
    /// The first element of the chunk.
    origin: Dims,
    block: Dims,
    /// Strides over the blocks of the chunk, and over the elements of a block.
    order: Dims,
    inner: Dims,
}

impl BlocksOfChunk {
    /// The blocks of the chunk at these coordinates of the chunk grid.
    pub(crate) fn new(grid: &Grid, coords: &Dims) -> Self {
        let (block, nblocks) = grid.blocks();
        Self {
            ndim: grid.ndim(),
            origin: std::array::from_fn(|axis| coords[axis] * grid.chunk_lens()[axis]),
            block,
            order: strides(&nblocks, grid.ndim()),
            inner: strides(&block, grid.ndim()),
        }
    }

    /// Those that the part of a selection in this chunk touches.
    pub(crate) fn cells<'p>(&self, plan: &'p ReadPlan, chunk: &Cell) -> Cells<'p> {
        plan.cells(&chunk.part, &self.origin, &self.block)
    }

    /// The number of a block, and its elements from the first to the last that is wanted.
    pub(crate) fn extent(&self, plan: &ReadPlan, cell: &Cell) -> (u64, Range<u64>) {
        let (mut number, mut first, mut last) = (0, 0, 0);
        for axis in 0..self.ndim {
            let indices = &plan.axes[axis];
            let start = self.origin[axis] + cell.coords[axis] * self.block[axis];
            number += cell.coords[axis] * self.order[axis];
            first += (indices.index(cell.part.lo[axis]) - start) * self.inner[axis];
            last += (indices.index(cell.part.hi[axis] - 1) - start) * self.inner[axis];
        }
        (number, first..last + 1)
    }
}

impl<C: ChunkSource> Array<C> {
    /// Reads what a selection has of some chunks to its place in `dst`; other bytes stay. Returns
    /// the size of the whole selection.
    pub(crate) fn read_chunks(
        &self,
        plan: &ReadPlan,
        wanted: impl Fn(u64) -> bool + Sync + Send,
        dst: &mut [u8],
    ) -> Result<usize> {
        let wanted = |cell: &Cell| wanted(self.grid.chunk_number(&cell.coords));
        self.read_cells(plan, wanted, dst)
    }

    /// The size of a selection in bytes, and what a read of it needs, chunk by chunk.
    pub(crate) fn wanted_chunks(
        &self,
        selection: &Selection<'_>,
    ) -> Result<(usize, Vec<WantedChunk>)> {
        let (typesize, blocksize) = (self.typesize(), self.grid.blocksize());
        let request = self.request(selection)?;
        let nbytes = to_usize(request.nbytes(self)?)?;
        let plan = match request {
            Request::Plan(plan) => plan,
            Request::Points(points) => {
                points.check(self.ndim())?;
                let mut found = Vec::with_capacity(points.len);
                for index in points.indices.chunks_exact(points.ndim.max(1)) {
                    let (nchunk, bytes) = self.locate(index)?;
                    found.push((nchunk, bytes.start));
                }
                found.sort_unstable();
                found.dedup();
                let chunks = found.chunk_by(|a, b| a.0 == b.0);
                let ranges = |part: &[(u64, usize)]| {
                    let ranges = part.iter().map(|&(_, at)| at..at + typesize);
                    ranges.collect()
                };
                let wanted = |part: &[(u64, usize)]| WantedChunk {
                    nchunk: part.first().map_or(0, |&(nchunk, _)| nchunk),
                    ranges: ranges(part),
                };
                return Ok((nbytes, chunks.map(wanted).collect()));
            }
        };
        let chunks = chunk_cells(&self.grid, &plan).map(|chunk| {
            let blocks = BlocksOfChunk::new(&self.grid, &chunk.coords);
            let ranges = blocks.cells(&plan, &chunk).map(|cell| {
                let (block, items) = blocks.extent(&plan, &cell);
                let start = to_usize(block)? * blocksize;
                let bytes = to_usize(items.start)? * typesize..to_usize(items.end)? * typesize;
                Ok(start + bytes.start..start + bytes.end)
            });
            Ok(WantedChunk {
                nchunk: self.grid.chunk_number(&chunk.coords),
                ranges: ranges.collect::<Result<_>>()?,
            })
        });
        Ok((nbytes, chunks.collect::<Result<_>>()?))
    }
}
