//! How many chunks there should be, and of what size.

use super::number::Numbered;
use super::remains::Remains;
use crate::chunk::ChunkHeader;
use crate::filter::metalayer::{Cursor, Shapes};
use crate::frame::layout::header::FrameHeader;
use crate::num::{saturating_usize, to_u64};
use crate::params::{DParams, MAX_NBYTES};

/// The names of the metalayers of arrays.
const ARRAYS: [&str; 2] = ["b2nd", "caterva"];

/// The sizes of a frame, as far as they are known.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Expected {
    /// The number of chunks.
    pub(super) nchunks: Option<u64>,
    /// The size of every chunk but the last; `None` when sizes differ, or nothing says.
    pub(super) chunksize: Option<usize>,
    /// Whether header or array state that size, so that all chunks have to have it.
    is_stated: bool,
    /// The size of all chunks, by the header.
    nbytes: Option<u64>,
    /// Whether chunks have blocks of variable length.
    pub(super) vlblocks: bool,
}

impl Expected {
    /// `nchunks` is what index or seal say; `found` are the headers of the chunks that were found,
    /// in the order of the file. The header of the frame may be damaged, so what it says has to
    /// agree with one of them.
    pub(super) fn of(
        remains: &Remains,
        nchunks: Option<u64>,
        found: &[ChunkHeader],
        dparams: &DParams,
    ) -> Self {
        let header = remains.header.as_ref();
        let array = array_chunks(remains);
        let nchunks = nchunks
            .or(array.map(|(nchunks, _)| nchunks))
            .or(header.and_then(FrameHeader::nchunks))
            .filter(|&nchunks| nchunks <= dparams.limits.max_nchunks);
        let vlblocks = header.map(|header| header.vlblocks);
        let first = found.first();
        let in_array = array.zip(header).and_then(|((_, items), header)| {
            usize::try_from(items.checked_mul(to_u64(header.typesize))?).ok()
        });
        let in_header = header.and_then(|header| header.chunksize);
        let agrees = |&size: &usize| {
            size > 0
                && (first.is_none()
                    || found
                        .iter()
                        .any(|chunk| saturating_usize(chunk.nbytes) == size))
        };
        let alike = |&size: &usize| {
            let but_last = found.split_last().map_or(found, |(_, before)| before);
            but_last
                .iter()
                .all(|chunk| saturating_usize(chunk.nbytes) == size)
        };
        let stated = in_array.filter(agrees).or(in_header.filter(agrees));
        let chunksize = stated.or(first
            .map(|first| saturating_usize(first.nbytes))
            .filter(alike));
        Self {
            nchunks,
            // The header may say that sizes differ.
            chunksize: chunksize.filter(|_| header.is_none_or(|header| header.chunksize.is_some())),
            is_stated: stated.is_some(),
            nbytes: header.map(|header| header.nbytes),
            vlblocks: vlblocks.unwrap_or(first.is_some_and(ChunkHeader::is_vlblocks)),
        }
    }

    /// Whether a chunk can be one of this frame.
    fn fits(&self, chunk: &ChunkHeader, is_last: bool) -> bool {
        let stated = self.chunksize.filter(|_| self.is_stated);
        let size_fits = stated.is_none_or(|chunksize| {
            let nbytes = saturating_usize(chunk.nbytes);
            nbytes == chunksize || (is_last && nbytes < chunksize)
        });
        chunk.is_vlblocks() == self.vlblocks && size_fits
    }

    /// Takes those chunks away that cannot be of this frame.
    pub(super) fn set_aside(&self, chunks: &mut Vec<Numbered>) -> Vec<Numbered> {
        let mut aside = Vec::new();
        let (mut at, len) = (0_usize, chunks.len());
        chunks.retain(|chunk| {
            at = at.saturating_add(1);
            let is_last = match (chunk.nchunk, self.nchunks) {
                (Some((nchunk, _)), Some(nchunks)) => nchunk.saturating_add(1) == nchunks,
                _ => at == len,
            };
            let fits = self.fits(&chunk.found.header, is_last);
            if !fits {
                aside.push(Numbered {
                    nchunk: None,
                    ..*chunk
                });
            }
            fits
        });
        aside
    }

    /// The size of a chunk in a frame of chunks of one size.
    pub(super) fn nbytes_of(&self, nchunk: u64) -> Option<usize> {
        let chunksize = self.chunksize?;
        let (Some(nchunks), Some(nbytes)) = (self.nchunks, self.nbytes) else {
            return Some(chunksize);
        };
        let rest = nbytes.checked_rem(to_u64(chunksize)).unwrap_or_default();
        let is_last = nchunk.saturating_add(1) == nchunks;
        let fits = nbytes.div_ceil(to_u64(chunksize).max(1)) == nchunks;
        if is_last && fits && rest > 0 {
            return Some(saturating_usize(rest));
        }
        Some(chunksize)
    }

    /// The size of each of `missing` chunks in a frame of chunks of any size, of which `present`
    /// bytes are there.
    pub(super) fn share(&self, present: u64, missing: u64, typesize: usize) -> usize {
        let left = self.nbytes.and_then(|nbytes| nbytes.checked_sub(present));
        let share = left.filter(|&left| missing == 1 && left > 0);
        let share = share.and_then(|share| usize::try_from(share).ok());
        share
            .filter(|&share| share <= MAX_NBYTES)
            .unwrap_or(typesize)
    }

    /// Counts the chunks when only the number of the last one says how many there are.
    pub(super) fn complete(&mut self, last: Option<u64>) {
        let least = last.map_or(0, |last| last.saturating_add(1));
        self.nchunks = Some(self.nchunks.unwrap_or(0).max(least));
    }
}

/// The number of chunks of an array, and the items in each.
fn array_chunks(remains: &Remains) -> Option<(u64, u64)> {
    let content = ARRAYS
        .iter()
        .find_map(|name| remains.metalayers.get(name))?;
    let (mut cursor, _) = Cursor::new(content).ok()?;
    let shapes = Shapes::read(&mut cursor).ok()?;
    let (mut nchunks, mut items) = (1_u64, 1_u64);
    let lens = shapes.shape.iter().zip(&shapes.chunkshape);
    for ((&len, &chunk), &block) in lens.zip(&shapes.blockshape).take(shapes.ndim) {
        if chunk == 0 || block == 0 {
            return None;
        }
        nchunks = nchunks.checked_mul(len.div_ceil(u64::from(chunk)))?;
        let padded = chunk.div_ceil(block).checked_mul(block)?;
        items = items.checked_mul(u64::from(padded))?;
    }
    Some((nchunks, items))
}
