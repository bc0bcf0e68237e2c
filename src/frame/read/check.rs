//! Checking a frame without decompressing it.

use super::reader::FrameReader;
use crate::chunk::ChunkView;
use crate::error::{Error, Part, Result};
use crate::frame::layout::header::FrameType;
use crate::frame::layout::offsets::Entry;
use crate::frame::store::traits::FrameStore;
use crate::num::to_u64;
use crate::schunk::MIN_CHUNK_LEN;

impl<S: FrameStore> FrameReader<S> {
    /// Checks everything that can be checked without decompressing: that each chunk lies inside
    /// the frame and none overlaps another, each chunk header and its size, and that the sizes
    /// add up.
    ///
    /// # Errors
    /// The first fault, with its chunk.
    pub fn check(&self) -> Result<()> {
        self.check_places()?;
        let sizes = self.contents.sizes();
        let (mut spans, mut buf) = (Vec::new(), Vec::new());
        let mut nbytes = 0_u64;
        for nchunk in 0..sizes.nchunks {
            match self.entry(nchunk)? {
                Entry::Special(_) => {
                    nbytes = nbytes.saturating_add(to_u64(self.special_nbytes(nchunk)?));
                }
                Entry::Stored(place) => {
                    let header = self.with_chunk(nchunk, place, &mut buf, |chunk| {
                        ChunkView::parse(chunk, &self.dparams.limits).map(|view| *view.header())
                    })?;
                    nbytes = nbytes.saturating_add(u64::from(header.nbytes));
                    spans.push((place, u64::from(header.cbytes), nchunk));
                }
            }
        }
        if nbytes != sizes.nbytes {
            let part = Part::FrameHeader;
            return Err(Error::unequal(part, 0x1E, "nbytes", sizes.nbytes, nbytes));
        }
        spans.sort_unstable();
        for pair in spans.windows(2) {
            let &[(place, cbytes, nchunk), (next, ..)] = pair else {
                continue;
            };
            let end = match S::FRAME_TYPE {
                FrameType::Contiguous => place.saturating_add(cbytes),
                FrameType::Sparse => place.saturating_add(1),
            };
            if next < end {
                return Err(shared_bytes(next, nchunk));
            }
        }
        Ok(())
    }

    /// Refuses chunks that are closer than the shortest chunk, before reading any: an index of
    /// few bytes can name one chunk a million times.
    fn check_places(&self) -> Result<()> {
        let least = match S::FRAME_TYPE {
            FrameType::Contiguous => MIN_CHUNK_LEN,
            FrameType::Sparse => 1,
        };
        let entries = (0..).zip(&self.contents.index);
        let stored = entries.filter_map(|(nchunk, &raw)| Some((u64::try_from(raw).ok()?, nchunk)));
        let mut places: Vec<(u64, u64)> = stored.collect();
        places.sort_unstable();
        for pair in places.windows(2) {
            if let &[(place, nchunk), (next, _)] = pair
                && next < place.saturating_add(least)
            {
                return Err(shared_bytes(next, nchunk));
            }
        }
        Ok(())
    }
}

fn shared_bytes(offset: u64, nchunk: u64) -> Error {
    Error::broken(Part::Index, offset, "two chunks share bytes").in_chunk(nchunk)
}
