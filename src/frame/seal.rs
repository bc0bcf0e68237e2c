//! Seals: checksums of every chunk, and a fingerprint over all the rest.
//!
//! ```text
//! vlmetalayer "oxiblosc.seal"     8 bytes per chunk: XXH3-64 of its stored bytes, 0 when it has none
//! fingerprint in the trailer      XXH3-128 of header, index and trailer without its last 16 bytes
//! ```
//!
//! The trailer has had room for a fingerprint from the beginning, and C never filled it (format
//! §9.5); C reads sealed frames like any other. Checksums find damage by accident; whoever wants
//! to forge a frame can forge its seal.

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::contents::find_trailer_between;
use super::header::FrameHeader;
use super::offsets::Entry;
use super::reader::FrameReader;
use super::store::{FrameStore, FrameStoreMut, bytes_at};
use super::trailer::Fingerprint;
use super::writer::FrameWriter;
use crate::error::{Error, Missing, Part, Result};
use crate::schunk::ChunkSource;

/// The name of the variable-length metalayer with the checksums of the chunks.
pub const SEAL: &str = "oxiblosc.seal";

/// The fingerprint type of 128 bits.
pub(super) const SEAL_KIND: u8 = 3;
/// The bytes of a fingerprint.
const FINGERPRINT_LEN: usize = 16;
/// The bytes of a chunk's checksum.
const CHECKSUM_LEN: usize = 8;

/// What [`FrameReader::verify`] found: no damage, to the degree that can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verified {
    /// Every byte that matters is the one that was sealed.
    Sealed,
    /// The frame has no seal; everything decompresses.
    Unsealed,
}

/// Fills in the fingerprint of a frame that is to be sealed.
pub(super) fn sign(fingerprint: &mut Fingerprint, header: &[u8], index: &[u8], trailer: &mut [u8]) {
    if fingerprint.kind != SEAL_KIND {
        return;
    }
    let split = trailer.len().saturating_sub(FINGERPRINT_LEN);
    if let Some((signed, value)) = trailer.split_at_mut_checked(split) {
        fingerprint.value = hash(header, index, signed);
        value.copy_from_slice(&fingerprint.value);
    }
}

fn hash(header: &[u8], index: &[u8], trailer: &[u8]) -> [u8; FINGERPRINT_LEN] {
    let mut hash = Xxh3::new();
    for part in [header, index, trailer] {
        hash.update(part);
    }
    hash.digest128().to_be_bytes()
}

impl<S: FrameStoreMut> FrameWriter<S> {
    /// Commits with a seal: a checksum of every chunk and a fingerprint over header, index and
    /// trailer, for [`FrameReader::verify`]. The next change takes the seal away (format §9.5).
    ///
    /// ```
    /// use oxiblosc::frame::Verified;
    /// use oxiblosc::{CParams, DParams, FrameParams, FrameReader, FrameWriter};
    /// # fn main() -> oxiblosc::Result<()> {
    /// let mut writer = FrameWriter::in_memory(FrameParams::new(CParams::new(1), 1000))?;
    /// writer.append(&[7; 5000])?;
    /// writer.seal()?;
    /// let frame = writer.into_bytes()?;
    /// let reader = FrameReader::from_bytes(&frame, DParams::new())?;
    /// assert_eq!(reader.verify()?, Verified::Sealed);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`commit`](Self::commit), and when a chunk cannot be read back.
    pub fn seal(&mut self) -> Result<()> {
        self.flush_chunk()?;
        let checksums = self.reader.checksums()?;
        self.reader.contents.vlmetalayers.set(SEAL, &checksums)?;
        self.reader.contents.fingerprint = Fingerprint {
            kind: SEAL_KIND,
            value: [0; 16],
        };
        self.dirty = true;
        self.commit()
    }
}

impl<S: FrameStore> FrameReader<S> {
    /// Checks the frame for damage. A sealed frame is compared with its seal, without decompressing
    /// anything; of a frame without one, every chunk and vlmetalayer is decompressed (format §9.5).
    ///
    /// # Errors
    /// The first damage, with its chunk; [`Error::Unsupported`] for fingerprints that this crate
    /// does not write.
    pub fn verify(&self) -> Result<Verified> {
        match self.contents.fingerprint.kind {
            0 => {
                self.check()?;
                self.decode_all().map(|()| Verified::Unsealed)
            }
            SEAL_KIND if self.vlmetalayers().chunk(SEAL).is_some() => {
                // The checksums first: they know which of two chunks is damaged that overlap.
                self.verify_fingerprint()?;
                self.verify_chunks()?;
                self.check()?;
                Ok(Verified::Sealed)
            }
            _ => Err(Error::Unsupported {
                part: Part::FrameTrailer,
                offset: self.contents.header.frame_len.saturating_sub(17),
                what: Missing::Feature("this kind of fingerprint"),
            }),
        }
    }

    fn find_trailer(&self) -> Result<(u64, u64)> {
        let file = self.store.frame()?;
        let &FrameHeader {
            header_len,
            frame_len,
            ..
        } = self.header();
        find_trailer_between(file, header_len, frame_len, frame_len, &self.dparams)
    }

    fn verify_fingerprint(&self) -> Result<()> {
        let header = &self.contents.header;
        let file = self.store.frame()?;
        let (trailer_at, trailer_end) = self.find_trailer()?;
        let header_len = u64::from(header.header_len);
        let index_at = match header.frame_type {
            _ if header.nbytes == 0 => trailer_at,
            super::FrameType::Contiguous => header_len.saturating_add(header.cbytes),
            super::FrameType::Sparse => header_len,
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
        if hash(&head, &index, &tail) != self.contents.fingerprint.value {
            let rule = "the fingerprint does not fit the header, the index and the trailer";
            return Err(Error::broken(part, at, rule));
        }
        Ok(())
    }

    fn verify_chunks(&self) -> Result<()> {
        let sealed = self.vlmetalayer(SEAL)?.unwrap_or_default();
        let found = self.checksums()?;
        if sealed.len() != found.len() {
            let part = Part::VlMetalayers;
            let (at, _) = self.find_trailer()?;
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
        Ok(())
    }

    /// The checksums of all chunks, one behind another.
    fn checksums(&self) -> Result<Vec<u8>> {
        let mut checksums = Vec::new();
        for nchunk in 0..self.layout().nchunks {
            let checksum = match self.entry(nchunk)? {
                Entry::Special(_) => 0,
                Entry::Stored(place) => {
                    self.with_chunk(nchunk, place, |chunk| Ok(xxh3_64(chunk)))?
                }
            };
            checksums.extend_from_slice(&checksum.to_le_bytes());
        }
        Ok(checksums)
    }

    fn decode_all(&self) -> Result<()> {
        let mut decoder = crate::chunk::ChunkDecoder::new(self.dparams.clone());
        let mut data = Vec::new();
        for nchunk in 0..self.layout().nchunks {
            let nbytes = u64::from(self.chunk_nbytes(nchunk)?);
            self.dparams.limits.check_alloc(nbytes, None)?;
            data.resize(usize::try_from(nbytes).unwrap_or(usize::MAX), 0);
            self.decode_chunk_into(&mut decoder, nchunk, &mut data)?;
        }
        for name in self.vlmetalayers().names() {
            self.vlmetalayer(name)?;
        }
        Ok(())
    }
}
