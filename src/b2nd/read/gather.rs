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

use crate::b2nd::array::Array;
use crate::b2nd::copy::buffer::fill_part;
use crate::b2nd::layout::meta::MAX_NDIM;
use crate::b2nd::layout::region::{Dims, strides, to_usize};
use crate::b2nd::read::scatter::{Scatter, Target};
use crate::b2nd::select::plan::{Cell, Plan};
use crate::b2nd::workspace::Workspace;
use crate::chunk::{BlockPart, PartSink, Special};
use crate::error::{Error, Result};
use crate::schunk::{ChunkSource, StoredChunk, fill_special};

/// How many blocks are listed before they are decoded.
const GROUP: usize = 128;

impl<C: ChunkSource> Array<C> {
    /// Reads a selection into the front of `dst`, and returns its size in bytes.
    pub(crate) fn read_plan(&self, plan: &Plan, dst: &mut [u8]) -> Result<usize> {
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

    /// The first index of a chunk along each axis.
    pub(crate) fn origin(&self, place: &Dims) -> Dims {
        std::array::from_fn(|axis| place[axis] * self.grid.chunk_lens()[axis])
    }

    /// Reads what lies in one chunk. `stored` is the chunk, when it was fetched already.
    pub(crate) fn gather_chunk(
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
