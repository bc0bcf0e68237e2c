//! Copies with other partitions or parameters, and concatenation.
//!
//! Both build the chunks of the new array one after the other, each from the boxes of the sources
//! that it covers, so that memory holds some chunks and never an array. A chunk that covers only
//! special chunks of one value becomes such a chunk, without decoding.

use crate::b2nd::array::Array;
use crate::b2nd::copy::{BufferBox, box_copy};
use crate::b2nd::layout::params::ArrayParams;
use crate::b2nd::layout::region::Region;
use crate::b2nd::write::target::ArrayTarget;
use crate::chunk::Special;
use crate::error::{Error, Result};
use crate::num::{saturating_i64, to_usize};
use crate::schunk::{ChunkSink, ChunkSource, SChunk};

impl<C: ChunkSource> Array<C> {
    /// Parameters for an array of the same shape and dtype, in the same chunks and blocks,
    /// compressed by the same codec, level and filters. The other metalayers are copied, those of
    /// variable length, too. A prefilter is left out: it has changed the data already.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    /// use oxiblosc::{CParams, CodecId};
    ///
    /// let params = ArrayParams::new::<u16>(&[8, 8])
    ///     .cparams(CParams::new(2).codec(CodecId::ZSTD).clevel(9));
    /// let array = Array::from_elements(&[7_u16; 64], &params)?;
    /// assert_eq!(array.params()?.cparams.codec, CodecId::ZSTD);
    /// assert_eq!(array.params()?.cparams.clevel, 9);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// When a metalayer of variable length cannot be decompressed.
    pub fn params(&self) -> Result<ArrayParams> {
        let mut cparams = self.cparams.clone();
        (cparams.blocksize, cparams.b2nd, cparams.prefilter) = (None, None, None);
        let mut params = ArrayParams::with_dtype(self.stored_dtype(), self.shape())
            .partition(&self.grid)
            .cparams(cparams);
        for (name, content) in self.chunks.metalayers().iter() {
            if name != self.metalayer {
                params = params.metalayer(name, content)?;
            }
        }
        for name in self.chunks.vlmetalayer_names() {
            let content = self.chunks.vlmetalayer(&name)?.unwrap_or_default();
            params = params.vlmetalayer(&name, &content)?;
        }
        Ok(params)
    }

    /// A copy of the array at a path, or in chunks of the caller, with the partition and parameters
    /// of `params`, whose shape must be the same. Chunks of the caller must have the metalayers of
    /// the parameters, and no chunks yet: a super-chunk in memory, or a frame anywhere.
    ///
    /// Memory: some chunks of the copy and, for each thread, one block of this array. Where chunks
    /// of the copy cut through chunks of this array, those are decoded once per chunk of the copy.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    /// use oxiblosc::{CParams, CodecId, FrameWriter};
    ///
    /// let array = Array::from_elements(&[7_u16; 600], &ArrayParams::new::<u16>(&[20, 30]))?;
    /// let params = array.params()?
    ///     .chunkshape(&[5, 30])
    ///     .blockshape(&[5, 10])
    ///     .cparams(CParams::new(2).codec(CodecId::ZSTD).clevel(9));
    /// let frame = FrameWriter::in_memory(params.frame_params()?)?;
    /// let copy = array.copy_in(frame, &params)?;
    /// assert_eq!(copy.chunkshape(), [5, 30]);
    /// assert_eq!(copy.to_elements::<u16>()?, [7; 600]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Mismatch`] for another shape or element size; the errors of reading, encoding and
    /// storing chunks.
    #[doc(alias = "b2nd_copy")]
    pub fn copy_in<T: ArrayTarget>(
        &self,
        target: T,
        params: &ArrayParams,
    ) -> Result<Array<T::Sink>> {
        self.copy_in_with(target, params, |_| ())
    }

    /// As [`copy_in`](Self::copy_in), and calls a function with the size in bytes of the box of
    /// each chunk once its elements are read: for progress bars. Several threads may call it.
    ///
    /// # Errors
    /// As [`copy_in`](Self::copy_in).
    pub fn copy_in_with<T: ArrayTarget>(
        &self,
        target: T,
        params: &ArrayParams,
        done: impl Fn(u64) + Sync,
    ) -> Result<Array<T::Sink>> {
        join(target, &[self], 0, params, done)
    }

    /// A copy of the array in memory; see [`copy_in`](Self::copy_in).
    ///
    /// # Errors
    /// As [`copy_in`](Self::copy_in).
    pub fn copy(&self, params: &ArrayParams) -> Result<Array<SChunk>> {
        self.copy_in(Array::sink(params)?, params)
    }

