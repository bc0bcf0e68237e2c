//! Arrays from and to `ndarray` (feature `ndarray`).
//!
//! Views of any strides are written chunk by chunk, so that no contiguous copy of them is made.

use std::ops::Range;

use ndarray::{ArrayD, ArrayView, ArrayViewD, Axis, Dimension, IxDyn, Slice};

use oxiblosc_kernels::pod;

use crate::b2nd::array::Array;
use crate::b2nd::copy::buffer::BufferBox;
use crate::b2nd::layout::dtype::{Element, swap_bytes};
use crate::b2nd::layout::meta::MAX_NDIM;
use crate::b2nd::layout::params::ArrayParams;
use crate::b2nd::layout::region::{Dims, Region, to_usize};
use crate::b2nd::select::axis::AxisSelection;
use crate::b2nd::select::plan::Plan;
use crate::b2nd::write::builder::Store;
use crate::error::{Error, Result};
use crate::schunk::{ChunkSink, ChunkSource, SChunk};

impl Array<SChunk> {
    /// An array in memory from a view of any strides.
    ///
    /// ```
    /// use ndarray::Array2;
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    ///
    /// let numbers = Array2::from_shape_fn((3, 4), |(i, j)| (10 * i + j) as i32);
    /// let turned = numbers.t();
    /// let array = Array::from_ndarray(turned, &ArrayParams::new::<i32>(&[4, 3]))?;
    /// assert_eq!(array.get::<i32>(&[3, 1])?, 13);
    /// assert_eq!(array.to_ndarray::<i32, ndarray::Ix2>()?, turned);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`from_ndarray_in`](Self::from_ndarray_in).
    pub fn from_ndarray<T: Element, D: Dimension>(
        view: ArrayView<'_, T, D>,
        params: &ArrayParams,
    ) -> Result<Self> {
        Self::from_ndarray_in(Self::sink(params)?, view, params)
    }
}

impl<C: ChunkSink> Array<C> {
    /// An array in `chunks` from a view of any strides.
    ///
    /// # Errors
    /// [`Error::Mismatch`] when the dtype of the parameters is not that of `T`, or the shape not
    /// that of the view; otherwise as [`from_bytes_in`](Self::from_bytes_in).
    pub fn from_ndarray_in<T: Element, D: Dimension>(
        chunks: C,
        view: ArrayView<'_, T, D>,
        params: &ArrayParams,
    ) -> Result<Self> {
        let swapped = params.dtype.check::<T>()?;
        let view = view.into_dyn();
        check_shape(&view, &params.shape)?;
        if let (Some(elements), false) = (view.as_slice(), swapped) {
            return Self::from_bytes_in(chunks, pod::as_bytes(elements), params);
        }
        let mut array = Self::begin(chunks, params)?;
        array.append_boxes(|_, part, bytes| {
            gather(&view, part, &[0; MAX_NDIM], swapped, bytes)?;
            Ok(None)
        })?;
        Ok(array)
    }

    /// Overwrites the box that begins at `start` with a view of any strides.
    ///
    /// ```
    /// use ndarray::array;
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    ///
    /// let mut numbers = Array::zeros(&ArrayParams::new::<u8>(&[2, 4]))?;
    /// numbers.set_slice_ndarray(&[0, 1], array![[1_u8, 2], [3, 4]].t())?;
    /// assert_eq!(numbers.to_elements::<u8>()?, [0, 1, 3, 0, 0, 2, 4, 0]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Mismatch`] when the dtype is not that of `T`, or the number of dimensions another;
    /// otherwise as [`set_slice_bytes`](Self::set_slice_bytes).
    pub fn set_slice_ndarray<T: Element, D: Dimension>(
        &mut self,
        start: &[u64],
        view: ArrayView<'_, T, D>,
    ) -> Result<()> {
        let swapped = self.check_element::<T>()?;
        let view = view.into_dyn();
        if view.ndim() != start.len() {
            return Err(self.other_ndim(view.ndim()));
        }
        let slice: Vec<Range<u64>> = start
            .iter()
            .zip(view.shape())
            .map(|(&start, &len)| start..start.saturating_add(len as u64))
            .collect();
        let region = self.region(&slice)?;
        let places: Vec<Dims> = self.grid.chunks_of(&region).places().collect();
        self.make_chunks(
            places.into_iter(),
            Store::Update,
            |array, builder, place| {
                let part = array.grid.chunk_box(place).and(&region);
                let mut bytes = std::mem::take(&mut builder.bytes);
                let chunk = gather(&view, &part, &region.lo, swapped, &mut bytes).and_then(|()| {
                    let buffer = BufferBox::new(part);
                    array.make_part(builder, place, &part, &buffer, &bytes)
                });
                builder.bytes = bytes;
                chunk
            },
        )
    }
}

