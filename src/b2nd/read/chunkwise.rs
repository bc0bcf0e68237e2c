//! Chunk after chunk: which box of the array each one holds, and its elements.

use std::ops::Range;
use std::sync::Arc;

use oxiblosc_kernels::pod;

use crate::b2nd::array::Array;
use crate::b2nd::copy::buffer::{BufferBox, Direction, copy_part};
use crate::b2nd::layout::dtype::{Element, swap_bytes};
use crate::b2nd::layout::region::{Region, to_usize};
use crate::error::Result;
use crate::schunk::{ChunkSource, ReadAhead};

/// A decoded chunk: its elements without padding, in C order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkBox {
    /// The index of the chunk.
    pub nchunk: u64,
    /// The box of the array that it holds.
    pub region: Vec<Range<u64>>,
    /// The elements of the box as bytes.
    pub bytes: Vec<u8>,
}

impl<C: ChunkSource> Array<C> {
    /// The box of the array that a chunk holds; `None` when there is no such chunk.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    ///
    /// let params = ArrayParams::new::<u8>(&[5, 7]).chunkshape(&[4, 4]).blockshape(&[2, 2]);
    /// let array = Array::zeros(&params)?;
    /// assert_eq!(array.chunk_region(3), Some(vec![4..5, 4..7]));
    /// assert_eq!(array.chunk_region(4), None);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    pub fn chunk_region(&self, nchunk: u64) -> Option<Vec<Range<u64>>> {
        if nchunk >= self.grid.nchunks() {
            return None;
        }
        let part = self.grid.chunk_box(&self.grid.chunk_place(nchunk));
        Some(
            (0..part.ndim)
                .map(|axis| part.lo[axis]..part.hi[axis])
                .collect(),
        )
    }

    /// The chunks in their order, decoded one by one, with the threads of the array sharing the
    /// blocks of each.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    ///
    /// let params = ArrayParams::new::<u8>(&[3]).chunkshape(&[2]).blockshape(&[2]);
    /// let array = Array::from_elements(&[1_u8, 2, 3], &params)?;
    /// let boxes = array.chunk_boxes().collect::<oxiblosc::Result<Vec<_>>>()?;
    /// assert_eq!((boxes[1].region[0].clone(), &boxes[1].bytes[..]), (2..3, &[3][..]));
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    pub fn chunk_boxes(&self) -> impl Iterator<Item = Result<ChunkBox>> + '_ {
        (0..self.grid.nchunks()).map(|nchunk| {
            let part = self.grid.chunk_box(&self.grid.chunk_place(nchunk));
            let nbytes = self.region_nbytes(&part)?;
            self.dparams.limits.check_alloc(nbytes, None)?;
            let mut bytes = vec![0; to_usize(nbytes)?];
            self.read_region(&part, &mut bytes)?;
            Ok(self.chunk_box(nchunk, &part, bytes))
        })
    }

    /// Writes the elements of a chunk to the front of `dst`, in C order and without padding, and
    /// returns how many they are.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`](crate::Error::OutOfBounds) when there is no such chunk; otherwise as
    /// [`slice_into`](Self::slice_into).
    pub fn read_chunk_into<T: Element>(&self, nchunk: u64, dst: &mut [T]) -> Result<usize> {
        let swapped = self.check_element::<T>()?;
        let dst = pod::as_bytes_mut(dst);
        let len = self.read_chunk_bytes_into(nchunk, dst)?;
        if swapped {
            swap_bytes(&mut dst[..len], T::PART);
        }
        Ok(len / T::SIZE)
    }

    /// Writes the elements of a chunk to the front of `dst` as bytes, in C order and without
    /// padding, and returns how many bytes they are.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`](crate::Error::OutOfBounds) when there is no such chunk; otherwise as
    /// [`slice_bytes_into`](Self::slice_bytes_into).
    pub fn read_chunk_bytes_into(&self, nchunk: u64, dst: &mut [u8]) -> Result<usize> {
        if nchunk >= self.grid.nchunks() {
            return Err(crate::Error::OutOfBounds {
                what: "chunk",
                index: nchunk,
                len: self.grid.nchunks(),
            });
        }
        let part = self.grid.chunk_box(&self.grid.chunk_place(nchunk));
        self.read_region(&part, dst)
    }

    fn chunk_box(&self, nchunk: u64, part: &Region, bytes: Vec<u8>) -> ChunkBox {
        ChunkBox {
            nchunk,
            region: (0..self.ndim())
                .map(|axis| part.lo[axis]..part.hi[axis])
                .collect(),
            bytes,
        }
    }
}

impl<C: ChunkSource + 'static> Array<Arc<C>> {
    /// The chunks in their order, decoded by the threads of the array before they are asked for;
    /// see [`ReadAhead`].
    ///
    /// ```
    /// use std::sync::Arc;
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    /// use oxiblosc::{DParams, Threads};
    ///
    /// let chunks = Array::zeros(&ArrayParams::new::<u8>(&[300, 300]))?.into_inner();
    /// # #[cfg(feature = "rayon")]
    /// let dparams = DParams::new().threads(Threads::Current);
    /// # #[cfg(not(feature = "rayon"))]
    /// # let dparams = DParams::new();
    /// let array = Array::open_with(Arc::new(chunks), dparams)?;
    /// let mut total = 0;
    /// for chunk in array.chunk_boxes_ahead() {
    ///     total += chunk?.bytes.len();
    /// }
    /// assert_eq!(total, 90_000);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    pub fn chunk_boxes_ahead(&self) -> impl Iterator<Item = Result<ChunkBox>> + '_ {
        let ahead = ReadAhead::with_dparams(Arc::clone(&self.chunks), self.dparams.clone());
        (0..self.grid.nchunks()).zip(ahead).map(|(nchunk, chunk)| {
            let chunk = chunk?;
            self.check_len(nchunk, chunk.len())?;
            let place = self.grid.chunk_place(nchunk);
            let part = self.grid.chunk_box(&place);
            let mut bytes = vec![0; to_usize(self.region_nbytes(&part)?)?];
            let buffer = BufferBox::new(part);
            let way = Direction::Out(&chunk, &mut bytes);
            copy_part(&self.grid, &place, &part, &buffer, way)?;
            Ok(self.chunk_box(nchunk, &part, bytes))
        })
    }
}
