//! The header and the trailer of a frame, as far as they can be read.

use super::losses::Losses;
use super::number::IndexFound;
use super::probe::{Prober, Seal};
use super::section::{self, Section};
use crate::error::{Error, ErrorKind, Part, Result};
use crate::frame::layout::header::{FRAME_HEADER_LEN, FrameHeader};
use crate::frame::layout::legacy;
use crate::frame::layout::seal::{CHECKSUM_LEN, FINGERPRINT_LEN, hash, masked};
use crate::frame::layout::trailer::{
    Fingerprint, MIN_TRAILER_LEN, SEAL, SEAL_KIND, TRAILER_END_LEN, parse_end,
};
use crate::schunk::{Metalayers, VlMetalayers, metadata_decoder};

/// The offset of the checksums in their vlmetalayer, after the marker and the length of msgpack.
const SEAL_AT: usize = 5;

/// The parts of a frame beside its chunks, as far as they can be read.
#[derive(Debug, Default)]
pub(super) struct Remains {
    pub(super) header: Option<FrameHeader>,
    pub(super) metalayers: Metalayers,
    pub(super) vlmetalayers: VlMetalayers,
    fingerprint: Fingerprint,
    /// Whether a beta of C-Blosc2 wrote it.
    is_old: bool,
    /// The end of the metalayers, where the header ends.
    header_end: Option<u64>,
}

/// The places between which chunks lie.
#[derive(Debug, Default)]
pub(super) struct Ends {
    /// The start of the search for chunks.
    pub(super) start: u64,
    /// The start of the trailer, or the end of the file.
    pub(super) end: u64,
    pub(super) has_trailer: bool,
    /// Whether the header ends where it says.
    is_header_whole: bool,
    pub(super) header_len: Option<u64>,
    /// Offsets at which the index may be.
    pub(super) index_at: Vec<u64>,
    /// By how much the trailer is away from where the header says: bytes were inserted, or cut
    /// out.
    moved: i64,
}

impl Remains {
    /// Reads the header.
    pub(super) fn read(prober: &mut Prober<'_>, losses: &mut Losses) -> Result<Self> {
        let mut remains = Self::default();
        let limits = prober.dparams.limits;
        let front = prober.bytes.get(0, FRAME_HEADER_LEN as u64)?;
        let old = legacy::is_legacy(front);
        let parsed = if old {
            legacy::parse_header(front)
        } else {
            FrameHeader::parse(front, &limits)
        };
        let mut most = limits.max_frame_header_len;
        match parsed {
            Ok(header) => {
                most = most.min(header.header_len);
                remains.header = Some(header);
            }
            Err(error) => losses.add(error),
        }
        remains.is_old = old;
        let at = if old {
            legacy::METALAYERS_AT
        } else {
            FRAME_HEADER_LEN
        };
        let bytes = prober.bytes.get(0, most)?;
        if remains.header.is_none() && !section::follows_header(bytes) {
            return Ok(remains);
        }
        let section = section::metalayers(bytes, at);
        remains.header_end = section.end;
        for (name, content) in &section.entries {
            if let Err(error) = remains.metalayers.insert(name, content) {
                losses.add(error);
            }
        }
        section.lost.into_iter().for_each(|error| losses.add(error));
        Ok(remains)
    }

    /// Finds the trailer, and with it the room for chunks.
    pub(super) fn ends(&mut self, prober: &mut Prober<'_>, losses: &mut Losses) -> Result<Ends> {
        let len = prober.bytes.len();
        let stated = self.header.as_ref().map(|header| header.frame_len);
        let header_len = self.header.as_ref().map(|header| header.header_len);
        let mut ends = Ends {
            end: len,
            header_len: header_len.or(self.header_end),
            ..Ends::default()
        };
        // Where the header does not end as it says, chunks may begin anywhere.
        ends.start = match (header_len, self.header_end) {
            (Some(header_len), Some(end)) if header_len == end => end,
            (None, Some(end)) => end,
            _ => 0,
        };
        ends.is_header_whole = header_len.is_some() && header_len == self.header_end;
        let mut why = None;
        for end in [stated.unwrap_or(len), len] {
            if ends.has_trailer || end > len {
                continue;
            }
            match self.trailer(prober, end, losses) {
                Ok(start) => {
                    let stated = stated.unwrap_or(end);
                    ends.moved = end.wrapping_sub(stated).cast_signed();
                    (ends.end, ends.has_trailer) = (start, true);
                }
                Err(error) if error.kind() == ErrorKind::Io => return Err(error),
                Err(error) => why = why.or(Some(error)),
            }
        }
        if !ends.has_trailer {
            let truncated = Error::Truncated {
                part: Part::FrameTrailer,
                offset: len,
                needed: stated.unwrap_or(len).saturating_sub(len),
                available: 0,
            };
            losses.add(why.unwrap_or(truncated));
        }
        if let Some(header) = self.header.as_ref().filter(|header| header.nbytes > 0) {
            let header_len = header.header_len;
            let at = match header.frame_type {
                crate::frame::layout::header::FrameType::Contiguous => {
                    header_len.saturating_add(header.cbytes)
                }
                crate::frame::layout::header::FrameType::Sparse => header_len,
            };
            ends.index_at.push(at);
            if ends.moved != 0 {
                ends.index_at.extend(at.checked_add_signed(ends.moved));
            }
        }
        Ok(ends)
    }