impl<C: ChunkSource> Array<C> {
    /// All elements. `D` may be `IxDyn`, for any number of dimensions.
    ///
    /// # Errors
    /// As [`slice_ndarray`](Self::slice_ndarray).
    pub fn to_ndarray<T: Element, D: Dimension>(&self) -> Result<ndarray::Array<T, D>> {
        self.plan_to_ndarray(&Plan::of_region(&Region::whole(self.shape())))
    }

    /// The elements of a slice, with as many dimensions as the array.
    ///
    /// # Errors
    /// [`Error::Mismatch`] when `D` has another number of dimensions; otherwise as
    /// [`slice`](Self::slice).
    pub fn slice_ndarray<T: Element, D: Dimension>(
        &self,
        slice: &[Range<u64>],
    ) -> Result<ndarray::Array<T, D>> {
        self.plan_to_ndarray(&Plan::of_region(&self.region(slice)?))
    }

    /// The elements of a selection.
    ///
    /// # Errors
    /// [`Error::Mismatch`] when `D` has another number of dimensions; otherwise as
    /// [`select`](Self::select).
    pub fn select_ndarray<T: Element, D: Dimension>(
        &self,
        picks: &[AxisSelection<'_>],
    ) -> Result<ndarray::Array<T, D>> {
        let within = Region::whole(self.shape());
        self.plan_to_ndarray(&self.plan_within(picks, &within)?)
    }

    fn plan_to_ndarray<T: Element, D: Dimension>(
        &self,
        plan: &Plan,
    ) -> Result<ndarray::Array<T, D>> {
        if let Some(ndim) = D::NDIM
            && ndim != self.ndim()
        {
            return Err(self.other_ndim(ndim));
        }
        let elements = self.plan_to_elements::<T>(plan)?;
        let shape: Vec<usize> = plan.whole().lens()[..self.ndim()]
            .iter()
            .map(|&len| to_usize(len))
            .collect::<Result<_>>()?;
        ArrayD::from_shape_vec(IxDyn(&shape), elements)
            .and_then(ndarray::Array::into_dimensionality)
            .map_err(|error| Error::Mismatch {
                what: "shape",
                stored: format!("{shape:?}").into(),
                asked: error.to_string().into(),
            })
    }
}

fn check_shape<T>(view: &ArrayViewD<'_, T>, shape: &[u64]) -> Result<()> {
    let same =
        view.ndim() == shape.len() && view.shape().iter().zip(shape).all(|(&a, &b)| a as u64 == b);
    if same {
        return Ok(());
    }
    Err(Error::Mismatch {
        what: "shape",
        stored: format!("{shape:?}").into(),
        asked: format!("{:?}", view.shape()).into(),
    })
}

/// The bytes of a box of a view in C order; the first element of the view has the index `corner`.
fn gather<T: Element>(
    view: &ArrayViewD<'_, T>,
    part: &Region,
    corner: &Dims,
    swapped: bool,
    bytes: &mut Vec<u8>,
) -> Result<()> {
    let mut inside = view.view();
    for (axis, &first) in corner.iter().enumerate().take(part.ndim) {
        let lo = to_usize(part.lo[axis] - first)?;
        let hi = to_usize(part.hi[axis] - first)?;
        inside.slice_axis_inplace(Axis(axis), Slice::from(lo..hi));
    }
    bytes.clear();
    for row in inside.rows() {
        match row.as_slice() {
            Some(row) => bytes.extend_from_slice(pod::as_bytes(row)),
            None => {
                for element in row {
                    bytes.extend_from_slice(pod::as_bytes(std::slice::from_ref(element)));
                }
            }
        }
    }
    if swapped {
        swap_bytes(bytes, T::PART);
    }
    Ok(())
}
