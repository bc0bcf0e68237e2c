//! The read path: the blocks that a selection touches, decoding and copies.
//!
//! ```text
//! selection -> chunks -> blocks -> decode each once -> rows into the output
//!                  \________\________ in parallel when threads are requested
//! ```
//!
//! A block that is requested as a whole, and is contiguous in the output, is decoded into it. A
//! block of which little is requested is decoded in part. Special chunks are filled in without
//! decoding. Memory beside the output: a block and the list of some blocks per thread.

use crate::b2nd::array::Array;
use crate::b2nd::copy::{BufferBox, fill_part};
use crate::b2nd::layout::region::{Dims, Region};
use crate::b2nd::read::scatter::{Scatter, Target};
use crate::b2nd::read::wanted::{BlocksOfChunk, chunk_cells};
use crate::b2nd::select::plan::{Cell, ReadPlan};
use crate::b2nd::workspace::Workspace;
use crate::chunk::{BlockPart, PartSink, Special};
use crate::error::{Error, Part, Result};
use crate::num::to_usize;
use crate::schunk::{ChunkSource, StoredChunk, fill_special};

/// The number of blocks that are listed before they are decoded.
const GROUP: usize = 128;

impl<C: ChunkSource> Array<C> {
    /// Reads a selection into the front of `dst`, and returns its size in bytes.
    pub(crate) fn read_plan(&self, plan: &ReadPlan, dst: &mut [u8]) -> Result<usize> {
        self.read_cells(plan, |_| true, dst)
    }

    /// As [`read_plan`](Self::read_plan), but only what lies in some chunks; other bytes of `dst`
    /// stay.
    pub(crate) fn read_cells(
        &self,
        plan: &ReadPlan,
        wanted: impl Fn(&Cell) -> bool + Sync + Send,
        dst: &mut [u8],
    ) -> Result<usize> {
        let needed = to_usize(self.region_nbytes(plan.whole())?)?;
        let available = dst.len();
        let dst = dst
            .get_mut(..needed)
            .ok_or(Error::OutputTooSmall { needed, available })?;
        if needed == 0 {
            return Ok(0);
        }
        if self.dparams.threads.count() > 1
            && !plan.has_lists
            && self.read_parallel(plan, &wanted, dst)?
        {
            return Ok(needed);
        }
        self.with_workspace(None, |workspace| {
            for chunk in chunk_cells(&self.grid, plan).filter(&wanted) {
                self.gather_chunk(workspace, plan, &chunk, None, &mut Target::Slice(dst))?;
            }
            Ok(needed)
        })
    }

    /// The first index of a chunk along each axis.
    pub(crate) fn origin(&self, coords: &Dims) -> Dims {
        std::array::from_fn(|axis| coords[axis] * self.grid.chunk_lens()[axis])
    }

    /// Reads the part of a selection in one chunk. `stored` is the chunk, if it is fetched already.
    pub(crate) fn gather_chunk(
        &self,
        workspace: &mut Workspace,
        plan: &ReadPlan,
        chunk: &Cell,
        stored: Option<&StoredChunk<'_>>,
        target: &mut Target<'_, '_>,
    ) -> Result<()> {
        let nchunk = self.grid.chunk_number(&chunk.coords);
        let zeros = matches!(
            self.special_value(nchunk),
            Some(Special::Zeros | Special::Uninit)
        );
        if let Target::Slice(dst) = target {
            if zeros && !plan.has_lists {
                let typesize = self.typesize();
                return fill_part(typesize, &chunk.part, &plan.buffer, &[0], dst);
            }
            if plan.is_box
                && let Some(at) = self.direct(&chunk.part, &plan.buffer)?
            {
                let chunksize = self.grid.chunksize();
                let dst = &mut dst[at..at + chunksize];
                let decoder = &mut workspace.decoder;
                let len = self.decode_now(decoder, nchunk, dst)?;
                return self.check_len(nchunk, len);
            }
        }
        let fetched = match stored {
            Some(_) => None,
            None if zeros => None,
            // Of a chunk in storage, only the requested blocks are read.
            None if !self.chunk_is_in_memory(nchunk)
                && (self.chunks.chunks_are_far() || self.touches_little(plan, chunk)) =>
            {
                None
            }
            None => Some(self.chunk_now(nchunk)?),
        };
        let stored = stored.or(fetched.as_ref());

        let blocks_in = BlocksOfChunk::new(&self.grid, &chunk.coords);
        let typesize = self.typesize();
        let mut blocks = blocks_in.cells(plan, chunk).peekable();
        while blocks.peek().is_some() {
            workspace.parts.clear();
            workspace.pieces.clear();
            for cell in blocks.by_ref().take(GROUP) {
                let (number, items) = blocks_in.extent(plan, &cell);
                workspace.parts.push(BlockPart {
                    block: to_usize(number)?,
                    bytes: to_usize(items.start)? * typesize..to_usize(items.end)? * typesize,
                });
                workspace.pieces.push(cell.part);
            }
            self.gather_blocks(workspace, plan, nchunk, stored, zeros, target)?;
        }
        Ok(())
    }

