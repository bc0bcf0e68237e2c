//! The way of a read: which blocks it touches, decoding them, and copying from them.
//!
//! ```text
//! selection -> chunks -> blocks -> decode each once -> rows into the output
//!                  \________\________ in parallel when threads are asked for
//! ```
//!
//! A block of which all is wanted, and which is one piece of the output, is decoded straight into
//! it. A block of which little is wanted is decoded as far as needed. Special chunks are filled in
//! without decoding. Memory beside the output: a block and the list of some blocks per thread.

#[cfg(feature = "rayon")]
use std::sync::{Arc, OnceLock};

use crate::b2nd::array::{Array, Workspace};
use crate::b2nd::copy::{RowPlan, fill_part};
use crate::b2nd::grid::{Dims, Region, strides, to_usize};
use crate::b2nd::meta::MAX_NDIM;
use crate::b2nd::plan::{Along, Cell, Plan};
#[cfg(feature = "rayon")]
use crate::chunk::share::{Work, share_out};
use crate::chunk::{BlockPart, PartSink, Rows, Special};
use crate::error::{Error, Result};
use crate::kernels::{BoxGrid, BoxMut};
use crate::schunk::{ChunkSource, StoredChunk, fill_special};

/// How many blocks are listed before they are decoded.
const GROUP: usize = 128;

/// Jobs per thread: enough to even out chunks of different cost.
#[cfg(feature = "rayon")]
const JOBS_PER_THREAD: u64 = 4;

/// Where elements go.
#[derive(Debug)]
pub(super) enum Target<'t, 'b> {
    /// The output, for one thread.
    Slice(&'t mut [u8]),
    /// Boxes of the output, one per block, for many.
    #[cfg_attr(
        not(feature = "rayon"),
        expect(dead_code, reason = "only threads share the output")
    )]
    Boxes(&'t BoxGrid<'b>),
}

/// The places that one block holds.
pub(super) type Piece = Region;

impl<C: ChunkSource> Array<C> {
    /// Reads a selection into the front of `dst`, and returns its size in bytes.
    pub(super) fn read_plan(&self, plan: &Plan, dst: &mut [u8]) -> Result<usize> {
        let needed = to_usize(self.region_nbytes(plan.whole())?)?;
        let available = dst.len();
        let dst = dst
            .get_mut(..needed)
            .ok_or(Error::OutputTooSmall { needed, available })?;
        if needed == 0 {
            return Ok(0);
        }
        #[cfg(feature = "rayon")]
        if self.dparams.threads.count() > 1
            && !plan.has_lists
            // What fails is read once more in order, so that the first fault is the one reported.
            && self.read_parallel(plan, dst).is_ok_and(|done| done)
        {
            return Ok(needed);
        }
        self.with_workspace(false, |workspace| {
            for chunk in self.chunk_cells(plan) {
                self.gather_chunk(workspace, plan, &chunk, None, &mut Target::Slice(dst))?;
            }
            Ok(needed)
        })
    }

