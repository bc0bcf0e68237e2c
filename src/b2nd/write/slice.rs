//! Writing boxes of elements.

use crate::b2nd::array::Array;
use crate::b2nd::copy::BufferBox;
use crate::b2nd::layout::dtype::{Element, stored_bytes};
use crate::b2nd::layout::region::{Dims, Region};
use crate::b2nd::select::plan::ReadPlan;
use crate::b2nd::select::selection::Selection;
use crate::b2nd::write::builder::Store;
use crate::error::{Error, Result};
use crate::schunk::{ChunkSink, EncodedChunk};

impl<C: ChunkSink> Array<C> {
    /// Overwrites a box with elements in C order. The [`Selection`] consists of ranges and of
    /// single indices.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    ///
    /// let mut array = Array::zeros(&ArrayParams::new::<i16>(&[2, 3]))?;
    /// array.set_slice((.., 1), &[7_i16, 8])?;
    /// assert_eq!(array.to_elements::<i16>()?, [0, 7, 0, 0, 8, 0]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Mismatch`] when the dtype is not that of `T`; otherwise as
    /// [`set_slice_bytes`](Self::set_slice_bytes).
    #[doc(alias = "b2nd_set_slice_cbuffer")]
    pub fn set_slice<'s, T: Element>(
        &mut self,
        selection: impl Into<Selection<'s>>,
        src: &[T],
    ) -> Result<()> {
        let swap = self.check_element::<T>()?;
        self.set_slice_bytes(selection, &stored_bytes(src, &swap))
    }

    /// Overwrites a box with the bytes of elements in C order. Chunks that the box covers in part
    /// are decoded, changed and encoded again. When that fails midway, earlier chunks have already
    /// changed ([format §11.2](crate::format#11.2)).
    ///
    /// # Errors
    /// [`Error::Refused`] for a selection that is not a box, as in [`view`](Self::view);
    /// [`Error::Mismatch`] for another number of axes or bytes than the selection has;
    /// [`Error::OutsideAxis`] for an index outside of the shape; and the errors of decoding,
    /// encoding and storing a chunk.
    pub fn set_slice_bytes<'s>(
        &mut self,
        selection: impl Into<Selection<'s>>,
        src: &[u8],
    ) -> Result<()> {
        let selection = selection.into();
        self.change(|array| {
            let region = array.box_of(&array.plan(&selection)?)?;
            array.expect_nbytes(&region, src)?;
            array.write_region(&region, src, Store::Update)
        })
    }

    /// The box that a resolved selection covers.
    pub(crate) fn box_of(&self, plan: &ReadPlan) -> Result<Region> {
        plan.region().ok_or(Error::Refused {
            what: "write a selection",
            why: "writes take boxes: ranges without gaps, and single indices",
        })
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
        let chunks: Vec<Dims> = self.grid.chunks_of(region).indices().collect();
        self.build_chunks(chunks.into_iter(), store, |array, builder, coords| {
            let part = array.grid.chunk_box(coords).and(region);
            array.build_chunk(builder, coords, &part, &buffer, src)
        })
    }

    /// Writes `part`, which lies in the chunk at `coords`, from its position in the buffer.
    pub(crate) fn write_part(
        &mut self,
        coords: &Dims,
        part: &Region,
        buffer: &BufferBox,
        src: &[u8],
        store: Store,
    ) -> Result<()> {
        let mut builder = self.take_builder(None)?;
        let chunk = self.build_chunk(&mut builder, coords, part, buffer, src);
        self.keep_builder(builder);
        self.store(self.grid.chunk_number(coords), chunk?, store)
    }

    /// Stores a chunk that the encoder of the array has made.
    pub(crate) fn store(&mut self, nchunk: u64, chunk: Vec<u8>, store: Store) -> Result<()> {
        let chunk = EncodedChunk::new(chunk);
        match store {
            Store::Append => self.chunks.append_encoded_chunk(chunk).map(|_| ()),
            Store::Update => self.chunks.update_encoded_chunk(nchunk, chunk),
        }
    }
}