    /// Concatenates arrays along an axis, into an array at a path, or in chunks of the caller, with
    /// the partition and parameters of `params`. Its shape must be that of the arrays, with the sum
    /// of their lengths along the axis.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    /// use oxiblosc::FrameWriter;
    ///
    /// let low = Array::from_elements(&[1_u8, 2, 3, 4], &ArrayParams::new::<u8>(&[2, 2]))?;
    /// let high = Array::from_elements(&[5_u8, 6], &ArrayParams::new::<u8>(&[2, 1]))?;
    /// let params = ArrayParams::new::<u8>(&[2, 3]);
    /// let frame = FrameWriter::in_memory(params.frame_params()?)?;
    /// let both = Array::concatenate_in(frame, &[&low, &high], 1, &params)?;
    /// assert_eq!(both.to_elements::<u8>()?, [1, 2, 5, 3, 4, 6]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when there is no array or no such axis; [`Error::Mismatch`] when
    /// shapes, element sizes or dtypes do not fit; the errors of reading, encoding and storing
    /// chunks.
    #[doc(alias = "b2nd_concatenate")]
    pub fn concatenate_in<T: ArrayTarget>(
        target: T,
        arrays: &[&Self],
        axis: usize,
        params: &ArrayParams,
    ) -> Result<Array<T::Sink>> {
        if arrays.is_empty() || axis >= params.shape.len() {
            return Err(Error::InvalidParam {
                name: "axis to concatenate along",
                value: saturating_i64(axis),
                expected: "an axis of at least one array",
            });
        }
        join(target, arrays, axis, params, |_| ())
    }

    /// The special value of all elements of a box, when that is known without decoding.
    fn special_region(&self, region: &Region) -> Option<Special<'static>> {
        let mut touched = self.grid.chunks_of(region).indices();
        let special = |coords| self.special_value(self.grid.chunk_number(&coords));
        let first = special(touched.next()?)?;
        touched
            .all(|coords| special(coords) == Some(first))
            .then_some(first)
    }
}

/// Concatenates sources along an axis.
fn join<C: ChunkSource, T: ArrayTarget>(
    target: T,
    sources: &[&Array<C>],
    axis: usize,
    params: &ArrayParams,
    done: impl Fn(u64) + Sync,
) -> Result<Array<T::Sink>> {
    Array::make(target, params, |array| {
        fill_joined(array, sources, axis, done)
    })
}

/// Stores the chunks of a new array from sources that are concatenated along an axis.
fn fill_joined<C: ChunkSource, D: ChunkSink>(
    array: &mut Array<D>,
    sources: &[&Array<C>],
    axis: usize,
    done: impl Fn(u64) + Sync,
) -> Result<()> {
    let ndim = array.ndim();
    let mut total = 0_u64;
    for source in sources {
        let same = source.ndim() == ndim
            && (0..ndim).all(|other| {
                other == axis && sources.len() > 1 || source.shape()[other] == array.shape()[other]
            });
        if !same {
            return Err(Error::Mismatch {
                what: "shape",
                stored: format!("{:?}", source.shape()).into(),
                asked: format!("{:?}", array.shape()).into(),
            });
        }
        let dtype = source.stored_dtype();
        if source.typesize() != array.typesize() || sources.len() > 1 && dtype != *array.dtype() {
            return Err(Error::Mismatch {
                what: "dtype",
                stored: dtype.as_str().into(),
                asked: array.dtype().as_str().into(),
            });
        }
        total = total.saturating_add(source.shape().get(axis).copied().unwrap_or(1));
    }
    if let Some(&len) = array.shape().get(axis)
        && len != total
    {
        return Err(Error::Mismatch {
            what: "length of the axis",
            stored: total.to_string().into(),
            asked: len.to_string().into(),
        });
    }
    array.append_boxes(|array, part, bytes| {
        // The box, cut into the parts of the sources.
        let mut start = 0_u64;
        let mut cuts = Vec::new();
        for &source in sources {
            let len = source.shape().get(axis).copied().unwrap_or(1);
            let mut piece = *part;
            if ndim > 0 {
                piece.lo[axis] = part.lo[axis].max(start);
                piece.hi[axis] = part.hi[axis].min(start.saturating_add(len));
            }
            if !piece.is_empty() {
                let mut inside = piece;
                if ndim > 0 {
                    inside.lo[axis] -= start;
                    inside.hi[axis] -= start;
                }
                cuts.push((source, piece, inside));
            }
            start = start.saturating_add(len);
        }
        let special = |cut: &(&Array<C>, Region, Region)| cut.0.special_region(&cut.2);
        if let Some(first) = cuts.first().and_then(special)
            && cuts.iter().all(|cut| special(cut) == Some(first))
        {
            done(array.region_nbytes(part)?);
            return Ok(Some(first));
        }
        let nbytes = array.region_nbytes(part)?;
        array.dparams.limits.check_alloc(nbytes, None)?;
        bytes.resize(to_usize(nbytes)?, 0);
        if let [(source, _, inside)] = cuts.as_slice() {
            source.read_region(inside, bytes)?;
            done(nbytes);
            return Ok(None);
        }
        let mut gathered = Vec::new();
        for (source, piece, inside) in cuts {
            gathered.resize(to_usize(array.region_nbytes(&piece)?)?, 0);
            source.read_region(&inside, &mut gathered)?;
            put_box(array.typesize(), part, &piece, &gathered, bytes)?;
        }
        done(nbytes);
        Ok(None)
    })
}

/// Copies a piece of a box into the C-order buffer of the box.
fn put_box(
    typesize: usize,
    part: &Region,
    piece: &Region,
    src: &[u8],
    dst: &mut [u8],
) -> Result<()> {
    let (from, to) = (BufferBox::new(*piece), BufferBox::new(*part));
    let lens = piece.lens();
    let copy = box_copy(part.ndim, typesize, &lens, &from.strides, &to.strides)?;
    let at = to_usize(to.position(&piece.lo))? * typesize;
    copy.copy(src, &mut dst[at..]);
    Ok(())
}
