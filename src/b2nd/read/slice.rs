//! Reading selections, and single elements.

use std::mem::MaybeUninit;
use std::ops::Range;

use oxiblosc_kernels::unwritten;

use crate::b2nd::array::Array;
use crate::b2nd::layout::dtype::{Element, fill_elements};
use crate::b2nd::layout::meta::MAX_NDIM;
use crate::b2nd::layout::region::Region;
use crate::b2nd::select::axis::AxisSelection;
use crate::b2nd::select::per_axis::{PerAxis, index_within};
use crate::b2nd::select::plan::ReadPlan;
use crate::b2nd::select::selection::{Points, Selected, Selection, other_ndim};
use crate::b2nd::workspace::Workspace;
use crate::chunk::Special;
use crate::error::{Error, Result};
use crate::num::{saturating_i64, to_u64, to_usize};
use crate::schunk::ChunkSource;

impl<C: ChunkSource> Array<C> {
    /// All elements, in C order.
    ///
    /// # Errors
    /// As [`slice`](Self::slice).
    pub fn to_elements<T: Element>(&self) -> Result<Vec<T>> {
        self.slice(..)
    }

    /// All elements as bytes, in C order ([format §11.2](crate::format#11.2)).
    ///
    /// # Errors
    /// As [`slice_bytes`](Self::slice_bytes).
    #[doc(alias = "b2nd_to_cbuffer")]
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.slice_bytes(..)
    }

    /// The elements of a [`Selection`]: of a box, of steps, lists of indices or points.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    ///
    /// let numbers: Vec<i32> = (0..12).collect();
    /// let array = Array::from_elements(&numbers, &ArrayParams::new::<i32>(&[3, 4]))?;
    /// assert_eq!(array.slice::<i32>(&[1..3, 0..2])?, [4, 5, 8, 9]);
    /// assert_eq!(array.slice::<i32>((2, ..))?, [8, 9, 10, 11]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Mismatch`] when the dtype is not that of `T`; [`Error::LimitExceeded`] when the
    /// result is larger than [`Limits::max_alloc`](crate::Limits::max_alloc); otherwise as
    /// [`slice_bytes_into`](Self::slice_bytes_into).
    #[doc(alias = "b2nd_get_slice")]
    #[doc(alias = "b2nd_get_orthogonal_selection")]
    pub fn slice<'s, T: Element>(&self, selection: impl Into<Selection<'s>>) -> Result<Vec<T>> {
        self.request(&selection.into())?.to_elements(self)
    }

    /// Writes the elements of a selection to the front of `dst`, in C order, and returns their
    /// number. Numbers of the other byte order are converted.
    ///
    /// # Errors
    /// [`Error::Mismatch`] when the dtype is not that of `T`; otherwise as
    /// [`slice_bytes_into`](Self::slice_bytes_into).
    pub fn slice_into<'s, T: Element>(
        &self,
        selection: impl Into<Selection<'s>>,
        dst: &mut [T],
    ) -> Result<usize> {
        let swap = self.check_element::<T>()?;
        fill_elements(dst, &swap, |bytes| self.slice_bytes_into(selection, bytes))
    }

    /// The elements of a selection as bytes, in C order.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] when the result is larger than
    /// [`Limits::max_alloc`](crate::Limits::max_alloc); otherwise as
    /// [`slice_bytes_into`](Self::slice_bytes_into).
    pub fn slice_bytes<'s>(&self, selection: impl Into<Selection<'s>>) -> Result<Vec<u8>> {
        self.request(&selection.into())?.to_bytes(self)
    }

    /// Writes the elements of a selection to the front of `dst` as bytes, in C order, and returns
    /// their number of bytes. Only chunks that the selection touches are read, and each block that
    /// it touches is decoded once, in whatever order lists are
    /// ([format §11.2](crate::format#11.2)).
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    ///
    /// let array = Array::from_elements(&[1_u8, 2, 3, 4], &ArrayParams::new::<u8>(&[2, 2]))?;
    /// let mut column = [0; 2];
    /// assert_eq!(array.slice_bytes_into((.., 1), &mut column)?, 2);
    /// assert_eq!(column, [2, 4]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Mismatch`] for another number of axes than the array has, and for an incomplete
    /// last point; [`Error::OutsideAxis`] for an index outside of the shape;
    /// [`Error::InvalidParam`] for a reversed range or a step of 0; [`Error::OutputTooSmall`]; and
    /// the errors of decoding a chunk.
    #[doc(alias = "b2nd_get_slice_cbuffer")]
    pub fn slice_bytes_into<'s>(
        &self,
        selection: impl Into<Selection<'s>>,
        dst: &mut [u8],
    ) -> Result<usize> {
        let selection = selection.into();
        if let Selected::Points(points) = &selection.0 {
            return self.read_points(points, dst);
        }
        let mut plan = ReadPlan::unresolved();
        self.resolve(&selection, &Region::whole(self.shape()), 0, &mut plan)?;
        self.read_resolved(&plan, dst)
    }

    /// Writes the elements of a selection as bytes to the front of memory that need not be
    /// initialised, and returns them. Elements come from anywhere in several blocks, so the memory
    /// is zeroed first, all of it.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    ///
    /// let array = Array::from_elements(&[1_u8, 2, 3, 4], &ArrayParams::new::<u8>(&[2, 2]))?;
    /// let mut memory = Vec::with_capacity(4);
    /// let column = array.slice_bytes_uninit((.., 1), memory.spare_capacity_mut())?;
    /// assert_eq!(column, [2, 4]);
    /// # let _: &Vec<u8> = &memory;
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`slice_bytes_into`](Self::slice_bytes_into).
    pub fn slice_bytes_uninit<'s, 'd>(
        &self,
        selection: impl Into<Selection<'s>>,
        dst: &'d mut [MaybeUninit<u8>],
    ) -> Result<&'d mut [u8]> {
        self.request(&selection.into())?.read_uninit(self, dst)
    }

    /// One element. Negative indices count from the end of the axis.
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
    /// [`Error::Mismatch`] for another dtype or number of axes; [`Error::OutsideAxis`]; and the
    /// errors of decoding its block.
    pub fn get<T: Element>(&self, index: impl PerAxis) -> Result<T> {
        let swap = self.check_element::<T>()?;
        let (index, ndim) = index_within(index, self.shape())?;
        let mut element = [T::zeroed()];
        fill_elements(&mut element, &swap, |bytes| {
            self.read_element(&index[..ndim], bytes)
        })?;
        let [element] = element;
        Ok(element)
    }

    /// Resolves a selection against the shape.
    pub(crate) fn request<'s>(&self, selection: &Selection<'s>) -> Result<Request<'s>> {
        match &selection.0 {
            Selected::Points(points) => Ok(Request::Points(*points)),
            _ => self.plan(selection).map(Request::Plan),
        }
    }

    /// Resolves a selection other than points.
    pub(crate) fn plan(&self, selection: &Selection<'_>) -> Result<ReadPlan> {
        self.plan_within(selection, &Region::whole(self.shape()), 0)
    }

    /// Resolves a selection within a box, whose corner is index 0, without its `removed` axes.
    pub(crate) fn plan_within(
        &self,
        selection: &Selection<'_>,
        within: &Region,
        removed: u32,
    ) -> Result<ReadPlan> {
        let mut plan = ReadPlan::unresolved();
        self.resolve(selection, within, removed, &mut plan)?;
        Ok(plan)
    }

    /// As [`plan_within`](Self::plan_within), into an unresolved plan.
    fn resolve(
        &self,
        selection: &Selection<'_>,
        within: &Region,
        removed: u32,
        plan: &mut ReadPlan,
    ) -> Result<()> {
        match &selection.0 {
            Selected::All => {
                plan.set_region(within, removed);
                Ok(())
            }
            Selected::Axes { axes, len } => {
                let removed_axes = usize::try_from(removed.count_ones()).unwrap_or(MAX_NDIM);
                let ndim = within.ndim - removed_axes;
                let given = axes.get(..*len).unwrap_or_default();
                if let Some(at) = given.iter().position(AxisSelection::is_rest) {
                    let axes = spread(given, at, ndim)?;
                    return plan.set_within(&axes[..ndim], within, removed);
                }
                if *len != ndim {
                    return Err(other_ndim(ndim, *len));
                }
                plan.set_within(given, within, removed)
            }
            Selected::Points(_) => Err(Error::Refused {
                what: "select points here",
                why: "only reads of the array itself take points",
            }),
        }
    }

    /// Reads a resolved selection into the front of `dst`, and returns its size in bytes.
    fn read_resolved(&self, plan: &ReadPlan, dst: &mut [u8]) -> Result<usize> {
        match plan.element() {
            Some(index) => self.read_element(&index[..self.ndim()], dst),
            None => self.read_plan(plan, dst),
        }
    }

    /// The bytes of one element.
    pub(crate) fn read_element(&self, index: &[u64], dst: &mut [u8]) -> Result<usize> {
        let (nchunk, bytes) = self.locate(index)?;
        if let Some(Special::Zeros | Special::Uninit) = self.special_value(nchunk) {
            let (needed, available) = (bytes.len(), dst.len());
            dst.get_mut(..needed)
                .ok_or(Error::OutputTooSmall { needed, available })?
                .fill(0);
            return Ok(needed);
        }
        self.with_workspace(None, |workspace| {
            let decoder = &mut workspace.decoder;
            self.decode_bytes_now(decoder, nchunk, bytes, dst)
        })
    }

    /// The chunk that holds an element, and the element's bytes in it.
    pub(crate) fn locate(&self, index: &[u64]) -> Result<(u64, Range<usize>)> {
        if index.len() != self.ndim() {
            return Err(other_ndim(self.ndim(), index.len()));
        }
        let (block, nblocks) = self.grid.blocks();
        let (mut coords, mut number, mut inside) = ([0; MAX_NDIM], 0, 0);
        for (axis, (&index, &len)) in index.iter().zip(self.shape()).enumerate() {
            if index >= len {
                let index = saturating_i64(index);
                return Err(Error::OutsideAxis { axis, index, len });
            }
            let chunk = self.grid.chunk_lens()[axis];
            coords[axis] = index / chunk;
            let in_chunk = index - coords[axis] * chunk;
            let at = in_chunk / block[axis];
            number = number * nblocks[axis] + at;
            inside = inside * block[axis] + (in_chunk - at * block[axis]);
        }
        let block_items: u64 = block[..self.ndim()].iter().product();
        let typesize = self.typesize();
        let at = to_usize(number * block_items + inside)? * typesize;
        Ok((self.grid.chunk_number(&coords), at..at + typesize))
    }

    /// Decodes every chunk, and discards the result.
    ///
    /// # Errors
    /// The first error of decoding, with the number of its chunk.
    pub fn check(&self) -> Result<()> {
        let chunksize = self.grid.chunksize();
        self.with_workspace(None, |workspace| {
            let Workspace { decoder, chunk, .. } = workspace;
            let chunk = Workspace::buffer(decoder, chunk, chunksize)?;
            for nchunk in 0..self.grid.nchunks() {
                let len = self.decode_now(decoder, nchunk, chunk)?;
                self.check_len(nchunk, len)?;
            }
            Ok(())
        })
    }
}

