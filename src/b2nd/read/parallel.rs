//! Reads by several threads: chunks, and runs of blocks within them, in parallel.

use std::sync::{Arc, OnceLock};

use oxiblosc_kernels::BoxGrid;

use crate::b2nd::array::Array;
use crate::b2nd::layout::meta::MAX_NDIM;
use crate::b2nd::layout::region::Dims;
use crate::b2nd::read::scatter::Target;
use crate::b2nd::select::plan::{Cell, ReadPlan};
use crate::error::Result;
use crate::num::{saturating_usize, to_u64, to_usize};
use crate::schunk::ChunkSource;
use crate::threads::claim::{Helpers, share_out};
use crate::threads::work::Work;

/// Jobs per thread: enough to even out chunks of different cost.
const JOBS_PER_THREAD: u64 = 4;

impl<C: ChunkSource> Array<C> {
    /// Reads in parallel over all chunks that are wanted and their blocks; false, without effect,
    /// for too little work.
    pub(crate) fn read_parallel(
        &self,
        plan: &ReadPlan,
        wanted_chunk: &(impl Fn(&Cell) -> bool + Sync + Send),
        dst: &mut [u8],
    ) -> Result<bool> {
        let (ndim, chunk) = (self.ndim(), self.grid.chunk_lens());
        let (block, _) = self.grid.blocks();
        let runs: Vec<_> = (0..ndim).map(|axis| plan.runs(axis, chunk[axis])).collect();
        let mut cuts = Vec::with_capacity(ndim);
        let (mut nblocks, mut nchunks) = (1_u64, 1_u64);
        // An estimate of the bytes to decode: of each block, from its first element to its
        // last, which the first axis with more than one element decides.
        let (mut decoded, mut wide) = (to_u64(self.typesize()), false);
        for (axis, runs) in runs.iter().enumerate() {
            let ends = plan.cuts(axis, runs, chunk[axis], block[axis]);
            let pieces = len_of(&ends).saturating_sub(1);
            let indices = &plan.axes[axis];
            let span = |ends: &[u64]| indices.index(ends[1] - 1) - indices.index(ends[0]) + 1;
            decoded = decoded.saturating_mul(if wide {
                pieces.saturating_mul(block[axis])
            } else {
                let spans = ends.windows(2).map(span).sum();
                wide = spans > pieces;
                spans
            });
            nblocks = nblocks.saturating_mul(pieces);
            nchunks = nchunks.saturating_mul(len_of(runs));
            cuts.push(ends.into_iter().map(to_usize).collect::<Result<Vec<_>>>()?);
        }
        let helpers = self
            .read_work(decoded, dst.len())
            .helpers(&self.dparams.threads, saturating_usize(nblocks));
        if helpers == 0 {
            return Ok(false);
        }
        let boxes = BoxGrid::new(dst, self.typesize(), cuts);
        let wanted = (helpers as u64 + 1).saturating_mul(JOBS_PER_THREAD);
        let jobs = (0..nchunks).flat_map(|number| {
            let mut cell = Cell {
                coords: [0; MAX_NDIM],
                part: *plan.whole(),
            };
            let mut rest = number;
            for axis in (0..ndim).rev() {
                let len = len_of(&runs[axis]);
                let run = runs[axis][usize::try_from(rest % len).unwrap_or(0)];
                rest /= len;
                cell.coords[axis] = run.cell;
                (cell.part.lo[axis], cell.part.hi[axis]) = (run.lo, run.hi);
            }
            let jobs = match wanted_chunk(&cell) {
                true => self.split(plan, &cell, wanted.div_ceil(nchunks)),
                false => Vec::new(),
            };
            // Pieces of one chunk share it, unless only some of its blocks are near.
            let shared = jobs.len() > 1 && !self.chunks.chunks_are_far();
            let fetched = shared.then(Arc::<OnceLock<_>>::default);
            jobs.into_iter().map(move |job| (job, fetched.clone()))
        });
        let helpers = Helpers {
            threads: &self.dparams.threads,
            count: helpers,
            at_once: 1,
        };
        let tools = |mut thread, run: &mut dyn FnMut(&mut usize)| run(&mut thread);
        share_out(helpers, jobs, tools, |thread, (job, fetched)| {
            let own;
            let stored = match &fetched {
                None => None,
                Some(fetched) => {
                    let nchunk = self.grid.chunk_number(&job.coords);
                    let chunk = fetched.get_or_init(|| self.chunk_now(nchunk).ok());
                    if chunk.is_some() {
                        chunk.as_ref()
                    } else {
                        // Errors are not shared: each job fetches the chunk itself.
                        own = self.chunk_now(nchunk)?;
                        Some(&own)
                    }
                }
            };
            self.with_workspace(Some(*thread), |workspace| {
                let mut target = Target::Boxes(&boxes);
                self.gather_chunk(workspace, plan, &job, stored, &mut target)
            })
        })?;
        Ok(true)
    }

    /// The work of a read of `wanted` bytes that has to decode about `decoded` bytes, with the
    /// compression ratio of all chunks.
    fn read_work(&self, decoded: u64, wanted: usize) -> Work {
        let layout = self.chunks.layout();
        let ratio = u128::from(decoded) * u128::from(layout.cbytes);
        let coded = ratio / u128::from(layout.nbytes.max(1));
        Work::read(
            self.cparams.codec,
            saturating_usize(decoded),
            saturating_usize(coded),
            wanted,
        )
    }

    /// Cuts the requested part of a chunk into some pieces at block borders.
    fn split(&self, plan: &ReadPlan, cell: &Cell, wanted: u64) -> Vec<Cell> {
        let mut jobs = vec![*cell];
        if wanted <= 1 {
            return jobs;
        }
        let origin = self.origin(&cell.coords);
        let (mut block, _) = self.grid.blocks();
        for axis in 0..self.ndim() {
            let left = wanted.div_ceil(len_of(&jobs));
            if left <= 1 {
                break;
            }
            // Whole runs of blocks along this axis, until there are enough.
            let indices = &plan.axes[axis];
            let (first, last) = (
                indices.index(cell.part.lo[axis]) - origin[axis],
                indices.index(cell.part.hi[axis] - 1) - origin[axis],
            );
            let nblocks = last / block[axis] - first / block[axis] + 1;
            let mut lens: Dims = [u64::MAX >> 2; MAX_NDIM];
            block[axis] *= nblocks.div_ceil(left);
            lens[axis] = block[axis];
            jobs = jobs
                .iter()
                .flat_map(|job| plan.cells(&job.part, &origin, &lens))
                .map(|piece| Cell {
                    coords: cell.coords,
                    part: piece.part,
                })
                .collect();
        }
        jobs
    }
}

/// The length of a list.
fn len_of<T>(list: &[T]) -> u64 {
    to_u64(list.len())
}