    /// Reads the trailer that ends at `end`; returns where it begins.
    fn trailer(&mut self, prober: &mut Prober<'_>, end: u64, losses: &mut Losses) -> Result<u64> {
        let part = Part::FrameTrailer;
        let end_at = end.saturating_sub(TRAILER_END_LEN as u64);
        let (len, _) = parse_end(prober.bytes.get(end_at, TRAILER_END_LEN as u64)?, end)?;
        let offset = end_at.saturating_add(1);
        let most = end.min(prober.dparams.limits.max_frame_trailer_len);
        if len < MIN_TRAILER_LEN || u64::from(len) > most {
            let field = "trailer length";
            return Err(Error::out_of_range(
                part,
                offset,
                field,
                len,
                MIN_TRAILER_LEN,
                most,
            ));
        }
        let start = end.saturating_sub(u64::from(len));
        if self.is_old {
            let bytes = prober.bytes.get(start, u64::from(len))?;
            self.vlmetalayers = legacy::parse_trailer(bytes, start)?;
            return Ok(start);
        }
        if let Some((range, section)) = section::trailer_at(prober, start, end)?
            && range.end == end
        {
            self.take_trailer(section, losses);
            return Ok(start);
        }
        let front = prober.bytes.get(start, 2)?;
        if let [0x94, 0 | 1] = front {
            // The beginning and the end are there, and something between them is damaged.
            let bytes = prober.bytes.get(start, u64::from(len))?.to_vec();
            let section = section::vlmetalayers(prober, &bytes, start);
            self.take_trailer(section, losses);
            return Ok(start);
        }
        let rule = "no trailer begins where its end says";
        Err(Error::broken(part, start, rule))
    }

    /// Takes the vlmetalayers of a trailer.
    pub(super) fn take_trailer(&mut self, section: Section, losses: &mut Losses) {
        section.lost.into_iter().for_each(|error| losses.add(error));
        self.fingerprint = section.fingerprint;
        self.vlmetalayers = VlMetalayers::from_entries(section.entries);
    }

    /// Whether there are checksums of the chunks.
    pub(super) fn has_seal(&self) -> bool {
        self.fingerprint.kind == SEAL_KIND && self.vlmetalayers.chunk(SEAL).is_some()
    }

    /// The checksums of the chunks, when the frame was sealed.
    pub(super) fn seal(
        &self,
        prober: &mut Prober<'_>,
        ends: &Ends,
        index: Option<&IndexFound>,
    ) -> Result<Option<Seal>> {
        let chunk = self.vlmetalayers.chunk(SEAL).filter(|_| self.has_seal());
        let limits = prober.dparams.limits;
        let content = chunk.map(|chunk| metadata_decoder(prober.dparams, limits).decode(chunk));
        let Some(Ok(content)) = content else {
            return Ok(None);
        };
        let (all, _) = content
            .get(SEAL_AT..)
            .unwrap_or_default()
            .as_chunks::<CHECKSUM_LEN>();
        let checksums = all.iter().skip(1).map(|&sum| u64::from_le_bytes(sum));
        let checksums = checksums.collect();
        let is_intact = self.fits_fingerprint(prober, ends, index)?;
        Ok(Some(Seal {
            checksums,
            is_intact,
        }))
    }

    fn fits_fingerprint(
        &self,
        prober: &mut Prober<'_>,
        ends: &Ends,
        index: Option<&IndexFound>,
    ) -> Result<bool> {
        let (Some(header), Some(index)) = (&self.header, index) else {
            return Ok(false);
        };
        let head = prober.bytes.get(0, header.header_len)?;
        let head = masked(head, &self.metalayers);
        let middle = prober
            .bytes
            .get(index.at, index.end.saturating_sub(index.at))?
            .to_vec();
        let tail_end = prober.bytes.get(ends.end, u64::MAX)?;
        let used = tail_end.len();
        let tail = tail_end
            .get(..used.saturating_sub(FINGERPRINT_LEN))
            .unwrap_or_default();
        Ok(hash(&head, &middle, tail) == self.fingerprint.value)
    }
}

impl Ends {
    /// Offsets the index may count from: the end of the header, and also where that is for what
    /// follows the damage when bytes have moved; that may be before the file.
    pub(super) fn bases(&self) -> Vec<i64> {
        let Some(header_len) = self.header_len.and_then(|len| i64::try_from(len).ok()) else {
            return Vec::new();
        };
        let moved = header_len.saturating_add(self.moved);
        match (self.moved, self.is_header_whole) {
            (0, _) => vec![header_len],
            // All chunks come after what is damaged.
            (_, false) => vec![moved],
            (_, true) => vec![header_len, moved],
        }
    }
}
