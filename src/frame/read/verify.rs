//! Checking a frame for damage.

use std::ops::Range;

use super::open;
use super::reader::FrameReader;
use crate::chunk::ChunkDecoder;
use crate::error::{Error, Missing, Part, Result};
use crate::frame::layout::header::{FrameHeader, FrameType};
use crate::frame::layout::offsets::Entry;
use crate::frame::layout::seal::{
    CHECKSUM_LEN, FINGERPRINT_LEN, chunk_checksum, hash, masked, metalayers_checksum,
};
use crate::frame::layout::trailer::{SEAL, SEAL_KIND};
use crate::frame::store::located::bytes_at;
use crate::frame::store::traits::FrameStore;
use crate::num::to_u64;
use crate::schunk::ChunkSource;

/// The offset of the checksums in their vlmetalayer, after the marker and the length of msgpack.
const SEAL_AT: usize = 5;

/// The result of [`FrameReader::verify`]: no damage, as far as detectable.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verified {
    /// All bytes are unchanged since the frame was sealed.
    Sealed,
    /// The chunks, the index and the trailer are unchanged since the frame was sealed; a metalayer
    /// or the numbers of threads in the header are not. C updates these without removing the seal;
    /// damage there looks the same.
    Updated,
    /// The frame has no seal; everything decompresses.
    Unsealed,
}

impl<S: FrameStore> FrameReader<S> {
    /// Checks the frame for damage. A sealed frame is compared with its seal, without decompressing
    /// anything; of a frame without one, every chunk and vlmetalayer is decompressed
    /// ([format §9.5](crate::format#9.5)).
    ///
    /// # Errors
    /// The first damage, with its chunk; [`Error::Unsupported`] for fingerprints that this crate
    /// does not write.
    pub fn verify(&self) -> Result<Verified> {
        self.verify_as_read().map_err(|error| self.stale_or(error))
    }

    fn verify_as_read(&self) -> Result<Verified> {
        match self.contents.fingerprint.kind {
            0 => {
                self.check()?;
                self.decode_all().map(|()| Verified::Unsealed)
            }
            SEAL_KIND if self.vlmetalayers().chunk(SEAL).is_some() => {
                // Checksums first: of two chunks that overlap, they tell which one is damaged.
                self.verify_fingerprint()?;
                let metalayers = self.verify_chunks()?;
                self.check()?;
                Ok(if metalayers == metalayers_checksum(&self.contents) {
                    Verified::Sealed
                } else {
                    Verified::Updated
                })
            }
            _ => Err(Error::Unsupported {
                part: Part::FrameTrailer,
                offset: self.contents.header.frame_len.saturating_sub(17),
                what: Missing::Feature("this kind of fingerprint"),
            }),
        }
    }

    fn find_trailer(&self) -> Result<Range<u64>> {
        let file = self.store.frame()?;
        let &FrameHeader {
            header_len,
            frame_len,
            ..
        } = self.header();
        open::find_trailer(file, header_len, frame_len, frame_len, &self.dparams)
    }

    /// Checks header, index and trailer of a frame with a seal before its chunks move.
    pub(crate) fn verify_before_move(&self) -> Result<()> {
        if self.contents.fingerprint.kind == SEAL_KIND {
            self.verify_fingerprint()?;
        }
        Ok(())
    }

    fn verify_fingerprint(&self) -> Result<()> {
        let header = &self.contents.header;
        let file = self.store.frame()?;
        let Range {
            start: trailer_at,
            end: trailer_end,
        } = self.find_trailer()?;
        let header_len = header.header_len;
        let index_at = match header.frame_type {
            _ if header.nbytes == 0 => trailer_at,
            FrameType::Contiguous => header_len.saturating_add(header.cbytes),
            FrameType::Sparse => header_len,
        };
        let part = Part::FrameTrailer;
        let at = trailer_end.saturating_sub(FINGERPRINT_LEN as u64);
        let head = bytes_at(file, Part::FrameHeader, 0, header_len)?;
        let index = bytes_at(
            file,
            Part::Index,
            index_at,
            trailer_at.saturating_sub(index_at),
        )?;
        let tail = bytes_at(file, part, trailer_at, at.saturating_sub(trailer_at))?;
        let head = masked(&head, &self.contents.metalayers);
        if hash(&head, &index, &tail) != self.contents.fingerprint.value {
            let rule = "the fingerprint does not fit the header, the index and the trailer";
            return Err(Error::broken(part, at, rule));
        }
        Ok(())
    }

    /// Compares the checksums of all chunks; returns that of the metalayers as sealed.
    fn verify_chunks(&self) -> Result<u64> {
        let seal = self.vlmetalayer(SEAL)?.unwrap_or_default();
        let found = self.checksums()?;
        let sealed = seal.get(SEAL_AT..).unwrap_or_default();
        let (metalayers, sealed) = match sealed.split_first_chunk::<CHECKSUM_LEN>() {
            Some((metalayers, chunks)) => (u64::from_le_bytes(*metalayers), chunks),
            None => (0, sealed),
        };
        if sealed.len() != found.len() {
            let part = Part::VlMetalayers;
            let at = self.find_trailer()?.start;
            return Err(Error::unequal(
                part,
                at,
                "length of the seal",
                sealed.len(),
                found.len(),
            ));
        }
        let (sealed, _) = sealed.as_chunks::<CHECKSUM_LEN>();
        let (found, _) = found.as_chunks::<CHECKSUM_LEN>();
        for (nchunk, (sealed, found)) in (0..).zip(sealed.iter().zip(found)) {
            if sealed != found {
                let base = match self.entry(nchunk)? {
                    Entry::Stored(place) => self.locate(nchunk, place)?.base(),
                    Entry::Special(_) => 0,
                };
                let (part, rule) = (Part::ChunksSection, "the bytes do not fit their checksum");
                return Err(Error::broken(part, base, rule).in_chunk(nchunk));
            }
        }
        Ok(metalayers)
    }

    /// The checksums of all chunks, in order.
    pub(crate) fn checksums(&self) -> Result<Vec<u8>> {
        let (mut checksums, mut buf) = (Vec::new(), Vec::new());
        for nchunk in 0..self.layout().nchunks {
            let checksum = match self.entry(nchunk)? {
                Entry::Special(_) => 0,
                Entry::Stored(place) => {
                    self.with_chunk(nchunk, place, &mut buf, |chunk| Ok(chunk_checksum(chunk)))?
                }
            };
            checksums.extend_from_slice(&checksum.to_le_bytes());
        }
        Ok(checksums)
    }

    fn decode_all(&self) -> Result<()> {
        let mut decoder = ChunkDecoder::new(self.dparams.clone());
        let mut data = Vec::new();
        for nchunk in 0..self.layout().nchunks {
            let nbytes = self.chunk_nbytes(nchunk)?;
            self.dparams.limits.check_alloc(to_u64(nbytes), None)?;
            data.resize(nbytes, 0);
            self.decode_chunk_into(&mut decoder, nchunk, &mut data)?;
        }
        for name in self.vlmetalayers().names() {
            self.vlmetalayer(name)?;
        }
        Ok(())
    }
}
