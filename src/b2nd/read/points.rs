//! Lists of points: single elements from anywhere.

use oxiblosc_kernels::pod;

use crate::b2nd::array::Array;
use crate::b2nd::layout::dtype::{Element, swap_bytes};
use crate::b2nd::layout::region::to_usize;
use crate::error::{Error, Result};
use crate::schunk::ChunkSource;

impl<C: ChunkSource> Array<C> {
    /// The elements at some points, in the order of the list, which may repeat them. A point is an
    /// index per axis.
    ///
    /// Each block that holds one of the points is decoded once.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    ///
    /// let numbers: Vec<u16> = (0..100).collect();
    /// let array = Array::from_elements(&numbers, &ArrayParams::new::<u16>(&[10, 10]))?;
    /// assert_eq!(array.points::<u16, _>(&[[9, 9], [0, 3], [9, 9]])?, [99, 3, 99]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Mismatch`] when the dtype is not that of `T`; [`Error::LimitExceeded`] when the
    /// result is larger than [`Limits::max_alloc`](crate::Limits::max_alloc); otherwise as
    /// [`points_bytes_into`](Self::points_bytes_into).
    pub fn points<T: Element, P: AsRef<[u64]>>(&self, points: &[P]) -> Result<Vec<T>> {
        self.check_element::<T>()?;
        let nbytes = (points.len() as u64).saturating_mul(T::SIZE as u64);
        self.dparams.limits.check_alloc(nbytes, None)?;
        let mut elements = vec![T::default(); points.len()];
        self.points_into(points, &mut elements)?;
        Ok(elements)
    }

    /// Writes the elements at some points to the front of `dst`, and returns how many they are.
    ///
    /// # Errors
    /// [`Error::Mismatch`] when the dtype is not that of `T`; otherwise as
    /// [`points_bytes_into`](Self::points_bytes_into).
    pub fn points_into<T: Element, P: AsRef<[u64]>>(
        &self,
        points: &[P],
        dst: &mut [T],
    ) -> Result<usize> {
        let swapped = self.check_element::<T>()?;
        let dst = pod::as_bytes_mut(dst);
        let len = self.points_bytes_into(points, dst)?;
        if swapped {
            swap_bytes(&mut dst[..len], T::PART);
        }
        Ok(points.len())
    }

    /// The elements at some points as bytes.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] when the result is larger than
    /// [`Limits::max_alloc`](crate::Limits::max_alloc); otherwise as
    /// [`points_bytes_into`](Self::points_bytes_into).
    pub fn points_bytes<P: AsRef<[u64]>>(&self, points: &[P]) -> Result<Vec<u8>> {
        let nbytes = (points.len() as u64).saturating_mul(self.typesize().into());
        self.dparams.limits.check_alloc(nbytes, None)?;
        let mut bytes = vec![0; to_usize(nbytes)?];
        self.points_bytes_into(points, &mut bytes)?;
        Ok(bytes)
    }

    /// Writes the elements at some points to the front of `dst` as bytes, and returns how many
    /// bytes they are.
    ///
    /// # Errors
    /// [`Error::Mismatch`] for a point of another number of dimensions; [`Error::OutOfBounds`];
    /// [`Error::OutputTooSmall`]; and what decoding a chunk reports.
    pub fn points_bytes_into<P: AsRef<[u64]>>(
        &self,
        points: &[P],
        dst: &mut [u8],
    ) -> Result<usize> {
        let typesize = to_usize(self.typesize().into())?;
        let needed = points.len().saturating_mul(typesize);
        let available = dst.len();
        let dst = dst
            .get_mut(..needed)
            .ok_or(Error::OutputTooSmall { needed, available })?;
        // Sorted by chunk, then by place in it, so that each chunk is visited once.
        let mut found = Vec::with_capacity(points.len());
        for (n, point) in points.iter().enumerate() {
            let (nchunk, bytes) = self.locate(point.as_ref())?;
            found.push((nchunk, bytes.start, n));
        }
        found.sort_unstable();
        self.with_workspace(false, |workspace| {
            let mut gathered = Vec::new();
            for chunk in found.chunk_by(|a, b| a.0 == b.0) {
                let Some(&(nchunk, ..)) = chunk.first() else {
                    continue;
                };
                let ranges = &mut workspace.ranges;
                ranges.clear();
                ranges.extend(chunk.iter().map(|&(_, at, _)| at..at + typesize));
                gathered.resize(chunk.len() * typesize, 0);
                let decoder = &mut workspace.decoder;
                self.chunks
                    .decode_chunk_ranges_into(decoder, nchunk, ranges, &mut gathered)?;
                for (&(_, _, n), element) in chunk.iter().zip(gathered.chunks_exact(typesize)) {
                    dst[n * typesize..(n + 1) * typesize].copy_from_slice(element);
                }
            }
            Ok(needed)
        })
    }
}
