//! Views: a box of an array that reads like an array of its own. Nothing is copied.

use std::ops::Range;

use crate::b2nd::array::Array;
use crate::b2nd::layout::dtype::Element;
use crate::b2nd::layout::region::{Region, to_usize};
use crate::b2nd::select::axis::AxisSelection;
use crate::b2nd::select::plan::Plan;
use crate::error::{Error, Result};
use crate::schunk::ChunkSource;

/// A box of an array, by reference. Indices count from the corner of the box.
///
/// ```
/// use oxiblosc::b2nd::{Array, ArrayParams};
///
/// let numbers: Vec<u8> = (0..12).collect();
/// let array = Array::from_elements(&numbers, &ArrayParams::new::<u8>(&[3, 4]))?;
/// let view = array.view(&[1..3, 1..4])?;
/// assert_eq!(view.shape(), [2, 3]);
/// assert_eq!(view.to_elements::<u8>()?, [5, 6, 7, 9, 10, 11]);
/// assert_eq!(view.get::<u8>(&[1, 0])?, 9);
/// assert_eq!(view.view(&[1..2, 0..3])?.slice::<u8>(&[0..1, 2..3])?, [11]);
/// # Ok::<(), oxiblosc::Error>(())
/// ```
#[derive(Debug)]
pub struct View<'a, C> {
    array: &'a Array<C>,
    region: Region,
    shape: Vec<u64>,
}

impl<C> Clone for View<'_, C> {
    fn clone(&self) -> Self {
        Self {
            array: self.array,
            region: self.region,
            shape: self.shape.clone(),
        }
    }
}

impl<C: ChunkSource> Array<C> {
    /// A box of the array.
    ///
    /// # Errors
    /// [`Error::Mismatch`] for another number of dimensions; [`Error::OutOfBounds`] for a range
    /// that leaves the shape or runs backwards.
    pub fn view(&self, slice: &[Range<u64>]) -> Result<View<'_, C>> {
        let region = self.region(slice)?;
        let shape = region.lens()[..region.ndim].to_vec();
        Ok(View {
            array: self,
            region,
            shape,
        })
    }
}

impl<'a, C: ChunkSource> View<'a, C> {
    /// The length of each axis, in elements.
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// The number of dimensions.
    pub fn ndim(&self) -> usize {
        self.shape.len()
    }

    /// Where the box begins in the array.
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

    /// A box of the box.
    ///
    /// # Errors
    /// As [`Array::view`].
    pub fn view(&self, slice: &[Range<u64>]) -> Result<Self> {
        self.array.view(&self.outer(slice)?)
    }

    /// All elements as bytes, in C order.
    ///
    /// # Errors
    /// As [`Array::slice_bytes`].
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.array.plan_to_bytes(&Plan::of_region(&self.region))
    }

    /// All elements, in C order.
    ///
    /// # Errors
    /// As [`Array::slice`].
    pub fn to_elements<T: Element>(&self) -> Result<Vec<T>> {
        self.array.plan_to_elements(&Plan::of_region(&self.region))
    }

    /// Writes all elements to the front of `dst` as bytes, in C order, and returns how many bytes
    /// they are.
    ///
    /// # Errors
    /// As [`Array::slice_bytes_into`].
    pub fn read_into(&self, dst: &mut [u8]) -> Result<usize> {
        self.array.read_region(&self.region, dst)
    }

    /// The elements of a slice, in C order.
    ///
    /// # Errors
    /// As [`Array::slice`].
    pub fn slice<T: Element>(&self, slice: &[Range<u64>]) -> Result<Vec<T>> {
        self.array.slice(&self.outer(slice)?)
    }

    /// Writes the elements of a slice to the front of `dst`, in C order, and returns how many they
    /// are.
    ///
    /// # Errors
    /// As [`Array::slice_into`].
    pub fn slice_into<T: Element>(&self, slice: &[Range<u64>], dst: &mut [T]) -> Result<usize> {
        self.array.slice_into(&self.outer(slice)?, dst)
    }

    /// The elements of a slice as bytes, in C order.
    ///
    /// # Errors
    /// As [`Array::slice_bytes`].
    pub fn slice_bytes(&self, slice: &[Range<u64>]) -> Result<Vec<u8>> {
        self.array.slice_bytes(&self.outer(slice)?)
    }

    /// Writes the elements of a slice to the front of `dst` as bytes, in C order, and returns how
    /// many bytes they are.
    ///
    /// # Errors
    /// As [`Array::slice_bytes_into`].
    pub fn slice_bytes_into(&self, slice: &[Range<u64>], dst: &mut [u8]) -> Result<usize> {
        self.array.slice_bytes_into(&self.outer(slice)?, dst)
    }

    /// The elements of a selection, in C order.
    ///
    /// # Errors
    /// As [`Array::select`].
    pub fn select<T: Element>(&self, picks: &[AxisSelection<'_>]) -> Result<Vec<T>> {
        self.array.plan_to_elements(&self.plan(picks)?)
    }

    /// The elements of a selection as bytes, in C order.
    ///
    /// # Errors
    /// As [`Array::select_bytes`].
    pub fn select_bytes(&self, picks: &[AxisSelection<'_>]) -> Result<Vec<u8>> {
        self.array.plan_to_bytes(&self.plan(picks)?)
    }

    /// One element.
    ///
    /// # Errors
    /// As [`Array::get`].
    pub fn get<T: Element>(&self, index: &[u64]) -> Result<T> {
        let slice: Vec<Range<u64>> = index
            .iter()
            .map(|&index| index..index.saturating_add(1))
            .collect();
        let outer = self.outer(&slice)?;
        let index: Vec<u64> = outer.iter().map(|range| range.start).collect();
        self.array.get(&index)
    }

    fn plan(&self, picks: &[AxisSelection<'_>]) -> Result<Plan> {
        if picks.len() != self.ndim() {
            return Err(self.array.other_ndim(picks.len()));
        }
        self.array.plan_within(picks, &self.region)
    }

    /// A slice of the box as one of the array.
    fn outer(&self, slice: &[Range<u64>]) -> Result<Vec<Range<u64>>> {
        if slice.len() != self.ndim() {
            return Err(self.array.other_ndim(slice.len()));
        }
        slice
            .iter()
            .zip(&self.shape)
            .zip(self.offset())
            .map(|((range, &len), &lo)| {
                if range.end > len || range.start > range.end {
                    let index = range.end.max(range.start);
                    return Err(Error::OutOfBounds {
                        what: "end of a slice",
                        index,
                        len,
                    });
                }
                Ok(lo + range.start..lo + range.end)
            })
            .collect()
    }

    /// The size in bytes.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] when it does not fit in memory.
    pub fn nbytes(&self) -> Result<usize> {
        to_usize(self.array.region_nbytes(&self.region)?)
    }
}
