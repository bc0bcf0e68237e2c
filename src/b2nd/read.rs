//! Reading: the whole array, slices, single elements.
//!
//! ```text
//! slice -> chunks it touches -> blocks it touches -> decode those -> copy rows into the output
//! ```
//!
//! A chunk whose elements lie in the output just as they lie in the chunk is decoded straight
//! into it. Special chunks are filled in without decoding.

use std::ops::Range;

use crate::b2nd::array::{Array, Workspace};
use crate::b2nd::copy::{BufferBox, Direction, copy_part, fill_part, mark_blocks};
use crate::b2nd::dtype::{Element, swap_bytes};
use crate::b2nd::grid::{Dims, Region, to_usize};
use crate::chunk::{ChunkDecoder, ChunkView, Special};
use crate::error::{Error, Part, Result};
use crate::kernels::pod;
use crate::schunk::{ChunkSource, StoredChunk};

/// Pieces of a parallel read per thread: enough to even out chunks of different cost.
#[cfg(feature = "rayon")]
const SLABS_PER_THREAD: usize = 16;

impl<C: ChunkSource> Array<C> {
    /// All elements as bytes, in C order (format §11.2).
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] when they are more than
    /// [`Limits::max_alloc`](crate::Limits::max_alloc); otherwise as
    /// [`slice_bytes_into`](Self::slice_bytes_into).
    #[doc(alias = "b2nd_to_cbuffer")]
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.region_to_bytes(&Region::whole(self.shape()))
    }

    /// All elements, in C order.
    ///
    /// # Errors
    /// As [`slice`](Self::slice).
    pub fn to_elements<T: Element>(&self) -> Result<Vec<T>> {
        self.region_to_elements(&Region::whole(self.shape()))
    }

    /// Writes all elements into `dst` as bytes, in C order, and returns how many bytes they are.
    ///
    /// # Errors
    /// As [`slice_bytes_into`](Self::slice_bytes_into).
    pub fn read_into(&self, dst: &mut [u8]) -> Result<usize> {
        self.read_region(&Region::whole(self.shape()), dst)
    }

    /// The elements of a slice, in C order.
    ///
    /// # Errors
    /// [`Error::Mismatch`] when the dtype is not that of `T`; [`Error::LimitExceeded`] when the
    /// slice is larger than [`Limits::max_alloc`](crate::Limits::max_alloc); otherwise as
    /// [`slice_bytes_into`](Self::slice_bytes_into).
    #[doc(alias = "b2nd_get_slice")]
    pub fn slice<T: Element>(&self, slice: &[Range<u64>]) -> Result<Vec<T>> {
        self.region_to_elements(&self.region(slice)?)
    }

    /// Writes the elements of a slice to the front of `dst`, in C order, and returns how many
    /// they are. Numbers of the other byte order are turned around.
    ///
    /// # Errors
    /// [`Error::Mismatch`] when the dtype is not that of `T`; otherwise as
    /// [`slice_bytes_into`](Self::slice_bytes_into).
    pub fn slice_into<T: Element>(&self, slice: &[Range<u64>], dst: &mut [T]) -> Result<usize> {
        self.region_into(&self.region(slice)?, dst)
    }

    /// The elements of a slice as bytes, in C order.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] when the slice is larger than
    /// [`Limits::max_alloc`](crate::Limits::max_alloc); otherwise as
    /// [`slice_bytes_into`](Self::slice_bytes_into).
    pub fn slice_bytes(&self, slice: &[Range<u64>]) -> Result<Vec<u8>> {
        self.region_to_bytes(&self.region(slice)?)
    }

    /// Writes the elements of a slice to the front of `dst` as bytes, in C order, and returns how
    /// many bytes they are. Only chunks that the slice touches are read, and of those only the
    /// blocks that it touches are decoded (format §11.2).
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    ///
    /// let array = Array::from_elements(&[1_u8, 2, 3, 4], &ArrayParams::new::<u8>(&[2, 2]))?;
    /// let mut column = [0; 2];
    /// assert_eq!(array.slice_bytes_into(&[0..2, 1..2], &mut column)?, 2);
    /// assert_eq!(column, [2, 4]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Mismatch`] for another number of dimensions; [`Error::OutOfBounds`] for a range
    /// that leaves the shape or runs backwards; [`Error::OutputTooSmall`]; and what decoding a
    /// chunk reports.
    #[doc(alias = "b2nd_get_slice_cbuffer")]
    pub fn slice_bytes_into(&self, slice: &[Range<u64>], dst: &mut [u8]) -> Result<usize> {
        self.read_region(&self.region(slice)?, dst)
    }

    /// One element.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    ///
    /// let array = Array::from_elements(&[1.5_f64, 2.5], &ArrayParams::new::<f64>(&[2]))?;
    /// assert_eq!(array.get::<f64>(&[1])?, 2.5);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Mismatch`] for another dtype or number of dimensions; [`Error::OutOfBounds`]; and
    /// what decoding its block reports.
    pub fn get<T: Element>(&self, index: &[u64]) -> Result<T> {
        let swapped = self.check_element::<T>()?;
        let mut element = [T::default()];
        self.get_bytes_into(index, pod::as_bytes_mut(&mut element))?;
        if swapped {
            swap_bytes(pod::as_bytes_mut(&mut element), T::SIZE);
        }
        let [element] = element;
        Ok(element)
    }

    /// The bytes of one element.
    ///
    /// # Errors
    /// As [`get`](Self::get), but for any dtype; [`Error::OutputTooSmall`].
    pub fn get_bytes_into(&self, index: &[u64], dst: &mut [u8]) -> Result<usize> {
        for (&index, &len) in index.iter().zip(self.shape()) {
            if index >= len {
                return Err(Error::OutOfBounds {
                    what: "element along an axis",
                    index,
                    len,
                });
            }
        }
        let slice: Vec<Range<u64>> = index
            .iter()
            .map(|&index| index..index.saturating_add(1))
            .collect();
        self.slice_bytes_into(&slice, dst)
    }

    /// Decodes every chunk, and discards the result.
    ///
    /// # Errors
    /// The first that decoding reports, with the number of its chunk.
    pub fn check(&self) -> Result<()> {
        let chunksize = to_usize(self.grid.chunksize().into())?;
        self.with_workspace(false, |workspace| {
            let Workspace { decoder, chunk, .. } = workspace;
            let chunk = Workspace::buffer(chunk, chunksize);
            for nchunk in 0..self.grid.nchunks() {
                let len = self.chunks.decode_chunk_into(decoder, nchunk, chunk)?;
                self.check_len(nchunk, len)?;
            }
            Ok(())
        })
    }

    /// Whether elements are swapped, once it is clear that they are values of `T`.
    pub(super) fn check_element<T: Element>(&self) -> Result<bool> {
        let swapped = self.dtype.check::<T>()?;
        if usize::try_from(self.typesize()) != Ok(T::SIZE) {
            return Err(Error::Mismatch {
                what: "element size",
                stored: self.typesize().to_string().into(),
                asked: T::SIZE.to_string().into(),
            });
        }
        Ok(swapped)
    }

    fn region_to_bytes(&self, region: &Region) -> Result<Vec<u8>> {
        let nbytes = self.region_nbytes(region)?;
        self.dparams.limits.check_alloc(nbytes, None)?;
        let mut bytes = vec![0; to_usize(nbytes)?];
        self.read_region(region, &mut bytes)?;
        Ok(bytes)
    }

    fn region_to_elements<T: Element>(&self, region: &Region) -> Result<Vec<T>> {
        self.check_element::<T>()?;
        let nbytes = self.region_nbytes(region)?;
        self.dparams.limits.check_alloc(nbytes, None)?;
        let mut elements = vec![T::default(); to_usize(nbytes)? / T::SIZE];
        self.region_into(region, &mut elements)?;
        Ok(elements)
    }

    fn region_into<T: Element>(&self, region: &Region, dst: &mut [T]) -> Result<usize> {
        let swapped = self.check_element::<T>()?;
        let dst = pod::as_bytes_mut(dst);
        let len = self.read_region(region, dst)?;
        if swapped {
            swap_bytes(&mut dst[..len], T::SIZE);
        }
        Ok(len / T::SIZE)
    }

    /// Reads a region into the front of `dst`.
    fn read_region(&self, region: &Region, dst: &mut [u8]) -> Result<usize> {
        let needed = to_usize(self.region_nbytes(region)?)?;
        let available = dst.len();
        let dst = dst
            .get_mut(..needed)
            .ok_or(Error::OutputTooSmall { needed, available })?;
        if needed == 0 {
            return Ok(0);
        }
        #[cfg(feature = "rayon")]
        if self.dparams.threads.count() > 1 {
            let slabs = self.slabs(region)?;
            // What fails is read once more in order, so that the first fault is the one reported.
            if slabs.len() > 1 && self.read_slabs(slabs, dst).is_ok() {
                return Ok(needed);
            }
        }
        let buffer = BufferBox::new(*region);
        self.with_workspace(false, |workspace| self.read_chunks(workspace, &buffer, dst))?;
        Ok(needed)
    }

    /// Reads all chunks of a box.
    fn read_chunks(
        &self,
        workspace: &mut Workspace,
        buffer: &BufferBox,
        dst: &mut [u8],
    ) -> Result<()> {
        for place in self.grid.chunks_of(&buffer.region).places() {
            let part = self.grid.chunk_box(&place).and(&buffer.region);
            self.read_part(workspace, &place, &part, buffer, dst)?;
        }
        Ok(())
    }

    /// Cuts a region at chunk borders of its first axis that is longer than one element: pieces
    /// that lie one behind the other in the output, some for each thread.
    #[cfg(feature = "rayon")]
    fn slabs(&self, region: &Region) -> Result<Vec<Region>> {
        let Some(axis) = (0..region.ndim).find(|&axis| region.len(axis) > 1) else {
            return Ok(vec![*region]);
        };
        let chunks = self.grid.chunks_of(region);
        let chunk = self.grid.chunk_lens()[axis];
        let pieces = self
            .dparams
            .threads
            .count()
            .saturating_mul(SLABS_PER_THREAD);
        let rows = chunks
            .len(axis)
            .div_ceil(u64::try_from(pieces).unwrap_or(u64::MAX));
        let slabs = (chunks.lo[axis]..chunks.hi[axis])
            .step_by(to_usize(rows)?)
            .map(|first| {
                let mut slab = *region;
                slab.lo[axis] = region.lo[axis].max(first * chunk);
                slab.hi[axis] = region.hi[axis].min((first + rows).saturating_mul(chunk));
                slab
            });
        Ok(slabs.collect())
    }

    /// Reads slabs in parallel. Each is one contiguous piece of `dst`.
    #[cfg(feature = "rayon")]
    fn read_slabs(&self, slabs: Vec<Region>, dst: &mut [u8]) -> Result<()> {
        use rayon::iter::{IntoParallelIterator, ParallelIterator};

        let mut pieces = Vec::with_capacity(slabs.len());
        let mut rest = dst;
        for slab in slabs {
            let len = to_usize(self.region_nbytes(&slab)?)?;
            let (piece, behind) = rest.split_at_mut(len);
            pieces.push((slab, piece));
            rest = behind;
        }
        self.dparams.threads.install(|| {
            pieces.into_par_iter().try_for_each(|(slab, piece)| {
                let buffer = BufferBox::new(slab);
                self.with_workspace(true, |workspace| {
                    self.read_chunks(workspace, &buffer, piece)
                })
            })
        })
    }

    /// Reads `part`, which lies in the chunk at `place`, into its place in the buffer.
    fn read_part(
        &self,
        workspace: &mut Workspace,
        place: &Dims,
        part: &Region,
        buffer: &BufferBox,
        dst: &mut [u8],
    ) -> Result<()> {
        let nchunk = self.grid.chunk_number(place);
        if let Some(Special::Zeros | Special::Uninit) = self.chunks.special_value(nchunk) {
            return fill_part(to_usize(self.typesize().into())?, part, buffer, &[0], dst);
        }
        let chunksize = to_usize(self.grid.chunksize().into())?;
        let Workspace {
            decoder,
            chunk,
            wanted,
        } = workspace;
        if let Some(at) = self.direct(part, buffer)? {
            let dst = &mut dst[at..at + chunksize];
            let len = self.chunks.decode_chunk_into(decoder, nchunk, dst)?;
            return self.check_len(nchunk, len);
        }

        let chosen = mark_blocks(&self.grid, place, part, wanted)?;
        let chunk = Workspace::buffer(chunk, chunksize);
        // Several threads decode a whole chunk sooner than one of them most of it.
        let few = if self.dparams.threads.count() > 1 {
            wanted.len() / 2
        } else {
            wanted.len()
        };
        if chosen >= few {
            let len = self.chunks.decode_chunk_into(decoder, nchunk, chunk)?;
            self.check_len(nchunk, len)?;
        } else {
            self.decode_blocks(decoder, nchunk, wanted, chunk)?;
        }
        copy_part(&self.grid, place, part, buffer, Direction::Out(chunk, dst))
    }

    /// Decodes the wanted blocks of a chunk to their places.
    fn decode_blocks(
        &self,
        decoder: &mut ChunkDecoder,
        nchunk: u64,
        wanted: &[bool],
        chunk: &mut [u8],
    ) -> Result<()> {
        let blocksize = to_usize(self.grid.blocksize().into())?;
        let first = wanted.iter().position(|&wanted| wanted).unwrap_or(0);
        let end = wanted
            .iter()
            .rposition(|&wanted| wanted)
            .map_or(0, |last| last + 1);
        if wanted[first..end].iter().all(|&wanted| wanted) {
            // One run of blocks: a source on disk reads no more than it needs.
            let bytes = first * blocksize..end * blocksize;
            let dst = &mut chunk[bytes.clone()];
            self.chunks
                .decode_chunk_bytes_into(decoder, nchunk, bytes, dst)?;
            return Ok(());
        }
        if let StoredChunk::Bytes(bytes) = self.chunks.chunk(nchunk)?
            && self.has_array_blocks(&bytes)
            && decoder.decode_blocks_into(&bytes, wanted, chunk).is_ok()
        {
            return Ok(());
        }
        // A special value, a chunk with blocks of its own, or a damaged one, of which the source
        // knows where it lies.
        let len = self.chunks.decode_chunk_into(decoder, nchunk, chunk)?;
        self.check_len(nchunk, len)
    }

    /// Where a part begins in the buffer, in bytes, when it is a whole chunk without padding whose
    /// elements lie in the buffer just as in the chunk.
    pub(super) fn direct(&self, part: &Region, buffer: &BufferBox) -> Result<Option<usize>> {
        let ndim = self.ndim();
        let (block, _) = self.grid.copy_blocks();
        let whole = part.lens()[..ndim] == self.grid.extchunk()[..ndim]
            && block[..ndim] == self.grid.extchunk()[..ndim];
        if !whole || !buffer.is_contiguous(part) {
            return Ok(None);
        }
        let items = buffer.position(&part.lo);
        Ok(Some(to_usize(items)? * to_usize(self.typesize().into())?))
    }

    /// Whether the blocks of a chunk are those of the array, as they should be.
    fn has_array_blocks(&self, bytes: &[u8]) -> bool {
        ChunkView::parse(bytes, &self.dparams.limits).is_ok_and(|view| {
            let header = view.header();
            (header.nbytes, header.blocksize) == (self.grid.chunksize(), self.grid.blocksize())
        })
    }

    /// Every chunk of an array has the same size.
    pub(super) fn check_len(&self, nchunk: u64, len: usize) -> Result<()> {
        if u64::try_from(len) != Ok(self.grid.chunksize().into()) {
            let expected = self.grid.chunksize();
            let error = Error::unequal(Part::ChunkHeader, 4, "nbytes", len, expected);
            return Err(error.in_chunk(nchunk));
        }
        Ok(())
    }
}
