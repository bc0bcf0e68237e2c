//! Reading into views of any strides, and conversions by value.

use ndarray::{Array as NdArray, ArrayD, ArrayView, ArrayViewMut, Axis, Dimension, IxDyn, Slice};

use crate::b2nd::array::Array;
use crate::b2nd::layout::dtype::Element;
use crate::b2nd::layout::params::ArrayParams;
use crate::b2nd::ndarray::{check_shape, to_shape};
use crate::b2nd::read::parts::ArrayPart;
use crate::b2nd::read::slice::Request;
use crate::b2nd::select::plan::ReadPlan;
use crate::b2nd::select::selection::Selection;
use crate::error::{Error, Result};
use crate::num::to_usize;
use crate::schunk::{ChunkSource, SChunk};

impl<C: ChunkSource> Array<C> {
    /// Writes the elements of a selection to a view of any strides. The view has the axes and
    /// lengths of the selection. When decoding fails, a part of it is written.
    ///
    /// A view in C order is written by all threads of the array at once. For other views a box is
    /// read chunk after chunk, through the memory of one chunk; any other selection is read as a
    /// whole, and then copied.
    ///
    /// ```
    /// use ndarray::Array2;
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    ///
    /// let numbers: Vec<u8> = (0..6).collect();
    /// let array = Array::from_elements(&numbers, &ArrayParams::new::<u8>([2, 3]))?;
    /// let mut turned = Array2::<u8>::zeros((3, 2));
    /// array.slice_ndarray_into(.., turned.view_mut().reversed_axes())?;
    /// assert_eq!(turned, ndarray::array![[0, 3], [1, 4], [2, 5]]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Mismatch`] when the shape is not that of the selection; otherwise as
    /// [`slice_into`](Self::slice_into).
    pub fn slice_ndarray_into<'s, T: Element, D: Dimension>(
        &self,
        selection: impl Into<Selection<'s>>,
        mut view: ArrayViewMut<'_, T, D>,
    ) -> Result<()> {
        let request = self.request(&selection.into())?;
        let shape = request.shape();
        check_shape(view.shape(), &shape)?;
        if let Some(elements) = view.as_slice_mut() {
            return request.read_elements(self, elements).map(drop);
        }
        let mut view = view.into_dyn();
        let boxed = match &request {
            Request::Plan(plan) => plan.region().map(|region| (region, plan.removed)),
            Request::Points(_) => None,
        };
        let Some((region, removed)) = boxed else {
            let elements = request.to_elements::<C, T>(self)?;
            view.assign(&from_elements(&shape, &elements)?);
            return Ok(());
        };
        for axis in (0..self.ndim()).filter(|axis| removed >> axis & 1 == 1) {
            view = view.insert_axis(Axis(axis));
        }
        for coords in self.grid.chunks_of(&region).indices() {
            let part = self.grid.chunk_box(&coords).and(&region);
            let request = Request::Plan(ReadPlan::of_region(&part));
            let elements = request.to_elements::<C, T>(self)?;
            let mut inside = view.view_mut();
            for axis in 0..part.ndim {
                let lo = to_usize(part.lo[axis] - region.lo[axis])?;
                let hi = to_usize(part.hi[axis] - region.lo[axis])?;
                inside.slice_axis_inplace(Axis(axis), Slice::from(lo..hi));
            }
            inside.assign(&from_elements(&request.shape(), &elements)?);
        }
        Ok(())
    }
}

impl<T> ArrayPart<T> {
    /// The elements as an array of `ndarray`, with the axes of the box.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    ///
    /// let params = ArrayParams::new::<u8>([2, 3]).chunkshape([2, 2]).blockshape([2, 2]);
    /// let array = Array::from_elements(&[1_u8, 2, 3, 4, 5, 6], &params)?;
    /// for chunk in array.chunks::<u8>() {
    ///     let columns = chunk?.into_ndarray()?.sum_axis(ndarray::Axis(0));
    ///     assert_eq!(columns.into_raw_vec_and_offset().0.iter().sum::<u8>() % 3, 0);
    /// }
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Mismatch`] when the caller has changed the box or the elements, so that their
    /// numbers differ.
    pub fn into_ndarray(self) -> Result<ArrayD<T>> {
        let shape = to_shape(&self.shape())?;
        ArrayD::from_shape_vec(IxDyn(&shape), self.elements)
            .map_err(|error| other_shape(&shape, &error))
    }
}

fn from_elements<'a, T>(shape: &[u64], elements: &'a [T]) -> Result<ArrayView<'a, T, IxDyn>> {
    let shape = to_shape(shape)?;
    ArrayView::from_shape(IxDyn(&shape), elements).map_err(|error| other_shape(&shape, &error))
}

fn other_shape(shape: &[usize], error: &ndarray::ShapeError) -> Error {
    Error::Mismatch {
        what: "shape",
        stored: format!("{shape:?}").into(),
        asked: error.to_string().into(),
    }
}

/// All elements, as [`Array::to_ndarray`].
///
/// ```
/// use ndarray::{Array2, array};
/// use oxiblosc::b2nd::Array;
///
/// let numbers = array![[1.5_f32, 2.5], [3.5, 4.5]];
/// let compressed = Array::try_from(&numbers)?;
/// assert_eq!(Array2::<f32>::try_from(&compressed)?, numbers);
/// # Ok::<(), oxiblosc::Error>(())
/// ```
impl<T: Element, D: Dimension, C: ChunkSource> TryFrom<&Array<C>> for NdArray<T, D> {
    type Error = Error;

    fn try_from(array: &Array<C>) -> Result<Self> {
        array.to_ndarray()
    }
}

/// An array in memory with the default parameters. It fails for shapes beyond the format only.
impl<T: Element, D: Dimension> TryFrom<ArrayView<'_, T, D>> for Array<SChunk> {
    type Error = Error;

    fn try_from(view: ArrayView<'_, T, D>) -> Result<Self> {
        let params = ArrayParams::new::<T>(view.shape());
        Self::from_ndarray(view, &params)
    }
}

/// An array in memory with the default parameters. It fails for shapes beyond the format only.
impl<T: Element, D: Dimension> TryFrom<&NdArray<T, D>> for Array<SChunk> {
    type Error = Error;

    fn try_from(array: &NdArray<T, D>) -> Result<Self> {
        Self::try_from(array.view())
    }
}
