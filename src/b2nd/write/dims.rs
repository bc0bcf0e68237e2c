//! Axes of length one, removed and added: the stored elements do not change.

use crate::b2nd::array::Array;
use crate::b2nd::layout::dtype::Dtype;
use crate::b2nd::layout::grid::Grid;
use crate::b2nd::write::target::ArrayTarget;
use crate::error::{Error, Result};
use crate::num::{saturating_i64, to_u64};
use crate::schunk::{ChunkSink, ChunkSource, SChunk, StoredChunk, special_header};

impl<C: ChunkSource> Array<C> {
    /// The array without its axes of length one.
    ///
    /// Only the shapes of this handle change; the stored chunks stay the same. A writable array
    /// writes the new shapes to its metalayer with [`store_shapes`] or with its next change of
    /// shape; [`copy_chunks_in`] makes a frame with them.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    ///
    /// let array = Array::from_elements(&[1_u8, 2, 3], &ArrayParams::new::<u8>(&[1, 3, 1]))?;
    /// let array = array.squeeze()?;
    /// assert_eq!(array.shape(), [3]);
    /// assert_eq!(array.expand_dims(0)?.shape(), [1, 3]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// [`store_shapes`]: Self::store_shapes
    /// [`copy_chunks_in`]: Self::copy_chunks_in
    ///
    /// # Errors
    /// As [`squeeze_axes`](Self::squeeze_axes).
    #[doc(alias = "b2nd_squeeze")]
    pub fn squeeze(self) -> Result<Self> {
        let axes: Vec<usize> = (0..self.ndim())
            .filter(|&axis| self.shape()[axis] == 1)
            .collect();
        self.squeeze_axes(&axes)
    }

    /// The array without some axes, which must have length one; see [`squeeze`](Self::squeeze).
    ///
    /// # Errors
    /// [`Error::InvalidParam`] for an axis that does not exist or is not of length one;
    /// [`Error::Refused`] when its chunks are longer than one, and so hold padding that the
    /// remaining shapes could not describe.
    #[doc(alias = "b2nd_squeeze_index")]
    pub fn squeeze_axes(self, axes: &[usize]) -> Result<Self> {
        for &axis in axes {
            if self.shape().get(axis) != Some(&1) {
                return Err(Error::InvalidParam {
                    name: "axis to squeeze",
                    value: saturating_i64(axis),
                    expected: "an axis of length one",
                });
            }
            if self.chunkshape()[axis] != 1 || self.blockshape()[axis] != 1 {
                return Err(Error::Refused {
                    what: "squeeze an axis",
                    why: "its chunks or blocks are longer than one",
                });
            }
        }
        let kept: Vec<usize> = (0..self.ndim())
            .filter(|axis| !axes.contains(axis))
            .collect();
        let take = |lens: &[u64]| kept.iter().map(|&axis| lens[axis]).collect::<Vec<u64>>();
        let shape: Vec<u64> = kept.iter().map(|&axis| self.shape()[axis]).collect();
        let (chunks, blocks) = (take(self.chunkshape()), take(self.blockshape()));
        self.reshaped(&shape, &chunks, &blocks)
    }

    /// The array with a new axis of length one, before the axis `axis` (or after the last); see
    /// [`squeeze`](Self::squeeze).
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when `axis` is more than the number of dimensions, or there would be
    /// more than [`MAX_NDIM`](crate::b2nd::MAX_NDIM).
    #[doc(alias = "b2nd_expand_dims")]
    pub fn expand_dims(self, axis: usize) -> Result<Self> {
        if axis > self.ndim() {
            return Err(Error::InvalidParam {
                name: "number of the new axis",
                value: saturating_i64(axis),
                expected: "at most the number of dimensions",
            });
        }
        let mut shape = self.shape().to_vec();
        shape.insert(axis, 1);
        let longer = |lens: &[u64]| {
            let mut lens = lens.to_vec();
            lens.insert(axis, 1);
            lens
        };
        let (chunks, blocks) = (longer(self.chunkshape()), longer(self.blockshape()));
        self.reshaped(&shape, &chunks, &blocks)
    }

    fn reshaped(mut self, shape: &[u64], chunkshape: &[u64], blockshape: &[u64]) -> Result<Self> {
        let grid = Grid::new(self.typesize(), shape, chunkshape, blockshape)?;
        self.store_rows()?;
        let mut meta = self.meta.clone();
        meta.shape = shape.to_vec();
        meta.chunkshape = chunkshape.to_vec();
        meta.blockshape = blockshape.to_vec();
        let (cparams, dparams) = (self.cparams.clone(), self.dparams.clone());
        let chunks = self.chunks.give();
        Self::assemble(chunks, self.metalayer, meta, grid, &cparams, dparams)
    }

    /// The dtype for a new array of these elements: the stored one, or raw bytes where that has
    /// another size.
    pub(crate) fn stored_dtype(&self) -> Dtype {
        if self.dtype.itemsize() == Some(to_u64(self.typesize())) {
            self.dtype.clone()
        } else {
            Dtype::void(self.typesize())
        }
    }

    /// A copy of the array at a path, or in chunks of the caller. Chunks are copied as they are
    /// stored, without decoding. Chunks of the caller must have the metalayers of
    /// [`params`](Self::params), and no chunks yet.
    ///
    /// # Errors
    /// [`Error::Refused`] when the chunks were made for another array; the errors of reading and
    /// storing chunks.
    pub fn copy_chunks_in<T: ArrayTarget>(&self, target: T) -> Result<Array<T::Sink>> {
        Array::make(target, &self.params()?, |copy| self.copy_chunks_to(copy))
    }

    /// Stores the chunks of this array, as they are, in a new one of the same partition.
    pub(crate) fn copy_chunks_to<D: ChunkSink>(&self, copy: &mut Array<D>) -> Result<()> {
        for nchunk in 0..self.grid.nchunks() {
            match self.chunk_now(nchunk)? {
                StoredChunk::Bytes(bytes) => copy.chunks.append_chunk(&bytes)?,
                StoredChunk::Special { special, nbytes } => {
                    let blocksize = self.grid.blocksize();
                    let chunk = special_header(special, self.typesize(), blocksize, nbytes);
                    copy.chunks.append_chunk(&chunk)?
                }
            };
        }
        Ok(())
    }
}

impl<C: ChunkSink> Array<C> {
    /// Writes the shapes of this handle to the metalayer. The metalayer of a frame has space for as
    /// many axes as the frame was made with; for a super-chunk in memory see
    /// [`into_schunk`](Array::into_schunk).
    ///
    /// # Errors
    /// The errors of storing the metalayer, in particular when it has too little space.
    pub fn store_shapes(&mut self) -> Result<()> {
        self.change(|array| {
            let grid = array.grid.clone();
            array.set_grid(grid)
        })
    }
}

impl Array<SChunk> {
    /// The super-chunk, with the shapes of this handle in its metalayer.
    ///
    /// # Errors
    /// None for an array that could be opened.
    pub fn into_schunk(mut self) -> Result<SChunk> {
        self.store_rows()?;
        let content = self.meta.to_bytes()?;
        let mut metalayers = crate::schunk::Metalayers::new();
        for (name, old) in self.chunks.metalayers().iter() {
            let new = if name == self.metalayer {
                &content
            } else {
                old
            };
            metalayers.insert(name, new)?;
        }
        *self.chunks.metalayers_mut() = metalayers;
        Ok(self.chunks.give())
    }
}
