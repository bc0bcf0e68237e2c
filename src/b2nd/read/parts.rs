//! Iteration over typed parts of an array: rows, chunks and blocks, each with its box.

use std::ops::Range;

use crate::b2nd::array::Array;
use crate::b2nd::copy::{BufferBox, box_copy};
use crate::b2nd::layout::dtype::{Element, fill_elements};
use crate::b2nd::layout::meta::MAX_NDIM;
use crate::b2nd::layout::region::{Region, strides};
use crate::b2nd::read::slice::Request;
use crate::b2nd::select::plan::ReadPlan;
use crate::error::{Error, Result};
use crate::num::{saturating_usize, to_usize};
use crate::schunk::ChunkSource;

/// A part of an array: a box, and its elements in C order.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayPart<T> {
    /// The box of the array, a range per axis; also a [`Selection`](crate::b2nd::Selection), as
    /// `&part.region`.
    pub region: Vec<Range<u64>>,
    /// The elements of the box.
    pub elements: Vec<T>,
}

impl<T> ArrayPart<T> {
    fn new(region: &Region, elements: Vec<T>) -> Self {
        let axes = 0..region.ndim;
        Self {
            region: axes.map(|axis| region.lo[axis]..region.hi[axis]).collect(),
            elements,
        }
    }

    /// The length of the box along each axis, in elements.
    pub fn shape(&self) -> Vec<u64> {
        let len = |range: &Range<u64>| range.end.saturating_sub(range.start);
        self.region.iter().map(len).collect()
    }
}

