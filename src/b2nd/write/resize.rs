//! Changing the shape: growing and shrinking ([format §11.5](crate::format#11.5)).

use crate::b2nd::array::Array;
use crate::b2nd::copy::{BufferBox, Direction, copy_part};
use crate::b2nd::layout::grid::Grid;
use crate::b2nd::layout::region::{Dims, Region};
use crate::b2nd::layout::rules::as_param;
use crate::b2nd::select::per_axis::{PerAxis, lens};
use crate::b2nd::write::builder::{Store, encode};
use crate::chunk::Special;
use crate::error::Result;
use crate::num::to_usize;
use crate::schunk::ChunkSink;

impl<C: ChunkSink> Array<C> {
    /// Changes the length of the axes. Elements keep their index; new ones are zero
    /// ([format §11.5](crate::format#11.5)).
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    ///
    /// let params = ArrayParams::new::<u8>(&[1, 3]);
    /// let mut array = Array::from_elements(&[1_u8, 2, 3], &params)?;
    /// array.resize(&[2, 2])?;
    /// assert_eq!(array.to_bytes()?, [1, 2, 0, 0]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`InvalidParam`](crate::Error::InvalidParam) for another number of axes, a shape that is too
    /// large, or an axis that would grow though its chunks have length 0; the errors of decoding,
    /// encoding and storing chunks.
    #[doc(alias = "b2nd_resize")]
    pub fn resize(&mut self, shape: impl PerAxis) -> Result<()> {
        let shape = lens(shape);
        self.change(|array| array.resize_to(&shape))
    }

    /// Calls `work`, which changes the array, after following changes by others. All rows are in
    /// chunks then.
    pub(crate) fn change<R>(&mut self, work: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        self.change_beside_tail(|array| {
            array.store_rows()?;
            work(array)
        })
    }

