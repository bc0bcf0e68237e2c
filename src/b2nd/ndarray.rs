//! Arrays from and to `ndarray` (feature `ndarray`).
//!
//! Views of any strides are written chunk by chunk, so that no contiguous copy of them is made.

mod conversions;

use ndarray::{ArrayD, ArrayView, ArrayViewD, Axis, Dimension, IxDyn, Slice};

use crate::b2nd::array::Array;
use crate::b2nd::copy::BufferBox;
use crate::b2nd::layout::dtype::{Element, Swap};
use crate::b2nd::layout::meta::MAX_NDIM;
use crate::b2nd::layout::params::ArrayParams;
use crate::b2nd::layout::region::{Dims, Region};
use crate::b2nd::select::selection::Selection;
use crate::b2nd::write::builder::Store;
use crate::b2nd::write::target::ArrayTarget;
use crate::error::{Error, Result};
use crate::num::{to_u64, to_usize};
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
    /// An array at a path, or in chunks of the caller, from a view of any strides.
    ///
    /// # Errors
    /// [`Error::Mismatch`] when the dtype of the parameters is not that of `T`, or the shape not
    /// that of the view; otherwise as [`from_bytes_in`](Self::from_bytes_in).
    pub fn from_ndarray_in<T: Element, D: Dimension>(
        target: impl ArrayTarget<Sink = C>,
        view: ArrayView<'_, T, D>,
        params: &ArrayParams,
    ) -> Result<Self> {
        let swap = params.dtype.swap::<T>()?;
        let view = view.into_dyn();
        check_shape(view.shape(), &params.shape)?;
        if let (Some(elements), Swap::Nothing) = (view.as_slice(), &swap) {
            return Self::from_bytes_in(target, bytemuck::cast_slice(elements), params);
        }
        Self::make(target, params, |array| {
            array.append_boxes(|_, part, bytes| {
                gather(&view, part, &[0; MAX_NDIM], &swap, bytes)?;
                Ok(None)
            })
        })
    }

    /// Overwrites a box with the elements of a view of any strides. The view has the axes and
    /// lengths of the selection.
    ///
    /// ```
    /// use ndarray::array;
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    ///
    /// let mut numbers = Array::zeros(&ArrayParams::new::<u8>(&[2, 4]))?;
    /// numbers.set_slice_ndarray((.., 1..3), array![[1_u8, 2], [3, 4]].t())?;
    /// assert_eq!(numbers.to_elements::<u8>()?, [0, 1, 3, 0, 0, 2, 4, 0]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Mismatch`] when the dtype is not that of `T`, or the shape is not that of the
    /// selection; otherwise as [`set_slice_bytes`](Self::set_slice_bytes).
    pub fn set_slice_ndarray<'s, T: Element, D: Dimension>(
        &mut self,
        selection: impl Into<Selection<'s>>,
        view: ArrayView<'_, T, D>,
    ) -> Result<()> {
        let swap = self.check_element::<T>()?;
        let selection = selection.into();
        self.change(|array| {
            let plan = array.plan(&selection)?;
            let region = array.box_of(&plan)?;
            let mut view = view.into_dyn();
            check_shape(view.shape(), &plan.shape().collect::<Vec<_>>())?;
            for axis in (0..array.ndim()).filter(|axis| plan.removed >> axis & 1 == 1) {
                view = view.insert_axis(Axis(axis));
            }
            let chunks: Vec<Dims> = array.grid.chunks_of(&region).indices().collect();
            array.build_chunks(
                chunks.into_iter(),
                Store::Update,
                |array, builder, coords| {
                    let part = array.grid.chunk_box(coords).and(&region);
                    let mut bytes = std::mem::take(&mut builder.bytes);
                    let chunk =
                        gather(&view, &part, &region.lo, &swap, &mut bytes).and_then(|()| {
                            let buffer = BufferBox::new(part);
                            array.build_chunk(builder, coords, &part, &buffer, &bytes)
                        });
                    builder.bytes = bytes;
                    chunk
                },
            )
        })
    }
}

impl<C: ChunkSource> Array<C> {
    /// All elements. `D` may be `IxDyn`, for any number of dimensions.
    ///
    /// # Errors
    /// As [`slice_ndarray`](Self::slice_ndarray).
    pub fn to_ndarray<T: Element, D: Dimension>(&self) -> Result<ndarray::Array<T, D>> {
        self.slice_ndarray(..)
    }

    /// The elements of a selection, with the axes of the selection: those that a single index takes
    /// are absent, and points have one axis.
    ///
    /// ```
    /// use ndarray::Ix1;
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    ///
    /// let numbers: Vec<u8> = (0..6).collect();
    /// let array = Array::from_elements(&numbers, &ArrayParams::new::<u8>(&[2, 3]))?;
    /// let row = array.slice_ndarray::<u8, Ix1>((1, ..))?;
    /// assert_eq!(row, ndarray::array![3, 4, 5]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Mismatch`] when `D` has another number of dimensions; otherwise as
    /// [`slice`](Self::slice).
    pub fn slice_ndarray<'s, T: Element, D: Dimension>(
        &self,
        selection: impl Into<Selection<'s>>,
    ) -> Result<ndarray::Array<T, D>> {
        let request = self.request(&selection.into())?;
        let shape = to_shape(&request.shape())?;
        if let Some(ndim) = D::NDIM
            && ndim != shape.len()
        {
            return Err(Error::Mismatch {
                what: "number of dimensions",
                stored: shape.len().to_string().into(),
                asked: ndim.to_string().into(),
            });
        }
        let elements = request.to_elements::<C, T>(self)?;
        ArrayD::from_shape_vec(IxDyn(&shape), elements)
            .and_then(ndarray::Array::into_dimensionality)
            .map_err(|error| Error::Mismatch {
                what: "shape",
                stored: format!("{shape:?}").into(),
                asked: error.to_string().into(),
            })
    }
}

/// The lengths of a shape in memory.
fn to_shape(shape: &[u64]) -> Result<Vec<usize>> {
    shape.iter().map(|&len| to_usize(len)).collect()
}

fn check_shape(given: &[usize], shape: &[u64]) -> Result<()> {
    if given
        .iter()
        .map(|&len| to_u64(len))
        .eq(shape.iter().copied())
    {
        return Ok(());
    }
    Err(Error::Mismatch {
        what: "shape",
        stored: format!("{shape:?}").into(),
        asked: format!("{given:?}").into(),
    })
}

/// The bytes of a box of a view in C order; the first element of the view has the index `corner`.
fn gather<T: Element>(
    view: &ArrayViewD<'_, T>,
    part: &Region,
    corner: &Dims,
    swap: &Swap,
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
            Some(row) => bytes.extend_from_slice(bytemuck::cast_slice(row)),
            None => {
                for element in row {
                    bytes.extend_from_slice(bytemuck::cast_slice(std::slice::from_ref(element)));
                }
            }
        }
    }
    swap.apply(bytes, size_of::<T>());
    Ok(())
}
