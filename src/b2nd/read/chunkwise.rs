//! Iteration over chunks: the box of the array that each one holds, and its elements.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::b2nd::array::Array;
use crate::b2nd::copy::{BufferBox, Direction, copy_part};
use crate::b2nd::layout::region::Region;
use crate::error::Result;
use crate::num::to_usize;
use crate::schunk::{ChunkSource, ReadAhead};

/// A decoded chunk: its elements without padding, in C order.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq)]
pub struct ChunkBox {
    /// The index of the chunk.
    pub nchunk: u64,
    /// The box of the array that it holds.
    pub region: Vec<Range<u64>>,
    /// The elements of the box as bytes.
    pub bytes: Vec<u8>,
}

impl fmt::Debug for ChunkBox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChunkBox")
            .field("nchunk", &self.nchunk)
            .field("region", &self.region)
            .field("bytes", &format_args!("{} bytes", self.bytes.len()))
            .finish()
    }
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
        let part = self.grid.chunk_box(&self.grid.chunk_coords(nchunk));
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
            let part = self.grid.chunk_box(&self.grid.chunk_coords(nchunk));
            let nbytes = self.region_nbytes(&part)?;
            self.dparams.limits.check_alloc(nbytes, None)?;
            let mut bytes = vec![0; to_usize(nbytes)?];
            self.read_region(&part, &mut bytes)?;
            Ok(self.chunk_box(nchunk, &part, bytes))
        })
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
    /// The chunks in their order, decoded ahead of use by the threads of the array; see
    /// [`ReadAhead`].
    ///
    /// ```
    /// use std::sync::Arc;
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    /// use oxiblosc::{DParams, Threads};
    ///
    /// let chunks = Array::zeros(&ArrayParams::new::<u8>(&[300, 300]))?.into_inner()?;
    /// # #[cfg(feature = "rayon")]
    /// let dparams = DParams::new().threads(Threads::Current);
    /// # #[cfg(not(feature = "rayon"))]
    /// # let dparams = DParams::new();
    /// let array = Array::open_in_with(Arc::new(chunks), dparams)?;
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
            let coords = self.grid.chunk_coords(nchunk);
            let part = self.grid.chunk_box(&coords);
            let mut bytes = vec![0; to_usize(self.region_nbytes(&part)?)?];
            let buffer = BufferBox::new(part);
            let direction = Direction::Out(&chunk, &mut bytes);
            copy_part(&self.grid, &coords, &part, &buffer, direction)?;
            Ok(self.chunk_box(nchunk, &part, bytes))
        })
    }
}