/// The selections of `ndim` axes: the item at `rest` stands for those that the others leave over.
fn spread(given: &[AxisSelection], rest: usize, ndim: usize) -> Result<[AxisSelection; MAX_NDIM]> {
    let (before, after) = (&given[..rest], &given[rest + 1..]);
    if after.iter().any(AxisSelection::is_rest) {
        return Err(Error::Refused {
            what: "select elements",
            why: "AxisSelection::REST occurs twice",
        });
    }
    let others = before.len() + after.len();
    if others > ndim {
        return Err(other_ndim(ndim, others));
    }
    let mut axes = [const { AxisSelection::ALL }; MAX_NDIM];
    axes[..rest].clone_from_slice(before);
    axes[ndim - after.len()..ndim].clone_from_slice(after);
    Ok(axes)
}

/// A resolved selection.
#[expect(
    clippy::large_enum_variant,
    reason = "made for one read; in place it spares an allocation"
)]
pub(crate) enum Request<'s> {
    /// Indices along each axis.
    Plan(ReadPlan),
    /// Single elements.
    Points(Points<'s>),
}

impl Request<'_> {
    /// The size in bytes.
    pub(crate) fn nbytes<C: ChunkSource>(&self, array: &Array<C>) -> Result<u64> {
        match self {
            Self::Plan(plan) => array.region_nbytes(plan.whole()),
            Self::Points(points) => {
                Ok((points.len as u64).saturating_mul(to_u64(array.typesize())))
            }
        }
    }

    /// The lengths of the result.
    #[cfg(feature = "ndarray")]
    pub(crate) fn shape(&self) -> Vec<u64> {
        match self {
            Self::Plan(plan) => plan.shape().collect(),
            Self::Points(points) => vec![points.len as u64],
        }
    }

    /// Reads the elements as bytes into the front of `dst`, and returns their size.
    pub(crate) fn read<C: ChunkSource>(&self, array: &Array<C>, dst: &mut [u8]) -> Result<usize> {
        match self {
            Self::Plan(plan) => array.read_resolved(plan, dst),
            Self::Points(points) => array.read_points(points, dst),
        }
    }

    /// Reads the elements as bytes into the front of memory that need not be initialised.
    pub(crate) fn read_uninit<'d, C: ChunkSource>(
        &self,
        array: &Array<C>,
        dst: &'d mut [MaybeUninit<u8>],
    ) -> Result<&'d mut [u8]> {
        let (needed, available) = (to_usize(self.nbytes(array)?)?, dst.len());
        let dst = dst
            .get_mut(..needed)
            .ok_or(Error::OutputTooSmall { needed, available })?;
        unwritten::write_all(dst, |dst| self.read(array, dst.zeroed()).map(|_| ()))
    }

    /// The elements as bytes.
    pub(crate) fn to_bytes<C: ChunkSource>(&self, array: &Array<C>) -> Result<Vec<u8>> {
        let nbytes = self.nbytes(array)?;
        array.dparams.limits.check_alloc(nbytes, None)?;
        let mut bytes = vec![0; to_usize(nbytes)?];
        self.read(array, &mut bytes)?;
        Ok(bytes)
    }

    /// Reads the elements into the front of `dst`, and returns their number.
    pub(crate) fn read_elements<C: ChunkSource, T: Element>(
        &self,
        array: &Array<C>,
        dst: &mut [T],
    ) -> Result<usize> {
        let swap = array.check_element::<T>()?;
        fill_elements(dst, &swap, |bytes| self.read(array, bytes))
    }

    /// The elements.
    pub(crate) fn to_elements<C: ChunkSource, T: Element>(
        &self,
        array: &Array<C>,
    ) -> Result<Vec<T>> {
        let swap = array.check_element::<T>()?;
        let nbytes = self.nbytes(array)?;
        array.dparams.limits.check_alloc(nbytes, None)?;
        let mut elements = vec![T::zeroed(); to_usize(nbytes)? / size_of::<T>().max(1)];
        fill_elements(&mut elements, &swap, |bytes| self.read(array, bytes))?;
        Ok(elements)
    }
}