    fn chunk_cells<'p>(&self, plan: &'p Plan) -> impl Iterator<Item = Cell> + use<'p, C> {
        plan.cells(plan.whole(), &[0; MAX_NDIM], self.grid.chunk_lens())
    }

    /// Reads in parallel over all chunks and blocks; false when that would not pay.
    #[cfg(feature = "rayon")]
    fn read_parallel(&self, plan: &Plan, dst: &mut [u8]) -> Result<bool> {
        let (ndim, chunk) = (self.ndim(), self.grid.chunk_lens());
        let (block, _) = self.grid.blocks();
        let runs: Vec<_> = (0..ndim).map(|axis| plan.runs(axis, chunk[axis])).collect();
        let mut cuts = Vec::with_capacity(ndim);
        let (mut nblocks, mut nchunks) = (1_u64, 1_u64);
        // About how many bytes have to be decoded: of each block, from its first element to its
        // last, which the first axis with more than one element decides.
        let (mut decoded, mut wide) = (u64::from(self.typesize()), false);
        for (axis, runs) in runs.iter().enumerate() {
            let ends = plan.cuts(axis, runs, chunk[axis], block[axis]);
            let pieces = len_of(&ends).saturating_sub(1);
            let along = &plan.along[axis];
            let span = |ends: &[u64]| along.index(ends[1] - 1) - along.index(ends[0]) + 1;
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
        let helpers = self.read_work(decoded, dst.len()).helpers(
            &self.dparams.threads,
            usize::try_from(nblocks).unwrap_or(usize::MAX),
        );
        if helpers == 0 {
            return Ok(false);
        }
        let boxes = BoxGrid::new(dst, to_usize(self.typesize().into())?, cuts);
        let wanted = (helpers as u64 + 1).saturating_mul(JOBS_PER_THREAD);
        let jobs = (0..nchunks).flat_map(|number| {
            let mut cell = Cell {
                place: [0; MAX_NDIM],
                part: *plan.whole(),
            };
            let mut rest = number;
            for axis in (0..ndim).rev() {
                let len = len_of(&runs[axis]);
                let run = runs[axis][usize::try_from(rest % len).unwrap_or(0)];
                rest /= len;
                cell.place[axis] = run.cell;
                (cell.part.lo[axis], cell.part.hi[axis]) = (run.lo, run.hi);
            }
            let jobs = self.split(plan, &cell, wanted.div_ceil(nchunks));
            // Pieces of one chunk share it.
            let fetched = (jobs.len() > 1).then(Arc::<OnceLock<_>>::default);
            jobs.into_iter().map(move |job| (job, fetched.clone()))
        });
        let threads = &self.dparams.threads;
        let nothing = || ();
        share_out(threads, helpers, jobs, nothing, |(), (job, fetched)| {
            let stored = match &fetched {
                None => None,
                Some(fetched) => {
                    let nchunk = self.grid.chunk_number(&job.place);
                    let chunk = fetched.get_or_init(|| self.chunks.chunk(nchunk).ok());
                    Some(chunk.as_ref().ok_or(SHARED)?)
                }
            };
            self.with_workspace(true, |workspace| {
                let mut target = Target::Boxes(&boxes);
                self.gather_chunk(workspace, plan, &job, stored, &mut target)
            })
        })?;
        Ok(true)
    }

    /// The work of a read of `wanted` bytes that has to decode about `decoded` bytes, by what all chunks
    /// compress to.
    #[cfg(feature = "rayon")]
    fn read_work(&self, decoded: u64, wanted: usize) -> Work {
        let layout = self.chunks.layout();
        let ratio = u128::from(decoded) * u128::from(layout.cbytes);
        let coded = ratio / u128::from(layout.nbytes.max(1));
        Work::read(
            self.cparams.codec,
            usize::try_from(decoded).unwrap_or(usize::MAX),
            usize::try_from(coded).unwrap_or(usize::MAX),
            wanted,
        )
    }

    /// Cuts the part of a chunk that is wanted into some pieces at block borders.
    #[cfg(feature = "rayon")]
    fn split(&self, plan: &Plan, cell: &Cell, wanted: u64) -> Vec<Cell> {
        let mut jobs = vec![*cell];
        if wanted <= 1 {
            return jobs;
        }
        let origin = self.origin(&cell.place);
        let (mut block, _) = self.grid.blocks();
        for axis in 0..self.ndim() {
            let left = wanted.div_ceil(len_of(&jobs));
            if left <= 1 {
                break;
            }
            // Whole runs of blocks along this axis, as many as are still wanted.
            let along = &plan.along[axis];
            let (first, last) = (
                along.index(cell.part.lo[axis]) - origin[axis],
                along.index(cell.part.hi[axis] - 1) - origin[axis],
            );
            let nblocks = last / block[axis] - first / block[axis] + 1;
            let mut lens: Dims = [u64::MAX >> 2; MAX_NDIM];
            block[axis] *= nblocks.div_ceil(left);
            lens[axis] = block[axis];
            jobs = jobs
                .iter()
                .flat_map(|job| plan.cells(&job.part, &origin, &lens))
                .map(|piece| Cell {
                    place: cell.place,
                    part: piece.part,
                })
                .collect();
        }
        jobs
    }

    /// The first index of a chunk along each axis.
    fn origin(&self, place: &Dims) -> Dims {
        std::array::from_fn(|axis| place[axis] * self.grid.chunk_lens()[axis])
    }

    /// Reads what lies in one chunk. `stored` is the chunk, when it was fetched already.
    fn gather_chunk(
        &self,
        workspace: &mut Workspace,
        plan: &Plan,
        chunk: &Cell,
        stored: Option<&StoredChunk<'_>>,
        target: &mut Target<'_, '_>,
    ) -> Result<()> {
        let nchunk = self.grid.chunk_number(&chunk.place);
        let zeros = matches!(
            self.chunks.special_value(nchunk),
            Some(Special::Zeros | Special::Uninit)
        );
        if let Target::Slice(dst) = target {
            if zeros && !plan.has_lists {
                let typesize = to_usize(self.typesize().into())?;
                return fill_part(typesize, &chunk.part, &plan.buffer, &[0], dst);
            }
            if plan.is_box
                && let Some(at) = self.direct(&chunk.part, &plan.buffer)?
            {
                let chunksize = to_usize(self.grid.chunksize().into())?;
                let dst = &mut dst[at..at + chunksize];
                let decoder = &mut workspace.decoder;
                let len = self.chunks.decode_chunk_into(decoder, nchunk, dst)?;
                return self.check_len(nchunk, len);
            }
        }
        let fetched = match stored {
            Some(_) => None,
            None if zeros => None,
            // Of a chunk that has to be read first, only the blocks that are wanted.
            None if !self.chunks.lends_chunk(nchunk) && self.touches_little(plan, chunk) => None,
            None => Some(self.chunks.chunk(nchunk)?),
        };
        let stored = stored.or(fetched.as_ref());

        let origin = self.origin(&chunk.place);
        let (block, nblocks) = self.grid.blocks();
        let order = strides(&nblocks, self.ndim());
        let inner = strides(&block, self.ndim());
        let typesize = to_usize(self.typesize().into())?;
        let mut blocks = plan.cells(&chunk.part, &origin, &block).peekable();
        while blocks.peek().is_some() {
            workspace.parts.clear();
            workspace.pieces.clear();
            for cell in blocks.by_ref().take(GROUP) {
                let (mut number, mut first, mut last) = (0, 0, 0);
                for axis in 0..self.ndim() {
                    let along = &plan.along[axis];
                    let start = origin[axis] + cell.place[axis] * block[axis];
                    number += cell.place[axis] * order[axis];
                    first += (along.index(cell.part.lo[axis]) - start) * inner[axis];
                    last += (along.index(cell.part.hi[axis] - 1) - start) * inner[axis];
                }
                workspace.parts.push(BlockPart {
                    block: to_usize(number)?,
                    bytes: to_usize(first)? * typesize..(to_usize(last)? + 1) * typesize,
                });
                workspace.pieces.push(cell.part);
            }
            self.gather_blocks(workspace, plan, nchunk, stored, zeros, target)?;
        }
        Ok(())
    }

    /// Whether less than a quarter of the blocks of a chunk is wanted.
    fn touches_little(&self, plan: &Plan, chunk: &Cell) -> bool {
        let (block, nblocks) = self.grid.blocks();
        let (mut touched, mut all) = (1_u64, 1_u64);
        for axis in 0..self.ndim() {
            let along = &plan.along[axis];
            let lo = along.index(chunk.part.lo[axis]) % self.grid.chunk_lens()[axis];
            let hi = along.index(chunk.part.hi[axis] - 1) % self.grid.chunk_lens()[axis];
            let run = hi / block[axis] - lo / block[axis] + 1;
            touched *= run.min(chunk.part.len(axis));
            all *= nblocks[axis];
        }
        touched < all.div_ceil(4)
    }

    /// Decodes the listed blocks, and copies from them.
    fn gather_blocks(
        &self,
        workspace: &mut Workspace,
        plan: &Plan,
        nchunk: u64,
        stored: Option<&StoredChunk<'_>>,
        zeros: bool,
        target: &mut Target<'_, '_>,
    ) -> Result<()> {
        let Workspace {
            decoder,
            chunk,
            parts,
            pieces,
            ranges,
        } = workspace;
        let chunksize = to_usize(self.grid.chunksize().into())?;
        let blocksize = to_usize(self.grid.blocksize().into())?;
        let mut sink = Scatter::new(self, plan, pieces, target)?;
        if zeros {
            let chunk = Workspace::buffer(decoder, chunk, blocksize)?;
            chunk.fill(0);
            for (n, part) in parts.iter().enumerate() {
                sink.put(n, &chunk[..part.bytes.len()])?;
            }
            return Ok(());
        }
        match stored {
            Some(StoredChunk::Bytes(bytes)) => {
                let sizes = (chunksize, blocksize);
                if let Ok(true) = decoder.decode_parts(bytes, sizes, parts, &mut sink) {
                    return Ok(());
                }
            }
            Some(&StoredChunk::Special { special, nbytes }) => {
                let chunk = Workspace::buffer(decoder, chunk, blocksize)?;
                for (n, part) in parts.iter().enumerate() {
                    let first = part.block * blocksize;
                    let bytes = (first + part.bytes.start, first + part.bytes.end);
                    let len = fill_special(special, self.typesize(), nbytes, bytes, chunk)
                        .map_err(|error| error.in_chunk(nchunk))?;
                    sink.put(n, &chunk[..len])?;
                }
                return Ok(());
            }
            None => {
                ranges.clear();
                let mut total = 0;
                for part in parts.iter() {
                    let first = part.block * blocksize;
                    ranges.push(first + part.bytes.start..first + part.bytes.end);
                    total += part.bytes.len();
                }
                let chunk = Workspace::buffer(decoder, chunk, total)?;
                self.chunks
                    .decode_chunk_ranges_into(decoder, nchunk, ranges, chunk)?;
                let mut rest = &chunk[..];
                for (n, part) in parts.iter().enumerate() {
                    let (bytes, behind) = rest.split_at(part.bytes.len());
                    sink.put(n, bytes)?;
                    rest = behind;
                }
                return Ok(());
            }
        }
        // A chunk with blocks of its own, or a damaged one, of which the source knows where it
        // lies.
        let chunk = Workspace::buffer(decoder, chunk, chunksize)?;
        let len = self.chunks.decode_chunk_into(decoder, nchunk, chunk)?;
        self.check_len(nchunk, len)?;
        for (n, part) in parts.iter().enumerate() {
            let first = part.block * blocksize;
            sink.put(n, &chunk[first + part.bytes.start..first + part.bytes.end])?;
        }
        Ok(())
    }
}