impl<C: ChunkSource> Array<C> {
    /// The rows in their order: the elements with the same first index, as iterating over a NumPy
    /// array gives them. The boxes keep the first axis, with one element.
    ///
    /// Each chunk is decoded once: as many rows as a chunk has are in memory at a time.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    ///
    /// let numbers: Vec<f32> = (0..6_u8).map(f32::from).collect();
    /// let array = Array::from_elements(&numbers, &ArrayParams::new::<f32>([2, 3]))?;
    /// let mut sums: Vec<f32> = Vec::new();
    /// for row in array.rows::<f32>() {
    ///     sums.push(row?.elements.iter().sum());
    /// }
    /// assert_eq!(sums, [3.0, 12.0]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// Items are errors as those of [`slice`](Self::slice); [`Error::Refused`] for an array of no
    /// dimensions. After an error there are no further items.
    pub fn rows<T: Element>(&self) -> impl Iterator<Item = Result<ArrayPart<T>>> + '_ {
        let scalar = self.shape().is_empty().then(|| {
            Err(Error::Refused {
                what: "iterate over rows",
                why: "the array has no dimensions",
            })
        });
        let has_rows = scalar.is_none();
        let slabs = self.slabs().take_while(move |_| has_rows);
        let rows = slabs.flat_map(move |slab| {
            let read = self.read_part::<T>(&slab);
            let (error, elements) = match read {
                Ok(elements) => (None, elements),
                Err(error) => (Some(Err(error)), Vec::new()),
            };
            let nrows = if error.is_some() { 0 } else { slab.len(0) };
            let len = elements
                .len()
                .checked_div(saturating_usize(nrows))
                .unwrap_or(0);
            let parts = (0..nrows).map(move |row| {
                let mut region = slab;
                region.lo[0] = slab.lo[0] + row;
                region.hi[0] = region.lo[0] + 1;
                let start = saturating_usize(row).saturating_mul(len);
                Ok(ArrayPart::new(
                    &region,
                    elements[start..start + len].to_vec(),
                ))
            });
            error.into_iter().chain(parts)
        });
        until_error(scalar.into_iter().chain(rows))
    }

    /// The chunks in their order: the elements of each that lie in the array. As
    /// [`chunk_boxes`](Self::chunk_boxes), which gives bytes.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    ///
    /// let params = ArrayParams::new::<i16>([3, 2]).chunkshape([2, 2]).blockshape([1, 2]);
    /// let array = Array::from_elements(&[1_i16, 2, 3, 4, 5, 6], &params)?;
    /// let chunks = array.chunks::<i16>().collect::<oxiblosc::Result<Vec<_>>>()?;
    /// assert_eq!(chunks[1].region, [2..3, 0..2]);
    /// assert_eq!(chunks[1].elements, [5, 6]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// Items are errors as those of [`slice`](Self::slice). After an error there are no further
    /// items.
    pub fn chunks<T: Element>(&self) -> impl Iterator<Item = Result<ArrayPart<T>>> + '_ {
        until_error(self.chunk_regions().map(move |part| {
            let elements = self.read_part(&part)?;
            Ok(ArrayPart::new(&part, elements))
        }))
    }

    /// The blocks in their order, chunk after chunk: the elements of each that lie in the array.
    /// Blocks that are padding alone are left out. Each chunk is decoded once.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    ///
    /// let params = ArrayParams::new::<i16>([3, 2]).chunkshape([2, 2]).blockshape([2, 1]);
    /// let array = Array::from_elements(&[1_i16, 2, 3, 4, 5, 6], &params)?;
    /// let blocks = array.blocks::<i16>().map(|block| Ok(block?.elements));
    /// let blocks = blocks.collect::<oxiblosc::Result<Vec<_>>>()?;
    /// assert_eq!(blocks, [vec![1, 3], vec![2, 4], vec![5], vec![6]]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// Items are errors as those of [`slice`](Self::slice). After an error there are no further
    /// items.
    pub fn blocks<T: Element>(&self) -> impl Iterator<Item = Result<ArrayPart<T>>> + '_ {
        let parts = self.chunk_regions().flat_map(move |part| {
            let mut bytes = Vec::new();
            let read = self.read_bytes(&part, &mut bytes);
            let regions = if read.is_ok() {
                self.block_regions(&part)
            } else {
                Vec::new()
            };
            let blocks = regions.into_iter().map(move |region| {
                let elements = self.cut(&part, &region, &bytes)?;
                Ok(ArrayPart::new(&region, elements))
            });
            read.err().map(Err).into_iter().chain(blocks)
        });
        until_error(parts)
    }

    /// The boxes of all chunks.
    fn chunk_regions(&self) -> impl Iterator<Item = Region> + '_ {
        let part = |nchunk| self.grid.chunk_box(&self.grid.chunk_coords(nchunk));
        (0..self.grid.nchunks()).map(part)
    }

    /// The boxes of the blocks of a chunk that hold elements.
    fn block_regions(&self, chunk: &Region) -> Vec<Region> {
        let (lens, _) = self.grid.blocks();
        let mut cells = Region {
            ndim: chunk.ndim,
            ..Region::EMPTY
        };
        for (axis, len) in lens.iter().enumerate().take(chunk.ndim) {
            cells.hi[axis] = chunk.len(axis).div_ceil((*len).max(1));
        }
        let block = |at: [u64; MAX_NDIM]| {
            let mut region = *chunk;
            for axis in 0..chunk.ndim {
                region.lo[axis] = chunk.lo[axis] + at[axis] * lens[axis];
                region.hi[axis] = (region.lo[axis] + lens[axis]).min(chunk.hi[axis]);
            }
            region
        };
        cells.indices().map(block).collect()
    }

    /// The elements of a box.
    fn read_part<T: Element>(&self, region: &Region) -> Result<Vec<T>> {
        Request::Plan(ReadPlan::of_region(region)).to_elements(self)
    }

    /// The bytes of a box.
    fn read_bytes(&self, region: &Region, bytes: &mut Vec<u8>) -> Result<()> {
        let nbytes = self.region_nbytes(region)?;
        self.dparams.limits.check_alloc(nbytes, None)?;
        bytes.resize(to_usize(nbytes)?, 0);
        self.read_region(region, bytes)?;
        Ok(())
    }

    /// The elements of a box within `outer`, whose bytes are given.
    fn cut<T: Element>(&self, outer: &Region, inner: &Region, bytes: &[u8]) -> Result<Vec<T>> {
        let swap = self.check_element::<T>()?;
        let (ndim, size) = (self.ndim(), size_of::<T>());
        let (lens, buffer) = (inner.lens(), BufferBox::new(*outer));
        let nitems = to_usize(inner.nitems().unwrap_or(0))?;
        let mut elements = vec![T::zeroed(); nitems];
        fill_elements(&mut elements, &swap, |dst| {
            let copy = box_copy(ndim, size, &lens, &buffer.strides, &strides(&lens, ndim))?;
            let at = to_usize(buffer.position(&inner.lo))?.saturating_mul(size);
            copy.copy(bytes.get(at..).unwrap_or_default(), dst);
            Ok(dst.len())
        })?;
        Ok(elements)
    }
}

/// The items up to the first error, that one included.
fn until_error<T>(items: impl Iterator<Item = Result<T>>) -> impl Iterator<Item = Result<T>> {
    let mut failed = false;
    items.take_while(move |item| !std::mem::replace(&mut failed, item.is_err()))
}
