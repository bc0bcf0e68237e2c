//! Everything of a frame but its chunks.

use super::header::FrameHeader;
use super::trailer::{Fingerprint, SEAL, SEAL_KIND, Trailer};
use crate::error::{Error, Result};
use crate::schunk::{ChunkLayout, Metalayers, Sizes, VlMetalayers};

/// The parsed header, trailer and index of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Contents {
    pub(crate) header: FrameHeader,
    pub(crate) metalayers: Metalayers,
    pub(crate) vlmetalayers: VlMetalayers,
    pub(crate) fingerprint: Fingerprint,
    /// One raw entry per chunk.
    pub(crate) index: Vec<i64>,
    /// Whether the index is one repeated value, as C writes it for a frame that was filled with one
    /// special value and whose chunks have not changed since.
    pub(crate) filled: bool,
}

impl Contents {
    /// Removes the seal, before the sealed bytes change.
    pub(crate) fn unseal(&mut self) {
        if self.fingerprint.kind == SEAL_KIND {
            self.vlmetalayers.remove(SEAL);
            self.fingerprint = Fingerprint::default();
        }
    }

    /// Counts a compaction of a frame without a seal. It can leave the header, the index and the
    /// trailer as they were at some earlier time, with other chunks; a reader that was opened then
    /// notices by this number.
    pub(crate) fn count_compaction(&mut self) {
        if self.fingerprint.kind == 0 {
            let count = u128::from_be_bytes(self.fingerprint.value);
            self.fingerprint.value = count.wrapping_add(1).to_be_bytes();
        }
    }

    /// The bytes of the trailer.
    pub(crate) fn trailer(&self) -> Result<Vec<u8>> {
        let (vlmetalayers, fingerprint) = (self.vlmetalayers.clone(), self.fingerprint);
        Trailer {
            vlmetalayers,
            fingerprint,
        }
        .write()
    }

    /// The sizes of items, blocks and chunks.
    pub(crate) fn layout(&self) -> ChunkLayout {
        ChunkLayout {
            typesize: self.header.typesize,
            chunksize: self.header.chunksize,
            blocksize: self.header.blocksize,
            nchunks: self.index.len() as u64,
            nbytes: self.header.nbytes,
            cbytes: self.header.cbytes,
        }
    }

    /// The sizes of the chunks.
    pub(crate) fn sizes(&self) -> Sizes {
        Sizes::of(&self.layout())
    }

    /// The raw index entry of a chunk.
    pub(crate) fn entry(&self, nchunk: u64) -> Result<i64> {
        let entry = usize::try_from(nchunk)
            .ok()
            .and_then(|nchunk| self.index.get(nchunk));
        entry.copied().ok_or(Error::OutOfBounds {
            what: "chunk",
            index: nchunk,
            len: self.index.len() as u64,
        })
    }
}
