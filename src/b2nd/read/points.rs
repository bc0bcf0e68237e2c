//! Lists of points: single elements from anywhere.

use crate::b2nd::array::Array;
use crate::b2nd::select::selection::Points;
use crate::error::{Error, Result};
use crate::schunk::ChunkSource;

impl<C: ChunkSource> Array<C> {
    /// Reads the elements at some points into the front of `dst`, and returns their size in bytes.
    /// Each block that holds one of the points is decoded once.
    pub(crate) fn read_points(&self, points: &Points<'_>, dst: &mut [u8]) -> Result<usize> {
        points.check(self.ndim())?;
        let typesize = self.typesize();
        let needed = points.len.saturating_mul(typesize);
        let available = dst.len();
        let dst = dst
            .get_mut(..needed)
            .ok_or(Error::OutputTooSmall { needed, available })?;
        // Sorted by chunk, then by offset in it, so that each chunk is visited once.
        let mut found = Vec::with_capacity(points.len);
        for n in 0..points.len {
            let index = &points.indices[n * points.ndim..(n + 1) * points.ndim];
            let (nchunk, bytes) = self.locate(index)?;
            found.push((nchunk, bytes.start, n));
        }
        found.sort_unstable();
        self.with_workspace(None, |workspace| {
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
                self.decode_ranges_now(decoder, nchunk, ranges, &mut gathered)?;
                for (&(_, _, n), element) in chunk.iter().zip(gathered.chunks_exact(typesize)) {
                    dst[n * typesize..(n + 1) * typesize].copy_from_slice(element);
                }
            }
            Ok(needed)
        })
    }
}
