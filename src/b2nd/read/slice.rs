//! Reading: the whole array, slices, single elements.
//!
//! All of them are selections; how those are read is told in `gather`.

use std::ops::Range;

use oxiblosc_kernels::pod;

use crate::b2nd::array::Array;
use crate::b2nd::copy::buffer::BufferBox;
use crate::b2nd::layout::dtype::{Element, swap_bytes};
use crate::b2nd::layout::meta::MAX_NDIM;
use crate::b2nd::layout::region::{Region, to_usize};
use crate::b2nd::select::plan::Plan;
use crate::b2nd::workspace::Workspace;
use crate::chunk::Special;
use crate::error::{Error, Part, Result};
use crate::schunk::ChunkSource;

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
            swap_bytes(pod::as_bytes_mut(&mut element), T::PART);
        }
        let [element] = element;
        Ok(element)
    }

    /// The bytes of one element.
    ///
    /// # Errors
    /// As [`get`](Self::get), but for any dtype; [`Error::OutputTooSmall`].
    pub fn get_bytes_into(&self, index: &[u64], dst: &mut [u8]) -> Result<usize> {
        let (nchunk, bytes) = self.locate(index)?;
        if let Some(Special::Zeros | Special::Uninit) = self.chunks.special_value(nchunk) {
            let (needed, available) = (bytes.len(), dst.len());
            dst.get_mut(..needed)
                .ok_or(Error::OutputTooSmall { needed, available })?
                .fill(0);
            return Ok(needed);
        }
        self.with_workspace(false, |workspace| {
            let decoder = &mut workspace.decoder;
            self.chunks
                .decode_chunk_bytes_into(decoder, nchunk, bytes, dst)
        })
    }

    /// The chunk that holds an element, and the element's bytes in it.
    pub(crate) fn locate(&self, index: &[u64]) -> Result<(u64, Range<usize>)> {
        if index.len() != self.ndim() {
            return Err(self.other_ndim(index.len()));
        }
        let (block, nblocks) = self.grid.blocks();
        let (mut place, mut number, mut inside) = ([0; MAX_NDIM], 0, 0);
        for (axis, (&index, &len)) in index.iter().zip(self.shape()).enumerate() {
            if index >= len {
                return Err(Error::OutOfBounds {
                    what: "element along an axis",
                    index,
                    len,
                });
            }
            let chunk = self.grid.chunk_lens()[axis];
            place[axis] = index / chunk;
            let in_chunk = index - place[axis] * chunk;
            let at = in_chunk / block[axis];
            number = number * nblocks[axis] + at;
            inside = inside * block[axis] + (in_chunk - at * block[axis]);
        }
        let block_items: u64 = block[..self.ndim()].iter().product();
        let typesize = to_usize(self.typesize().into())?;
        let at = to_usize(number * block_items + inside)? * typesize;
        Ok((self.grid.chunk_number(&place), at..at + typesize))
    }

    /// Decodes every chunk, and discards the result.
    ///
    /// # Errors
    /// The first that decoding reports, with the number of its chunk.
    pub fn check(&self) -> Result<()> {
        let chunksize = to_usize(self.grid.chunksize().into())?;
        self.with_workspace(false, |workspace| {
            let Workspace { decoder, chunk, .. } = workspace;
            let chunk = Workspace::buffer(decoder, chunk, chunksize)?;
            for nchunk in 0..self.grid.nchunks() {
                let len = self.chunks.decode_chunk_into(decoder, nchunk, chunk)?;
                self.check_len(nchunk, len)?;
            }
            Ok(())
        })
    }

    /// Whether elements are swapped, once it is clear that they are values of `T`.
    pub(crate) fn check_element<T: Element>(&self) -> Result<bool> {
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
        self.plan_to_bytes(&Plan::of_region(region))
    }

    fn region_to_elements<T: Element>(&self, region: &Region) -> Result<Vec<T>> {
        self.plan_to_elements(&Plan::of_region(region))
    }

    fn region_into<T: Element>(&self, region: &Region, dst: &mut [T]) -> Result<usize> {
        self.plan_into(&Plan::of_region(region), dst)
    }

    /// The elements of a selection as bytes.
    pub(crate) fn plan_to_bytes(&self, plan: &Plan) -> Result<Vec<u8>> {
        let nbytes = self.region_nbytes(plan.whole())?;
        self.dparams.limits.check_alloc(nbytes, None)?;
        let mut bytes = vec![0; to_usize(nbytes)?];
        self.read_plan(plan, &mut bytes)?;
        Ok(bytes)
    }

    /// The elements of a selection.
    pub(crate) fn plan_to_elements<T: Element>(&self, plan: &Plan) -> Result<Vec<T>> {
        self.check_element::<T>()?;
        let nbytes = self.region_nbytes(plan.whole())?;
        self.dparams.limits.check_alloc(nbytes, None)?;
        let mut elements = vec![T::default(); to_usize(nbytes)? / T::SIZE];
        self.plan_into(plan, &mut elements)?;
        Ok(elements)
    }

    /// Reads a selection into the front of `dst`, and returns how many elements it has.
    pub(crate) fn plan_into<T: Element>(&self, plan: &Plan, dst: &mut [T]) -> Result<usize> {
        let swapped = self.check_element::<T>()?;
        let dst = pod::as_bytes_mut(dst);
        let len = self.read_plan(plan, dst)?;
        if swapped {
            swap_bytes(&mut dst[..len], T::PART);
        }
        Ok(len / T::SIZE)
    }

    /// Reads a region into the front of `dst`.
    pub(crate) fn read_region(&self, region: &Region, dst: &mut [u8]) -> Result<usize> {
        self.read_plan(&Plan::of_region(region), dst)
    }

    /// Where a part begins in the buffer, in bytes, when it is a whole chunk without padding whose
    /// elements lie in the buffer just as in the chunk.
    pub(crate) fn direct(&self, part: &Region, buffer: &BufferBox) -> Result<Option<usize>> {
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

    /// Every chunk of an array has the same size.
    pub(crate) fn check_len(&self, nchunk: u64, len: usize) -> Result<()> {
        if u64::try_from(len) != Ok(self.grid.chunksize().into()) {
            let expected = self.grid.chunksize();
            let error = Error::unequal(Part::ChunkHeader, 4, "nbytes", len, expected);
            return Err(error.in_chunk(nchunk));
        }
        Ok(())
    }
}
