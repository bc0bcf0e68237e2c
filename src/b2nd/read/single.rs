//! Boxes of a single chunk, without a super-chunk around it.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use oxiblosc_kernels::BoxGrid;

use crate::b2nd::layout::grid::Grid;
use crate::b2nd::layout::meta::MAX_NDIM;
use crate::b2nd::layout::region::{Dims, Region};
use crate::b2nd::read::scatter::{Scatter, Target};
use crate::b2nd::read::wanted::BlocksOfChunk;
use crate::b2nd::select::plan::{Cell, ReadPlan};
use crate::b2nd::select::selection::other_ndim;
use crate::chunk::{BlockPart, ChunkDecoder, ChunkFront, ChunkHeader, ChunkPart, PartSink};
use crate::codec::CodecId;
use crate::error::{Error, Part, Result};
use crate::num::{saturating_i64, saturating_usize, to_u64, to_usize};
use crate::threads::Threads;
use crate::threads::claim::{Helpers, share_out};
use crate::threads::work::Work;

/// A chunk, whole or in parts.
#[derive(Clone, Copy)]
enum Stored<'a> {
    Whole(&'a [u8]),
    Parts(&'a ChunkFront, &'a [ChunkPart<'a>]),
}

impl Stored<'_> {
    /// The work of reading `wanted` bytes of the `decoded` bytes in blocks of such a chunk.
    fn work(self, nbytes: u32, decoded: usize, wanted: usize) -> Work {
        let header = match self {
            Self::Whole(chunk) => ChunkHeader::parse(chunk).ok(),
            Self::Parts(front, _) => Some(*front.header()),
        };
        let Some(header) = header else {
            return Work::copy(0);
        };
        let ratio = u128::from(to_u64(decoded)) * u128::from(header.cbytes);
        let coded = saturating_usize(ratio / u128::from(nbytes.max(1)));
        let codec = header.codec().unwrap_or(CodecId::BLOSCLZ);
        Work::read(codec, decoded, coded, wanted)
    }
}

/// Jobs per thread: enough to even out blocks of different cost.
const JOBS_PER_THREAD: usize = 4;

/// The blocks that a box touches: the part of each, and its elements.
struct Touched {
    plan: ReadPlan,
    parts: Vec<BlockPart>,
    pieces: Vec<Region>,
}

impl Grid {
    /// Decompresses a box of one chunk into the front of `dst`, in C order, and returns its size
    /// in bytes ([format §11.2](crate::format#11.2)). Each block that it touches is decoded once,
    /// and no other one, except where the filters need the first. The threads of the decoder share
    /// the blocks, where there is enough to do.
    ///
    /// `region` has a range of elements for each axis, counted from the first element of the
    /// chunk; it may reach to the chunkshape, also where a chunk overhangs the shape.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams, Grid};
    /// use oxiblosc::{ChunkDecoder, ChunkSource, schunk::StoredChunk};
    ///
    /// let numbers: Vec<u16> = (0..600).collect();
    /// let params = ArrayParams::new::<u16>([20, 30]).chunkshape([20, 30]).blockshape([8, 8]);
    /// let array = Array::from_elements(&numbers, &params)?;
    /// let StoredChunk::Bytes(chunk) = array.schunk().chunk(0)? else { unreachable!() };
    ///
    /// let grid = Grid::new(2, &[20, 30], &[20, 30], &[8, 8])?;
    /// let (mut decoder, mut two) = (ChunkDecoder::default(), [0; 4]);
    /// grid.decode_box_into(&mut decoder, &chunk, &[3..5, 7..8], &mut two)?;
    /// assert_eq!(two, [97, 0, 127, 0]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Mismatch`] for another number of axes; [`Error::OutsideAxis`] and
    /// [`Error::InvalidParam`] for a range that is not in the chunk; [`Error::OutputTooSmall`];
    /// [`Error::Corrupt`] when the chunk has another size than the grid says; [`Error::Refused`]
    /// for variable-length blocks; and the errors of decoding.
    #[doc(alias = "b2nd_get_slice_cbuffer")]
    pub fn decode_box_into(
        &self,
        decoder: &mut ChunkDecoder,
        chunk: &[u8],
        region: &[Range<u64>],
        dst: &mut [u8],
    ) -> Result<usize> {
        let nbytes = ChunkHeader::parse(chunk)?.nbytes;
        self.decode_box(decoder, (Stored::Whole(chunk), nbytes), region, dst)
    }

    /// [`decode_box_into`](Self::decode_box_into) of a chunk of which only parts were fetched.
    ///
    /// `parts` are bytes of the chunk, in order: at least those that [`ChunkFront::missing`] names
    /// for [`bytes_of_box`](Self::bytes_of_box).
    ///
    /// # Errors
    /// As [`decode_box_into`](Self::decode_box_into); [`Error::Truncated`] where bytes of the
    /// chunk are not in `parts`; [`Error::InvalidParam`] when these are not in order or overlap.
    pub fn decode_box_parts_into(
        &self,
        decoder: &mut ChunkDecoder,
        front: &ChunkFront,
        parts: &[ChunkPart<'_>],
        region: &[Range<u64>],
        dst: &mut [u8],
    ) -> Result<usize> {
        let stored = Stored::Parts(front, parts);
        self.decode_box(decoder, (stored, front.header().nbytes), region, dst)
    }

    /// The decoded bytes of a chunk that a box of it needs: in each block that it touches, those
    /// from its first to its last element. `region` is that of
    /// [`decode_box_into`](Self::decode_box_into).
    ///
    /// ```
    /// use oxiblosc::b2nd::Grid;
    ///
    /// let grid = Grid::new(1, &[4, 4], &[4, 4], &[2, 2])?;
    /// assert_eq!(grid.bytes_of_box(&[0..1, 1..4])?, [1..2, 4..6]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Mismatch`] for another number of axes; [`Error::OutsideAxis`] and
    /// [`Error::InvalidParam`] for a range that is not in the chunk.
    pub fn bytes_of_box(&self, region: &[Range<u64>]) -> Result<Vec<Range<usize>>> {
        let touched = self.touch(region)?;
        Ok(self.ranges_of(&touched.parts).collect())
    }

    fn ranges_of<'p>(&self, parts: &'p [BlockPart]) -> impl Iterator<Item = Range<usize>> + 'p {
        let blocksize = self.blocksize();
        parts.iter().map(move |part| {
            let first = part.block * blocksize;
            first + part.bytes.start..first + part.bytes.end
        })
    }

    /// Resolves a box of a chunk.
    fn touch(&self, region: &[Range<u64>]) -> Result<Touched> {
        let ndim = self.ndim();
        if region.len() != ndim {
            return Err(other_ndim(ndim, region.len()));
        }
        let mut within = Region::whole(self.chunkshape());
        for (axis, range) in region.iter().enumerate() {
            let len = within.hi[axis];
            if range.start > range.end {
                return Err(Error::reversed(range.start));
            }
            if range.end > len {
                let index = saturating_i64(range.end);
                return Err(Error::OutsideAxis { axis, index, len });
            }
            (within.lo[axis], within.hi[axis]) = (range.start, range.end);
        }
        let plan = ReadPlan::of_region(&within);
        let origin: Dims = [0; MAX_NDIM];
        let chunk = Cell {
            coords: origin,
            part: *plan.whole(),
        };
        let blocks = BlocksOfChunk::new(self, &origin);
        let typesize = self.typesize();
        let (mut parts, mut pieces) = (Vec::new(), Vec::new());
        if !within.is_empty() {
            for cell in blocks.cells(&plan, &chunk) {
                let (number, items) = blocks.extent(&plan, &cell);
                parts.push(BlockPart {
                    block: to_usize(number)?,
                    bytes: to_usize(items.start)? * typesize..to_usize(items.end)? * typesize,
                });
                pieces.push(cell.part);
            }
        }
        Ok(Touched {
            plan,
            parts,
            pieces,
        })
    }

    fn decode_box(
        &self,
        decoder: &mut ChunkDecoder,
        (stored, nbytes): (Stored<'_>, u32),
        region: &[Range<u64>],
        dst: &mut [u8],
    ) -> Result<usize> {
        let touched = self.touch(region)?;
        let Touched {
            plan,
            parts,
            pieces,
        } = &touched;
        let nitems = plan.whole().nitems().unwrap_or(u64::MAX);
        let needed = to_usize(nitems)?.saturating_mul(self.typesize());
        let available = dst.len();
        let dst = dst
            .get_mut(..needed)
            .ok_or(Error::OutputTooSmall { needed, available })?;
        if to_usize(u64::from(nbytes))? != self.chunksize() {
            let expected = self.chunksize();
            return Err(Error::unequal(
                Part::ChunkHeader,
                4,
                "nbytes",
                nbytes,
                expected,
            ));
        }
        let decoded = parts.iter().map(|part| part.bytes.len()).sum();
        let helpers = stored
            .work(nbytes, decoded, needed)
            .helpers(&decoder.dparams().threads, parts.len());
        if helpers > 0 && self.share(decoder, stored, helpers, &touched, dst)? {
            return Ok(needed);
        }
        let mut target = Target::Slice(dst);
        let mut sink = Scatter::new(self, plan, pieces, &mut target)?;
        if !self.decode_touched(decoder, stored, parts, &mut sink)? {
            // A chunk that is cut into other blocks, or with a postfilter.
            let ranges: Vec<_> = self.ranges_of(parts).collect();
            let total = ranges.iter().map(Range::len).sum();
            decoder.dparams().limits.check_alloc(to_u64(total), None)?;
            let mut bytes = vec![0; total];
            match stored {
                Stored::Whole(chunk) => decoder.decode_ranges_into(chunk, &ranges, &mut bytes)?,
                Stored::Parts(front, held) => {
                    decoder.decode_parts_into(front, held, &ranges, &mut bytes)?
                }
            };
            let mut rest = &bytes[..];
            for (n, part) in parts.iter().enumerate() {
                let (bytes, after) = rest.split_at(part.bytes.len());
                sink.put(n, bytes)?;
                rest = after;
            }
        }
        Ok(needed)
    }

    /// Decodes parts of blocks; false for a chunk that is cut into other blocks, or with a
    /// postfilter.
    fn decode_touched(
        &self,
        decoder: &mut ChunkDecoder,
        stored: Stored<'_>,
        parts: &[BlockPart],
        sink: &mut Scatter<'_, '_, '_>,
    ) -> Result<bool> {
        let sizes = (self.chunksize(), self.blocksize());
        match stored {
            Stored::Whole(chunk) => decoder.decode_parts(chunk, sizes, parts, sink),
            Stored::Parts(front, held) => {
                decoder.decode_fetched_parts((front, held), sizes, parts, sink)
            }
        }
    }

    /// [`decode_touched`](Self::decode_touched) on this thread and as many of `helpers` as are
    /// free.
    fn share(
        &self,
        decoder: &ChunkDecoder,
        stored: Stored<'_>,
        helpers: usize,
        touched: &Touched,
        dst: &mut [u8],
    ) -> Result<bool> {
        let Touched {
            plan,
            parts,
            pieces,
        } = touched;
        let (chunk, (block, _)) = (self.chunk_lens(), self.blocks());
        let cuts = (0..self.ndim()).map(|axis| {
            let runs = plan.runs(axis, chunk[axis]);
            let cuts = plan.cuts(axis, &runs, chunk[axis], block[axis]);
            cuts.into_iter().map(to_usize).collect()
        });
        let boxes = BoxGrid::new(dst, self.typesize(), cuts.collect::<Result<_>>()?);
        let at_once = parts.len().div_ceil(JOBS_PER_THREAD * (helpers + 1)).max(1);
        let jobs = parts.chunks(at_once).zip(pieces.chunks(at_once));
        let dparams = decoder.dparams();
        let serial = dparams.clone().threads(Threads::Serial);
        let done = AtomicBool::new(true);
        let tools = |_, run: &mut dyn FnMut(&mut ChunkDecoder)| {
            run(&mut ChunkDecoder::new(serial.clone()));
        };
        let helpers = Helpers {
            threads: &dparams.threads,
            count: helpers,
            at_once: 1,
        };
        share_out(helpers, jobs, tools, |decoder, (parts, pieces)| {
            let mut target = Target::Boxes(&boxes);
            let mut sink = Scatter::new(self, plan, pieces, &mut target)?;
            if !self.decode_touched(decoder, stored, parts, &mut sink)? {
                done.store(false, Ordering::Relaxed);
            }
            Ok(())
        })?;
        Ok(done.into_inner())
    }
}