/// The length of a list.
#[cfg(feature = "rayon")]
fn len_of<T>(list: &[T]) -> u64 {
    u64::try_from(list.len()).unwrap_or(u64::MAX)
}

/// Copies from decoded blocks to the places of their elements.
struct Scatter<'s, 't, 'b> {
    plan: &'s Plan,
    pieces: &'s [Piece],
    target: &'s mut Target<'t, 'b>,
    typesize: usize,
    ndim: usize,
    block: Dims,
    /// How far apart the elements of neighbouring places are in a block, in elements; of an axis
    /// with a list, those of neighbouring indices.
    steps: Dims,
    /// The rows of the last copy: most blocks have the same.
    rows: Option<(Dims, RowPlan)>,
    /// The items of a block that such a copy reads, when they are few.
    sparse: Option<(Dims, Option<Rows>)>,
    /// The box of the piece with this number.
    held: Option<(usize, BoxMut<'t>)>,
}

impl<'s, 't, 'b> Scatter<'s, 't, 'b> {
    fn new<C: ChunkSource>(
        array: &Array<C>,
        plan: &'s Plan,
        pieces: &'s [Piece],
        target: &'s mut Target<'t, 'b>,
    ) -> Result<Self> {
        let (block, _) = array.grid().blocks();
        let mut steps = strides(&block, array.ndim());
        for ((stride, along), &len) in steps.iter_mut().zip(&plan.along).zip(&block) {
            if let Along::Steps { step, .. } = along {
                // Longer steps never end in the block that they begin in.
                *stride *= if *step < len { *step } else { 0 };
            }
        }
        Ok(Self {
            plan,
            pieces,
            target,
            typesize: to_usize(array.typesize().into())?,
            ndim: array.ndim(),
            block,
            steps,
            rows: None,
            sparse: None,
            held: None,
        })
    }