    /// Calls `work`, which changes the array and minds the rows that are not in chunks.
    pub(crate) fn change_beside_tail<R>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<R>,
    ) -> Result<R> {
        let done = self
            .chunks
            .begin_change()
            .and_then(|reread| {
                if reread {
                    self.follow().map(drop)
                } else {
                    Ok(())
                }
            })
            .and_then(|()| work(self));
        if done.is_err() {
            self.chunks.note_failure(false);
            if self.tail.is_empty() {
                self.chunks.end_unchanged()?;
            }
        }
        done
    }

    fn resize_to(&mut self, shape: &[u64]) -> Result<()> {
        let target = self.regrid(shape)?;
        // Axes shrink first and grow afterwards: chunk numbers stay in order.
        let both: Vec<u64> = self
            .shape()
            .iter()
            .zip(shape)
            .map(|(&old, &new)| old.min(new))
            .collect();
        if both != self.shape() {
            self.shrink(self.regrid(&both)?)?;
        }
        if shape != self.shape() {
            self.clear_uncovered(&target)?;
            self.grow(target)?;
        }
        Ok(())
    }

    /// The grid of another shape with the same chunks and blocks.
    pub(crate) fn regrid(&self, shape: &[u64]) -> Result<Grid> {
        let (chunkshape, blockshape) = (self.chunkshape(), self.blockshape());
        Grid::new(self.typesize(), shape, chunkshape, blockshape)
            .map_err(|error| as_param(error, (shape, chunkshape, blockshape)))
    }

    /// Writes the metalayer of another shape.
    pub(crate) fn set_grid(&mut self, grid: Grid) -> Result<()> {
        let mut meta = self.meta.clone();
        meta.shape = grid.shape().to_vec();
        let mut content = meta.to_bytes()?;
        if meta.dtype.is_none() {
            // The predecessor ends before the dtype.
            content = meta.to_caterva_bytes()?;
            let old = self
                .chunks
                .metalayers()
                .get(self.metalayer)
                .and_then(<[u8]>::first);
            if let (Some(marker), Some(&old)) = (content.first_mut(), old) {
                *marker = old;
            }
        }
        self.chunks.update_metalayer(self.metalayer, &content)?;
        self.meta = meta;
        self.grid = grid;
        Ok(())
    }

    /// Deletes the chunks outside of a smaller shape.
    fn shrink(&mut self, target: Grid) -> Result<()> {
        let new: Dims = std::array::from_fn(|axis| {
            let chunks = target.chunk_grid().get(axis);
            chunks.copied().unwrap_or(0)
        });
        let empty = target.nchunks() == 0;
        let ndim = self.ndim();
        self.delete_chunks(target, |coords| {
            empty || (0..ndim).any(|axis| coords[axis] >= new[axis])
        })
    }

    /// Writes a smaller shape, then deletes the unused chunks, the last one first.
    fn delete_chunks(&mut self, target: Grid, is_out: impl Fn(&Dims) -> bool) -> Result<()> {
        let before = std::mem::replace(&mut self.grid, target.clone());
        if let Err(error) = self.set_grid(target) {
            self.grid = before;
            return Err(error);
        }
        for nchunk in (0..before.nchunks()).rev() {
            if is_out(&before.chunk_coords(nchunk)) {
                self.chunks.delete_chunk(nchunk)?;
            }
        }
        Ok(())
    }

    /// Inserts zero chunks for a larger shape, then writes the shape.
    fn grow(&mut self, target: Grid) -> Result<()> {
        let old: Dims = std::array::from_fn(|axis| {
            let chunks = self.grid.chunk_grid().get(axis);
            chunks.copied().unwrap_or(0)
        });
        let empty = self.grid.nchunks() == 0;
        let ndim = self.ndim();
        self.insert_zeros(target, |coords| {
            empty || (0..ndim).any(|axis| coords[axis] >= old[axis])
        })
    }

    /// Inserts columns of zero chunks along an axis at a chunk border, as many as `n` elements
    /// fill.
    pub(crate) fn insert_columns(&mut self, axis: usize, border: u64, n: u64) -> Result<()> {
        let mut shape = self.shape().to_vec();
        shape[axis] = shape[axis].saturating_add(n);
        let target = self.regrid(&shape)?;
        let chunk = self.grid.chunk_lens()[axis];
        let columns = border / chunk..(border + n) / chunk;
        self.insert_zeros(target, |coords| columns.contains(&coords[axis]))
    }

    /// Deletes columns of chunks along an axis from a chunk border on, as many as `n` elements
    /// fill.
    pub(crate) fn delete_columns(&mut self, axis: usize, border: u64, n: u64) -> Result<()> {
        let mut shape = self.shape().to_vec();
        shape[axis] -= n;
        let target = self.regrid(&shape)?;
        let chunk = self.grid.chunk_lens()[axis];
        let columns = border / chunk..(border + n) / chunk;
        self.delete_chunks(target, |coords| columns.contains(&coords[axis]))
    }

    /// Inserts zero chunks at the coordinates that only the larger grid has, then writes its shape.
    fn insert_zeros(&mut self, target: Grid, is_new: impl Fn(&Dims) -> bool) -> Result<()> {
        let mut zeros = None;
        for nchunk in 0..target.nchunks() {
            if !is_new(&target.chunk_coords(nchunk)) {
                continue;
            }
            let chunk = match &zeros {
                Some(chunk) => chunk,
                None => {
                    let chunksize = target.chunksize();
                    let mut builder = self.take_builder(None)?;
                    let chunk = builder.encoder.encode_special(Special::Zeros, chunksize)?;
                    self.keep_builder(builder);
                    zeros.insert(chunk)
                }
            };
            self.chunks.insert_chunk(nchunk, chunk)?;
        }
        self.set_grid(target)
    }

    /// Clears the padding that a larger shape uncovers in stored chunks: an earlier larger shape
    /// may have left elements in it.
    fn clear_uncovered(&mut self, target: &Grid) -> Result<()> {
        let old = Region::whole(self.shape());
        let whole = Region::whole(target.shape());
        let chunksize = self.grid.chunksize();
        for nchunk in 0..self.grid.nchunks() {
            let coords = self.grid.chunk_coords(nchunk);
            let before = self.grid.chunk_box(&coords);
            let after = target.chunk_box(&coords);
            if before == after {
                continue;
            }
            debug_assert_eq!(after.and(&whole), after);
            let mut builder = self.take_builder(None)?;
            let encoded = self.with_workspace(None, |workspace| {
                let (decoder, chunk) = workspace.chunk_buffer(chunksize)?;
                let len = self.chunks.decode_chunk_into(decoder, nchunk, chunk)?;
                self.check_len(nchunk, len)?;
                // The elements of the old shape, surrounded by zeros.
                let keep = after.and(&old);
                let buffer = BufferBox::new(keep);
                let mut kept = vec![0; to_usize(self.region_nbytes(&keep)?)?];
                copy_part(
                    &self.grid,
                    &coords,
                    &keep,
                    &buffer,
                    Direction::Out(chunk, &mut kept),
                )?;
                let mut cleared = vec![0; chunksize];
                let into = Direction::In(&mut cleared, &kept);
                copy_part(&self.grid, &coords, &keep, &buffer, into)?;
                if chunk == cleared.as_slice() {
                    return Ok(None);
                }
                encode(&mut builder.encoder, nchunk, &cleared).map(Some)
            });
            self.keep_builder(builder);
            if let Some(chunk) = encoded? {
                self.store(nchunk, chunk, Store::Update)?;
            }
        }
        Ok(())
    }
}
