//! The places of chunks in a frame, as far as its index names them.

use super::reader::FrameReader;
use crate::frame::layout::header::FrameType;
use crate::frame::store::traits::FrameStore;
use crate::num::saturating_usize;

/// The position of a chunk of a frame.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChunkPlace {
    /// This byte, counted from the start of the frame.
    Offset(u64),
    /// The chunk file with this number, in a sparse frame.
    File(u64),
    /// No bytes: the index itself names a special value.
    Index,
}

impl<S: FrameStore> FrameReader<S> {
    /// The position of each chunk, in order. Reads nothing.
    #[doc(alias = "blosc2_frame_get_offsets")]
    pub fn chunk_places(&self) -> impl ExactSizeIterator<Item = ChunkPlace> + '_ {
        let header = &self.contents.header;
        self.contents
            .index
            .iter()
            .map(|&raw| match (u64::try_from(raw), S::FRAME_TYPE) {
                (Err(_), _) => ChunkPlace::Index,
                (Ok(place), FrameType::Contiguous) => {
                    ChunkPlace::Offset(place.saturating_add(header.header_len))
                }
                (Ok(number), FrameType::Sparse) => ChunkPlace::File(number),
            })
    }

    /// The length of a chunk, if the next chunk directly follows it, or if it has a separate file.
    pub(crate) fn guess(&self, nchunk: u64, place: u64) -> u64 {
        if S::FRAME_TYPE == FrameType::Sparse {
            return u64::MAX;
        }
        let after = saturating_usize(nchunk).saturating_add(1);
        let later = self.contents.index.get(after..).unwrap_or_default();
        // Special chunks lie nowhere.
        let next = later.iter().find_map(|&raw| u64::try_from(raw).ok());
        next.unwrap_or(self.contents.header.cbytes)
            .saturating_sub(place)
    }
}