    /// The rows of a box of these lengths.
    fn rows(&mut self, lens: &Dims) -> Result<RowPlan> {
        match self.rows {
            Some((planned, rows)) if planned == *lens => Ok(rows),
            _ => {
                let strides = &self.plan.buffer.strides;
                let rows = RowPlan::new(self.ndim, self.typesize, lens, &self.steps, strides)?;
                self.rows = Some((*lens, rows));
                Ok(rows)
            }
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

    /// Copies with lists: place by place along their axes, in rows along the others.
    fn put_lists(&mut self, piece: &Piece, bytes: &[u8]) -> Result<()> {
        let mut lens = piece.lens();
        let mut listed = Region {
            ndim: self.ndim,
            ..Region::EMPTY
        };
        for (axis, len) in lens.iter_mut().enumerate().take(self.ndim) {
            (listed.lo[axis], listed.hi[axis]) = (piece.lo[axis], piece.lo[axis] + 1);
            if let Along::List(_) = self.plan.along[axis] {
                listed.hi[axis] = piece.hi[axis];
                *len = 1;
            }
        }
        let rows = self.rows(&lens)?;
        let Target::Slice(dst) = self.target else {
            return Err(SHARED);
        };
        for at in listed.places() {
            let (mut from, mut place) = (0, at);
            for axis in 0..self.ndim {
                if let Along::List(entries) = &self.plan.along[axis] {
                    let entry = |n: u64| to_usize(n).map(|n| entries[n]);
                    let (first, this) = (entry(piece.lo[axis])?, entry(at[axis])?);
                    from += (this.index - first.index) * self.steps[axis];
                    place[axis] = this.place;
                }
            }
            let from = to_usize(from)? * self.typesize;
            let to = to_usize(self.plan.buffer.position(&place))? * self.typesize;
            rows.copy(bytes, from, dst, to);
        }
        Ok(())
    }
}

/// Never seen: a read that fails in parallel is done once more by one thread.
const SHARED: Error = Error::Refused {
    what: "fill a part of the output",
    why: "another thread has it",
};

impl PartSink for Scatter<'_, '_, '_> {
    fn place(&mut self, n: usize) -> Option<&mut [u8]> {
        let piece = *self.pieces.get(n)?;
        // All of a block lies in it in C order.
        if !self.plan.is_box || piece.lens()[..self.ndim] != self.block[..self.ndim] {
            return None;
        }
        if let Target::Slice(dst) = self.target {
            let plan = self.plan;
            if !plan.buffer.is_contiguous(&piece) {
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
        let Some(&piece) = self.pieces.get(n) else {
            return Err(SHARED);
        };
        if self.plan.has_lists {
            return self.put_lists(&piece, bytes);
        }
        if let Target::Boxes(_) = self.target {
            self.hold(n).ok_or(SHARED)?;
            let mut steps = [0; MAX_NDIM];
            for (step, &stride) in steps.iter_mut().zip(&self.steps[..self.ndim]) {
                *step = to_usize(stride)?.saturating_mul(self.typesize);
            }
            let (_, part) = self.held.as_mut().ok_or(SHARED)?;
            part.copy_from(bytes, 0, &steps[..self.ndim]);
            return Ok(());
        }
        let rows = self.rows(&piece.lens())?;
        let at = to_usize(self.plan.buffer.position(&piece.lo))? * self.typesize;
        if let Target::Slice(dst) = self.target {
            rows.copy(bytes, 0, dst, at);
        }
        Ok(())
    }
}
