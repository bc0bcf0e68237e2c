//! Seals: checksums of every chunk, and a fingerprint over all the rest.
//!
//! ```text
//! vlmetalayer "oxiblosc.seal"     C6 len | 8 bytes for the metalayers | 8 bytes per chunk
//! fingerprint in the trailer      XXH3-128 of header, index and trailer without its last 16 bytes
//! ```
//!
//! A chunk's 8 bytes are the XXH3-64 of its stored bytes, 0 when it has none; those of the
//! metalayers are that of their contents, one behind the other, and of the numbers of threads. The
//! fingerprint takes all these for zeros: C rewrites them in the header when it updates a
//! metalayer, and leaves the seal alone. All other changes by C take the fingerprint away. The
//! vlmetalayer is in msgpack, which python-blosc2 expects of all of them.
//!
//! The trailer has had room for a fingerprint from the beginning, and C never filled it (format
//! §9.5); C reads sealed frames like any other. Checksums find damage by accident; whoever wants
//! to forge a frame can forge its seal.

use std::ops::Range;

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::contents::{Contents, find_trailer_between};
use super::header::FrameHeader;
use super::msgpack::Put;
use super::offsets::Entry;
use super::reader::FrameReader;
use super::store::{FrameStore, FrameStoreMut, bytes_at};
use super::trailer::Fingerprint;
use super::writer::FrameWriter;
use crate::error::{Error, Missing, Part, Result};
use crate::schunk::{ChunkSource, Metalayers};

/// The name of the variable-length metalayer with the checksums of the chunks.
pub const SEAL: &str = "oxiblosc.seal";

/// The fingerprint type of 128 bits.
pub(super) const SEAL_KIND: u8 = 3;
/// The numbers of threads in a header, with the marker between them.
const THREADS: Range<usize> = 0x3F..0x44;
/// The bytes of a fingerprint.
const FINGERPRINT_LEN: usize = 16;
/// Where the checksums begin in their vlmetalayer: behind the marker and the length of msgpack.
const SEAL_AT: usize = 5;
/// The bytes of a chunk's checksum.
const CHECKSUM_LEN: usize = 8;

/// What [`FrameReader::verify`] found: no damage, to the degree that can be told.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verified {
    /// Every byte that matters is the one that was sealed.
    Sealed,
    /// The chunks, the index and the trailer are the ones that were sealed; a metalayer or the
    /// numbers of threads in the header are not. C updates these without taking the seal away;
    /// damage there looks the same.
    Updated,
    /// The frame has no seal; everything decompresses.
    Unsealed,
}

/// The checksum of a chunk as stored: XXH3-64.
///
/// ```
/// // The specification's value for no bytes at all.
/// assert_eq!(oxiblosc::frame::chunk_checksum(b""), 0x2D06_8005_38D3_94C2);
/// ```
pub fn chunk_checksum(chunk: &[u8]) -> u64 {
    xxh3_64(chunk)
}

/// Fills in the fingerprint of a frame that is to be sealed.
pub(super) fn sign(contents: &mut Contents, header: &[u8], index: &[u8], trailer: &mut [u8]) {
    let (metalayers, fingerprint) = (&contents.metalayers, &mut contents.fingerprint);
    if fingerprint.kind != SEAL_KIND {
        return;
    }
    let header = masked(header, metalayers);
    let split = trailer.len().saturating_sub(FINGERPRINT_LEN);
    if let Some((signed, value)) = trailer.split_at_mut_checked(split) {
        fingerprint.value = hash(&header, index, signed);
        value.copy_from_slice(&fingerprint.value);
    }
}

/// A header with zeros where C updates metalayers: their contents, which lie at its end, and the
/// numbers of threads.
fn masked(header: &[u8], metalayers: &Metalayers) -> Vec<u8> {
    let mut masked = header.to_vec();
    let mut clear = |range: Range<usize>| {
        if let Some(bytes) = masked.get_mut(range) {
            bytes.fill(0);
        }
    };
    clear(THREADS);
    let mut end = header.len();
    let lens: Vec<usize> = metalayers
        .iter()
        .map(|(_, content)| content.len())
        .collect();
    for len in lens.into_iter().rev() {
        clear(end.saturating_sub(len)..end);
        // The marker and the length of the content stay.
        end = end.saturating_sub(len).saturating_sub(5);
    }
    masked
}

/// The checksum of what `masked` leaves out.
fn metalayers_checksum(contents: &Contents) -> u64 {
    let FrameHeader {
        compress_threads,
        decompress_threads,
        ..
    } = contents.header;
    let mut hash = Xxh3::new();
    for (_, content) in contents.metalayers.iter() {
        hash.update(content);
    }
    hash.update(&compress_threads.to_be_bytes());
    hash.update(&decompress_threads.to_be_bytes());
    hash.digest()
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
        let len = checksums.len().saturating_add(CHECKSUM_LEN);
        let len = u32::try_from(len).map_err(|_| Error::Refused {
            what: "seal the frame",
            why: "there are too many chunks",
        })?;
        let mut seal = Vec::new();
        seal.put_bin32(len);
        seal.extend_from_slice(&metalayers_checksum(&self.reader.contents).to_le_bytes());
        seal.extend_from_slice(&checksums);
        self.reader.contents.vlmetalayers.set(SEAL, &seal)?;
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

    fn find_trailer(&self) -> Result<(u64, u64)> {
        let file = self.store.frame()?;
        let &FrameHeader {
            header_len,
            frame_len,
            ..
        } = self.header();
        find_trailer_between(file, header_len, frame_len, frame_len, &self.dparams)
    }

    /// Checks header, index and trailer of a frame with a seal before it is sealed anew.
    pub(super) fn verify_before_move(&self) -> Result<()> {
        if self.contents.fingerprint.kind == SEAL_KIND {
            self.verify_fingerprint()?;
        }
        Ok(())
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
        Ok(metalayers)
    }

    /// The checksums of all chunks, one behind another.
    fn checksums(&self) -> Result<Vec<u8>> {
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
