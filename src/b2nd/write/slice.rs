//! Writing slices, and the way from a box of elements to a chunk.

use std::ops::Range;

use oxiblosc_kernels::pod;

use crate::b2nd::array::Array;
use crate::b2nd::copy::buffer::BufferBox;
use crate::b2nd::layout::dtype::{Element, swap_bytes};
use crate::b2nd::layout::region::{Dims, Region};
use crate::b2nd::write::builder::Store;
use crate::error::{Error, Result};
use crate::schunk::ChunkSink;

impl<C: ChunkSink> Array<C> {
    /// Overwrites a slice with elements in C order.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    ///
    /// let mut array = Array::zeros(&ArrayParams::new::<i16>(&[2, 3]))?;
    /// array.set_slice(&[0..2, 1..2], &[7_i16, 8])?;
    /// assert_eq!(array.to_elements::<i16>()?, [0, 7, 0, 0, 8, 0]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Mismatch`] when the dtype is not that of `T`; otherwise as
    /// [`set_slice_bytes`](Self::set_slice_bytes).
    #[doc(alias = "b2nd_set_slice_cbuffer")]
    pub fn set_slice<T: Element>(&mut self, slice: &[Range<u64>], src: &[T]) -> Result<()> {
        if self.check_element::<T>()? {
            let mut bytes = pod::as_bytes(src).to_vec();
            swap_bytes(&mut bytes, T::PART);
            return self.set_slice_bytes(slice, &bytes);
        }
        self.set_slice_bytes(slice, pod::as_bytes(src))
    }

    /// Overwrites a slice with the bytes of elements in C order. Chunks that the slice covers in
    /// part are decoded, changed and encoded again; when that fails midway, the chunks before are
    /// changed already (format §11.2).
    ///
    /// # Errors
    /// [`Error::Mismatch`] for another number of dimensions or bytes than the slice has;
    /// [`Error::OutOfBounds`] for a range that leaves the shape; and what decoding, encoding and
    /// storing a chunk report.
    pub fn set_slice_bytes(&mut self, slice: &[Range<u64>], src: &[u8]) -> Result<()> {
        let region = self.region(slice)?;
        self.expect_nbytes(&region, src)?;
        self.write_region(&region, src, Store::Update)
    }

    /// Checks that a buffer has the size of a region.
    pub(crate) fn expect_nbytes(&self, region: &Region, src: &[u8]) -> Result<()> {
        let needed = self.region_nbytes(region)?;
        if u64::try_from(src.len()) != Ok(needed) {
            return Err(Error::Mismatch {
                what: "size of the elements in bytes",
                stored: needed.to_string().into(),
                asked: src.len().to_string().into(),
            });
        }
        Ok(())
    }

    /// Writes every chunk of a region, in order.
    pub(crate) fn write_region(&mut self, region: &Region, src: &[u8], store: Store) -> Result<()> {
        let buffer = BufferBox::new(*region);
        let places: Vec<Dims> = self.grid.chunks_of(region).places().collect();
        self.make_chunks(places.into_iter(), store, |array, builder, place| {
            let part = array.grid.chunk_box(place).and(region);
            array.make_part(builder, place, &part, &buffer, src)
        })
    }

    /// Writes `part`, which lies in the chunk at `place`, from its place in the buffer.
    pub(crate) fn write_part(
        &mut self,
        place: &Dims,
        part: &Region,
        buffer: &BufferBox,
        src: &[u8],
        store: Store,
    ) -> Result<()> {
        let mut builder = self.take_builder(false)?;
        let chunk = self.make_part(&mut builder, place, part, buffer, src);
        self.keep_builder(builder);
        self.store(self.grid.chunk_number(place), chunk?, store)
    }

    pub(crate) fn store(&mut self, nchunk: u64, chunk: Vec<u8>, store: Store) -> Result<()> {
        match store {
            Store::Append => self.chunks.append_owned_chunk(chunk).map(|_| ()),
            Store::Update => self.chunks.update_owned_chunk(nchunk, chunk),
        }
    }
}