    /// Whether less than a quarter of the blocks of a chunk is requested.
    fn touches_little(&self, plan: &ReadPlan, chunk: &Cell) -> bool {
        let (block, nblocks) = self.grid.blocks();
        let (mut touched, mut all) = (1_u64, 1_u64);
        for axis in 0..self.ndim() {
            let indices = &plan.axes[axis];
            let lo = indices.index(chunk.part.lo[axis]) % self.grid.chunk_lens()[axis];
            let hi = indices.index(chunk.part.hi[axis] - 1) % self.grid.chunk_lens()[axis];
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
        plan: &ReadPlan,
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
        let chunksize = self.grid.chunksize();
        let blocksize = self.grid.blocksize();
        let mut sink = Scatter::new(&self.grid, plan, pieces, target)?;
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
                match decoder.decode_parts(bytes, sizes, parts, &mut sink) {
                    Ok(true) => return Ok(()),
                    Ok(false) => {}
                    Err(error) => {
                        // The source adds the offset of the chunk to the error. Parts that were
                        // claimed cannot be claimed again, so nothing is copied from here on.
                        let chunk = Workspace::buffer(decoder, chunk, chunksize)?;
                        self.decode_now(decoder, nchunk, chunk)?;
                        return Err(error.in_chunk(nchunk));
                    }
                }
            }
            Some(&StoredChunk::Special { special, nbytes })
                if self.dparams.postfilter.is_none() =>
            {
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
            Some(StoredChunk::Special { .. }) => {}
            None => {
                ranges.clear();
                let mut total = 0;
                for part in parts.iter() {
                    let first = part.block * blocksize;
                    ranges.push(first + part.bytes.start..first + part.bytes.end);
                    total += part.bytes.len();
                }
                let chunk = Workspace::buffer(decoder, chunk, total)?;
                self.decode_ranges_now(decoder, nchunk, ranges, chunk)?;
                let mut rest = &chunk[..];
                for (n, part) in parts.iter().enumerate() {
                    let (bytes, after) = rest.split_at(part.bytes.len());
                    sink.put(n, bytes)?;
                    rest = after;
                }
                return Ok(());
            }
        }
        // A chunk with another block size, with variable-length blocks, or with a postfilter (of
        // special values, too).
        let chunk = Workspace::buffer(decoder, chunk, chunksize)?;
        let len = self.decode_now(decoder, nchunk, chunk)?;
        self.check_len(nchunk, len)?;
        for (n, part) in parts.iter().enumerate() {
            let first = part.block * blocksize;
            sink.put(n, &chunk[first + part.bytes.start..first + part.bytes.end])?;
        }
        Ok(())
    }

    /// Reads a region into the front of `dst`.
    pub(crate) fn read_region(&self, region: &Region, dst: &mut [u8]) -> Result<usize> {
        self.read_plan(&ReadPlan::of_region(region), dst)
    }

    /// The offset of a part in the buffer, in bytes, when it is a whole chunk without padding whose
    /// elements have the same order in the buffer.
    pub(crate) fn direct(&self, part: &Region, buffer: &BufferBox) -> Result<Option<usize>> {
        let ndim = self.ndim();
        let (block, _) = self.grid.copy_blocks();
        let whole = part.lens()[..ndim] == self.grid.extchunk()[..ndim]
            && block[..ndim] == self.grid.extchunk()[..ndim];
        if !whole || !buffer.is_contiguous(part) {
            return Ok(None);
        }
        let items = buffer.position(&part.lo);
        Ok(Some(to_usize(items)? * self.typesize()))
    }

    /// Every chunk of an array has the same size.
    pub(crate) fn check_len(&self, nchunk: u64, len: usize) -> Result<()> {
        if len != self.grid.chunksize() {
            let expected = self.grid.chunksize();
            let error = Error::unequal(Part::ChunkHeader, 4, "nbytes", len, expected);
            return Err(error.in_chunk(nchunk));
        }
        Ok(())
    }
}
