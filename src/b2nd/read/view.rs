//! Views: a box of an array that reads like an array. Nothing is copied.

use std::mem::MaybeUninit;

use crate::b2nd::array::Array;
use crate::b2nd::layout::dtype::Element;
use crate::b2nd::layout::region::Region;
use crate::b2nd::read::slice::Request;
use crate::b2nd::select::per_axis::{PerAxis, index_within};
use crate::b2nd::select::selection::Selection;
use crate::error::{Error, Result};
use crate::num::to_u64;
use crate::schunk::ChunkSource;

/// A box of an array, by reference. Indices count from the corner of the box; axes that were
/// selected by a single index are absent.
///
/// ```
/// use oxiblosc::b2nd::{Array, ArrayParams};
///
/// let numbers: Vec<u8> = (0..12).collect();
/// let array = Array::from_elements(&numbers, &ArrayParams::new::<u8>(&[3, 4]))?;
/// let view = array.view((1.., 1..4))?;
/// assert_eq!(view.shape(), [2, 3]);
/// assert_eq!(view.to_elements::<u8>()?, [5, 6, 7, 9, 10, 11]);
/// assert_eq!(view.get::<u8>(&[1, 0])?, 9);
/// assert_eq!(view.view((1, ..))?.slice::<u8>(2..)?, [11]);
/// # Ok::<(), oxiblosc::Error>(())
/// ```
#[derive(Debug)]
pub struct View<'a, C> {
    array: &'a Array<C>,
    region: Region,
    /// A bit per axis of the array that the view lacks.
    removed: u32,
    shape: Vec<u64>,
}

impl<C> Clone for View<'_, C> {
    fn clone(&self) -> Self {
        Self {
            array: self.array,
            region: self.region,
            removed: self.removed,
            shape: self.shape.clone(),
        }
    }
}

impl<C: ChunkSource> Array<C> {
    /// A box of the array: a selection of ranges and of single indices.
    ///
    /// # Errors
    /// [`Error::Refused`] for a selection that is not a box: one with points, with steps that leave
    /// out indices, or with a list of other indices than consecutive, ascending ones; otherwise the
    /// errors of the selection, as in [`slice_bytes_into`](Self::slice_bytes_into).
    pub fn view<'s>(&self, selection: impl Into<Selection<'s>>) -> Result<View<'_, C>> {
        View::new(self, &Region::whole(self.shape()), 0, &selection.into())
    }
}

impl<'a, C: ChunkSource> View<'a, C> {
    fn new(
        array: &'a Array<C>,
        within: &Region,
        removed: u32,
        selection: &Selection<'_>,
    ) -> Result<Self> {
        let plan = array.plan_within(selection, within, removed)?;
        let region = plan.region().ok_or(Error::Refused {
            what: "view a selection",
            why: "views are boxes: ranges without gaps, and single indices",
        })?;
        Ok(Self {
            array,
            region,
            removed: plan.removed,
            shape: plan.shape().collect(),
        })
    }

    /// The length of each axis, in elements.
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// The number of axes.
    pub fn ndim(&self) -> usize {
        self.shape.len()
    }

    /// The index of the first element in the array, along all axes of the array.
    pub fn offset(&self) -> &[u64] {
        &self.region.lo[..self.region.ndim]
    }

    /// The array.
    pub fn array(&self) -> &'a Array<C> {
        self.array
    }

    /// The number of elements.
    pub fn nitems(&self) -> u64 {
        self.region.nitems().unwrap_or(u64::MAX)
    }

    /// The size of all elements in bytes.
    pub fn nbytes(&self) -> u64 {
        self.nitems().saturating_mul(to_u64(self.array.typesize()))
    }

    /// A box of the box.
    ///
    /// # Errors
    /// As [`Array::view`].
    pub fn view<'s>(&self, selection: impl Into<Selection<'s>>) -> Result<Self> {
        Self::new(self.array, &self.region, self.removed, &selection.into())
    }

    /// All elements, in C order.
    ///
    /// # Errors
    /// As [`Array::slice`].
    pub fn to_elements<T: Element>(&self) -> Result<Vec<T>> {
        self.slice(..)
    }

    /// All elements as bytes, in C order.
    ///
    /// # Errors
    /// As [`Array::slice_bytes`].
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.slice_bytes(..)
    }

    /// The elements of a selection.
    ///
    /// # Errors
    /// As [`Array::slice`]; [`Error::Refused`] for points.
    pub fn slice<'s, T: Element>(&self, selection: impl Into<Selection<'s>>) -> Result<Vec<T>> {
        self.request(&selection.into())?.to_elements(self.array)
    }

    /// Writes the elements of a selection to the front of `dst`, and returns their number.
    ///
    /// # Errors
    /// As [`Array::slice_into`]; [`Error::Refused`] for points.
    pub fn slice_into<'s, T: Element>(
        &self,
        selection: impl Into<Selection<'s>>,
        dst: &mut [T],
    ) -> Result<usize> {
        let request = self.request(&selection.into())?;
        request.read_elements(self.array, dst)
    }

    /// The elements of a selection as bytes.
    ///
    /// # Errors
    /// As [`Array::slice_bytes`]; [`Error::Refused`] for points.
    pub fn slice_bytes<'s>(&self, selection: impl Into<Selection<'s>>) -> Result<Vec<u8>> {
        self.request(&selection.into())?.to_bytes(self.array)
    }

    /// Writes the elements of a selection to the front of `dst` as bytes, and returns their number
    /// of bytes.
    ///
    /// # Errors
    /// As [`Array::slice_bytes_into`]; [`Error::Refused`] for points.
    pub fn slice_bytes_into<'s>(
        &self,
        selection: impl Into<Selection<'s>>,
        dst: &mut [u8],
    ) -> Result<usize> {
        self.request(&selection.into())?.read(self.array, dst)
    }

    /// Writes the elements of a selection as bytes to the front of memory that need not be
    /// initialised, and returns them.
    ///
    /// # Errors
    /// As [`Array::slice_bytes_uninit`]; [`Error::Refused`] for points.
    pub fn slice_bytes_uninit<'s, 'd>(
        &self,
        selection: impl Into<Selection<'s>>,
        dst: &'d mut [MaybeUninit<u8>],
    ) -> Result<&'d mut [u8]> {
        self.request(&selection.into())?
            .read_uninit(self.array, dst)
    }

    /// One element.
    ///
    /// # Errors
    /// As [`Array::get`].
    pub fn get<T: Element>(&self, index: impl PerAxis) -> Result<T> {
        let mut element = [T::zeroed()];
        let (index, ndim) = index_within(index, self.shape())?;
        self.slice_into(&index[..ndim], &mut element)?;
        let [element] = element;
        Ok(element)
    }

    /// Resolves a selection against the shape of the view.
    fn request<'s>(&self, selection: &Selection<'s>) -> Result<Request<'s>> {
        let array = self.array;
        let plan = array.plan_within(selection, &self.region, self.removed)?;
        Ok(Request::Plan(plan))
    }
}
